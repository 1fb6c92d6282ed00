"""The opened tree's equations in the unknowns u of `members`: inertia, forces and rows, block by block.

    I_u = Tᵀ I T,      φ_u = Tᵀ φ,      J_u = J T;      I_u u = φ_u + J_uᵀ λ,   J_u u = γ

None of them is formed from I, φ and J: a freely turning body hands on its mass and its force, not its moment.
"""

from __future__ import annotations

from collections.abc import Container
from functools import cached_property
from typing import Any

import casadi as ca

from multiloop.dynamics.actions import applied_wrenches
from multiloop.dynamics.members import Member, Spinning, falling, falling_in_space, members_of
from multiloop.dynamics.needed import needed_by_body
from multiloop.kinematics.constraints import Along, Between, Constraint, End, Interaction, Prescribed
from multiloop.kinematics.constraints.ends import placed_ends
from multiloop.kinematics.motion import marker_bending, marker_twist_rate
from multiloop.kinematics.snapshot import Snapshot
from multiloop.spatial import Inertia, Matrix, skew, zeros


class Unknowns:
    """The opened tree at one instant in its own unknowns."""

    def __init__(self, at: Snapshot) -> None:
        self.at = at
        self.links, self.planar = at.skeleton.links, at.skeleton.planar
        self.members: list[Member] = members_of(at)

    @cached_property
    def motion(self) -> list[Spinning]:
        """All bodies at u = 0."""
        return falling(self.at, self.members)

    def own_mass(self, k: int) -> Inertia:
        """A body by itself in its axes."""
        return self._body_mass(k).turned(self.members[k].B, self.planar)

    def _body_mass(self, k: int) -> Inertia:
        """A body by itself in its own frame."""
        return self.links[k].reduced.inertia_at(self.at.placed[k].eta)

    @cached_property
    def masses(self) -> list[Inertia]:
        """Every body with what it moves along with it, in its axes.

        The mass of freely turning bodies stands at their joints: an augmented body, constant in its own frame
        unless it is elastic.
        """
        links, count = self.links, len(self.links)
        total: list[Any] = [link.reduced.mass for link in links]
        for k in reversed(range(count)):
            if links[k].parent >= 0:
                total[links[k].parent] = total[links[k].parent] + total[k]
        own = [self._body_mass(k) for k in range(count)]
        for k, link in enumerate(links):
            if self.members[k].free and link.parent >= 0:
                carrier, eta = links[link.parent].reduced, self.at.placed[link.parent].eta
                seat = carrier.marker_pose(link.seat, eta).p
                shape = carrier.marker_shape(link.seat, eta)[3:, :]
                own[link.parent] = own[link.parent].with_point_mass(total[k], seat, shape)
        found = [body.turned(member.B, self.planar) for member, body in zip(self.members, own, strict=True)]
        for k in reversed(range(count)):
            if not self.members[k].free and links[k].parent >= 0:
                found[links[k].parent] = found[links[k].parent] + self._handed(k, found[k])
        return found

    def _handed(self, k: int, mass: Inertia) -> Inertia:
        """The mass of a body that turns with its carrier, about the carrier's origin and in its axes."""
        member = self.members[k]
        turned = Inertia(mass.mass, mass.moment, mass.inertia).turned(member.C, self.planar)
        return turned.seen_from(member.arm, self.planar).on_elastic(member.bend)

    def _carried(self, k: int, w: Matrix) -> Matrix:
        """A wrench on body k as its carrier feels it, in the carrier's axes at its origin, modal forces below."""
        member = self.members[k]
        f = member.C @ w[3:6, :]
        n = skew(member.arm) @ f
        felt = ca.vertcat(n if member.free else member.C @ w[:3, :] + n, f)
        return ca.vertcat(felt, member.bend.T @ felt) if member.bend.shape[1] else felt

    def inertia(self, without: Container[int] = ()) -> dict[tuple[int, int], Matrix]:
        """Blocks (j, k) of I_u for j an ancestor of k or k itself; `without` names links that are solved otherwise."""
        blocks = {}
        for k, mass in enumerate(self.masses):
            if k in without or not self.members[k].S.shape[1]:
                continue
            F, j = mass.wrench(self.members[k].S), k
            while True:
                blocks[j, k] = self.members[j].S.T @ F
                if self.links[j].parent < 0:
                    break
                F, j = self._carried(j, F), self.links[j].parent
        return blocks

    def forces(self, tau: Matrix) -> list[Matrix]:
        """φ_u by links: known forces less what falling at u = 0 needs."""
        need = [self.needed(k) for k in range(len(self.links))]
        found: list[Matrix] = [zeros(0)] * len(self.links)
        for k in reversed(range(len(self.links))):
            member, link = self.members[k], self.links[k]
            effort = tau[link.rates]
            if member.free:
                turn = member.M.T @ effort  # on the body; on its carrier the other way round
                found[k] = member.S[:3, :].T @ (turn - need[k][:3])
            else:
                turn = zeros(3)
                found[k] = effort - member.S.T @ need[k]
            if link.parent >= 0:
                need[link.parent] = need[link.parent] + self._carried(k, need[k])
                if member.free:
                    need[link.parent] = need[link.parent] + self._felt_turn(k, turn)
        return found

    def _felt_turn(self, k: int, turn: Matrix) -> Matrix:
        """The moment on a freely turning body, as what its carrier needs against it; modal forces below."""
        member = self.members[k]
        felt = ca.vertcat(member.C @ turn, zeros(3))
        return ca.vertcat(felt, member.bend.T @ felt) if member.bend.shape[1] else felt

    def needed(self, k: int) -> Matrix:
        """w* − wᵉ of a body by itself at u = 0, in its axes, modal forces below; wᵉ is what loads apply to it."""
        w = needed_by_body(self.at, k, self.members[k], self.motion[k], None)
        applied = applied_wrenches(self.at).get(k)
        if applied is None:
            return w
        A = self.members[k].A
        return w - ca.vertcat(A.T @ applied[:3], A.T @ applied[3:6], applied[6:])

    def rows(self, constraint: Constraint, given: Prescribed) -> tuple[dict[int, Matrix], Matrix]:
        """J_u of a constraint by links, and γ, from all that it exerts."""
        columns: dict[int, Matrix] = {}
        interactions = constraint.interactions(self.at)
        for one in interactions:
            parts = self._along(one) if isinstance(one, Along) else self._between(one)
            for k, part in parts.items():
                columns[k] = columns[k] + part if k in columns else part
        return columns, self._gamma(constraint, interactions, given)

    def _between(self, between: Between) -> dict[int, Matrix]:
        """Wᵀ times the relative twist of two ends, per unit of the unknowns.

        Each end is followed inward; a freely turning body moves what it carries through one point alone.
        """
        first, second, W = between.first, between.second, between.W
        ends = placed_ends(self.at, first, second)
        gap = zeros(3) if between.holds_point else ends.S.p - ends.F.p
        to_second = self._way(second, zeros(3))
        to_first = self._way(first, gap)
        columns: dict[int, Matrix] = {}
        for k in sorted(to_second.keys() | to_first.keys(), reverse=True):
            if self.links[k].reduced.elastic:
                columns[k] = W.T @ (self._bent(to_second, k) - self._bent(to_first, k))
                continue
            turn, slide = (self.members[k].A @ self.members[k].S[part, :] for part in (slice(3), slice(3, 6)))
            if k not in to_second or k not in to_first:
                (r, whole, _), sign = (to_second[k], 1) if k in to_second else (to_first[k], -1)
                moves, turns = sign * (slide - skew(r) @ turn), sign * whole
            else:  # what moves both ends moves them alike, but for the arms
                (r, whole, _), (s, entire, _) = to_second[k], to_first[k]
                moves = zeros(*turn.shape) if whole and entire else -skew(r - s) @ turn
                turns = whole - entire
            columns[k] = W[3:, :].T @ moves + (W[:3, :].T @ (turns * turn) if turns else 0)
            if k in to_second and k in to_first and self.members[k].free:
                break  # both ends hang on this body's own joint
        return columns

    def _way(self, end: End, beyond: Matrix) -> dict[int, tuple[Matrix, bool, str]]:
        """For every body inward of an end: how far off the point lies that it moves, whether it turns all, and the
        marker by which it does.
        """
        found: dict[int, tuple[Matrix, bool, str]] = {}
        k, marker = end.body, end.marker
        if k < 0:
            return found
        place = self.at.placed[k]
        r, whole = place.pose.R @ self.links[k].reduced.marker_pose(marker, place.eta).p + beyond, True
        while True:
            found[k] = (r, whole, marker)
            member, parent = self.members[k], self.links[k].parent
            if parent < 0:
                return found
            arm = self.members[parent].A @ member.arm
            r, whole = (arm, False) if member.free else (r + arm, whole)
            k, marker = parent, self.links[k].seat

    def _bent(self, way: dict[int, tuple[Matrix, bool, str]], k: int) -> Matrix:
        """Twist that an elastic body on the way to a cut's end gives to the end, per unit of its unknowns, 6×(f+e)."""
        member, e = self.members[k], self.links[k].reduced.elastic
        if k not in way:
            return zeros(6, member.S.shape[1])
        r, whole, marker = way[k]
        own = ca.vertcat(member.A @ member.S[:3, :], member.A @ member.S[3:6, :])
        origin = self.at.placed[k].pose.p
        bend = marker_bending(self.at.skeleton, self.at.placed, k, marker, origin)
        t = own + ca.horzcat(zeros(6, own.shape[1] - e), bend)
        return ca.vertcat(t[:3, :] if whole else zeros(3, t.shape[1]), t[3:, :] - skew(r) @ t[:3, :])

    def _along(self, along: Along) -> dict[int, Matrix]:
        """Weights times the row of T for one rate of the joint that carries a body, by links."""
        k, member = along.link, self.members[along.link]
        if (
            not member.free or along.component >= member.M.shape[0]
        ):  # elastic coordinates are unknowns themselves
            return {k: along.weight.T @ ca.DM.eye(member.S.shape[1])[along.component, :]}
        reads = along.weight.T @ member.M[along.component, :]
        row = {k: reads @ member.S[:3, :]}
        while self.links[k].parent >= 0:
            bend = self.members[k].bend
            reads, k = reads @ self.members[k].C.T, self.links[k].parent
            row[k] = -reads @ (self.members[k].S[:3, :] + _last(bend[:3, :], self.members[k].S.shape[1]))
            if self.members[k].free:
                break
        return row

    def _gamma(
        self, constraint: Constraint, interactions: tuple[Interaction, ...], given: Prescribed
    ) -> Matrix:
        """γ of a constraint; where it holds a point, from the accelerations of its two points apart."""
        one, count = interactions[0], len(constraint.rows)
        if not isinstance(one, Between) or not one.holds_point or len(interactions) > 1:
            return constraint.gamma(self.at, given)
        points = 2 if self.planar else 3
        others = constraint.gamma(self.at, given)[: count - points] if points < count else ca.DM(0, 1)
        first, second = (self._point(end) for end in (one.first, one.second))
        return ca.vertcat(others, (first - second)[:points])

    def _point(self, end: End) -> Matrix:
        """Acceleration of a marker at u = 0, in inertial axes."""
        k, marker = end.body, end.marker
        if k < 0:
            return -self.at.skeleton.gravity
        member, body, at = self.members[k], self.links[k].reduced, self.at
        if not body.elastic:
            return member.A @ self.motion[k].at(member.B @ body.markers[marker].p)
        r = at.placed[k].pose.R @ body.marker_pose(marker, at.placed[k].eta).p
        motion = (at.moving[k], falling_in_space(at, None)[k])
        return marker_twist_rate(at.skeleton, at.placed, k, marker, r, motion, (at.v, None)).a

    def accelerations(self, u: list[Matrix]) -> Matrix:
        """v̇ = T u."""
        parts: list[Matrix] = [ca.DM(0, 1)]
        turning: list[Matrix] = []
        for k, link in enumerate(self.links):
            member = self.members[k]
            carrier = zeros(3)
            if link.parent >= 0:
                bending = (
                    member.bend[:3, :] @ u[link.parent][-member.bend.shape[1] :]
                    if member.bend.shape[1]
                    else 0
                )
                carrier = member.C.T @ (turning[link.parent] + bending)
            own = member.S[:3, :] @ u[k]
            turning.append(own if member.free else carrier + own)
            parts.append(member.M @ (own - carrier) if member.free else u[k])
        return ca.vertcat(*parts)


def _last(columns: Matrix, count: int) -> Matrix:
    """Columns of elastic unknowns, which are the last of their body's; zero by structure for the others."""
    return ca.horzcat(zeros(columns.shape[0], count - columns.shape[1]), columns)
