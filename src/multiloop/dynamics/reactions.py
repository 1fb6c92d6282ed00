"""Joint reactions: force and moment in every joint, cut or not.

A reaction is the wrench that the first body exerts on the second through the constraint of the joint, at the origin of
the second marker, in inertial axes, without the effort of a drive or actuator.
"""

from __future__ import annotations

import casadi as ca

from multiloop.dynamics.effort_wrenches import effort_wrench
from multiloop.dynamics.wrenches import carried_wrenches
from multiloop.kinematics.constraints import Between, RowSet
from multiloop.kinematics.constraints.ends import placed_ends
from multiloop.kinematics.placing import Placed
from multiloop.kinematics.skeleton import Link
from multiloop.kinematics.snapshot import Snapshot
from multiloop.spatial import Matrix, parted, transport_wrench


def constraint_wrenches(at: Snapshot, lam: Matrix) -> tuple[list[Matrix], dict[str, Matrix], Matrix]:
    """Effects of the multipliers of the constraints of the description: wrenches on every body at its origin, the
    wrench of every cut joint, pair and gear, and efforts along all rates.

    w^λ = W λ on the second body and −W λ on the first
    """
    on_body: list[Matrix] = [ca.DM(6, 1)] * len(at.skeleton.links)
    of_joint: dict[str, Matrix] = {}
    efforts: list[Matrix] = [ca.DM(1, 1)] * at.skeleton.rates
    for constraint, rows in zip(at.own.constraints, at.own.slices, strict=True):
        for one in constraint.exerted(at):
            if not isinstance(one, Between):
                place = at.skeleton.links[one.link].v.start + one.component
                efforts[place] = efforts[place] + one.weight @ lam[rows]
                continue
            w = one.W @ lam[rows]
            of_joint[constraint.name] = w
            _add_between(at, on_body, one, w)
    _add_accompanying(at, on_body, lam)
    return on_body, of_joint, ca.vertcat(ca.DM(0, 1), *efforts)


def _add_between(at: Snapshot, on_body: list[Matrix], one: Between, w: Matrix) -> None:
    """Add a wrench at the origin of the second marker to the second body, and its opposite to the first."""
    point = placed_ends(at, one.first, one.second).S.p
    for k, sign in ((one.second.body, 1), (one.first.body, -1)):
        if k >= 0:
            on_body[k] = on_body[k] + sign * transport_wrench(w, point - at.placed[k].pose.p)


def _add_accompanying(at: Snapshot, on_body: list[Matrix], lam: Matrix) -> None:
    """Add the workless forces that accompany the multipliers."""
    for constraint, rows in zip(at.own.constraints, at.own.slices, strict=True):
        for one in constraint.accompanying(at, lam[rows]) if constraint.accompanied else ():
            _add_between(at, on_body, one, one.W)


def exerted_on_ground(at: Snapshot, constraints: RowSet, lam: Matrix) -> Matrix | None:
    """Wrench [n; f] of constraints between bodies on the ground, at the inertial origin; None if none acts on it."""
    total = None
    for constraint, rows in zip(constraints.constraints, constraints.slices, strict=True):
        exerted = [(x, x.W @ lam[rows]) for x in constraint.exerted(at) if isinstance(x, Between)]
        exerted += [(x, x.W) for x in constraint.accompanying(at, lam[rows])]
        for one, w in exerted:
            for end, sign in ((one.second, 1), (one.first, -1)):
                if end.body < 0:
                    felt = sign * transport_wrench(w, placed_ends(at, one.first, one.second).S.p)
                    total = felt if total is None else total + felt
    return total


def accompanying_reactions(at: Snapshot, lam: Matrix) -> dict[str, Matrix]:
    """Reactions of the tree joints to the workless forces that accompany the multipliers; those of cut joints are zero.

    They are to be added to reactions that are linear in the multipliers.
    """
    if not any(constraint.accompanied for constraint in at.own.constraints):
        return {}
    on_body: list[Matrix] = [ca.DM(6, 1)] * len(at.skeleton.links)
    _add_accompanying(at, on_body, lam)
    carried = carried_wrenches(at, [-w for w in on_body])
    found = {}
    for k, link in enumerate(at.skeleton.links):
        effort = ca.DM(link.v.stop - link.v.start, 1)
        found[link.joint.name] = joint_reaction(link, at.placed[k], carried[k], effort, at.skeleton.planar)
    return found


def joint_reaction(link: Link, place: Placed, carried: Matrix, effort: Matrix, planar: bool) -> Matrix:
    """Constraint wrench of a tree joint from the wrench that it transmits to its body.

    The latter is at the origin of the body, which on an elastic body may differ from the marker of the joint. For a
    backward joint it acts on the first body; it is reversed and moved to the second marker.
    """
    if link.forward:
        if place.handle is not place.pose:
            carried = transport_wrench(carried, place.pose.p - place.handle.p)
        return carried - effort_wrench(link, place, effort, planar)
    turned = -transport_wrench(carried, place.pose.p - place.seat.p)
    return turned - effort_wrench(link, place, effort, planar)


def all_reactions(at: Snapshot, needed: list[Matrix], lam: Matrix, tau: Matrix) -> dict[str, Matrix]:
    """Constraint wrench of every joint by name: of cut joints from the multipliers, of others body by body.

        w_(i−1,i) = w*_i − w^λ_i + A' w_(i,i+1)

    tau are the efforts along all rates.

    Source: [chaudhary], eq. (11), body-level recursion.
    """
    skeleton, placed = at.skeleton, at.placed
    on_body, found, efforts = constraint_wrenches(at, lam)
    own = [need[:6] - held for need, held in zip(needed, on_body, strict=True)]
    carried = carried_wrenches(at, own)
    tau = parted(tau + efforts)
    for k, link in enumerate(skeleton.links):
        found[link.joint.name] = joint_reaction(link, placed[k], carried[k], tau[link.v], skeleton.planar)
    return found
