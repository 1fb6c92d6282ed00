"""Friction forces in joints and on gear teeth, and rolling resistance.

Theory: docs/theory/05-inverse-dynamics.md, eq. (5.15).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import casadi as ca

from multiloop.dynamics.actions.action import FLAG, UNITS, Action, JointReactions, MarkerWrench
from multiloop.dynamics.actions.friction_laws import creep_speed, magnitude, regularised_sign
from multiloop.dynamics.actions.set_valued_force_law import (
    LimitParts,
    SetValuedForce,
    is_chosen,
    is_closed,
    is_held,
    motion_direction,
)
from multiloop.kinematics import Snapshot, expression_value, marker_motion
from multiloop.kinematics.constraints import GearingRow, ToothSliding
from multiloop.kinematics.tree import LENGTH_COMPONENTS, Skeleton
from multiloop.model import Friction, Gearing, Helical, Joint, ToothFriction, body_of
from multiloop.model.loads.friction import RollingResistance
from multiloop.spatial import Matrix

SLIDING_SPEED_RATIO = 10.0
"""Rate, as a multiple of the creep speed, above which the sliding coefficient of friction applies; between the creep
speed and this rate the coefficient changes smoothly from the static to the sliding value."""


@dataclass(frozen=True)
class FrictionAction(Action):
    """Joint friction: an effort −σ L − c q̇ against the joint rate q̇, with the power −σ L q̇ − c q̇² ≤ 0.

        σ(u) = u (15 − 10 u² + 3 u⁴)/8,      u = q̇/speed, limited to −1 ≤ u ≤ 1

    L is the limit of dry friction, c the viscous damping, `speed` the creep speed. If L depends on the reaction F of
    the joint, the effort of dry friction is x = −σ L(F), and F in turn depends on x. L satisfies the triangle
    inequality L(F + δ) ≤ L(F) + L(δ) for all reactions F and δ.

    Source: σ is derived here; it is twice differentiable, and ±1 above the creep speed. The limit of screws is that of
    [shigley], ch. 8.
    """

    load: Friction

    # rates and friction coefficient -------------------------------------------------------------------------

    def _rate(self, at: Snapshot) -> Matrix:
        (place,) = self.rates(at.skeleton)
        return at.v[place]

    def _relative_speed(self, at: Snapshot) -> Matrix:
        """Joint rate divided by the creep speed, u = q̇/speed."""
        return self._rate(at) / self._creep_speed(at)

    def _creep_speed(self, at: Snapshot) -> Any:
        """Creep speed of smooth friction in m/s or rad/s: above this rate friction has its full value."""
        return creep_speed(at, self.load.speed, turns=self._is_angle(at.skeleton))

    def _is_angle(self, skeleton: Skeleton) -> bool:
        """Whether the joint coordinate with friction is an angle."""
        names = skeleton.link_of_joint[self.load.joint].joint.components(skeleton.planar)
        return (self.load.component or names[0]) not in LENGTH_COMPONENTS

    def slip(self, at: Snapshot) -> Matrix:
        """Regularised sign σ of the joint rate; with stiction the direction of motion, 0 while sticking."""
        if self.load.exact:
            (mode,) = self.modes(at)
            return ca.if_else(is_held(mode), 0.0, motion_direction(mode, self._rate(at), self.rest_rate(at)))
        return regularised_sign(self._relative_speed(at))

    def _is_at_rest(self, at: Snapshot) -> Matrix:
        """Whether a joint with stiction is at rest, according to the friction mode, or according to the joint rate if
        the mode is `OPEN`."""
        (mode,) = self.modes(at)
        return ca.if_else(is_chosen(mode), is_closed(mode), ca.fabs(self._rate(at)) <= self.rest_rate(at))

    def _coefficient(self, at: Snapshot) -> Any:
        """Coefficient of friction μ at the present rate, for a circular bearing divided by √(1 + μ²)."""
        static, sliding = (expression_value(at, value) for value in self.load.coefficients)
        mu: Any = sliding
        if self.load.exact:
            mu = ca.if_else(self._is_at_rest(at), static, sliding)
        elif isinstance(self.load.coefficient, tuple):
            s = ca.fmax(
                0.0, ca.fmin(1.0, (ca.fabs(self._relative_speed(at)) - 1) / (SLIDING_SPEED_RATIO - 1))
            )
            mu = static + (sliding - static) * s * s * s * (10 - s * (15 - 6 * s))
        return mu / ca.sqrt(1 + mu * mu) if self.load.circle else mu

    # friction efforts ---------------------------------------------------------------------------------------

    def efforts(self, at: Snapshot) -> tuple[Matrix, ...]:
        viscous = expression_value(at, self.load.viscous) * self._rate(at)
        return (self._dry_friction(at) - viscous,)

    def _dry_friction(self, at: Snapshot) -> Matrix:
        if self.load.reaction_dependent_forces:
            return self.reaction_dependent_forces(at)[0]
        return -self.slip(at) * self.limit(at, {}, self.slip(at))

    def power(self, at: Snapshot) -> Matrix:
        return self.efforts(at)[0] * self._rate(at)

    def state_rates(self, at: Snapshot) -> tuple[Matrix, ...]:
        return (-self.power(at), *[ca.DM(1, 1) for _ in (*self.load.modes, *self.load.shares)])

    def set_valued_forces(self, at: Snapshot, reactions: JointReactions) -> tuple[SetValuedForce, ...]:
        forward, backward = (self.limit(at, reactions, ca.SX(sign)) for sign in (1.0, -1.0))
        return (SetValuedForce(self._rate(at), -forward, backward),)

    # dependence on joint reactions --------------------------------------------------------------------------

    def reaction_sources(self, skeleton: Skeleton) -> Mapping[str, tuple[str, ...]]:
        if self.load.coefficient is None:
            return {}
        joint = skeleton.link_of_joint[self.load.joint].joint
        names = joint.wrench_names(skeleton.planar)
        if isinstance(joint, Helical):
            return {joint.name: tuple(name for name in names if "along z" in name)}
        axis = self._axis(skeleton)
        across = [f"along {other}" for other in "xyz" if other != axis]
        across += (
            [f"about {other}" for other in "xyz" if other != axis] if self.load.length is not None else []
        )
        return {joint.name: tuple(name for name in names if any(name.endswith(end) for end in across))}

    def _axis(self, skeleton: Skeleton) -> str:
        """Name of the axis of the first marker along or about which the joint moves."""
        joint = skeleton.link_of_joint[self.load.joint].joint
        return "x" if skeleton.planar and joint.components(True) == ("slide",) else "z"

    def _radial_forces(self, at: Snapshot, reactions: JointReactions) -> list[Matrix]:
        """Normal forces perpendicular to the axis: one force, or the forces at the two ends of a guide or bearing.

            F₁,₂ = F/2 ± (n × e)/ℓ

        F and n are the components perpendicular to the axis e of the reaction force and of the reaction moment about
        the middle of the guide, and ℓ is the length of the guide.
        """
        link = at.skeleton.link_of_joint[self.load.joint]
        w, first = reactions[self.load.joint], marker_motion(at, link.joint.first)[0]
        turned = first.R.T @ w[:3], first.R.T @ w[3:]
        n, f = turned
        if self.load.side == "first":
            n = n + ca.cross(first.R.T @ (marker_motion(at, link.joint.second)[0].p - first.p), f)
        k = "xyz".index(self._axis(at.skeleton))
        i, j = (k + 1) % 3, (k + 2) % 3  # indices of the other two axes: e_i × e_j = e_k
        plane = [index for index in (i, j) if not (at.skeleton.planar and index == 2)]
        across = ca.vertcat(*[f[index] for index in plane])
        if self.load.length is None:
            return [across]
        # components of n × e_k, the cross product of the reaction moment n and the unit vector e_k of the axis
        turning = {i: n[j], j: -n[i]}
        lever = ca.vertcat(*[turning[index] for index in plane]) / expression_value(at, self.load.length)
        return [across / 2 + lever, across / 2 - lever]

    def _pressing_forces(self, at: Snapshot, reactions: JointReactions) -> list[Matrix]:
        """Normal forces on the sliding surfaces: forces perpendicular to the joint axis, or the axial force of a
        screw."""
        return (
            [self._axial_force(at, reactions)]
            if isinstance(self._joint(at), Helical)
            else self._radial_forces(at, reactions)
        )

    def _normal(self, at: Snapshot, reactions: JointReactions) -> Matrix:
        """Sum of the magnitudes of the normal forces on the sliding surfaces."""
        return sum((magnitude(force) for force in self._pressing_forces(at, reactions)), ca.DM(1, 1))

    def _joint(self, at: Snapshot) -> Joint:
        """The joint with friction as the user described it, with expressions of parameters."""
        return at.skeleton.mechanism.joints_by_name[self.load.joint]

    def _axial_force(self, at: Snapshot, reactions: JointReactions) -> Matrix:
        """Component of the reaction force along the axis of a screw joint."""
        joint = at.skeleton.link_of_joint[self.load.joint].joint
        return ca.dot(marker_motion(at, joint.first)[0].R[:, 2], reactions[self.load.joint][3:])

    @property
    def can_stick(self) -> bool:
        return True

    def limit(self, at: Snapshot, reactions: JointReactions, direction: Matrix) -> Matrix:
        """Limit L of the friction effort against a motion in the `direction` +1 or −1 of the joint coordinate; between
        −1 and 1 it is interpolated linearly.

        For a screw with axial force F, mean radius r, lead angle α and friction angle φ the limits in the two
        directions are |F| r |tan(α ± φ) − tan α|; they are computed from their mean and half their difference.
        """
        if self.load.coefficient is None:
            return ca.SX(expression_value(at, self.load.effort or 0.0))
        mean, half = self._limit_slopes(at)
        found: Matrix = mean * self._normal(at, reactions)
        return found if half is None else found + half * self._axial_force(at, reactions) * direction

    def _limit_slopes(self, at: Snapshot) -> tuple[Matrix, Matrix | None]:
        """The factors m and h of the friction limit L = m Σ |Fᵢ| + h F s, with the normal forces Fᵢ.

        The second term exists only for a screw (otherwise h is None): F is its axial force, and s is 1 or −1 for the
        two directions of motion.
        """
        mu, joint, r = self._coefficient(at), self._joint(at), expression_value(at, self.load.radius or 1.0)
        if not isinstance(joint, Helical):
            return (mu * r if self.load.turns(joint) else mu), None
        pitch = expression_value(at, joint.pitch)
        t = ca.fabs(pitch) / r
        up, down = (t + mu) / (1 - mu * t) - t, t - (t - mu) / (1 + mu * t)
        return r * (up + down) / 2, r * ca.sign(pitch) * (up - down) / 2

    def limit_parts(self, at: Snapshot, reactions: JointReactions) -> LimitParts | None:
        if self.load.coefficient is None:
            return None
        mean, half = self._limit_slopes(at)
        shift = ca.SX(0) if half is None else half * self._axial_force(at, reactions)
        return LimitParts(tuple(mean * force for force in self._pressing_forces(at, reactions)), shift)

    def law(self, at: Snapshot, reactions: JointReactions) -> tuple[Matrix, ...]:
        slip = self.slip(at)
        return (-slip * self.limit(at, reactions, slip),)

    def slope_bound(self, at: Snapshot, change: JointReactions) -> tuple[Matrix, ...]:
        if self.load.coefficient is None:
            return (ca.DM(1, 1),)  # 0: a limit given as an effort does not depend on reactions
        slip = ca.fabs(self.slip(at))
        return (slip * ca.fmax(self.limit(at, change, slip), self.limit(at, change, -slip)),)

    # outputs and units --------------------------------------------------------------------------------------

    def reaction_readouts(self, at: Snapshot, reactions: JointReactions) -> dict[str, Matrix]:
        found: dict[str, Matrix] = {"effort": self.efforts(at)[0]}
        if self.load.coefficient is not None:
            found["normal"] = self._normal(at, reactions)
        found["limit"] = self.limit(at, reactions, ca.if_else(self._rate(at) < 0, -1.0, 1.0))
        if self.load.exact:
            found["sticking"] = ca.SX(self._is_at_rest(at))
        else:
            found |= {"sticking": ca.SX(0), "creeping": ca.SX(ca.fabs(self._relative_speed(at)) < 1)}
            found["creep_speed"] = ca.SX(self._creep_speed(at))
        return found | {"heat": self.own_states(at)[0]}

    def units(self, skeleton: Skeleton) -> Mapping[str, str]:
        turns = self._is_angle(skeleton)
        units = dict.fromkeys(("effort", "limit"), "N m" if turns else "N")
        units |= {"creep_speed": "rad/s" if turns else "m/s", "sticking": FLAG, "creeping": FLAG}
        return {**UNITS, **units, "normal": "N", "heat": "J"}


NORMAL = "normal force"
"""Name of the normal component of the reaction of a rolling pair."""


@dataclass(frozen=True)
class RollingResistanceAction(Action):
    """Rolling resistance: a moment −x e on the wheel and x e on the road, with x = arm |N| and the power −x e · ω ≤ 0.

        e = σ(|ω_r| / speed) ω_r / |ω_r|,   ω_r = ω − (n · ω) n

    ω is the angular velocity of the wheel relative to the road, N the normal force, `arm` the lever arm (m) of the
    normal force, n the normal of the road, `speed` the creep speed, and σ the regularised sign (`regularised_sign`),
    which is 1 above the creep speed.

    Source: derived here.
    """

    load: RollingResistance

    def _normal(self, at: Snapshot) -> Matrix:
        """Normal n of the road, in inertial axes."""
        return marker_motion(at, self.load.second)[0].R[:, 1 if at.skeleton.planar else 2]

    def _rolling_velocity(self, at: Snapshot) -> Matrix:
        """Angular velocity ω_r of the wheel relative to the road, without its component along the normal."""
        first, second = (marker_motion(at, marker)[1] for marker in self.load.markers)
        omega = first.omega - second.omega
        if at.skeleton.planar:
            return omega
        n = self._normal(at)
        return omega - ca.dot(n, omega) * n

    def _rolling_direction(self, at: Snapshot) -> Matrix:
        """Vector e along the rolling angular velocity ω_r; its length is 1 above the creep speed and smaller below."""
        w = self._rolling_velocity(at) / creep_speed(at, self.load.speed, turns=True)
        square = ca.dot(w, w)
        s = ca.fmin(1.0, square)
        return w * ((15 - s * (10 - 3 * s)) / 8 / ca.sqrt(ca.fmax(1.0, square)))

    def _moment(self, at: Snapshot) -> Matrix:
        """Moment of the rolling resistance on the wheel, in inertial axes."""
        return -self.reaction_dependent_forces(at)[0] * self._rolling_direction(at)

    def wrenches(self, at: Snapshot) -> tuple[MarkerWrench, ...]:
        couple = ca.vertcat(self._moment(at), ca.DM(3, 1))
        return (MarkerWrench(self.load.first, couple), MarkerWrench(self.load.second, -couple))

    def power(self, at: Snapshot) -> Matrix:
        return ca.dot(self._moment(at), self._rolling_velocity(at))

    def state_rates(self, at: Snapshot) -> tuple[Matrix, ...]:
        return (-self.power(at),)

    # dependence on joint reactions --------------------------------------------------------------------------

    def reaction_sources(self, skeleton: Skeleton) -> Mapping[str, tuple[str, ...]]:
        return {self.load.pair: (NORMAL,)}

    @property
    def remedy(self) -> str:
        return "omit its rolling resistance"

    def _normal_force(self, at: Snapshot, reactions: JointReactions) -> Matrix:
        """Normal force N between wheel and road, from the reaction of the rolling pair."""
        return -ca.dot(self._normal(at), reactions[self.load.pair][3:])

    def law(self, at: Snapshot, reactions: JointReactions) -> tuple[Matrix, ...]:
        return (expression_value(at, self.load.arm) * ca.fabs(self._normal_force(at, reactions)),)

    # outputs and units --------------------------------------------------------------------------------------

    def reaction_readouts(self, at: Snapshot, reactions: JointReactions) -> dict[str, Matrix]:
        moment = self._moment(at)
        readouts = {
            "moment": moment[2] if at.skeleton.planar else moment,
            "normal": self._normal_force(at, reactions),
        }
        return readouts | {"limit": self.law(at, reactions)[0], "heat": self.own_states(at)[0]}

    def units(self, skeleton: Skeleton) -> Mapping[str, str]:
        return {**UNITS, "normal": "N", "limit": "N m", "heat": "J"}


@dataclass(frozen=True)
class ToothFrictionAction(Action):
    """Friction force x = −σ μ N along gear teeth, with the power x v ≤ 0.

    v is the sliding velocity, σ its regularised sign, μ the coefficient of friction, and N = |λ| √(1 + tan²β +
    tan²α/cos²β) the normal force for the circumferential force λ, helix angle β and normal pressure angle α.
    """

    load: ToothFriction

    def _row(self, at: Snapshot) -> GearingRow:
        found = next(row for row in at.loop_constraints.constraints if row.name == self.load.gear)
        assert isinstance(found, GearingRow)
        return found

    def _tooth_sliding(self, at: Snapshot) -> ToothSliding:
        return self._row(at).tooth_sliding(at)

    def links(self, skeleton: Skeleton) -> frozenset[int]:
        gears = [pair for pair in skeleton.mechanism.couplings if isinstance(pair, Gearing)]
        gear = next(gear for gear in gears if gear.name == self.load.gear)
        return frozenset(skeleton.index[body_of(wheel)] for wheel in (gear.first, gear.second))

    def wrenches(self, at: Snapshot) -> tuple[MarkerWrench, ...]:
        gear, (x,) = self._row(at).gearing, self.reaction_dependent_forces(at)
        w = x * self._tooth_sliding(at).wrench
        one, other = (marker_motion(at, wheel)[0].p for wheel in (gear.first, gear.second))
        moved = ca.vertcat(w[:3] + ca.cross(other - one, w[3:]), w[3:])
        return MarkerWrench(gear.second, w), MarkerWrench(gear.first, -moved)

    def slip(self, at: Snapshot) -> Matrix:
        return regularised_sign(self._tooth_sliding(at).speed / creep_speed(at, self.load.speed))

    def power(self, at: Snapshot) -> Matrix:
        return self.reaction_dependent_forces(at)[0] * self._tooth_sliding(at).speed

    def state_rates(self, at: Snapshot) -> tuple[Matrix, ...]:
        return (-self.power(at),)

    def reaction_sources(self, skeleton: Skeleton) -> Mapping[str, tuple[str, ...]]:
        return {self.load.gear: ("tooth force",)}

    def law(self, at: Snapshot, reactions: JointReactions) -> tuple[Matrix, ...]:
        mu = expression_value(at, self.load.coefficient or 0.0)
        normal = self._tooth_sliding(at).normal_force_ratio * magnitude(reactions[self.load.gear][3:])
        return (-self.slip(at) * mu * normal,)

    def readouts(self, at: Snapshot) -> dict[str, Matrix]:
        (x,) = self.reaction_dependent_forces(at)
        return {"force": x, "sliding": self._tooth_sliding(at).speed, "heat": self.own_states(at)[0]}

    def units(self, skeleton: Skeleton) -> Mapping[str, str]:
        return {**UNITS, "sliding": "m/s", "heat": "J"}
