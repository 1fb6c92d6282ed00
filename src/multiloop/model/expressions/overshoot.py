"""Overshoot of cubic tables: values of the curve outside the range of the tabulated points."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from multiloop.model.expressions.dependence import nodes_of
from multiloop.model.expressions.expression import Scalar
from multiloop.model.expressions.tables import Table, pieces

WORTH_SAYING = 0.05
"""Overshoot, as a fraction of the range of points, above which it is reported; a coarsely sampled sine has less."""


def overshoots(value: Scalar) -> Iterator[tuple[float, float]]:
    """For every table of an expression that overshoots: the extreme value of the curve, and that of the points."""
    for node in nodes_of(value):
        found = overshoot(node) if isinstance(node, Table) else None
        if found is not None:
            yield found


@lru_cache(maxsize=256)
def overshoot(table: Table) -> tuple[float, float] | None:
    """The extreme value of the curve, and the largest or smallest tabulated value; None if the overshoot is small.

    A cubic piece has its extremes where 3a s² + 2b s + c = 0.
    """
    if table.kind != "cubic" or table.derivative:
        return None
    breaks, (a, b, c, y) = pieces(table)
    root = np.sqrt(np.maximum(b * b - 3 * a * c, 0.0))
    with np.errstate(all="ignore"):  # a monotone piece has no extreme
        places = np.stack([c / (-b - np.copysign(root, b)), (-b - np.copysign(root, b)) / (3 * a)])
    s = np.where(np.isfinite(places), np.clip(places, 0.0, np.diff(breaks)), 0.0)
    turns = ((a * s + b) * s + c) * s + y
    low, high = min(table.values), max(table.values)
    above, below = float(turns.max()) - high, low - float(turns.min())
    if max(above, below) <= WORTH_SAYING * (high - low):
        return None
    return (high + above, high) if above >= below else (low - below, low)
