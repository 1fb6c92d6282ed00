"""Rows J_u = J T of a constraint in the unknowns u of `members`, by links.

Each end of the constraint is followed inward; a freely turning body moves the bodies that it carries only by the
motion of one point.
"""

from __future__ import annotations

import casadi as ca

from multiloop.dynamics.members import falling_in_space
from multiloop.dynamics.unknowns import Unknowns
from multiloop.kinematics.constraints import Along, Between, Constraint, End, Interaction, Prescribed
from multiloop.kinematics.constraints.ends import placed_ends
from multiloop.kinematics.motion import marker_bending, marker_twist_rate
from multiloop.spatial import Matrix, skew, zeros


def constraint_rows(
    tree: Unknowns, constraint: Constraint, given: Prescribed
) -> tuple[dict[int, Matrix], Matrix]:
    """J_u of a constraint by links, and γ, from its wrenches and efforts."""
    columns: dict[int, Matrix] = {}
    interactions = constraint.interactions(tree.at)
    for one in interactions:
        parts = along_rate(tree, one) if isinstance(one, Along) else _between(tree, one)
        for k, part in parts.items():
            columns[k] = columns[k] + part if k in columns else part
    return columns, _gamma(tree, constraint, interactions, given)


def _between(tree: Unknowns, between: Between) -> dict[int, Matrix]:
    """Wᵀ times the relative twist of two ends, per unit of the unknowns, by links.

    Each end is followed inward; a freely turning body moves the bodies that it carries only by the motion of one point.
    """
    first, second, W = between.first, between.second, between.W
    ends = placed_ends(tree.at, first, second)
    gap = zeros(3) if between.holds_point else ends.S.p - ends.F.p
    to_second = _way(tree, second, zeros(3))
    to_first = _way(tree, first, gap)
    columns: dict[int, Matrix] = {}
    for k in sorted(to_second.keys() | to_first.keys(), reverse=True):
        if tree.links[k].reduced.elastic:
            columns[k] = W.T @ (_bent(tree, to_second, k) - _bent(tree, to_first, k))
            continue
        turn, slide = (tree.members[k].A @ tree.members[k].S[part, :] for part in (slice(3), slice(3, 6)))
        if k not in to_second or k not in to_first:
            (r, whole, _), sign = (to_second[k], 1) if k in to_second else (to_first[k], -1)
            moves, turns = sign * (slide - skew(r) @ turn), sign * whole
        else:  # a body that carries both ends moves them alike except for the arms
            (r, whole, _), (s, entire, _) = to_second[k], to_first[k]
            moves = zeros(*turn.shape) if whole and entire else -skew(r - s) @ turn
            turns = whole - entire
        columns[k] = W[3:, :].T @ moves + (W[:3, :].T @ (turns * turn) if turns else 0)
        if k in to_second and k in to_first and tree.members[k].free:
            break  # bodies further inward move both ends through the joint of this body
    return columns


def _way(tree: Unknowns, end: End, beyond: Matrix) -> dict[int, tuple[Matrix, bool, str]]:
    """For every body inward of an end: the position of the moved point from its origin, whether it also rotates the
    end, and the marker by which it carries the rest.
    """
    found: dict[int, tuple[Matrix, bool, str]] = {}
    k, marker = end.body, end.marker
    if k < 0:
        return found
    place = tree.at.placed[k]
    r, whole = place.pose.R @ tree.links[k].reduced.marker_pose(marker, place.eta).p + beyond, True
    while True:
        found[k] = (r, whole, marker)
        member, parent = tree.members[k], tree.links[k].parent
        if parent < 0:
            return found
        arm = tree.members[parent].A @ member.arm
        r, whole = (arm, False) if member.free else (r + arm, whole)
        k, marker = parent, tree.links[k].seat


def _bent(tree: Unknowns, way: dict[int, tuple[Matrix, bool, str]], k: int) -> Matrix:
    """Twist of an end of a constraint per unit of the unknowns of an elastic body inward of it, 6×(f+e)."""
    member, e = tree.members[k], tree.links[k].reduced.elastic
    if k not in way:
        return zeros(6, member.S.shape[1])
    r, whole, marker = way[k]
    own = ca.vertcat(member.A @ member.S[:3, :], member.A @ member.S[3:6, :])
    origin = tree.at.placed[k].pose.p
    bend = marker_bending(tree.at.skeleton, tree.at.placed, k, marker, origin)
    t = own + ca.horzcat(zeros(6, own.shape[1] - e), bend)
    return ca.vertcat(t[:3, :] if whole else zeros(3, t.shape[1]), t[3:, :] - skew(r) @ t[:3, :])


def along_rate(tree: Unknowns, along: Along) -> dict[int, Matrix]:
    """Weights times the row of T for one rate of a joint, by links."""
    k, member = along.link, tree.members[along.link]
    if not member.free or along.component >= member.M.shape[0]:  # elastic coordinates are unknowns themselves
        return {k: along.weight.T @ ca.DM.eye(member.S.shape[1])[along.component, :]}
    reads = along.weight.T @ member.M[along.component, :]
    row = {k: reads @ member.S[:3, :]}
    while tree.links[k].parent >= 0:
        bend = tree.members[k].bend
        reads, k = reads @ tree.members[k].C.T, tree.links[k].parent
        row[k] = -reads @ (tree.members[k].S[:3, :] + _last(bend[:3, :], tree.members[k].S.shape[1]))
        if tree.members[k].free:
            break
    return row


def _gamma(
    tree: Unknowns, constraint: Constraint, interactions: tuple[Interaction, ...], given: Prescribed
) -> Matrix:
    """γ of a constraint; where it fixes a point, from the difference of the accelerations of its two points."""
    one, count = interactions[0], len(constraint.rows)
    if not isinstance(one, Between) or not one.holds_point or len(interactions) > 1:
        return constraint.gamma(tree.at, given)
    points = 2 if tree.planar else 3
    others = constraint.gamma(tree.at, given)[: count - points] if points < count else ca.DM(0, 1)
    first, second = (_point(tree, end) for end in (one.first, one.second))
    return ca.vertcat(others, (first - second)[:points])


def _point(tree: Unknowns, end: End) -> Matrix:
    """Acceleration of a marker at u = 0, in inertial axes."""
    k, marker = end.body, end.marker
    if k < 0:
        return -tree.at.skeleton.gravity
    member, body, at = tree.members[k], tree.links[k].reduced, tree.at
    if not body.elastic:
        return member.A @ tree.motion[k].at(member.B @ body.markers[marker].p)
    r = at.placed[k].pose.R @ body.marker_pose(marker, at.placed[k].eta).p
    motion = (at.moving[k], falling_in_space(at, None)[k])
    return marker_twist_rate(at.skeleton, at.placed, k, marker, r, motion, (at.v, None)).a


def _last(columns: Matrix, count: int) -> Matrix:
    """Columns of elastic unknowns, which are the last of their body, after structural zeros for the others."""
    return ca.horzcat(zeros(columns.shape[0], count - columns.shape[1]), columns)
