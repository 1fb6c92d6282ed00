"""How a beam is reduced where nobody says it: by what the joints at its two ends hold of its slopes, way by way.

    b is free, or slopes are held at a alone     frame "a", natural modes
    otherwise                                    frame "chord"
        ways with a slope that is held           static shapes of both ends first (Craig–Bampton), if there are enough
        ways between pins                        natural modes

A Revolute in space holds the slope across its axis and lets go the one about it. A joint that a described motion or
actuator drives holds all: an arm on its motor is a cantilever. A mechanism that is let go keeps the shapes that it had
(`Mechanism.without_drives`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import casadi as ca
import numpy as np

from multiloop.model.beam import INTERFACE, NATURAL, Beam
from multiloop.model.beam_faults import static_shapes
from multiloop.model.bodies import Body
from multiloop.model.brought_along import listed_joints
from multiloop.model.connection import Connection
from multiloop.model.geometry import at_values, marker_pose
from multiloop.model.joints import Free, Joint
from multiloop.model.markers import are_pairs, value_of
from multiloop.spatial import Pose

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism

SLOPES = {"y": (2,), "z": (1,), "space": (1, 2)}
"""Axes of the beam about which a way turns its sections."""

HELD = 1e-6
"""Part of a moment that a joint may miss and still holds the slope about its axis."""


def settled_bodies(mechanism: Mechanism) -> tuple[Body, ...]:
    """Its bodies, with what they leave to the way they are joined."""
    return tuple(body.settled(mechanism) if isinstance(body, Body) else body for body in mechanism.bodies)


def joined_frame(beam: Beam, mechanism: Mechanism) -> tuple[str, str | tuple[tuple[str, str], ...]]:
    """Frame and basis of a beam by how it is joined."""
    ends = [_joints_at(mechanism, beam, end) for end in "ab"]
    driven = {drive.of for drive in mechanism.drives} | {motor.joint for motor in mechanism.actuators}
    counts = beam.modes if are_pairs(beam.modes) else ()
    at_a, at_b = (
        {way: any(_holds(joint, beam, way, driven, mechanism.planar) for joint in joints) for way in SLOPES}
        for joints in ends
    )
    bending = [way for way, _ in counts if way in SLOPES]
    from_a = bending and all(at_a[way] for way in bending) and not any(at_b[way] for way in bending)
    if from_a or (ends[0] and not ends[1]):
        return "a", NATURAL
    if beam.frame == "a":  # which holds the slope there by itself
        at_a = dict.fromkeys(SLOPES, False)
    found = []
    for way, count in counts:
        enough = isinstance(count, int) and count >= static_shapes(beam, way)
        held = (at_a[way] or at_b[way]) if way in SLOPES else any(at_b[one] for one in bending)
        found.append((way, INTERFACE if held and enough else NATURAL))
    short = [way for way, basis in found if way in SLOPES and basis == NATURAL and (at_a[way] or at_b[way])]
    if short and all(at_a[way] for way in bending):  # too few for both ends: those of the one at a
        return "a", NATURAL
    return "chord", tuple(found)


def _holds(joint: Connection, beam: Beam, way: str, driven: set[str], planar: bool) -> bool:
    """Whether a joint holds the slope of a beam: the moment about it is among its wrenches, at its zero pose."""
    if joint.name in driven:
        return True
    if not isinstance(joint, Joint):
        return False
    marker = next(end for end in (joint.first, joint.second) if end.startswith(f"{beam.name}."))
    try:
        axes = marker_pose(beam.marker(marker.partition(".")[2]), at_values, planar).R
        W = np.array(ca.DM(joint.resolved(at_values).wrenches(Pose(ca.DM.eye(3), ca.DM.zeros(3)), planar)))
    except (ArithmeticError, RuntimeError, TypeError, ValueError):
        return False  # what has no value, the checks name
    for axis in SLOPES[way]:
        moment = np.concatenate([np.array(ca.DM(axes))[axis], np.zeros(3)])
        left = moment - W @ np.linalg.lstsq(W, moment, rcond=None)[0] if W.size else moment
        if np.linalg.norm(left) > HELD:
            return False
    return True


def _joints_at(mechanism: Mechanism, beam: Beam, end: str) -> list[Connection]:
    """Joints and pairs at an end, whatever the marker there is called; one that leaves everything free is none."""
    held = [one for one in (*listed_joints(mechanism), *mechanism.pairs) if isinstance(one, Connection)]
    place = _values(beam, end)
    there = {f"{beam.name}.{name}" for name in beam.marker_names if _values(beam, name) == place}
    return [one for one in held if there & {one.first, one.second} and not isinstance(one, Free)]


def _values(beam: Beam, marker: str) -> tuple[float | None, ...]:
    """Where a marker stands, at the described values of parameters."""
    return tuple(value_of(c) for c in (*beam.marker(marker).point, 0.0, 0.0)[:3])
