"""How a beam is reduced where nobody says it: by the joints at its two ends.

    clamped at b                    frame "chord", static shapes of both ends first (Craig–Bampton)
    clamped at a, or b is free      frame "a"
    otherwise                       frame "chord"

A joint that a described motion or actuator drives holds the slope as a clamp does: an arm on its motor is a cantilever.
A mechanism that is let go keeps the shapes that it had (`Mechanism.without_drives`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from multiloop.model.beam import INTERFACE, NATURAL, Beam
from multiloop.model.beam_fields import STATIC_OF_CRANKED, STATIC_OF_STRAIGHT
from multiloop.model.bodies import Body
from multiloop.model.brought_along import listed_joints
from multiloop.model.connection import Connection
from multiloop.model.joints import Fixed, Free, Prismatic
from multiloop.model.markers import are_pairs, value_of

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism

CLAMPS = (Fixed, Prismatic)
"""Joints that hold the slope of what sits in them."""


def settled_bodies(mechanism: Mechanism) -> tuple[Body, ...]:
    """Its bodies, with what they leave to the way they are joined."""
    return tuple(body.settled(mechanism) if isinstance(body, Body) else body for body in mechanism.bodies)


def joined_frame(beam: Beam, mechanism: Mechanism) -> tuple[str, str]:
    """Frame and basis of a beam by how it is joined."""
    at_a, at_b = (_joints_at(mechanism, beam, end) for end in "ab")
    driven = {drive.of for drive in mechanism.drives} | {motor.joint for motor in mechanism.actuators}
    static = STATIC_OF_CRANKED if beam.through else STATIC_OF_STRAIGHT
    counts = beam.modes if are_pairs(beam.modes) else ()
    enough = all(isinstance(count, int) and count >= static.get(way, 0) for way, count in counts)
    clamped_at_a, clamped_at_b = (
        any(isinstance(joint, CLAMPS) or joint.name in driven for joint in joints) for joints in (at_a, at_b)
    )
    if enough and clamped_at_b:
        return "chord", INTERFACE
    return ("a" if clamped_at_a or (at_a and not at_b) else "chord"), NATURAL


def _joints_at(mechanism: Mechanism, beam: Beam, end: str) -> list[Connection]:
    """Joints and pairs at an end, whatever the marker there is called; one that leaves everything free is none."""
    held = [one for one in (*listed_joints(mechanism), *mechanism.pairs) if isinstance(one, Connection)]
    place = _values(beam, end)
    there = {f"{beam.name}.{name}" for name in beam.marker_names if _values(beam, name) == place}
    return [one for one in held if there & {one.first, one.second} and not isinstance(one, Free)]


def _values(beam: Beam, marker: str) -> tuple[float | None, ...]:
    """Where a marker stands, at the described values of parameters."""
    return tuple(value_of(c) for c in (*beam.marker(marker).point, 0.0, 0.0)[:3])
