"""Effort of Friction in a joint: dry friction, smooth or with stiction, and viscous friction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import casadi as ca

from multiloop.dynamics.actions.action import FLAG, UNITS, Action, Felt
from multiloop.dynamics.actions.creep import creep_speed
from multiloop.dynamics.actions.grip import Grip, LimitParts, is_chosen, is_closed, is_held, way_of
from multiloop.kinematics.chart import LENGTHS
from multiloop.kinematics.skeleton import Skeleton
from multiloop.kinematics.snapshot import Snapshot
from multiloop.kinematics.spans import expression_value, marker_motion
from multiloop.model import Friction, Helical, Joint
from multiloop.spatial import Matrix

SLID = 10.0
"""Rate, in creep speeds, above which the sliding coefficient applies; the coefficient falls to it from one on."""

TINY = 1e-300
"""Added under the root of a magnitude so that its derivative at zero is finite; it changes no digit elsewhere."""


@dataclass(frozen=True)
class FrictionAction(Action):
    """An effort that opposes the rate: −σ L − c q̇,  power −σ L q̇ − c q̇² ≤ 0.

        σ(u) = u (15 − 10 u² + 3 u⁴)/8,  u = q̇/speed between −1 and 1, and ±1 beyond

    Where the limit L depends on the reaction F of the joint, the friction effort is x = −σ L(F), and F depends on x in
    turn. L is a norm of F: L(F + δ) ≤ L(F) + L(δ).

    Source: σ is derived here, twice differentiable and exact beyond the creep speed; the rest is [shigley], ch. 8 on
    screws.
    """

    load: Friction

    # rates --------------------------------------------------------------------------------------------------

    def _rate(self, at: Snapshot) -> Matrix:
        (place,) = self.rates(at.skeleton)
        return at.v[place]

    def _speeds(self, at: Snapshot) -> Matrix:
        """u = q̇/speed."""
        return self._rate(at) / self._creep_speed(at)

    def _creep_speed(self, at: Snapshot) -> Any:
        """Creep speed of smooth friction."""
        return creep_speed(at, self.load.speed, turns=self._is_angle(at.skeleton))

    def _is_angle(self, skeleton: Skeleton) -> bool:
        """Whether its coordinate is an angle."""
        names = skeleton.carrier[self.load.joint].joint.components(skeleton.planar)
        return (self.load.component or names[0]) not in LENGTHS

    def slip(self, at: Snapshot) -> Matrix:
        """σ."""
        if self.load.exact:
            (mode,) = self.modes(at)
            return ca.if_else(is_held(mode), 0.0, way_of(mode, self._rate(at), self.still(at)))
        return regularised(self._speeds(at))

    def _stands(self, at: Snapshot) -> Matrix:
        """Whether friction with stiction is at rest, according to its mode, or by the rate if the mode is open."""
        (mode,) = self.modes(at)
        return ca.if_else(is_chosen(mode), is_closed(mode), ca.fabs(self._rate(at)) <= self.still(at))

    def _coefficient(self, at: Snapshot) -> Any:
        """Friction coefficient μ at the present rate."""
        static, sliding = (expression_value(at, value) for value in self.load.coefficients)
        mu: Any = sliding
        if self.load.exact:
            mu = ca.if_else(self._stands(at), static, sliding)
        elif isinstance(self.load.coefficient, tuple):
            s = ca.fmax(0.0, ca.fmin(1.0, (ca.fabs(self._speeds(at)) - 1) / (SLID - 1)))
            mu = static + (sliding - static) * s * s * s * (10 - s * (15 - 6 * s))
        return mu / ca.sqrt(1 + mu * mu) if self.load.circle else mu

    # forces -------------------------------------------------------------------------------------------------

    def efforts(self, at: Snapshot) -> tuple[Matrix, ...]:
        viscous = expression_value(at, self.load.viscous) * self._rate(at)
        return (self._dry(at) - viscous,)

    def _dry(self, at: Snapshot) -> Matrix:
        if self.load.strengths:
            return self.own_strengths(at)[0]
        return -self.slip(at) * self.limit(at, {}, self.slip(at))

    def power(self, at: Snapshot) -> Matrix:
        return self.efforts(at)[0] * self._rate(at)

    def state_rates(self, at: Snapshot) -> tuple[Matrix, ...]:
        return (-self.power(at), *[ca.DM(1, 1) for _ in (*self.load.modes, *self.load.shares)])

    def grips(self, at: Snapshot, felt: Felt) -> tuple[Grip, ...]:
        forward, backward = (self.limit(at, felt, ca.SX(way)) for way in (1.0, -1.0))
        return (Grip(self._rate(at), -forward, backward),)

    # reactions ----------------------------------------------------------------------------------------------

    def follows(self, skeleton: Skeleton) -> Mapping[str, tuple[str, ...]]:
        if self.load.coefficient is None:
            return {}
        joint = skeleton.carrier[self.load.joint].joint
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
        """Axis of the first marker along or about which the joint moves."""
        joint = skeleton.carrier[self.load.joint].joint
        return "x" if skeleton.planar and joint.components(True) == ("slide",) else "z"

    def _across(self, at: Snapshot, felt: Felt) -> list[Matrix]:
        """Normal forces across the axis: one, or those at the two ends of a guide or bearing.

        F₁,₂ = F/2 ± (n × e)/ℓ      across the axis e, with the moment n about the middle
        """
        link = at.skeleton.carrier[self.load.joint]
        w, first = felt[self.load.joint], marker_motion(at, link.joint.first)[0]
        turned = first.R.T @ w[:3], first.R.T @ w[3:]
        n, f = turned
        if self.load.side == "first":
            n = n + ca.cross(first.R.T @ (marker_motion(at, link.joint.second)[0].p - first.p), f)
        k = "xyz".index(self._axis(at.skeleton))
        i, j = (k + 1) % 3, (k + 2) % 3  # e_i × e_j = e_k
        plane = [index for index in (i, j) if not (at.skeleton.planar and index == 2)]
        across = ca.vertcat(*[f[index] for index in plane])
        if self.load.length is None:
            return [across]
        turning = {i: n[j], j: -n[i]}  # n × e_k
        lever = ca.vertcat(*[turning[index] for index in plane]) / expression_value(at, self.load.length)
        return [across / 2 + lever, across / 2 - lever]

    def _pressing(self, at: Snapshot, felt: Felt) -> list[Matrix]:
        """Normal forces on the sliding surfaces: across the axis, or along the axis of a screw."""
        return [self._along(at, felt)] if isinstance(self._joint(at), Helical) else self._across(at, felt)

    def _normal(self, at: Snapshot, felt: Felt) -> Matrix:
        """Sum of the normal forces Σ |F|."""
        return sum((magnitude(force) for force in self._pressing(at, felt)), ca.DM(1, 1))

    def _joint(self, at: Snapshot) -> Joint:
        """The joint as described."""
        return at.skeleton.mechanism.joints_by_name[self.load.joint]

    def _along(self, at: Snapshot, felt: Felt) -> Matrix:
        """Force along the axis of a screw."""
        joint = at.skeleton.carrier[self.load.joint].joint
        return ca.dot(marker_motion(at, joint.first)[0].R[:, 2], felt[self.load.joint][3:])

    @property
    def holds(self) -> bool:
        return True

    def limit(self, at: Snapshot, felt: Felt, way: Matrix) -> Matrix:
        """Limit L; `way` may also be between −1 and 1.

        For a screw it is |F| r (tan(α ± φ) − tan α) in the two directions, written by its mean and half difference.
        """
        if self.load.coefficient is None:
            return ca.SX(expression_value(at, self.load.effort or 0.0))
        mean, half = self._slopes(at)
        found: Matrix = mean * self._normal(at, felt)
        return found if half is None else found + half * self._along(at, felt) * way

    def _slopes(self, at: Snapshot) -> tuple[Matrix, Matrix | None]:
        """Derivative of L by Σ |F|, and for a screw by F · way."""
        mu, joint, r = self._coefficient(at), self._joint(at), expression_value(at, self.load.radius or 1.0)
        if not isinstance(joint, Helical):
            return (mu * r if self.load.turns(joint) else mu), None
        pitch = expression_value(at, joint.pitch)
        t = ca.fabs(pitch) / r
        up, down = (t + mu) / (1 - mu * t) - t, t - (t - mu) / (1 + mu * t)
        return r * (up + down) / 2, r * ca.sign(pitch) * (up - down) / 2

    def limit_parts(self, at: Snapshot, felt: Felt) -> LimitParts | None:
        if self.load.coefficient is None:
            return None
        mean, half = self._slopes(at)
        shift = ca.SX(0) if half is None else half * self._along(at, felt)
        return LimitParts(tuple(mean * force for force in self._pressing(at, felt)), shift)

    def law(self, at: Snapshot, felt: Felt) -> tuple[Matrix, ...]:
        slip = self.slip(at)
        return (-slip * self.limit(at, felt, slip),)

    def slope_bound(self, at: Snapshot, change: Felt) -> tuple[Matrix, ...]:
        if self.load.coefficient is None:
            return (ca.DM(1, 1),)  # a given effort depends on no reaction
        slip = ca.fabs(self.slip(at))
        return (slip * ca.fmax(self.limit(at, change, slip), self.limit(at, change, -slip)),)

    # outputs ------------------------------------------------------------------------------------------------

    def felt_readouts(self, at: Snapshot, felt: Felt) -> dict[str, Matrix]:
        found: dict[str, Matrix] = {"effort": self.efforts(at)[0]}
        if self.load.coefficient is not None:
            found["normal"] = self._normal(at, felt)
        found["limit"] = self.limit(at, felt, ca.if_else(self._rate(at) < 0, -1.0, 1.0))
        if self.load.exact:
            found["sticking"] = ca.SX(self._stands(at))
        else:
            found |= {"sticking": ca.SX(0), "creeping": ca.SX(ca.fabs(self._speeds(at)) < 1)}
            found["creep_speed"] = ca.SX(self._creep_speed(at))
        return found | {"heat": self.own_states(at)[0]}

    def units(self, skeleton: Skeleton) -> Mapping[str, str]:
        turns = self._is_angle(skeleton)
        units = dict.fromkeys(("effort", "limit"), "N m" if turns else "N")
        units |= {"creep_speed": "rad/s" if turns else "m/s", "sticking": FLAG, "creeping": FLAG}
        return {**UNITS, **units, "normal": "N", "heat": "J"}


def regularised(speeds: Matrix) -> Matrix:
    """σ(u) = u (15 − 10 u² + 3 u⁴)/8 between −1 and 1, and ±1 beyond."""
    u = ca.fmax(-1.0, ca.fmin(1.0, speeds))
    s = u * u
    return u * (15 - s * (10 - 3 * s)) / 8


def magnitude(force: Matrix) -> Matrix:
    """|F|, with a finite derivative everywhere."""
    if force.shape[0] == 1:
        return ca.fabs(force)
    return ca.sqrt(ca.dot(force, force) + TINY)
