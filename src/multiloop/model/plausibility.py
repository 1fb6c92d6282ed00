"""Warnings about implausible values: densities, sizes, speeds, inertias, coefficients of friction and moduli.

Implausible values are valid input, but no real machine has them; usually their unit is wrong: lengths in millimetres,
masses in grams, moduli in GPa or MPa, speeds in revolutions per minute, angles in degrees, or friction in per cent.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import pi, sqrt, tau
from typing import TYPE_CHECKING

import numpy as np

from multiloop.model.beams.beam import Beam
from multiloop.model.bodies import GROUND, Body
from multiloop.model.cams.cam import cam_profile
from multiloop.model.expressions import (
    Expression,
    Scalar,
    breakpoints,
    depends_on_state,
    depends_on_time,
    derivative,
    evaluate,
)
from multiloop.model.faults import ResultWarning
from multiloop.model.joints import Revolute
from multiloop.model.loads import Contact, Friction, Load, ToothFriction
from multiloop.model.marker_poses import inertia_matrix, nominal_value
from multiloop.model.markers import value_of
from multiloop.model.named_coordinates import MAX_TURNS, joints_with_counted_turns
from multiloop.model.pairs import Cam
from multiloop.model.solids.solid import Solid
from multiloop.spatial import numeric

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism

STEEL = 7850.0
"""Density of steel, kg/m³."""

DENSEST = 100_000.0
"""Largest plausible ratio, kg/m³, of the mass of a body to the volume of a ball around its markers. It exceeds the
density of osmium, 22,600, since the body may extend beyond this ball."""

THINNEST = 20_000.0
"""Largest plausible ratio of length to thickness of a body, computed for a steel wire of the same mass and length."""

LONGEST = 200.0
"""Largest plausible size of a body, m: the diagonal of the box that encloses its markers."""

FASTEST = 500.0
"""Largest plausible speed, m/s; a steel rim bursts at about this speed."""

SOUND_SPEEDS = (12.0, 30_000.0)
"""Plausible range of √(E/ρ), the speed of sound along a rod, m/s: 14 in soft silicone, 18,500 in diamond; it would
be 5 for steel with E in MPa."""

MODULI = (1e4, 2e12)
"""Plausible range of Young's modulus, Pa: from that of soft foam to somewhat more than that of diamond."""

LARGEST_GRAVITY = 300.0
"""Largest plausible gravity, m/s²: thirty times gravity on the earth; on the sun it is 274."""

ROUGHEST = 2.0
"""Largest plausible coefficient of friction; rubber on dry asphalt has about 1."""

WIDEST_BEARING = 3.0
"""Largest plausible radius of a bearing, divided by the size of the mechanism."""

FARTHEST_INERTIA = 10.0
"""Largest plausible radius of gyration, divided by the size of the mechanism; about 30 results from inertias in kg cm²
instead of kg m²."""

FARTHEST_CENTRE = 20.0
"""Largest plausible distance of a mass centre from the markers of its body, divided by the size of the mechanism."""

SMALLEST_LIFT = 1e-6
"""Smallest plausible lift of a cam, divided by the radius of its base circle; in radians for a swinging follower."""

CAM_ANGLES = np.linspace(0.0, tau, 361)
"""Cam angles, in radians, at which the lift of a cam is evaluated."""

MOST_WARNINGS = 4
"""Largest number of warnings that are shown; if all lengths are in millimetres, every body causes a warning."""

INSTANTS = np.linspace(0.0, 1.0, 33)
"""Instants in s at which the speed of a prescribed motion is evaluated."""


@lru_cache(maxsize=64)
def implausible_numbers(mechanism: Mechanism) -> tuple[ResultWarning, ...]:
    """Warnings about implausible values of gravity, materials, bodies, drives, friction and cams; empty if none."""
    found = [*_gravity_warnings(mechanism)]
    found += [warning for body in mechanism.moving for warning in _material_warnings(body)]
    found += [warning for body in mechanism.moving for warning in _body_warnings(body, mechanism.planar)]
    found += [*_drive_warnings(mechanism), *_inertia_warnings(mechanism)]
    found += [*_friction_warnings(mechanism), *_degree_warnings(mechanism), *_cam_warnings(mechanism)]
    left = len(found) - MOST_WARNINGS
    if left <= 1:
        return tuple(found)
    more = ResultWarning("W16", mechanism.name, f"{left} more warnings of this kind", float(left), "1")
    return (*found[:MOST_WARNINGS], more)


def _body_warnings(body: Body, planar: bool) -> Iterator[ResultWarning]:
    mass, size = value_of(body.mass) or 0.0, _extent(body)
    if size > LONGEST:
        text = f"'{body.name}' has a size of {size:.4g} m. Lengths are in metres: `ml.mm(300)` is 0.3 m"
        yield ResultWarning("W02", body.name, text, size, "m")
        return
    if not mass > 0.0:
        return
    if size > 0.0:
        thick = sqrt(4 * mass / (pi * STEEL * size))
        if size > THINNEST * thick:
            text = (
                f"'{body.name}' is {size:.4g} m long and has a mass of {mass:.4g} kg: a steel wire of that mass would "
                f"be {1e3 * thick:.2g} mm thick. Check the units of its length and its mass"
            )
            yield ResultWarning("W03", body.name, text, mass, "kg")
    if planar and not size > 0.0:
        return  # all markers coincide in the plane: a shaft, whose length is unknown
    width = max(size, 2 * _radius_of_gyration(body, mass))
    density = mass / (pi / 6 * width**3) if width > 0.0 else 0.0
    if density > DENSEST:
        text = (
            f"'{body.name}' has a mass of {mass:.4g} kg within {width:.4g} m: {density:.2g} kg/m³ is more than any "
            f"material has. Check the units of its mass and its length"
        )
        yield ResultWarning("W04", body.name, text, density, "kg/m³")


def _gravity_warnings(mechanism: Mechanism) -> Iterator[ResultWarning]:
    size = float(np.linalg.norm([value_of(g) or 0.0 for g in mechanism.gravity or ()]))
    if size > LARGEST_GRAVITY:
        text = f"Gravity is {size:.4g} m/s²; on Earth it is 9.81 m/s². Give it in m/s², not in mm/s²"
        yield ResultWarning("W01", mechanism.name, text, size, "m/s²")


def _material_warnings(body: Body) -> Iterator[ResultWarning]:
    """Warning about a modulus, or a ratio of modulus to density, that no solid material has."""
    if not isinstance(body, Beam | Solid):
        return
    modulus, density = value_of(body.E) or 0.0, value_of(body.density) or 0.0
    if not modulus > 0.0:
        return
    sound, (softest, stiffest) = sqrt(modulus / (density or STEEL)), MODULI
    if modulus < softest or modulus > stiffest or sound < SOUND_SPEEDS[0]:
        kind = "stiff" if modulus > stiffest else "soft"
        text = (
            f"'{body.name}' has E = {modulus:.4g} Pa at a density of {density:.4g} kg/m³, too {kind} for any solid: "
            f"steel has 210e9 Pa at 7850 kg/m³. Give E in Pa; 210 GPa is 210e9"
        )
        yield ResultWarning("W05", body.name, text, modulus, "Pa")
    elif sound > SOUND_SPEEDS[1]:
        text = (
            f"'{body.name}' has E = {modulus:.4g} Pa and a density of {density:.4g} kg/m³: its speed of sound would be "
            f"{sound / 1e3:.4g} km/s; in steel it is 5.2 km/s. Check the units of both"
        )
        yield ResultWarning("W06", body.name, text, sound, "m/s")


def _extent(body: Body) -> float:
    """Diagonal of the box that encloses the markers of a body (m), a measure of its size."""
    points = [tuple(map(value_of, marker.point)) for _, marker in body.markers]
    known = np.array([(*p, 0.0, 0.0)[:3] for p in points if None not in p], float).reshape(-1, 3)
    if len(known) == 0:
        return 0.0
    return float(np.linalg.norm(known.max(axis=0) - known.min(axis=0)))


def _radius_of_gyration(body: Body, mass: float) -> float:
    """Radius of gyration √(I/m) for the largest moment of inertia I of a body (m)."""
    moments = np.diag(numeric(inertia_matrix(body, nominal_value)))
    return sqrt(max(0.0, float(moments.max())) / mass)


def _drive_warnings(mechanism: Mechanism) -> Iterator[ResultWarning]:
    """Warnings about implausible speeds of driven sliding joints, and of markers moved by driven rotary joints."""
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
                how = (
                    f"at {rate:.4g} rad/s, which moves a point at the radius {reach:.4g} m " if turns else ""
                )
                text = (
                    f"'{motion.of}' is driven {how}at {speed:.4g} m/s. Angles are in rad, speeds in rad/s or m/s: "
                    f"`ml.rpm(1500)` is 157 rad/s"
                )
                yield ResultWarning("W07", motion.of, text, speed, "m/s")


def _largest_rate(profile: Scalar) -> float:
    """The largest rate of a prescribed motion in the first second; 0 if it depends on the state or is undefined."""
    rate = derivative(profile)
    if depends_on_state(rate):
        return 0.0
    try:
        return float(np.max(np.abs(evaluate(rate, time=INSTANTS))))
    except ValueError:
        return 0.0


def _reach(mechanism: Mechanism, *markers: str) -> float:
    """The largest distance (m) between one of the given `markers` ("body.marker") and any marker of the same body.

    Markers of the ground are ignored; the result is 0 if all given markers are on the ground.
    """
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
    """The size of a mechanism (m): the largest extent of a body (or the ground), a cam profile or another pair."""
    sizes = [_extent(body) for body in mechanism.all_bodies]
    for pair in mechanism.marker_pairs:
        points = cam_profile(pair).points if isinstance(pair, Cam) else np.zeros((1, 2))
        sizes += [pair.reach(), float(np.linalg.norm(np.ptp(points, axis=0)))]
    return max(sizes, default=0.0)


def _inertia_warnings(mechanism: Mechanism) -> Iterator[ResultWarning]:
    """Warnings about mass centres or radii of gyration that are many times larger than the mechanism."""
    size = _size(mechanism)
    for body in mechanism.moving if size > 0.0 else ():
        mass = value_of(body.mass) or 0.0
        if not mass > 0.0 or body.elastic:
            continue
        com = [value_of(c) or 0.0 for c in (*(body.com or ()), 0.0, 0.0)[:3]]
        markers = [[value_of(c) or 0.0 for c in (*m.point, 0.0, 0.0)[:3]] for _, m in body.markers]
        away = min((float(np.linalg.norm(np.subtract(com, at))) for at in markers), default=0.0)
        if away > FARTHEST_CENTRE * size:
            text = (
                f"the mass centre of '{body.name}' is {away:.4g} m away from its markers, but the mechanism has a "
                f"size of {size:.4g} m. Give `com` in metres"
            )
            yield ResultWarning("W08", body.name, text, away, "m")
            continue
        radius = _radius_of_gyration(body, mass)
        if radius > FARTHEST_INERTIA * size:
            text = (
                f"'{body.name}' has a mass of {mass:.4g} kg and a radius of gyration of {radius:.4g} m, but the "
                f"mechanism has a size of {size:.4g} m. Give `inertia` in kg m²"
            )
            yield ResultWarning("W09", body.name, text, radius, "m")


def _friction_warnings(mechanism: Mechanism) -> Iterator[ResultWarning]:
    """Warnings about implausible coefficients of friction and radii of bearings."""
    size = _size(mechanism)
    for load in mechanism.loads:
        coefficient = _friction_coefficient(load)
        if coefficient > ROUGHEST:
            text = (
                f"the friction coefficient of '{load.name}' is {coefficient:.4g}; that of dry steel is about 0.2. "
                f"Give it as a fraction: 10 % is 0.1"
            )
            yield ResultWarning("W10", load.name, text, coefficient, "1")
        radius = (value_of(load.radius) or 0.0) if isinstance(load, Friction) else 0.0
        if radius > WIDEST_BEARING * size > 0.0:
            text = (
                f"friction '{load.name}' has a radius of {radius:.4g} m, but the mechanism has a size of {size:.4g} m. "
                f"Give the radius of the bearing in metres: `ml.mm(20)` is 0.02 m"
            )
            yield ResultWarning("W11", load.name, text, radius, "m")


def _friction_coefficient(load: Load) -> float:
    """The larger of the static and the sliding friction coefficient of a load; 0 if a coefficient is missing or not
    constant."""
    if isinstance(load, Friction):
        return max(value_of(coefficient) or 0.0 for coefficient in load.coefficients)
    if isinstance(load, Contact | ToothFriction):
        return value_of(load.coefficient) or 0.0
    return 0.0


def _degree_warnings(mechanism: Mechanism) -> Iterator[ResultWarning]:
    """Warnings about drives that start at an angle of many turns, which is probably in degrees."""
    joints = {joint.name: joint for joint in mechanism.connections}
    for motion in mechanism.drives:
        joint = joints.get(motion.of)
        if joint is None or motion.of in joints_with_counted_turns(mechanism):
            continue
        names = joint.components(mechanism.planar)
        angles = {name for name, turns in zip(names, joint.turning(mechanism.planar), strict=False) if turns}
        for component, profile in motion.named().items():
            start = _start(profile)
            if (component or names[0]) in angles and start is not None and abs(start) > MAX_TURNS * tau:
                text = (
                    f"the drive of '{motion.of}' starts at {start:.4g} rad, which is {abs(start) / tau:.3g} turns. "
                    f"Give angles in radians: `ml.deg(90)` is 1.571 rad"
                )
                yield ResultWarning("W12", motion.of, text, start, "rad")


def _start(profile: Scalar) -> float | None:
    """The value of a prescribed motion at t = 0; None if it depends on the state or is undefined at t = 0."""
    if depends_on_state(profile):
        return None
    try:
        return float(evaluate(profile, time=0.0))
    except ValueError:
        return None


def _cam_warnings(mechanism: Mechanism) -> Iterator[ResultWarning]:
    """Warnings about cam laws and pressure limits that are probably in degrees."""
    for cam in mechanism.pairs:
        if not isinstance(cam, Cam):
            continue
        limit = value_of(cam.pressure_limit) if cam.pressure_limit is not None else None
        if limit is not None and limit > pi / 2:
            text = (
                f"the pressure limit of cam '{cam.name}' is {limit:.4g} rad, but no pressure angle exceeds π/2. "
                f"Give it in radians: `ml.deg(30)` is 0.5236 rad"
            )
            yield ResultWarning("W13", cam.name, text, limit, "rad")
        if not isinstance(cam.lift, Expression) or not depends_on_time(cam.lift):
            continue
        farthest = max(map(abs, breakpoints(cam.lift, knots=True)), default=0.0)
        change = float(np.ptp(evaluate(cam.lift, time=CAM_ANGLES)))
        scale, unit = (value_of(cam.base) or 0.0, "m") if cam.pivot is None else (1.0, "rad")
        if farthest > MAX_TURNS * tau:
            text = (
                f"the lift of cam '{cam.name}' is defined up to a cam angle of {farthest:.4g} rad, but one turn is 2π. "
                f"Give cam angles in radians: `ml.deg(90)` is 1.571 rad"
            )
            yield ResultWarning("W14", cam.name, text, farthest, "rad")
        elif change < SMALLEST_LIFT * scale:
            text = (
                f"the lift of cam '{cam.name}' changes by only {change:.2g} {unit} over one turn. The cam angle is in "
                f"radians, from 0 to 2π: `ml.deg(90)` is 1.571 rad"
            )
            yield ResultWarning("W15", cam.name, text, change, unit)
