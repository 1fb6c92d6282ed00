"""Rates and accelerations at a closed position: what the drives make every coordinate do.

    J v = ṡ,   J a = γ(q, v) + s̈

Rank-deficient J is normal here: redundant constraints repeat rows that agree, and idle freedoms leave
columns open. The least solution is taken: what nothing moves does not move.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import casadi as ca
import numpy as np

from multiloop.kinematics.equations import Equations
from multiloop.kinematics.targets import Target, coordinate_index
from multiloop.spatial import numeric, twist_matrix

RANK = 1e-9
"""Singular values below this part of the largest count as zero."""


def rank_among(sigma: np.ndarray) -> int:
    """How many singular values count."""
    return int(np.sum(sigma > RANK * sigma.max(initial=1e-300)))


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
        return rank_among(self.sigma)

    @property
    def freedoms(self) -> int:
        """Rates that the rows leave open."""
        return self.equations.skeleton.rates - self.rank

    @property
    def closeness(self) -> float:
        """Smallest singular value that should count, relative to the largest: 0 at a singular position.

        Where there are rows enough to hold every rate, all of them should count.
        """
        n = self.equations.skeleton.rates
        expected = n if len(self.sigma) == n else self.rank
        return float(self.sigma[expected - 1] / self.sigma[0]) if expected else 1.0

    def contradiction(self, right: np.ndarray) -> float:
        """The part of `right` that no rates can meet, relative to all of it."""
        scaled = self.equations.rate_row_scale * right
        met = self.U[:, : self.rank] @ (self.U[:, : self.rank].T @ scaled)
        size = float(np.abs(scaled).max(initial=0.0))
        return float(np.abs(scaled - met).max(initial=0.0)) / size if size else 0.0

    def solve(self, right: np.ndarray) -> np.ndarray:
        """The least rates whose rows equal `right`."""
        k = self.rank
        scaled = self.equations.rate_row_scale * right
        y = self.Vt[:k].T @ ((self.U[:, :k].T @ scaled) / self.sigma[:k])
        return self.equations.chart.scale * y

    def open_directions(self) -> np.ndarray:
        """Rates that move nothing held: columns span the null space."""
        return self.equations.chart.scale[:, None] * self.Vt[self.rank :].T


def linearised(equations: Equations, q: np.ndarray, s: np.ndarray, p: np.ndarray) -> Linear:
    """Singular values of the scaled tangent Jacobian at q."""
    J = equations.rate_row_scale[:, None] * equations.rate_jacobian(q, s, p) * equations.chart.scale
    if J.shape[0] == 0:
        n = J.shape[1]
        return Linear(equations, np.zeros((0, 0)), np.zeros(0), np.eye(n))
    U, sigma, Vt = np.linalg.svd(J, full_matrices=True)
    return Linear(equations, U[:, : len(sigma)], sigma, Vt)


def rate_rows(equations: Equations, q: np.ndarray, p: np.ndarray, targets: Sequence[Target]) -> np.ndarray:
    """Rows that read rates: of joints in the tree or cut, or of markers (x, y, z, angle, turn_x, turn_y, turn_z)."""
    skeleton = equations.skeleton
    rows = [np.zeros((0, skeleton.rates))]
    N = equations.complement(q, p)
    for target in targets:
        if target.on_marker:
            rows.append(_marker_rows(equations, q, p, target, N))
        elif target.of in skeleton.carrier:
            index = [coordinate_index(skeleton, target.of, component) for component in target.components]
            rows.append(np.eye(skeleton.rates)[index])
        else:
            rows.append(_cut_rows(equations, q, p, target))
    return np.vstack(rows)


def _marker_rows(
    equations: Equations, q: np.ndarray, p: np.ndarray, target: Target, N: np.ndarray
) -> np.ndarray:
    body, _, marker = target.of.partition(".")
    k = equations.skeleton.index[body]
    if k < 0:
        return np.zeros((len(target.components), equations.skeleton.rates))
    pose = equations.poses(q, p)[body]
    r = numeric(pose.R @ equations.constant_pose(k, marker, p).p)
    twist = np.array(numeric(twist_matrix(ca.DM(r)))) @ N[6 * k : 6 * k + 6]
    place = {"turn_x": 0, "turn_y": 1, "turn_z": 2, "angle": 2, "x": 3, "y": 4, "z": 5}
    return twist[[place[component] for component in target.components]]


def _cut_rows(equations: Equations, q: np.ndarray, p: np.ndarray, target: Target) -> np.ndarray:
    """v of a cut joint is linear in the tree's v: read it off unit rates."""
    skeleton = equations.skeleton
    at = 0
    for cut in skeleton.cuts:
        names = cut.joint.components(skeleton.planar)
        if cut.joint.name == target.of:
            picked = [at + names.index(component) for component in target.components]
            still = np.zeros(skeleton.rates)
            units = [equations.cut_motion(q, e, still, p)[0] for e in np.eye(skeleton.rates)]
            return np.array(units).T[picked]
        at += len(names)
    raise KeyError(target.of)


def consistent_rates(
    equations: Equations, q: np.ndarray, s: np.ndarray, p: np.ndarray, rows: np.ndarray, asked: np.ndarray
) -> tuple[np.ndarray, float]:
    """Least rates that keep the loops closed and meet the asked rows, and the part of them that they miss."""
    loops = equations.skeleton.rows
    row, scale = equations.row_scale[:loops], equations.chart.scale
    J = row[:, None] * equations.jacobian(q, s, p)[:loops]
    whole = np.vstack([J, rows]) * scale
    right = np.concatenate([np.zeros(loops), asked])
    size = np.maximum(np.abs(whole).max(axis=1, initial=0.0), 1e-12)
    y, *_ = np.linalg.lstsq(whole / size[:, None], right / size, rcond=RANK)
    miss = np.abs((whole @ y - right) / size).max(initial=0.0)
    largest = np.abs(right / size).max(initial=0.0)
    return scale * y, float(miss / largest) if largest else 0.0
