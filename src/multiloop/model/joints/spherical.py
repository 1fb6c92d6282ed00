"""Spherical (ball) joint: any rotation about one point."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from multiloop.model.connection import of_stacks
from multiloop.model.joints.joint import Joint, quaternion_near, unit
from multiloop.spatial import Matrix, Pose, quaternion_matrix, quaternion_rate_map, zeros


@dataclass(frozen=True)
class Spherical(Joint):
    """q = quaternion (scalar first), v = angular velocity in the frame of the first marker."""

    coordinates: ClassVar[tuple[str, ...]] = ("turn_x", "turn_y", "turn_z")
    turns: ClassVar[tuple[bool, ...]] = (False, False, False, False)

    def positions(self, planar: bool) -> int:
        return 4

    def neutral(self, planar: bool) -> np.ndarray:
        return np.array([1.0, 0.0, 0.0, 0.0])

    def rate_map(self, q: Matrix, planar: bool) -> Matrix:
        return quaternion_rate_map(q)

    def pose(self, q: Matrix, planar: bool) -> Pose:
        return Pose(quaternion_matrix(q), zeros(3))

    def freedom(self, pose: Pose, planar: bool) -> Matrix:
        return unit(0, 1, 2)

    def held(self, pose: Pose, planar: bool) -> Matrix:
        return unit(3, 4, 5)

    def closure(self, pose: Pose, planar: bool) -> Matrix:
        return pose.p

    @of_stacks
    def read(self, pose: Pose, near: np.ndarray, planar: bool) -> np.ndarray:
        return quaternion_near(pose.R, near)
