"""Where is every body? The first outward recursion, with what each joint lets its body do there."""

from __future__ import annotations

from dataclasses import dataclass, field

import casadi as ca

from multiloop.kinematics.recursion import outward
from multiloop.kinematics.skeleton import Link, Skeleton
from multiloop.spatial import IDENTITY, Matrix, Pose, twist_matrix, zeros


@dataclass(frozen=True)
class Placed:
    """A body at its place: its own frame, the frame of its seat on the parent, and the joint's pose in F.

    `handle` is the frame of the marker by which the joint holds the body, `eta` its elastic coordinates. P is the
    joint-rate propagation matrix of [chaudhary], eq. (20), in the inertial frame at the body's origin, over all
    rates of the link: where the handle bends, the body's frame recedes from it.
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

    R_i = R_p R_seat R(q),   p_i = p_p + R_p p_seat + R_p R_seat p(q), inverted where the joint runs backward.
    An elastic body is placed from its bent handle backward.
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
    """Columns of twists in other axes."""
    return ca.vertcat(R @ shape[:3, :], R @ shape[3:, :])


def _propagation(link: Link, pose: Pose, seat: Pose, joint: Pose, planar: bool) -> Matrix:
    """P of a joint in the inertial frame at its handle, whose pose is given.

    forward:  P = [R_F P_ω; R_F P_v];   backward (the body carries F, r = p_S − p_F):
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
