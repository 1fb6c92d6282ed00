"""Rack and pinion."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import cos, pi
from typing import Any, ClassVar

import casadi as ca

from multiloop.model.expressions import Scalar
from multiloop.model.faults import Fault
from multiloop.model.markers import value_of
from multiloop.model.pairs.gear import tooth_contact
from multiloop.model.pairs.gearing import Contact, Gearing, across
from multiloop.model.pairs.mounting import SAME, Axis
from multiloop.spatial import Matrix, numeric


@dataclass(frozen=True)
class Rack(Gearing):
    """Rack and pinion: the first marker is on the pinion, the second on the pitch line of the rack.

    The rack slides on the carrier.

        ρ (θ − phase) ± s = 0

    ρ is the distance of the pinion's axis from the pitch line. If a `radius`, or `teeth` and `module`, are given, they
    must agree with it. Forces are those of a Gear.
    """

    radius: Scalar | None = field(default=None, kw_only=True)
    teeth: int | None = field(default=None, kw_only=True)
    module: Scalar | None = field(default=None, kw_only=True)
    pressure_angle: Scalar = field(default=pi / 9, kw_only=True)
    helix_angle: Scalar = field(default=0.0, kw_only=True)

    called: ClassVar[str] = "rack"
    second_slides: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.teeth, float) and self.teeth.is_integer():
            object.__setattr__(self, "teeth", int(self.teeth))

    @property
    def pushes_apart(self) -> bool:
        return value_of(self.pressure_angle) != 0.0

    @property
    def lengths(self) -> Mapping[str, Any]:
        return {name: x for name in ("radius", "module") if (x := getattr(self, name)) is not None}

    @property
    def angles(self) -> Mapping[str, tuple[Any, float, float]]:
        return {
            "pressure angle": (self.pressure_angle, 0.0, pi / 2),
            "helix angle": (self.helix_angle, -pi / 2 + 1e-6, pi / 2),
        }

    def number_faults(self, where: str) -> Iterator[Fault]:
        if (self.teeth is None) != (self.module is None) or (
            self.teeth is not None and self.radius is not None
        ):
            remedy = "Give radius=, or teeth= and module=, or none of them."
            yield Fault("G04", where, "has one of teeth and module, or a radius besides.", remedy)
        elif self.teeth is not None and not (isinstance(self.teeth, int) and self.teeth > 0):
            yield Fault("G04", where, f"its teeth are {self.teeth}.", "Give a whole number above zero.")

    def axis_faults(self, where: str, first: Axis, second: Axis) -> Iterator[Fault]:
        a, s = (numeric(axis.a).ravel() for axis in (first, second))
        if abs(float(a @ s)) > SAME:
            remedy = "Let the rack slide across the axis of its pinion."
            yield Fault("G06", where, "it does not slide across the axis of its pinion.", remedy)
            return
        distance, expected = float(ca.norm_2(_across_both(first, second))), self._standard_radius
        if distance < 1e-9:
            remedy = "Put the second marker on the pitch line, a pitch radius away from the axis."
            yield Fault("G06", where, "its pitch line goes through the axis of its pinion.", remedy)
        elif expected is not None and abs(distance - expected) > SAME * distance:
            what = f"its pitch line is {distance:.9g} m off the axis, but its pinion has the radius {expected:.9g} m."
            yield Fault("G08", where, what, "Move the second marker, or leave the radius out.")

    @property
    def _standard_radius(self) -> float | None:
        module, beta = value_of(self.module), value_of(self.helix_angle)
        if self.teeth is None or module is None or beta is None:
            return value_of(self.radius)
        return module * self.teeth / (2 * cos(beta))

    def contact(self, first: Axis, second: Axis) -> Contact:
        d = _across_both(first, second)
        e = d / ca.norm_2(d)
        middle = ca.dot(second.p - first.p, first.a) / 2 * first.a
        return tooth_contact(first, e, first.p + middle + d, e, self.pressure_angle, self.helix_angle)


def _across_both(first: Axis, second: Axis) -> Matrix:
    """The shortest vector from the pinion's axis to the pitch line."""
    return across(across(second.p - first.p, first.a), second.a)
