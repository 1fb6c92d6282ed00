"""Warnings about implausible values: densities, sizes, speeds, inertia, friction and moduli that no machine has.

Such values are valid input but usually have wrong units: lengths in millimetres, masses in grams, moduli in GPa or
MPa, speeds in revolutions per minute, angles in degrees, or friction in per cent.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import pi, sqrt
from typing import TYPE_CHECKING

import numpy as np

from multiloop.model.beams.beam import Beam
from multiloop.model.bodies import GROUND, Body
from multiloop.model.expressions import Scalar, depends_on_state, derivative, evaluate
from multiloop.model.joints import Revolute
from multiloop.model.loads.friction import Friction
from multiloop.model.marker_poses import inertia_matrix, nominal_value
from multiloop.model.markers import value_of
from multiloop.model.named_coordinates import degree_faults
from multiloop.model.solids.solid import Solid
from multiloop.spatial import numeric

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism

STEEL = 7850.0
"""Density of steel, kg/m³."""

DENSEST = 100_000.0
"""Largest plausible density, kg/m³, of a ball that encloses the markers of a body; osmium has 22,600, and a body may
extend beyond that ball."""

THINNEST = 20_000.0
"""Largest ratio of length to thickness of a body, computed for a steel wire of the same mass and length."""

LONGEST = 200.0
"""Largest plausible distance between markers of one body, m."""

FASTEST = 500.0
"""Largest plausible speed, m/s; a steel rim bursts at about this speed."""

SOUND_SPEEDS = (12.0, 30_000.0)
"""Plausible range of √(E/ρ), the speed of sound along a rod, m/s: 14 in soft silicone, 18,500 in diamond; 5 results
for steel with E in MPa."""

MODULI = (1e4, 2e12)
"""Plausible range of Young's modulus, Pa: from that of soft foam to somewhat more than that of diamond."""

LARGEST_GRAVITY = 300.0
"""Largest plausible gravity, m/s²: thirty times that of the earth; that of the sun is 274."""

ROUGHEST = 2.0
"""Largest plausible coefficient of friction; that of rubber on dry asphalt is about 1."""

WIDEST_BEARING = 3.0
"""Largest plausible radius of a bearing, in sizes of the mechanism."""

FARTHEST_INERTIA = 10.0
"""Largest plausible radius of gyration, in sizes of the mechanism; kg cm² in place of kg m² cause about 30."""

FARTHEST_CENTRE = 20.0
"""Largest plausible distance of a mass centre from the markers of its body, in sizes of the mechanism."""

MOST_WARNINGS = 4
"""Largest number of warnings shown; if all lengths are in millimetres, every body causes one."""

INSTANTS = np.linspace(0.0, 1.0, 33)
"""Instants, in seconds, at which the speed of a prescribed motion is evaluated."""


@lru_cache(maxsize=64)
def implausible_numbers(mechanism: Mechanism) -> tuple[str, ...]:
    """One warning each for gravity, materials, bodies, drives and friction with implausible values; empty for most
    mechanisms."""
    found = [*_gravity_warnings(mechanism)]
    found += [warning for body in mechanism.moving for warning in _material_warnings(body)]
    found += [warning for body in mechanism.moving for warning in _body_warnings(body, mechanism.planar)]
    found += [*_drive_warnings(mechanism), *_inertia_warnings(mechanism)]
    found += [*_friction_warnings(mechanism), *_degree_warnings(mechanism)]
    left = len(found) - MOST_WARNINGS
    return (*found[:MOST_WARNINGS], f"{left} more warnings of this kind.") if left > 1 else tuple(found)


def _body_warnings(body: Body, planar: bool) -> Iterator[str]:
    mass, size = value_of(body.mass) or 0.0, _extent(body)
    if size > LONGEST:
        yield f"'{body.name}' has a size of {size:.4g} m. Lengths are in metres: `ml.mm(300)` is 0.3 m."
        return
    if not mass > 0.0:
        return
    if size > 0.0:
        thick = sqrt(4 * mass / (pi * STEEL * size))
        if size > THINNEST * thick:
            yield (
                f"'{body.name}' is {size:.4g} m long and has a mass of {mass:.4g} kg: a steel wire of that mass would "
                f"be {1e3 * thick:.2g} mm thick. Check the units of its length and its mass."
            )
    if planar and not size > 0.0:
        return  # a shaft, whose extent perpendicular to the plane is unknown
    width = max(size, 2 * _radius_of_gyration(body, mass))
    density = mass / (pi / 6 * width**3) if width > 0.0 else 0.0
    if density > DENSEST:
        yield (
            f"'{body.name}' has a mass of {mass:.4g} kg within {width:.4g} m: {density:.2g} kg/m³ is more than any "
            f"material has. Check the units of its mass and its length."
        )


def _gravity_warnings(mechanism: Mechanism) -> Iterator[str]:
    size = float(np.linalg.norm([value_of(g) or 0.0 for g in mechanism.gravity or ()]))
    if size > LARGEST_GRAVITY:
        yield f"Gravity is {size:.4g} m/s²; on Earth it is 9.81 m/s². Give it in m/s², not in mm/s²."


def _material_warnings(body: Body) -> Iterator[str]:
    """Warning about a modulus, or a ratio of modulus to density, that no solid material has."""
    if not isinstance(body, Beam | Solid):
        return
    modulus, density = value_of(body.E) or 0.0, value_of(body.density) or 0.0
    if not modulus > 0.0:
        return
    sound, (softest, stiffest) = sqrt(modulus / (density or STEEL)), MODULI
    if modulus < softest or modulus > stiffest or sound < SOUND_SPEEDS[0]:
        kind = "stiff" if modulus > stiffest else "soft"
        yield (
            f"'{body.name}' has E = {modulus:.4g} Pa at a density of {density:.4g} kg/m³, too {kind} for any solid: "
            f"steel has 210e9 Pa at 7850 kg/m³. Give E in Pa; 210 GPa is 210e9."
        )
    elif sound > SOUND_SPEEDS[1]:
        yield (
            f"'{body.name}' has E = {modulus:.4g} Pa and a density of {density:.4g} kg/m³: its speed of sound would be "
            f"{sound / 1e3:.4g} km/s; in steel it is 5.2 km/s. Check the units of both."
        )


def _extent(body: Body) -> float:
    """Diagonal of the box that encloses the markers of a body."""
    points = [tuple(map(value_of, marker.point)) for _, marker in body.markers]
    known = np.array([(*p, 0.0, 0.0)[:3] for p in points if None not in p], float).reshape(-1, 3)
    if len(known) == 0:
        return 0.0
    return float(np.linalg.norm(known.max(axis=0) - known.min(axis=0)))


def _radius_of_gyration(body: Body, mass: float) -> float:
    """√(I/m) of the largest moment of inertia."""
    moments = np.diag(numeric(inertia_matrix(body, nominal_value)))
    return sqrt(max(0.0, float(moments.max())) / mass)


def _drive_warnings(mechanism: Mechanism) -> Iterator[str]:
    """Warnings about the speed of a driven sliding joint, or of the farthest marker from a driven rotary joint."""
    joints = {joint.name: joint for joint in mechanism.binary_joints}
    for motion in mechanism.drives:
        joint = joints.get(motion.of)
        for component, profile in motion.named().items():
            rate = _largest_rate(profile)
            turns = component in ("angle", "first", "second") or (
                not component and isinstance(joint, Revolute)
            )
            reach = _reach(mechanism, joint.first, joint.second) if turns and joint is not None else 0.0
            speed = rate * reach if turns else rate
            if speed > FASTEST:
                how = f"at {rate:.4g} rad/s with a radius of {reach:.4g} m, " if turns else ""
                yield (
                    f"'{motion.of}' is driven {how}at {speed:.4g} m/s. Angles are in rad, speeds in rad/s or m/s: "
                    f"`ml.rpm(1500)` is 157 rad/s."
                )


def _largest_rate(profile: Scalar) -> float:
    """The largest rate of a profile in the first second; 0 if it depends on the state or has no value."""
    rate = derivative(profile)
    if depends_on_state(rate):
        return 0.0
    try:
        return float(np.max(np.abs(evaluate(rate, time=INSTANTS))))
    except ValueError:
        return 0.0


def _reach(mechanism: Mechanism, *markers: str) -> float:
    """The largest distance of a marker of the bodies of `markers` from the marker of its body among `markers`."""
    found = 0.0
    for at in markers:
        name, _, marker = at.partition(".")
        body = mechanism.body(name)
        if body.name == GROUND:
            continue
        centre = [value_of(c) or 0.0 for c in (*body.marker(marker).point, 0.0, 0.0)[:3]]
        for _, other in body.markers:
            point = [value_of(c) or 0.0 for c in (*other.point, 0.0, 0.0)[:3]]
            found = max(found, float(np.linalg.norm(np.subtract(point, centre))))
    return found


def _size(mechanism: Mechanism) -> float:
    """The largest extent of a body, the ground included."""
    return max(map(_extent, mechanism.all_bodies), default=0.0)


def _inertia_warnings(mechanism: Mechanism) -> Iterator[str]:
    """Warnings about masses that would lie many times farther away than the mechanism is large."""
    size = _size(mechanism)
    for body in mechanism.moving if size > 0.0 else ():
        mass = value_of(body.mass) or 0.0
        if not mass > 0.0 or body.elastic:
            continue
        com = [value_of(c) or 0.0 for c in (*(body.com or ()), 0.0, 0.0)[:3]]
        markers = [[value_of(c) or 0.0 for c in (*m.point, 0.0, 0.0)[:3]] for _, m in body.markers]
        away = min((float(np.linalg.norm(np.subtract(com, at))) for at in markers), default=0.0)
        if away > FARTHEST_CENTRE * size:
            yield (
                f"the mass centre of '{body.name}' is {away:.4g} m away from its markers, but the mechanism has a "
                f"size of {size:.4g} m. Give `com` in metres."
            )
            continue
        radius = _radius_of_gyration(body, mass)
        if radius > FARTHEST_INERTIA * size:
            yield (
                f"'{body.name}' has a mass of {mass:.4g} kg and a radius of gyration of {radius:.4g} m, but the "
                f"mechanism has a size of {size:.4g} m. Give `inertia` in kg m²."
            )


def _friction_warnings(mechanism: Mechanism) -> Iterator[str]:
    """Warnings about coefficients of friction and radii of bearings."""
    size = _size(mechanism)
    for load in mechanism.loads:
        if not isinstance(load, Friction):
            continue
        coefficient = max(value_of(one) or 0.0 for one in load.coefficients)
        if coefficient > ROUGHEST:
            yield (
                f"friction '{load.name}' has a coefficient of {coefficient:.4g}; that of dry steel is about 0.2. "
                f"Give it as a fraction: 10 % is 0.1."
            )
        radius = value_of(load.radius) or 0.0
        if radius > WIDEST_BEARING * size > 0.0:
            yield (
                f"friction '{load.name}' has a radius of {radius:.4g} m, but the mechanism has a size of {size:.4g} m. "
                f"Give the radius of the bearing in metres: `ml.mm(20)` is 0.02 m."
            )


def _degree_warnings(mechanism: Mechanism) -> Iterator[str]:
    """Warnings about drives that begin at an angle in degrees."""
    for motion in mechanism.drives:
        values = [_begin(profile) for profile in motion.named().values()]
        if len(values) != 1:  # the coordinates of a joint are given in any order
            continue
        for fault in degree_faults(mechanism, "drive", [(motion.of, values)]):
            yield f"the drive of '{motion.of}' begins with {fault.what.removeprefix('contains ')} {fault.remedy}"


def _begin(profile: Scalar) -> float | None:
    """The value of a profile at t = 0; None if it depends on the state or has no value."""
    if depends_on_state(profile):
        return None
    try:
        return float(evaluate(profile, time=0.0))
    except ValueError:
        return None
