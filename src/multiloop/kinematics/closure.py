"""The rows of a cut joint: positions, rates and accelerations that keep its two markers together."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import casadi as ca

from multiloop.kinematics.motion import (
    AT_REST,
    STEADY,
    Accelerated,
    Moving,
    marker_bending,
    marker_twist,
    marker_twist_rate,
)
from multiloop.kinematics.placing import GROUNDED, Placed
from multiloop.kinematics.skeleton import Cut, Skeleton
from multiloop.model import Connection, Joint
from multiloop.spatial import Matrix, Pose


@dataclass(frozen=True)
class Ends:
    """The two markers F and S of a joint in the inertial frame, with their own twists and twist rates."""

    F: Pose
    S: Pose
    first: Moving = AT_REST
    second: Moving = AT_REST
    first_rate: Accelerated = STEADY
    second_rate: Accelerated = STEADY

    @property
    def relative(self) -> Pose:
        """Pose of S in F."""
        return self.F.inverse() @ self.S


def holds_point(joint: Connection, planar: bool) -> bool:
    """Whether a joint holds every force at its point, so that its force rows may stand in inertial axes."""
    forces = [name for name in wrench_words(joint, planar) if name.startswith("force along")]
    return len(forces) == (2 if planar else 3) and not joint.must_stay


def wrench_words(joint: Connection, planar: bool) -> tuple[str, ...]:
    """A word for each wrench that a joint or pair can transmit; the same for all joints of a kind."""
    return _words(type(joint), planar) if isinstance(joint, Joint) else joint.wrench_names(planar)


@lru_cache(maxsize=64)
def _words(kind: type[Joint], planar: bool) -> tuple[str, ...]:
    return kind("joint", "one.marker", "other.marker").wrench_names(planar)


def ends_of(
    skeleton: Skeleton,
    cut: Cut,
    q: Matrix,
    placed: list[Placed],
    moving: tuple[Matrix, list[Moving]] | None = None,
    convective: list[Accelerated] | None = None,
) -> Ends:
    """The two ends of a cut joint; `moving` is v with the bodies' twists, `convective` their twist rates."""
    sides = []
    for k, marker in ((cut.first, cut.first_marker), (cut.second, cut.second_marker)):
        place = placed[k] if k >= 0 else GROUNDED
        pose = place.pose @ skeleton.body_of(k).marker_pose(marker, place.eta)
        twist, rate = AT_REST, STEADY
        if moving is not None and k >= 0:
            v, bodies = moving
            r = pose.p - place.pose.p
            twist = marker_twist(skeleton, placed, k, marker, r, bodies[k], v)
            if convective is not None:
                body = (bodies[k], convective[k])
                rate = marker_twist_rate(skeleton, placed, k, marker, r, body, (v, None))
        sides.append((pose, twist, rate))
    (F, first, first_rate), (S, second, second_rate) = sides
    return Ends(F, S, first, second, first_rate, second_rate)


def closure_rows(skeleton: Skeleton, cut: Cut, ends: Ends) -> Matrix:
    """Position rows Φ of a cut: moments' rows in the first marker's frame, point rows in inertial axes."""
    planar = skeleton.planar
    rows = cut.joint.closure(ends.relative, planar)
    if not holds_point(cut.joint, planar):
        return rows
    points = 2 if planar else 3
    return ca.vertcat(rows[: rows.shape[0] - points], (ends.S.p - ends.F.p)[:points])


def held_wrenches(skeleton: Skeleton, joint: Connection, F: Pose, S: Pose) -> Matrix:
    """The wrenches W that the multipliers of a cut weigh, 6×c, in inertial axes at the origin of S.

    What the first body exerts on the second is W λ; the same columns read the relative twist as Wᵀ t.
    """
    planar = skeleton.planar
    local = joint.wrenches(F.inverse() @ S, planar)
    W = ca.vertcat(F.R @ local[:3, :], F.R @ local[3:, :])
    if not holds_point(joint, planar):
        return W
    points = 2 if planar else 3
    count = W.shape[1] - points
    return ca.horzcat(W[:, :count], ca.DM.eye(6)[:, 3 : 3 + points])


def cut_jacobian(skeleton: Skeleton, cut: Cut, ends: Ends, placed: list[Placed]) -> Matrix:
    """J of one cut, c×n: the relative twist of its ends, read along W, per unit rate of every coordinate.

        J_k = ± Wᵀ A P_k     (+ on the way to the second body, − to the first, 0 off the loop)

    Source: [koul], eq. (12) and §2.2, J = Ĵ N, block by block: zero blocks are never formed.
    """
    W = held_wrenches(skeleton, cut.joint, ends.F, ends.S)
    point = ends.S.p
    to_second = _ancestors(skeleton, cut.second)
    columns = [ca.DM(W.shape[1], 1)] * skeleton.rates
    for k in cut.movers:
        link, place = skeleton.links[k], placed[k]
        turn, slide = place.P[:3, :], place.P[3:, :]
        r = point - place.pose.p
        for i in range(place.P.shape[1]):
            seen = W.T @ ca.vertcat(turn[:, i], slide[:, i] + ca.cross(turn[:, i], r))
            columns[link.v.start + i] = seen if k in to_second else -seen
    first, second = (_passed_markers(skeleton, k, marker) for k, marker in cut.ends)
    for sign, way, other in ((1, second, first), (-1, first, second)):
        _add_bending(skeleton, placed, sign * W, point, [step for step in way if step not in other], columns)
    return ca.horzcat(*columns)


def _passed_markers(skeleton: Skeleton, body: int, marker: str) -> list[tuple[int, str]]:
    """The markers through which one side of a loop leaves its bodies, inward from the cut."""
    found = []
    while body >= 0:
        found.append((body, marker))
        body, marker = skeleton.links[body].parent, skeleton.links[body].seat
    return found


def _add_bending(
    skeleton: Skeleton,
    placed: list[Placed],
    W: Matrix,
    point: Matrix,
    way: list[tuple[int, str]],
    columns: list[Matrix],
) -> None:
    """Columns of the elastic coordinates along one side of a loop: each bends what its body carries."""
    for body, marker in way:
        link = skeleton.links[body]
        if link.reduced.elastic:
            seen = W.T @ marker_bending(skeleton, placed, body, marker, point)
            for i in range(link.reduced.elastic):
                columns[link.eta_rate.start + i] = columns[link.eta_rate.start + i] + seen[:, i]


def cut_rate(skeleton: Skeleton, cut: Cut, ends: Ends) -> Matrix:
    """J v of one cut: the relative twist of its ends, read along W."""
    return held_wrenches(skeleton, cut.joint, ends.F, ends.S).T @ _relative_twist(ends)


def _relative_twist(ends: Ends) -> Matrix:
    """Twist of S less that of F's body at the origin of S, in inertial axes."""
    F, S = ends.first, ends.second
    return ca.vertcat(S.omega - F.omega, S.v - F.at(ends.S.p - ends.F.p))


def cut_gamma(skeleton: Skeleton, cut: Cut, ends: Ends) -> Matrix:
    """γ = −J̇ v of one cut from the convective twist rates of its two bodies.

    In the turning frame F:  d/dt R_Fᵀ(ω_S − ω_F) = R_Fᵀ(α_S − α_F − ω_F × ω_S),
    d/dt R_Fᵀ u = R_Fᵀ(a_S − a_F − α_F × r − ω_F × (ṙ + u)),   u = ṙ − ω_F × r.
    """
    planar = skeleton.planar
    F, S, rate_F, rate_S = ends.first, ends.second, ends.first_rate, ends.second_rate
    local = cut.joint.wrenches(ends.relative, planar)
    r, r_rate = ends.S.p - ends.F.p, S.v - F.v
    acceleration = rate_S.a - rate_F.a
    omega = S.omega - F.omega
    alpha = rate_S.alpha - rate_F.alpha - ca.cross(F.omega, S.omega)
    u = r_rate - ca.cross(F.omega, r)
    u_rate = acceleration - ca.cross(rate_F.alpha, r) - ca.cross(F.omega, r_rate + u)
    R = ends.F.R
    twist = ca.vertcat(R.T @ omega, R.T @ u)
    twist_rate = ca.vertcat(R.T @ alpha, R.T @ u_rate)
    W_rate = cut.joint.wrenches_rate(ends.relative, twist, planar)
    gamma = -(local.T @ twist_rate + W_rate.T @ twist)
    if not holds_point(cut.joint, planar):
        return gamma
    points = 2 if planar else 3
    return ca.vertcat(gamma[: gamma.shape[0] - points], -acceleration[:points])


def cut_rates(skeleton: Skeleton, cut: Cut, ends: Ends) -> Matrix:
    """v of a cut joint from the relative twist of its ends in F: v = Pᵀ t (the columns of P are orthonormal)."""
    t, R = _relative_twist(ends), ends.F.R
    P = cut.joint.freedom(ends.relative, skeleton.planar)
    return P.T @ ca.vertcat(R.T @ t[:3], R.T @ t[3:])


def _ancestors(skeleton: Skeleton, k: int) -> set[int]:
    found = set()
    while k >= 0:
        found.add(k)
        k = skeleton.links[k].parent
    return found
