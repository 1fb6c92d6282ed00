"""Contact point, normal, velocity and radius of curvature of all higher pairs in contact, over time."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import casadi as ca
import numpy as np

from multiloop.kinematics.constraints.ends import moving_ends
from multiloop.kinematics.equations import KEPT, Equations
from multiloop.model import Pair
from multiloop.model.pairs.contact import Contact
from multiloop.symbols import Traced


@dataclass(frozen=True, eq=False)
class Touching:
    """One contact over time, one row per instant, in inertial axes: point, normal from the first body to the second,
    velocity of the driven point, and radius of curvature of the first body."""

    point: np.ndarray
    normal: np.ndarray
    velocity: np.ndarray
    radius: np.ndarray
    two_sided: bool
    limit: float | None


def touching_at(equations: Equations, p: np.ndarray, q: np.ndarray, v: np.ndarray) -> dict[str, Touching]:
    """Every contact by the name of its pair; q and v have one row per instant."""
    found = {}
    for name, (traced, contact) in _contacts_of(equations).items():
        answers = traced.many(q=q.T, v=v.T, p=p)
        point, normal, velocity, radius = (
            np.broadcast_to(part, (len(q), part.shape[1])).copy() for part in answers
        )
        found[name] = Touching(point, normal, velocity, radius[:, 0], contact.two_sided, contact.limit)
    return found


@lru_cache(maxsize=KEPT)
def _contacts_of(equations: Equations) -> dict[str, tuple[Traced, Contact]]:
    """(q, v, p) → point, normal, velocity, radius of every pair with a contact point; and the contact on symbols."""
    found = {}
    for cut in equations.cut_joints:
        pair = cut.cut.joint
        if not isinstance(pair, Pair) or not pair.touches:
            continue
        ends = moving_ends(equations, *cut.ends)
        contact = pair.contact(ends.relative, cut.planar)
        if contact is not None:
            S, carried = ends.second, ends.F.point(contact.carried)
            outputs = {
                "point": ends.F.point(contact.point),
                "normal": ends.F.R @ contact.normal,
                "velocity": S.v + ca.cross(S.omega, carried - ends.S.p),
                "radius": contact.radius,
            }
            dense = {name: ca.densify(ca.SX(part)) for name, part in outputs.items()}
            found[pair.name] = (equations.function("contact", "qv", **dense), contact)
    return found
