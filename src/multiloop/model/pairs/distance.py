"""Constant distance between two points, as by a massless rod between spherical joints.

Theory: docs/theory/03-constraints.md, eq. (3.7).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import casadi as ca
import numpy as np

from multiloop.model.connection import Pair
from multiloop.model.expressions import Scalar
from multiloop.model.markers import scalar, value_of
from multiloop.spatial import Matrix, Pose, zeros


@dataclass(frozen=True)
class Distance(Pair):
    """The origins of two markers have the constant distance `length`; the force acts along their connecting line.

        Φ = (p·p − l²) / 2l,      W = [0; p/l],      p the position of S in F

    It is equivalent to a massless rod between two spherical joints, or between two revolute joints in the plane.
    """

    length: Scalar = field(kw_only=True)

    def __post_init__(self) -> None:
        object.__setattr__(self, "length", scalar(self.length))

    def reach(self) -> float:
        return value_of(self.length) or 0.0

    def opening(self, row: float) -> float:
        length: Any = self.length
        return float(abs(np.sqrt(max(0.0, length * (length + 2 * row))) - length))

    def degrees_of_freedom(self, planar: bool) -> int:
        return 2 if planar else 5

    def wrenches(self, pose: Pose, planar: bool) -> Matrix:
        return ca.vertcat(zeros(3), pose.p / self.length)

    def wrenches_rate(self, pose: Pose, twist: Matrix, planar: bool) -> Matrix:
        return ca.vertcat(zeros(3), twist[3:] / self.length)

    def wrench_names(self, planar: bool) -> tuple[str, ...]:
        return ("force between both markers",)

    def closure(self, pose: Pose, planar: bool) -> Matrix:
        length: Any = self.length  # already a number or a symbol
        return (ca.dot(pose.p, pose.p) - length**2) / (2 * length)
