"""Prismatic joint: one translation without rotation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import casadi as ca
import numpy as np

from multiloop.model.connection import of_stacks
from multiloop.model.joints.joint import Joint, turned_over, unit
from multiloop.spatial import Matrix, Pose, column, numeric, unskew


@dataclass(frozen=True)
class Prismatic(Joint):
    """q = [slide] along the x axis of the first marker in a planar mechanism, along its z axis in space."""

    planar_too: ClassVar[bool] = True
    coordinates: ClassVar[tuple[str, ...]] = ("slide",)
    turns: ClassVar[tuple[bool, ...]] = (False,)

    def pose(self, q: Matrix, planar: bool) -> Pose:
        return Pose(ca.DM.eye(3), column([q[0], 0, 0] if planar else [0, 0, q[0]]))

    def freedom(self, pose: Pose, planar: bool) -> Matrix:
        return unit(3 if planar else 5)

    def held(self, pose: Pose, planar: bool) -> Matrix:
        return unit(0, 1, 2, 4, 5) if planar else unit(0, 1, 2, 3, 4)

    def closure(self, pose: Pose, planar: bool) -> Matrix:
        if planar:
            return ca.vertcat(unskew(pose.R)[2], pose.p[1])
        return ca.vertcat(unskew(pose.R), pose.p[:2])

    def flipped(self, pose: Pose) -> bool:
        return turned_over(pose)

    @of_stacks
    def read(self, pose: Pose, near: np.ndarray, planar: bool) -> np.ndarray:
        return numeric(pose.p)[:1] if planar else numeric(pose.p)[2:]
