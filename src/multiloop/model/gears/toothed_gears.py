"""Gears with teeth: spur, helical and internal gears, bevel gears, racks and worms.

Theory: docs/theory/03-constraints.md, eq. (3.12).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import cos, pi
from typing import Any, ClassVar

import casadi as ca
import numpy as np

from multiloop.model.expressions import Scalar
from multiloop.model.faults import Fault
from multiloop.model.gears.gearing import Gearing, Toothed, TransmittedWrenches, perpendicular_part
from multiloop.model.gears.mounting import TOLERANCE, Axis
from multiloop.model.markers import Vector, value_of
from multiloop.spatial import Matrix, numeric


@dataclass(frozen=True)
class Gear(Toothed):
    """A spur or helical gear pair: the pitch circles roll on each other at a point c in the plane of the axes.

        ρ₁ θ₁ ± ρ₂ θ₂ = ρ₁ phase,    ρ₁ = a z₁ / (z₁ + z₂)  or, for internal gears,  a z₁ / |z₂ − z₁|

    with angles θ of the gears relative to their carrier, pitch radii ρ, numbers of teeth z and centre distance a. For
    axes that point in the same direction, ± is + for external and − for internal gears. With the unit vector e from the
    first axis to c, the unit vector a₁ of the first axis, t = a₁ × e, the normal pressure angle αₙ and the helix angle
    β (positive for a right-handed first gear), the first gear exerts on the second the force

        f = −λ (t − tan β a₁) + |λ| (tan αₙ / cos β) e

    with the multiplier λ. The last term is the separating force; it has the same direction for contact on either flank.
    If the first gear is a ring gear, this force has the direction −e.

    The `width` of the teeth, Young's moduli `E` and Poisson's ratios `nu` (one number for both gears, or a pair; by
    default 0.3) serve only to compute the Hertz pressure.

    Source: [shigley], ch. 13, force analysis of spur and helical gearing.
    Differs: the tangential force has a sign; the radial force is always positive.
    """

    module: Scalar | None = field(default=None, kw_only=True)
    helix_angle: Scalar = field(default=0.0, kw_only=True)
    internal: bool = field(default=False, kw_only=True)
    width: Scalar | None = field(default=None, kw_only=True)
    E: Scalar | Vector | None = field(default=None, kw_only=True)
    nu: Scalar | Vector | None = field(default=None, kw_only=True)

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
            yield Fault("G04", where, "has a module but no teeth.", "Give teeth=(20, 40) too.")
        if self.internal and not faults and value_of(self.sizes[0]) == value_of(self.sizes[1]):
            remedy = "Make the inner gear smaller than the ring gear."
            yield Fault("G07", where, "is internal, but both wheels have the same size.", remedy)

    def axis_faults(self, where: str, first: Axis, second: Axis) -> Iterator[Fault]:
        yield from parallel_faults(where, first, second)
        distance = float(ca.norm_2(perpendicular_part(second.p - first.p, first.a)))
        expected = self.standard_distance
        if distance < 1e-9:
            remedy = "Put the axes apart; for wheels on one axis use a third wheel, or a Relation."
            yield Fault("G06", where, "both wheels have the same axis.", remedy)
        elif expected is not None and abs(distance - expected) > TOLERANCE * distance:
            given = "radii" if self.teeth is None else "teeth and module"
            yield Fault(
                "G08",
                where,
                f"the axes are {distance:.9g} m apart, but its {given} require {expected:.9g} m.",
                "Move a bearing, or give only teeth: the pitch circles then follow from the distance.",
            )

    @property
    def standard_distance(self) -> float | None:
        """The centre distance (m) that the given sizes require: r₁ + r₂, or with numbers of teeth z, module m and helix
        angle β, m (z₁ + z₂) / (2 cos β); for internal gears with the difference in place of the sum.

        None if only the numbers of teeth are given, without a module.
        """
        first, second = (value_of(size) for size in self.sizes)
        module, beta = (value_of(x) for x in (self.module, self.helix_angle))
        if first is None or second is None or beta is None or (self.teeth is not None and module is None):
            return None
        both = abs(second - first) if self.internal else first + second
        return both if self.teeth is None or module is None else module * both / (2 * cos(beta))

    def contact(self, first: Axis, second: Axis) -> TransmittedWrenches:
        d = perpendicular_part(second.p - first.p, first.a)
        n1, n2 = self.sizes
        bigger = ca.sign(n2 - n1) if self.internal else 1  # −1 if the first gear is the ring gear
        e = -bigger * d / ca.norm_2(d) if self.internal else d / ca.norm_2(d)
        rho = ca.norm_2(d) * n1 / (bigger * (n2 - n1) if self.internal else n1 + n2)
        middle = ca.dot(second.p - first.p, first.a) / 2 * first.a
        apart = bigger * e
        return tooth_contact(
            first, e, first.p + middle + rho * e, apart, self.pressure_angle, self.helix_angle
        )


def tooth_contact(
    first: Axis, e: Matrix, point: Matrix, apart: Matrix, alpha: Any, beta: Any
) -> TransmittedWrenches:
    """Wrenches between teeth in contact at `point`, which is in the direction `e` from the first axis.

    `apart` is the unit vector of the separating force, `alpha` the pressure angle and `beta` the helix angle.
    """
    exerted = ca.tan(beta) * first.a - ca.cross(first.a, e)
    return TransmittedWrenches.from_forces(point, exerted, ca.tan(alpha) / ca.cos(beta) * apart)


def parallel_faults(where: str, first: Axis, second: Axis) -> Iterator[Fault]:
    """Errors if the axes are not parallel, or the wheels are not in one plane perpendicular to the axes."""
    a, other = (numeric(axis.a).ravel() for axis in (first, second))
    tilt = abs(float(a @ other))
    offset = float(a @ (numeric(second.p) - numeric(first.p)).ravel())
    if tilt < 1 - TOLERANCE**2:
        angle = f"{float(ca.acos(min(tilt, 1.0))) * 180 / pi:.6g}°"
        remedy = "Make the axes parallel; use a Bevel for axes that intersect, a Worm for skew axes."
        yield Fault("G06", where, f"its axes are at {angle} to each other.", remedy)
    elif abs(offset) > TOLERANCE * max(1e-3, float(ca.norm_2(second.p - first.p))):
        remedy = "Put both markers at mid-width of the teeth, in one plane."
        yield Fault("G06", where, f"its wheels are {abs(offset):.6g} m apart along their axes.", remedy)


@dataclass(frozen=True)
class Bevel(Toothed):
    """A straight bevel gear pair: pitch cones with a common apex roll on each other.

        tan γ₁ = sin Σ / (z₂/z₁ + cos Σ),   ρ₁ = h₁ tan γ₁,   c = p₁ + ρ₁ e

    γ are the half-angles of the cones, ρ the pitch radii, Σ is the angle between the axes, directed from the apex to
    the centres p of the (mean) pitch circles, h₁ the distance of p₁ from the apex, e the unit vector perpendicular to
    the first axis towards the second, z the numbers of teeth, and c the point of contact. With the pressure angle α,
    the unit vector a₁ of the first axis and the multiplier λ, the first gear exerts on the second the force

        f = −λ a₁ × e + |λ| tan α n,      n = cos γ₁ e − sin γ₁ (p₁ − apex)/h₁

    n is perpendicular to the pitch cones: each gear is pushed towards its axis and away from the apex.

    Source: [shigley], ch. 13, force analysis of bevel gearing; [saha], §5.
    Differs: the tangential force has a sign; the separating force is always positive.
    """

    reports_second = True

    def axis_faults(self, where: str, first: Axis, second: Axis) -> Iterator[Fault]:
        (p1, a1), (p2, a2) = ((numeric(x).ravel() for x in (axis.p, axis.a)) for axis in (first, second))
        n, d = np.cross(a1, a2), p2 - p1
        size = max(float(np.linalg.norm(d)), 1e-3)
        if np.linalg.norm(n) < TOLERANCE:
            yield Fault("G06", where, "its axes are parallel.", "Use a Gear for parallel axes.")
            return
        if (gap := abs(float(d @ n)) / float(np.linalg.norm(n))) > TOLERANCE * size:
            remedy = "Let the axes intersect in one point, the apex of the cones; use a Worm for skew axes."
            yield Fault("G06", where, f"its axes do not intersect: their distance is {gap:.6g} m.", remedy)
            return
        apex = numeric(apex_of(first, second)).ravel()
        far = [float(np.linalg.norm(p - apex)) for p in (p1, p2)]
        if min(far) < TOLERANCE * size:
            which = "first" if far[0] < far[1] else "second"
            remedy = "Put its marker at the centre of the pitch circle: the distance from the apex gives the radius."
            yield Fault("G06", where, f"the centre of its {which} gear is the apex of the cones.", remedy)
            return
        t1, t2 = (float(np.tan(float(g))) for g in cone_angles(self, first, second))
        fits = far[0] * np.hypot(1, t1) / np.hypot(1, t2)
        if min(t1, t2) <= 0:
            remedy = "Move one centre to the other side of the apex."
            yield Fault("G07", where, "one of its pitch cones would have a negative angle.", remedy)
        elif abs(far[1] - fits) > TOLERANCE * fits:
            what = (
                f"with the centre of its first gear {far[0]:.9g} m from the apex, that of the second must be "
                f"{fits:.9g} m from the apex"
            )
            yield Fault(
                "G08", where, f"{what}, but is {far[1]:.9g} m.", "Move a centre, or change the teeth."
            )

    def contact(self, first: Axis, second: Axis) -> TransmittedWrenches:
        apex = apex_of(first, second)
        b1 = first.p - apex
        h1 = ca.norm_2(b1)
        b1 = b1 / h1
        e = perpendicular_part(second.p - apex, b1)
        e = e / ca.norm_2(e)
        gamma, _ = cone_angles(self, first, second)
        alpha: Any = self.pressure_angle
        apart = ca.cos(gamma) * e - ca.sin(gamma) * b1
        return TransmittedWrenches.from_forces(
            first.p + h1 * ca.tan(gamma) * e, -ca.cross(first.a, e), ca.tan(alpha) * apart
        )


def apex_of(first: Axis, second: Axis) -> Matrix:
    """The apex of the pitch cones: the intersection of the axes of a bevel gear pair."""
    n = ca.cross(first.a, second.a)
    along = ca.dot(ca.cross(second.p - first.p, second.a), n) / ca.dot(n, n)
    return first.p + along * first.a


def cone_angles(bevel: Bevel, first: Axis, second: Axis) -> tuple[Matrix, Matrix]:
    """Half-angles γ (rad) of the two pitch cones."""
    apex = apex_of(first, second)
    b1, b2 = ((axis.p - apex) / ca.norm_2(axis.p - apex) for axis in (first, second))
    cosine, sine = ca.dot(b1, b2), ca.norm_2(ca.cross(b1, b2))
    n1, n2 = bevel.sizes
    return ca.atan2(sine, n2 / n1 + cosine), ca.atan2(sine, n1 / n2 + cosine)


@dataclass(frozen=True)
class Rack(Gearing):
    """Rack and pinion: the first marker is on the pinion, the second on the pitch line of the rack.

    The pinion rotates by θ and the rack slides by s on the carrier:

        ρ (θ − phase) ± s = 0

    ρ is the distance of the pinion's axis from the pitch line; the sign ± follows from the directions of the axis and
    of the slide. If a `radius`, or `teeth` and `module`, are given, they must agree with this distance. Forces are
    those of a Gear.
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
        remedy = "Give radius=, or teeth= and module=, or none of them."
        if (self.teeth is None) != (self.module is None):
            what = "has a module but no teeth." if self.teeth is None else "has teeth but no module."
            yield Fault("G04", where, what, remedy)
        elif self.teeth is not None and self.radius is not None:
            yield Fault("G04", where, "has both teeth and a radius.", remedy)
        elif self.teeth is not None and not (isinstance(self.teeth, int) and self.teeth > 0):
            yield Fault("G04", where, f"its teeth are {self.teeth}.", "Give a whole number above zero.")

    def axis_faults(self, where: str, first: Axis, second: Axis) -> Iterator[Fault]:
        a, s = (numeric(axis.a).ravel() for axis in (first, second))
        if abs(float(a @ s)) > TOLERANCE:
            remedy = "Make the rack slide at a right angle to the axis of its pinion."
            yield Fault("G06", where, "it does not slide at a right angle to the axis of its pinion.", remedy)
            return
        distance, expected = float(ca.norm_2(_across_both(first, second))), self._standard_radius
        if distance < 1e-9:
            remedy = "Put the second marker on the pitch line, a pitch radius away from the axis."
            yield Fault("G06", where, "its pitch line passes through the axis of its pinion.", remedy)
        elif expected is not None and abs(distance - expected) > TOLERANCE * distance:
            what = f"its pitch line is {distance:.9g} m from the axis, but its pinion has the radius {expected:.9g} m."
            yield Fault("G08", where, what, "Move the second marker, or remove the radius.")

    @property
    def _standard_radius(self) -> float | None:
        module, beta = value_of(self.module), value_of(self.helix_angle)
        if self.teeth is None or module is None or beta is None:
            return value_of(self.radius)
        return module * self.teeth / (2 * cos(beta))

    def contact(self, first: Axis, second: Axis) -> TransmittedWrenches:
        d = _across_both(first, second)
        e = d / ca.norm_2(d)
        middle = ca.dot(second.p - first.p, first.a) / 2 * first.a
        return tooth_contact(first, e, first.p + middle + d, e, self.pressure_angle, self.helix_angle)


def _across_both(first: Axis, second: Axis) -> Matrix:
    """The shortest vector from the axis of the pinion to the pitch line of the rack."""
    return perpendicular_part(perpendicular_part(second.p - first.p, first.a), second.a)


@dataclass(frozen=True)
class Worm(Toothed):
    """Worm gear: the first marker is on the worm, the second on the wheel; the worm has as many teeth as its thread has
    starts.

        ρ₁ tan γ / z₁ = ρ₂ / z₂,   ρ₁ + ρ₂ = a

    ρ are the pitch radii, z the numbers of teeth, a is the centre distance and γ the lead angle of the thread, positive
    for a right-handed thread; instead of γ the pitch `radius` ρ₁ of the worm may be given. A worm is a helical gear
    with β = 90° − γ: forces are those of a Gear. Without friction it can be driven from both sides for any lead angle;
    a ToothFriction may make it self-locking.

    Source: [shigley], ch. 13, force analysis of worm gearing, without friction.
    """

    lead_angle: Scalar | None = field(default=None, kw_only=True)
    radius: Scalar | None = field(default=None, kw_only=True)

    called = "worm"
    reports_second = True

    @property
    def lengths(self) -> Mapping[str, Any]:
        return {} if self.radius is None else {"radius": self.radius}

    @property
    def angles(self) -> Mapping[str, tuple[Any, float, float]]:
        lead = {} if self.lead_angle is None else {"lead angle": (self.lead_angle, -pi / 2 + 1e-6, pi / 2)}
        return {**super().angles, **lead}

    def number_faults(self, where: str) -> Iterator[Fault]:
        if self.radii is not None:
            remedy = "Give teeth=(starts, teeth of the wheel), and lead_angle= or radius= of the worm."
            yield Fault("G04", where, "has `radii`, which a worm gear cannot have.", remedy)
        elif (self.lead_angle is None) == (self.radius is None):
            both = "has a lead angle and a radius" if self.radius is not None else "has no lead angle"
            yield Fault("G04", where, f"{both}.", "Give lead_angle= of the thread, or radius= of the worm.")
        elif value_of(self.lead_angle) == 0.0:
            yield Fault("G05", where, "its lead angle is 0.", "Give the angle of the thread, e.g. deg(5).")
        if self.radii is None:
            yield from super().number_faults(where)

    def axis_faults(self, where: str, first: Axis, second: Axis) -> Iterator[Fault]:
        (p1, a1), (p2, a2) = ((numeric(x).ravel() for x in (axis.p, axis.a)) for axis in (first, second))
        d = p2 - p1
        distance = float(np.linalg.norm(d))
        if abs(float(a1 @ a2)) > TOLERANCE:
            remedy = "Put them at a right angle."
            yield Fault("G06", where, f"its axes are at {np.degrees(np.arccos(a1 @ a2)):.6g}°.", remedy)
        elif distance < 1e-9:
            yield Fault("G06", where, "its axes intersect.", "Use a Bevel for axes that intersect.")
        elif (off := max(abs(float(a1 @ d)), abs(float(a2 @ d)))) > TOLERANCE * distance:
            remedy = "Put both markers where the distance between the axes is smallest."
            yield Fault(
                "G06", where, f"its centres are {off:.6g} m away from the common normal of the axes.", remedy
            )
        elif (radius := value_of(self.radius)) is not None and radius >= distance:
            what = f"its radius is {radius:.9g} m, but the axes are only {distance:.9g} m apart."
            yield Fault("G07", where, what, "Give a radius smaller than the distance of the axes.")

    def contact(self, first: Axis, second: Axis) -> TransmittedWrenches:
        d = perpendicular_part(second.p - first.p, first.a)
        a = ca.norm_2(d)
        z1, z2 = self.sizes
        if self.radius is not None:
            rho: Any = self.radius
            slope = (a - rho) * z1 / (rho * z2)
        else:
            lead: Any = self.lead_angle
            slope = ca.tan(lead)
            rho = a / (1 + z2 / z1 * ca.fabs(slope))
        e = d / a
        return tooth_contact(first, e, first.p + rho * e, e, self.pressure_angle, _helix(slope))


def _helix(slope: Matrix) -> Matrix:
    """Helix angle β of a worm (rad), |β| = 90° − |γ|, with the sign of its lead angle γ; `slope` is tan γ."""
    return ca.atan(1 / slope)
