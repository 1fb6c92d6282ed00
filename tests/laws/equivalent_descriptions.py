"""Equivalent descriptions of a mechanism: rotated, displaced, in other units, with another carrier of a pin."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from laws.newton_euler import three

from multiloop import (
    Body,
    Cam,
    Contact,
    Distance,
    Freewheel,
    Friction,
    Helical,
    Marker,
    Mechanism,
    Motion,
    Payload,
    Pin,
    Rope,
    Stop,
)
from multiloop.model import GROUND, Gearing
from multiloop.model.expressions import evaluate, parse

MOVED_ORIGIN = "moved origin"
"""Replaces the ground's own origin, which can be neither rotated nor moved."""


def turned(mechanism: Mechanism, R: np.ndarray) -> Mechanism:
    """The mechanism with ground and gravity turned by R; in the plane R turns about z."""
    size = 2 if mechanism.planar else 3
    return _on_another_ground(mechanism, lambda held: _turned_marker(held, R, mechanism.planar)).replace(
        gravity=(R @ three(mechanism.gravity))[:size]
    )


def shifted(mechanism: Mechanism, shift: np.ndarray) -> Mechanism:
    """The mechanism elsewhere on the ground; its guess must be one of joints."""
    size = 2 if mechanism.planar else 3
    return _on_another_ground(
        mechanism, lambda held: replace(held, point=tuple((three(held.point) + shift)[:size]))
    )


def _on_another_ground(mechanism: Mechanism, moved: Callable[[Marker], Marker]) -> Mechanism:
    ground = mechanism.body(GROUND)
    markers = {name: moved(held) for name, held in ground.markers}
    markers[MOVED_ORIGIN] = moved(Marker((0.0,)))
    return mechanism.replace(
        bodies=[Body(GROUND, markers=markers) if body.name == GROUND else body for body in mechanism.bodies],
        joints=[_off_origin(joint) for joint in mechanism.joints],
    )


def _turned_marker(held: Marker, R: np.ndarray, planar: bool) -> Marker:
    point = R @ three(held.point)
    if planar:
        return Marker(point[:2], angle=float(evaluate(held.angle)) + np.arctan2(R[1, 0], R[0, 0]))
    z = three(held.z or (0.0, 0.0, 1.0))
    z = z / np.linalg.norm(z)
    # Without an x the library chooses one by the axes of the body, which turn here; so it is stated explicitly.
    x = three(held.x) if held.x else next(a for a in np.eye(3) if abs(a @ z) < np.cos(np.pi / 6))
    return Marker(point, z=R @ z, x=R @ x)


def _off_origin(joint: Any) -> Any:
    def moved(reference: str) -> str:
        return f"{GROUND}.{MOVED_ORIGIN}" if reference in (f"{GROUND}.origin", f"{GROUND}.com") else reference

    if isinstance(joint, Pin):
        return replace(joint, carrier=moved(joint.carrier), others=tuple(map(moved, joint.others)))
    if isinstance(joint, Payload):
        return replace(joint, at=moved(joint.at))
    return replace(joint, first=moved(joint.first), second=moved(joint.second))


def in_units(mechanism: Mechanism, length: float, mass: float) -> Mechanism:
    """The mechanism in smaller units: one metre is `length` units, one kilogram `mass` units; seconds stay."""
    planar = mechanism.planar

    def slides(name: str) -> tuple[bool, ...]:
        kind = mechanism.joint(name)
        lengths = tuple(component in ("slide", "x", "y", "z") for component in kind.components(planar))
        return lengths + (False,) * (kind.positions(planar) - len(lengths))

    def driven(motion: Motion) -> Motion:
        assert list(motion.named()) == [""], "the zoo drives joints of one freedom"
        return replace(motion, profile=length * motion.profile) if slides(motion.of)[0] else motion

    def scaled(pair: Any) -> Any:
        if isinstance(pair, Distance):
            return replace(pair, length=length * pair.length)
        if isinstance(pair, Cam) and pair.pivot is not None:  # its cam law is an angle
            sizes = {name: length * getattr(pair, name) for name in ("base", "roller", "arm")}
            return replace(pair, pivot=[length * x for x in pair.pivot], **sizes)
        if isinstance(pair, Cam):
            circle = pair.profile
            profile = replace(
                circle, radius=length * circle.radius, centre=[length * x for x in circle.centre]
            )
            return replace(pair, profile=profile, roller=length * pair.roller)
        if isinstance(pair, Gearing):
            return pair  # teeth are numbers, and the radii follow from the distances
        text = str(pair.equation)
        for joint in pair.joints:
            if slides(joint) == (True,):
                text = text.replace(f'position("{joint}")', f'(position("{joint}") / {length!r})')
        return replace(pair, equation=parse(text))

    def loaded(load: Any) -> Any:
        if isinstance(load, Friction):
            return rubbing(load)
        if isinstance(load, Freewheel):
            return load
        if isinstance(load, Stop):
            assert slides(load.joint)[0], "the zoo stops slides"
            return lengthened(load, "low", "high", "speed")
        entries = {Rope: ("length", "speed"), Contact: ("radius", "slip", "speed")}[type(load)]
        return lengthened(load, *entries)

    def lengthened(load: Any, *entries: str) -> Any:
        """A load with some of its lengths and speeds in the new unit; None is a default that the mechanism
        determines."""
        given = {entry: getattr(load, entry) for entry in entries}
        return replace(load, **{entry: length * value for entry, value in given.items() if value is not None})

    def rubbing(load: Friction) -> Friction:
        slide = slides(load.joint)[0]
        along = 1.0 if slide else length  # of efforts, beyond that of forces
        return replace(
            lengthened(load, "radius", "length", *(["speed"] if slide else [])),
            effort=None if load.effort is None else mass * length * along * load.effort,
            viscous=mass * along**2 * load.viscous,
        )

    return mechanism.replace(
        loads=[loaded(load) for load in mechanism.loads],
        gravity=[length * g for g in mechanism.gravity],
        bodies=[_scaled_body(body, length, mass) for body in mechanism.bodies],
        joints=[_scaled_joint(joint, length, mass) for joint in mechanism.joints],
        pairs=[scaled(pair) for pair in mechanism.pairs],
        drives=[driven(motion) for motion in mechanism.drives],
        guess={
            name: [length * x if slide else x for x, slide in zip(values, slides(name), strict=True)]
            for name, values in mechanism.guess
        },
    )


def _scaled(value: Any, factor: float) -> Any:
    return tuple(_scaled(entry, factor) for entry in value) if isinstance(value, tuple) else factor * value


def _scaled_mass(thing: Any, length: float, mass: float) -> Any:
    """A body, or a payload, with its mass, its mass centre and its inertia in other units."""
    com, inertia = _scaled(thing.com, length), _scaled(thing.inertia, mass * length**2)
    return replace(thing, mass=mass * thing.mass, com=com, inertia=inertia)


def _scaled_joint(joint: Any, length: float, mass: float) -> Any:
    if isinstance(joint, Payload):
        return _scaled_mass(joint, length, mass)
    return replace(joint, pitch=length * joint.pitch) if isinstance(joint, Helical) else joint


def _scaled_body(body: Body, length: float, mass: float) -> Body:
    markers = tuple((name, replace(held, point=_scaled(held.point, length))) for name, held in body.markers)
    return replace(_scaled_mass(body, length, mass), markers=markers)


def carried_by(mechanism: Mechanism, pin: str, carrier: str) -> Mechanism:
    """The mechanism with another link as the carrier of a pin; the guess of the pin is omitted."""
    found = next(joint for joint in mechanism.joints if joint.name == pin)
    links = (found.carrier, *found.others)
    chosen = next(link for link in links if link.partition(".")[0] == carrier)
    other = Pin(pin, carrier=chosen, others=tuple(link for link in links if link != chosen))
    return mechanism.replace(
        joints=[other if joint is found else joint for joint in mechanism.joints],
        guess={name: value for name, value in mechanism.guess if not name.startswith(f"{pin}/")},
    )
