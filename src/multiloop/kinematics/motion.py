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

    def step(link: Link, parent: Placed) -> Placed:
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
    return -ca.vertcat(turn, slide + _cross_columns(r, turn))


def _cross_columns(r: Matrix, columns: Matrix) -> Matrix:
    if columns.shape[1] == 0:
        return columns
    return ca.horzcat(*[ca.cross(r, columns[:, k]) for k in range(columns.shape[1])])


def move_bodies(skeleton: Skeleton, placed: list[Placed], v: Matrix) -> list[Moving]:
    """Twists of all bodies.

        t_i = A_(i,i−1) t_(i−1) + P_i v_i

    Source: [chaudhary], eq. (17); with the seat's own motion Φ η̇ on an elastic parent, [fattah], ch. 2.
    """
    places = {id(link): place for link, place in zip(skeleton.links, placed, strict=True)}

    def step(link: Link, parent: Moving) -> Moving:
        place = places[id(link)]
        omega, at_seat = parent.omega, parent.at(place.seat.p - _origin(link, placed))
        bend = _bending(skeleton, link, placed, v)
        if bend is not None:
            omega, at_seat = omega + bend[0], at_seat + bend[1]
        carried = at_seat + ca.cross(omega, place.pose.p - place.seat.p)
        own = place.P @ v[link.v]
        return Moving(omega + own[:3], carried + own[3:])

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

    Source: the time derivative of [chaudhary], eq. (17), written out for a joint frame F that turns with its
    body: forward α = α_p + ω_p × Ω + R_F(P_ω v̇ + Ṗ_ω v), Ω = R_F P_ω v, and likewise for points.
    """
    index = {id(link): k for k, link in enumerate(skeleton.links)}

    def step(link: Link, parent: Accelerated) -> Accelerated:
        k = index[id(link)]
        place, mine = placed[k], moving[k]
        before = moving[link.parent] if link.parent >= 0 else AT_REST
        omega, alpha = before.omega, parent.alpha
        at_seat = parent.at(place.seat.p - _origin(link, placed), omega)
        bend = _bending(skeleton, link, placed, v)
        if bend is not None:
            turn, shift = bend
            alpha, at_seat = alpha + ca.cross(omega, turn), at_seat + 2 * ca.cross(omega, shift)
            if a is not None:
                more = _bending(skeleton, link, placed, a)
                alpha, at_seat = alpha + more[0], at_seat + more[1]  # type: ignore[index]
            omega = omega + turn
        return _across_joint(skeleton, link, place, mine, omega, alpha, at_seat, v, a)

    return outward(skeleton.links, base, step)


def _across_joint(
    skeleton: Skeleton,
    link: Link,
    place: Placed,
    mine: Moving,
    omega: Matrix,
    alpha: Matrix,
    at_seat: Matrix,
    v: Matrix,
    a: Matrix | None,
) -> Accelerated:
    """The body's twist rate from that of its seat (ω, α, acceleration), over the joint."""
    planar = skeleton.planar
    R_F = place.seat.R if link.forward else place.pose.R
    local = link.joint.freedom(place.joint, planar) @ v[link.v]
    rate = link.joint.freedom_rate(place.joint, local[:3], planar) @ v[link.v]
    if a is not None:
        rate = rate + link.joint.freedom(place.joint, planar) @ a[link.v]
    turn, slide = R_F @ local[:3], R_F @ local[3:]
    turn_rate, slide_rate = R_F @ rate[:3], R_F @ rate[3:]
    if link.forward:  # the frame F turns with the seat
        r = place.pose.p - place.seat.p
        alpha_own = alpha + ca.cross(omega, turn) + turn_rate
        spin = ca.cross(omega, ca.cross(omega, r) + 2 * slide)
        return Accelerated(alpha_own, at_seat + ca.cross(alpha, r) + spin + slide_rate)
    r = place.seat.p - place.pose.p  # the frame F turns with the body itself
    alpha_own = alpha - ca.cross(mine.omega, turn) - turn_rate
    spin = ca.cross(mine.omega, ca.cross(mine.omega, r) + 2 * slide)
    return Accelerated(alpha_own, at_seat - ca.cross(alpha_own, r) - spin - slide_rate)


def _origin(link: Link, placed: list[Placed]) -> Matrix:
    return placed[link.parent].pose.p if link.parent >= 0 else zeros(3)


def _bending(skeleton: Skeleton, link: Link, placed: list[Placed], rates: Matrix) -> tuple[Matrix, Matrix] | None:
    """Angular and linear velocity of the seat on its elastic parent, R Φ η̇; None on a rigid one."""
    body: ReducedBody = skeleton.body_of(link.parent)
    if not body.elastic:
        return None
    R = placed[link.parent].pose.R
    shape = body.shapes[link.seat] @ rates[skeleton.links[link.parent].eta_rate]
    return R @ shape[:3], R @ shape[3:]
