"""Spur and helical gears on parallel axes, external or internal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import cos, pi
from typing import Any

import casadi as ca

from multiloop.model.expressions import Scalar
from multiloop.model.faults import Fault
from multiloop.model.markers import value_of
from multiloop.model.pairs.gearing import Contact, across
from multiloop.model.pairs.mounting import SAME, Axis
from multiloop.model.pairs.toothed import Toothed
from multiloop.spatial import Matrix, numeric


@dataclass(frozen=True)
class Gear(Toothed):
    """A spur or helical gear pair: the pitch circles roll on each other at a point c in the plane of the axes.

        ρ₁ θ₁ ± ρ₂ θ₂ = ρ₁ phase,    ρ₁ = a z₁ / (z₁ + z₂)  or, for internal gears,  a z₁ / |z₂ − z₁|

    With e from the first axis to c, t = a₁ × e and the helix angle β (positive for a right-handed first gear) the first
    gear exerts on the second

        f = −λ (t − tan β a₁) + |λ| (tan αₙ / cos β) e

    The last term is the separating force, which acts on both flanks.

    Source: [shigley], ch. 13, force analysis of spur and helical gearing.
    Differs: the tangential force is signed, the radial force is not.
    """

    module: Scalar | None = field(default=None, kw_only=True)
    helix_angle: Scalar = field(default=0.0, kw_only=True)
    internal: bool = field(default=False, kw_only=True)

    @property
    def lengths(self) -> Mapping[str, Any]:
        return {**super().lengths, **({} if self.module is None else {"module": self.module})}

    @property
    def angles(self) -> Mapping[str, tuple[Any, float, float]]:
        return {**super().angles, "helix angle": (self.helix_angle, -pi / 2 + 1e-6, pi / 2)}

    def number_faults(self, where: str) -> Iterator[Fault]:
        faults = list(super().number_faults(where))
        yield from faults
        if self.module is not None and self.teeth is None:
            yield Fault("G04", where, "has a module but no teeth.", "Give teeth=(20, 40) with it.")
        if self.internal and not faults and value_of(self.sizes[0]) == value_of(self.sizes[1]):
            remedy = "The gear inside has to be smaller than the ring around it."
            yield Fault("G07", where, "is internal, but both wheels have the same size.", remedy)

    def axis_faults(self, where: str, first: Axis, second: Axis) -> Iterator[Fault]:
        yield from parallel_faults(where, first, second)
        distance = float(ca.norm_2(across(second.p - first.p, first.a)))
        expected = self.standard_distance
        if distance < 1e-9:
            remedy = "Put them side by side; wheels on one axis are geared by a third, or tied by a Relation."
            yield Fault("G06", where, "both wheels turn about the same line.", remedy)
        elif expected is not None and abs(distance - expected) > SAME * distance:
            given = "radii" if self.teeth is None else "teeth and module"
            yield Fault(
                "G08",
                where,
                f"the axes are {distance:.9g} m apart, but its {given} ask for {expected:.9g} m.",
                "Move a bearing, or give teeth alone: the wheels then roll on the circles that fit the distance.",
            )

    @property
    def standard_distance(self) -> float | None:
        """The centre distance from the radii, or from teeth and module, m (z₁ ± z₂) / 2 cos β."""
        first, second = (value_of(size) for size in self.sizes)
        module, beta = (value_of(x) for x in (self.module, self.helix_angle))
        if first is None or second is None or beta is None or (self.teeth is not None and module is None):
            return None
        both = abs(second - first) if self.internal else first + second
        return both if self.teeth is None or module is None else module * both / (2 * cos(beta))

    def contact(self, first: Axis, second: Axis) -> Contact:
        d = across(second.p - first.p, first.a)
        n1, n2 = self.sizes
        bigger = ca.sign(n2 - n1) if self.internal else 1  # −1 if the first gear is the ring
        e = -bigger * d / ca.norm_2(d) if self.internal else d / ca.norm_2(d)
        rho = ca.norm_2(d) * n1 / (bigger * (n2 - n1) if self.internal else n1 + n2)
        middle = ca.dot(second.p - first.p, first.a) / 2 * first.a
        apart = bigger * e
        return tooth_contact(
            first, e, first.p + middle + rho * e, apart, self.pressure_angle, self.helix_angle
        )


def tooth_contact(first: Axis, e: Matrix, point: Matrix, apart: Matrix, alpha: Any, beta: Any) -> Contact:
    """Forces between teeth in contact at a point in the direction e from the first axis."""
    exerted = ca.tan(beta) * first.a - ca.cross(first.a, e)
    return Contact.of_forces(point, exerted, ca.tan(alpha) / ca.cos(beta) * apart)


def parallel_faults(where: str, first: Axis, second: Axis) -> Iterator[Fault]:
    """Errors if the axes are not parallel or the wheels do not lie in one plane perpendicular to them."""
    a, other = (numeric(axis.a).ravel() for axis in (first, second))
    tilt = abs(float(a @ other))
    offset = float(a @ (numeric(second.p) - numeric(first.p)).ravel())
    if tilt < 1 - SAME**2:
        angle = f"{float(ca.acos(min(tilt, 1.0))) * 180 / pi:.6g}°"
        remedy = "Turn a bearing; wheels at an angle are a Bevel, or a Worm where the axes do not meet."
        yield Fault("G06", where, f"its axes are at {angle} to each other.", remedy)
    elif abs(offset) > SAME * max(1e-3, float(ca.norm_2(second.p - first.p))):
        remedy = "Put both markers into the middle of their teeth, in one plane."
        yield Fault("G06", where, f"its wheels are {abs(offset):.6g} m apart along their axes.", remedy)
