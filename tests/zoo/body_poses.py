"""Poses of bodies from points and directions, and the joint coordinates that follow from them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import casadi as ca
import numpy as np

from multiloop import Joint, Mechanism
from multiloop.model import GROUND
from multiloop.model.expressions import evaluate
from multiloop.model.marker_poses import marker_pose, nominal_value
from multiloop.spatial import IDENTITY, Pose, Rz, column, frame_of_axes

Poses = Mapping[str, Any]
"""Pose of each body frame by name: a Pose, or in the plane also (x, y, angle)."""

ROUGH = 3
"""Decimals of the guesses of test models, so that Newton's method has an error to correct."""


def meet(centre: Any, radius: float, other: Any, other_radius: float, *, left: bool) -> np.ndarray:
    """Intersection of two circles, to the left or right of the line from the first centre to the second."""
    c, d = np.asarray(centre, float), np.asarray(other, float) - np.asarray(centre, float)
    distance = np.hypot(*d)
    along = (radius**2 - other_radius**2 + distance**2) / (2 * distance)
    across = np.sqrt(radius**2 - along**2) * (1 if left else -1)
    e = d / distance
    return c + along * e + across * np.array([-e[1], e[0]])


def between(start: Any, end: Any) -> tuple[float, float, float]:
    """Planar pose of a rod that begins at one point in the direction of another."""
    d = np.asarray(end, float) - np.asarray(start, float)
    return float(start[0]), float(start[1]), float(np.arctan2(d[1], d[0]))


def along(start: Any, *, x: Any = None, z: Any = None) -> Pose:
    """Pose in space of a body at a point; with x given that axis is exact, else z is."""
    if x is None:
        R = frame_of_axes(np.asarray(z, float))
    else:
        hint = np.asarray(z if z is not None else (0.0, 0.0, 1.0), float)
        unit = np.asarray(x, float) / np.linalg.norm(x)
        R = frame_of_axes(hint - (hint @ unit) * unit, unit)
    return Pose(ca.DM(R), ca.DM(np.asarray(start, float)))


def as_pose(value: Any) -> Pose:
    """A Pose from a Pose or from the (x, y, angle) of a planar body."""
    if isinstance(value, Pose):
        return value
    x, y, angle = value
    return Pose(Rz(angle), column([x, y, 0]))


def joint_ends(mechanism: Mechanism, joint: Joint, poses: Poses) -> tuple[Pose, Pose]:
    """The two markers of a joint in the inertial frame."""
    frames = []
    for reference in (joint.first, joint.second):
        body = reference.partition(".")[0]
        pose = IDENTITY if body == GROUND else as_pose(poses[body])
        frames.append(pose @ marker_pose(mechanism.marker(reference), nominal_value, mechanism.planar))
    return frames[0], frames[1]


def joint_values(mechanism: Mechanism, poses: Poses) -> dict[str, np.ndarray]:
    """Coordinates of every joint by the poses of the bodies, within the turn in which its drive starts."""
    planar = mechanism.planar
    starts = {m.of: float(evaluate(m.profile, time=0.0)) for m in mechanism.drives if m.profile is not None}
    values = {}
    for joint in mechanism.connections:
        F, S = joint_ends(mechanism, joint, poses)
        near = np.array([starts[joint.name]]) if joint.name in starts else joint.neutral(planar)
        values[joint.name] = joint.read(F.inverse() @ S, near, planar)
    return values


def assembled(mechanism: Mechanism, poses: Poses, *, decimals: int | None = ROUGH) -> Mechanism:
    """The mechanism with a guess of every joint coordinate at these poses, rounded to `as_decimals`."""
    values = joint_values(mechanism, poses)
    if decimals is not None:
        values = {name: np.round(value, decimals) + 0.0 for name, value in values.items()}
    return mechanism.replace(guess={name: value.tolist() for name, value in values.items() if value.size})
