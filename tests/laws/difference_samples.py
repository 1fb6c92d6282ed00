"""Inverse dynamics of the test models at instants for difference quotients."""

from __future__ import annotations

from functools import cache

import numpy as np
from laws.closed_positions import built, duration

import multiloop as ml

PARTS = (0.13, 0.41, 0.77)
"""Parts of a period, or of a stroke, about which five instants are set."""

STEP = 4e-3
"""Of differences, in radians of the fastest joint: round-off over its square and its fourth power are 1e-10."""


@cache
def steadily(name: str) -> tuple[ml.Result, float, tuple[int, ...]]:
    """A result with instants in groups of five, h apart, and the middles of the groups."""
    mechanism, end = built(name), duration(name)
    rough = ml.inverse(mechanism, t=[0.0, *(part * end for part in PARTS)])
    rates = [np.abs(rough[joint].rate).max(initial=0.0) for joint in rough]
    h = STEP / max(*rates, 1 / end)
    groups = [part * end + h * np.arange(-2, 3) for part in PARTS]
    result = ml.inverse(mechanism, t=np.concatenate([[0.0], *groups]))
    return result, h, tuple(3 + 5 * k for k in range(len(PARTS)))
