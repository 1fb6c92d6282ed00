"""Inertia, forces and constraint rows of the spanning tree in the unknown accelerations u of `tree_members`, in blocks.

    v̇ = T u,      I_u = Tᵀ I T,      φ_u = Tᵀ φ,      J_u = J T;      I_u u = φ_u + J_uᵀ λ,   J_u u = γ

v̇ are the accelerations of the joint coordinates, T maps u to v̇, I is the generalized inertia, φ are the known forces,
J and γ the Jacobian and right-hand sides of the constraints, and λ their multipliers. The unknowns of a body that
rotates freely at its inboard joint contain its absolute angular acceleration. The matrices are computed directly, not
from I, φ and J: a freely rotating body transmits its mass and a force to its parent, but no moment. Constraint rows are
formed by following each end of a constraint inward; bodies inward of a freely rotating body move the end only through
the motion of one point.

Theory: docs/theory/04-orthogonal-complement.md, eqs. (4.16), (4.17).
"""

from __future__ import annotations

from collections.abc import Container
from functools import cached_property
from typing import Any

import casadi as ca

from multiloop.dynamics.actions import applied_wrenches
from multiloop.dynamics.newton_euler import body_required_wrench
from multiloop.dynamics.tree_members import BodyMotion, Member, body_motions, inertial_twist_rates, members_of
from multiloop.kinematics import Snapshot
from multiloop.kinematics.constraints import (
    Constraint,
    EffortInteraction,
    End,
    Interaction,
    Prescribed,
    WrenchInteraction,
    end_poses,
)
from multiloop.kinematics.tree import marker_deformation_twists, marker_twist_rate
from multiloop.spatial import Inertia, Matrix, skew, zeros


class TreeUnknowns:
    """Inertia, forces and accelerations of the spanning tree at one instant in the unknowns u of `tree_members`."""

    def __init__(self, at: Snapshot) -> None:
        self.at = at
        self.links, self.planar = at.skeleton.links, at.skeleton.planar
        self.members: list[Member] = members_of(at)

    @cached_property
    def motion_at_zero(self) -> list[BodyMotion]:
        """Accelerations of all bodies if the unknowns u are zero."""
        return body_motions(self.at, self.members)

    def body_inertia(self, k: int) -> Inertia:
        """Inertia of a single body about its origin, in the axes of its member."""
        return self._body_mass(k).turned(self.members[k].B, self.planar)

    def _body_mass(self, k: int) -> Inertia:
        """Inertia of a single body about its origin, in the axes of its frame."""
        return self.links[k].reduced.inertia_at(self.at.placements[k].eta)

    @cached_property
    def augmented_bodies(self) -> list[Inertia]:
        """Inertia of every body together with all bodies outward of it, in its axes (augmented bodies, [wittenburg]).

        Freely rotating bodies are added as point masses at their joints, so that the inertia of a rigid augmented body
        without other outward bodies is constant in its frame.
        """
        links, count = self.links, len(self.links)
        total: list[Any] = [link.reduced.mass for link in links]
        for k in reversed(range(count)):
            if links[k].parent >= 0:
                total[links[k].parent] = total[links[k].parent] + total[k]
        own = [self._body_mass(k) for k in range(count)]
        for k, link in enumerate(links):
            if self.members[k].turns_freely and link.parent >= 0:
                carrier, eta = links[link.parent].reduced, self.at.placements[link.parent].eta
                point = carrier.marker_pose(link.parent_marker, eta).p
                modes = carrier.marker_shape(link.parent_marker, eta)[3:, :]
                own[link.parent] = own[link.parent].with_point_mass(total[k], point, modes)
        found = [body.turned(member.B, self.planar) for member, body in zip(self.members, own, strict=True)]
        for k in reversed(range(count)):
            if not self.members[k].turns_freely and links[k].parent >= 0:
                found[links[k].parent] = found[links[k].parent] + self._inertia_at_carrier(k, found[k])
        return found

    def _inertia_at_carrier(self, k: int, mass: Inertia) -> Inertia:
        """Inertia of a body that does not rotate freely, about the origin of its parent and in the parent's axes."""
        member = self.members[k]
        turned = Inertia(mass.mass, mass.moment, mass.inertia).turned(member.C, self.planar)
        return turned.seen_from(member.arm, self.planar).carried_by_flexible(member.elastic_screws)

    def _wrench_at_carrier(self, k: int, w: Matrix) -> Matrix:
        """The wrench w on body k as transmitted to its parent, at the parent's origin in the parent's axes, followed by
        modal forces of the parent."""
        member = self.members[k]
        f = member.C @ w[3:6, :]
        n = skew(member.arm) @ f
        return _with_modal_forces(
            member, ca.vertcat(n if member.turns_freely else member.C @ w[:3, :] + n, f)
        )

    def inertia(self, without: Container[int] = ()) -> dict[tuple[int, int], Matrix]:
        """Blocks (j, k) of the inertia I_u in the unknowns u, where j is k or an ancestor of k; links in `without` are
        omitted."""
        blocks = {}
        for k, mass in enumerate(self.augmented_bodies):
            if k in without or not self.members[k].S.shape[1]:
                continue
            F, j = mass.wrench(self.members[k].S), k
            while True:
                blocks[j, k] = self.members[j].S.T @ F
                if self.links[j].parent < 0:
                    break
                F, j = self._wrench_at_carrier(j, F), self.links[j].parent
        return blocks

    def forces(self, tau: Matrix) -> list[Matrix]:
        """Right-hand side φ_u of the equations of motion in the unknowns u, one vector for each link: known forces
        minus the forces that the motion at u = 0 requires."""
        need = [self.required_wrench(k) for k in range(len(self.links))]
        found: list[Matrix] = [zeros(0)] * len(self.links)
        for k in reversed(range(len(self.links))):
            member, link = self.members[k], self.links[k]
            effort = tau[link.rates]
            if member.turns_freely:
                turn = member.M.T @ effort  # moment on the body; the opposite moment acts on its parent
                found[k] = member.S[:3, :].T @ (turn - need[k][:3])
            else:
                turn = zeros(3)
                found[k] = effort - member.S.T @ need[k]
            if link.parent >= 0:
                need[link.parent] = need[link.parent] + self._wrench_at_carrier(k, need[k])
                if member.turns_freely:
                    need[link.parent] = need[link.parent] + self._moment_at_carrier(k, turn)
        return found

    def _moment_at_carrier(self, k: int, turn: Matrix) -> Matrix:
        """Contribution of the moment `turn` on a freely rotating body k to the required wrench and modal forces of its
        parent, on which the opposite moment acts."""
        member = self.members[k]
        return _with_modal_forces(member, ca.vertcat(member.C @ turn, zeros(3)))

    def required_wrench(self, k: int) -> Matrix:
        """Required wrench of the body with the index k if the unknowns u are zero, in its axes, followed by modal
        forces: inertia wrench w* minus the applied wrench wᵉ of loads."""
        w = body_required_wrench(self.at, k, self.members[k], self.motion_at_zero[k], None)
        applied = applied_wrenches(self.at).get(k)
        if applied is None:
            return w
        A = self.members[k].A
        return w - ca.vertcat(A.T @ applied[:3], A.T @ applied[3:6], applied[6:])

    def accelerations(self, u: list[Matrix]) -> Matrix:
        """Accelerations v̇ = T u of the tree; `u` has one vector for each link."""
        parts: list[Matrix] = [ca.DM(0, 1)]
        turning: list[Matrix] = []
        for k, link in enumerate(self.links):
            member = self.members[k]
            carrier = zeros(3)
            if link.parent >= 0:
                bending = (
                    member.elastic_screws[:3, :] @ u[link.parent][-member.elastic_screws.shape[1] :]
                    if member.elastic_screws.shape[1]
                    else 0
                )
                carrier = member.C.T @ (turning[link.parent] + bending)
            own = member.S[:3, :] @ u[k]
            turning.append(own if member.turns_freely else carrier + own)
            parts.append(member.M @ (own - carrier) if member.turns_freely else u[k])
        return ca.vertcat(*parts)


def constraint_rows(
    tree: TreeUnknowns, constraint: Constraint, given: Prescribed
) -> tuple[dict[int, Matrix], Matrix]:
    """Jacobian J_u of a constraint with respect to the unknowns u, in blocks by link index, and its right-hand side γ,
    from the wrenches and efforts of the constraint."""
    columns: dict[int, Matrix] = {}
    interactions = constraint.interactions(tree.at)
    for one in interactions:
        parts = rate_row(tree, one) if isinstance(one, EffortInteraction) else _between(tree, one)
        for k, part in parts.items():
            columns[k] = columns[k] + part if k in columns else part
    return columns, _gamma(tree, constraint, interactions, given)


def _between(tree: TreeUnknowns, between: WrenchInteraction) -> dict[int, Matrix]:
    """Relative twist rate of the two ends of a constraint per unit of the unknowns u, multiplied by the transposed
    constraint wrenches Wᵀ, in blocks by link index.

    Each end is followed inward; bodies inward of a freely rotating body move the end only through the motion of one
    point.
    """
    first, second, W = between.first, between.second, between.W
    ends = end_poses(tree.at, first, second)
    gap = zeros(3) if between.holds_point else ends.S.p - ends.F.p
    to_second = _inward_path(tree, second, zeros(3))
    to_first = _inward_path(tree, first, gap)
    columns: dict[int, Matrix] = {}
    for k in sorted(to_second.keys() | to_first.keys(), reverse=True):
        if tree.links[k].reduced.elastic:
            columns[k] = W.T @ (_elastic_columns(tree, to_second, k) - _elastic_columns(tree, to_first, k))
            continue
        turn, slide = (tree.members[k].A @ tree.members[k].S[part, :] for part in (slice(3), slice(3, 6)))
        if k not in to_second or k not in to_first:
            (r, whole, _), sign = (to_second[k], 1) if k in to_second else (to_first[k], -1)
            moves, turns = sign * (slide - skew(r) @ turn), sign * whole
        else:  # a body inward of both ends moves them equally, except for the different vectors r and s to the ends
            (r, whole, _), (s, entire, _) = to_second[k], to_first[k]
            moves = zeros(*turn.shape) if whole and entire else -skew(r - s) @ turn
            turns = whole - entire
        columns[k] = W[3:, :].T @ moves + (W[:3, :].T @ (turns * turn) if turns else 0)
        if k in to_second and k in to_first and tree.members[k].turns_freely:
            break  # bodies further inward move both ends through the joint of this body
    return columns


def _inward_path(tree: TreeUnknowns, end: End, beyond: Matrix) -> dict[int, tuple[Matrix, bool, str]]:
    """For every body inward of an end of a constraint, by link index: the vector from its origin to the point that it
    moves, whether it also rotates the end, and its marker at which the next outward body is attached.

    `beyond` is the vector from the marker at the end to the point at which the twist is taken.
    """
    found: dict[int, tuple[Matrix, bool, str]] = {}
    k, marker = end.body, end.marker
    if k < 0:
        return found
    place = tree.at.placements[k]
    r, whole = place.pose.R @ tree.links[k].reduced.marker_pose(marker, place.eta).p + beyond, True
    while True:
        found[k] = (r, whole, marker)
        member, parent = tree.members[k], tree.links[k].parent
        if parent < 0:
            return found
        arm = tree.members[parent].A @ member.arm
        r, whole = (arm, False) if member.turns_freely else (r + arm, whole)
        k, marker = parent, tree.links[k].parent_marker


def _elastic_columns(tree: TreeUnknowns, path: dict[int, tuple[Matrix, bool, str]], k: int) -> Matrix:
    """Twist rate of an end of a constraint per unit of the unknowns of flexible body k, 6×(f+e); zero unless the body
    is in `path`, which lists the bodies inward of the end (`_inward_path`)."""
    member, e = tree.members[k], tree.links[k].reduced.elastic
    if k not in path:
        return zeros(6, member.S.shape[1])
    r, whole, marker = path[k]
    own = ca.vertcat(member.A @ member.S[:3, :], member.A @ member.S[3:6, :])
    origin = tree.at.placements[k].pose.p
    bend = marker_deformation_twists(tree.at.skeleton, tree.at.placements, k, marker, origin)
    t = own + ca.horzcat(zeros(6, own.shape[1] - e), bend)
    return ca.vertcat(t[:3, :] if whole else zeros(3, t.shape[1]), t[3:, :] - skew(r) @ t[:3, :])


def rate_row(tree: TreeUnknowns, along: EffortInteraction) -> dict[int, Matrix]:
    """Jacobian of an effort interaction in the unknowns u: its weights times the row of the matrix T (v̇ = T u) for one
    joint rate, in blocks by link index."""
    k, member = along.link, tree.members[along.link]
    if (
        not member.turns_freely or along.component >= member.M.shape[0]
    ):  # elastic coordinates are unknowns themselves
        return {k: along.weight.T @ ca.DM.eye(member.S.shape[1])[along.component, :]}
    reads = along.weight.T @ member.M[along.component, :]
    row = {k: reads @ member.S[:3, :]}
    while tree.links[k].parent >= 0:
        bend = tree.members[k].elastic_screws
        reads, k = reads @ tree.members[k].C.T, tree.links[k].parent
        row[k] = -reads @ (tree.members[k].S[:3, :] + _pad_columns(bend[:3, :], tree.members[k].S.shape[1]))
        if tree.members[k].turns_freely:
            break
    return row


def _gamma(
    tree: TreeUnknowns, constraint: Constraint, interactions: tuple[Interaction, ...], given: Prescribed
) -> Matrix:
    """Right-hand side γ of a constraint; rows that make two points coincide follow from the difference of the
    accelerations of these points."""
    one, count = interactions[0], len(constraint.rows)
    if not isinstance(one, WrenchInteraction) or not one.holds_point or len(interactions) > 1:
        return constraint.gamma(tree.at, given)
    points = 2 if tree.planar else 3
    others = constraint.gamma(tree.at, given)[: count - points] if points < count else ca.DM(0, 1)
    first, second = (_marker_acceleration(tree, end) for end in (one.first, one.second))
    return ca.vertcat(others, (first - second)[:points])


def _marker_acceleration(tree: TreeUnknowns, end: End) -> Matrix:
    """Acceleration of a marker if the unknowns u are zero, in inertial axes, relative to the ground acceleration −g."""
    k, marker = end.body, end.marker
    if k < 0:
        return -tree.at.skeleton.gravity
    member, body, at = tree.members[k], tree.links[k].reduced, tree.at
    if not body.elastic:
        return member.A @ tree.motion_at_zero[k].acceleration_at(member.B @ body.markers[marker].p)
    r = at.placements[k].pose.R @ body.marker_pose(marker, at.placements[k].eta).p
    motion = (at.body_twists[k], inertial_twist_rates(at, None)[k])
    return marker_twist_rate(at.skeleton, at.placements, k, marker, r, motion, (at.v, None)).a


def _pad_columns(columns: Matrix, count: int) -> Matrix:
    """Columns of elastic unknowns, preceded by structural zeros for the other unknowns of the body, so that there are
    `count` columns."""
    return ca.horzcat(zeros(columns.shape[0], count - columns.shape[1]), columns)


def _with_modal_forces(member: Member, transmitted: Matrix) -> Matrix:
    """The wrench `transmitted` to the parent of a member, followed by the modal forces of this wrench on a flexible
    parent."""
    screws = member.elastic_screws
    return ca.vertcat(transmitted, screws.T @ transmitted) if screws.shape[1] else transmitted
