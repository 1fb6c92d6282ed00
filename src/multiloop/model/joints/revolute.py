"""Revolute joint: one rotation about the common z axis, as in a pin or bearing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import casadi as ca
import numpy as np

from multiloop.model.connection import of_stacks
from multiloop.model.joints.joint import Joint, turn_about_z, unit, upside_down
from multiloop.spatial import Matrix, Pose, Rz, zeros


@dataclass(frozen=True)
class Revolute(Joint):
    """q = [angle] about the z axis of the first marker; constrains the position and both tilts."""

    planar_too: ClassVar[bool] = True
    coordinates: ClassVar[tuple[str, ...]] = ("angle",)
    turns: ClassVar[tuple[bool, ...]] = (True,)

    def pose(self, q: Matrix, planar: bool) -> Pose:
        return Pose(Rz(q[0]), zeros(3))

    def freedom(self, pose: Pose, planar: bool) -> Matrix:
        return unit(2)

    def held(self, pose: Pose, planar: bool) -> Matrix:
        return unit(0, 1, 3, 4, 5)

    def closure(self, pose: Pose, planar: bool) -> Matrix:
        if planar:
            return pose.p[:2]
        return ca.vertcat(-pose.R[1, 2], pose.R[0, 2], pose.p)

    def flipped(self, pose: Pose) -> bool:
        return upside_down(pose)

    @of_stacks
    def read(self, pose: Pose, near: np.ndarray, planar: bool) -> np.ndarray:
        return np.array([turn_about_z(pose, near[0])])
