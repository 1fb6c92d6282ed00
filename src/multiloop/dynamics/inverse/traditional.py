"""Inverse dynamics, traditional method: all Newton–Euler equations of all bodies at once."""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from multiloop.dynamics.elimination import solve_general
from multiloop.dynamics.inverse.problem import InverseProblem
from multiloop.dynamics.reactions import effort_wrenches
from multiloop.kinematics.closure import ends_of
from multiloop.kinematics.skeleton import Link
from multiloop.model import IN_PLANE
from multiloop.spatial import Matrix, Pose, transport_wrench


@dataclass(frozen=True, eq=False)
class AllAtOnce:
    """The answer: constraint wrench of every joint (tree joints in order, then cuts) and the efforts."""

    wrenches: list[Matrix]
    tau: Matrix


def traditional(problem: InverseProblem, spread: Matrix | None = None) -> AllAtOnce:
    """Every reaction component and every effort from the 6n (3n) equations of the free bodies.

        Σ_joints ± A' W r + Σ_drives ± A' Q τ = w*_i        for every body i

    `spread` (components × independent ones) combines redundant components into independent ones; without it
    the matrix must be regular.

    Source: [chaudhary], §5(1), eq. (8) for all bodies.
    """
    at = problem.at
    skeleton, planar = at.skeleton, at.skeleton.planar
    used = list(IN_PLANE) if planar else list(range(6))
    columns, sizes, bases = [], [], []
    for first, second, point, W in _connections(problem):
        block = [_on_body(at.placed, k, first, second, point, W) for k in range(len(skeleton.links))]
        columns.append(ca.vertcat(*[part[used, :] for part in block]))
        sizes.append(W.shape[1])
        bases.append(W)
    reactions = ca.horzcat(*columns)
    reactions = reactions if spread is None else reactions @ spread
    efforts = _effort_columns(problem, used)
    right = ca.vertcat(*[w[used] for w in _less_known(problem)])
    x = solve_general(ca.horzcat(reactions, efforts), right)
    count = reactions.shape[1]
    r = x[:count, :] if spread is None else spread @ x[:count, :]
    wrenches, place = [], 0
    for W, size in zip(bases, sizes, strict=True):
        wrenches.append(W @ r[place : place + size, :])
        place += size
    return AllAtOnce(wrenches, x[count:, :])


def _connections(problem: InverseProblem) -> list[tuple[int, int, Matrix, Matrix]]:
    """(first body, second body, point, W) of every joint: tree joints in order, then cuts."""
    at, planar = problem.at, problem.at.skeleton.planar
    found = []
    for k, link in enumerate(at.skeleton.links):
        F, S = _frames(at.placed[k], link)
        first, second = (link.parent, k) if link.forward else (k, link.parent)
        found.append((first, second, S.p, _transmitted(link.joint, F, S, planar)))
    for cut in at.skeleton.cuts:
        ends = ends_of(at.skeleton, cut, at.q, at.placed)
        found.append((cut.first, cut.second, ends.S.p, _transmitted(cut.joint, ends.F, ends.S, planar)))
    return found


def _frames(place, link: Link) -> tuple[Pose, Pose]:  # type: ignore[no-untyped-def]
    return (place.seat, place.pose) if link.forward else (place.pose, place.seat)


def _transmitted(joint, F: Pose, S: Pose, planar: bool) -> Matrix:  # type: ignore[no-untyped-def]
    local = joint.wrenches(F.inverse() @ S, planar)
    return ca.vertcat(F.R @ local[:3, :], F.R @ local[3:, :])


def _on_body(placed, k: int, first: int, second: int, point: Matrix, W: Matrix) -> Matrix:  # type: ignore[no-untyped-def]
    """What unit wrenches at a joint do to body k, at its origin."""
    if k not in (first, second):
        return ca.DM(6, W.shape[1])
    sign = 1 if k == second else -1
    moved = [transport_wrench(W[:, i], point - placed[k].pose.p) for i in range(W.shape[1])]
    return sign * ca.horzcat(ca.DM(6, 0), *moved)


def _effort_columns(problem: InverseProblem, used: list[int]) -> Matrix:
    """Unit efforts as wrenches on all bodies, one column each."""
    units = effort_wrenches(problem.at)  # rates × (bodies) list of 6-vectors
    columns = []
    for k in range(problem.B.shape[1]):
        total = [ca.DM(6, 1)] * len(problem.at.skeleton.links)
        for rate in ca.sparsify(problem.B[:, k]).sparsity().row():
            total = [t + problem.B[rate, k] * w for t, w in zip(total, units[rate], strict=True)]
        columns.append(ca.vertcat(*[w[used] for w in total]))
    return ca.horzcat(ca.DM(len(used) * len(problem.at.skeleton.links), 0), *columns)


def _less_known(problem: InverseProblem) -> list[Matrix]:
    """What every body needs less what known forces along the rates give it."""
    units = effort_wrenches(problem.at)
    found = list(problem.needed)
    for rate in range(problem.known.shape[0]):
        force = problem.known[rate]
        if not ca.DM(force).is_zero() if isinstance(force, ca.DM) else not force.is_zero():
            found = [w - force * unit for w, unit in zip(found, units[rate], strict=True)]
    return found
