"""The opened tree's equations in the unknowns u of `members`: inertia, forces and rows, block by block.

    I_u = Tᵀ I T,      φ_u = Tᵀ φ,      J_u = J T;      I_u u = φ_u + J_uᵀ λ,   J_u u = γ

None of them is formed from I, φ and J: a freely turning body hands on its mass and its force, not its moment.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import casadi as ca

from multiloop.dynamics.actions import applied_wrenches
from multiloop.dynamics.members import Member, Spinning, falling, members_of, needed_wrench
from multiloop.kinematics.constraints import Along, Between, Constraint, End, Interaction, Prescribed
from multiloop.kinematics.constraints.ends import placed_ends
from multiloop.kinematics.snapshot import Snapshot
from multiloop.spatial import Matrix, inertia_about, skew, zeros


@dataclass(frozen=True)
class Mass:
    """Mass, first moment and inertia about an origin."""

    mass: Any
    moment: Matrix
    inertia: Matrix

    def __add__(self, other: Mass) -> Mass:
        return Mass(self.mass + other.mass, self.moment + other.moment, self.inertia + other.inertia)

    def wrench(self, t: Matrix) -> Matrix:
        """M ṫ for columns of twist rates."""
        H = skew(self.moment)
        return ca.vertcat(self.inertia @ t[:3, :] + H @ t[3:, :], self.mass * t[3:, :] - H @ t[:3, :])


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

    def own_mass(self, k: int) -> Mass:
        """A body by itself in its axes."""
        body, B = self.links[k].reduced, self.members[k].B
        return Mass(body.mass, B @ (body.mass * body.com), self._flat(B @ body.inertia @ B.T))

    def _flat(self, I: Matrix) -> Matrix:
        """In the plane only the moment of inertia about z counts."""
        return ca.sparsify(ca.diag(ca.vertcat(0, 0, I[2, 2]))) if self.planar else I

    @cached_property
    def masses(self) -> list[Mass]:
        """Every body with what it moves along with it, in its axes.

        The mass of freely turning bodies stands at their joints: an augmented body, constant in its own frame.
        """
        links, count = self.links, len(self.links)
        total: list[Any] = [link.reduced.mass for link in links]
        for k in reversed(range(count)):
            if links[k].parent >= 0:
                total[links[k].parent] = total[links[k].parent] + total[k]
        own = [
            (link.reduced.mass, link.reduced.mass * link.reduced.com, link.reduced.inertia) for link in links
        ]
        for k, link in enumerate(links):
            if self.members[k].free and link.parent >= 0:
                m, h, I = own[link.parent]
                seat = self.at.skeleton.body_of(link.parent).markers[link.seat].p
                own[link.parent] = (m + total[k], h + total[k] * seat, inertia_about(I, total[k], seat))
        found = []
        for member, (m, h, I) in zip(self.members, own, strict=True):
            found.append(
                Mass(m, member.B @ ca.sparsify(h), self._flat(member.B @ ca.sparsify(I) @ member.B.T))
            )
        for k in reversed(range(count)):
            if not self.members[k].free and links[k].parent >= 0:
                found[links[k].parent] = found[links[k].parent] + self._handed(k, found[k])
        return found

    def _handed(self, k: int, mass: Mass) -> Mass:
        """The mass of a body that turns with its carrier, about the carrier's origin and in its axes."""
        C, r = self.members[k].C, self.members[k].arm
        h, I = C @ mass.moment, self._flat(C @ mass.inertia @ C.T)
        if self.planar:
            more = mass.mass * ca.dot(r, r) + 2 * ca.dot(r, h)
            return Mass(mass.mass, h + mass.mass * r, I + more * ca.diag(ca.DM([0, 0, 1])))
        R, H = skew(r), skew(h)
        cross = R @ H
        return Mass(mass.mass, h + mass.mass * r, I - mass.mass * (R @ R) - cross - cross.T)

    def _carried(self, k: int, w: Matrix) -> Matrix:
        """A wrench on body k as its carrier feels it, in the carrier's axes at its origin."""
        member = self.members[k]
        f = member.C @ w[3:, :]
        n = skew(member.arm) @ f
        return ca.vertcat(n if member.free else member.C @ w[:3, :] + n, f)

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
            effort = tau[link.v]
            if member.free:
                turn = member.M.T @ effort  # on the body; on its carrier the other way round
                found[k] = member.S[:3, :].T @ (turn - need[k][:3])
            else:
                turn = zeros(3)
                found[k] = effort - member.S.T @ need[k]
            if link.parent >= 0:
                felt = self._carried(k, need[k])
                need[link.parent] = need[link.parent] + ca.vertcat(felt[:3] + member.C @ turn, felt[3:])
        return found

    def needed(self, k: int) -> Matrix:
        """w* − wᵉ of a body by itself at u = 0, in its axes; wᵉ is what loads apply to it."""
        w = needed_wrench(self.links[k].reduced, self.members[k].B, self.motion[k], self.planar)
        applied = applied_wrenches(self.at).get(k)
        if applied is None:
            return w
        A = self.members[k].A
        return w - ca.vertcat(A.T @ applied[:3], A.T @ applied[3:])

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
            turn, slide = (self.members[k].A @ self.members[k].S[part, :] for part in (slice(3), slice(3, 6)))
            if k not in to_second or k not in to_first:
                (r, whole), sign = (to_second[k], 1) if k in to_second else (to_first[k], -1)
                moves, turns = sign * (slide - skew(r) @ turn), sign * whole
            else:  # what moves both ends moves them alike, but for the arms
                (r, whole), (s, entire) = to_second[k], to_first[k]
                moves = zeros(*turn.shape) if whole and entire else -skew(r - s) @ turn
                turns = whole - entire
            columns[k] = W[3:, :].T @ moves + (W[:3, :].T @ (turns * turn) if turns else 0)
            if k in to_second and k in to_first and self.members[k].free:
                break  # both ends hang on this body's own joint
        return columns

    def _way(self, end: End, beyond: Matrix) -> dict[int, tuple[Matrix, bool]]:
        """For every body inward of an end: how far off the point lies that it moves, and whether it turns all."""
        found: dict[int, tuple[Matrix, bool]] = {}
        k = end.body
        if k < 0:
            return found
        r, whole = self.at.placed[k].pose.R @ self.links[k].reduced.markers[end.marker].p + beyond, True
        while True:
            found[k] = (r, whole)
            member, parent = self.members[k], self.links[k].parent
            if parent < 0:
                return found
            arm = self.members[parent].A @ member.arm
            r, whole = (arm, False) if member.free else (r + arm, whole)
            k = parent

    def _along(self, along: Along) -> dict[int, Matrix]:
        """Weights times the row of T for one rate of the joint that carries a body, by links."""
        k, member = along.link, self.members[along.link]
        if not member.free:
            return {k: along.weight.T @ ca.DM.eye(member.S.shape[1])[along.component, :]}
        reads = along.weight.T @ member.M[along.component, :]
        row = {k: reads @ member.S[:3, :]}
        while self.links[k].parent >= 0:
            reads, k = reads @ self.members[k].C.T, self.links[k].parent
            row[k] = -reads @ self.members[k].S[:3, :]
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
        if end.body < 0:
            return -self.at.skeleton.gravity
        member = self.members[end.body]
        local = self.links[end.body].reduced.markers[end.marker].p
        return member.A @ self.motion[end.body].at(member.B @ local)

    def accelerations(self, u: list[Matrix]) -> Matrix:
        """v̇ = T u."""
        parts: list[Matrix] = [ca.DM(0, 1)]
        turning: list[Matrix] = []
        for k, link in enumerate(self.links):
            member = self.members[k]
            carrier = member.C.T @ turning[link.parent] if link.parent >= 0 else zeros(3)
            own = member.S[:3, :] @ u[k]
            turning.append(own if member.free else carrier + own)
            parts.append(member.M @ (own - carrier) if member.free else u[k])
        return ca.vertcat(*parts)
