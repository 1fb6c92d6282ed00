"""Forces of a Contact between a ball and a plane: normal force and friction.

Theory: docs/theory/12-contact.md, eqs. (12.2), (12.6).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import casadi as ca

from multiloop.dynamics.actions.action import FLAG, UNITS, JointReactions, MarkerWrench
from multiloop.dynamics.actions.friction_laws import (
    MIN_SLOW_SPEED_FACTOR,
    TangentialFriction,
    creep_speed,
    magnitude,
    regularised_sign,
)
from multiloop.dynamics.actions.set_valued_force_law import (
    ContactSliding,
    SetValuedForce,
    is_chosen,
    is_closed,
    is_held,
)
from multiloop.dynamics.actions.stops_ropes_backlash import UnilateralAction
from multiloop.kinematics import Snapshot, expression_value, marker_motion
from multiloop.kinematics.tree import Skeleton
from multiloop.model import Contact
from multiloop.spatial import Matrix


@dataclass(frozen=True)
class ContactAction(UnilateralAction):
    """The normal force x ≥ 0 and the friction force y of a ball on a plane, at the point of contact c.

        F = x n + y₁ t₁ + y₂ t₂      on the first body, −F on the second;   |y| ≤ μ x
        ġ = n · v_c,      v = v_c − n (n · v_c),      v_c: velocity of the ball's surface relative to the plane at c

    n is the normal of the plane, t₁ and t₂ are tangential unit vectors, g is the gap, v the sliding velocity, μ the
    coefficient of friction. With stiction y is a separate set-valued force: either v = 0 (sticking), or y = −μ x v/|v|.
    With smooth friction y follows from the velocity, y = −μ x σ(|v|/slip) v/|v|, with the regularised sign σ
    (`regularised_sign`) and the creep speed `slip`. The equations are linear in x and y; if μ is so large that a normal
    force does not accelerate the bodies apart, they have several solutions or none.

    Source: [pfeiffer], ch. 3; [painleve].
    """

    load: Contact

    def _contact_geometry(self, at: Snapshot) -> tuple[Matrix, Matrix, Matrix, Matrix, Matrix]:
        """Normal n, vectors to the point of contact from the first and from the second marker, gap g, and velocity of
        the ball's surface relative to the plane at the point of contact."""
        (ball, ball_moves), (plane, plane_moves) = (marker_motion(at, marker) for marker in self.load.markers)
        n = plane.R[:, 1 if at.skeleton.planar else 2]
        r = expression_value(at, self.load.radius)
        apart = ball.p - plane.p
        below = -r * n
        moves = ball_moves.v + ca.cross(ball_moves.omega, below)
        moves = moves - plane_moves.v - ca.cross(plane_moves.omega, apart + below)
        return n, below, apart + below, ca.dot(n, apart) - r, moves

    def _sliding_velocity(self, n: Matrix, moves: Matrix) -> Matrix:
        return moves - n * ca.dot(n, moves)

    def _axes(self, at: Snapshot) -> Matrix:
        """Tangential axes t₁ and, in space, t₂: the x and y axes of the marker of the plane, in inertial axes."""
        return marker_motion(at, self.load.second)[0].R[:, : self.load.tangents]

    # contact and friction modes -----------------------------------------------------------------------------

    def _sides(self, at: Snapshot) -> tuple[Matrix, ...]:
        return self.modes(at)[:1]

    def force_modes(self, at: Snapshot) -> tuple[Matrix, ...]:
        mode, *friction = self.modes(at)
        return (mode, *[friction[0] for _ in friction])

    def set_valued_forces(self, at: Snapshot, reactions: JointReactions) -> tuple[SetValuedForce, ...]:
        n, _, _, gap, moves = self._contact_geometry(at)
        e, speed = (expression_value(at, value or 0.0) for value in (self.load.restitution, self.load.speed))
        normal = SetValuedForce(ca.dot(n, moves), ca.SX(0), None, gap, e, speed, self._slide(at, moves))
        return (normal, *self._tangential_forces(at, moves))

    def _tangential_forces(self, at: Snapshot, moves: Matrix) -> tuple[SetValuedForce, ...]:
        if not self.load.exact:
            return ()
        v, (x, *friction), modes = (
            self._axes(at).T @ moves,
            self.reaction_dependent_forces(at),
            self.modes(at),
        )
        most = expression_value(at, self.load.coefficient) * x
        closed = is_closed(modes[0])
        if self.load.tangents == 1:
            return (SetValuedForce(v, -most, most, closed=closed),)
        towards = ca.vertcat(ca.cos(modes[2]), ca.sin(modes[2]))
        together = ca.vertcat(*friction)
        return tuple(
            TangentialFriction(
                v[k], -most, most, closed=closed, v=v, y=together, slip_direction=towards, axis=k
            )
            for k in range(2)
        )

    def _slide(self, at: Snapshot, velocity: Matrix) -> ContactSliding | None:
        """Sliding velocity and friction data of a contact with friction; None for a frictionless contact. `velocity` is
        that of the ball's surface relative to the plane at the point of contact."""
        if not self.load.is_rough:
            return None
        mu, axes = expression_value(at, self.load.coefficient), self._axes(at)
        return ContactSliding(axes.T @ velocity, axes, mu, self._slip_speed(at))

    def _slip_speed(self, at: Snapshot) -> Any:
        """The creep speed in m/s: below this sliding speed smooth friction is smaller than its limit, the coefficient
        of friction times the normal force."""
        return creep_speed(at, self.load.slip)

    def _is_sticking(self, at: Snapshot) -> Matrix:
        """Whether the contact is closed and sticks.

        A closed contact sticks if its friction mode is `HELD`. If the friction mode is `OPEN`, or is rest with the
        friction at its limit, the contact sticks if the sliding speed is small."""
        if not self.load.exact:
            return ca.SX(0)
        mode, friction, *_ = self.modes(at)
        n, _, _, _, moves = self._contact_geometry(at)
        speed = magnitude(self._sliding_velocity(n, moves))
        stands = is_closed(friction) * (speed <= MIN_SLOW_SPEED_FACTOR * self.rest_rate(at))
        chosen = ca.if_else(is_held(friction), 1.0, stands)
        return ca.SX(is_closed(mode) * ca.if_else(is_chosen(friction), chosen, speed <= self.rest_rate(at)))

    # contact forces -----------------------------------------------------------------------------------------

    def _force(self, at: Snapshot) -> Matrix:
        n, _, _, _, moves = self._contact_geometry(at)
        x, *friction = self.reaction_dependent_forces(at)
        if not self.load.is_rough:
            return x * n
        if self.load.exact:
            return x * n + self._axes(at) @ ca.vertcat(*friction)
        v, mu = self._sliding_velocity(n, moves), expression_value(at, self.load.coefficient)
        speed = magnitude(v)
        return x * (n - mu * regularised_sign(speed / self._slip_speed(at)) * v / speed)

    def wrenches(self, at: Snapshot) -> tuple[MarkerWrench, ...]:
        _, below, seen, _, _ = self._contact_geometry(at)
        F = self._force(at)
        return (
            MarkerWrench(self.load.first, ca.vertcat(ca.cross(below, F), F)),
            MarkerWrench(self.load.second, -ca.vertcat(ca.cross(seen, F), F)),
        )

    def power(self, at: Snapshot) -> Matrix:
        """Power of the friction force by the sliding velocity; the normal force and sticking friction do no work."""
        n, _, _, _, moves = self._contact_geometry(at)
        return (1 - self._is_sticking(at)) * ca.dot(self._force(at), self._sliding_velocity(n, moves))

    def units(self, skeleton: Skeleton) -> Mapping[str, str]:
        flags = dict.fromkeys(("touching", "sticking", "creeping"), FLAG)
        return {**UNITS, "normal": "N", "gap": "m", "sliding": "m/s", "creep_speed": "m/s", **flags}

    def readouts(self, at: Snapshot) -> dict[str, Matrix]:
        n, _, _, gap, moves = self._contact_geometry(at)
        force, sliding = self._force(at), magnitude(self._sliding_velocity(n, moves))
        readouts = {
            "normal": self.reaction_dependent_forces(at)[0],
            "force": force[:2] if at.skeleton.planar else force,
        }
        readouts |= {
            "gap": gap,
            "sliding": sliding,
            "touching": self.is_holding(at),
            "sticking": self._is_sticking(at),
        }
        if self.load.is_rough and not self.load.exact:
            slip = ca.SX(self._slip_speed(at))
            readouts |= {"creeping": ca.SX(self.is_holding(at) * (sliding < slip)), "creep_speed": slip}
        return readouts
