"""Constraint row of a gearing: a linear relation of two wheel angles, whose multiplier acts between the wheels.

Theory: docs/theory/03-constraints.md, eq. (3.11).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import casadi as ca

from multiloop.kinematics.constraints.constraint import (
    Constraint,
    EffortInteraction,
    End,
    Prescribed,
    Row,
    WrenchInteraction,
)
from multiloop.kinematics.tree import Skeleton, parameter_resolver
from multiloop.model import body_of, coordinate_text
from multiloop.model.gears.gearing import Gearing, TransmittedWrenches, perpendicular_part
from multiloop.model.gears.mounting import Axis, Mounting, WheelBearings, mounting_of
from multiloop.spatial import Matrix, transport_wrench

if TYPE_CHECKING:
    from multiloop.kinematics.snapshot import Snapshot


@dataclass(frozen=True)
class ToothSliding:
    """Sliding of the teeth along their length at the pitch point.

    `speed` is the velocity, in m/s, of the teeth of the second wheel relative to the teeth of the first; `wrench` is
    the wrench of a unit force in this direction on the second wheel, at the origin of its marker in inertial axes;
    `normal_force_ratio` is the normal force at the tooth divided by the tooth force without its separating component.
    """

    speed: Matrix
    wrench: Matrix
    normal_force_ratio: Matrix


@dataclass(frozen=True, eq=False)
class GearingRow(Constraint):
    """The constraint Φ = w₁ (θ₁ − phase) + w₂ θ₂ = 0; θ are the angles of the wheels relative to their carrier,
    including whole turns, and `phase` is θ₁ at θ₂ = 0.

        w₁ = −Wᵀ t₁,   w₂ = Wᵀ t₂

    t₁ and t₂ are the twists of the wheels at the point of contact per unit of θ₁ and θ₂, W is the contact wrench per
    unit of the multiplier λ. The derivatives w₁ and w₂ are constant, so that γ = 0 and ratios are exact. The multiplier
    λ exerts the wrench W λ between the two wheels, whose power is λ Φ̇ for every motion; the bearings support this
    wrench.
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
        return (Row(self.gearing.multiplier_name, is_length=True),)

    @property
    def links(self) -> tuple[int, ...]:
        index, carrier = self.skeleton.index, self.skeleton.link_of_joint
        return tuple(sorted(index[carrier[joint].body] for joint in self._mounting.joints))

    @cached_property
    def _mounting(self) -> Mounting:
        return mounting_of(self.skeleton.mechanism, self.gearing)

    @cached_property
    def _resolved(self) -> Gearing:
        return self.gearing.resolved(
            parameter_resolver(self.skeleton.parameter_names, self.skeleton.parameter_symbols)
        )

    @cached_property
    def _axes(self) -> tuple[Axis, Axis]:
        resolve = parameter_resolver(self.skeleton.parameter_names, self.skeleton.parameter_symbols)
        return self._mounting.axes(self.skeleton.mechanism, resolve)

    @cached_property
    def _contact(self) -> TransmittedWrenches:
        return self._resolved.contact(*self._axes)

    @cached_property
    def _slopes(self) -> tuple[Matrix, Matrix]:
        return self._contact.slopes(*self._axes)

    @property
    def pitch_radii(self) -> tuple[Matrix, Matrix]:
        """Pitch radii of the two wheels: the magnitudes of the slopes, since the multiplier is a force at the pitch
        circles."""
        first, second = (ca.fabs(w) for w in self._slopes)
        return first, second

    def _angle(self, at: Snapshot, seat: WheelBearings) -> Matrix:
        links = self.skeleton.link_of_joint
        return sum((sense * at.q[links[joint].q.start] for joint, sense in seat.joints), ca.DM(1, 1))

    def position_residual(self, at: Snapshot, s: Matrix) -> Matrix:
        (w1, w2), (first, second) = self._slopes, self._mounting.seats
        return w1 * (self._angle(at, first) - self._resolved.phase) + w2 * self._angle(at, second)

    def interactions(self, at: Snapshot) -> tuple[EffortInteraction, ...]:
        index, carrier = self.skeleton.index, self.skeleton.link_of_joint
        return tuple(
            EffortInteraction(index[carrier[joint].body], 0, sense * w)
            for w, seat in zip(self._slopes, self._mounting.seats, strict=True)
            for joint, sense in seat.joints
        )

    def gamma(self, at: Snapshot, given: Prescribed) -> Matrix:
        return ca.DM(1, 1)

    def exerted_interactions(self, at: Snapshot) -> tuple[WrenchInteraction, ...]:
        return (self._between(at, self._contact.exerted),)

    @property
    def has_workless_forces(self) -> bool:
        return self.gearing.pushes_apart

    def workless_forces(self, at: Snapshot, lam: Matrix) -> tuple[WrenchInteraction, ...]:
        contact = self._contact
        return (self._between(at, contact.separating * ca.fabs(lam) + contact.steady),)

    def undetermined_joints(self, unique: bool) -> tuple[str, ...]:
        unknown = self.gearing.leaves_bearings_undetermined or (self.has_workless_forces and not unique)
        return self._mounting.joints if unknown else ()

    def _between(self, at: Snapshot, wrench: Matrix) -> WrenchInteraction:
        """The interaction between the two wheels for a wrench on the second wheel that is given at the point of
        contact, in the carrier's axes; the result is at the origin of the second wheel's marker, in inertial axes."""
        R, index = self._carrier_rotation(at), self.skeleton.index
        axis, seat = self._axes[1], self._mounting.seats[1]
        origin = axis.p if axis.turns else axis.p + self._angle(at, seat) * axis.a
        w = transport_wrench(wrench, self._contact.point - origin)
        first, second = (
            End(index[body_of(wheel)], wheel.partition(".")[2])
            for wheel in (self.gearing.first, self.gearing.second)
        )
        return WrenchInteraction(first, second, ca.vertcat(R @ w[:3], R @ w[3:]))

    def tooth_sliding(self, at: Snapshot) -> ToothSliding:
        """Sliding of the teeth along their length, which is the direction perpendicular to the tooth force and to the
        radius from the axis of the first wheel."""
        contact, (first, second), v = self._contact, self._axes, at.v
        force = contact.exerted[3:]
        out = perpendicular_part(contact.point - first.p, first.a)
        along = ca.cross(force, out)
        unit = ca.vertcat(ca.DM(3, 1), along / ca.norm_2(along))
        slopes = -(unit.T @ first.twist(contact.point)), unit.T @ second.twist(contact.point)
        links = self.skeleton.link_of_joint
        speed = sum(
            (
                w * sense * v[links[joint].v.start]
                for w, seat in zip(slopes, self._mounting.seats, strict=True)
                for joint, sense in seat.joints
            ),
            ca.DM(1, 1),
        )
        apart = contact.separating[3:]
        steepness = ca.sqrt(1 + ca.dot(apart, apart) / ca.dot(force, force))
        return ToothSliding(speed, self._between(at, unit).W, steepness)

    def _carrier_rotation(self, at: Snapshot) -> Matrix:
        """Rotation matrix of the carrier's frame relative to the inertial frame."""
        k = self.skeleton.index[self._mounting.carrier]
        own = self.skeleton.body_of(k).markers["origin"].R
        return own if k < 0 else at.placements[k].pose.R @ own

    def outputs(self, at: Snapshot, lam: Matrix) -> Mapping[str, Matrix]:
        contact = self._contact
        outputs = dict(self._resolved.outputs(*self._axes, contact, lam))
        force = contact.exerted[3:] * lam + contact.separating[3:] * ca.fabs(lam) + contact.steady[3:]
        outputs["force"] = (self._carrier_rotation(at) @ force)[: 2 if self.skeleton.planar else 3]
        return outputs

    def remedy(self, held: Mapping[str, tuple[float, ...]]) -> str:
        """Advice that states the value of `phase` with which the wheels mesh at the prescribed joint angles `held`."""
        if not all(len(held.get(joint, ())) == 1 for joint in self._mounting.joints):
            return ""
        slopes = [ca.SX(w) for w in self._slopes]
        w1, w2 = (
            float(
                ca.evalf(
                    ca.substitute(w, self.skeleton.parameter_symbols, ca.DM(self.skeleton.parameter_values))
                )
            )
            for w in slopes
        )
        first, second = (
            sum(sense * held[joint][0] for joint, sense in seat.joints) for seat in self._mounting.seats
        )
        phase = coordinate_text([first + w2 / w1 * second], 12)
        return f"Or give '{self.name}' phase={phase}, which is compatible with the prescribed angles."
