"""Fixed joint (weld): no relative motion of the two markers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import casadi as ca
import numpy as np

from multiloop.model.joints.joint import Joint, turned_over, unit
from multiloop.spatial import IDENTITY, Matrix, Pose, unskew


@dataclass(frozen=True)
class Fixed(Joint):
    """No coordinates; constrains all six directions (three in the plane)."""

    planar_too: ClassVar[bool] = True

    def pose(self, q: Matrix, planar: bool) -> Pose:
        return IDENTITY

    def freedom(self, pose: Pose, planar: bool) -> Matrix:
        return ca.DM(6, 0)

    def held(self, pose: Pose, planar: bool) -> Matrix:
        return unit(0, 1, 2, 3, 4, 5)

    def closure(self, pose: Pose, planar: bool) -> Matrix:
        if planar:
            return ca.vertcat(unskew(pose.R)[2], pose.p[:2])
        return ca.vertcat(unskew(pose.R), pose.p)

    def flipped(self, pose: Pose) -> bool:
        return turned_over(pose)

    def read(self, pose: Pose, near: np.ndarray, planar: bool) -> np.ndarray:
        return np.zeros(0)
