"""Closing the loops from a rough start: damped Newton steps in the tangent space.

Levenberg–Marquardt on the singular values of the scaled Jacobian: rank-deficient (redundant) constraints are
no obstacle, and near a solution the steps become Newton's own and converge quadratically.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np

from multiloop.kinematics.equations import Equations
from multiloop.kinematics.sparse_matrices import sp, spla

LARGE = 120
"""Number of rates from which the linear solves are sparse."""

TIGHT = 0.01
"""Part of the gap that counts as closed up to which loops are closed to round-off."""

LONGEST = 0.7
"""Longest step of one coordinate, in radians or characteristic lengths."""

LEAP = 1e-3
"""Part of the rows that a longer step may leave."""

Solve = Callable[[np.ndarray, float], np.ndarray]
"""From a residual and a damping to the step that lessens it."""

Point = TypeVar("Point")


class System(Protocol[Point]):
    """Scaled rows that should vanish, what lessens them at a point, and how a step moves it."""

    def residual(self, at: Point) -> np.ndarray:
        """The rows, lengths in characteristic lengths."""

    def solver(self, at: Point) -> Solve:
        """The linearised rows, ready to be solved."""

    def moved(self, at: Point, step: np.ndarray) -> Point:
        """Where a step leads."""


@dataclass(frozen=True)
class Closing:
    """How an attempt to close the loops ended: coordinates, the largest open row, and the number of steps.

    `allowed` is the gap up to which the loops are closed, see `Chart.closed_at`.
    """

    q: np.ndarray
    gap: float
    steps: int
    allowed: float

    @property
    def closed(self) -> bool:
        """Whether every row is closed to round-off."""
        return self.gap <= self.allowed


def close(equations: Equations, q: np.ndarray, s: np.ndarray, p: np.ndarray, *, limit: int = 80) -> Closing:
    """Newton's method from q until the rows vanish, or as near as it gets."""
    allowed = equations.chart.closed_at(q)
    leaps = bool(equations.skeleton.mechanism.couplings)
    q, r, steps = descend(_Loops(equations, s, p), q, allowed=allowed, least=2e-16, limit=limit, leaps=leaps)
    return Closing(q, float(np.abs(r).max(initial=0.0)), steps, equations.chart.closed_at(q))


def descend(
    system: System[Point], at: Point, *, allowed: float, least: float, limit: int, leaps: bool = False
) -> tuple[Point, np.ndarray, int]:
    """Damped steps until no row is above `least`, or none of them helps: the point, its rows, and the number of steps.

    Below `allowed` a step that does not help is not tried again with more damping. With `leaps` a step that closes
    nearly everything is taken however long it is: that of a shaft behind a high ratio.
    """
    r = system.residual(at)
    damping, steps = 0.0, 0
    while steps < limit and r.size and np.abs(r).max() > least:
        solve = system.solver(at)
        improved = False
        for _ in range(12):
            step = solve(r, damping)
            longest = np.abs(step).max(initial=0.0)
            if longest > LONGEST and not (leaps and _leaps(system, at, step, r)):
                step *= LONGEST / longest
            candidate = system.moved(at, step)
            r_new = system.residual(candidate)
            if r_new @ r_new < (1 - 1e-4) * (r @ r):
                at, r, improved = candidate, r_new, True
                damping = damping / 8 if damping > 1e-9 else 0.0
                break
            damping = max(4 * damping, 1e-4)
            if np.abs(r).max() <= allowed:
                break
        steps += 1
        if not improved:
            break
    return at, r, steps


def _leaps(system: System[Point], at: Point, step: np.ndarray, r: np.ndarray) -> bool:
    """Whether a whole step leaves next to nothing of the rows, as where these are linear."""
    left = system.residual(system.moved(at, step))
    return bool(left @ left < LEAP**2 * (r @ r))


@dataclass(frozen=True, eq=False)
class _Loops:
    """The position rows of a tree's equations at prescribed values."""

    equations: Equations
    s: np.ndarray
    p: np.ndarray

    def residual(self, q: np.ndarray) -> np.ndarray:
        rows: np.ndarray = self.equations.row_scale * self.equations.closure(q, self.s, self.p)
        return rows

    def moved(self, q: np.ndarray, step: np.ndarray) -> np.ndarray:
        return self.equations.chart.moved(q, self.equations.chart.scale * step)

    def solver(self, q: np.ndarray) -> Solve:
        equations, row, col = self.equations, self.equations.row_scale, self.equations.chart.scale
        if equations.skeleton.rates > LARGE:
            return _sparse(sp.diags(row) @ equations.sparse_jacobian(q, self.s, self.p) @ sp.diags(col))
        return damped_solver(row[:, None] * equations.jacobian(q, self.s, self.p) * col)


def _sparse(J: sp.csc_matrix) -> Solve:
    normal = (J.T @ J).tocsc()

    def solve(r: np.ndarray, damping: float) -> np.ndarray:
        regular = normal + (1e-14 + damping**2) * sp.identity(normal.shape[0], format="csc")
        step: np.ndarray = -spla.splu(regular.tocsc()).solve(J.T @ r)
        return step

    return solve


def damped_solver(J: np.ndarray) -> Solve:
    """Damped least steps −J⁺ r by the singular values of J; directions that J does not see are left alone."""
    U, sigma, Vt = np.linalg.svd(J, full_matrices=False)
    small = sigma < 1e-10 * sigma.max(initial=1e-300)

    def solve(r: np.ndarray, damping: float) -> np.ndarray:
        gain = np.where(small, 0.0, sigma / (sigma**2 + damping**2 + small))
        step: np.ndarray = -Vt.T @ (gain * (U.T @ r))
        return step

    return solve
