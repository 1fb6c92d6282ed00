"""Solution of inverse dynamics at an instant, and the iteration for forces that depend on reactions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

ROUNDS = 50
"""Iterations for minimum-norm efforts and reaction-dependent forces …"""

AGREED = 1e-14
"""… until these change by no more than this part."""


@dataclass(frozen=True, eq=False)
class LoadsFound:
    """Solution at one instant, or at many with one row each.

    It has accelerations, forces along every rate (known and computed), constraint wrenches (6 × joints), reaction-
    dependent forces (`dynamics.following`), and for one instant the multipliers λ.
    """

    a: np.ndarray
    tau: np.ndarray
    wrenches: np.ndarray
    following: np.ndarray
    lam: np.ndarray = field(default_factory=lambda: np.zeros(0))


def brought_together(find: Callable[[np.ndarray], LoadsFound], found: LoadsFound) -> LoadsFound:
    """Iterate until idle accelerations and minimum-norm efforts agree with the reaction-dependent forces.

    Every iteration reduces the error by a factor of the order of the friction coefficient.
    """
    for _ in range(ROUNDS if found.following.size else 0):
        before = found.following[:, 0]
        found = find(before)
        if np.abs(found.following[:, 0] - before).max() <= AGREED * np.abs(before).max():
            break
    return found
