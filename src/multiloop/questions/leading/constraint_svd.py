"""How firmly do the loops hold at one position, what motions do they leave, and do the efforts reach all of these?"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from multiloop.kinematics.equations import Equations
from multiloop.plan import Plan


@dataclass(frozen=True, eq=False)
class ConstraintSVD:
    """The loops' rows at a position by their singular values, lengths in characteristic lengths.

        D_row J D = U Σ Vᵀ,      v = D y

    `count` is how many rows are independent at most positions.
    """

    U: np.ndarray
    sigma: np.ndarray
    Vt: np.ndarray
    row_scale: np.ndarray
    scale: np.ndarray
    count: int

    @property
    def closeness(self) -> float:
        """Smallest singular value that should count, relative to the largest: 0 where the loops lose a direction."""
        if self.count > len(self.sigma):  # held to second order only
            return 0.0
        return float(self.sigma[self.count - 1] / self.sigma[0]) if self.count else 1.0

    @property
    def basis(self) -> np.ndarray:
        """Independent combinations of the rows, count × rows."""
        rows: np.ndarray = self.U[:, : self.count].T * self.row_scale
        return rows

    @property
    def choice(self) -> np.ndarray:
        """Independent combinations of the rates, freedoms × rates."""
        rates: np.ndarray = self.Vt[self.count :] / self.scale
        return rates

    @cached_property
    def motions(self) -> np.ndarray:
        """Columns span the rates that the loops allow."""
        columns: np.ndarray = self.scale[:, None] * self.Vt[self.count :].T
        return columns

    def reach(self, B: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Which motions the efforts along the unit columns of B move, and how much of them: the columns of a
        rotation of `motions`, the best moved first, and the parts, in falling order, 0 where none.
        """
        W, parts, _ = np.linalg.svd(self.Vt[self.count :] @ B, full_matrices=True)
        return self.motions @ W, parts


def constraint_svd_at(
    equations: Equations, plan: Plan, t: float, q: np.ndarray, p: np.ndarray
) -> ConstraintSVD:
    """How the loops hold at a closed position."""
    skeleton, scale = equations.skeleton, equations.chart.scale
    row_scale = equations.rate_row_scale[: equations.own.count]
    J = row_scale[:, None] * equations.geometric_jacobian(q, p, t) * scale
    U, sigma, Vt = (
        np.linalg.svd(J, full_matrices=True)
        if equations.own.count
        else (np.zeros((0, 0)), np.zeros(0), np.eye(skeleton.rates))
    )
    return ConstraintSVD(U, sigma, Vt, row_scale, scale, skeleton.rates - plan.mobility)
