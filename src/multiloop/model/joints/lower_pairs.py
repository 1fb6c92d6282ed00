"""The six lower pairs: revolute, prismatic, helical, cylindrical, spherical and planar joints.

Theory: docs/theory/02-kinematics.md, eq. (2.3).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import casadi as ca
import numpy as np

from multiloop.model.connection import accepts_pose_stacks
from multiloop.model.expressions import Scalar
from multiloop.model.joints.joint import (
    Joint,
    angle_about_z,
    is_turned_over,
    is_upside_down,
    quaternion_near,
    unit_columns,
)
from multiloop.model.markers import scalar
from multiloop.spatial import (
    Matrix,
    Pose,
    Rz,
    column,
    numeric,
    quaternion_matrix,
    quaternion_rate_map,
    unskew,
    zeros,
)


@dataclass(frozen=True)
class Revolute(Joint):
    """A revolute joint: q = [angle] about the z axis of the first marker.

    It constrains the position, and in space the two rotations about x and y. `diameter` and `width` are the dimensions
    of its pin or bearing; they serve only to compute its mean pressure and sliding speed.
    """

    diameter: Scalar | None = field(default=None, kw_only=True, repr=False)
    width: Scalar | None = field(default=None, kw_only=True, repr=False)

    planar_too: ClassVar[bool] = True
    coordinates: ClassVar[tuple[str, ...]] = ("angle",)
    turns: ClassVar[tuple[bool, ...]] = (True,)

    def __post_init__(self) -> None:
        for name in ("diameter", "width"):
            object.__setattr__(self, name, scalar(getattr(self, name)))

    def pose(self, q: Matrix, planar: bool) -> Pose:
        return Pose(Rz(q[0]), zeros(3))

    def motion_subspace(self, pose: Pose, planar: bool) -> Matrix:
        return unit_columns(2)

    def constraint_wrenches(self, pose: Pose, planar: bool) -> Matrix:
        return unit_columns(0, 1, 3, 4, 5)

    def closure(self, pose: Pose, planar: bool) -> Matrix:
        if planar:
            return pose.p[:2]
        return ca.vertcat(-pose.R[1, 2], pose.R[0, 2], pose.p)

    def is_inverted(self, pose: Pose) -> bool:
        return is_upside_down(pose)

    @accepts_pose_stacks
    def read(self, pose: Pose, near: np.ndarray, planar: bool) -> np.ndarray:
        return np.array([angle_about_z(pose, near[0])])


@dataclass(frozen=True)
class Prismatic(Joint):
    """A prismatic joint: q = [slide] along the x axis of the first marker, in a spatial mechanism along its z axis."""

    planar_too: ClassVar[bool] = True
    coordinates: ClassVar[tuple[str, ...]] = ("slide",)
    turns: ClassVar[tuple[bool, ...]] = (False,)

    def pose(self, q: Matrix, planar: bool) -> Pose:
        return Pose(ca.DM.eye(3), column([q[0], 0, 0] if planar else [0, 0, q[0]]))

    def motion_subspace(self, pose: Pose, planar: bool) -> Matrix:
        return unit_columns(3 if planar else 5)

    def constraint_wrenches(self, pose: Pose, planar: bool) -> Matrix:
        return unit_columns(0, 1, 2, 4, 5) if planar else unit_columns(0, 1, 2, 3, 4)

    def closure(self, pose: Pose, planar: bool) -> Matrix:
        if planar:
            return ca.vertcat(unskew(pose.R)[2], pose.p[1])
        return ca.vertcat(unskew(pose.R), pose.p[:2])

    def is_inverted(self, pose: Pose) -> bool:
        return is_turned_over(pose)

    @accepts_pose_stacks
    def read(self, pose: Pose, near: np.ndarray, planar: bool) -> np.ndarray:
        return numeric(pose.p)[:1] if planar else numeric(pose.p)[2:]


@dataclass(frozen=True)
class Helical(Joint):
    """A screw joint: q = [angle]; the second marker advances by `pitch` metres per radian along the first one's z axis.

    It is never a cut joint: the equations of a cut joint determine its angle only modulo 2π, but the position of a
    screw changes with every turn.
    """

    pitch: Scalar = 0.0

    must_stay: ClassVar[bool] = True
    coordinates: ClassVar[tuple[str, ...]] = ("angle",)
    turns: ClassVar[tuple[bool, ...]] = (False,)

    def __post_init__(self) -> None:
        object.__setattr__(self, "pitch", scalar(self.pitch))

    def pose(self, q: Matrix, planar: bool) -> Pose:
        return Pose(Rz(q[0]), column([0, 0, self.pitch * q[0]]))

    def motion_subspace(self, pose: Pose, planar: bool) -> Matrix:
        return column([0, 0, 1, 0, 0, self.pitch])

    def constraint_wrenches(self, pose: Pose, planar: bool) -> Matrix:
        return ca.horzcat(unit_columns(0, 1, 3, 4), column([0, 0, -1 * self.pitch, 0, 0, 1]))

    def wrench_names(self, planar: bool) -> tuple[str, ...]:
        return (
            "moment about x",
            "moment about y",
            "force along x",
            "force along y",
            "force along z with its screw moment",
        )

    def read(self, pose: Pose, near: np.ndarray, planar: bool) -> np.ndarray:
        # The number of turns follows from the advance or, if the pitch is 0 or symbolic, from `near`.
        known = isinstance(self.pitch, float) and self.pitch != 0.0
        turned = float(pose.p[2]) / self.pitch if known else near[0]
        return np.array([angle_about_z(pose, turned)])  # type: ignore[arg-type]


@dataclass(frozen=True)
class Cylindrical(Joint):
    """A cylindrical joint: q = [angle, slide] about and along the z axis of the first marker."""

    coordinates: ClassVar[tuple[str, ...]] = ("angle", "slide")
    turns: ClassVar[tuple[bool, ...]] = (True, False)

    def pose(self, q: Matrix, planar: bool) -> Pose:
        return Pose(Rz(q[0]), column([0, 0, q[1]]))

    def motion_subspace(self, pose: Pose, planar: bool) -> Matrix:
        return unit_columns(2, 5)

    def constraint_wrenches(self, pose: Pose, planar: bool) -> Matrix:
        return unit_columns(0, 1, 3, 4)

    def closure(self, pose: Pose, planar: bool) -> Matrix:
        return ca.vertcat(-pose.R[1, 2], pose.R[0, 2], pose.p[:2])

    def is_inverted(self, pose: Pose) -> bool:
        return is_upside_down(pose)

    @accepts_pose_stacks
    def read(self, pose: Pose, near: np.ndarray, planar: bool) -> np.ndarray:
        return np.array([angle_about_z(pose, near[0]), numeric(pose.p)[2]])


@dataclass(frozen=True)
class Spherical(Joint):
    """A spherical joint: q is a quaternion (scalar first), v the angular velocity in the frame of the first marker."""

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

    def motion_subspace(self, pose: Pose, planar: bool) -> Matrix:
        return unit_columns(0, 1, 2)

    def constraint_wrenches(self, pose: Pose, planar: bool) -> Matrix:
        return unit_columns(3, 4, 5)

    def closure(self, pose: Pose, planar: bool) -> Matrix:
        return pose.p

    @accepts_pose_stacks
    def read(self, pose: Pose, near: np.ndarray, planar: bool) -> np.ndarray:
        return quaternion_near(pose.R, near)


@dataclass(frozen=True)
class Planar(Joint):
    """A planar joint: q = [x, y, angle] in the x–y plane of the first marker."""

    planar_too: ClassVar[bool] = True
    coordinates: ClassVar[tuple[str, ...]] = ("x", "y", "angle")
    turns: ClassVar[tuple[bool, ...]] = (False, False, True)

    def pose(self, q: Matrix, planar: bool) -> Pose:
        return Pose(Rz(q[2]), column([q[0], q[1], 0]))

    def motion_subspace(self, pose: Pose, planar: bool) -> Matrix:
        return unit_columns(3, 4, 2)

    def constraint_wrenches(self, pose: Pose, planar: bool) -> Matrix:
        return unit_columns(0, 1, 5)

    def closure(self, pose: Pose, planar: bool) -> Matrix:
        if planar:
            return ca.DM(0, 1)
        return ca.vertcat(-pose.R[1, 2], pose.R[0, 2], pose.p[2])

    def is_inverted(self, pose: Pose) -> bool:
        return is_upside_down(pose)

    @accepts_pose_stacks
    def read(self, pose: Pose, near: np.ndarray, planar: bool) -> np.ndarray:
        return np.array([*numeric(pose.p)[:2], angle_about_z(pose, near[2])])
