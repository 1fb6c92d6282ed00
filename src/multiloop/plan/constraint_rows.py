"""Evaluation of the constraint matrix at one or many configurations: rows of joints, couplings and elastic modes.

A joint contributes the wrenches that it transmits between its two bodies. A coupling contributes either wrenches
between bodies or generalized forces along joint coordinates, each row scaled to norm 1. Elastic coordinates
contribute the motion of joint markers relative to their flexible bodies. For many configurations the wrenches of all
joints are traced once and evaluated together.

Theory: docs/theory/09-redundancy.md, eq. (9.1).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

import casadi as ca
import numpy as np

from multiloop.dependencies import sp
from multiloop.kinematics import CACHE_SIZE, Equations, marker_deformations, marker_frames
from multiloop.kinematics.constraints import Constraint, CutJoint, WrenchInteraction, end_poses
from multiloop.kinematics.tree import marker_pose_in_space, parameter_resolver, resolve_parameters
from multiloop.model import GROUND, IN_PLANE
from multiloop.plan.constraint_matrix import ConstraintMatrix, RelativeTwistRows
from multiloop.spatial import Pose, numeric
from multiloop.symbols import Traced

CouplingRows = tuple[dict[str, tuple[RelativeTwistRows, ...]], dict[str, np.ndarray]]
"""Two mappings from the names of couplings: to their rows, each scaled to norm 1, and to the norms by which these rows
were divided."""


def coupling_rows(
    equations: Equations, q: np.ndarray, p: np.ndarray, t: float | None, frames: Mapping[str, Pose]
) -> CouplingRows:
    """The rows of all couplings, expressed as wrenches between bodies, with lengths divided by the characteristic
    length; `frames` are the inertial poses of the joint markers."""
    if not equations.skeleton.mechanism.couplings:
        return {}, {}
    J = sp.csr_matrix(equations.sparse_geometric_jacobian(q, p, t) @ sp.diags(equations.chart.rate_units))
    columns = _traced_coupling_wrenches(equations)(q, np.array([0.0 if t is None else t]), p)[0].reshape(
        9, -1
    )
    stacked = iter(columns.T)
    readings: dict[str, tuple[RelativeTwistRows, ...]] = {}
    sizes: dict[str, np.ndarray] = {}
    for one, rows in zip(
        equations.loop_constraints.constraints, equations.loop_constraints.slices, strict=True
    ):
        if isinstance(one, CutJoint):
            continue
        between = _wrenches_between_bodies(equations, one)
        if between:
            found, size = _rows_of_wrenches(equations, between, len(one.rows), stacked)
        else:
            found, size = _rows_of_efforts(equations, one, J[rows].toarray(), p, frames)
        readings[one.name], sizes[one.name] = found, size
    return readings, sizes


def _wrenches_between_bodies(equations: Equations, constraint: Constraint) -> tuple[WrenchInteraction, ...]:
    """The wrenches that a constraint exerts between bodies; empty if the constraint also exerts generalized forces
    along joint coordinates."""
    exerted = constraint.exerted_interactions(equations)
    between = tuple(part for part in exerted if isinstance(part, WrenchInteraction))
    return between if len(between) == len(exerted) else ()


@lru_cache(maxsize=CACHE_SIZE)
def _traced_coupling_wrenches(equations: Equations) -> Traced:
    """Traced function (q, t, p) → 9 × n matrix, with a column [wrench; point of application] for every wrench that a
    coupling exerts between bodies."""
    columns = []
    for one in equations.loop_constraints.constraints:
        for part in () if isinstance(one, CutJoint) else _wrenches_between_bodies(equations, one):
            point = end_poses(equations, part.first, part.second).S.p
            columns += [ca.vertcat(part.W[:, k], point) for k in range(part.W.shape[1])]
    return equations.function("between", "qt", columns=ca.densify(ca.horzcat(ca.SX(9, 0), *columns)))


def _rows_of_wrenches(
    equations: Equations, between: tuple[WrenchInteraction, ...], count: int, stacked: Iterator[np.ndarray]
) -> tuple[tuple[RelativeTwistRows, ...], np.ndarray]:
    """Rows of a coupling that exerts the wrenches `between` bodies, and the norms by which these rows were divided.

    `count` is the number of rows; `stacked` are the columns [wrench; point of application] of all couplings, of which
    those of this coupling are consumed.
    """
    L, found = equations.skeleton.characteristic_length, []
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
            RelativeTwistRows((bodies[one.first.body], bodies[one.second.body]), place, W / size)
            for one, W, place in found
        ),
        size,
    )


def _body_names(equations: Equations) -> dict[int, str]:
    """Names of the bodies by index in the tree; the twin of a split body has the name of the body."""
    skeleton = equations.skeleton
    twins = {split.twin: split.body for split in skeleton.tree.splits}
    return {-1: GROUND} | {k: twins.get(link.body, link.body) for k, link in enumerate(skeleton.links)}


def _rows_of_efforts(
    equations: Equations, coupling: Constraint, slopes: np.ndarray, p: np.ndarray, frames: Mapping[str, Pose]
) -> tuple[tuple[RelativeTwistRows, ...], np.ndarray]:
    """Rows of a coupling that exerts generalized forces along coordinates of tree joints, and the norms of these rows.

    Each force is expressed by the wrench that it exerts between the two bodies of the joint. `slopes` are the rows of
    the coupling in the loop Jacobian, `frames` the inertial poses of the joint markers.
    """
    skeleton, L = equations.skeleton, equations.skeleton.characteristic_length
    size = np.linalg.norm(slopes, axis=1, keepdims=True)
    size = np.where(size > 0, size, 1.0)
    weights, read = slopes / size, []
    for link in (skeleton.links[k] for k in coupling.links):
        F, S = (frames[end] for end in (link.joint.first, link.joint.second))
        joint = equations.skeleton.numeric_joint(skeleton.mechanism.joint(link.joint.name), p)
        P = ca.DM(joint.motion_subspace(F.inverse() @ S, skeleton.planar)).full()
        turns = np.abs(P[:3]).max(axis=0, initial=0.0) > 0
        local = np.vstack([P[:3], np.where(turns, 0.0, P[3:])]) @ weights[:, link.v].T
        R, (first, second) = (
            numeric(F.R),
            (end.partition(".")[0] for end in (link.joint.first, link.joint.second)),
        )
        read.append(
            RelativeTwistRows((first, second), numeric(S.p) / L, np.vstack([R @ local[:3], R @ local[3:]]))
        )
    return tuple(read), size[:, 0]


def constraint_matrix_at(
    equations: Equations, q: np.ndarray, p: np.ndarray, t: float | None = None
) -> ConstraintMatrix:
    """The constraint matrix at a configuration with closed loops; it does not depend on the tree of the equations."""
    skeleton = equations.skeleton
    mechanism, planar = skeleton.mechanism, skeleton.planar
    frames = marker_frames(equations, q, p)
    points = {name: numeric(frame.p) / skeleton.characteristic_length for name, frame in frames.items()}
    wrenches = joint_wrenches(equations, q, p, frames)
    couplings, sizes = coupling_rows(equations, q, p, t, frames)
    tied = [
        (one.name, row)
        for one in equations.loop_constraints.constraints
        if one.name in couplings
        for row in one.rows
    ]
    held: dict[str, list[np.ndarray]] = {}
    for reference, point in points.items():
        held.setdefault(reference.partition(".")[0], []).append(point)
    return ConstraintMatrix(
        wrenches={joint.name: W for joint, W in zip(mechanism.connections, wrenches, strict=True)},
        places={joint.name: points[joint.second] for joint in mechanism.connections},
        points={body: np.mean(markers, axis=0) for body, markers in held.items()},
        markers=points,
        rows=(
            *((joint.name, word) for joint in mechanism.connections for word in joint.wrench_names(planar)),
            *((name, row.name) for name, row in tied),
        ),
        bodies=tuple(body.name for body in mechanism.moving),
        dimension=3 if planar else 6,
        ends={j.name: (j.first.partition(".")[0], j.second.partition(".")[0]) for j in mechanism.connections},
        couplings=couplings,
        sizes=sizes,
        rate_only=(
            *(k >= j.position_rows(planar) for j in mechanism.connections for k in range(j.rows(planar))),
            *(row.rate_only for _, row in tied),
        ),
        elastic=skeleton.rates - len(equations.chart.joint_rates),
        elastic_blocks=tuple(_elastic_blocks(equations, q, p, frames, wrenches)),
    )


def _elastic_blocks(
    equations: Equations,
    q: np.ndarray,
    p: np.ndarray,
    frames: Mapping[str, Pose],
    wrenches: list[np.ndarray],
) -> Iterator[tuple[int, int, np.ndarray]]:
    """Blocks of the joints' rows in the columns of elastic rates: Wᵀ times the motion of markers relative to their
    bodies.

    Each block is returned with the indices of its first row and first column. `wrenches` are the constraint wrenches W
    of all joints, `frames` the inertial poses of the joint markers. Rows of couplings are functions of joint rates,
    which do not include elastic rates.
    """
    skeleton, L = equations.skeleton, equations.skeleton.characteristic_length
    joint_rates = set(equations.chart.joint_rates)
    elastic = [k for k in range(skeleton.rates) if k not in joint_rates]
    if not elastic:
        return
    left = (3 if skeleton.planar else 6) * len(skeleton.mechanism.moving)
    place, bends = {k: left + i for i, k in enumerate(elastic)}, marker_deformations(equations, q, p)
    at = 0
    for joint, W in zip(skeleton.mechanism.connections, wrenches, strict=True):
        for reference, sign in ((joint.first, -1.0), (joint.second, 1.0)):
            body, _, marker = reference.partition(".")
            k = skeleton.index[body]
            if (k, marker) in bends:
                t = bends[k, marker].copy()
                arm = numeric(frames[joint.second].p) - numeric(frames[reference].p)
                t[3:] = (t[3:] + np.cross(t[:3], arm, axisa=0, axisc=0)) / L
                yield at, place[skeleton.links[k].eta_rate.start], sign * W.T @ t
        at += W.shape[1]


def joint_wrenches(
    equations: Equations, q: np.ndarray, p: np.ndarray, frames: Mapping[str, Pose] | None = None
) -> list[np.ndarray]:
    """For every joint the wrenches that it can transmit, 6×c in inertial axes at its second marker.

    In columns that contain a force, moments are divided by the characteristic length. `frames` are the inertial poses
    of the joint markers, if these are known.
    """
    planar, L = equations.skeleton.planar, equations.skeleton.characteristic_length
    frames = marker_frames(equations, q, p) if frames is None else frames
    found = []
    for joint in equations.skeleton.mechanism.connections:
        F, S = frames[joint.first], frames[joint.second]
        local = ca.DM(equations.skeleton.numeric_joint(joint, p).wrenches(F.inverse() @ S, planar)).full()
        R = numeric(F.R)
        W = np.vstack([R @ local[:3], R @ local[3:]])
        forces = np.abs(local[3:]).max(axis=0, initial=0.0) > 0
        W[:3, forces] /= L
        found.append(W)
    return found


MEMORY_ENTRIES = 2_000_000
"""Largest number of matrix entries that are stored at once."""


@dataclass(frozen=True, eq=False)
class ConstraintMatrixSeries:
    """At n configurations: the constraint matrix A (n × rows × columns) and, for every joint, the wrenches that it
    transmits (n × 6 × c)."""

    A: np.ndarray
    wrenches: tuple[np.ndarray, ...]


def constraint_matrix_series(
    equations: Equations, t: np.ndarray, q: np.ndarray, p: np.ndarray
) -> Iterator[tuple[slice, ConstraintMatrixSeries]]:
    """Constraint matrices at the configurations q (n × coordinates), in parts, each with its slice of q.

    The rows and columns are those of `constraint_matrix_at`. Dividing into parts bounds the memory for large
    mechanisms.
    """
    skeleton = equations.skeleton
    elastic = skeleton.rates > len(equations.chart.joint_rates)
    alike = not elastic and not skeleton.mechanism.couplings
    rows = sum(joint.rows(skeleton.planar) for joint in skeleton.mechanism.connections)
    step = max(1, MEMORY_ENTRIES // max(1, rows * rows))
    for begin in range(0, len(q), step):
        part = slice(begin, begin + step)
        yield (
            part,
            (
                _matrices_of_joints(equations, q[part], p)
                if alike
                else _matrices_one_by_one(equations, t[part], q[part], p)
            ),
        )


def _matrices_one_by_one(
    equations: Equations, t: np.ndarray, q: np.ndarray, p: np.ndarray
) -> ConstraintMatrixSeries:
    """The constraint matrices of mechanisms with couplings or flexible bodies, evaluated one instant at a time."""
    found = [constraint_matrix_at(equations, one, p, float(at)) for at, one in zip(t, q, strict=True)]
    wrenches = zip(*(screws.wrenches.values() for screws in found), strict=True)
    return ConstraintMatrixSeries(np.stack([screws.A for screws in found]), tuple(map(np.stack, wrenches)))


def _matrices_of_joints(equations: Equations, q: np.ndarray, p: np.ndarray) -> ConstraintMatrixSeries:
    """The constraint matrices of mechanisms whose only constraints are joints and pairs, evaluated for all instants
    together."""
    skeleton, L = equations.skeleton, equations.skeleton.characteristic_length
    mechanism, d = skeleton.mechanism, 3 if skeleton.planar else 6
    columns, references = _traced_joint_wrenches(equations), _references(equations)
    W, places = columns.evaluate_many(q=q.T, p=p)
    count = len(q)
    W = np.broadcast_to(W.reshape(len(W), 6, -1), (count, 6, W.size // len(W) // 6)).copy()
    places = np.broadcast_to(places.reshape(len(places), 3, -1) / L, (count, 3, len(references)))
    forces = np.abs(W[:, 3:]).max(axis=1, keepdims=True, initial=0.0) > 0
    W[:, :3] = np.where(forces, W[:, :3] / L, W[:, :3])
    own = {
        body.name: [k for k, name in enumerate(references) if _body(name) == body.name]
        for body in mechanism.moving
    }
    points = {body: places[:, :, own[body]].mean(axis=2) for body in own if own[body]}
    left = {body.name: d * k for k, body in enumerate(mechanism.moving)}
    A = np.zeros((count, W.shape[2], d * len(left)))
    wrenches, at = [], 0
    for joint in mechanism.connections:
        rows = slice(at, at + joint.rows(skeleton.planar))
        n, f = W[:, :3, rows], W[:, 3:, rows]
        place = places[:, :, references.index(joint.second)]
        for reference, sign in ((joint.first, -1.0), (joint.second, 1.0)):
            body = _body(reference)
            if body != GROUND:
                arm = (place - points[body])[:, :, None]
                seen = np.concatenate([n + np.cross(arm, f, axis=1), f], axis=1).transpose(0, 2, 1)
                A[:, rows, left[body] : left[body] + d] += sign * (seen[:, :, IN_PLANE] if d == 3 else seen)
        wrenches.append(W[:, :, rows])
        at = rows.stop
    return ConstraintMatrixSeries(A, tuple(wrenches))


def _body(reference: str) -> str:
    return reference.partition(".")[0]


def _references(equations: Equations) -> list[str]:
    """References "body.marker" of all markers of joints and pairs, without duplicates."""
    connections = equations.skeleton.mechanism.connections
    return list(dict.fromkeys(name for joint in connections for name in (joint.first, joint.second)))


@lru_cache(maxsize=CACHE_SIZE)
def _traced_joint_wrenches(equations: Equations) -> Traced:
    """Traced function (q, p) → wrenches that all joints can transmit, in inertial axes at their second markers, and
    positions of all markers."""
    skeleton = equations.skeleton
    resolve, planar = (
        parameter_resolver(skeleton.parameter_names, skeleton.parameter_symbols),
        skeleton.planar,
    )
    frames = {
        name: marker_pose_in_space(skeleton, name, equations.q, equations.placements)
        for name in _references(equations)
    }
    columns = [ca.SX(6, 0)]
    for joint in skeleton.mechanism.connections:
        F, S = frames[joint.first], frames[joint.second]
        local = resolve_parameters(joint, resolve).wrenches(F.inverse() @ S, planar)
        columns.append(ca.vertcat(F.R @ local[:3, :], F.R @ local[3:, :]))
    places = ca.horzcat(ca.SX(3, 0), *[frame.p for frame in frames.values()])
    return equations.function(
        "joint_wrenches", "q", W=ca.densify(ca.horzcat(*columns)), places=ca.densify(places)
    )
