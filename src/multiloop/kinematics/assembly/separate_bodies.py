"""A mechanism with its bodies separated: every body has an independent pose, every joint its own coordinates.

Poses and coordinates need not agree, so that the pose of each body can be prescribed before any loop is closed.

Theory: docs/theory/02-kinematics.md, eqs. (2.14), (2.15).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import pairwise

import casadi as ca
import numpy as np

from multiloop.kinematics.tree import (
    LENGTH_COMPONENTS,
    characteristic_length,
    resolve_parameters,
    rotate_quaternion,
)
from multiloop.model import GROUND, Connection, Joint, Mechanism, marker_pose, nominal_value
from multiloop.spatial import Pose, numeric, skew
from multiloop.symbols import Traced

FEW_JOINTS = 16
"""Number of joints of one type up to which each joint is evaluated separately, because this is faster than one
vectorised call."""


@dataclass(frozen=True, eq=False)
class JointGroup:
    """All m joints of one type, with their bodies, markers and coordinates.

    `members` (m) are the indices of the joints; `first` and `second` (m) are the indices of their bodies, −1 for the
    ground; F and S (m, 3, 4) are the poses [R | p] of their first and second markers relative to the centres of the
    bodies; q (m, coordinates of a joint) and v (m, f) are the indices of their coordinates and rates among those of all
    joints; `unit` (f) contains the characteristic length for rates of lengths, otherwise 1.
    """

    members: np.ndarray
    first: np.ndarray
    second: np.ndarray
    F: np.ndarray
    S: np.ndarray
    q: np.ndarray
    v: np.ndarray
    unit: np.ndarray
    traced_joint: Traced

    def poses_and_subspaces(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Pose [R | p] (m, 3, 4) and motion subspace P (m, 6, f) of every joint, for coordinates q of all joints."""
        count, f = len(self.first), len(self.unit)
        if not self.q.shape[1]:
            X, P = self.traced_joint()
            return np.broadcast_to(X, (count, 3, 4)), np.broadcast_to(P.reshape(6, f), (count, 6, f))
        if count <= FEW_JOINTS:
            each = [self.traced_joint(own) for own in q[self.q]]
            return np.array([X for X, _ in each]), np.array([P.reshape(6, f) for _, P in each])
        X, P = self.traced_joint.evaluate_many(q[self.q.T])
        return X, P.reshape(count, 6, f)


def joint_kind(joint: Joint) -> tuple[type, str]:
    """Key by which joints are grouped into types: the class and the values of all fields except name and markers."""
    own = [entry.name for entry in fields(joint) if entry.name not in ("name", "first", "second")]
    return type(joint), repr([getattr(joint, name) for name in own])


def trace_joint(kind: Joint, planar: bool) -> Traced:
    """CasADi function for a type of joint: from the joint coordinates to the pose of the second marker in the first,
    and the motion subspace."""
    q = ca.SX.sym("q", kind.positions(planar))
    X = kind.pose(q, planar)
    P = kind.motion_subspace(X, planar)
    inputs = {"q": q} if q.shape[0] else {}
    return Traced("shape", inputs, {"X": ca.horzcat(X.R, X.p), "P": P})


def trace_pair(pair: Connection, planar: bool) -> Traced:
    """CasADi function for a pair: from the relative pose of its two markers to the position residuals, and their
    derivatives with respect to the relative twist."""
    R, p, twist = ca.SX.sym("R", 3, 3), ca.SX.sym("p", 3), ca.SX.sym("twist", 6)
    near = Pose(R + skew(twist[:3]) @ R, p + twist[3:])
    phi = ca.SX(pair.closure(near, planar))
    there = [ca.substitute(m, twist, ca.DM.zeros(6)) for m in (phi, ca.jacobian(phi, twist))]
    return Traced("pair", {"R": R, "p": p}, {"phi": there[0], "slopes": there[1]})


MIN_RADIUS = 0.1
"""Lower bound of the radius of a body (root-mean-square distance of its markers from their mean), in characteristic
lengths."""


@dataclass(frozen=True, eq=False)
class SeparatePosition:
    """A position of the n separate bodies: rotations R (n+1, 3, 3) and positions c (n+1, 3) of their centres, the
    ground last, and coordinates q of all joints.

    The centre of a body is the mean of its joint markers; bodies are rotated about it.
    """

    R: np.ndarray
    c: np.ndarray
    q: np.ndarray


class SeparateBodies:
    """The bodies and joints of a mechanism without constraints between them; `eta` are the elastic coordinates by body
    name."""

    def __init__(self, mechanism: Mechanism, eta: Mapping[str, np.ndarray]) -> None:
        self.mechanism, self.eta = mechanism, eta
        self._frames: dict[str, np.ndarray] = {}
        self.length = characteristic_length(mechanism)
        self.bodies = tuple(body.name for body in mechanism.moving)
        self.index = {name: k for k, name in enumerate(self.bodies)} | {GROUND: -1}
        self.joints = tuple(resolve_parameters(joint, nominal_value) for joint in mechanism.binary_joints)
        self.pairs = tuple(resolve_parameters(pair, nominal_value) for pair in mechanism.marker_pairs)
        planar = mechanism.planar
        self.q_places = _consecutive_slices([joint.positions(planar) for joint in self.joints])
        self.v_places = _consecutive_slices([joint.degrees_of_freedom(planar) for joint in self.joints])
        self.rates = self.v_places[-1].stop if self.joints else 0
        self.joint_index = {joint.name: k for k, joint in enumerate(self.joints)}
        self.joint_bodies = [(self._body(joint.first), self._body(joint.second)) for joint in self.joints]

    @cached_property
    def neutral(self) -> np.ndarray:
        """Coordinates q of all joints in their neutral positions."""
        planar = self.mechanism.planar
        return np.concatenate([np.zeros(0), *(joint.neutral(planar) for joint in self.joints)])

    @cached_property
    def centres(self) -> np.ndarray:
        """Mean position of the joint markers of every body, in the body frame, (n+1, 3); the centre of the ground is
        its origin."""
        points: dict[str, list[np.ndarray]] = {}
        for joint in self.mechanism.connections:
            for reference in (joint.first, joint.second):
                points.setdefault(reference.partition(".")[0], []).append(
                    self.marker_in_body(reference)[:, 3]
                )
        found = [np.mean(points.get(body, [np.zeros(3)]), axis=0) for body in self.bodies]
        return np.array([*found, np.zeros(3)])

    def marker_in_body(self, reference: str) -> np.ndarray:
        """Pose [R | p] of a marker in the frame of its body; elastic deformation is included."""
        if reference not in self._frames:
            body, _, name = reference.partition(".")
            # markers differ from their described poses only on a deformed body
            if np.any(self.eta.get(body, 0.0)):
                reduced = self.mechanism.body(body).reduced("origin", nominal_value, self.mechanism.planar)
                pose = reduced.marker_pose(name, ca.DM(self.eta[body]))
            else:
                pose = marker_pose(self.mechanism.marker(reference), nominal_value, self.mechanism.planar)
            self._frames[reference] = np.column_stack([numeric(pose.R), numeric(pose.p)])
        return self._frames[reference]

    def marker_from_centre(self, reference: str) -> np.ndarray:
        """Pose [R | p] of a marker relative to the centre of its body, in body axes."""
        found = self.marker_in_body(reference).copy()
        found[:, 3] -= self.centres[self._body(reference)]
        return found

    @cached_property
    def joint_markers(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """Both markers of every joint, relative to the centres of their bodies."""
        return [
            (self.marker_from_centre(joint.first), self.marker_from_centre(joint.second))
            for joint in self.joints
        ]

    @cached_property
    def neighbours(self) -> dict[int, list[tuple[int, int]]]:
        """For every body (−1 is the ground), tuples of the index of a joint at this body and the index of the body at
        its other end."""
        found: dict[int, list[tuple[int, int]]] = {k: [] for k in range(-1, len(self.bodies))}
        for k, (first, second) in enumerate(self.joint_bodies):
            found[first].append((k, second))
            found[second].append((k, first))
        return found

    @cached_property
    def joint_groups(self) -> tuple[JointGroup, ...]:
        """All joints, grouped by type."""
        planar = self.mechanism.planar
        kinds: dict[tuple[type, str], list[int]] = {}
        for k, joint in enumerate(self.joints):
            kinds.setdefault(joint_kind(joint), []).append(k)
        found = []
        for members in kinds.values():
            kind = self.joints[members[0]]
            lengths = [name in LENGTH_COMPONENTS for name in kind.components(planar)]
            found.append(
                JointGroup(
                    members=np.array(members),
                    first=np.array([self.joint_bodies[k][0] for k in members]),
                    second=np.array([self.joint_bodies[k][1] for k in members]),
                    F=np.array([self.joint_markers[k][0] for k in members]),
                    S=np.array([self.joint_markers[k][1] for k in members]),
                    q=np.array([range(self.q_places[k].start, self.q_places[k].stop) for k in members], int),
                    v=np.array([range(self.v_places[k].start, self.v_places[k].stop) for k in members], int),
                    unit=np.where(lengths, self.length, 1.0),
                    traced_joint=trace_joint(kind, planar),
                )
            )
        return tuple(found)

    def _body(self, reference: str) -> int:
        return self.index[reference.partition(".")[0]]

    @cached_property
    def pair_residuals(self) -> list[Traced]:
        """For every pair, the CasADi function of `trace_pair`: position residuals and their derivatives."""
        return [trace_pair(pair, self.mechanism.planar) for pair in self.pairs]

    def relative_pose(self, at: SeparatePosition, connection: Connection) -> Pose:
        """Pose of the second marker of a joint or pair relative to its first marker."""
        a, b = self._body(connection.first), self._body(connection.second)
        F, S = self.marker_from_centre(connection.first), self.marker_from_centre(connection.second)
        R_F, R_S = at.R[a] @ F[:, :3], at.R[b] @ S[:, :3]
        p = at.c[b] + at.R[b] @ S[:, 3] - at.c[a] - at.R[a] @ F[:, 3]
        return Pose(R_F.T @ R_S, R_F.T @ p)

    def read_coordinates(self, at: SeparatePosition, kept: np.ndarray) -> SeparatePosition:
        """The position with joint coordinates recomputed from the poses of the bodies, except the coordinates marked in
        `kept`, which has an entry for every joint rate."""
        q = at.q.copy()
        for k, joint in enumerate(self.joints):
            place, free = self.q_places[k], ~kept[self.v_places[k]]
            if free.any():
                # the last three rates belong to a quaternion, which has four entries
                if len(at.q[place]) > len(free):
                    free = np.append(free[:-3], [free[-1]] * 4)
                found = joint.read(self.relative_pose(at, joint), at.q[place], self.mechanism.planar)
                q[place] = np.where(free, found, at.q[place])
        return replace(at, q=q)

    def joint_poses(self, q: np.ndarray) -> np.ndarray:
        """Pose [R | p] of the second marker of every joint relative to its first marker, for joint coordinates q."""
        found = np.zeros((len(self.joints), 3, 4))
        for alike in self.joint_groups:
            found[alike.members] = alike.poses_and_subspaces(q)[0]
        return found

    def apply_step(self, q: np.ndarray, step: np.ndarray) -> np.ndarray:
        """The joint coordinates q after a step in all joint rates; the step is in radians and characteristic
        lengths."""
        q = q.copy()
        for alike in self.joint_groups:
            v = step[alike.v] * alike.unit
            if alike.q.shape == alike.v.shape:
                q[alike.q] += v
                continue
            q[alike.q[:, :-4]] += v[:, :-3]
            for place, turn in zip(alike.q[:, -4:], v[:, -3:], strict=True):
                q[place] = rotate_quaternion(q[place], turn)
        return q

    def poses(self, at: SeparatePosition) -> np.ndarray:
        """Poses [R | p] of the body frames, (n, 3, 4)."""
        p = at.c - np.einsum("kij,kj->ki", at.R, self.centres)
        return np.concatenate([at.R, p[:, :, None]], axis=2)[:-1]

    def position_from_poses(self, poses: np.ndarray) -> SeparatePosition:
        """The position with body frames at the poses [R | p], (n, 3, 4), and all joint coordinates at their neutral
        values."""
        X = np.concatenate([poses, np.eye(3, 4)[None]])
        c = X[:, :, 3] + np.einsum("kij,kj->ki", X[:, :, :3], self.centres)
        return SeparatePosition(X[:, :, :3], c, self.neutral)

    def largest_marker_displacement(self, k: int, change: np.ndarray) -> float:
        """Largest displacement of a marker of body k, in characteristic lengths, if the pose [R | p] of the body
        changes by `change`."""
        moves = self._points[k] @ change[:, :3].T + change[:, 3]
        return float(np.linalg.norm(moves, axis=1).max()) / self.length

    @cached_property
    def radii(self) -> np.ndarray:
        """Root-mean-square distance of the markers of each body from its centre, in characteristic lengths; at least
        `MIN_RADIUS`.
        """
        squares = [
            np.mean(np.sum((points - c) ** 2, axis=1))
            for points, c in zip(self._points, self.centres, strict=False)
        ]
        found: np.ndarray = np.maximum(np.sqrt(np.array(squares)) / self.length, MIN_RADIUS)
        return found

    @cached_property
    def _points(self) -> list[np.ndarray]:
        """Positions of the markers of every undeformed body in the body frame."""
        found = []
        for body in self.mechanism.moving:
            points = [(*body.marker(name).point, 0.0, 0.0)[:3] for name in body.marker_names]
            found.append(np.array([[nominal_value(component) for component in point] for point in points]))
        return found


def _consecutive_slices(counts: list[int]) -> list[slice]:
    ends = np.cumsum([0, *counts]).tolist()
    return [slice(begin, end) for begin, end in pairwise(ends)]
