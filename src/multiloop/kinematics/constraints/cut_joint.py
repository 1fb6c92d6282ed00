"""Constraint rows of a cut joint, or of a pair between two markers.

Theory: docs/theory/03-constraints.md, eq. (3.6).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import casadi as ca
import numpy as np

from multiloop.kinematics.constraints.constraint import Constraint, End, Prescribed, Row, WrenchInteraction
from multiloop.kinematics.constraints.relative_motion import Ends, end_poses, end_twist_rates, relative_angle
from multiloop.kinematics.tree import Cut
from multiloop.spatial import Matrix

if TYPE_CHECKING:
    from multiloop.kinematics.equations import Equations
    from multiloop.kinematics.snapshot import Snapshot


@dataclass(frozen=True)
class CutJoint(Constraint):
    """Constraint of a cut joint or pair. Its rows are expressed in the axes of its first marker, except the rows that
    make two points coincide, which are expressed in inertial axes."""

    cut: Cut
    planar: bool

    @property
    def name(self) -> str:
        return self.cut.joint.name

    @property
    def called(self) -> str:
        return self.cut.joint.called

    @property
    def hint(self) -> str:
        return self.cut.joint.hint

    def opening(self, equations: Equations, p: np.ndarray, row: float) -> float:
        return equations.skeleton.numeric_joint(self.cut.joint, p).opening(row)

    @property
    def rows(self) -> tuple[Row, ...]:
        joint = self.cut.joint
        named = zip(joint.wrench_names(self.planar), joint.row_lengths(self.planar), strict=True)
        held = joint.position_rows(self.planar)
        return tuple(Row(name, length, rate_only=k >= held) for k, (name, length) in enumerate(named))

    @property
    def links(self) -> tuple[int, ...]:
        return self.cut.moving_links

    @property
    def ends(self) -> tuple[End, End]:
        """The two markers of the cut joint."""
        return End(self.cut.first, self.cut.first_marker), End(self.cut.second, self.cut.second_marker)

    @property
    def holds_point(self) -> bool:
        """Whether the joint transmits forces in all directions, so that the constraint rows of these forces may be
        expressed in inertial axes."""
        return self.cut.joint.holds_point(self.planar)

    @property
    def _points(self) -> int:
        return (2 if self.planar else 3) if self.holds_point else 0

    def position_residual(self, at: Snapshot, s: Matrix) -> Matrix:
        ends = end_poses(at, *self.ends)
        rows = self.cut.joint.closure(ends.relative, self.planar)
        if self.cut.joint.counts_turns(self.planar):
            turn = relative_angle(at, *self.ends)
            rows = ca.vertcat(rows, self.cut.joint.turn_closure(ends.relative, turn, self.planar))
        if not self._points:
            return rows
        return ca.vertcat(rows[: rows.shape[0] - self._points], (ends.S.p - ends.F.p)[: self._points])

    def interactions(self, at: Snapshot) -> tuple[WrenchInteraction]:
        ends = end_poses(at, *self.ends)
        local = self.cut.joint.wrenches(ends.relative, self.planar)
        W = ca.vertcat(ends.F.R @ local[:3, :], ends.F.R @ local[3:, :])
        if self._points:
            others = W.shape[1] - self._points
            W = ca.horzcat(W[:, :others], ca.DM.eye(6)[:, 3 : 3 + self._points])
        return (WrenchInteraction(*self.ends, W, self.holds_point),)

    def gamma(self, at: Snapshot, given: Prescribed) -> Matrix:
        """Right-hand side γ = −(Wᵀ ṫ + Ẇᵀ t) of the acceleration constraints J v̇ = γ (Jacobian J, joint rates v).

        W are the constraint wrenches and t = [R_Fᵀ (ω_S − ω_F); R_Fᵀ u] is the twist of the second marker S relative to
        the first marker F, in the rotating axes of F. ṫ, its rate at v̇ = 0, has the two parts

            d/dt R_Fᵀ (ω_S − ω_F) = R_Fᵀ (α_S − α_F − ω_F × ω_S)

            d/dt R_Fᵀ u = R_Fᵀ (a_S − a_F − α_F × r − ω_F × (ṙ + u)),      u = ṙ − ω_F × r

        ω, α and a are the angular velocity, angular acceleration and acceleration of the marker in the index, R_F is
        the rotation of F, and r the vector from F to S. Rows that make two points coincide have γ = a_F − a_S.
        """
        ends = end_twist_rates(at, *self.ends)
        twist, twist_rate = _relative_twist_in_first(ends)
        joint = self.cut.joint
        local = joint.wrenches(ends.relative, self.planar)
        W_rate = joint.wrenches_rate(ends.relative, twist, self.planar)
        gamma = -(local.T @ twist_rate + W_rate.T @ twist)
        if not self._points:
            return gamma
        apart = ends.second_rate.a - ends.first_rate.a
        return ca.vertcat(gamma[: gamma.shape[0] - self._points], -apart[: self._points])


def _relative_twist_in_first(ends: Ends) -> tuple[Matrix, Matrix]:
    """Relative twist in the axes of the first marker, and its time derivative in these axes."""
    F, S, rate_F, rate_S = ends.first_twist, ends.second_twist, ends.first_rate, ends.second_rate
    r, r_rate = ends.S.p - ends.F.p, S.v - F.v
    omega = S.omega - F.omega
    alpha = rate_S.alpha - rate_F.alpha - ca.cross(F.omega, S.omega)
    u = r_rate - ca.cross(F.omega, r)
    u_rate = rate_S.a - rate_F.a - ca.cross(rate_F.alpha, r) - ca.cross(F.omega, r_rate + u)
    R = ends.F.R
    return ca.vertcat(R.T @ omega, R.T @ u), ca.vertcat(R.T @ alpha, R.T @ u_rate)


def cut_rates(cut: CutJoint, ends: Ends) -> Matrix:
    """Rates v = Pᵀ t of a cut joint from the relative twist t of its markers in the axes of the first, with motion
    subspace P (whose columns are orthonormal)."""
    R = ends.F.R
    P = cut.cut.joint.motion_subspace(ends.relative, cut.planar)
    return P.T @ ca.vertcat(R.T @ ends.twist[:3], R.T @ ends.twist[3:])
