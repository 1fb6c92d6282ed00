"""The constraint matrices of all joints at many configurations (`Screws` defines the matrix).

The matrix is needed at thousands of instants of a motion and has a few dozen rows. The wrenches of all joints are
traced once and evaluated at all configurations together; the blocks are filled with NumPy arrays over the
configurations.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import casadi as ca
import numpy as np

from multiloop.kinematics.equations import KEPT, Equations
from multiloop.kinematics.geometry import resolver
from multiloop.kinematics.skeleton import resolved
from multiloop.kinematics.targets import marker_in_space
from multiloop.model import GROUND, IN_PLANE
from multiloop.plan.screw_rows import screws_of
from multiloop.symbols import Traced

ENTRIES = 2_000_000
"""Number of entries of the square matrices that are held in memory at once."""


@dataclass(frozen=True, eq=False)
class ConstraintMatrices:
    """At n configurations: A (n × rows × columns) and, for every joint, the wrenches that it transmits (n × 6 × c)."""

    A: np.ndarray
    wrenches: tuple[np.ndarray, ...]


def constraint_matrices(
    equations: Equations, t: np.ndarray, q: np.ndarray, p: np.ndarray
) -> Iterator[tuple[slice, ConstraintMatrices]]:
    """Constraint matrices at the configurations q (n × coordinates), in parts, each with its slice of q.

    The rows and columns are those of `screws_of`. Dividing into parts bounds the memory for large mechanisms.
    """
    skeleton = equations.skeleton
    elastic = skeleton.rates > len(equations.chart.joint_rates)
    alike = not elastic and not skeleton.mechanism.couplings
    rows = sum(joint.rows(skeleton.planar) for joint in skeleton.mechanism.connections)
    step = max(1, ENTRIES // max(1, rows * rows))
    for begin in range(0, len(q), step):
        part = slice(begin, begin + step)
        yield (
            part,
            (_of_joints(equations, q[part], p) if alike else _one_by_one(equations, t[part], q[part], p)),
        )


def _one_by_one(equations: Equations, t: np.ndarray, q: np.ndarray, p: np.ndarray) -> ConstraintMatrices:
    """The matrices of mechanisms with couplings or flexible bodies."""
    found = [screws_of(equations, one, p, float(at)) for at, one in zip(t, q, strict=True)]
    wrenches = zip(*(screws.wrenches.values() for screws in found), strict=True)
    return ConstraintMatrices(np.stack([screws.A for screws in found]), tuple(map(np.stack, wrenches)))


def _of_joints(equations: Equations, q: np.ndarray, p: np.ndarray) -> ConstraintMatrices:
    """The matrices of mechanisms whose only constraints are joints and pairs."""
    skeleton, L = equations.skeleton, equations.skeleton.length
    mechanism, d = skeleton.mechanism, 3 if skeleton.planar else 6
    columns, references = _traced(equations), _references(equations)
    W, places = columns.many(q=q.T, p=p)
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
    return ConstraintMatrices(A, tuple(wrenches))


def _body(reference: str) -> str:
    return reference.partition(".")[0]


def _references(equations: Equations) -> list[str]:
    """References of all markers of joints and pairs, each once."""
    connections = equations.skeleton.mechanism.connections
    return list(dict.fromkeys(name for joint in connections for name in (joint.first, joint.second)))


@lru_cache(maxsize=KEPT)
def _traced(equations: Equations) -> Traced:
    """(q, p) → wrenches of all joints, in inertial axes at their second markers, and positions of all markers."""
    skeleton = equations.skeleton
    resolve, planar = resolver(skeleton.names, skeleton.symbols), skeleton.planar
    frames = {
        name: marker_in_space(skeleton, name, equations.q, equations.placed)
        for name in _references(equations)
    }
    columns = [ca.SX(6, 0)]
    for joint in skeleton.mechanism.connections:
        F, S = frames[joint.first], frames[joint.second]
        local = resolved(joint, resolve).wrenches(F.inverse() @ S, planar)
        columns.append(ca.vertcat(F.R @ local[:3, :], F.R @ local[3:, :]))
    places = ca.horzcat(ca.SX(3, 0), *[frame.p for frame in frames.values()])
    return equations.function(
        "joint_wrenches", "q", W=ca.densify(ca.horzcat(*columns)), places=ca.densify(places)
    )
