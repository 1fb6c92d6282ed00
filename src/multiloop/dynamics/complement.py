"""Natural orthogonal complement N of the tree: the twists of all bodies per unit of the rates.

    t = N v

Source: [chaudhary], eqs. (21)–(33) for serial and tree-type systems.
Differs: P_i is taken at the origin of the body for backward joints too; N is formed block by block along each
branch instead of as the product N_l N_d.
"""

from __future__ import annotations

import casadi as ca

from multiloop.dynamics.inertia import own_columns, seat_screws
from multiloop.kinematics.snapshot import Snapshot
from multiloop.spatial import Matrix, twist_matrix


def twist_columns(at: Snapshot) -> list[Matrix]:
    """N of every body ((6+e) × rates), formed along each branch only; twist first, then elastic rates."""
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
