"""Base class of gears, racks, worms, belts and chains: a constraint between two wheels on a common carrier."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

import casadi as ca

from multiloop.model.expressions import Constant, Expression, Scalar, position
from multiloop.model.faults import Fault
from multiloop.model.geometry import Resolve, at_values
from multiloop.model.markers import scalar
from multiloop.model.pairs.coupling import Coupling
from multiloop.model.pairs.mounting import Axis, mounting_of
from multiloop.spatial import Matrix

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism


@dataclass(frozen=True)
class Contact:
    """Wrenches [n; f] from the first wheel on the second, at a point, in the frame of the carrier.

    `exerted` is the wrench per unit multiplier λ. `apart` is proportional to |λ| and `steady` is constant; both do no
    work in the motion of the wheels on the carrier.
    """

    point: Matrix
    exerted: Matrix
    apart: Matrix
    steady: Matrix

    @staticmethod
    def of_forces(point: Matrix, exerted: Matrix, apart: Matrix) -> Contact:
        """Wrenches of two wheels with contact at one point."""
        nothing = ca.DM(3, 1)
        return Contact(point, ca.vertcat(nothing, exerted), ca.vertcat(nothing, apart), ca.DM(6, 1))

    def slopes(self, first: Axis, second: Axis) -> tuple[Matrix, Matrix]:
        """Derivatives of the row with respect to the motion of either wheel: −wᵀ t₁ and wᵀ t₂ at the point."""
        return (
            -(self.exerted.T @ first.twist(self.point)),
            self.exerted.T @ second.twist(self.point),
        )


@dataclass(frozen=True)
class Gearing(Coupling):
    """Two wheels on one carrier whose motions are coupled: w₁ (θ₁ − phase) + w₂ θ₂ = 0.

    θ are the angles of the wheels relative to the carrier, about the z axes of their bearings and counted over all
    turns, or the displacement of a rack. With `phase` 0 the wheels mesh at zero angles; in general `phase` is the angle
    of the first wheel at which that of the second is zero.
    """

    first: str
    second: str
    carrier: str = field(default="", kw_only=True)
    phase: Scalar = field(default=0.0, kw_only=True)

    called: ClassVar[str] = "gear"
    second_slides: ClassVar[bool] = False  # a rack
    tooth: ClassVar[str] = "tooth force"  # name of its multiplier
    tells_second: ClassVar[bool] = False  # whether forces on the second wheel are reported separately

    def __post_init__(self) -> None:
        if self.carrier is None:
            object.__setattr__(self, "carrier", "")
        for entry in fields(self):
            value = getattr(self, entry.name)
            if isinstance(value, list | tuple):
                object.__setattr__(self, entry.name, tuple(scalar(part) for part in value))
            elif not isinstance(value, bool | str):
                object.__setattr__(self, entry.name, scalar(value))

    def joints_in(self, mechanism: Mechanism) -> tuple[str, ...]:
        return mounting_of(mechanism, self).joints

    def equation_in(self, mechanism: Mechanism) -> Scalar | None:
        """θ₁ + (w₂/w₁) θ₂ − phase."""
        mounting = mounting_of(mechanism, self)
        axes = mounting.axes(mechanism)
        w1, w2 = (float(w) for w in self.resolved(at_values).contact(*axes).slopes(*axes))
        first, second = (
            sum((sense * position(joint) for joint, sense in seat.joints), Constant(0.0))
            for seat in mounting.seats
        )
        sizes = self.sizes
        ratio = w2 / w1 if sizes is None else (sizes[1] / sizes[0] if w2 / w1 > 0 else -(sizes[1] / sizes[0]))
        return first + ratio * second - self.phase

    @property
    def sizes(self) -> tuple[Any, Any] | None:
        """Two numbers in the ratio of the pitch radii if it is given, else None."""
        return None

    def reach_in(self, mechanism: Mechanism) -> float:
        first, second = mounting_of(mechanism, self).axes(mechanism)
        return float(ca.norm_2(across(second.p - first.p, first.a)))

    def resolved(self, resolve: Resolve) -> Self:
        """The gearing with numbers or symbols in place of its expressions."""
        changes: dict[str, Any] = {}
        for entry in fields(self):
            value = getattr(self, entry.name)
            if isinstance(value, Expression):
                changes[entry.name] = resolve(value)
            elif isinstance(value, tuple):
                changes[entry.name] = tuple(resolve(part) for part in value)
        return replace(self, **changes)

    @abstractmethod
    def contact(self, first: Axis, second: Axis) -> Contact:
        """Wrenches from the first wheel on the second, for the axes of both on the carrier."""

    @property
    def lengths(self) -> Mapping[str, Any]:
        """Its values that must be positive, by name."""
        return {}

    @property
    def angles(self) -> Mapping[str, tuple[Any, float, float]]:
        """Its angles by name, each with the bounds low ≤ angle < high."""
        return {}

    @property
    def scalars(self) -> Mapping[str, Any]:
        """Its other values, by name."""
        return {"phase": self.phase}

    def number_faults(self, where: str) -> Iterator[Fault]:
        """Further errors of its values."""
        yield from ()

    def axis_faults(self, where: str, first: Axis, second: Axis) -> Iterator[Fault]:
        """Errors of the position of its axes, for numerical values."""
        yield from ()

    @property
    def pushes_apart(self) -> bool:
        """Whether there is a separating force, which loads the bearings and does no work."""
        return True

    @property
    def leaves_bearings_open(self) -> bool:
        """Whether equilibrium determines the multiplier but not the bearing loads."""
        return False

    def told(self, first: Axis, second: Axis, contact: Contact, lam: Matrix) -> Mapping[str, Matrix]:
        """Force on the first wheel as outputs: tangential, radial towards the axis, and axial component.

        `tangential` is positive if it drives the wheel in the positive sense of its bearing.
        """
        on_second = contact.exerted[3:] * lam + contact.apart[3:] * ca.fabs(lam)
        told = _parts(first, contact.point, -on_second)
        if self.tells_second:
            more = _parts(second, contact.point, on_second)
            told |= {f"{word}_on_second": force for word, force in more.items()}
        return told


def _parts(axis: Axis, point: Matrix, force: Matrix) -> dict[str, Matrix]:
    """Components of a force on a wheel: tangential, radial towards its axis, and axial."""
    e = across(point - axis.p, axis.a)
    e = e / ca.norm_2(e)
    parts = (ca.cross(axis.a, e), -e, axis.a)
    return {
        word: ca.dot(force, way) for word, way in zip(("tangential", "radial", "axial"), parts, strict=True)
    }


def across(d: Matrix, a: Matrix) -> Matrix:
    """The component of a vector perpendicular to a unit vector."""
    return d - ca.dot(d, a) * a
