"""A mechanism with its bodies separated: every body has an independent pose, every joint its own coordinates.

Poses and coordinates need not agree, so that a position can be prescribed body by body before any loop is closed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import casadi as ca
import numpy as np

from multiloop.kinematics.chart import LENGTHS, turned
from multiloop.kinematics.geometry import characteristic_length
from multiloop.kinematics.joint_shapes import Alike, joint_shape, kind_of, pair_closure
from multiloop.kinematics.skeleton import resolved
from multiloop.model import GROUND, Connection, Mechanism
from multiloop.model.geometry import at_values, marker_pose
from multiloop.spatial import Pose, numeric
from multiloop.symbols import Traced

SLIGHT = 0.1
"""Smallest radius assumed for a body, in characteristic lengths."""


@dataclass(frozen=True, eq=False)
class Loose:
    """A position of the separate bodies: R (n+1, 3, 3), centres c (n+1, 3), the ground last; q of all joints.

    The centre of a body is the mean of its joint markers; bodies are rotated about it.
    """

    R: np.ndarray
    c: np.ndarray
    q: np.ndarray


class Parts:
    """The bodies of a mechanism and the joints between them; `eta` are the elastic coordinates by body."""

    def __init__(self, mechanism: Mechanism, eta: Mapping[str, np.ndarray]) -> None:
        self.mechanism, self.eta = mechanism, eta
        self._frames: dict[str, np.ndarray] = {}
        self.length = characteristic_length(mechanism)
        self.bodies = tuple(body.name for body in mechanism.moving)
        self.index = {name: k for k, name in enumerate(self.bodies)} | {GROUND: -1}
        self.joints = tuple(resolved(joint, at_values) for joint in mechanism.binary_joints)
        self.pairs = tuple(resolved(pair, at_values) for pair in mechanism.marker_pairs)
        planar = mechanism.planar
        self.q_places = _places([joint.positions(planar) for joint in self.joints])
        self.v_places = _places([joint.freedoms(planar) for joint in self.joints])
        self.rates = self.v_places[-1].stop if self.joints else 0
        self.number = {joint.name: k for k, joint in enumerate(self.joints)}
        self.between = [(self._body(joint.first), self._body(joint.second)) for joint in self.joints]

    @cached_property
    def neutral(self) -> np.ndarray:
        """q with every joint at its zero pose."""
        planar = self.mechanism.planar
        return np.concatenate([np.zeros(0), *(joint.neutral(planar) for joint in self.joints)])

    @cached_property
    def middles(self) -> np.ndarray:
        """Centre of the joint markers of every body in its frame, (n+1, 3); that of the ground is its origin."""
        points: dict[str, list[np.ndarray]] = {}
        for joint in self.mechanism.connections:
            for reference in (joint.first, joint.second):
                points.setdefault(reference.partition(".")[0], []).append(self.own_frame(reference)[:, 3])
        found = [np.mean(points.get(body, [np.zeros(3)]), axis=0) for body in self.bodies]
        return np.array([*found, np.zeros(3)])

    def own_frame(self, reference: str) -> np.ndarray:
        """[R | p] of a marker in the frame of its body, in the deformed configuration."""
        if reference not in self._frames:
            body, _, name = reference.partition(".")
            if np.any(self.eta.get(body, 0.0)):  # an undeformed body has its markers as described
                reduced = self.mechanism.body(body).reduced("origin", at_values, self.mechanism.planar)
                pose = reduced.marker_pose(name, ca.DM(self.eta[body]))
            else:
                pose = marker_pose(self.mechanism.marker(reference), at_values, self.mechanism.planar)
            self._frames[reference] = np.column_stack([numeric(pose.R), numeric(pose.p)])
        return self._frames[reference]

    def frame(self, reference: str) -> np.ndarray:
        """[R | p] of a marker relative to the centre of its body."""
        found = self.own_frame(reference).copy()
        found[:, 3] -= self.middles[self._body(reference)]
        return found

    @cached_property
    def ends(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """Both markers of every joint, relative to the centres of their bodies."""
        return [(self.frame(joint.first), self.frame(joint.second)) for joint in self.joints]

    @cached_property
    def neighbours(self) -> dict[int, list[tuple[int, int]]]:
        """For every body (−1 the ground), pairs of a joint and the body that it connects to."""
        found: dict[int, list[tuple[int, int]]] = {k: [] for k in range(-1, len(self.bodies))}
        for k, (first, second) in enumerate(self.between):
            found[first].append((k, second))
            found[second].append((k, first))
        return found

    @cached_property
    def alike(self) -> tuple[Alike, ...]:
        """The joints, grouped by type."""
        planar = self.mechanism.planar
        kinds: dict[tuple[type, str], list[int]] = {}
        for k, joint in enumerate(self.joints):
            kinds.setdefault(kind_of(joint), []).append(k)
        found = []
        for members in kinds.values():
            kind = self.joints[members[0]]
            lengths = [name in LENGTHS for name in kind.components(planar)]
            found.append(
                Alike(
                    members=np.array(members),
                    first=np.array([self.between[k][0] for k in members]),
                    second=np.array([self.between[k][1] for k in members]),
                    F=np.array([self.ends[k][0] for k in members]),
                    S=np.array([self.ends[k][1] for k in members]),
                    q=np.array([range(self.q_places[k].start, self.q_places[k].stop) for k in members], int),
                    v=np.array([range(self.v_places[k].start, self.v_places[k].stop) for k in members], int),
                    unit=np.where(lengths, self.length, 1.0),
                    shape=joint_shape(kind, planar),
                )
            )
        return tuple(found)

    def _body(self, reference: str) -> int:
        return self.index[reference.partition(".")[0]]

    @cached_property
    def closures(self) -> list[Traced]:
        """Rows of every pair at a relative pose, and their derivatives with respect to the relative twist."""
        return [pair_closure(pair, self.mechanism.planar) for pair in self.pairs]

    def relative(self, at: Loose, connection: Connection) -> Pose:
        """Pose of the second marker of a joint or pair in the first."""
        a, b = self._body(connection.first), self._body(connection.second)
        F, S = self.frame(connection.first), self.frame(connection.second)
        R_F, R_S = at.R[a] @ F[:, :3], at.R[b] @ S[:, :3]
        p = at.c[b] + at.R[b] @ S[:, 3] - at.c[a] - at.R[a] @ F[:, 3]
        return Pose(R_F.T @ R_S, R_F.T @ p)

    def read(self, at: Loose, kept: np.ndarray) -> Loose:
        """The position with all coordinates that are not `kept` (by rate) computed from the poses of the bodies."""
        q = at.q.copy()
        for k, joint in enumerate(self.joints):
            place, free = self.q_places[k], ~kept[self.v_places[k]]
            if free.any():
                if len(at.q[place]) > len(free):  # all four entries of a quaternion are read
                    free = np.append(free[:-3], [free[-1]] * 4)
                found = joint.read(self.relative(at, joint), at.q[place], self.mechanism.planar)
                q[place] = np.where(free, found, at.q[place])
        return replace(at, q=q)

    def shapes(self, q: np.ndarray) -> np.ndarray:
        """[R | p] of the second marker of every joint in the first, for coordinates q."""
        found = np.zeros((len(self.joints), 3, 4))
        for alike in self.alike:
            found[alike.members] = alike.at(q)[0]
        return found

    def moved(self, q: np.ndarray, step: np.ndarray) -> np.ndarray:
        """q after a step of all joint rates, in radians and characteristic lengths."""
        q = q.copy()
        for alike in self.alike:
            v = step[alike.v] * alike.unit
            if alike.q.shape == alike.v.shape:
                q[alike.q] += v
                continue
            q[alike.q[:, :-4]] += v[:, :-3]
            for place, turn in zip(alike.q[:, -4:], v[:, -3:], strict=True):
                q[place] = turned(q[place], turn)
        return q

    def poses(self, at: Loose) -> np.ndarray:
        """[R | p] of the frames of the bodies, (n, 3, 4)."""
        p = at.c - np.einsum("kij,kj->ki", at.R, self.middles)
        return np.concatenate([at.R, p[:, :, None]], axis=2)[:-1]

    def loose(self, poses: np.ndarray) -> Loose:
        """The position with bodies at these poses [R | p] of their frames, and joints at zero."""
        X = np.concatenate([poses, np.eye(3, 4)[None]])
        c = X[:, :, 3] + np.einsum("kij,kj->ki", X[:, :, :3], self.middles)
        return Loose(X[:, :, :3], c, self.neutral)

    def farthest(self, k: int, change: np.ndarray) -> float:
        """Largest displacement of a marker of body k by a change of its pose [R | p], in characteristic lengths."""
        moves = self._points[k] @ change[:, :3].T + change[:, 3]
        return float(np.linalg.norm(moves, axis=1).max()) / self.length

    @cached_property
    def radii(self) -> np.ndarray:
        """Root-mean-square distances of the markers from the centres, in characteristic lengths; at least `SLIGHT`."""
        squares = [
            np.mean(np.sum((points - c) ** 2, axis=1))
            for points, c in zip(self._points, self.middles, strict=False)
        ]
        found: np.ndarray = np.maximum(np.sqrt(np.array(squares)) / self.length, SLIGHT)
        return found

    @cached_property
    def _points(self) -> list[np.ndarray]:
        """The markers of every undeformed body in its frame."""
        found = []
        for body in self.mechanism.moving:
            points = [(*body.marker(name).point, 0.0, 0.0)[:3] for name in body.marker_names]
            found.append(np.array([[at_values(component) for component in point] for point in points]))
        return found


def _places(counts: list[int]) -> list[slice]:
    ends = np.cumsum([0, *counts]).tolist()
    return [slice(begin, end) for begin, end in pairwise(ends)]
