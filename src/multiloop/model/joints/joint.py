"""Base class of joints: coordinates, pose, motion subspace, constraint wrenches and loop-closure equations.

F is the frame of the joint's first marker, S that of its second. The columns of all matrices are twists [angular
velocity; velocity] or wrenches [moment; force], taken at the origin of S along the axes of F. A planar mechanism uses
only the rotation about z and the directions x and y. For every joint type, with f degrees of freedom and c constraints,

    Wᵀ P = 0,   f + c = 6 (3 in the plane),   Pᵀ P = 1 for joints that may be cut

with the motion subspace P (6×f) and the constraint wrenches W (6×c). The last condition is needed because the rates v
of a cut joint are computed from its twist by Pᵀ. The twist P v must agree with the time derivative of the pose.
`check_joint_type` verifies the conditions once for each type.

Theory: docs/theory/02-kinematics.md, eq. (2.3); docs/theory/03-constraints.md, eqs. (3.1), (3.2).
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import casadi as ca
import numpy as np

from multiloop.model.connection import IN_PLANE, Connection
from multiloop.spatial import Matrix, Pose, numeric, quaternion_from_matrix, unskew

AXES = ("x", "y", "z")


@dataclass(frozen=True)
class Joint(Connection):
    """A joint between two markers.

    Its coordinates q describe the pose of the second marker relative to the first, also if the second body is nearer to
    the ground in the spanning tree.
    """

    coordinates: ClassVar[tuple[str, ...]] = ()  # a name for each rate in v
    turns: ClassVar[tuple[bool, ...]] = ()  # for each coordinate in q, whether it is an angle with period 2π

    def components(self, planar: bool) -> tuple[str, ...]:
        return self.coordinates

    def degrees_of_freedom(self, planar: bool) -> int:
        return len(self.components(planar))

    def turning(self, planar: bool) -> tuple[bool, ...]:
        return self.turns

    def rate_map(self, q: Matrix, planar: bool) -> Matrix:
        """The matrix E(q) that maps the rates v of the joint to q̇ = E v."""
        return ca.DM.eye(self.degrees_of_freedom(planar))

    @abstractmethod
    def pose(self, q: Matrix, planar: bool) -> Pose:
        """Pose of the second marker in the frame of the first, for the coordinates q."""

    @abstractmethod
    def motion_subspace(self, pose: Pose, planar: bool) -> Matrix: ...

    def motion_subspace_rate(self, pose: Pose, omega: Matrix, planar: bool) -> Matrix:
        """Time derivative of the motion subspace P in the frame of the first marker.

        `omega` is the angular velocity of the second marker relative to the first. The derivative is zero unless an
        axis of the joint moves relative to the first marker.
        """
        return ca.DM(6, self.degrees_of_freedom(planar))

    def wrenches(self, pose: Pose, planar: bool) -> Matrix:
        """The 6×c matrix W of the constraint wrenches: Wᵀ P = 0 for the motion subspace P.

        In space the columns of P and W together span R⁶. In the plane W has only the wrenches with a moment about z or
        a force in the x–y plane.
        """
        W = self.constraint_wrenches(pose, planar)
        if not planar:
            return W
        inside = [k for k in range(W.shape[1]) if set(_rows_used(W[:, k])) <= set(IN_PLANE)]
        return W[:, inside]

    @abstractmethod
    def constraint_wrenches(self, pose: Pose, planar: bool) -> Matrix:
        """The 6×c matrix of all constraint wrenches of the joint in a spatial mechanism, [moment; force].

        The wrenches are taken at the origin of the second marker, along the axes of the first; columns with moments
        come before columns with forces. For a planar mechanism `wrenches` selects the columns whose moment is about z
        and whose force is in the x–y plane.
        """

    def wrench_names(self, planar: bool) -> tuple[str, ...]:
        return tuple(map(_wrench_name, wrench_pattern(self, planar)))

    def row_lengths(self, planar: bool) -> tuple[bool, ...]:
        return tuple(max(entries) >= 3 for entries in wrench_pattern(self, planar))

    def holds_point(self, planar: bool) -> bool:
        forces = [(3,), (4,)] if planar else [(3,), (4,), (5,)]
        return not self.must_stay and wrench_pattern(self, planar)[-len(forces) :] == tuple(forces)

    def closure(self, pose: Pose, planar: bool) -> Matrix:
        raise TypeError(
            f"joint '{self.name}' must stay in the spanning tree, since a {type(self).__name__} joint cannot be cut. "
            "Cut another joint of the loop."
        )

    @abstractmethod
    def read(self, pose: Pose, near: np.ndarray, planar: bool) -> np.ndarray: ...


Angle = Any
"""An angle in rad, or an array of angles if coordinates of several poses are computed together."""


def nearest_angle(angle: Angle, near: float) -> Angle:
    """The angle plus the multiple of 2π for which it is nearest to `near` (rad)."""
    return angle + 2 * np.pi * np.round((near - angle) / (2 * np.pi))


def angle_about_z(pose: Pose, near: float) -> Angle:
    """The rotation angle of a pose about the z axis, with the multiple of 2π for which it is nearest to `near`.

    A small tilt of the axes changes the result to second order only.
    """
    R = numeric(pose.R)
    return nearest_angle(np.arctan2(R[1, 0] - R[0, 1], R[0, 0] + R[1, 1]), near)


def quaternion_near(R: Matrix, near: np.ndarray) -> np.ndarray:
    """The unit quaternion of a rotation matrix; of the two signs, the one nearer to the quaternion `near` is chosen."""
    e = quaternion_from_matrix(numeric(R))
    return np.where(near @ e >= 0, e, -e)


def is_turned_over(pose: Pose) -> bool:
    """Whether a pose is rotated by an angle θ of more than 90°, from the trace of its rotation matrix, 1 + 2 cos θ.

    Used for joints that do not permit any rotation.
    """
    return float(ca.trace(pose.R)) < 1.0


def is_upside_down(pose: Pose) -> bool:
    """Whether the z axes of the two frames of a pose enclose an angle of more than 90°."""
    return float(pose.R[2, 2]) < 0.0


def unit_columns(*rows: int) -> Matrix:
    """Unit twists or wrenches as columns of the 6×6 identity: indices 0–2 about, and 3–5 along, x, y, z."""
    return ca.DM.eye(6)[:, list(rows)]


_PATTERNS: dict[tuple[type[Joint], bool], tuple[tuple[int, ...], ...]] = {}


def wrench_pattern(joint: Joint, planar: bool) -> tuple[tuple[int, ...], ...]:
    """For every constraint wrench of a joint type, the indices of its nonzero components."""
    kind = (type(joint), planar)
    if kind not in _PATTERNS:
        W = joint.wrenches(joint.pose(ca.DM(joint.neutral(planar)), planar), planar)
        _PATTERNS[kind] = tuple(tuple(_rows_used(W[:, k])) for k in range(W.shape[1]))
    return _PATTERNS[kind]


def _rows_used(column: Matrix) -> list[int]:
    return list(ca.sparsify(column).sparsity().row())


def _wrench_name(entries: tuple[int, ...]) -> str:
    """The name of a wrench whose only nonzero component has the index entries[0]; joint types with other wrenches
    override `wrench_names`."""
    row = entries[0]
    return f"moment about {AXES[row]}" if row < 3 else f"force along {AXES[row - 3]}"


TOLERANCE = 1e-9
"""Largest absolute deviation from the conditions on motion subspaces and constraint wrenches; their entries are about 1
in magnitude."""

_CHECKED: set[tuple[type[Joint], bool]] = set()


def check_joint_type(joint: Joint, planar: bool) -> None:
    """Raise a TypeError if motion subspace and constraint wrenches of a joint are inconsistent in its neutral pose."""
    pose = joint.pose(ca.DM(joint.neutral(planar)), planar)
    P, W = joint.motion_subspace(pose, planar), joint.wrenches(pose, planar)
    if (type(joint), planar) in _CHECKED or isinstance(P, ca.SX) or isinstance(W, ca.SX):
        return  # symbolic matrices cannot be checked
    fault = _matrix_fault(joint, planar, ca.DM(P).full(), ca.DM(W).full()) or _motion_fault(joint, planar)
    if fault:
        raise TypeError(f"joint '{joint.name}': a {type(joint).__name__} {fault}")
    _CHECKED.add((type(joint), planar))


def joint_type_fault(joint: Joint, planar: bool) -> str:
    """Text of an inconsistency between motion subspace and constraint wrenches of a joint in its neutral pose.

    The text is empty if they are consistent or symbolic.
    """
    pose = joint.pose(ca.DM(joint.neutral(planar)), planar)
    P, W = joint.motion_subspace(pose, planar), joint.wrenches(pose, planar)
    if isinstance(P, ca.SX) or isinstance(W, ca.SX):
        return ""
    return _matrix_fault(joint, planar, ca.DM(P).full(), ca.DM(W).full()) or _motion_fault(joint, planar)


def _matrix_fault(joint: Joint, planar: bool, P: np.ndarray, W: np.ndarray) -> str:
    """Text of an inconsistency between the motion subspace P and the wrenches W; empty if they are consistent."""
    size, f = (3 if planar else 6), joint.degrees_of_freedom(planar)
    if P.shape != (6, f):
        return f"has a motion subspace P of shape {P.shape}, expected (6, {f})."
    if P.shape[1] + W.shape[1] != size:
        return f"has {P.shape[1]} columns in P and {W.shape[1]} in W; their sum must be {size}."
    if np.abs(W.T @ P).max(initial=0.0) > TOLERANCE:
        return "has constraint wrenches W that do work on its motion subspace P: Wᵀ P is not zero."
    if not joint.must_stay and np.abs(P.T @ P - np.eye(f)).max(initial=0.0) > TOLERANCE:
        return "has a motion subspace P whose columns are not orthonormal, so that the joint cannot be cut."
    return ""


COMPARED_OFFSET = 0.3
"""Difference of every coordinate from its neutral value (rad or m) in a second pose, in which the motion subspace P is
compared with the derivative of the pose."""


def _motion_fault(joint: Joint, planar: bool) -> str:
    """Error text if the motion subspace P of a joint does not agree with the derivative of its pose; empty if it does.

    For q̇ = column k of the rate map E, column k of P must be [ω; ṗ], where (R, p) is the pose and ω the angular
    velocity, whose skew-symmetric matrix is Ṙ Rᵀ.
    """
    q = ca.SX.sym("q", joint.positions(planar))
    pose, E = joint.pose(q, planar), ca.SX(joint.rate_map(q, planar))
    if not q.shape[0] or any(
        str(x) not in map(str, ca.vertsplit(q)) for x in ca.symvar(ca.veccat(pose.R, pose.p))
    ):
        return ""  # a pose that depends on parameters cannot be evaluated here
    columns = []
    for k in range(E.shape[1]):
        R_rate = ca.reshape(ca.jtimes(ca.vec(ca.SX(pose.R)), q, E[:, k]), 3, 3)
        columns.append(ca.vertcat(unskew(R_rate @ ca.SX(pose.R).T), ca.jtimes(ca.SX(pose.p), q, E[:, k])))
    deviation = ca.Function(
        "deviation", [q], [ca.SX(joint.motion_subspace(pose, planar)) - ca.horzcat(*columns)]
    )
    neutral = np.asarray(joint.neutral(planar), float)
    # A quaternion, for which E is not square, is no longer a unit quaternion after the addition of an offset.
    offsets = (0.0, COMPARED_OFFSET) if E.shape[0] == E.shape[1] else (0.0,)
    largest = max(float(np.abs(deviation(neutral + offset).full()).max(initial=0.0)) for offset in offsets)
    if not largest <= TOLERANCE:
        return f"has a motion subspace P that deviates by {largest:.3g} from the derivative of its pose."
    return ""
