"""Cylindrical joint: rotation about z and translation along z, as a shaft in a sleeve."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import casadi as ca
import numpy as np

from multiloop.model.connection import of_stacks
from multiloop.model.joints.joint import Joint, turn_about_z, unit, upside_down
from multiloop.spatial import Matrix, Pose, Rz, column, numeric


@dataclass(frozen=True)
class Cylindrical(Joint):
    """q = [angle, slide] about and along the z axis of the first marker."""

    coordinates: ClassVar[tuple[str, ...]] = ("angle", "slide")
    turns: ClassVar[tuple[bool, ...]] = (True, False)

    def pose(self, q: Matrix, planar: bool) -> Pose:
        return Pose(Rz(q[0]), column([0, 0, q[1]]))

    def freedom(self, pose: Pose, planar: bool) -> Matrix:
        return unit(2, 5)

    def held(self, pose: Pose, planar: bool) -> Matrix:
        return unit(0, 1, 3, 4)

    def closure(self, pose: Pose, planar: bool) -> Matrix:
        return ca.vertcat(-pose.R[1, 2], pose.R[0, 2], pose.p[:2])

    def flipped(self, pose: Pose) -> bool:
        return upside_down(pose)

    @of_stacks
    def read(self, pose: Pose, near: np.ndarray, planar: bool) -> np.ndarray:
        return np.array([turn_about_z(pose, near[0]), numeric(pose.p)[2]])
