"""Poses, twists and twist rates of all bodies of the tree and of their markers, computed by outward recursions.

    t_i = A_(i,i−1) t_(i−1) + P_i v_i,      ṫ_i = A ṫ_(i−1) + Ȧ t_(i−1) + P_i v̇_i + Ṗ_i v_i

t_i is the twist of body i, v_i are the rates of its inboard joint, P is the motion subspace of a joint, A the matrix
that propagates twists from the parent. All vectors are in the inertial frame. The twist of a body is taken at the
origin of its frame, which is the inboard joint frame unless the inboard joint is at a marker that moves when the
flexible body deforms.

Source: [chaudhary], eqs. (17), (20); elastic bodies as in [fattah], ch. 2.
Theory: docs/theory/02-kinematics.md, eqs. (2.4)–(2.8); docs/theory/10-flexible-bodies.md, eqs. (10.3), (10.4).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import casadi as ca

from multiloop.kinematics.tree.skeleton import Link, Skeleton, propagate_outward
from multiloop.model import GROUND, ReducedBody
from multiloop.spatial import IDENTITY, Matrix, Pose, twist_matrix, zeros


@dataclass(frozen=True)
class BodyPlacement:
    """Pose of a body, pose of the marker of its inboard joint on the parent (`parent_frame`), and pose of the joint's
    second marker relative to its first marker F (`joint_pose`).

    `inboard_frame` is the pose of the body's marker at its inboard joint, `eta` are the body's elastic coordinates. P
    is the joint-rate propagation matrix of [chaudhary], eq. (20), in the inertial frame at the body's origin, with a
    column for each rate of the link. The columns of the elastic rates of the body are nonzero only if its deformation
    moves the inboard marker relative to the body's frame.
    """

    pose: Pose
    parent_frame: Pose
    joint_pose: Pose
    P: Matrix
    inboard_frame: Pose
    eta: Matrix = field(default_factory=lambda: zeros(0))


GROUND_PLACEMENT = BodyPlacement(IDENTITY, IDENTITY, IDENTITY, ca.DM(6, 0), IDENTITY)


def place_bodies(skeleton: Skeleton, q: Matrix) -> list[BodyPlacement]:
    """Inertial poses of all bodies at tree coordinates q.

        R_i = R_s R(q),   p_i = p_s + R_s p(q)      s: outboard joint frame of the parent

    The pose R(q), p(q) of the joint is inverted if the parent is the joint's second body (backward joint). The frame of
    a flexible body follows from the frame of its displaced marker at the joint.
    """
    planar = skeleton.planar

    def step(_: int, link: Link, parent: BodyPlacement) -> BodyPlacement:
        outboard = parent.pose @ skeleton.body_of(link.parent).marker_pose(link.parent_marker, parent.eta)
        joint = link.joint.pose(q[link.q], planar)
        inboard = outboard @ (joint if link.forward else joint.inverse())
        P = _propagation(link, inboard, outboard, joint, planar)
        if not link.reduced.elastic:
            return BodyPlacement(inboard, outboard, joint, P, inboard)
        eta = q[link.eta]
        if not link.reduced.moves(link.inboard_marker):
            return BodyPlacement(
                inboard, outboard, joint, ca.horzcat(P, ca.DM(6, link.reduced.elastic)), inboard, eta
            )
        pose = inboard @ link.reduced.marker_pose(link.inboard_marker, eta).inverse()
        receding = rotate_twists(pose.R, link.reduced.marker_shape(link.inboard_marker, eta))
        P = twist_matrix(pose.p - inboard.p) @ ca.horzcat(P, -receding)
        return BodyPlacement(pose, outboard, joint, P, inboard, eta)

    return propagate_outward(skeleton.links, GROUND_PLACEMENT, step)


def rotate_twists(R: Matrix, twists: Matrix) -> Matrix:
    """Twists (6×m, one per column) with angular and linear parts multiplied by R."""
    return ca.vertcat(R @ twists[:3, :], R @ twists[3:, :])


def _propagation(link: Link, pose: Pose, outboard: Pose, joint: Pose, planar: bool) -> Matrix:
    """Joint-rate propagation matrix P in inertial axes, at the body's marker at the joint, whose pose is `pose`;
    `outboard` is the pose of the parent's marker at the joint, `joint` the relative pose of the two markers.

    [P_ω; P_v] is the joint's motion subspace in the axes of its first marker F. If F is on the parent (forward), P =
    [R_F P_ω; R_F P_v]. If F is on the body (backward), P = −[R_F P_ω; R_F P_v + r × R_F P_ω] with r = p_S − p_F. R_F is
    the inertial rotation of F, p_F and p_S are the positions of the two markers.
    """
    local = link.joint.motion_subspace(joint, planar)
    R_F = outboard.R if link.forward else pose.R
    turn, slide = R_F @ local[:3, :], R_F @ local[3:, :]
    if link.forward:
        return ca.vertcat(turn, slide)
    r = outboard.p - pose.p
    crossed = [ca.cross(r, turn[:, k]) for k in range(turn.shape[1])]
    return -ca.vertcat(turn, slide + ca.horzcat(ca.DM(3, 0), *crossed))


@dataclass(frozen=True)
class Twist:
    """Twist t = [ω; v] of a body at its origin."""

    omega: Matrix
    v: Matrix

    @property
    def column(self) -> Matrix:
        """The twist [ω; v] as a 6×1 column."""
        return ca.vertcat(self.omega, self.v)

    def velocity_at(self, r: Matrix) -> Matrix:
        """Velocity of the point of the body at the vector r from its origin."""
        return self.v + ca.cross(self.omega, r)


@dataclass(frozen=True)
class TwistRate:
    """Twist rate ṫ = [α; a] of a body at its origin."""

    alpha: Matrix
    a: Matrix

    @property
    def column(self) -> Matrix:
        """The twist rate [α; a] as a 6×1 column."""
        return ca.vertcat(self.alpha, self.a)

    def acceleration_at(self, r: Matrix, omega: Matrix) -> Matrix:
        """Acceleration of the point of the body at the vector r from its origin; `omega` is the body's angular
        velocity."""
        return self.a + ca.cross(self.alpha, r) + ca.cross(omega, ca.cross(omega, r))


ZERO_TWIST = Twist(zeros(3), zeros(3))
ZERO_TWIST_RATE = TwistRate(zeros(3), zeros(3))


def body_twists(skeleton: Skeleton, placed: list[BodyPlacement], v: Matrix) -> list[Twist]:
    """Twists of all bodies at their origins, in inertial axes.

        t_i = A_(i,i−1) t_(i−1) + P_i v_i

    t_i is the twist of body i, P_i the motion subspace of its inboard joint, v_i are the rates of this joint, and
    A_(i,i−1) propagates twists from the parent.

    Source: [chaudhary], eq. (17); for a flexible parent, whose elastic motion Ψ η̇ at the joint (mode shapes Ψ) is
    added, [fattah], ch. 2.
    """

    def step(k: int, link: Link, parent: Twist) -> Twist:
        place = placed[k]
        outboard = marker_twist(
            skeleton, placed, link.parent, link.parent_marker, _joint_offset(link, placed, place), parent, v
        )
        own = place.P @ v[link.rates]
        return Twist(
            outboard.omega + own[:3], outboard.velocity_at(place.pose.p - place.parent_frame.p) + own[3:]
        )

    return propagate_outward(skeleton.links, ZERO_TWIST, step)


def body_twist_rates(
    skeleton: Skeleton,
    placed: list[BodyPlacement],
    moving: list[Twist],
    v: Matrix,
    a: Matrix | None = None,
    base: TwistRate = ZERO_TWIST_RATE,
) -> list[TwistRate]:
    """Twist rates of all bodies at their origins; without the accelerations `a` only their convective parts (a = 0).

        ṫ_i = A ṫ_(i−1) + Ȧ t_(i−1) + P_i v̇_i + Ṗ_i v_i

    t_i is the twist of body i, P_i the motion subspace of its inboard joint with the rates v_i, A propagates twists
    from the parent. `placed` and `moving` are the placements and the twists of all bodies. `base` is the twist rate of
    the ground; with [0; −g] the weight of every body is included in its inertia wrench.

    Source: the time derivative of [chaudhary], eq. (17), written out in `_twist_rate_across_joint`.
    """

    def step(k: int, link: Link, parent: TwistRate) -> TwistRate:
        before = moving[link.parent] if link.parent >= 0 else ZERO_TWIST
        arm = _joint_offset(link, placed, placed[k])
        outboard = marker_twist(skeleton, placed, link.parent, link.parent_marker, arm, before, v)
        outboard_rate = marker_twist_rate(
            skeleton, placed, link.parent, link.parent_marker, arm, (before, parent), (v, a)
        )
        P = link.joint.motion_subspace(placed[k].joint_pose, skeleton.planar)
        local = P @ v[link.v]
        local_rate = (
            link.joint.motion_subspace_rate(placed[k].joint_pose, local[:3], skeleton.planar) @ v[link.v]
        )
        if a is not None:
            local_rate = local_rate + P @ a[link.v]
        if not link.reduced.moves(link.inboard_marker):
            return _twist_rate_across_joint(
                link, placed[k], (outboard, moving[k]), outboard_rate, (local, local_rate)
            )
        r = placed[k].inboard_frame.p - placed[k].pose.p
        inboard = marker_twist(skeleton, placed, k, link.inboard_marker, r, moving[k], v)
        held = _twist_rate_across_joint(
            link, placed[k], (outboard, inboard), outboard_rate, (local, local_rate)
        )
        bent = marker_twist_rate(
            skeleton, placed, k, link.inboard_marker, r, (moving[k], ZERO_TWIST_RATE), (v, a)
        )
        alpha = held.alpha - bent.alpha
        return TwistRate(alpha, held.a - bent.a - ca.cross(alpha, r))

    return propagate_outward(skeleton.links, base, step)


def _twist_rate_across_joint(
    link: Link,
    place: BodyPlacement,
    motion: tuple[Twist, Twist],
    outboard_rate: TwistRate,
    relative: tuple[Matrix, Matrix],
) -> TwistRate:
    """Twist rate of the body's marker at the inboard joint, from the twist rate of the parent's marker at this joint.

    ω, α and a are angular velocity, angular acceleration and acceleration of the body's marker. `relative` are the
    relative twist [ω_rel; v_rel] and its rate in the axes of the first marker F, which rotates with the joint's first
    body: Ω = R_F ω_rel, u = R_F v_rel. The index s denotes the parent's marker at the joint. If F is on the parent
    (forward), r is the vector from the parent's marker to the body's marker, and
        α = α_s + ω_s × Ω + R_F ω̇_rel,   a = a_s + α_s × r + ω_s × (ω_s × r + 2 u) + R_F v̇_rel
    If F is on the body (backward), r has the opposite direction, and the same equations are solved for the body's twist
    rate.
    """
    outboard, body = motion
    R_F = place.parent_frame.R if link.forward else place.inboard_frame.R
    (turn, slide), (turn_rate, slide_rate) = ((R_F @ t[:3], R_F @ t[3:]) for t in relative)
    if link.forward:
        r = place.inboard_frame.p - place.parent_frame.p
        alpha = outboard_rate.alpha + ca.cross(outboard.omega, turn) + turn_rate
        spin = ca.cross(outboard.omega, ca.cross(outboard.omega, r) + 2 * slide)
        return TwistRate(alpha, outboard_rate.a + ca.cross(outboard_rate.alpha, r) + spin + slide_rate)
    r = place.parent_frame.p - place.inboard_frame.p
    alpha = outboard_rate.alpha - ca.cross(body.omega, turn) - turn_rate
    spin = ca.cross(body.omega, ca.cross(body.omega, r) + 2 * slide)
    return TwistRate(alpha, outboard_rate.a - ca.cross(alpha, r) - spin - slide_rate)


def marker_twist(
    skeleton: Skeleton, placed: list[BodyPlacement], k: int, marker: str, r: Matrix, body: Twist, v: Matrix
) -> Twist:
    """Twist of a marker of body k (−1 is the ground) at its origin; r is the vector from the body's origin to the
    marker.

    A flexible body adds R [T Ψ_r; Ψ_t] η̇, with its rotation R, the tangent operator T of the rotation Ψ_r η of the
    marker, the mode shapes Ψ_r (rotation) and Ψ_t (displacement) at the marker, and the elastic rates η̇."""
    bend = _deformation_rates(skeleton, placed, k, marker, v)
    twist = Twist(body.omega, body.velocity_at(r))
    return twist if bend is None else Twist(twist.omega + bend[0], twist.v + bend[1])


def marker_twist_rate(
    skeleton: Skeleton,
    placed: list[BodyPlacement],
    k: int,
    marker: str,
    r: Matrix,
    body: tuple[Twist, TwistRate],
    rates: tuple[Matrix, Matrix | None],
) -> TwistRate:
    """Twist rate of a marker of body k (−1 is the ground); r is the vector from the body's origin to the marker.

    The deformation of a flexible body adds to the angular acceleration α and to the acceleration a

        α:  R (D_ω η̈ + Ḋ_ω η̇) + ω × R D_ω η̇,      a:  R (D_v η̈ + Ḋ_v η̇) + 2 ω × R D_v η̇

    R and ω are the rotation and angular velocity of the body, η are the elastic coordinates. D_ω and D_v (3×e) map the
    elastic rates η̇ to the angular velocity and velocity of the marker relative to the body, in body axes. `body` is the
    twist and twist rate of the body, `rates` are the joint rates v and accelerations v̇ (None for the convective part
    only).
    """
    moving, accelerated = body
    alpha, a = accelerated.alpha, accelerated.acceleration_at(r, moving.omega)
    bend, bend_rate = (_deformation_rates(skeleton, placed, k, marker, x) for x in rates)
    if bend is not None:
        link, place = skeleton.links[k], placed[k]
        drift = link.reduced.marker_drift(marker, place.eta, rates[0][link.eta_rate])
        alpha = alpha + ca.cross(moving.omega, bend[0]) + place.pose.R @ drift[:3]
        a = a + 2 * ca.cross(moving.omega, bend[1]) + place.pose.R @ drift[3:]
    if bend_rate is not None:
        alpha, a = alpha + bend_rate[0], a + bend_rate[1]
    return TwistRate(alpha, a)


def parent_deformation_twists(skeleton: Skeleton, placed: list[BodyPlacement], k: int) -> Matrix:
    """Twist of body k at its origin per unit of each elastic rate of its parent, 6×e; 6×0 for a rigid parent."""
    link = skeleton.links[k]
    if not skeleton.body_of(link.parent).elastic:
        return ca.DM(6, 0)
    return marker_deformation_twists(skeleton, placed, link.parent, link.parent_marker, placed[k].pose.p)


def marker_deformation_twists(
    skeleton: Skeleton, placed: list[BodyPlacement], k: int, marker: str, point: Matrix
) -> Matrix:
    """Twist of a rigid body attached to a marker of body k, per unit of each elastic rate of body k, 6×e.

    The twist is at `point`, in inertial axes: [R T Ψ_r; R Ψ_t + R T Ψ_r × (point − marker)], with the rotation R of the
    body, the mode shapes Ψ_r (rotation) and Ψ_t (displacement) at the marker, and the tangent operator T of the
    rotation Ψ_r η.
    """
    body, place = skeleton.body_of(k), placed[k]
    shape = rotate_twists(place.pose.R, body.marker_shape(marker, place.eta))
    return twist_matrix(point - place.pose.point(body.marker_pose(marker, place.eta).p)) @ shape


def _joint_offset(link: Link, placed: list[BodyPlacement], place: BodyPlacement) -> Matrix:
    """Vector from the origin of the parent to its marker at the joint, in inertial axes, elastic deformation
    included."""
    return place.parent_frame.p - placed[link.parent].pose.p if link.parent >= 0 else place.parent_frame.p


def _deformation_rates(
    skeleton: Skeleton, placed: list[BodyPlacement], k: int, marker: str, rates: Matrix | None
) -> tuple[Matrix, Matrix] | None:
    """Angular and linear velocity R [T Ψ_r; Ψ_t] η̇ of a marker relative to its flexible body, in inertial axes; None
    for a rigid body.

    R is the rotation of the body, Ψ_r and Ψ_t are the mode shapes (rotation, displacement) at the marker, T is the
    tangent operator of the rotation Ψ_r η. `rates` are v, or v̇ for the terms with η̈; None gives None."""
    body: ReducedBody = skeleton.body_of(k)
    if not body.elastic or rates is None:
        return None
    shape = body.marker_shape(marker, placed[k].eta) @ rates[skeleton.links[k].eta_rate]
    return placed[k].pose.R @ shape[:3], placed[k].pose.R @ shape[3:]


def marker_pose_in_space(skeleton: Skeleton, reference: str, q: Matrix, placed: list[BodyPlacement]) -> Pose:
    """Pose of a marker "body.marker" in the inertial frame."""
    body, _, marker = reference.partition(".")
    if body == GROUND:
        return skeleton.ground.markers[marker]
    k = skeleton.index[body]
    link = skeleton.links[k]
    return placed[k].pose @ link.reduced.marker_pose(marker, placed[k].eta)
