"""What every gearing between two wheels on a common carrier can say of itself: gears, racks, worms, belts."""

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
    """What goes from the first wheel to the second, in the carrier's frame: wrenches [n; f] at a point.

    `exerted` is the wrench for a unit multiplier λ. `apart` comes with |λ|, and `steady` is always there: both do no
    work along the wheels' motion on the carrier.
    """

    point: Matrix
    exerted: Matrix
    apart: Matrix
    steady: Matrix

    @staticmethod
    def of_forces(point: Matrix, exerted: Matrix, apart: Matrix) -> Contact:
        """Two wheels that touch in one point."""
        nothing = ca.DM(3, 1)
        return Contact(point, ca.vertcat(nothing, exerted), ca.vertcat(nothing, apart), ca.DM(6, 1))

    def slopes(self, first: Axis, second: Axis) -> tuple[Matrix, Matrix]:
        """How the row grows with the motion of either wheel: −wᵀ t₁ and wᵀ t₂ at the point."""
        return (
            -(self.exerted.T @ first.twist(self.point)),
            self.exerted.T @ second.twist(self.point),
        )


@dataclass(frozen=True)
class Gearing(Coupling):
    """Two wheels on one carrier whose motions are tied: w₁ (θ₁ − phase) + w₂ θ₂ = 0.

    θ are the angles of the wheels on the carrier, about the z of their bearings, or the slide of a rack; they run on
    from turn to turn. With `phase` 0 the zero poses mesh; else `phase` is the angle of the first wheel at which the
    second stands at zero.
    """

    first: str
    second: str
    carrier: str = field(default="", kw_only=True)
    phase: Scalar = field(default=0.0, kw_only=True)

    called: ClassVar[str] = "gear"
    second_slides: ClassVar[bool] = False  # a rack
    tooth: ClassVar[str] = "tooth force"  # what its multiplier is called
    tells_second: ClassVar[bool] = False  # whether forces differ from wheel to wheel

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
        """Numbers in the ratio of the radii, where it is given."""
        return None

    def reach_in(self, mechanism: Mechanism) -> float:
        first, second = mounting_of(mechanism, self).axes(mechanism)
        return float(ca.norm_2(across(second.p - first.p, first.a)))

    def resolved(self, resolve: Resolve) -> Self:
        """The same with numbers or symbols in place of its expressions."""
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
        """What goes from the first wheel to the second, from where their axes stand on the carrier."""

    @property
    def lengths(self) -> Mapping[str, Any]:
        """Its numbers that must be more than nothing, by what they are called."""
        return {}

    @property
    def angles(self) -> Mapping[str, tuple[Any, float, float]]:
        """Its angles by what they are called, each with the bounds low ≤ angle < high."""
        return {}

    @property
    def scalars(self) -> Mapping[str, Any]:
        """Its other numbers, by what they are called."""
        return {"phase": self.phase}

    def number_faults(self, where: str) -> Iterator[Fault]:
        """What else is wrong with its own numbers."""
        yield from ()

    def axis_faults(self, where: str, first: Axis, second: Axis) -> Iterator[Fault]:
        """What is wrong with the place of its wheels, in numbers."""
        yield from ()

    @property
    def pushes_apart(self) -> bool:
        """Whether something comes with the multiplier that bearings feel and no motion does."""
        return True

    @property
    def leaves_bearings_open(self) -> bool:
        """Whether equilibrium does not tell what its bearings carry, though it tells the multiplier."""
        return False

    def told(self, first: Axis, second: Axis, contact: Contact, lam: Matrix) -> Mapping[str, Matrix]:
        """Its force on the first wheel: along the turning, towards the axis, and along the axis.

        `tangential` is positive where it turns the wheel in the positive sense of its bearing.
        """
        on_second = contact.exerted[3:] * lam + contact.apart[3:] * ca.fabs(lam)
        told = _parts(first, contact.point, -on_second)
        if self.tells_second:
            more = _parts(second, contact.point, on_second)
            told |= {f"{word}_on_second": force for word, force in more.items()}
        return told


def _parts(axis: Axis, point: Matrix, force: Matrix) -> dict[str, Matrix]:
    """A force on a wheel: in the direction in which its point turns, towards its axis, and along its axis."""
    e = across(point - axis.p, axis.a)
    e = e / ca.norm_2(e)
    parts = (ca.cross(axis.a, e), -e, axis.a)
    return {
        word: ca.dot(force, way) for word, way in zip(("tangential", "radial", "axial"), parts, strict=True)
    }


def across(d: Matrix, a: Matrix) -> Matrix:
    """The part of a vector perpendicular to a unit direction."""
    return d - ca.dot(d, a) * a
