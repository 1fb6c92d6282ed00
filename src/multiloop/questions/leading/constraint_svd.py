"""Singular values of the constraint rows at one position: closeness to singularity, allowed and actuated motions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from multiloop.kinematics.equations import Equations
from multiloop.plan import Plan


@dataclass(frozen=True, eq=False)
class ConstraintSVD:
    """Singular value decomposition of the scaled loop Jacobian at a position, lengths in characteristic lengths.

        D_row J D = U Σ Vᵀ,      v = D y

    `count` is the number of rows that are independent at a generic position.
    """

    U: np.ndarray
    sigma: np.ndarray
    Vt: np.ndarray
    row_scale: np.ndarray
    scale: np.ndarray
    count: int

    @property
    def closeness(self) -> float:
        """The smallest of the `count` largest singular values relative to the largest: 0 at a singular position."""
        if self.count > len(self.sigma):  # constrained to second order only
            return 0.0
        return float(self.sigma[self.count - 1] / self.sigma[0]) if self.count else 1.0

    @property
    def basis(self) -> np.ndarray:
        """Independent combinations of the rows, count × rows."""
        rows: np.ndarray = self.U[:, : self.count].T * self.row_scale
        return rows

    @property
    def choice(self) -> np.ndarray:
        """Independent combinations of the rates, degrees of freedom × rates."""
        rates: np.ndarray = self.Vt[self.count :] / self.scale
        return rates

    @cached_property
    def motions(self) -> np.ndarray:
        """Columns span the rates that the loops allow."""
        columns: np.ndarray = self.scale[:, None] * self.Vt[self.count :].T
        return columns

    def reach(self, B: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Allowed motions sorted by how well the efforts along the unit columns of B reach them, and the parts reached.

        The motions are the columns of a rotation of `motions`; the parts decrease and are 0 for motions that are not
        reached.
        """
        W, parts, _ = np.linalg.svd(self.Vt[self.count :] @ B, full_matrices=True)
        return self.motions @ W, parts


def constraint_svd_at(
    equations: Equations, plan: Plan, t: float, q: np.ndarray, p: np.ndarray
) -> ConstraintSVD:
    """The decomposition at a closed position."""
    skeleton, scale = equations.skeleton, equations.chart.scale
    row_scale = equations.rate_row_scale[: equations.own.count]
    J = row_scale[:, None] * equations.geometric_jacobian(q, p, t) * scale
    U, sigma, Vt = (
        np.linalg.svd(J, full_matrices=True)
        if equations.own.count
        else (np.zeros((0, 0)), np.zeros(0), np.eye(skeleton.rates))
    )
    return ConstraintSVD(U, sigma, Vt, row_scale, scale, skeleton.rates - plan.mobility)
