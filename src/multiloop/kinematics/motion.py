"""Twists and twist rates of all bodies, by two outward recursions, and of the markers on them.

All vectors are in the inertial frame; the twist of a body is taken at the origin of its frame, which is that of its
inboard joint unless the body is elastic and the joint is at a marker that moves when the body deforms.
"""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from multiloop.kinematics.placing import Placed, turned
from multiloop.kinematics.recursion import outward
from multiloop.kinematics.skeleton import Link, Skeleton
from multiloop.model import ReducedBody
from multiloop.spatial import Matrix, twist_matrix, zeros


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
        """Velocity of the point of the body at position r from its origin."""
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
        """Acceleration of the point of the body at position r from its origin."""
        return self.a + ca.cross(self.alpha, r) + ca.cross(omega, ca.cross(omega, r))


AT_REST = Moving(zeros(3), zeros(3))
STEADY = Accelerated(zeros(3), zeros(3))


def move_bodies(skeleton: Skeleton, placed: list[Placed], v: Matrix) -> list[Moving]:
    """Twists of all bodies.

        t_i = A_(i,i−1) t_(i−1) + P_i v_i

    Source: [chaudhary], eq. (17); on an elastic parent with the motion Φ η̇ of its marker, [fattah], ch. 2.
    """

    def step(k: int, link: Link, parent: Moving) -> Moving:
        place = placed[k]
        seat = marker_twist(skeleton, placed, link.parent, link.seat, _arm(link, placed, place), parent, v)
        own = place.P @ v[link.rates]
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
    """Twist rates of all bodies; without `a` only their convective parts.

        ṫ_i = A ṫ_(i−1) + Ȧ t_(i−1) + P_i v̇_i + Ṗ_i v_i

    `base` is the twist rate of the ground: [0; −g] includes the weight of every body in its inertia wrench.

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
        if not link.reduced.moves(link.handle):
            return _across_joint(link, placed[k], (seat, moving[k]), seat_rate, (local, local_rate))
        r = placed[k].handle.p - placed[k].pose.p
        handle = marker_twist(skeleton, placed, k, link.handle, r, moving[k], v)
        held = _across_joint(link, placed[k], (seat, handle), seat_rate, (local, local_rate))
        bent = marker_twist_rate(skeleton, placed, k, link.handle, r, (moving[k], STEADY), (v, a))
        alpha = held.alpha - bent.alpha
        return Accelerated(alpha, held.a - bent.a - ca.cross(alpha, r))

    return outward(skeleton.links, base, step)


def _across_joint(
    link: Link,
    place: Placed,
    motion: tuple[Moving, Moving],
    seat_rate: Accelerated,
    relative: tuple[Matrix, Matrix],
) -> Accelerated:
    """Twist rate of the body's marker at the joint from that of the parent's marker.

    The relative twist and its rate are given in F, which turns with the joint's first body: Ω = R_F ω_rel,
    u = R_F v_rel. Forward (F on the seat, r from seat to body):
        α = α_s + ω_s × Ω + R_F ω̇_rel,   a = a_s + α_s × r + ω_s × (ω_s × r + 2 u) + R_F v̇_rel
    and backward (F on the body, r from body to seat) the same equations solved for the body.
    """
    seat, body = motion
    R_F = place.seat.R if link.forward else place.handle.R
    (turn, slide), (turn_rate, slide_rate) = ((R_F @ t[:3], R_F @ t[3:]) for t in relative)
    if link.forward:
        r = place.handle.p - place.seat.p
        alpha = seat_rate.alpha + ca.cross(seat.omega, turn) + turn_rate
        spin = ca.cross(seat.omega, ca.cross(seat.omega, r) + 2 * slide)
        return Accelerated(alpha, seat_rate.a + ca.cross(seat_rate.alpha, r) + spin + slide_rate)
    r = place.seat.p - place.handle.p
    alpha = seat_rate.alpha - ca.cross(body.omega, turn) - turn_rate
    spin = ca.cross(body.omega, ca.cross(body.omega, r) + 2 * slide)
    return Accelerated(alpha, seat_rate.a - ca.cross(alpha, r) - spin - slide_rate)


def marker_twist(
    skeleton: Skeleton, placed: list[Placed], k: int, marker: str, r: Matrix, body: Moving, v: Matrix
) -> Moving:
    """Twist of a marker at position r on body k (−1 the ground); an elastic body adds R [T Φ_r; Φ_t] η̇."""
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
    """Twist rate of a marker; an elastic body adds R Φ η̈ + ω × R Φ η̇ (twice for the point) and R [Ṫ Φ_r η̇; B(η̇, η̇)].

    `body` is the twist and twist rate of the body, `rates` are v and v̇ (None for the convective part only).
    """
    moving, accelerated = body
    alpha, a = accelerated.alpha, accelerated.at(r, moving.omega)
    bend, bend_rate = (_bending(skeleton, placed, k, marker, x) for x in rates)
    if bend is not None:
        link, place = skeleton.links[k], placed[k]
        drift = link.reduced.marker_drift(marker, place.eta, rates[0][link.eta_rate])
        alpha = alpha + ca.cross(moving.omega, bend[0]) + place.pose.R @ drift[:3]
        a = a + 2 * ca.cross(moving.omega, bend[1]) + place.pose.R @ drift[3:]
    if bend_rate is not None:
        alpha, a = alpha + bend_rate[0], a + bend_rate[1]
    return Accelerated(alpha, a)


def seat_bending(skeleton: Skeleton, placed: list[Placed], k: int) -> Matrix:
    """Twist of body k at its origin per unit of the elastic rates of its parent, 6×e; 6×0 on a rigid parent."""
    link = skeleton.links[k]
    if not skeleton.body_of(link.parent).elastic:
        return ca.DM(6, 0)
    return marker_bending(skeleton, placed, link.parent, link.seat, placed[k].pose.p)


def marker_bending(skeleton: Skeleton, placed: list[Placed], k: int, marker: str, point: Matrix) -> Matrix:
    """Twist of a rigid body attached to a marker of body k per unit of the elastic rates of body k, 6×e.

    In inertial axes, taken at a point:  [R T Φ_r; R Φ_t + R T Φ_r × (point − marker)]
    """
    body, place = skeleton.body_of(k), placed[k]
    shape = turned(place.pose.R, body.marker_shape(marker, place.eta))
    return twist_matrix(point - place.pose.point(body.marker_pose(marker, place.eta).p)) @ shape


def _arm(link: Link, placed: list[Placed], place: Placed) -> Matrix:
    """Vector from the origin of the parent to its marker at the joint, in the deformed configuration."""
    return place.seat.p - placed[link.parent].pose.p if link.parent >= 0 else place.seat.p


def _bending(
    skeleton: Skeleton, placed: list[Placed], k: int, marker: str, rates: Matrix | None
) -> tuple[Matrix, Matrix] | None:
    """R [T Φ_r; Φ_t] η̇ at a marker of an elastic body (with η̈ for accelerations); None on a rigid one."""
    body: ReducedBody = skeleton.body_of(k)
    if not body.elastic or rates is None:
        return None
    shape = body.marker_shape(marker, placed[k].eta) @ rates[skeleton.links[k].eta_rate]
    return placed[k].pose.R @ shape[:3], placed[k].pose.R @ shape[3:]
