"""How a beam is reduced where nobody says it: by the joints at its two ends.

    clamped at b                    frame "chord", static shapes of both ends first (Craig–Bampton)
    clamped at a, or b is free      frame "a"
    otherwise                       frame "chord"

Efforts and prescribed motions do not count, so that a mechanism that is let go keeps its coordinates.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from multiloop.model.beam import INTERFACE, NATURAL, Beam
from multiloop.model.bodies import Body
from multiloop.model.brought_along import listed_joints
from multiloop.model.connection import Connection
from multiloop.model.joints import Fixed, Free, Prismatic
from multiloop.model.markers import are_pairs

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism

CLAMPS = (Fixed, Prismatic)
"""Joints that hold the slope of what sits in them."""

STATIC = {"y": 2, "z": 2, "x": 1, "twist": 1}
"""Static shapes of both ends of a straight beam on its chord."""

STATIC_OF_CRANKED = {"y": 3, "z": 3, "space": 6}
"""The same of a link with corners."""


def settled_bodies(mechanism: Mechanism) -> tuple[Body, ...]:
    """Its bodies, with what they leave to the way they are joined."""
    return tuple(body.settled(mechanism) if isinstance(body, Body) else body for body in mechanism.bodies)


def joined_frame(beam: Beam, mechanism: Mechanism) -> tuple[str, str]:
    """Frame and basis of a beam by how it is joined."""
    at_a, at_b = (_joints_at(mechanism, f"{beam.name}.{end}") for end in "ab")
    static = STATIC_OF_CRANKED if beam.through else STATIC
    counts = beam.modes if are_pairs(beam.modes) else ()
    enough = all(isinstance(count, int) and count >= static.get(way, 0) for way, count in counts)
    if enough and any(isinstance(joint, CLAMPS) for joint in at_b):
        return "chord", INTERFACE
    arm = at_a and not at_b
    return ("a" if arm or any(isinstance(joint, CLAMPS) for joint in at_a) else "chord"), NATURAL


def _joints_at(mechanism: Mechanism, reference: str) -> list[Connection]:
    """Joints and pairs at a marker; one that leaves everything free is none."""
    held = [one for one in (*listed_joints(mechanism), *mechanism.pairs) if isinstance(one, Connection)]
    return [one for one in held if reference in (one.first, one.second) and not isinstance(one, Free)]
