"""Constraint row of a gearing: a linear relation of two wheel angles, whose multiplier acts between the wheels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import casadi as ca

from multiloop.kinematics.constraints.constraint import Along, Between, Constraint, End, Prescribed, Row
from multiloop.kinematics.geometry import resolver
from multiloop.kinematics.skeleton import Skeleton
from multiloop.model.names import body_of, shown
from multiloop.model.pairs.gearing import Contact, Gearing, across
from multiloop.model.pairs.mounting import Axis, Mounting, Seat, mounting_of
from multiloop.spatial import Matrix, transport_wrench

if TYPE_CHECKING:
    from multiloop.kinematics.snapshot import Snapshot


@dataclass(frozen=True)
class Rubbing:
    """Sliding of the teeth along their length at the pitch point.

    `speed` is that of the teeth of the second wheel relative to the first; `wrench` on the second wheel of a unit force
    in this direction, as in `Between`; `steepness` the ratio of the normal force N to its part without the separating
    force.
    """

    speed: Matrix
    wrench: Matrix
    steepness: Matrix


@dataclass(frozen=True, eq=False)
class GearingRow(Constraint):
    """Φ = w₁ (θ₁ − phase) + w₂ θ₂ in the unwrapped angles θ of the wheels on their carrier.

        w₁ = −Wᵀ t₁,   w₂ = Wᵀ t₂,      t: twist of a wheel per unit of θ at the point of contact

    The row has constant slopes, so that γ = 0 and ratios are exact. The multiplier exerts W λ between the two wheels,
    with the same power for every motion; the bearings carry this wrench.
    """

    gearing: Gearing
    skeleton: Skeleton

    @property
    def name(self) -> str:
        return self.gearing.name

    @property
    def called(self) -> str:
        return self.gearing.called

    @property
    def rows(self) -> tuple[Row, ...]:
        return (Row(self.gearing.tooth, length=True),)

    @property
    def links(self) -> tuple[int, ...]:
        index, carrier = self.skeleton.index, self.skeleton.carrier
        return tuple(sorted(index[carrier[joint].body] for joint in self._mounting.joints))

    @cached_property
    def _mounting(self) -> Mounting:
        return mounting_of(self.skeleton.mechanism, self.gearing)

    @cached_property
    def _resolved(self) -> Gearing:
        return self.gearing.resolved(resolver(self.skeleton.names, self.skeleton.symbols))

    @cached_property
    def _axes(self) -> tuple[Axis, Axis]:
        resolve = resolver(self.skeleton.names, self.skeleton.symbols)
        return self._mounting.axes(self.skeleton.mechanism, resolve)

    @cached_property
    def _contact(self) -> Contact:
        return self._resolved.contact(*self._axes)

    @cached_property
    def _slopes(self) -> tuple[Matrix, Matrix]:
        return self._contact.slopes(*self._axes)

    def _angle(self, at: Snapshot, seat: Seat) -> Matrix:
        links = self.skeleton.carrier
        return sum((sense * at.q[links[joint].q.start] for joint, sense in seat.joints), ca.DM(1, 1))

    def position(self, at: Snapshot, s: Matrix) -> Matrix:
        (w1, w2), (first, second) = self._slopes, self._mounting.seats
        return w1 * (self._angle(at, first) - self._resolved.phase) + w2 * self._angle(at, second)

    def interactions(self, at: Snapshot) -> tuple[Along, ...]:
        index, carrier = self.skeleton.index, self.skeleton.carrier
        return tuple(
            Along(index[carrier[joint].body], 0, sense * w)
            for w, seat in zip(self._slopes, self._mounting.seats, strict=True)
            for joint, sense in seat.joints
        )

    def gamma(self, at: Snapshot, given: Prescribed) -> Matrix:
        return ca.DM(1, 1)

    def exerted(self, at: Snapshot) -> tuple[Between, ...]:
        return (self._between(at, self._contact.exerted),)

    @property
    def accompanied(self) -> bool:
        return self.gearing.pushes_apart

    def accompanying(self, at: Snapshot, lam: Matrix) -> tuple[Between, ...]:
        contact = self._contact
        return (self._between(at, contact.apart * ca.fabs(lam) + contact.steady),)

    def leaves_open(self, unique: bool) -> tuple[str, ...]:
        unknown = self.gearing.leaves_bearings_open or (self.accompanied and not unique)
        return self._mounting.joints if unknown else ()

    def _between(self, at: Snapshot, wrench: Matrix) -> Between:
        """A contact wrench on the second wheel, at the origin of its marker, in inertial axes."""
        R, index = self._turned(at), self.skeleton.index
        axis, seat = self._axes[1], self._mounting.seats[1]
        origin = axis.p if axis.turns else axis.p + self._angle(at, seat) * axis.a
        w = transport_wrench(wrench, self._contact.point - origin)
        first, second = (
            End(index[body_of(wheel)], wheel.partition(".")[2])
            for wheel in (self.gearing.first, self.gearing.second)
        )
        return Between(first, second, ca.vertcat(R @ w[:3], R @ w[3:]))

    def rubbing(self, at: Snapshot) -> Rubbing:
        """Sliding along the teeth, which are perpendicular to the tooth force and to the radius from the first axis."""
        contact, (first, second), v = self._contact, self._axes, at.v
        force = contact.exerted[3:]
        out = across(contact.point - first.p, first.a)
        way = ca.cross(force, out)
        unit = ca.vertcat(ca.DM(3, 1), way / ca.norm_2(way))
        slopes = -(unit.T @ first.twist(contact.point)), unit.T @ second.twist(contact.point)
        links = self.skeleton.carrier
        speed = sum(
            (
                w * sense * v[links[joint].v.start]
                for w, seat in zip(slopes, self._mounting.seats, strict=True)
                for joint, sense in seat.joints
            ),
            ca.DM(1, 1),
        )
        apart = contact.apart[3:]
        steepness = ca.sqrt(1 + ca.dot(apart, apart) / ca.dot(force, force))
        return Rubbing(speed, self._between(at, unit).W, steepness)

    def _turned(self, at: Snapshot) -> Matrix:
        """R of the carrier's frame."""
        k = self.skeleton.index[self._mounting.carrier]
        own = self.skeleton.body_of(k).markers["origin"].R
        return own if k < 0 else at.placed[k].pose.R @ own

    def told(self, at: Snapshot, lam: Matrix) -> Mapping[str, Matrix]:
        contact = self._contact
        told = dict(self._resolved.told(*self._axes, contact, lam))
        force = contact.exerted[3:] * lam + contact.apart[3:] * ca.fabs(lam) + contact.steady[3:]
        told["force"] = (self._turned(at) @ force)[: 2 if self.skeleton.planar else 3]
        return told

    def advice(self, held: Mapping[str, tuple[float, ...]]) -> str:
        """The phase with which the wheels mesh at the held angles."""
        if not all(len(held.get(joint, ())) == 1 for joint in self._mounting.joints):
            return ""
        slopes = [ca.SX(w) for w in self._slopes]
        w1, w2 = (
            float(ca.evalf(ca.substitute(w, self.skeleton.symbols, ca.DM(self.skeleton.values))))
            for w in slopes
        )
        first, second = (
            sum(sense * held[joint][0] for joint, sense in seat.joints) for seat in self._mounting.seats
        )
        return f"These angles mesh with phase={shown([first + w2 / w1 * second], 12)} of '{self.name}'."
