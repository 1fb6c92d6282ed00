"""Closure of the loops from an approximate start, by a damped Newton method in the tangent space.

The Levenberg–Marquardt steps use the singular values of the constraint Jacobian, with lengths divided by the
characteristic length: the constraints may be rank-deficient (redundant), and near a solution the steps become undamped
Newton steps, which converge quadratically. SciPy's `least_squares` cannot step along rotations.

Theory: docs/theory/02-kinematics.md, eq. (2.12).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np

from multiloop.dependencies import sp, spla
from multiloop.kinematics.equations import Equations

SPARSE_FROM_RATES = 120
"""Number of joint rates above which linear systems are solved with sparse matrices."""

TIGHT_FRACTION = 0.01
"""Residual, as a fraction of the closure tolerance, up to which loops count as closed to round-off."""

LONGEST_STEP = 0.7
"""Largest change of one coordinate in a step of Newton's method, in radians or characteristic lengths."""

LONG_STEP_RESIDUAL = 1e-3
"""A step longer than `LONGEST_STEP` is accepted if the norm of the residual after it is below this fraction of its
previous value."""

StepSolver = Callable[[np.ndarray, float], np.ndarray]
"""A function that returns a step for a residual and a damping factor."""

Point = TypeVar("Point")


class ResidualSystem(Protocol[Point]):
    """A system of equations on a manifold: residual, linear solver at a point, and the effect of a step."""

    def residual(self, at: Point) -> np.ndarray:
        """Residual of the equations at a point, with lengths divided by the characteristic length."""

    def solver(self, at: Point) -> StepSolver:
        """Solver of the equations linearised at a point."""

    def apply_step(self, at: Point, step: np.ndarray) -> Point:
        """The point to which a step from the point `at` leads."""


@dataclass(frozen=True)
class LoopClosure:
    """Result of an attempt to close the loops: coordinates, the largest residual, and the number of steps.

    `tolerance` is the residual below which the loops count as closed, see `Chart.closure_tolerance_at`. `inverted` is
    the name of a cut joint whose axis is inverted (rotated by half a turn) although its constraint residuals vanish at
    q; `gap` is then π.
    """

    q: np.ndarray
    gap: float
    steps: int
    tolerance: float
    inverted: str = ""

    @property
    def closed(self) -> bool:
        """Whether all loops are closed within the tolerance."""
        return self.gap <= self.tolerance


def close_loops(
    equations: Equations, q: np.ndarray, s: np.ndarray, p: np.ndarray, *, limit: int = 80
) -> LoopClosure:
    """Close the loops by Newton's method from the tree coordinates q; s are the prescribed values, p the parameters.

    If the method does not converge, the last position is returned with its residual."""
    allowed = equations.chart.closure_tolerance_at(q)
    leaps = bool(equations.skeleton.mechanism.couplings)
    q, r, steps = damped_newton(
        _LoopRows(equations, s, p),
        q,
        allowed=allowed,
        least=2e-16,
        limit=limit,
        leaps=leaps,
        unlimited=_rotor_rates(equations),
    )
    return LoopClosure(q, float(np.abs(r).max(initial=0.0)), steps, equations.chart.closure_tolerance_at(q))


def _rotor_rates(equations: Equations) -> list[int]:
    """Indices, in the vector of joint rates, of the rotors of motors, which follow their joints linearly."""
    skeleton = equations.skeleton
    return [skeleton.coordinates[rotor.joint.name].v.start for rotor in skeleton.mechanism.rotors]


def damped_newton(
    system: ResidualSystem[Point],
    at: Point,
    *,
    allowed: float,
    least: float,
    limit: int,
    leaps: bool = False,
    unlimited: Sequence[int] = (),
) -> tuple[Point, np.ndarray, int]:
    """Damped Newton steps until all residuals are at most `least` or no step reduces their norm; return point, residual
    and number of steps.

    If all residuals are at most `allowed`, a step that does not reduce their norm is not repeated with more damping.
    With `leaps` a step of any length is accepted if it nearly solves the equations; a shaft behind a high gear ratio
    needs such long steps. The coordinates `unlimited` do not limit the length of a step.
    """
    r = system.residual(at)
    damping, steps = 0.0, 0
    while steps < limit and r.size and np.abs(r).max() > least:
        solve = system.solver(at)
        improved = False
        for _ in range(12):
            step = solve(r, damping)
            longest = np.abs(np.delete(step, unlimited)).max(initial=0.0)
            if longest > LONGEST_STEP and not (leaps and _nearly_solves(system, at, step, r)):
                step *= LONGEST_STEP / longest
            candidate = system.apply_step(at, step)
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


def _nearly_solves(system: ResidualSystem[Point], at: Point, step: np.ndarray, r: np.ndarray) -> bool:
    """Whether a full step reduces the residual r to a small fraction (`LONG_STEP_RESIDUAL`), as it does if the
    equations are almost linear."""
    left = system.residual(system.apply_step(at, step))
    return bool(left @ left < LONG_STEP_RESIDUAL**2 * (r @ r))


@dataclass(frozen=True, eq=False)
class _LoopRows:
    """The position constraints of the mechanism as a residual system, for prescribed values s and parameters p."""

    equations: Equations
    s: np.ndarray
    p: np.ndarray

    def residual(self, q: np.ndarray) -> np.ndarray:
        rows: np.ndarray = self.equations.row_scale * self.equations.position_residual(q, self.s, self.p)
        return rows

    def apply_step(self, q: np.ndarray, step: np.ndarray) -> np.ndarray:
        return self.equations.chart.apply_step(q, self.equations.chart.rate_units * step)

    def solver(self, q: np.ndarray) -> StepSolver:
        equations, row, col = self.equations, self.equations.row_scale, self.equations.chart.rate_units
        if equations.skeleton.rates > SPARSE_FROM_RATES:
            return _sparse_damped_solver(
                sp.diags(row) @ equations.sparse_jacobian(q, self.s, self.p) @ sp.diags(col)
            )
        return damped_solver(row[:, None] * equations.jacobian(q, self.s, self.p) * col)


def _sparse_damped_solver(J: sp.csc_matrix) -> StepSolver:
    normal = (J.T @ J).tocsc()

    def solve(r: np.ndarray, damping: float) -> np.ndarray:
        regular = normal + (1e-14 + damping**2) * sp.identity(normal.shape[0], format="csc")
        step: np.ndarray = -spla.splu(regular.tocsc()).solve(J.T @ r)
        return step

    return solve


def damped_solver(J: np.ndarray) -> StepSolver:
    """Solver for damped minimum-norm steps −J⁺ r for a residual r, computed from the singular values of the Jacobian J;
    steps have no component in the null space of J."""
    U, sigma, Vt = np.linalg.svd(J, full_matrices=False)
    small = sigma < 1e-10 * sigma.max(initial=1e-300)

    def solve(r: np.ndarray, damping: float) -> np.ndarray:
        gain = np.where(small, 0.0, sigma / (sigma**2 + damping**2 + small))
        step: np.ndarray = -Vt.T @ (gain * (U.T @ r))
        return step

    return solve
