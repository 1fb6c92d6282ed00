"""Base class of joints: coordinates, pose, motion subspace, constraint wrenches and loop-closure rows.

F is the frame of the joint's first marker, S that of its second. All matrices are expressed in F at the origin of S,
with six rows [ω; v] or [n; f]. A planar mechanism keeps only the rows and columns of (ω_z, v_x, v_y).
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import casadi as ca
import numpy as np

from multiloop.model.connection import IN_PLANE, Connection
from multiloop.spatial import Matrix, Pose, numeric, quaternion_of

AXES = ("x", "y", "z")


@dataclass(frozen=True)
class Joint(Connection):
    """A joint between two markers.

    q describes the pose of the second marker relative to the first, in whichever direction the spanning tree passes
    the joint.
    """

    coordinates: ClassVar[tuple[str, ...]] = ()  # one name for each entry of v
    turns: ClassVar[tuple[bool, ...]] = ()  # which entries of q are angles with period 2π

    def components(self, planar: bool) -> tuple[str, ...]:
        return self.coordinates

    def freedoms(self, planar: bool) -> int:
        return len(self.components(planar))

    def turning(self, planar: bool) -> tuple[bool, ...]:
        return self.turns

    def rate_map(self, q: Matrix, planar: bool) -> Matrix:
        """The matrix E(q) of q̇ = E v."""
        return ca.DM.eye(self.freedoms(planar))

    @abstractmethod
    def pose(self, q: Matrix, planar: bool) -> Pose:
        """Pose of S in F."""

    @abstractmethod
    def freedom(self, pose: Pose, planar: bool) -> Matrix: ...

    def freedom_rate(self, pose: Pose, omega: Matrix, planar: bool) -> Matrix:
        """Time derivative of P in F if S rotates in F with ω; zero unless an axis moves in F."""
        return ca.DM(6, self.freedoms(planar))

    def wrenches(self, pose: Pose, planar: bool) -> Matrix:
        """6×c matrix W of the wrenches that the joint can transmit: Wᵀ P = 0, and the columns of P and W span R⁶."""
        W = self.held(pose, planar)
        if not planar:
            return W
        inside = [k for k in range(W.shape[1]) if set(_rows_used(W[:, k])) <= set(IN_PLANE)]
        return W[:, inside]

    @abstractmethod
    def held(self, pose: Pose, planar: bool) -> Matrix:
        """The wrenches transmitted in space, one column each: moments first, then forces."""

    def wrench_names(self, planar: bool) -> tuple[str, ...]:
        return tuple(map(_name_of, wrench_pattern(self, planar)))

    def row_lengths(self, planar: bool) -> tuple[bool, ...]:
        return tuple(max(entries) >= 3 for entries in wrench_pattern(self, planar))

    def holds_point(self, planar: bool) -> bool:
        forces = [(3,), (4,)] if planar else [(3,), (4,), (5,)]
        return not self.must_stay and wrench_pattern(self, planar)[-len(forces) :] == tuple(forces)

    def closure(self, pose: Pose, planar: bool) -> Matrix:
        raise TypeError(f"joint '{self.name}' must stay in the tree: a {type(self).__name__} cannot be cut")

    @abstractmethod
    def read(self, pose: Pose, near: np.ndarray, planar: bool) -> np.ndarray: ...


Angle = Any
"""An angle, or an array of angles if several poses are read at once."""


def nearest_turn(angle: Angle, near: float) -> Angle:
    """The angle plus the multiple of 2π that brings it nearest to `near`."""
    return angle + 2 * np.pi * np.round((near - angle) / (2 * np.pi))


def turn_about_z(pose: Pose, near: float) -> Angle:
    """The angle about the common z axis, nearest to `near` modulo 2π; a small tilt changes it to second order."""
    R = numeric(pose.R)
    return nearest_turn(np.arctan2(R[1, 0] - R[0, 1], R[0, 0] + R[1, 1]), near)


def quaternion_near(R: Matrix, near: np.ndarray) -> np.ndarray:
    """The unit quaternion of a rotation, with the sign for which it is nearer to `near`."""
    e = quaternion_of(numeric(R))
    return np.where(near @ e >= 0, e, -e)


def turned_over(pose: Pose) -> bool:
    """Whether S is rotated by more than a right angle where it should not rotate at all: 1 + 2 cos θ < 1."""
    return float(ca.trace(pose.R)) < 1.0


def upside_down(pose: Pose) -> bool:
    """Whether the z axes of S and F point in opposite directions."""
    return float(pose.R[2, 2]) < 0.0


def unit(*rows: int) -> Matrix:
    """Columns of the 6×6 identity: unit twists or wrenches, 0–2 about and 3–5 along x, y, z."""
    return ca.DM.eye(6)[:, list(rows)]


_PATTERNS: dict[tuple[type[Joint], bool], tuple[tuple[int, ...], ...]] = {}


def wrench_pattern(joint: Joint, planar: bool) -> tuple[tuple[int, ...], ...]:
    """For every wrench that a joint transmits, the indices of its nonzero entries; equal for all joints of a type."""
    kind = (type(joint), planar)
    if kind not in _PATTERNS:
        W = joint.wrenches(joint.pose(ca.DM(joint.neutral(planar)), planar), planar)
        _PATTERNS[kind] = tuple(tuple(_rows_used(W[:, k])) for k in range(W.shape[1]))
    return _PATTERNS[kind]


def _rows_used(column: Matrix) -> list[int]:
    return list(ca.sparsify(column).sparsity().row())


def _name_of(entries: tuple[int, ...]) -> str:
    """The name of a unit wrench; joint types with other wrenches override `wrench_names`."""
    row = entries[0]
    return f"moment about {AXES[row]}" if row < 3 else f"force along {AXES[row - 3]}"
