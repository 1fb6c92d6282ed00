"""Does the curve of a table swing out beyond the points that it goes through?"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from multiloop.model.expressions.dependence import nodes_of
from multiloop.model.expressions.expression import Scalar
from multiloop.model.expressions.tables import Table, pieces

WORTH_SAYING = 0.05
"""Part of the range of its points by which a curve must leave it to be named: a few points of a sine stay below."""


def overshoots(value: Scalar) -> Iterator[tuple[float, float]]:
    """For every table of an expression that swings out: how far it goes, and the point that it passes so."""
    for node in nodes_of(value):
        found = overshoot(node) if isinstance(node, Table) else None
        if found is not None:
            yield found


@lru_cache(maxsize=256)
def overshoot(table: Table) -> tuple[float, float] | None:
    """The farthest value beyond the points, and the largest or least point itself; None where it is near them.

    A cubic piece turns where its slope 3a s² + 2b s + c is zero.
    """
    if table.kind != "cubic" or table.derivative:
        return None
    breaks, (a, b, c, y) = pieces(table)
    root = np.sqrt(np.maximum(b * b - 3 * a * c, 0.0))
    with np.errstate(all="ignore"):  # a piece that does not turn has no such place
        places = np.stack([c / (-b - np.copysign(root, b)), (-b - np.copysign(root, b)) / (3 * a)])
    s = np.where(np.isfinite(places), np.clip(places, 0.0, np.diff(breaks)), 0.0)
    turns = ((a * s + b) * s + c) * s + y
    low, high = min(table.values), max(table.values)
    above, below = float(turns.max()) - high, low - float(turns.min())
    if max(above, below) <= WORTH_SAYING * (high - low):
        return None
    return (high + above, high) if above >= below else (low - below, low)
