"""Universal (Hooke's) joint: rotations about two intersecting axes that stay perpendicular.

Theory: docs/theory/02-kinematics.md, eq. (2.3).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import casadi as ca
import numpy as np

from multiloop.model.connection import accepts_pose_stacks
from multiloop.model.joints.joint import Joint, nearest_angle, unit_columns
from multiloop.spatial import Matrix, Pose, Rx, Rz, column, numeric, zeros


@dataclass(frozen=True)
class Universal(Joint):
    """A universal joint: q = [first, second], rotations about the first marker's z axis and the second marker's x axis.

    R = R_z(q₁) R_x(q₂) is the rotation of the second marker relative to the first; the transmitted moment is about z ×
    x, the normal of the two axes.
    """

    coordinates: ClassVar[tuple[str, ...]] = ("first", "second")
    turns: ClassVar[tuple[bool, ...]] = (True, True)

    def pose(self, q: Matrix, planar: bool) -> Pose:
        return Pose(Rz(q[0]) @ Rx(q[1]), zeros(3))

    def motion_subspace(self, pose: Pose, planar: bool) -> Matrix:
        return ca.horzcat(unit_columns(2), ca.vertcat(pose.R[:, 0], zeros(3)))

    def motion_subspace_rate(self, pose: Pose, omega: Matrix, planar: bool) -> Matrix:
        x_rate = ca.cross(omega, pose.R[:, 0])
        return ca.horzcat(zeros(6), ca.vertcat(x_rate, zeros(3)))

    def constraint_wrenches(self, pose: Pose, planar: bool) -> Matrix:
        return ca.horzcat(_moment_across(pose.R[:, 0]), unit_columns(3, 4, 5))

    def wrenches_rate(self, pose: Pose, twist: Matrix, planar: bool) -> Matrix:
        x_rate = ca.cross(twist[:3], pose.R[:, 0])
        return ca.horzcat(_moment_across(x_rate), zeros(6, 3))

    def wrench_names(self, planar: bool) -> tuple[str, ...]:
        return ("moment across both axes", "force along x", "force along y", "force along z")

    def closure(self, pose: Pose, planar: bool) -> Matrix:
        return ca.vertcat(-pose.R[2, 0], pose.p)

    @accepts_pose_stacks
    def read(self, pose: Pose, near: np.ndarray, planar: bool) -> np.ndarray:
        R = numeric(pose.R)
        first = np.arctan2(R[1, 0], R[0, 0])
        second = np.arctan2(R[2, 1], R[2, 2])
        return np.array([nearest_angle(first, near[0]), nearest_angle(second, near[1])])


def _moment_across(x: Matrix) -> Matrix:
    """The wrench with the moment z × x and no force, in the frame of the first marker, whose z axis is z; `x` is the x
    axis of the second marker in this frame."""
    return column([-x[1], x[0], 0, 0, 0, 0])
