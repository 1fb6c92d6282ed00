"""Poses of all bodies and joint-rate propagation matrices P, by an outward recursion along the tree."""

from __future__ import annotations

from dataclasses import dataclass, field

import casadi as ca

from multiloop.kinematics.recursion import outward
from multiloop.kinematics.skeleton import Link, Skeleton
from multiloop.spatial import IDENTITY, Matrix, Pose, twist_matrix, zeros


@dataclass(frozen=True)
class Placed:
    """Pose of a body, pose of its joint marker on the parent (`seat`), and pose of the joint in F.

    `handle` is the pose of the body's marker at its inboard joint, `eta` the body's elastic coordinates. P is the
    joint-rate propagation matrix of [chaudhary], eq. (20), in the inertial frame at the body's origin, over all
    rates of the link, elastic rates included where they move this marker relative to the body's frame.
    """

    pose: Pose
    seat: Pose
    joint: Pose
    P: Matrix
    handle: Pose
    eta: Matrix = field(default_factory=lambda: zeros(0))


GROUNDED = Placed(IDENTITY, IDENTITY, IDENTITY, ca.DM(6, 0), IDENTITY)


def place_bodies(skeleton: Skeleton, q: Matrix) -> list[Placed]:
    """Poses of all bodies.

        R_i = R_p R_seat R(q),   p_i = p_p + R_p p_seat + R_p R_seat p(q)

    The pose of a backward joint is inverted. The frame of an elastic body follows from that of its displaced marker.
    """
    planar = skeleton.planar

    def step(_: int, link: Link, parent: Placed) -> Placed:
        seat = parent.pose @ skeleton.body_of(link.parent).marker_pose(link.seat, parent.eta)
        joint = link.joint.pose(q[link.q], planar)
        handle = seat @ (joint if link.forward else joint.inverse())
        P = _propagation(link, handle, seat, joint, planar)
        if not link.reduced.elastic:
            return Placed(handle, seat, joint, P, handle)
        eta = q[link.eta]
        if not link.reduced.moves(link.handle):
            return Placed(handle, seat, joint, ca.horzcat(P, ca.DM(6, link.reduced.elastic)), handle, eta)
        pose = handle @ link.reduced.marker_pose(link.handle, eta).inverse()
        receding = turned(pose.R, link.reduced.marker_shape(link.handle, eta))
        P = twist_matrix(pose.p - handle.p) @ ca.horzcat(P, -receding)
        return Placed(pose, seat, joint, P, handle, eta)

    return outward(skeleton.links, GROUNDED, step)


def turned(R: Matrix, shape: Matrix) -> Matrix:
    """Columns of twists rotated by R."""
    return ca.vertcat(R @ shape[:3, :], R @ shape[3:, :])


def _propagation(link: Link, pose: Pose, seat: Pose, joint: Pose, planar: bool) -> Matrix:
    """P of a joint in the inertial frame at the body's marker, whose pose is given.

    forward:  P = [R_F P_ω; R_F P_v];   backward (F is on the body, r = p_S − p_F):
    P = −[R_F P_ω; R_F P_v + r × R_F P_ω]
    """
    local = link.joint.freedom(joint, planar)
    R_F = seat.R if link.forward else pose.R
    turn, slide = R_F @ local[:3, :], R_F @ local[3:, :]
    if link.forward:
        return ca.vertcat(turn, slide)
    r = seat.p - pose.p
    crossed = [ca.cross(r, turn[:, k]) for k in range(turn.shape[1])]
    return -ca.vertcat(turn, slide + ca.horzcat(ca.DM(3, 0), *crossed))
