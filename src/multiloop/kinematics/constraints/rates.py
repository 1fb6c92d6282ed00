"""J and γ of any constraint from the wrenches and efforts that it exerts."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import casadi as ca

from multiloop.kinematics.constraints.constraint import Along, Between, End, Interaction
from multiloop.kinematics.constraints.ends import accelerated_ends, placed_ends
from multiloop.kinematics.motion import marker_bending
from multiloop.spatial import Matrix

if TYPE_CHECKING:
    from multiloop.kinematics.skeleton import Skeleton
    from multiloop.kinematics.snapshot import Snapshot

Interactions = Callable[["Snapshot"], tuple[Interaction, ...]]
"""A function that returns the wrenches and efforts of a constraint at an instant."""


def jacobian_of(at: Snapshot, interactions: tuple[Interaction, ...], count: int) -> Matrix:
    """J of one constraint, c×n, from its wrenches and efforts; zero blocks are never formed."""
    columns: list[Matrix] = [ca.DM(count, 1)] * at.skeleton.rates
    for one in interactions:
        if isinstance(one, Along):
            place = at.skeleton.links[one.link].v.start + one.component
            columns[place] = columns[place] + one.weight.T
        else:
            _add_between(at, one, columns)
    return ca.horzcat(ca.DM(count, 0), *columns)


def _add_between(at: Snapshot, between: Between, columns: list[Matrix]) -> None:
    """Add to the columns of J: the relative twist of two ends along W, per unit rate of every coordinate.

        J_k = ± Wᵀ A P_k     (+ on the path to the second body, − to the first, 0 outside the loop)

    Links that carry both ends are left out by the structure of the tree, not by subtraction.

    Source: [koul], eq. (12) and §2.2, J = Ĵ N, block by block.
    """
    skeleton, W = at.skeleton, between.W
    point = placed_ends(at, between.first, between.second).S.p
    to_second, to_first = (ancestors(skeleton, end.body) for end in (between.second, between.first))
    for k in sorted(to_second ^ to_first):
        link, place = skeleton.links[k], at.placed[k]
        turn, slide = place.P[:3, :], place.P[3:, :]
        r = point - place.pose.p
        for i in range(place.P.shape[1]):
            seen = W.T @ ca.vertcat(turn[:, i], slide[:, i] + ca.cross(turn[:, i], r))
            columns[link.v.start + i] = columns[link.v.start + i] + (seen if k in to_second else -seen)
    first, second = (_passed_markers(skeleton, end) for end in (between.first, between.second))
    for sign, way, other in ((1, second, first), (-1, first, second)):
        _add_bending(at, sign * W, point, [step for step in way if step not in other], columns)


def _passed_markers(skeleton: Skeleton, end: End) -> list[tuple[int, str]]:
    """The markers on one side of a loop by which each body carries the next, inward from the end."""
    found, body, marker = [], end.body, end.marker
    while body >= 0:
        found.append((body, marker))
        body, marker = skeleton.links[body].parent, skeleton.links[body].seat
    return found


def _add_bending(
    at: Snapshot, W: Matrix, point: Matrix, way: list[tuple[int, str]], columns: list[Matrix]
) -> None:
    """Add the columns of the elastic coordinates along one side of a loop."""
    for body, marker in way:
        link = at.skeleton.links[body]
        if link.reduced.elastic:
            seen = W.T @ marker_bending(at.skeleton, at.placed, body, marker, point)
            for i in range(link.reduced.elastic):
                columns[link.eta_rate.start + i] = columns[link.eta_rate.start + i] + seen[:, i]


def convective_gamma(at: Snapshot, interactions: Interactions) -> Matrix:
    """γ of one constraint without bias, −(Wᵀ ṫ + Ẇᵀ t); only Ẇ and the rates of weights are derived symbolically."""
    now = interactions(at)
    changes = time_derivatives(at, lambda other: [_weights(one) for one in interactions(other)])
    total = ca.DM(0, 1)
    for one, change in zip(now, changes, strict=True):
        if isinstance(one, Along):
            part = change.T * at.v[at.skeleton.links[one.link].v][one.component]
        else:
            ends = accelerated_ends(at, one.first, one.second)
            part = one.W.T @ ends.twist_rate + change.T @ ends.twist
        total = part if total.is_empty() else total + part
    return -total


def _weights(one: Interaction) -> Matrix:
    return one.weight if isinstance(one, Along) else one.W


def time_derivatives(at: Snapshot, build: Callable[[Snapshot], list[Matrix]]) -> list[Matrix]:
    """Time derivatives of matrices that depend only on the position, Σ ∂/∂q q̇, on symbols or numbers."""
    from multiloop.kinematics.snapshot import Snapshot

    if isinstance(at.q, ca.SX):
        return [_along(part, at.q, at.q_rate) for part in build(at)]
    q, v = (ca.SX.sym(letter, x.shape[0]) for letter, x in (("q", at.q), ("v", at.v)))
    moved = Snapshot(at.skeleton, q, v, at.t, at.x)
    rates = [ca.densify(ca.SX(_along(part, q, moved.q_rate))) for part in build(moved)]
    return list(ca.Function("rates", [q, v], rates).call([ca.DM(at.q), ca.DM(at.v)]))


def _along(part: Matrix, q: Matrix, q_rate: Matrix) -> Matrix:
    return ca.sparsify(ca.jtimes(ca.SX(part), q, q_rate)) if isinstance(part, ca.SX) else ca.DM(*part.shape)


def ancestors(skeleton: Skeleton, k: int) -> set[int]:
    """Indices of a body and of all bodies that carry it, without the ground."""
    found = set()
    while k >= 0:
        found.add(k)
        k = skeleton.links[k].parent
    return found
