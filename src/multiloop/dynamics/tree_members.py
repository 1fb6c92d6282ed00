"""Bodies of the spanning tree, with axes and unknown accelerations selected such that the equations of each body are
short.

The carrier of a body is its parent in the tree. A body that rotates freely on its carrier (revolute joint in the plane,
spherical joint in space) has its absolute angular acceleration as unknown u, not the acceleration relative to the
carrier: it then transmits only a force to its carrier, on which it acts as a point mass at the joint. For all other
joints the unknowns are the relative accelerations:

    v̇ = T u,      v̇_k = ± R_Fᵀ (u_k − ω̇_carrier)  if body k rotates freely,   v̇_k = u_k otherwise

T maps the unknowns u to the accelerations v̇ of the joint coordinates, ω̇_carrier is the angular acceleration of the
carrier. R_F is the rotation from the first marker of the joint to inertial axes; the sign is − if the first marker is
on body k. The equations of freely rotating bodies, and of all bodies of a planar mechanism, are expressed in inertial
axes, the equations of other bodies in body-fixed axes, in which their inertia is constant.

Source: augmented bodies after [wittenburg]; the recursions are those of [chaudhary], eqs. (11), (17).
Theory: docs/theory/04-orthogonal-complement.md, eqs. (4.16), (4.17).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import casadi as ca

from multiloop.dynamics.inertia_matrix import link_motion_matrix, parent_elastic_screws
from multiloop.kinematics import Snapshot
from multiloop.kinematics.tree import BodyPlacement, Link, TwistRate, propagate_outward
from multiloop.model import Revolute, Spherical, Universal
from multiloop.spatial import Matrix, Pose, skew, zeros

EYE = ca.DM.eye(3)
AXIS_Z = ca.DM([0, 0, 1])


@dataclass(frozen=True)
class Member:
    """A body of the tree with the axes in which its equations are written (its axes); its carrier is its parent body.

    A               rotation from the axes of the body to inertial axes
    C               rotation from the axes of the body to the axes of its carrier
    B               rotation from the frame of the body to its axes
    joint_offset    vector from the carrier's origin to the joint, in the carrier's axes
    arm             vector from the carrier's origin to the body's origin, in the carrier's axes
    P               twist of the body at its origin per unit of its joint rates (6×f)
    S               twist rate of the body at its origin per unit of its unknowns u (6×f)
    M               only if the body rotates freely on its carrier: the matrix of v̇ = M (ω̇ − ω̇_F), with the angular
                    accelerations ω̇ of the body and ω̇_F of the joint's marker on the carrier, both in the body's axes
    elastic_screws  twist of the body per unit of each elastic rate of the carrier (6×e), at the carrier's origin, in
                    the carrier's axes

    For a flexible body P and S also have columns for its e elastic rates, and S also has rows for these rates,
    (6+e)×(f+e).
    """

    A: Matrix
    C: Matrix
    B: Matrix
    joint_offset: Matrix
    arm: Matrix
    P: Matrix
    S: Matrix
    turns_freely: bool
    M: Matrix
    elastic_screws: Matrix = field(default_factory=lambda: zeros(6, 0))


@dataclass(frozen=True)
class BodyMotion:
    """Motion of a body in its axes: angular velocity ω, angular acceleration α, U = α̃ + ω̃ω̃, and acceleration a of
    its origin, from which the acceleration of gravity is subtracted."""

    omega: Matrix
    alpha: Matrix
    U: Matrix
    a: Matrix

    def acceleration_at(self, r: Matrix) -> Matrix:
        """Acceleration a + U r of the point of the body at the vector r from its origin."""
        return self.a + self.U @ r


def members_of(at: Snapshot) -> list[Member]:
    """The members of all bodies of the tree, in the order of the links."""
    found: list[Member] = []
    for k, (link, place) in enumerate(zip(at.skeleton.links, at.placements, strict=True)):
        carrier = found[link.parent] if link.parent >= 0 else None
        if link.reduced.elastic or at.skeleton.body_of(link.parent).elastic:
            found.append(_elastic_member(at, k, carrier))
        else:
            found.append(_rigid_member(at, link, place, carrier))
    return found


def turns_freely(link: Link, planar: bool) -> bool:
    """Whether the absolute angular acceleration of the body is used as its unknown, because it rotates freely on its
    carrier.

    For a flexible body the relative accelerations are used, since its rotation at the joint depends on its deformation.
    """
    if link.reduced.elastic:
        return False
    return isinstance(link.joint, Revolute) if planar else isinstance(link.joint, Spherical)


def _rigid_member(at: Snapshot, link: Link, place: BodyPlacement, carrier: Member | None) -> Member:
    planar, free = at.skeleton.planar, turns_freely(link, at.skeleton.planar)
    inertial = planar or free
    held = at.skeleton.body_of(link.parent).markers[link.parent_marker]
    joint = place.joint_pose if link.forward else place.joint_pose.inverse()
    into = EYE if carrier is None else carrier.B  # rotation from the carrier's frame to the carrier's axes
    A = EYE if inertial else place.pose.R
    B = place.pose.R if inertial else EYE
    if carrier is None:
        C = A
    elif inertial:
        C = EYE if carrier.A is EYE else carrier.A.T
    else:
        C = into @ held.R @ joint.R
    offset = into @ held.p
    shifted = into @ (held.R @ joint.p) if ca.sparsify(joint.p).nnz() else zeros(3)
    P = place.P if inertial else _in_own_axes(link, place.joint_pose, planar)
    if not free:
        return Member(A, C, B, offset, offset + shifted, P, P, False, zeros(0, 3))
    sign = 1 if link.forward else -1
    if planar:
        return Member(A, C, B, offset, offset, P, ca.vertcat(AXIS_Z, zeros(3)), True, sign * AXIS_Z.T)
    R_F = place.parent_frame.R if link.forward else place.pose.R
    return Member(A, C, B, offset, offset, P, ca.vertcat(EYE, zeros(3, 3)), True, sign * R_F.T)


def _elastic_member(at: Snapshot, k: int, carrier: Member | None) -> Member:
    """The member of a body that is flexible or has a flexible carrier, computed from the inertial poses of both
    bodies."""
    link, place, planar = at.skeleton.links[k], at.placements[k], at.skeleton.planar
    free = turns_freely(link, planar)
    A = EYE if planar or free else place.pose.R
    B = place.pose.R if planar or free else EYE
    back = EYE if carrier is None else carrier.A.T
    origin = zeros(3) if carrier is None else at.placements[link.parent].pose.p
    offset, arm = (back @ (pose.p - origin) for pose in (place.parent_frame, place.pose))
    screws = parent_elastic_screws(at, k)
    bend = ca.vertcat(back @ screws[:3, :], back @ screws[3:, :])
    if free:
        R_F = place.parent_frame.R if link.forward else place.inboard_frame.R
        reads, turn = (AXIS_Z.T, AXIS_Z) if planar else (R_F.T, EYE)
        S = ca.vertcat(turn, zeros(3, turn.shape[1]))
        return Member(
            A, back @ A, B, offset, offset, place.P, S, True, (1 if link.forward else -1) * reads, bend
        )
    own = link_motion_matrix(at, k)
    S = ca.vertcat(A.T @ own[:3, :], A.T @ own[3:6, :], own[6:, :])
    return Member(A, back @ A, B, offset, arm, S[:6, :], S, False, zeros(0, 3), bend)


def _in_own_axes(link: Link, joint: Pose, planar: bool) -> Matrix:
    """Twist of a body per unit of each rate of its inboard joint, 6×f, at the body's origin in the axes of its
    frame."""
    local = link.joint.motion_subspace(joint, planar)
    if not link.forward:
        turn, slide = local[:3, :], local[3:, :]
        return -ca.vertcat(turn, slide + skew(joint.p) @ turn)
    if isinstance(link.joint, Universal):  # the second axis of the joint is the x axis of its second marker
        return ca.vertcat(ca.horzcat(joint.R.T[:, 2], ca.DM([1, 0, 0])), zeros(3, 2))
    return ca.vertcat(joint.R.T @ local[:3, :], joint.R.T @ local[3:, :])


def body_motions(at: Snapshot, members: list[Member], a: Matrix | None = None) -> list[BodyMotion]:
    """Motions of all bodies, each in its axes, if the ground has the acceleration −g; if `a` is None, the joint
    accelerations are zero."""
    planar, v = at.skeleton.planar, at.v
    if any(link.reduced.elastic for link in at.skeleton.links):
        return _elastic_body_motions(at, members, a)
    ground = BodyMotion(zeros(3), zeros(3), zeros(3, 3), -at.skeleton.gravity)

    def step(k: int, link: Link, carrier: BodyMotion) -> BodyMotion:
        member, back = members[k], members[k].C.T
        seen, own = back @ carrier.omega, member.P @ v[link.v]
        more = zeros(6) if a is None else member.P @ a[link.v]
        omega = seen + own[:3]
        turning, sliding = _joint_twist_rate(link, at.placements[k].joint_pose, member, v[link.v], planar)
        alpha = back @ carrier.alpha + ca.cross(seen, own[:3]) + turning + more[:3]
        U = acceleration_matrix(omega, alpha, planar)
        if link.forward:
            moved = (
                back @ carrier.acceleration_at(member.arm) + 2 * ca.cross(seen, own[3:]) + sliding + more[3:]
            )
            return BodyMotion(omega, alpha, U, moved)
        # the first marker is on this body; the carrier's marker moves relative to this body, at r from its origin
        r = back @ (member.joint_offset - member.arm)
        slip, slip_rate = (
            (zeros(3), zeros(3)) if member.turns_freely else (_sliding_part(own, r), _sliding_part(more, r))
        )
        moved = (
            back @ carrier.acceleration_at(member.joint_offset)
            - U @ r
            + 2 * ca.cross(omega, slip)
            + sliding
            + slip_rate
        )
        return BodyMotion(omega, alpha, U, moved)

    return propagate_outward(at.skeleton.links, ground, step)


def inertial_twist_rates(at: Snapshot, a: Matrix | None) -> list[TwistRate]:
    """Twist rates of all bodies in inertial axes for accelerations `a` (None for zero), if the ground has the
    acceleration −g."""
    return at.twist_rates(a, TwistRate(zeros(3), -at.skeleton.gravity))


def _elastic_body_motions(at: Snapshot, members: list[Member], a: Matrix | None) -> list[BodyMotion]:
    """Motions of all bodies of a mechanism with flexible bodies, computed by recursion in inertial axes and transformed
    to the axes of each body."""
    found = []
    for member, moving, rate in zip(members, at.body_twists, inertial_twist_rates(at, a), strict=True):
        omega, alpha = member.A.T @ moving.omega, member.A.T @ rate.alpha
        U = acceleration_matrix(omega, alpha, at.skeleton.planar)
        found.append(BodyMotion(omega, alpha, U, member.A.T @ rate.a))
    return found


def _sliding_part(t: Matrix, r: Matrix) -> Matrix:
    """Linear part, at the vector r from the body's origin, of a relative twist t that is given at this origin."""
    return t[3:] - ca.cross(r, t[:3])


def acceleration_matrix(omega: Matrix, alpha: Matrix, planar: bool) -> Matrix:
    """The matrix U = α̃ + ω̃ω̃, which maps the position of a point of a body to its acceleration relative to the body's
    origin."""
    if planar:
        return skew(alpha) - omega[2] ** 2 * ca.diag(ca.DM([1, 1, 0]))
    square = omega @ omega.T
    return skew(alpha) + square - ca.trace(square) * EYE


def _joint_twist_rate(
    link: Link, joint: Pose, member: Member, v: Matrix, planar: bool
) -> tuple[Matrix, Matrix]:
    """Angular and linear part of the time derivative of the joint's relative twist for constant joint rates, as
    observed from its first marker F, with components in the axes of the body."""
    local = link.joint.motion_subspace(joint, planar) @ v
    rate = link.joint.motion_subspace_rate(joint, local[:3], planar) @ v
    if not ca.sparsify(rate).nnz():
        return zeros(3), zeros(3)
    if isinstance(link.joint, Universal) and link.forward and member.B is EYE:
        return v[0] * v[1] * ca.cross(member.P[:3, 0], member.P[:3, 1]), zeros(3)
    R = joint.R.T if link.forward else EYE  # rotation from the first marker to the frame of the body
    sign = 1 if link.forward else -1
    return sign * (member.B @ (R @ rate[:3])), sign * (member.B @ (R @ rate[3:]))
