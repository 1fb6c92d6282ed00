"""Arc length of a closed curve up to one of its points, on symbols, by Gauss–Legendre quadrature."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from math import tau
from typing import Any

import casadi as ca
import numpy as np

from multiloop.model.expressions import Expression, breakpoints
from multiloop.spatial import Matrix
from multiloop.symbols.lookup import lookup

PANELS = 24
"""Number of panels of one revolution; the breakpoints of the law are panel ends as well."""

NARROW = 1e-9
"""Distance below which two panel ends are one."""

NODES, WEIGHTS = np.polynomial.legendre.leggauss(8)
"""Gauss–Legendre rule on a panel, exact for polynomials of degree 15."""


def arc_length(
    speed: Callable[[Matrix], Matrix], u: Matrix, edges: np.ndarray, way: int
) -> tuple[Matrix, Matrix]:
    """L(u) = ± ∫ speed du from the first edge to u, reduced to one revolution, and the length of the whole curve.

    `speed` may contain no symbols besides u. `way` is −1 if the curve is clockwise for increasing u.
    """
    sums = np.cumsum([0.0, *(_gauss(speed, *ends) for ends in pairwise(edges.tolist()))])
    u = u - (edges[-1] - edges[0]) * ca.floor((u - edges[0]) / (edges[-1] - edges[0]))
    begin, done = (lookup(u, edges, row[None, :]) for row in (edges[:-1], sums[:-1]))
    half = (u - begin) / 2
    part = sum(weight * speed(begin + half * (1 + node)) for node, weight in zip(NODES, WEIGHTS, strict=True))
    return way * (done + half * part), float(sums[-1])


def panel_edges(law: Expression, begin: float = 0.0, end: float = tau) -> np.ndarray:
    """The ends of all panels of one revolution."""
    corners = breakpoints(law, between=(begin, end), knots=True)
    edges = np.union1d(np.linspace(begin, end, PANELS + 1), corners)
    kept: np.ndarray = edges[np.concatenate([np.diff(edges) > NARROW, [True]])]
    return kept


def _gauss(speed: Callable[[Any], Any], begin: float, end: float) -> float:
    half = (end - begin) / 2
    values = [float(speed(ca.DM(begin + half * (1 + node)))) for node in NODES]
    return half * float(np.dot(WEIGHTS, values))
