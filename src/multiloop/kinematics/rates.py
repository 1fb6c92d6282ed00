"""Rates and accelerations at a closed position: what the drives make every coordinate do.

    J v = ṡ,   J a = γ(q, v) + s̈

Rank-deficient J is normal here: redundant constraints repeat rows that agree, and idle freedoms leave
columns open. The least solution is taken: what nothing moves does not move.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from multiloop.kinematics.equations import Equations

RANK = 1e-9
"""Singular values below this part of the largest count as zero."""


@dataclass(frozen=True, eq=False)
class Linear:
    """The linearised rows at one position, scaled, with their singular values."""

    equations: Equations
    U: np.ndarray
    sigma: np.ndarray
    Vt: np.ndarray

    @property
    def rank(self) -> int:
        """Number of independent rows."""
        return int(np.sum(self.sigma > RANK * self.sigma.max(initial=1e-300)))

    @property
    def freedoms(self) -> int:
        """Rates that the rows leave open."""
        return self.equations.skeleton.rates - self.rank

    @property
    def closeness(self) -> float:
        """Smallest non-zero singular value relative to the largest: 0 at a singular position."""
        return float(self.sigma[self.rank - 1] / self.sigma[0]) if self.rank else 1.0

    def solve(self, right: np.ndarray) -> np.ndarray:
        """The least rates whose rows equal `right`."""
        k = self.rank
        scaled = self.equations.row_scale * right
        y = self.Vt[:k].T @ ((self.U[:, :k].T @ scaled) / self.sigma[:k])
        return self.equations.chart.scale * y

    def open_directions(self) -> np.ndarray:
        """Rates that move nothing held: columns span the null space."""
        return self.equations.chart.scale[:, None] * self.Vt[self.rank :].T

    def miss(self, v: np.ndarray, right: np.ndarray, q: np.ndarray, s: np.ndarray, p: np.ndarray) -> np.ndarray:
        """What the rows still lack, scaled."""
        return self.equations.row_scale * (self.equations.jacobian(q, s, p) @ v - right)


def linearised(equations: Equations, q: np.ndarray, s: np.ndarray, p: np.ndarray) -> Linear:
    """Singular values of the scaled tangent Jacobian at q."""
    J = equations.row_scale[:, None] * equations.jacobian(q, s, p) * equations.chart.scale
    if J.shape[0] == 0:
        n = J.shape[1]
        return Linear(equations, np.zeros((0, 0)), np.zeros(0), np.eye(n))
    U, sigma, Vt = np.linalg.svd(J, full_matrices=True)
    return Linear(equations, U[:, : len(sigma)], sigma, Vt)
