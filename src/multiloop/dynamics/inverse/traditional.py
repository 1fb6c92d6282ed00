"""Inverse dynamics, traditional method: all Newton–Euler equations of all bodies at once.

Theory: docs/theory/05-inverse-dynamics.md, eq. (5.2).
"""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from multiloop.dynamics.actions import effort_wrenches
from multiloop.dynamics.inverse.system_and_subsystem import InverseProblem
from multiloop.dynamics.joint_reactions import workless_reactions
from multiloop.dynamics.symbolic_solvers import solve_general
from multiloop.kinematics import Snapshot
from multiloop.kinematics.constraints import CutJoint, EffortInteraction, end_poses
from multiloop.model import IN_PLANE, Connection
from multiloop.spatial import Matrix, Pose, transport_wrench


@dataclass(frozen=True, eq=False)
class TraditionalSolution:
    """Result of the traditional method of inverse dynamics (Newton–Euler equations of all bodies): constraint wrenches
    of all joints (tree joints in order, then cut joints), efforts `tau`, and multipliers `lam`."""

    wrenches: list[Matrix]
    tau: Matrix
    lam: Matrix  # zeros for the rows of cut joints, then the multipliers of the couplings


@dataclass(frozen=True)
class Transmission:
    """A joint or pair between two bodies, given by their indices (−1 is the ground), with the wrenches W (6×c) that it
    can transmit, reduced to `point`, in inertial axes."""

    first: int
    second: int
    point: Matrix
    W: Matrix


def traditional(problem: InverseProblem, spread: Matrix | None = None) -> TraditionalSolution:
    """All reaction components r and efforts τ from the 6n (in the plane 3n) equations of motion of the n free bodies.

    A flexible body contributes six (three) equations too: its modal equations determine its deformation, not the
    reactions.

        Σ_joints ± A' W r + Σ_efforts ± A' Q τ = w*_i        for every body i

    w*_i is the wrench that the motion of body i requires, W are the constraint wrenches of a joint, Q the wrenches of
    unit efforts, and A' transforms a wrench to the origin of the body. If reaction components are redundant, the matrix
    `spread` (components × independent components) expresses all of them in terms of independent unknowns; without
    `spread` the equations must be nonsingular.

    Source: [chaudhary], §5(1), eq. (8) for all bodies.
    Differs: eq. (8) prints M W ṫ where eqs. (2) and (5) have W M E t; the latter is meant.
    """
    at = problem.at
    joints = transmissions(at)
    units = [_stack_bodies(at, wrenches) for wrenches in effort_wrenches(at)]
    reactions = ca.horzcat(*[_on_bodies(at, joint) for joint in joints], *_coupling_columns(at, units))
    reactions = reactions if spread is None else reactions @ spread
    count = reactions.shape[1]
    efforts = ca.horzcat(ca.DM(reactions.shape[0], 0), *units)
    right = _stack_bodies(at, [w[:6] for w in problem.required_wrenches]) - efforts @ problem.known_forces
    x = solve_general(ca.horzcat(reactions, efforts @ problem.B), right)
    r = x[:count, :] if spread is None else spread @ x[:count, :]
    wrenches, place = [], 0
    for joint in joints:
        size = joint.W.shape[1]
        wrenches.append(joint.W @ r[place : place + size, :])
        place += size
    lam = ca.vertcat(_zeros_for_cuts(at), r[place:, :])
    added = workless_reactions(at, lam)
    for k, link in enumerate(at.skeleton.links if added else ()):
        wrenches[k] = wrenches[k] + added[link.joint.name]
    return TraditionalSolution(wrenches, x[count:, :], lam)


def transmissions(at: Snapshot) -> list[Transmission]:
    """The transmitted wrenches of all joints: tree joints in order, then cut joints."""
    found = []
    for k, (link, place) in enumerate(zip(at.skeleton.links, at.placements, strict=True)):
        F, S = (
            (place.parent_frame, place.inboard_frame)
            if link.forward
            else (place.inboard_frame, place.parent_frame)
        )
        first, second = (link.parent, k) if link.forward else (k, link.parent)
        found.append(
            Transmission(first, second, S.p, _transmitted_wrenches(link.joint, F, S, at.skeleton.planar))
        )
    for cut in at.loop_constraints.constraints:
        if not isinstance(cut, CutJoint):
            continue
        ends = end_poses(at, *cut.ends)
        W = _transmitted_wrenches(cut.cut.joint, ends.F, ends.S, at.skeleton.planar)
        found.append(Transmission(cut.cut.first, cut.cut.second, ends.S.p, W))
    return found


def _coupling_columns(at: Snapshot, units: list[Matrix]) -> list[Matrix]:
    """For each coupling, the matrix of the wrenches on all bodies, stacked, per unit of each of its multipliers.

    Couplings act between bodies or along joint rates; `units` are, for each joint rate, the stacked wrenches of a unit
    effort along this rate.
    """
    found = []
    for constraint in at.loop_constraints.constraints:
        if isinstance(constraint, CutJoint):
            continue
        total: Matrix = ca.DM(units[0].shape[0], len(constraint.rows))
        for one in constraint.exerted_interactions(at):
            if isinstance(one, EffortInteraction):
                total = total + units[at.skeleton.links[one.link].v.start + one.component] @ one.weight
            else:
                point = end_poses(at, one.first, one.second).S.p
                total = total + _on_bodies(at, Transmission(one.first.body, one.second.body, point, one.W))
        found.append(total)
    return found


def _zeros_for_cuts(at: Snapshot) -> Matrix:
    """Zeros in place of the multipliers of cut joints, because the traditional method computes their wrenches
    instead."""
    cuts = (one for one in at.loop_constraints.constraints if isinstance(one, CutJoint))
    return ca.DM(sum(len(cut.rows) for cut in cuts), 1)


def _transmitted_wrenches(joint: Connection, F: Pose, S: Pose, planar: bool) -> Matrix:
    local = joint.wrenches(F.inverse() @ S, planar)
    return ca.vertcat(F.R @ local[:3, :], F.R @ local[3:, :])


def _on_bodies(at: Snapshot, joint: Transmission) -> Matrix:
    """The unit wrenches of a joint on all bodies, at the origins of the bodies, stacked; they are nonzero for its two
    bodies only."""
    blocks: list[Matrix] = [ca.DM(6, joint.W.shape[1])] * len(at.skeleton.links)
    for body, sign in ((joint.second, 1), (joint.first, -1)):
        if body >= 0:
            r = joint.point - at.placements[body].pose.p
            moved = [transport_wrench(joint.W[:, i], r) for i in range(joint.W.shape[1])]
            blocks[body] = sign * ca.horzcat(ca.DM(6, 0), *moved)
    return _stack_bodies(at, blocks)


def _stack_bodies(at: Snapshot, wrenches: list[Matrix]) -> Matrix:
    """Wrenches on all bodies, stacked; in the plane only moments about z and forces along x and y."""
    used = list(IN_PLANE) if at.skeleton.planar else list(range(6))
    return ca.vertcat(*[w[used, :] for w in wrenches])
