"""Checks of cams with swinging followers: pivot, arm, reach, and agreement with the joints of the mechanism."""

from __future__ import annotations

from collections.abc import Iterator
from math import degrees, pi
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from multiloop.model.brief import brief
from multiloop.model.checks.gears import all_there
from multiloop.model.checks.numbers import scalar_faults
from multiloop.model.contours import SwingContour
from multiloop.model.contours.contour import COUNT
from multiloop.model.faults import Fault
from multiloop.model.geometry import at_values, marker_pose
from multiloop.model.joints import Revolute
from multiloop.model.markers import value_of
from multiloop.model.names import body_of
from multiloop.model.pairs import Cam
from multiloop.spatial import numeric

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism

PIVOT = "Give where the pivot of the follower stands in the frame of the cam at cam angle 0: (-0.08, 0.03)."

LENGTHS_AGREE = 1e-6
"""Relative tolerance between lengths in the description of the cam and those of the bodies."""


def swing_faults(where: str, cam: Cam) -> Iterator[Fault]:
    """Errors of the values of pivot, arm and sense of rotation."""
    if not isinstance(cam.clockwise, bool):
        yield Fault("M12", where, f"its `clockwise` is {brief(cam.clockwise)}.", "Give True or False.")
    if cam.pivot is None:
        if cam.arm != 0.0 or cam.clockwise is True:
            spare = "arm" if cam.arm != 0.0 else "sense of turning"
            yield Fault("P28", where, f"has an {spare} but no pivot.".replace("an s", "a s"), PIVOT)
        return
    if not isinstance(cam.pivot, tuple) or len(cam.pivot) != 2:
        yield Fault("P28", where, f"its pivot is {brief(cam.pivot)}.", PIVOT)
        return
    for part in cam.pivot:
        yield from scalar_faults(where, "its pivot", part)
    yield from scalar_faults(where, "its arm", cam.arm)
    if cam.lift is None:
        remedy = "It belongs to a lift: leave it out. On a profile any follower swings as its joints let it."
        yield Fault("P28", where, "has a pivot beside its profile.", remedy)
    arm = value_of(cam.arm)
    if cam.flat and cam.arm != 0.0:
        remedy = (
            "Give the distance at which the face passes the pivot, `offset=`, or take an edge or a roller."
        )
        yield Fault("P28", where, "a flat face has no arm.", remedy)
    elif not cam.flat and cam.offset != 0.0:
        yield Fault("P28", where, "has an offset on its arm.", "Leave it out: the `arm` says where it is.")
    elif not cam.flat and arm is not None and arm <= 0:
        remedy = "Give the distance of the edge, or of the middle of the roller, from the pivot, in metres."
        yield Fault("P28", where, f"its arm is {arm:g}.", remedy)


def swing_shape_faults(where: str, cam: Cam) -> Iterator[Fault]:
    """Errors of a follower that does not reach the base circle, passes the axis of the cam, or turns too fast."""
    contour = cam.contour
    if not isinstance(contour, SwingContour):
        return
    u, r = contour.variable(COUNT), value_of(cam.roller) or 0.0
    found = contour.angles(u, r, cam.flat)
    if np.isnan(found).any():
        d, low = _distance(cam), at_values(cam.base) + r
        far = (
            f"the offset {at_values(cam.offset):g} m" if cam.flat else f"the arm of {at_values(cam.arm):g} m"
        )
        what = (
            f"with the pivot {d:.4g} m away and {far} its follower does not reach {low:.4g} m from the axis."
        )
        yield Fault("P25", where, what, "Move the pivot, or change the base.")
        return
    outside = (found <= 0) | (found >= pi)
    if outside.any():
        at = degrees(float(u[int(np.flatnonzero(outside)[0])]))
        part = "face" if cam.flat else "arm"
        what = (
            f"at {at:.4g}° of the cam angle its {part} has swung beyond the line from the pivot to the cam."
        )
        yield Fault("P25", where, what, "Swing less, or move the pivot. The program is an angle in radians.")
    elif cam.flat:
        turning = contour.sense * contour.swing.numbers(u, 1)
        k = int(np.argmax(turning))
        if turning[k] >= 1:
            then = f"at {degrees(float(u[k])):.4g}° of the cam angle"
            what = f"{then} its face turns {turning[k]:.3g} times as fast as the cam."
            yield Fault("P26", where, what, "A face must turn slower than its cam. Swing more slowly.")


def mounting_faults(mechanism: Mechanism, where: str, cam: Cam) -> Iterator[Fault]:
    """Errors if the bearing of the follower is not at the described distances from its tip and from the cam axis."""
    if cam.pivot is None or not all_there(mechanism):
        return
    cam_body, arm_end, arm_body = body_of(cam.first), cam.second, body_of(cam.second)
    if cam.rolling:  # the roller is connected to the arm by a revolute joint
        pins = _bearings(mechanism, arm_body)
        if len(pins) != 1:
            return
        arm_end, arm_body = pins[0].there, body_of(pins[0].there)
    shafts, pivots = _bearings(mechanism, cam_body), _bearings(mechanism, arm_body)
    pairs = [(one, other) for one in shafts for other in pivots if body_of(one.there) == body_of(other.there)]
    if len(pairs) != 1:
        return
    shaft, pivot = pairs[0]
    apart = _flat(mechanism, pivot.there, shaft.there)
    tip = _flat(mechanism, arm_end, pivot.here, inside=cam.flat)
    said = [("pivot", _distance(cam), float(np.hypot(*apart)), "from the cam's axis")]
    if cam.flat:
        said.append(("offset", at_values(cam.offset), float(tip[1]), "from its face"))
    else:
        said.append(("arm", at_values(cam.arm), float(np.hypot(*tip)), f"from '{cam.second}'"))
    for word, given, found, whence in said:
        if abs(given - found) > LENGTHS_AGREE * max(abs(given), abs(found), value_of(cam.base) or 0.0):
            what = f"its {word} is {given:.6g} m, but '{pivot.name}' lies {found:.6g} m {whence}."
            yield Fault("P28", where, what, f"Give the {word} as the joints have it, or move the marker.")


class _Bearing(NamedTuple):
    """A Revolute of a body: its name, the marker on the body and the marker on the other body."""

    name: str
    here: str
    there: str


def _bearings(mechanism: Mechanism, body: str) -> list[_Bearing]:
    """The revolute joints between a body and others."""
    joints = [joint for joint in mechanism.binary_joints if isinstance(joint, Revolute)]
    ends = [
        (joint.name, *way)
        for joint in joints
        for way in ((joint.first, joint.second), (joint.second, joint.first))
    ]
    return [_Bearing(*one) for one in ends if body_of(one[1]) == body != body_of(one[2])]


def _distance(cam: Cam) -> float:
    """Distance of the pivot from the axis of the cam."""
    x, y = (at_values(part) for part in cam.pivot or (0.0, 0.0))
    return float(np.hypot(x, y))


def _flat(mechanism: Mechanism, point: str, seen_from: str, inside: bool = False) -> np.ndarray:
    """Vector between two markers of a body, in the x–y plane of `seen_from`; with `inside`, in that of `point`."""
    one, other = (marker_pose(mechanism.marker(m), at_values, mechanism.planar) for m in (point, seen_from))
    frame = one if inside else other
    found: np.ndarray = (numeric(frame.R).T @ (numeric(one.p) - numeric(other.p)).ravel())[:2]
    return found
