"""What a Contact does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import casadi as ca

from multiloop.dynamics.actions.action import FLAG, UNITS, Applied, Felt
from multiloop.dynamics.actions.friction import magnitude, regularised
from multiloop.dynamics.actions.grip import Grip, Slide
from multiloop.dynamics.actions.one_sided import OneSidedAction
from multiloop.kinematics.skeleton import Skeleton
from multiloop.kinematics.snapshot import Snapshot
from multiloop.kinematics.spans import expression_value, marker_motion
from multiloop.model import Contact
from multiloop.spatial import Matrix


@dataclass(frozen=True)
class ContactAction(OneSidedAction):
    """A normal force x ≥ 0 and sliding friction, at the point c of the plane below the ball.

        F = x (n − μ σ(|v|/slip) v/|v|)      on the first body, −F on the second
        ġ = n · v_c,      v = v_c − n (n · v_c),      v_c velocity of the ball's surface seen from the plane

    Friction is part of the direction of the force: the equations stay linear in x, and where μ is so large that a
    push opens no gap, D ≤ 0, forces have several solutions or none.

    Source: [pfeiffer], ch. 3; [painleve].
    """

    load: Contact

    def _touch(self, at: Snapshot) -> tuple[Matrix, Matrix, Matrix, Matrix, Matrix]:
        """n; the point of contact seen from either marker; g; the velocity there."""
        (ball, ball_moves), (plane, plane_moves) = (marker_motion(at, marker) for marker in self.load.markers)
        n = plane.R[:, 1 if at.skeleton.planar else 2]
        r = expression_value(at, self.load.radius)
        apart = ball.p - plane.p
        below = -r * n
        moves = ball_moves.v + ca.cross(ball_moves.omega, below)
        moves = moves - plane_moves.v - ca.cross(plane_moves.omega, apart + below)
        return n, below, apart + below, ca.dot(n, apart) - r, moves

    def _sliding(self, n: Matrix, moves: Matrix) -> Matrix:
        return moves - n * ca.dot(n, moves)

    def grips(self, at: Snapshot, felt: Felt) -> tuple[Grip, ...]:
        n, _, _, gap, moves = self._touch(at)
        e, speed = (expression_value(at, value) for value in (self.load.restitution, self.load.speed))
        return (Grip(ca.dot(n, moves), ca.SX(0), None, gap, e, speed, self._slide(at, moves)),)

    def _slide(self, at: Snapshot, moves: Matrix) -> Slide | None:
        """None where it is smooth."""
        if not self.load.is_rough:
            return None
        mu, slip = (expression_value(at, value) for value in (self.load.coefficient, self.load.slip))
        R = marker_motion(at, self.load.second)[0].R
        axes = R[:, :1] if at.skeleton.planar else R[:, :2]
        return Slide(axes.T @ moves, axes, mu, slip)

    def _force(self, at: Snapshot) -> Matrix:
        n, _, _, _, moves = self._touch(at)
        mu, (x,) = expression_value(at, self.load.coefficient), self.own_strengths(at)
        if not self.load.is_rough:
            return x * n
        v = self._sliding(n, moves)
        speed = magnitude(v)
        return x * (n - mu * regularised(speed / expression_value(at, self.load.slip)) * v / speed)

    def wrenches(self, at: Snapshot) -> tuple[Applied, ...]:
        _, below, seen, _, _ = self._touch(at)
        F = self._force(at)
        return (
            Applied(self.load.first, ca.vertcat(ca.cross(below, F), F)),
            Applied(self.load.second, -ca.vertcat(ca.cross(seen, F), F)),
        )

    def power(self, at: Snapshot) -> Matrix:
        moves = self._touch(at)[-1]
        return ca.dot(self._force(at), moves)

    def units(self, skeleton: Skeleton) -> Mapping[str, str]:
        return {**UNITS, "normal": "N", "gap": "m", "sliding": "m/s", "touching": FLAG}

    def readouts(self, at: Snapshot) -> dict[str, Matrix]:
        n, _, _, gap, moves = self._touch(at)
        force = self._force(at)
        told = {"normal": self.own_strengths(at)[0], "force": force[:2] if at.skeleton.planar else force}
        told |= {"gap": gap, "sliding": magnitude(self._sliding(n, moves))}
        return told | {"touching": self.holding(at)}
