"""Base classes of gear pairs and belt drives: constraint equation, transmitted wrenches, teeth and pitch radii.

    w₁ (θ₁ − phase) + w₂ θ₂ = 0

θ₁ and θ₂ are the angles of the two wheels relative to their common carrier (or the displacement of a rack), and the
weights w follow from the wrenches between the wheels.

Theory: docs/theory/03-constraints.md, eq. (3.11).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from math import pi
from typing import TYPE_CHECKING, Any, ClassVar, Self

import casadi as ca

from multiloop.model.connection import Coupling
from multiloop.model.expressions import Constant, Expression, Scalar, position
from multiloop.model.expressions.expression import is_number
from multiloop.model.expressions.expression_text import number_text
from multiloop.model.faults import Fault, ModelError, short_repr
from multiloop.model.gears.mounting import Axis, mounting_of
from multiloop.model.marker_poses import Resolve, nominal_value
from multiloop.model.markers import Vector, scalar, value_of
from multiloop.spatial import Matrix

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism


@dataclass(frozen=True)
class TransmittedWrenches:
    """Wrenches [n; f] that the first wheel exerts on the second, at `point`, in the frame of the carrier.

    The wrench is `exerted` λ + `separating` |λ| + `steady`, with the multiplier λ; `steady` is the wrench of a
    pretension. The last two terms do no work when the wheels move on the carrier.
    """

    point: Matrix
    exerted: Matrix
    separating: Matrix
    steady: Matrix

    @staticmethod
    def from_forces(point: Matrix, exerted: Matrix, apart: Matrix) -> TransmittedWrenches:
        """Wrenches between two wheels in contact at one point, from the forces `exerted` per unit of the multiplier λ
        and `apart` per unit of |λ| on the second wheel."""
        nothing = ca.DM(3, 1)
        return TransmittedWrenches(
            point, ca.vertcat(nothing, exerted), ca.vertcat(nothing, apart), ca.DM(6, 1)
        )

    def slopes(self, first: Axis, second: Axis) -> tuple[Matrix, Matrix]:
        """Derivatives of the constraint equation with respect to the motions of the two wheels: −wᵀ t₁ and wᵀ t₂.

        w is the wrench `exerted`, and t₁ and t₂ are the twists of the wheels per unit of their motions, all at `point`.
        """
        return (
            -(self.exerted.T @ first.twist(self.point)),
            self.exerted.T @ second.twist(self.point),
        )


@dataclass(frozen=True)
class Gearing(Coupling):
    """Two wheels on one carrier whose motions are coupled: w₁ (θ₁ − phase) + w₂ θ₂ = 0.

    θ₁ and θ₂ are the angles of the wheels relative to the carrier, about the z axes of their bearings and counted over
    all turns, or the displacement of a rack. The weights w follow from the wrenches between the wheels. `phase` is the
    angle of the first wheel at which the angle of the second is zero.
    """

    first: str
    second: str
    carrier: str = field(default="", kw_only=True)
    phase: Scalar = field(default=0.0, kw_only=True)

    called: ClassVar[str] = "gear"
    second_slides: ClassVar[bool] = False  # whether the second part is a rack, which slides
    multiplier_name: ClassVar[str] = "tooth force"  # name of the multiplier in results
    reports_second: ClassVar[bool] = False  # whether forces on the second wheel are reported separately

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
        """The constraint θ₁ + (w₂/w₁) θ₂ − phase as an expression of joint positions, with the angles θ of the two
        wheels (or the displacement of a rack) and their weights w."""
        mounting = mounting_of(mechanism, self)
        axes = mounting.axes(mechanism)
        w1, w2 = (float(w) for w in self.resolved(nominal_value).contact(*axes).slopes(*axes))
        first, second = (
            sum((sense * position(joint) for joint, sense in seat.joints), Constant(0.0))
            for seat in mounting.seats
        )
        sizes = self.sizes
        ratio = w2 / w1 if sizes is None else (sizes[1] / sizes[0] if w2 / w1 > 0 else -(sizes[1] / sizes[0]))
        return first + ratio * second - self.phase

    @property
    def sizes(self) -> tuple[Any, Any] | None:
        """Two numbers in the ratio of the pitch radii, such as numbers of teeth; None if the ratio is not given."""
        return None

    def reach_in(self, mechanism: Mechanism, resolve: Resolve = nominal_value) -> Any:
        first, second = mounting_of(mechanism, self).axes(mechanism, resolve)
        reach = ca.norm_2(perpendicular_part(second.p - first.p, first.a))
        return reach if isinstance(reach, ca.SX) else float(reach)

    def resolved(self, resolve: Resolve) -> Self:
        """The gear pair or belt with its expressions replaced by the numbers or symbols that `resolve` returns."""
        changes: dict[str, Any] = {}
        for entry in fields(self):
            value = getattr(self, entry.name)
            if isinstance(value, Expression):
                changes[entry.name] = resolve(value)
            elif isinstance(value, tuple):
                changes[entry.name] = tuple(resolve(part) for part in value)
        return replace(self, **changes)

    @abstractmethod
    def contact(self, first: Axis, second: Axis) -> TransmittedWrenches:
        """Wrenches that the first wheel exerts on the second, for given axes of both wheels in the carrier's frame."""

    @property
    def lengths(self) -> Mapping[str, Any]:
        """Values of the fields of the gearing that must be positive; the keys name the fields in messages."""
        return {}

    @property
    def angles(self) -> Mapping[str, tuple[Any, float, float]]:
        """Values of the angles among the fields of the gearing, each with its bounds, low ≤ angle < high (rad); the
        keys name the angles in messages."""
        return {}

    @property
    def scalars(self) -> Mapping[str, Any]:
        """Values of the numerical fields of the gearing that may have any value, such as `phase`; the keys name the
        fields in messages."""
        return {"phase": self.phase}

    def number_faults(self, where: str) -> Iterator[Fault]:
        """Errors of the fields that are specific to one type of gear pair or belt; subclasses override this method."""
        yield from ()

    def axis_faults(self, where: str, first: Axis, second: Axis) -> Iterator[Fault]:
        """Errors of the positions of the axes of both wheels, given as numbers in the carrier's frame; subclasses
        override this method."""
        yield from ()

    @property
    def pushes_apart(self) -> bool:
        """Whether the wheels exert a separating force on each other; such a force loads the bearings and does no
        work."""
        return True

    @property
    def leaves_bearings_undetermined(self) -> bool:
        """Whether equilibrium determines the multiplier but not the bearing loads."""
        return False

    def outputs(
        self, first: Axis, second: Axis, contact: TransmittedWrenches, lam: Matrix
    ) -> Mapping[str, Matrix]:
        """Tangential, radial (towards the axis) and axial component of the force on the first wheel, by name; `lam` is
        the multiplier.

        The tangential force is positive if it drives the wheel in the positive sense of its bearing.
        """
        on_second = contact.exerted[3:] * lam + contact.separating[3:] * ca.fabs(lam)
        outputs = _force_components(first, contact.point, -on_second)
        if self.reports_second:
            more = _force_components(second, contact.point, on_second)
            outputs |= {f"{word}_on_second": force for word, force in more.items()}
        return outputs


def _force_components(axis: Axis, point: Matrix, force: Matrix) -> dict[str, Matrix]:
    """Components of a force on a wheel at `point`: tangential, radial (towards its axis), and axial."""
    e = perpendicular_part(point - axis.p, axis.a)
    e = e / ca.norm_2(e)
    parts = (ca.cross(axis.a, e), -e, axis.a)
    return {
        word: ca.dot(force, way) for word, way in zip(("tangential", "radial", "axial"), parts, strict=True)
    }


def perpendicular_part(d: Matrix, a: Matrix) -> Matrix:
    """The part of the vector `d` that is perpendicular to the unit vector `a`."""
    return d - ca.dot(d, a) * a


TEETH_REMEDY = "Give two whole numbers above zero, e.g. teeth=(20, 40)."


@dataclass(frozen=True)
class Toothed(Gearing):
    """Two toothed wheels whose pitch radii follow from the centre distance and the ratio of `teeth` or `radii`.

    The numbers of teeth are sufficient: gears with profile shift, too, roll on the pitch circles given by their centre
    distance. If `radii` are given and do not agree with the centre distance, an error is reported.
    """

    teeth: tuple[int, ...] | None = field(default=None, kw_only=True)
    radii: Vector | None = field(default=None, kw_only=True)
    pressure_angle: Scalar = field(default=pi / 9, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "teeth", whole_teeth(self.teeth))

    @property
    def sizes(self) -> tuple[Any, Any]:
        """Two numbers in the ratio of the pitch radii: the numbers of teeth, or the radii."""
        return require_two(self, self.teeth if self.teeth is not None else self.radii or (1, 1))

    @property
    def pushes_apart(self) -> bool:
        return value_of(self.pressure_angle) != 0.0

    @property
    def lengths(self) -> Mapping[str, Any]:
        pair = isinstance(self.radii, tuple) and len(self.radii) == 2
        return dict(zip(("first radius", "second radius"), self.radii or (), strict=True)) if pair else {}

    @property
    def angles(self) -> Mapping[str, tuple[Any, float, float]]:
        return {"pressure angle": (self.pressure_angle, 0.0, pi / 2)}

    def number_faults(self, where: str) -> Iterator[Fault]:
        """Errors unless either two numbers of teeth or two radii are given, all positive."""
        teeth, radii = self.teeth, self.radii
        if teeth is None and radii is None:
            remedy = "Give teeth=(20, 40), or the pitch radii, radii=(0.02, 0.04)."
            yield Fault("G04", where, "has no teeth.", remedy)
        elif teeth is not None and radii is not None:
            yield Fault("G04", where, "has teeth and radii.", "Give one of them; the other is derived.")
        elif teeth is not None and not are_tooth_numbers(teeth):
            yield Fault("G04", where, f"its teeth are {numbers_text(teeth)}.", TEETH_REMEDY)
        elif teeth is None and not self.lengths:
            remedy = "Give two pitch radii in metres, e.g. radii=(0.02, 0.04)."
            yield Fault("G04", where, f"its radii are {numbers_text(radii)}.", remedy)


def require_two(gearing: Gearing, numbers: Any) -> tuple[Any, Any]:
    """The pair `numbers`, the teeth or radii of both wheels; raises a ModelError if it does not have two entries."""
    if isinstance(numbers, tuple) and len(numbers) == 2:
        return numbers
    where = f"{gearing.called} '{gearing.name}'"
    raise ModelError(where, gearing.number_faults(where))


def whole_teeth(teeth: Any) -> Any:
    """Numbers of teeth converted to integers; invalid values are returned unchanged, since the checks report them."""
    if isinstance(teeth, tuple) and all(isinstance(n, float) and n.is_integer() for n in teeth):
        return tuple(int(n) for n in teeth)
    return teeth


def are_tooth_numbers(teeth: Any) -> bool:
    """Whether `teeth` is a tuple of two positive whole numbers."""
    return (
        isinstance(teeth, tuple)
        and len(teeth) == 2
        and all(is_number(n) and float(n).is_integer() and n > 0 for n in teeth)
    )


def numbers_text(numbers: Any) -> str:
    """A tuple of numbers as text, as a user would write it, such as "(20, 40)"."""
    if not isinstance(numbers, tuple) or not all(is_number(n) for n in numbers):
        return short_repr(numbers)
    inside = ", ".join(number_text(float(n)) for n in numbers)
    return f"({inside}{',' * (len(numbers) == 1)})"
