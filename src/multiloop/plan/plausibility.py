"""Warnings about implausible values: densities, sizes, speeds, elastic moduli and gravity that no machine has.

Such values are valid input but usually have wrong units: lengths in millimetres, masses in grams, moduli in GPa or
MPa, or speeds in revolutions per minute.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import pi, sqrt

import numpy as np

from multiloop.model import GROUND, Body, Mechanism, nominal_value, value_of
from multiloop.model.beams.beam import Beam
from multiloop.model.body_geometry import inertia_matrix
from multiloop.model.expressions import Scalar, depends_on_state, derivative, evaluate
from multiloop.model.joints import Revolute
from multiloop.model.solids.solid import Solid
from multiloop.spatial import numeric

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

MOST_WARNINGS = 4
"""Largest number of warnings shown; if all lengths are in millimetres, every body causes one."""

INSTANTS = np.linspace(0.0, 1.0, 33)
"""Instants, in seconds, at which the speed of a prescribed motion is evaluated."""


def implausible_numbers(mechanism: Mechanism) -> list[str]:
    """One warning each for gravity, bodies and drives with implausible values; empty for most mechanisms."""
    found = [*_gravity_warnings(mechanism)]
    found += [said for body in mechanism.moving for said in _body_warnings(body, mechanism.planar)]
    found += [said for body in mechanism.moving for said in _material_warnings(body)]
    found += _drive_warnings(mechanism)
    left = len(found) - MOST_WARNINGS
    return [*found[:MOST_WARNINGS], f"{left} more warnings of this kind."] if left > 1 else found


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
