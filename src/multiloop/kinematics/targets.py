"""Prescribed coordinates: what a drive, a start or a guess asks of a joint or a marker, as rows of equations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import casadi as ca

from multiloop.kinematics.chart import LENGTHS
from multiloop.kinematics.motion import marker_twist, marker_twist_rate
from multiloop.kinematics.placing import Placed
from multiloop.kinematics.skeleton import Skeleton
from multiloop.model import GROUND, Mechanism
from multiloop.model.names import is_elastic_name
from multiloop.spatial import Matrix, Pose, quaternion_matrix, unskew

if TYPE_CHECKING:
    from multiloop.kinematics.snapshot import Snapshot


@dataclass(frozen=True)
class Target:
    """One thing that is asked to have given values.

    `of` is a tree joint, the elastic coordinates "body.eta" of a body, or a marker "body.marker" in the inertial
    frame. `components` are the coordinates, or among x, y, z, angle, turn of a marker ("turn": its orientation as a
    quaternion, in space). An orientation takes four values and gives three rows; every other component one of each.
    """

    of: str
    components: tuple[str, ...]

    @property
    def on_marker(self) -> bool:
        """Whether it is about a marker rather than about coordinates."""
        return "." in self.of and not is_elastic_name(self.components[0])

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


def target_rows(skeleton: Skeleton, target: Target, q: Matrix, placed: list[Placed], s: Matrix) -> Matrix:
    """Position rows Φ = (coordinate) − s; angles of markers are compared on the circle."""
    rows = []
    at = 0
    pose = marker_in_space(skeleton, target.of, q, placed) if target.on_marker else None
    for component in target.components:
        if component == "turn":
            wanted = quaternion_matrix(s[at : at + 4])
            R = pose.R if pose is not None else _joint_pose(skeleton, target.of, q).R
            rows.append(_turn_between(R @ wanted.T))
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


def _turn_between(D: Matrix) -> Matrix:
    """Three rows that vanish only where the rotation D is none, and that draw it back from everywhere.

        Φ = 4 tan(θ/4) a = 4 ε / (1 + e₀),   e = [e₀; ε] the quaternion of D with e₀ ≥ 0

    For a small turn it is the rotation vector θ a. At a half turn, where the skew part sin θ a vanishes and
    either way back is as long, it is 4 a with one of the two signs of a. (Φ/4 are the modified Rodrigues
    parameters of D.)
    """
    e = _quaternion_along(D)
    sign = ca.if_else(e[0] < 0, -1, 1)
    return 4 * sign * e[1:4] / (ca.norm_2(e) + sign * e[0])


def _quaternion_along(D: Matrix) -> Matrix:
    """A column of 4 e eᵀ, which is linear in D: the first up to 120°, beyond it the largest of the others."""
    t, twice = ca.trace(D), 2 * unskew(D)
    S = D + D.T + (1 - t) * ca.DM.eye(3)
    x, y, z = (ca.vertcat(twice[k], S[:, k]) for k in range(3))
    across = ca.if_else(S[1, 1] > S[2, 2], y, z)
    largest = ca.if_else(S[0, 0] > ca.fmax(S[1, 1], S[2, 2]), x, across)
    return ca.if_else(t >= 0, ca.vertcat(1 + t, twice), largest)


def target_lengths(target: Target) -> tuple[bool, ...]:
    """For every row whether it is a length."""
    found: list[bool] = []
    for component in target.components:
        found += [False] * 3 if component == "turn" else [component in LENGTHS]
    return tuple(found)


def target_rate(at: Snapshot, target: Target) -> Matrix:
    """J v of the rows: the joint's own rates, or the marker's velocity and angular velocity."""
    skeleton = at.skeleton
    if not target.on_marker:
        own = skeleton.coordinates[target.of]
        turn = at.v[own.v.stop - 3 : own.v.stop]
        parts = [turn if c == "turn" else at.v[own.v.start + own.names.index(c)] for c in target.components]
        return ca.vertcat(*parts)
    k = skeleton.index[target.of.partition(".")[0]]
    if k < 0:
        return ca.DM(target.rows(), 1)
    r = marker_in_space(skeleton, target.of, at.q, at.placed).p - at.placed[k].pose.p
    twist = marker_twist(skeleton, at.placed, k, target.of.partition(".")[2], r, at.moving[k], at.v)
    return _picked(target, twist.omega, twist.v)


def target_gamma(at: Snapshot, target: Target) -> Matrix:
    """γ = −J̇ v: zero for a joint's own coordinates, minus the convective acceleration of a marker."""
    skeleton = at.skeleton
    k = skeleton.index[target.of.partition(".")[0]] if target.on_marker else -1
    if k < 0:
        return ca.DM(target.rows(), 1)
    r = marker_in_space(skeleton, target.of, at.q, at.placed).p - at.placed[k].pose.p
    body = (at.moving[k], at.convective[k])
    rate = marker_twist_rate(skeleton, at.placed, k, target.of.partition(".")[2], r, body, (at.v, None))
    return -_picked(target, rate.alpha, rate.a)


def _picked(target: Target, turning: Matrix, sliding: Matrix) -> Matrix:
    """The asked components of an angular and a linear vector."""
    parts = {"turn": turning, "angle": turning[2], "x": sliding[0], "y": sliding[1], "z": sliding[2]}
    return ca.vertcat(*[parts[component] for component in target.components])


def marker_in_space(skeleton: Skeleton, reference: str, q: Matrix, placed: list[Placed]) -> Pose:
    """Pose of a marker in the inertial frame."""
    body, _, marker = reference.partition(".")
    if body == GROUND:
        return skeleton.ground.markers[marker]
    k = skeleton.index[body]
    link = skeleton.links[k]
    return placed[k].pose @ link.reduced.marker_pose(marker, placed[k].eta)


def coordinate_index(skeleton: Skeleton, joint: str, component: str) -> int:
    """The place in v of a tree joint's coordinate."""
    return _coordinate(skeleton, joint, component, rate=True)


def _coordinate(skeleton: Skeleton, of: str, component: str, *, rate: bool) -> int:
    own = skeleton.coordinates[of]
    return (own.v.start if rate else own.q.start) + own.names.index(component)


def _joint_pose(skeleton: Skeleton, joint: str, q: Matrix) -> Pose:
    link = skeleton.carrier[joint]
    return link.joint.pose(q[link.q], skeleton.planar)
