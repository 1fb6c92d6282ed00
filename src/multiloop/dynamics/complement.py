"""The natural orthogonal complement: all motions that the joints allow, and its two decoupled factors.

    t = N v,      N = N_l N_d

N_l (6n×6n) knows the architecture: block (i, j) is the twist propagation A_ij where body i stands on body j,
zero elsewhere. N_d (6n×rates) knows the joints: block diagonal with the joint-rate propagation P_i.

Source: [chaudhary], eqs. (21)–(33) for serial and tree-type systems.
Differs: P_i is taken at the body's own origin for joints that run backward too.
"""

from __future__ import annotations

import casadi as ca

from multiloop.dynamics.inertia import own_columns, seat_screws
from multiloop.kinematics.snapshot import Snapshot
from multiloop.spatial import Matrix, twist_matrix


def lower_factor(at: Snapshot) -> Matrix:
    """N_l: twist propagation from every body to all that it carries."""
    links, placed = at.skeleton.links, at.placed
    rows = []
    for i in range(len(links)):
        row: list[Matrix] = [ca.DM(6, 6)] * len(links)
        j = i
        while j >= 0:
            row[j] = twist_matrix(placed[i].pose.p - placed[j].pose.p)
            j = links[j].parent
        rows.append(ca.horzcat(*row))
    return ca.vertcat(ca.DM(0, 6 * len(links)), *rows)


def diagonal_factor(at: Snapshot) -> Matrix:
    """N_d: joint-rate propagation, block diagonal."""
    return ca.diagcat(*[place.P for place in at.placed])


def tree_complement(at: Snapshot) -> Matrix:
    """N = N_l N_d, 6n × rates."""
    return lower_factor(at) @ diagonal_factor(at)


def twist_columns(at: Snapshot) -> list[Matrix]:
    """N body by body ((6+e) × rates), formed along each branch only; twist first, then elastic rates."""
    links, placed = at.skeleton.links, at.placed
    found = []
    for i, body in enumerate(links):
        e = body.reduced.elastic
        parts: list[Matrix] = [ca.DM(6 + e, link.rates.stop - link.rates.start) for link in links]
        parts[i] = own_columns(at, i)
        below, j = i, body.parent
        while j >= 0:
            A = twist_matrix(placed[i].pose.p - placed[j].pose.p)
            moved = placed[j].P
            if links[j].reduced.elastic:
                moved = moved + ca.horzcat(
                    ca.DM(6, moved.shape[1] - links[j].reduced.elastic), seat_screws(at, below)
                )
            parts[j] = ca.vertcat(A @ moved, ca.DM(e, moved.shape[1]))
            below, j = j, links[j].parent
        found.append(ca.horzcat(*parts))
    return found
