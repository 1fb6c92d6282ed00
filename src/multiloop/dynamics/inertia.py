"""The generalized inertia of the spanning tree, from composite bodies, block by block.

    I = Nᵀ M N,      I_(j,k) = P_jᵀ A' M̃_k P_k   for j on the way from the ground to k, zero otherwise

M̃_k is the mass of body k with everything it carries. Blocks of different branches are never formed.

Source: [koul], eq. (7); composite bodies as in [saha_denoc], whose decomposition N_dᵀ (N_lᵀ M N_l) N_d they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import casadi as ca

from multiloop.kinematics.recursion import inward
from multiloop.kinematics.skeleton import Link, Skeleton
from multiloop.kinematics.snapshot import Snapshot
from multiloop.spatial import Matrix, extended_mass, skew


@dataclass(frozen=True)
class Composite:
    """Mass, first moment and inertia about a body's origin, of the body and all it carries, inertial axes."""

    mass: Any
    moment: Matrix
    inertia: Matrix

    def __add__(self, other: Composite) -> Composite:
        return Composite(self.mass + other.mass, self.moment + other.moment, self.inertia + other.inertia)

    def seen_from(self, r: Matrix) -> Composite:
        """The same about a point from which the old origin lies at r.

        I' = I − m r̃ r̃ − r̃ h̃ − h̃ r̃,   h' = h + m r
        """
        R, H = skew(r), skew(self.moment)
        inertia = self.inertia - self.mass * (R @ R) - R @ H - H @ R
        return Composite(self.mass, self.moment + self.mass * r, inertia)

    def wrench(self, twist_rate: Matrix) -> Matrix:
        """M ṫ for one or several columns of twist rates."""
        H = skew(self.moment)
        alpha, a = twist_rate[:3, :], twist_rate[3:, :]
        return ca.vertcat(self.inertia @ alpha + H @ a, self.mass * a - H @ alpha)


def own_composites(at: Snapshot) -> list[Composite]:
    """Every body by itself."""
    found = []
    for link, place in zip(at.skeleton.links, at.placed, strict=True):
        body, R = link.reduced, place.pose.R
        found.append(Composite(body.mass, body.mass * (R @ body.com), R @ body.inertia @ R.T))
    return found


def composites(at: Snapshot) -> list[Composite]:
    """Every body with everything it carries."""

    def step(k: int, link: Link, total: Composite) -> Composite:
        return total.seen_from(at.placed[k].pose.p - at.placed[link.parent].pose.p)

    return inward(at.skeleton.links, own_composites(at), step, Composite.__add__)


def inertia_blocks(at: Snapshot) -> dict[tuple[int, int], Matrix]:
    """Blocks I_(j,k) for j an ancestor of k or k itself, by positions in `links`."""
    links, placed = at.skeleton.links, at.placed
    blocks = {}
    for k, composite in enumerate(composites(at)):
        if links[k].v.start == links[k].v.stop:
            continue
        F = composite.wrench(placed[k].P)
        j, origin = k, placed[k].pose.p
        while j >= 0:
            r = origin - placed[j].pose.p
            blocks[j, k] = placed[j].P.T @ ca.vertcat(F[:3, :] + skew(r) @ F[3:, :], F[3:, :])
            j = links[j].parent
    return blocks


def generalized_inertia(at: Snapshot) -> Matrix:
    """The whole I, n×n, with structural zeros between branches."""
    return assembled(at.skeleton, inertia_blocks(at))


def assembled(
    skeleton: Skeleton, blocks: dict[tuple[int, int], Matrix], members: Sequence[int] | None = None
) -> Matrix:
    """A symmetric matrix over the rates of all links, or of some, from its blocks on and above the diagonal."""
    members = range(len(skeleton.links)) if members is None else members
    rows = []
    for j in members:
        row = []
        for k in members:
            upper, lower = skeleton.links[j], skeleton.links[k]
            if (j, k) in blocks:
                row.append(blocks[j, k])
            elif (k, j) in blocks:
                row.append(blocks[k, j].T)
            else:
                row.append(ca.DM(upper.v.stop - upper.v.start, lower.v.stop - lower.v.start))
        rows.append(ca.horzcat(*row))
    return ca.vertcat(*rows) if rows else ca.DM(0, 0)


def mass_matrices(at: Snapshot) -> list[Matrix]:
    """M of every body at its inboard origin in inertial axes, 6×6 ([chaudhary], eq. (3))."""
    return [
        extended_mass(
            link.reduced.mass,
            place.pose.R @ link.reduced.com,
            place.pose.R @ link.reduced.inertia @ place.pose.R.T,
        )
        for link, place in zip(at.skeleton.links, at.placed, strict=True)
    ]
