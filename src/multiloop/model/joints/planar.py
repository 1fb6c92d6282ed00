"""Planar joint: two translations in a plane and the rotation about its normal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import casadi as ca
import numpy as np

from multiloop.model.connection import of_stacks
from multiloop.model.joints.joint import Joint, turn_about_z, unit, upside_down
from multiloop.spatial import Matrix, Pose, Rz, column, numeric


@dataclass(frozen=True)
class Planar(Joint):
    """q = [x, y, angle] in the x–y plane of the first marker."""

    planar_too: ClassVar[bool] = True
    coordinates: ClassVar[tuple[str, ...]] = ("x", "y", "angle")
    turns: ClassVar[tuple[bool, ...]] = (False, False, True)

    def pose(self, q: Matrix, planar: bool) -> Pose:
        return Pose(Rz(q[2]), column([q[0], q[1], 0]))

    def freedom(self, pose: Pose, planar: bool) -> Matrix:
        return unit(3, 4, 2)

    def held(self, pose: Pose, planar: bool) -> Matrix:
        return unit(0, 1, 5)

    def closure(self, pose: Pose, planar: bool) -> Matrix:
        if planar:
            return ca.DM(0, 1)
        return ca.vertcat(-pose.R[1, 2], pose.R[0, 2], pose.p[2])

    def flipped(self, pose: Pose) -> bool:
        return upside_down(pose)

    @of_stacks
    def read(self, pose: Pose, near: np.ndarray, planar: bool) -> np.ndarray:
        return np.array([*numeric(pose.p)[:2], turn_about_z(pose, near[2])])
