"""Generalized inertia I of the spanning tree and its natural orthogonal complement N, computed in blocks.

    t = N v,      I = Nᵀ M N,      I_(j,k) = P_jᵀ A' M̃_k P_k   for j an ancestor of k or k itself, zero otherwise

t are the twists of all bodies, v the joint rates, and M is the block-diagonal mass matrix. P_k is the twist of body k
per unit of the rates of its inboard joint, M̃_k the mass matrix of body k together with all bodies outward of it
(composite body); A' transforms wrenches from body k to body j. Blocks of two links on different branches are zero and
are not formed. The rates of a link are the rates of its joint and the elastic rates η̇ of its body; the mass matrix of
a body refers to [ω; v; η̇].

Source: [koul], eq. (7); composite bodies as in [saha_denoc], whose decomposition N_dᵀ (N_lᵀ M N_l) N_d they are; N as
in [chaudhary], eqs. (21)–(33) for serial and tree-type systems.
Differs: P_i is taken at the origin of the body for backward joints too; N is formed block by block along each
branch instead of as the product N_l N_d.
Theory: docs/theory/04-orthogonal-complement.md, eqs. (4.4)–(4.6), (4.9)–(4.11).
"""

from __future__ import annotations

from collections.abc import Sequence

import casadi as ca

from multiloop.kinematics import Snapshot
from multiloop.kinematics.tree import Link, Skeleton, accumulate_inward, marker_deformation_twists
from multiloop.spatial import Inertia, Matrix, skew, twist_matrix


def twist_columns(at: Snapshot) -> list[Matrix]:
    """The rows of the natural orthogonal complement N of every body, (6+e) × rates: twist and elastic rates per unit of
    each joint rate; only blocks along the branch of the body are computed."""
    links, placed = at.skeleton.links, at.placements
    found = []
    for i, body in enumerate(links):
        e = body.reduced.elastic
        parts: list[Matrix] = [ca.DM(6 + e, link.rates.stop - link.rates.start) for link in links]
        parts[i] = link_motion_matrix(at, i)
        below, j = i, body.parent
        while j >= 0:
            A = twist_matrix(placed[i].pose.p - placed[j].pose.p)
            moved = placed[j].P
            if links[j].reduced.elastic:
                moved = moved + ca.horzcat(
                    ca.DM(6, moved.shape[1] - links[j].reduced.elastic), parent_elastic_screws(at, below)
                )
            parts[j] = ca.vertcat(A @ moved, ca.DM(e, moved.shape[1]))
            below, j = j, links[j].parent
        found.append(ca.horzcat(*parts))
    return found


def body_inertias(at: Snapshot) -> list[Inertia]:
    """Inertia of every body, at its origin in inertial axes."""
    return [
        link.reduced.inertia_in(place.pose.R, place.eta)
        for link, place in zip(at.skeleton.links, at.placements, strict=True)
    ]


def composite_inertias(at: Snapshot) -> list[Inertia]:
    """Inertia of every composite body, which consists of a body and all bodies outward of it, at its origin in inertial
    axes."""

    def step(k: int, link: Link, total: Inertia) -> Inertia:
        moved = total.seen_from(at.placements[k].pose.p - at.placements[link.parent].pose.p)
        return moved.carried_by_flexible(parent_elastic_screws(at, k))

    return accumulate_inward(at.skeleton.links, body_inertias(at), step, Inertia.__add__)


def parent_elastic_screws(at: Snapshot, k: int) -> Matrix:
    """Twist of body k per unit of each elastic rate of its parent, at the origin of the parent, 6×e."""
    link = at.skeleton.links[k]
    if not at.skeleton.body_of(link.parent).elastic:
        return ca.DM(6, 0)
    origin = at.placements[link.parent].pose.p
    return marker_deformation_twists(at.skeleton, at.placements, link.parent, link.parent_marker, origin)


def link_motion_matrix(at: Snapshot, k: int) -> Matrix:
    """The matrix [P; 0 1], (6+e)×(f+e), that maps the f joint rates and e elastic rates of link k to the relative twist
    of its body (by P) and to the elastic rates."""
    link, P = at.skeleton.links[k], at.placements[k].P
    e = link.reduced.elastic
    if not e:
        return P
    return ca.vertcat(P, ca.horzcat(ca.DM(e, P.shape[1] - e), ca.DM.eye(e)))


def inertia_blocks(at: Snapshot) -> dict[tuple[int, int], Matrix]:
    """Blocks I_(j,k) of the generalized inertia, where j is k or an ancestor of k, by indices in `Skeleton.links`."""
    links, placed = at.skeleton.links, at.placements
    blocks = {}
    for k, composite in enumerate(composite_inertias(at)):
        own = link_motion_matrix(at, k)
        if not own.shape[1]:
            continue
        F = composite.wrench(own)
        blocks[k, k] = own.T @ F
        origin, F, below, j = placed[k].pose.p, F[:6, :], k, links[k].parent
        while j >= 0:
            r = origin - placed[j].pose.p
            transmitted = ca.vertcat(F[:3, :] + skew(r) @ F[3:, :], F[3:, :])
            if links[j].reduced.elastic:
                transmitted = ca.vertcat(transmitted, parent_elastic_screws(at, below).T @ transmitted)
            blocks[j, k] = link_motion_matrix(at, j).T @ transmitted
            below, j = j, links[j].parent
    return blocks


def generalized_inertia(at: Snapshot) -> Matrix:
    """Generalized inertia I of the tree, n×n, with structural zeros between branches."""
    return assemble_symmetric(at.skeleton, inertia_blocks(at))


def assemble_symmetric(
    skeleton: Skeleton, blocks: dict[tuple[int, int], Matrix], members: Sequence[int] | None = None
) -> Matrix:
    """A symmetric matrix, with a row for each rate of the links `members` (by default all), from its blocks on and
    above the diagonal."""
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
                sizes = (link.rates.stop - link.rates.start for link in (upper, lower))
                row.append(ca.DM(*sizes))
        rows.append(ca.horzcat(*row))
    return ca.vertcat(*rows) if rows else ca.DM(0, 0)


def mass_matrices(at: Snapshot) -> list[Matrix]:
    """Mass matrix M of every body at its origin in inertial axes, (6+e)×(6+e) ([chaudhary], eq. (3))."""
    return [inertia.matrix for inertia in body_inertias(at)]
