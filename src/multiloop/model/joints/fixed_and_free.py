"""The Fixed joint, without degrees of freedom, and the Free joint, with all degrees of freedom.

Theory: docs/theory/02-kinematics.md, eq. (2.3).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import casadi as ca
import numpy as np

from multiloop.model.joints.joint import Joint, is_turned_over, quaternion_near, unit_columns
from multiloop.model.joints.lower_pairs import Planar
from multiloop.spatial import IDENTITY, Matrix, Pose, numeric, quaternion_matrix, quaternion_rate_map, unskew


@dataclass(frozen=True)
class Fixed(Joint):
    """A rigid connection without coordinates; it has six constraints (three in a planar mechanism)."""

    planar_too: ClassVar[bool] = True

    def pose(self, q: Matrix, planar: bool) -> Pose:
        return IDENTITY

    def motion_subspace(self, pose: Pose, planar: bool) -> Matrix:
        return ca.DM(6, 0)

    def constraint_wrenches(self, pose: Pose, planar: bool) -> Matrix:
        return unit_columns(0, 1, 2, 3, 4, 5)

    def closure(self, pose: Pose, planar: bool) -> Matrix:
        if planar:
            return ca.vertcat(unskew(pose.R)[2], pose.p[:2])
        return ca.vertcat(unskew(pose.R), pose.p)

    def is_inverted(self, pose: Pose) -> bool:
        return is_turned_over(pose)

    def read(self, pose: Pose, near: np.ndarray, planar: bool) -> np.ndarray:
        return np.zeros(0)


@dataclass(frozen=True)
class Free(Joint):
    """A joint with all degrees of freedom: q = [x, y, z, quaternion], v = [velocity, angular velocity].

    All components of q and v refer to the frame of the first marker. In a planar mechanism q = [x, y, angle], as for
    Planar.
    """

    planar_too: ClassVar[bool] = True
    coordinates: ClassVar[tuple[str, ...]] = ("x", "y", "z", "turn_x", "turn_y", "turn_z")
    turns: ClassVar[tuple[bool, ...]] = (False,) * 7

    @property
    def _in_plane(self) -> Planar:
        return Planar(self.name, self.first, self.second)

    def components(self, planar: bool) -> tuple[str, ...]:
        return Planar.coordinates if planar else self.coordinates

    def turning(self, planar: bool) -> tuple[bool, ...]:
        return Planar.turns if planar else self.turns

    def positions(self, planar: bool) -> int:
        return 3 if planar else 7

    def neutral(self, planar: bool) -> np.ndarray:
        return np.zeros(3) if planar else np.array([0, 0, 0, 1.0, 0, 0, 0])

    def rate_map(self, q: Matrix, planar: bool) -> Matrix:
        return ca.DM.eye(3) if planar else ca.diagcat(ca.DM.eye(3), quaternion_rate_map(q[3:]))

    def pose(self, q: Matrix, planar: bool) -> Pose:
        return self._in_plane.pose(q, True) if planar else Pose(quaternion_matrix(q[3:]), q[:3])

    def motion_subspace(self, pose: Pose, planar: bool) -> Matrix:
        return self._in_plane.motion_subspace(pose, True) if planar else unit_columns(3, 4, 5, 0, 1, 2)

    def constraint_wrenches(self, pose: Pose, planar: bool) -> Matrix:
        return ca.DM(6, 0)

    def closure(self, pose: Pose, planar: bool) -> Matrix:
        return ca.DM(0, 1)

    def read(self, pose: Pose, near: np.ndarray, planar: bool) -> np.ndarray:
        if planar:
            return self._in_plane.read(pose, near, True)
        return np.concatenate([numeric(pose.p), quaternion_near(pose.R, near[3:])])
