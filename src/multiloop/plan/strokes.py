"""Motions of a mechanism to first order, and configurations reached along them by small finite motions.

The rank of the constraint matrix is evaluated again at these configurations, because the assembled configuration may
be singular.
"""

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
"""Relative singular values below this may be zero: singular configurations are found to the root of round-off."""

LEAST = 1e-2
"""Lower bound for the largest singular value of scaled loop rows, for configurations where all rows vanish together."""

STROKES = (0.04, -0.07, 0.11)
"""Sizes of the finite motions, in radians or characteristic lengths, at whose ends the rank is evaluated again."""

BENT = 0.1
"""Relative deviation of a finite motion from the first-order one up to which all motions are tested at once."""

KEPT = 0.5
"""Share of a step that must remain after closing the loops: near 1 if the motion is finite, otherwise near 0."""


@dataclass(frozen=True, eq=False)
class Ways:
    """Motions to first order at an assembled configuration, drives released and flexible bodies held as deformed.

    `count` is their number. `mixed` returns scaled rates of a linear combination of them, from one weight each.
    """

    assembly: Assembly
    equations: Equations
    s: np.ndarray
    count: int
    mixed: Callable[[np.ndarray], np.ndarray]

    def positions(self) -> list[np.ndarray]:
        """The assembled configuration and others, reached along all motions at once or, if that fails, along each."""
        found = [self.assembly.q]
        if self.count:
            found += self._strokes(np.sin(1.0 + 0.7 * np.arange(self.count)))
        if len(found) == 1:
            for k in range(self.count):
                found += self._strokes((np.arange(self.count) == k).astype(float))
        return found

    def _strokes(self, weights: np.ndarray) -> list[np.ndarray]:
        """Configurations after finite steps along one motion if the loops close again and the mechanism has moved."""
        chart, q, way = self.equations.chart, self.assembly.q, self.mixed(weights)
        found = []
        for stroke in STROKES:
            closing = self._stroke(stroke * way / np.abs(way).max())
            if closing.closed and chart.distance(closing.q, q) > abs(stroke) / 2:
                found.append(closing.q)
        return found

    def _stroke(self, step: np.ndarray) -> Closing:
        """Close the loops again after a scaled step."""
        chart = self.equations.chart
        moved = chart.moved(self.assembly.q, step * chart.scale)
        return close(self.equations, moved, self.s, self.assembly.p, limit=40)

    @property
    def finite(self) -> int:
        """Number of motions that are finite; of a step along the others nothing remains after closing the loops."""
        way = self.mixed(1.0 + 0.5 * np.sin(np.arange(self.count)))
        if np.abs(self._left(way) - way).max(initial=0.0) <= BENT * np.abs(way).max(initial=0.0):
            return self.count
        basis = np.array([self.mixed(one) for one in np.eye(self.count)])
        left = np.array([self._left(one) for one in basis])
        return int(np.sum(np.linalg.svd(left @ np.linalg.pinv(basis), compute_uv=False) > KEPT))

    def _left(self, way: np.ndarray) -> np.ndarray:
        """The part of a motion that remains after its smallest step, scaled back; zero where the loops do not close."""
        chart, size = self.equations.chart, STROKES[0] / np.abs(way).max()
        closing = self._stroke(size * way)
        if not closing.closed:
            return np.zeros_like(way)
        left: np.ndarray = chart.step_between(self.assembly.q, closing.q) / chart.scale / size
        return left


def ways_of(assembly: Assembly) -> Ways:
    """Motions to first order at an assembled configuration; by elimination in large mechanisms, else by the SVD."""
    equations, s = assembly.undeforming()
    return _sparse_ways(assembly, equations, s) or _dense_ways(assembly, equations, s)


def _dense_ways(assembly: Assembly, equations: Equations, s: np.ndarray) -> Ways:
    linear = linearised(equations, assembly.q, s, assembly.p)
    certain = int(np.sum(linear.sigma > NEARLY * max(linear.sigma.max(initial=0.0), LEAST)))
    ways = linear.Vt[certain:]
    return Ways(assembly, equations, s, len(ways), lambda weights: weights @ ways)


def _sparse_ways(assembly: Assembly, equations: Equations, s: np.ndarray) -> Ways | None:
    """Return None in small mechanisms, and where pivots and singular values disagree on the number of motions."""
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
