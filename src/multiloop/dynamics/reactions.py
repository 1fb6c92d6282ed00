"""Force and moment in every joint, cut or not, as the user reads them.

What the first body exerts on the second through the joint's constraint, at the origin of the second marker,
in inertial axes; the effort of a drive or actuator is kept apart.
"""

from __future__ import annotations

import casadi as ca

from multiloop.dynamics.effort_wrenches import effort_wrench
from multiloop.dynamics.wrenches import carried_wrenches
from multiloop.kinematics.closure import Ends, ends_of, held_wrenches
from multiloop.kinematics.motion import Placed
from multiloop.kinematics.skeleton import Link, Skeleton
from multiloop.kinematics.snapshot import Snapshot
from multiloop.spatial import Matrix, transport_wrench


def cut_wrenches(
    skeleton: Skeleton, placed: list[Placed], q: Matrix, lam: Matrix
) -> tuple[list[Matrix], dict[str, Matrix]]:
    """Wrenches of the multipliers: on every body at its inboard origin, and of every cut joint.

    w^λ = W λ on the second body and −W λ on the first.
    """
    on_body: list[Matrix] = [ca.DM(6, 1)] * len(skeleton.links)
    of_joint: dict[str, Matrix] = {}
    for cut in skeleton.cuts:
        ends: Ends = ends_of(skeleton, cut, q, placed)
        w = held_wrenches(skeleton, cut.joint, ends.F, ends.S) @ lam[cut.rows]
        of_joint[cut.joint.name] = w
        for k, sign in ((cut.second, 1), (cut.first, -1)):
            if k >= 0:
                on_body[k] = on_body[k] + sign * transport_wrench(w, ends.S.p - placed[k].pose.p)
    return on_body, of_joint


def joint_reaction(link: Link, place: Placed, carried: Matrix, effort: Matrix, planar: bool) -> Matrix:
    """Constraint wrench of a tree joint from the wrench that it carries to its body.

    Backward joints carry it from second to first; it is turned round and moved to the second marker.
    """
    if link.forward:
        return carried - effort_wrench(link, place, effort, planar)
    turned = -transport_wrench(carried, place.pose.p - place.seat.p)
    return turned - effort_wrench(link, place, effort, planar)


def all_reactions(at: Snapshot, needed: list[Matrix], lam: Matrix, tau: Matrix) -> dict[str, Matrix]:
    """Constraint wrench of every joint by name, cut ones from their multipliers, the others body by body.

        w_(i−1,i) = w*_i − w^λ_i + A' w_(i,i+1)

    tau are the efforts along all rates.

    Source: [chaudhary], eq. (11), body-level recursion.
    """
    skeleton, placed = at.skeleton, at.placed
    on_body, found = cut_wrenches(skeleton, placed, at.q, lam)
    own = [need - held for need, held in zip(needed, on_body, strict=True)]
    carried = carried_wrenches(skeleton, placed, own)
    for k, link in enumerate(skeleton.links):
        found[link.joint.name] = joint_reaction(link, placed[k], carried[k], tau[link.v], skeleton.planar)
    return found
