"""Other positions of an assembled mechanism, at the ends of small finite motions: what holds there is no accident."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from multiloop.kinematics.assembly import Assembly
from multiloop.kinematics.equations import Equations
from multiloop.kinematics.independence import largest_singular_value, staircase
from multiloop.kinematics.newton import Closing, close
from multiloop.kinematics.rates import MANY, linearised
from multiloop.kinematics.sparse_matrices import sp

NEARLY = 1e-6
"""Singular values below this part of the largest may be none: a singular position is found to the root of round-off."""

LEAST = 1e-2
"""The least size of scaled rows of loops: where all are smaller at once they vanish together."""

STROKES = (0.04, -0.07, 0.11)
"""Finite motions, in radians or characteristic lengths, at whose ends the rank is taken again."""

BENT = 0.1
"""Part by which a finite motion may part from a stroke along all ways at once; where it is more each is tried."""

KEPT = 0.5
"""Part of a stroke that is left where the motion is finite: all but its square, and else nothing."""


@dataclass(frozen=True, eq=False)
class Ways:
    """Ways of moving at an assembled position to first order, drives let go and links held as they are deformed.

    `mixed` gives scaled rates along all of them at once, for a weight each.
    """

    assembly: Assembly
    equations: Equations
    s: np.ndarray
    count: int
    mixed: Callable[[np.ndarray], np.ndarray]

    def positions(self) -> list[np.ndarray]:
        """The assembled position and others, along all ways at once or, where that leads nowhere, along each."""
        found = [self.assembly.q]
        if self.count:
            found += self._strokes(np.sin(1.0 + 0.7 * np.arange(self.count)))
        if len(found) == 1:
            for k in range(self.count):
                found += self._strokes((np.arange(self.count) == k).astype(float))
        return found

    def _strokes(self, weights: np.ndarray) -> list[np.ndarray]:
        """Positions at the ends of finite strokes along one way, where the loops close and something has moved."""
        chart, q, way = self.equations.chart, self.assembly.q, self.mixed(weights)
        found = []
        for stroke in STROKES:
            closing = self._stroke(stroke * way / np.abs(way).max())
            if closing.closed and chart.distance(closing.q, q) > abs(stroke) / 2:
                found.append(closing.q)
        return found

    def _stroke(self, step: np.ndarray) -> Closing:
        """The loops closed again after a scaled step."""
        chart = self.equations.chart
        moved = chart.moved(self.assembly.q, step * chart.scale)
        return close(self.equations, moved, self.s, self.assembly.p, limit=40)

    @property
    def finite(self) -> int:
        """Along how many of the ways the mechanism moves: closed again, nothing is left of a stroke along others."""
        way = self.mixed(1.0 + 0.5 * np.sin(np.arange(self.count)))
        if np.abs(self._left(way) - way).max(initial=0.0) <= BENT * np.abs(way).max(initial=0.0):
            return self.count
        basis = np.array([self.mixed(one) for one in np.eye(self.count)])
        left = np.array([self._left(one) for one in basis])
        return int(np.sum(np.linalg.svd(left @ np.linalg.pinv(basis), compute_uv=False) > KEPT))

    def _left(self, way: np.ndarray) -> np.ndarray:
        """What is left of a way after the least stroke along it, in its own size; nothing where the loops stay open."""
        chart, size = self.equations.chart, STROKES[0] / np.abs(way).max()
        closing = self._stroke(size * way)
        if not closing.closed:
            return np.zeros_like(way)
        left: np.ndarray = chart.step_between(self.assembly.q, closing.q) / chart.scale / size
        return left


def ways_of(assembly: Assembly) -> Ways:
    """The ways of moving at a position; in a large mechanism by elimination, else by singular values."""
    equations, s = assembly.undeforming()
    return _sparse_ways(assembly, equations, s) or _dense_ways(assembly, equations, s)


def _dense_ways(assembly: Assembly, equations: Equations, s: np.ndarray) -> Ways:
    linear = linearised(equations, assembly.q, s, assembly.p)
    certain = int(np.sum(linear.sigma > NEARLY * max(linear.sigma.max(initial=0.0), LEAST)))
    ways = linear.Vt[certain:]
    return Ways(assembly, equations, s, len(ways), lambda weights: weights @ ways)


def _sparse_ways(assembly: Assembly, equations: Equations, s: np.ndarray) -> Ways | None:
    """None in a small mechanism, and where pivots and singular values do not agree on how many there are."""
    if equations.skeleton.rates <= MANY or not equations.rows.count:
        return None
    J = equations.sparse_rate_jacobian(assembly.q, s, assembly.p)
    J = sp.csr_matrix(sp.diags(equations.rate_row_scale) @ J @ sp.diags(equations.chart.scale))
    stairs = staircase(J, NEARLY * max(largest_singular_value(J), LEAST))
    if stairs is None:
        return None
    return Ways(
        assembly,
        equations,
        s,
        len(stairs.passed),
        lambda weights: stairs.null_vectors(weights[:, None])[:, 0],
    )
