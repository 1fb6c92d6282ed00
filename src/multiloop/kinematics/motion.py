"""Where every body is, how fast it moves and how it speeds up: the three outward recursions.

All vectors are in the inertial frame; a body's twist is taken at the origin of its inboard joint frame.
"""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from multiloop.kinematics.recursion import outward
from multiloop.kinematics.skeleton import Link, Skeleton
from multiloop.model import ReducedBody
from multiloop.spatial import IDENTITY, Matrix, Pose, zeros


@dataclass(frozen=True)
class Placed:
    """A body at its place: its own frame, the frame of its seat on the parent, and the joint's pose in F.

    P is the joint-rate propagation matrix of [chaudhary], eq. (20), in the inertial frame at the body's origin.
    """

    pose: Pose
    seat: Pose
    joint: Pose
    P: Matrix


@dataclass(frozen=True)
class Moving:
    """Twist t = [ω; v] of a body at its origin."""

    omega: Matrix
    v: Matrix

    @property
    def twist(self) -> Matrix:
        """[ω; v] as one column."""
        return ca.vertcat(self.omega, self.v)

    def at(self, r: Matrix) -> Matrix:
        """Velocity of the body's point at distance r from its origin."""
        return self.v + ca.cross(self.omega, r)


@dataclass(frozen=True)
class Accelerated:
    """Twist rate ṫ = [α; a] of a body at its origin."""

    alpha: Matrix
    a: Matrix

    @property
    def twist_rate(self) -> Matrix:
        """[α; a] as one column."""
        return ca.vertcat(self.alpha, self.a)

    def at(self, r: Matrix, omega: Matrix) -> Matrix:
        """Acceleration of the body's point at distance r from its origin."""
        return self.a + ca.cross(self.alpha, r) + ca.cross(omega, ca.cross(omega, r))


AT_REST = Moving(zeros(3), zeros(3))
STEADY = Accelerated(zeros(3), zeros(3))
GROUNDED = Placed(IDENTITY, IDENTITY, IDENTITY, ca.DM(6, 0))


def place_bodies(skeleton: Skeleton, q: Matrix) -> list[Placed]:
    """Poses of all bodies.

    R_i = R_p R_seat R(q),   p_i = p_p + R_p p_seat + R_p R_seat p(q), inverted where the joint runs backward.
    """
    planar = skeleton.planar

    def step(_: int, link: Link, parent: Placed) -> Placed:
        eta = q[skeleton.links[link.parent].eta] if link.parent >= 0 else zeros(0)
        seat = parent.pose @ skeleton.body_of(link.parent).marker_pose(link.seat, eta)
        joint = link.joint.pose(q[link.q], planar)
        pose = seat @ (joint if link.forward else joint.inverse())
        return Placed(pose, seat, joint, _propagation(link, pose, seat, joint, planar))

    return outward(skeleton.links, GROUNDED, step)


def _propagation(link: Link, pose: Pose, seat: Pose, joint: Pose, planar: bool) -> Matrix:
    """P of a joint in the inertial frame at its body's origin.

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


def move_bodies(skeleton: Skeleton, placed: list[Placed], v: Matrix) -> list[Moving]:
    """Twists of all bodies.

        t_i = A_(i,i−1) t_(i−1) + P_i v_i

    Source: [chaudhary], eq. (17); with the seat's own motion Φ η̇ on an elastic parent, [fattah], ch. 2.
    """

    def step(k: int, link: Link, parent: Moving) -> Moving:
        place = placed[k]
        seat = marker_twist(skeleton, placed, link.parent, link.seat, _arm(link, placed, place), parent, v)
        own = place.P @ v[link.v]
        return Moving(seat.omega + own[:3], seat.at(place.pose.p - place.seat.p) + own[3:])

    return outward(skeleton.links, AT_REST, step)


def accelerate_bodies(
    skeleton: Skeleton,
    placed: list[Placed],
    moving: list[Moving],
    v: Matrix,
    a: Matrix | None = None,
    base: Accelerated = STEADY,
) -> list[Accelerated]:
    """Twist rates of all bodies; without `a` the convective part alone.

        ṫ_i = A ṫ_(i−1) + Ȧ t_(i−1) + P_i v̇_i + Ṗ_i v_i

    `base` is the ground's twist rate: [0; −g] puts the weight of every body into its inertia wrench.

    Source: the time derivative of [chaudhary], eq. (17), written out in `_across_joint`.
    """

    def step(k: int, link: Link, parent: Accelerated) -> Accelerated:
        before = moving[link.parent] if link.parent >= 0 else AT_REST
        arm = _arm(link, placed, placed[k])
        seat = marker_twist(skeleton, placed, link.parent, link.seat, arm, before, v)
        seat_rate = marker_twist_rate(skeleton, placed, link.parent, link.seat, arm, (before, parent), (v, a))
        P = link.joint.freedom(placed[k].joint, skeleton.planar)
        local = P @ v[link.v]
        local_rate = link.joint.freedom_rate(placed[k].joint, local[:3], skeleton.planar) @ v[link.v]
        if a is not None:
            local_rate = local_rate + P @ a[link.v]
        return _across_joint(link, placed[k], (seat, moving[k]), seat_rate, (local, local_rate))

    return outward(skeleton.links, base, step)


def _across_joint(
    link: Link,
    place: Placed,
    motion: tuple[Moving, Moving],
    seat_rate: Accelerated,
    relative: tuple[Matrix, Matrix],
) -> Accelerated:
    """The body's twist rate from that of its seat, over the joint.

    The relative twist and its rate are given in F, which turns with the joint's first body: Ω = R_F ω_rel,
    u = R_F v_rel. Forward (F on the seat, r from seat to body):
        α = α_s + ω_s × Ω + R_F ω̇_rel,   a = a_s + α_s × r + ω_s × (ω_s × r + 2 u) + R_F v̇_rel
    and backward (F on the body, r from body to seat) the same solved for the body.
    """
    seat, body = motion
    R_F = place.seat.R if link.forward else place.pose.R
    (turn, slide), (turn_rate, slide_rate) = ((R_F @ t[:3], R_F @ t[3:]) for t in relative)
    if link.forward:
        r = place.pose.p - place.seat.p
        alpha = seat_rate.alpha + ca.cross(seat.omega, turn) + turn_rate
        spin = ca.cross(seat.omega, ca.cross(seat.omega, r) + 2 * slide)
        return Accelerated(alpha, seat_rate.a + ca.cross(seat_rate.alpha, r) + spin + slide_rate)
    r = place.seat.p - place.pose.p
    alpha = seat_rate.alpha - ca.cross(body.omega, turn) - turn_rate
    spin = ca.cross(body.omega, ca.cross(body.omega, r) + 2 * slide)
    return Accelerated(alpha, seat_rate.a - ca.cross(alpha, r) - spin - slide_rate)


def marker_twist(
    skeleton: Skeleton, placed: list[Placed], k: int, marker: str, r: Matrix, body: Moving, v: Matrix
) -> Moving:
    """Twist of a marker at distance r on body k (−1 the ground); an elastic body adds R Φ η̇."""
    bend = _bending(skeleton, placed, k, marker, v)
    twist = Moving(body.omega, body.at(r))
    return twist if bend is None else Moving(twist.omega + bend[0], twist.v + bend[1])


def marker_twist_rate(
    skeleton: Skeleton,
    placed: list[Placed],
    k: int,
    marker: str,
    r: Matrix,
    body: tuple[Moving, Accelerated],
    rates: tuple[Matrix, Matrix | None],
) -> Accelerated:
    """Twist rate of a marker; an elastic body adds R Φ η̈ + ω × R Φ η̇ (twice for the point).

    `body` is its twist and twist rate, `rates` are v and, unless the convective part alone is asked, v̇.
    """
    moving, accelerated = body
    alpha, a = accelerated.alpha, accelerated.at(r, moving.omega)
    bend, bend_rate = (_bending(skeleton, placed, k, marker, x) for x in rates)
    if bend is not None:
        alpha, a = alpha + ca.cross(moving.omega, bend[0]), a + 2 * ca.cross(moving.omega, bend[1])
    if bend_rate is not None:
        alpha, a = alpha + bend_rate[0], a + bend_rate[1]
    return Accelerated(alpha, a)


def seat_bending(skeleton: Skeleton, placed: list[Placed], k: int) -> Matrix:
    """What the elastic rates of its parent give body k at its own origin, 6×e; nothing on a rigid parent."""
    link = skeleton.links[k]
    body = skeleton.body_of(link.parent)
    if not body.elastic:
        return ca.DM(6, 0)
    R, shape = placed[link.parent].pose.R, body.shapes[link.seat]
    turn, slide = R @ shape[:3, :], R @ shape[3:, :]
    r = placed[k].pose.p - placed[k].seat.p
    crossed = [ca.cross(turn[:, i], r) for i in range(body.elastic)]
    return ca.vertcat(turn, slide + ca.horzcat(*crossed))


def _arm(link: Link, placed: list[Placed], place: Placed) -> Matrix:
    """From the parent's origin to the seat, where it is now, bent or not."""
    return place.seat.p - placed[link.parent].pose.p if link.parent >= 0 else place.seat.p


def _bending(
    skeleton: Skeleton, placed: list[Placed], k: int, marker: str, rates: Matrix | None
) -> tuple[Matrix, Matrix] | None:
    """R Φ η̇ at a marker of an elastic body (R Φ η̈ for accelerations): turning and shifting; None on a rigid one."""
    body: ReducedBody = skeleton.body_of(k)
    if not body.elastic or rates is None:
        return None
    shape = body.shapes[marker] @ rates[skeleton.links[k].eta_rate]
    return placed[k].pose.R @ shape[:3], placed[k].pose.R @ shape[3:]
