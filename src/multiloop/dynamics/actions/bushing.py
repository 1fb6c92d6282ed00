"""Forces of a Bushing: linear elastic and damping wrench of the relative pose of two markers."""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from multiloop.dynamics.actions.action import Action, Applied
from multiloop.dynamics.elimination import solve_general
from multiloop.kinematics.snapshot import Snapshot
from multiloop.kinematics.spans import expression_value, marker_motion
from multiloop.model import Bushing
from multiloop.spatial import Matrix, rotation_vector, tangent


@dataclass(frozen=True)
class _Gap:
    """Deformation y and ẏ in the axes R of the first marker, T of ω = T θ̇, and the vector between the markers."""

    y: Matrix
    rate: Matrix
    T: Matrix
    R: Matrix
    apart: Matrix


@dataclass(frozen=True)
class BushingAction(Action):
    """Wrench of a potential of the relative pose, and of dampers along the same coordinates y.

        V = yᵀ K y / 2,   F = −K y − D ẏ,   f = F_p,   n = T⁻ᵀ F_θ,   power −ẏᵀ D ẏ

    The force acts at the origin of the second marker on both bodies. With T the moment follows from the potential at
    any angle; for small angles T is the identity.
    """

    load: Bushing

    def _gap(self, at: Snapshot) -> _Gap:
        (F, first), (S, second) = (marker_motion(at, marker) for marker in self.load.markers)
        apart = S.p - F.p
        turn = second.omega - first.omega
        slip = second.v - first.v - ca.cross(first.omega, apart)
        if at.skeleton.planar:
            R = F.R.T @ S.R
            y = ca.vertcat((F.R.T @ apart)[:2], ca.atan2(R[1, 0], R[0, 0]))
            return _Gap(y, ca.vertcat((F.R.T @ slip)[:2], turn[2]), ca.DM.eye(1), F.R, apart)
        theta = rotation_vector(F.R.T @ S.R)
        T = tangent(theta)
        rate = ca.vertcat(F.R.T @ slip, solve_general(T, F.R.T @ turn))
        return _Gap(ca.vertcat(F.R.T @ apart, theta), rate, T, F.R, apart)

    def _matrix(self, at: Snapshot, entry: str) -> Matrix:
        rows = self.load.matrix(entry, at.skeleton.planar)
        return ca.sparsify(
            ca.vertcat(*[ca.horzcat(*[expression_value(at, number) for number in row]) for row in rows])
        )

    def _force(self, at: Snapshot, gap: _Gap) -> Matrix:
        """Generalized force F along y."""
        return -(self._matrix(at, "stiffness") @ gap.y) - self._matrix(at, "damping") @ gap.rate

    def _exerted(self, at: Snapshot, gap: _Gap) -> tuple[Matrix, Matrix]:
        """f and n on the second body, in the axes of the first marker."""
        F = self._force(at, gap)
        if at.skeleton.planar:
            return F[:2], F[2]
        return F[:3], solve_general(gap.T.T, F[3:])

    def wrenches(self, at: Snapshot) -> tuple[Applied, ...]:
        gap = self._gap(at)
        f, n = self._exerted(at, gap)
        if at.skeleton.planar:
            f, n = gap.R @ ca.vertcat(f, 0), ca.vertcat(0, 0, n)
        else:
            f, n = gap.R @ f, gap.R @ n
        there = ca.vertcat(n, f)
        return (
            Applied(self.load.first, -ca.vertcat(n + ca.cross(gap.apart, f), f)),
            Applied(self.load.second, there),
        )

    def potential(self, at: Snapshot) -> Matrix:
        y = self._gap(at).y
        return ca.dot(y, self._matrix(at, "stiffness") @ y) / 2

    def power(self, at: Snapshot) -> Matrix:
        rate = self._gap(at).rate
        return -ca.dot(rate, self._matrix(at, "damping") @ rate)

    def readouts(self, at: Snapshot) -> dict[str, Matrix]:
        gap, d = self._gap(at), 2 if at.skeleton.planar else 3
        f, n = self._exerted(at, gap)
        return {"displacement": gap.y[:d], "rotation": gap.y[d:], "force": f, "moment": n}
