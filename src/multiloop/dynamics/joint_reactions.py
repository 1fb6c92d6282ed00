"""Joint reactions: constraint force and moment in every joint, tree joints and cut joints.

A reaction is the wrench that the first body exerts on the second through the constraint of the joint, at the origin of
the second marker, in inertial axes, without the effort of a drive or actuator.

Theory: docs/theory/05-inverse-dynamics.md, eqs. (5.7), (5.8).
"""

from __future__ import annotations

import casadi as ca

from multiloop.dynamics.actions import effort_wrench
from multiloop.dynamics.newton_euler import carried_wrenches
from multiloop.kinematics import Snapshot
from multiloop.kinematics.constraints import RowSet, WrenchInteraction, end_poses
from multiloop.kinematics.tree import BodyPlacement, Link
from multiloop.spatial import Matrix, as_column, transport_wrench


def constraint_wrenches(at: Snapshot, lam: Matrix) -> tuple[list[Matrix], dict[str, Matrix], Matrix]:
    """Forces that the multipliers λ of the loop constraints exert: wrenches on every body at its origin, wrenches of
    cut joints, pairs and gears by name, and efforts along all rates.

    A constraint with unit wrenches W exerts w^λ = W λ on the second body and −W λ on the first.
    """
    on_body: list[Matrix] = [ca.DM(6, 1)] * len(at.skeleton.links)
    of_joint: dict[str, Matrix] = {}
    efforts: list[Matrix] = [ca.DM(1, 1)] * at.skeleton.rates
    for constraint, rows in zip(at.loop_constraints.constraints, at.loop_constraints.slices, strict=True):
        for one in constraint.exerted_interactions(at):
            if not isinstance(one, WrenchInteraction):
                place = at.skeleton.links[one.link].v.start + one.component
                efforts[place] = efforts[place] + one.weight @ lam[rows]
                continue
            w = one.W @ lam[rows]
            of_joint[constraint.name] = w
            _add_between(at, on_body, one, w)
    _add_workless(at, on_body, lam)
    return on_body, of_joint, ca.vertcat(ca.DM(0, 1), *efforts)


def _add_between(at: Snapshot, on_body: list[Matrix], interaction: WrenchInteraction, w: Matrix) -> None:
    """Add the wrench w of an interaction, given at the origin of its second marker, to the wrenches `on_body` of its
    second body, and subtract w from those of its first body."""
    point = end_poses(at, interaction.first, interaction.second).S.p
    for k, sign in ((interaction.second.body, 1), (interaction.first.body, -1)):
        if k >= 0:
            on_body[k] = on_body[k] + sign * transport_wrench(w, point - at.placements[k].pose.p)


def _add_workless(at: Snapshot, on_body: list[Matrix], lam: Matrix) -> None:
    """Add the forces without power, such as separating forces of gear teeth, that constraints with the multipliers
    `lam` also exert, to the wrenches `on_body`."""
    for constraint, rows in zip(at.loop_constraints.constraints, at.loop_constraints.slices, strict=True):
        for one in constraint.workless_forces(at, lam[rows]) if constraint.has_workless_forces else ():
            _add_between(at, on_body, one, one.W)


def exerted_on_ground(at: Snapshot, constraints: RowSet, lam: Matrix) -> Matrix | None:
    """Sum of the wrenches [n; f] that constraints exert on the ground, at the inertial origin; None if no constraint
    acts on the ground."""
    total = None
    for constraint, rows in zip(constraints.constraints, constraints.slices, strict=True):
        exerted = [
            (x, x.W @ lam[rows])
            for x in constraint.exerted_interactions(at)
            if isinstance(x, WrenchInteraction)
        ]
        exerted += [(x, x.W) for x in constraint.workless_forces(at, lam[rows])]
        for one, w in exerted:
            for end, sign in ((one.second, 1), (one.first, -1)):
                if end.body < 0:
                    on_ground = sign * transport_wrench(w, end_poses(at, one.first, one.second).S.p)
                    total = on_ground if total is None else total + on_ground
    return total


def workless_reactions(at: Snapshot, lam: Matrix) -> dict[str, Matrix]:
    """Reactions of the tree joints to forces without power, such as separating forces of gear teeth, for multipliers
    `lam`.

    These reactions must be added to the reactions that are linear in the multipliers; cut joints have no such
    reactions.
    """
    if not any(constraint.has_workless_forces for constraint in at.loop_constraints.constraints):
        return {}
    on_body: list[Matrix] = [ca.DM(6, 1)] * len(at.skeleton.links)
    _add_workless(at, on_body, lam)
    carried = carried_wrenches(at, [-w for w in on_body])
    found = {}
    for k, link in enumerate(at.skeleton.links):
        effort = ca.DM(link.v.stop - link.v.start, 1)
        found[link.joint.name] = joint_reaction(
            link, at.placements[k], carried[k], effort, at.skeleton.planar
        )
    return found


def joint_reaction(link: Link, place: BodyPlacement, carried: Matrix, effort: Matrix, planar: bool) -> Matrix:
    """Constraint wrench of a tree joint: the total wrench `carried` that the joint transmits to its body, minus the
    wrench of the efforts along the coordinates of the joint (`effort` contains the efforts).

    `carried` is given at the origin of the body, which for a flexible body may differ from the marker of the joint. If
    the body is the first body of the joint, the wrench is reversed and transferred to the second marker.
    """
    if link.forward:
        if place.inboard_frame is not place.pose:
            carried = transport_wrench(carried, place.pose.p - place.inboard_frame.p)
        return carried - effort_wrench(link, place, effort, planar)
    turned = -transport_wrench(carried, place.pose.p - place.parent_frame.p)
    return turned - effort_wrench(link, place, effort, planar)


def joint_reactions(at: Snapshot, needed: list[Matrix], lam: Matrix, tau: Matrix) -> dict[str, Matrix]:
    """Constraint wrench of every joint by name: for cut joints from the multipliers λ, for tree joints by recursion
    over the bodies.

        w_(i−1,i) = w*_i − w^λ_i + A' w_(i,i+1)

    w*_i is the wrench that the motion of body i requires (`needed`), w^λ_i the sum of the wrenches of cut joints, pairs
    and gears on body i. A' transfers the wrench of the next joint outward to the origin of body i. `tau` are the
    efforts along all rates.

    Source: [chaudhary], eq. (11), body-level recursion.
    """
    skeleton, placed = at.skeleton, at.placements
    on_body, found, efforts = constraint_wrenches(at, lam)
    own = [need[:6] - held for need, held in zip(needed, on_body, strict=True)]
    carried = carried_wrenches(at, own)
    tau = as_column(tau + efforts)
    for k, link in enumerate(skeleton.links):
        found[link.joint.name] = joint_reaction(link, placed[k], carried[k], tau[link.v], skeleton.planar)
    return found
