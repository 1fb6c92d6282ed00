"""Unilateral forces: rigid and elastic stops, ropes, freewheels and backlash.

Theory: docs/theory/12-contact.md, eq. (12.2).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass

import casadi as ca

from multiloop.dynamics.actions.action import FLAG, UNITS, Action, JointReactions, MarkerWrench, effort_units
from multiloop.dynamics.actions.set_valued_force_law import SetValuedForce, is_closed
from multiloop.kinematics import TINY, Snapshot, Span, expression_value, span_between
from multiloop.kinematics.constraints import JointEquation
from multiloop.kinematics.tree import Skeleton
from multiloop.model import Backlash, Freewheel, Rope, Stop, position
from multiloop.spatial import Matrix


@dataclass(frozen=True)
class UnilateralAction(Action):
    """Base class of unilateral forces, whose set-valued forces do not depend on joint reactions; their modes, stored as
    state variables, are constant between events."""

    def slope_bound(self, at: Snapshot, change: JointReactions) -> tuple[Matrix, ...]:
        return tuple(ca.DM(1, 1) for _ in self.load.modes)

    def state_rates(self, at: Snapshot) -> tuple[Matrix, ...]:
        return tuple(ca.DM(1, 1) for _ in self.load.states)

    def is_holding(self, at: Snapshot) -> Matrix:
        """Number of closed contacts of the load (a range has a contact at each end); 0 while the load exerts no
        force."""
        return ca.SX(sum((is_closed(mode) for mode in self._sides(at)), start=ca.SX(0)))

    def _sides(self, at: Snapshot) -> tuple[Matrix, ...]:
        """Contact modes of the load, one for each of its contacts, such as those at both ends of a range."""
        return self.modes(at)


@dataclass(frozen=True)
class HardStopAction(UnilateralAction):
    """Rigid stops: unilateral contact at the lower and the upper end of the range of a joint coordinate q.

        g = q − low ≥ 0,  g = high − q ≥ 0,      x ≥ 0,  x g = 0,      ġ⁺ ≥ −e ġ⁻ at an impact

    g is the gap, x the contact force, e the coefficient of restitution; ⁻ and ⁺ denote values before and after the
    impact.

    Source: [pfeiffer], ch. 3; Newton's law of impact.
    """

    load: Stop

    def _ends(self, at: Snapshot) -> list[tuple[int, Matrix, Matrix]]:
        """Sign, gap g and rate ġ for every end of the range; the sign is the direction of the effort that the stop
        exerts."""
        load, link = self.load, at.skeleton.link_of_joint[self.load.joint]
        (rate,) = self.rates(at.skeleton)
        q, v = at.q[link.q.start + rate - link.v.start], at.v[rate]
        ends = ((1, load.low), (-1, load.high))
        return [
            (sign, sign * (q - expression_value(at, end)), sign * v) for sign, end in ends if end is not None
        ]

    def set_valued_forces(self, at: Snapshot, reactions: JointReactions) -> tuple[SetValuedForce, ...]:
        e, speed = (expression_value(at, value or 0.0) for value in (self.load.restitution, self.load.speed))
        return tuple(SetValuedForce(rate, ca.SX(0), None, gap, e, speed) for _, gap, rate in self._ends(at))

    def efforts(self, at: Snapshot) -> tuple[Matrix, ...]:
        pushes = zip(self._ends(at), self.reaction_dependent_forces(at), strict=True)
        return (sum((sign * x for (sign, _, _), x in pushes), start=ca.DM(1, 1)),)

    def power(self, at: Snapshot) -> Matrix:
        (rate,) = self.rates(at.skeleton)
        return self.efforts(at)[0] * at.v[rate]

    def units(self, skeleton: Skeleton) -> Mapping[str, str]:
        return {**effort_units(skeleton, self.load.joint, self.load.component), "touching": FLAG}

    def readouts(self, at: Snapshot) -> dict[str, Matrix]:
        return {"effort": self.efforts(at)[0], "touching": self.is_holding(at)}


@dataclass(frozen=True)
class ElasticContactAction(Action):
    """Elastic contact at one or more sides, with a `stiffness` k and a `damping` c.

        F = max(0, k δ + c δ̇) for δ > 0,      V = k δ²/2,      power −(F − k δ) δ̇

    δ is the penetration, F the contact force, V the potential energy. The power is never positive: it is −c δ̇² while
    the contact pushes; if F would become tensile during separation, F is zero and the energy still stored in the spring
    is dissipated.
    """

    @abstractmethod
    def contact_sides(self, at: Snapshot) -> list[ContactSide]:
        """State of every side of the contact."""

    def contact_side(self, at: Snapshot, sign: int, beyond: Matrix, rate: Matrix) -> ContactSide:
        """State of one side of the contact; `sign` is the sign of the direction of motion that this side limits,
        `beyond` the distance by which the coordinate is past this side, positive in contact, and `rate` the rate of
        the coordinate."""
        k, c = (expression_value(at, value) for value in (self.load.stiffness, self.load.damping))
        deep = ca.fmax(0.0, beyond)
        force = ca.if_else(deep > 0, ca.fmax(0.0, k * deep + c * sign * rate), 0.0)
        return ContactSide(sign, deep, sign * rate, force)

    def net_force(self, at: Snapshot) -> Matrix:
        """Sum of the contact forces of all sides along the coordinate, with their signs."""
        return sum((-flank.sign * flank.force for flank in self.contact_sides(at)), start=ca.DM(1, 1))

    def potential(self, at: Snapshot) -> Matrix:
        k = expression_value(at, self.load.stiffness)
        return sum((k * flank.penetration**2 / 2 for flank in self.contact_sides(at)), start=ca.DM(1, 1))

    def power(self, at: Snapshot) -> Matrix:
        k, lost = expression_value(at, self.load.stiffness), ca.DM(1, 1)
        for flank in self.contact_sides(at):
            lost = lost - ca.if_else(
                flank.penetration > 0, (flank.force - k * flank.penetration) * flank.rate, 0.0
            )
        return lost


@dataclass(frozen=True)
class StopAction(ElasticContactAction):
    """Elastic stops at the ends `low` and `high` of the range of a joint coordinate q.

    The penetrations are δ = max(0, low − q) and δ = max(0, q − high).
    """

    load: Stop

    def contact_sides(self, at: Snapshot) -> list[ContactSide]:
        link, (rate,) = at.skeleton.link_of_joint[self.load.joint], self.rates(at.skeleton)
        q, v = at.q[link.q.start + rate - link.v.start], at.v[rate]
        return [
            self.contact_side(at, sign, sign * (q - expression_value(at, end)), v)
            for sign, end in ((1, self.load.high), (-1, self.load.low))
            if end is not None
        ]

    def efforts(self, at: Snapshot) -> tuple[Matrix, ...]:
        return (self.net_force(at),)

    def units(self, skeleton: Skeleton) -> Mapping[str, str]:
        return effort_units(skeleton, self.load.joint, self.load.component)

    def readouts(self, at: Snapshot) -> dict[str, Matrix]:
        return {"effort": self.net_force(at)}


def stop_action(load: Stop) -> Action:
    """The action of a Stop: a rigid stop if the coefficient of restitution is given, otherwise an elastic stop."""
    return StopAction(load) if load.restitution is None else HardStopAction(load)


@dataclass(frozen=True)
class RopeAction(UnilateralAction):
    """Rope with tension x ≥ 0 between two markers: force f = x d/L on the first body and −f on the second.

    d is the vector from the first marker to the second, L its length; the gap is g = length − L, so that ġ = −L̇."""

    load: Rope

    def _span(self, at: Snapshot) -> Span:
        return span_between(at, self.load.first, self.load.second)

    def set_valued_forces(self, at: Snapshot, reactions: JointReactions) -> tuple[SetValuedForce, ...]:
        load, span = self.load, self._span(at)
        length, e, speed = (
            expression_value(at, value or 0.0) for value in (load.length, load.restitution, load.speed)
        )
        return (SetValuedForce(-span.length_rate, ca.SX(0), None, length - span.length, e, speed),)

    def wrenches(self, at: Snapshot) -> tuple[MarkerWrench, ...]:
        span, (x,) = self._span(at), self.reaction_dependent_forces(at)
        w = ca.vertcat(ca.DM(3, 1), x * span.d / ca.fmax(span.length, TINY))
        return (MarkerWrench(self.load.first, w), MarkerWrench(self.load.second, -w))

    def power(self, at: Snapshot) -> Matrix:
        (x,) = self.reaction_dependent_forces(at)
        return -x * self._span(at).length_rate

    def units(self, skeleton: Skeleton) -> Mapping[str, str]:
        return {**UNITS, "taut": FLAG}

    def readouts(self, at: Snapshot) -> dict[str, Matrix]:
        span, (x,) = self._span(at), self.reaction_dependent_forces(at)
        readouts = {"force": x, "length": span.length, "length_rate": span.length_rate}
        return readouts | {"taut": self.is_holding(at)}


@dataclass(frozen=True)
class FreewheelAction(UnilateralAction):
    """Freewheel: an effort x ≥ 0 that prevents motion of a joint coordinate q against the free direction. The effort
    acts in the free direction; x = 0 while the wheel overruns.

    The rate ġ is q̇, or −q̇ if the free direction is backward."""

    load: Freewheel

    @property
    def _free_direction(self) -> int:
        return 1 if self.load.free == "forward" else -1

    def _rate(self, at: Snapshot) -> Matrix:
        (rate,) = self.rates(at.skeleton)
        return at.v[rate]

    def set_valued_forces(self, at: Snapshot, reactions: JointReactions) -> tuple[SetValuedForce, ...]:
        return (SetValuedForce(self._free_direction * self._rate(at), ca.SX(0), None),)

    def efforts(self, at: Snapshot) -> tuple[Matrix, ...]:
        return (self._free_direction * self.reaction_dependent_forces(at)[0],)

    def power(self, at: Snapshot) -> Matrix:
        return self.efforts(at)[0] * self._rate(at)

    def units(self, skeleton: Skeleton) -> Mapping[str, str]:
        return {**effort_units(skeleton, self.load.joint, self.load.component), "holding": FLAG}

    def readouts(self, at: Snapshot) -> dict[str, Matrix]:
        return {"effort": self.efforts(at)[0], "holding": self.is_holding(at)}


@dataclass(frozen=True, eq=False)
class ContactSide:
    """State of one side of an elastic contact: penetration δ, its rate δ̇, and contact force F; `sign` is the sign of
    the direction of motion that this side limits."""

    sign: int
    penetration: Matrix
    rate: Matrix
    force: Matrix


@dataclass(frozen=True)
class BacklashAction(ElasticContactAction):
    """Backlash: elastic contact at two flanks, with penetrations δ = max(0, ±(x − rest) − play/2).

    x is a joint coordinate or an expression of joint coordinates, `rest` its value midway between the flanks, and
    `play` the clearance between the flanks. A flank exerts the effort ∓F ∂x/∂q along every coordinate q, with the
    contact force F of the flank; the upper signs are those of the flank for x > rest.
    """

    load: Backlash

    def _equation(self, skeleton: Skeleton) -> JointEquation:
        """The coordinate or expression x to which the backlash applies."""
        if self.load.along is not None:
            return JointEquation(self.load.along, skeleton)
        names = skeleton.link_of_joint[self.load.joint].joint.components(skeleton.planar)
        place = names.index(self.load.component or names[0])
        return JointEquation(position(self.load.joint, place), skeleton)

    def links(self, skeleton: Skeleton) -> frozenset[int]:
        links = [link for link, _ in self._equation(skeleton).coordinates.values()]
        return frozenset(k for link in links for k in (skeleton.index[link.body], link.parent))

    def rates(self, skeleton: Skeleton) -> tuple[int, ...]:
        return tuple(link.v.start + k for link, k in self._equation(skeleton).coordinates.values())

    def contact_sides(self, at: Snapshot) -> list[ContactSide]:
        own, load = self._equation(at.skeleton), self.load
        x, rate = own.evaluate_at(at, own.value), own.evaluate_at(at, own.time_derivative(own.value))
        play, rest = (expression_value(at, value) for value in (load.play, load.rest))
        return [self.contact_side(at, sign, sign * (x - rest) - play / 2, rate) for sign in (1, -1)]

    def efforts(self, at: Snapshot) -> tuple[Matrix, ...]:
        own = self._equation(at.skeleton)
        slopes = own.evaluate_at(at, ca.jacobian(own.value, own.symbols[0]))
        force = self.net_force(at)
        return tuple(force * slopes[0, n] for n in range(len(own.coordinates)))

    def units(self, skeleton: Skeleton) -> Mapping[str, str]:
        """Units of the outputs; for backlash along an expression the unit of the displacement is unknown and is
        omitted."""
        if self.load.along is not None:
            return {name: unit for name, unit in UNITS.items() if name != "displacement"}
        units = dict(effort_units(skeleton, self.load.joint, self.load.component))
        return {**units, "displacement": "m" if units["effort"] == "N" else "rad"}

    def readouts(self, at: Snapshot) -> dict[str, Matrix]:
        own = self._equation(at.skeleton)
        rest = expression_value(at, self.load.rest)
        return {"effort": self.net_force(at), "displacement": own.evaluate_at(at, own.value) - rest}
