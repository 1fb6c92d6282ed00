"""Inertia and forces of the spanning tree in the unknowns u of `members`, block by block; rows: `unknown_rows`.

    I_u = Tᵀ I T,      φ_u = Tᵀ φ,      J_u = J T;      I_u u = φ_u + J_uᵀ λ,   J_u u = γ

None of them is formed from I, φ and J: a freely turning body transmits its mass and its force to its carrier, but no
moment.
"""

from __future__ import annotations

from collections.abc import Container
from functools import cached_property
from typing import Any

import casadi as ca

from multiloop.dynamics.actions import applied_wrenches
from multiloop.dynamics.members import Member, Spinning, falling, members_of
from multiloop.dynamics.needed import needed_by_body
from multiloop.kinematics.snapshot import Snapshot
from multiloop.spatial import Inertia, Matrix, skew, zeros


class Unknowns:
    """The spanning tree at one instant in the unknowns u of `members`."""

    def __init__(self, at: Snapshot) -> None:
        self.at = at
        self.links, self.planar = at.skeleton.links, at.skeleton.planar
        self.members: list[Member] = members_of(at)

    @cached_property
    def motion(self) -> list[Spinning]:
        """Motions of all bodies at u = 0."""
        return falling(self.at, self.members)

    def own_mass(self, k: int) -> Inertia:
        """Inertia of a single body in its axes."""
        return self._body_mass(k).turned(self.members[k].B, self.planar)

    def _body_mass(self, k: int) -> Inertia:
        """Inertia of a single body in its frame."""
        return self.links[k].reduced.inertia_at(self.at.placed[k].eta)

    @cached_property
    def masses(self) -> list[Inertia]:
        """Inertia of every body with the bodies that it carries, in its axes (augmented bodies, [wittenburg]).

        Freely turning bodies are point masses at their joints, so that an augmented body is constant in its frame
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
        """Inertia of a body that does not turn freely, about the origin of its carrier and in the carrier's axes."""
        member = self.members[k]
        turned = Inertia(mass.mass, mass.moment, mass.inertia).turned(member.C, self.planar)
        return turned.seen_from(member.arm, self.planar).on_elastic(member.bend)

    def _carried(self, k: int, w: Matrix) -> Matrix:
        """A wrench on body k at the origin of its carrier, in the carrier's axes, followed by modal forces."""
        member = self.members[k]
        f = member.C @ w[3:6, :]
        n = skew(member.arm) @ f
        felt = ca.vertcat(n if member.free else member.C @ w[:3, :] + n, f)
        return ca.vertcat(felt, member.bend.T @ felt) if member.bend.shape[1] else felt

    def inertia(self, without: Container[int] = ()) -> dict[tuple[int, int], Matrix]:
        """Blocks (j, k) of I_u for j an ancestor of k or k itself; links in `without` are left out."""
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
        """φ_u by links: known forces minus the forces that the motion at u = 0 requires."""
        need = [self.needed(k) for k in range(len(self.links))]
        found: list[Matrix] = [zeros(0)] * len(self.links)
        for k in reversed(range(len(self.links))):
            member, link = self.members[k], self.links[k]
            effort = tau[link.rates]
            if member.free:
                turn = member.M.T @ effort  # on the body; the opposite moment acts on its carrier
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
        """Reaction on the carrier of the moment on a freely turning body, as a required wrench and modal forces."""
        member = self.members[k]
        felt = ca.vertcat(member.C @ turn, zeros(3))
        return ca.vertcat(felt, member.bend.T @ felt) if member.bend.shape[1] else felt

    def needed(self, k: int) -> Matrix:
        """w* − wᵉ of a single body at u = 0, in its axes, followed by modal forces; wᵉ is applied by loads."""
        w = needed_by_body(self.at, k, self.members[k], self.motion[k], None)
        applied = applied_wrenches(self.at).get(k)
        if applied is None:
            return w
        A = self.members[k].A
        return w - ca.vertcat(A.T @ applied[:3], A.T @ applied[3:6], applied[6:])

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
