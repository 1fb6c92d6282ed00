"""Helical (screw) joint: rotation about z with a proportional translation along z."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import casadi as ca
import numpy as np

from multiloop.model.expressions import Scalar
from multiloop.model.joints.joint import Joint, turn_about_z, unit
from multiloop.model.markers import scalar
from multiloop.spatial import Matrix, Pose, Rz, column


@dataclass(frozen=True)
class Helical(Joint):
    """q = [angle]; the second marker advances by `pitch` metres per radian along the z axis of the first marker.

    It is never a cut joint: the rows of a cut joint determine the angle only modulo 2π, and the position of a screw
    changes with every turn.
    """

    pitch: Scalar = 0.0

    must_stay: ClassVar[bool] = True
    coordinates: ClassVar[tuple[str, ...]] = ("angle",)
    turns: ClassVar[tuple[bool, ...]] = (False,)

    def __post_init__(self) -> None:
        object.__setattr__(self, "pitch", scalar(self.pitch))

    def pose(self, q: Matrix, planar: bool) -> Pose:
        return Pose(Rz(q[0]), column([0, 0, self.pitch * q[0]]))

    def freedom(self, pose: Pose, planar: bool) -> Matrix:
        return column([0, 0, 1, 0, 0, self.pitch])

    def held(self, pose: Pose, planar: bool) -> Matrix:
        return ca.horzcat(unit(0, 1, 3, 4), column([0, 0, -1 * self.pitch, 0, 0, 1]))

    def wrench_names(self, planar: bool) -> tuple[str, ...]:
        return (
            "moment about x",
            "moment about y",
            "force along x",
            "force along y",
            "force along z with its screw moment",
        )

    def read(self, pose: Pose, near: np.ndarray, planar: bool) -> np.ndarray:
        # The advance gives the number of turns; if the pitch is 0 or symbolic, `near` gives it.
        known = isinstance(self.pitch, float) and self.pitch != 0.0
        turned = float(pose.p[2]) / self.pitch if known else near[0]
        return np.array([turn_about_z(pose, turned)])  # type: ignore[arg-type]
