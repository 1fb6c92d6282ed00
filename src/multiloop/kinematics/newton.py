"""Closing the loops from a rough start: damped Newton steps in the tangent space.

Levenberg–Marquardt on the singular values of the scaled Jacobian: rank-deficient (redundant) constraints are
no obstacle, and near a solution the steps become Newton's own and converge quadratically.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg as spla

from multiloop.kinematics.equations import Equations

LARGE = 120
"""Number of rates from which the linear solves are sparse."""

LONGEST = 0.7
"""Longest step of one coordinate, in radians or characteristic lengths."""


@dataclass(frozen=True)
class Closing:
    """How an attempt to close the loops ended: coordinates, the largest open row, and the number of steps.

    `allowed` is the gap up to which the loops are closed, see `Skeleton.closed`.
    """

    q: np.ndarray
    gap: float
    steps: int
    allowed: float

    @property
    def closed(self) -> bool:
        """Whether every row is closed to round-off."""
        return self.gap <= self.allowed


def close(
    equations: Equations,
    q: np.ndarray,
    s: np.ndarray,
    p: np.ndarray,
    *,
    weights: np.ndarray | None = None,
    limit: int = 80,
) -> Closing:
    """Newton's method from q until the rows vanish, or as near as it gets; `weights` soften some rows."""
    row, col = equations.row_scale, equations.chart.scale
    row = row if weights is None else row * weights
    r = row * equations.closure(q, s, p)
    damping, steps = 0.0, 0
    while steps < limit and r.size and np.abs(r).max() > 2e-16:
        solve = _solver(equations, q, s, p, row, col)
        improved = False
        for _ in range(12):
            step = solve(r, damping)
            longest = np.abs(step).max(initial=0.0)
            if longest > LONGEST:
                step *= LONGEST / longest
            candidate = equations.chart.moved(q, col * step)
            r_new = row * equations.closure(candidate, s, p)
            if r_new @ r_new < (1 - 1e-4) * (r @ r):
                q, r, improved = candidate, r_new, True
                damping = damping / 8 if damping > 1e-9 else 0.0
                break
            damping = max(4 * damping, 1e-4)
            if np.abs(r).max() <= equations.skeleton.closed:
                break
        steps += 1
        if not improved:
            break
    return Closing(q, float(np.abs(r).max(initial=0.0)), steps, equations.skeleton.closed)


def _solver(equations: Equations, q, s, p, row, col):  # type: ignore[no-untyped-def]
    """A function (residual, damping) → step of the linearised rows."""
    if equations.skeleton.rates > LARGE:
        J = sp.diags(row) @ equations.sparse_jacobian(q, s, p) @ sp.diags(col)
        normal = (J.T @ J).tocsc()

        def sparse(r: np.ndarray, damping: float) -> np.ndarray:
            regular = normal + (1e-14 + damping**2) * sp.identity(normal.shape[0], format="csc")
            step: np.ndarray = -spla.splu(regular.tocsc()).solve(J.T @ r)
            return step

        return sparse
    J = row[:, None] * equations.jacobian(q, s, p) * col
    U, sigma, Vt = np.linalg.svd(J, full_matrices=False)
    small = sigma < 1e-10 * sigma.max(initial=1e-300)

    def dense(r: np.ndarray, damping: float) -> np.ndarray:
        gain = np.where(small, 0.0, sigma / (sigma**2 + damping**2 + small))
        step: np.ndarray = -Vt.T @ (gain * (U.T @ r))
        return step

    return dense
