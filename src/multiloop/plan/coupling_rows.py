"""Rows of couplings in the constraint matrix: wrenches between bodies, or efforts along rates of joints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

import casadi as ca
import numpy as np

from multiloop.kinematics.constraints import Between, Constraint, CutJoint
from multiloop.kinematics.constraints.ends import placed_ends
from multiloop.kinematics.equations import KEPT, Equations
from multiloop.kinematics.sparse_matrices import sp
from multiloop.model import GROUND
from multiloop.plan.screws import Reading
from multiloop.spatial import Pose, numeric
from multiloop.symbols import Traced

Found = tuple[dict[str, tuple[Reading, ...]], dict[str, np.ndarray]]
"""By coupling: its rows, each scaled to size 1, and the sizes by which the rows were divided."""


def coupling_readings(
    equations: Equations, q: np.ndarray, p: np.ndarray, t: float | None, frames: Mapping[str, Pose]
) -> Found:
    """The rows of all couplings as wrenches between bodies; lengths are in characteristic lengths."""
    if not equations.skeleton.mechanism.couplings:
        return {}, {}
    J = sp.csr_matrix(equations.sparse_geometric_jacobian(q, p, t) @ sp.diags(equations.chart.scale))
    columns = _between_of(equations)(q, np.array([0.0 if t is None else t]), p)[0].reshape(9, -1)
    stacked = iter(columns.T)
    readings: dict[str, tuple[Reading, ...]] = {}
    sizes: dict[str, np.ndarray] = {}
    for one, rows in zip(equations.own.constraints, equations.own.slices, strict=True):
        if isinstance(one, CutJoint):
            continue
        between = _all_between(equations, one)
        if between:
            found, size = _wrenches(equations, between, len(one.rows), stacked)
        else:
            found, size = _efforts(equations, one, J[rows].toarray(), p, frames)
        readings[one.name], sizes[one.name] = found, size
    return readings, sizes


def _all_between(equations: Equations, one: Constraint) -> tuple[Between, ...]:
    """The wrenches of a constraint between bodies; empty if it also exerts efforts along rates."""
    exerted = one.exerted(equations)
    between = tuple(part for part in exerted if isinstance(part, Between))
    return between if len(between) == len(exerted) else ()


@lru_cache(maxsize=KEPT)
def _between_of(equations: Equations) -> Traced:
    """(q, t, p) → one column [W; point] for every wrench between bodies."""
    columns = []
    for one in equations.own.constraints:
        for part in () if isinstance(one, CutJoint) else _all_between(equations, one):
            point = placed_ends(equations, part.first, part.second).S.p
            columns += [ca.vertcat(part.W[:, k], point) for k in range(part.W.shape[1])]
    return equations.function("between", "qt", columns=ca.densify(ca.horzcat(ca.SX(9, 0), *columns)))


def _wrenches(
    equations: Equations, between: tuple[Between, ...], count: int, stacked: Iterator[np.ndarray]
) -> tuple[tuple[Reading, ...], np.ndarray]:
    """Rows of a coupling that exerts wrenches between bodies, and their sizes."""
    L, found = equations.skeleton.length, []
    for one in between:
        columns = np.array([next(stacked) for _ in range(count)]).T
        W, point = columns[:6].copy(), columns[6:, 0]
        forces = np.abs(W[3:]).max(axis=0) > 0
        W[:3, forces] /= L
        found.append((one, W, point / L))
    size = np.sqrt(sum((W**2).sum(axis=0) for _, W, _ in found))
    size = np.where(size > 0, size, 1.0)
    bodies = _body_names(equations)
    return (
        tuple(
            Reading((bodies[one.first.body], bodies[one.second.body]), place, W / size)
            for one, W, place in found
        ),
        size,
    )


def _body_names(equations: Equations) -> dict[int, str]:
    """Names of the bodies by index in the tree; the twin of a split body has the name of the body."""
    skeleton = equations.skeleton
    twins = {split.twin: split.body for split in skeleton.tree.splits}
    return {-1: GROUND} | {k: twins.get(link.body, link.body) for k, link in enumerate(skeleton.links)}


def _efforts(
    equations: Equations, one: Constraint, slopes: np.ndarray, p: np.ndarray, frames: Mapping[str, Pose]
) -> tuple[tuple[Reading, ...], np.ndarray]:
    """Rows of a coupling along rates of tree joints, as the wrenches that such efforts exert on the bodies."""
    skeleton, L = equations.skeleton, equations.skeleton.length
    size = np.linalg.norm(slopes, axis=1, keepdims=True)
    size = np.where(size > 0, size, 1.0)
    weights, read = slopes / size, []
    for link in (skeleton.links[k] for k in one.links):
        F, S = (frames[end] for end in (link.joint.first, link.joint.second))
        joint = equations.numeric_joint(skeleton.mechanism.joint(link.joint.name), p)
        P = ca.DM(joint.freedom(F.inverse() @ S, skeleton.planar)).full()
        turns = np.abs(P[:3]).max(axis=0, initial=0.0) > 0
        local = np.vstack([P[:3], np.where(turns, 0.0, P[3:])]) @ weights[:, link.v].T
        R, (first, second) = (
            numeric(F.R),
            (end.partition(".")[0] for end in (link.joint.first, link.joint.second)),
        )
        read.append(Reading((first, second), numeric(S.p) / L, np.vstack([R @ local[:3], R @ local[3:]])))
    return tuple(read), size[:, 0]
