"""Prescribed coordinates: what a drive, a start or a guess asks of a joint or a marker, as rows of equations."""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from multiloop.kinematics.motion import GROUNDED, Accelerated, Moving, Placed
from multiloop.kinematics.skeleton import Skeleton
from multiloop.model import GROUND, Mechanism
from multiloop.spatial import Matrix, Pose, quaternion_matrix, unskew


@dataclass(frozen=True)
class Target:
    """One thing that is asked to have given values.

    `of` is a tree joint, or a marker "body.marker" in the inertial frame. `components` are the joint's
    coordinates, or among x, y, z, angle, turn of a marker ("turn": its orientation as a quaternion, in
    space). An orientation takes four values and gives three rows; every other component one of each.
    """

    of: str
    components: tuple[str, ...]

    @property
    def on_marker(self) -> bool:
        """Whether it is about a marker rather than a joint."""
        return "." in self.of

    def values(self) -> int:
        """How many numbers it takes."""
        return sum(4 if component == "turn" else 1 for component in self.components)

    def rows(self) -> int:
        """How many rows it gives."""
        return sum(3 if component == "turn" else 1 for component in self.components)


def drive_targets(mechanism: Mechanism) -> tuple[Target, ...]:
    """The coordinates that the mechanism's Motions prescribe, in order."""
    found = []
    for motion in mechanism.drives:
        names = tuple(motion.named())
        if names == ("",):
            names = mechanism.joint(motion.of).components(mechanism.planar)
        found.append(Target(motion.of, names))
    return tuple(found)


def joint_components(skeleton: Skeleton, name: str) -> tuple[str, ...]:
    """The components by which all of a joint's q is given: its coordinates, or positions and "turn"."""
    joint, planar = skeleton.carrier[name].joint, skeleton.planar
    names = joint.components(planar)
    if joint.positions(planar) == joint.freedoms(planar):
        return names
    return (*(n for n in names if not n.startswith("turn_")), "turn")


def target_rows(skeleton: Skeleton, target: Target, q: Matrix, placed: list[Placed], s: Matrix) -> Matrix:
    """Position rows Φ = (coordinate) − s; angles of markers are compared on the circle."""
    rows = []
    at = 0
    pose = marker_in_space(skeleton, target.of, q, placed) if target.on_marker else None
    for component in target.components:
        if component == "turn":
            wanted = quaternion_matrix(s[at : at + 4])
            R = pose.R if pose is not None else _joint_pose(skeleton, target.of, q).R
            rows.append(unskew(R @ wanted.T))
            at += 4
            continue
        if pose is None:
            rows.append(q[_coordinate(skeleton, target.of, component, rate=False)] - s[at])
        elif component == "angle":
            c, sn = ca.cos(s[at]), ca.sin(s[at])
            rows.append(ca.atan2(pose.R[1, 0] * c - pose.R[0, 0] * sn, pose.R[0, 0] * c + pose.R[1, 0] * sn))
        else:
            rows.append(pose.p["xyz".index(component)] - s[at])
        at += 1
    return ca.vertcat(*rows)


def target_gamma(
    skeleton: Skeleton,
    target: Target,
    q: Matrix,
    placed: list[Placed],
    moving: list[Moving],
    convective: list[Accelerated],
) -> Matrix:
    """γ = −J̇ v of the rows: zero for a joint's own coordinates, minus the convective acceleration of a marker."""
    if not target.on_marker:
        return ca.DM(target.rows(), 1)
    body, _, _ = target.of.partition(".")
    k = skeleton.index[body]
    pose = marker_in_space(skeleton, target.of, q, placed)
    place = placed[k] if k >= 0 else GROUNDED
    acceleration = convective[k].at(pose.p - place.pose.p, moving[k].omega) if k >= 0 else ca.DM(3, 1)
    alpha = convective[k].alpha if k >= 0 else ca.DM(3, 1)
    rows = []
    for component in target.components:
        if component == "turn":
            rows.append(-alpha)
        elif component == "angle":
            rows.append(-alpha[2])
        else:
            rows.append(-acceleration["xyz".index(component)])
    return ca.vertcat(*rows)


def marker_in_space(skeleton: Skeleton, reference: str, q: Matrix, placed: list[Placed]) -> Pose:
    """Pose of a marker in the inertial frame."""
    body, _, marker = reference.partition(".")
    if body == GROUND:
        return skeleton.ground.markers[marker]
    k = skeleton.index[body]
    link = skeleton.links[k]
    return placed[k].pose @ link.reduced.marker_pose(marker, q[link.eta])


def coordinate_index(skeleton: Skeleton, joint: str, component: str) -> int:
    """The place in v of a tree joint's coordinate."""
    return _coordinate(skeleton, joint, component, rate=True)


def _coordinate(skeleton: Skeleton, joint: str, component: str, *, rate: bool) -> int:
    link = skeleton.carrier[joint]
    offset = link.joint.components(skeleton.planar).index(component)
    return (link.v.start if rate else link.q.start) + offset


def _joint_pose(skeleton: Skeleton, joint: str, q: Matrix) -> Pose:
    link = skeleton.carrier[joint]
    return link.joint.pose(q[link.q], skeleton.planar)
