"""Two points a fixed distance apart: a rod without mass, a taut string, the leg of a platform."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import casadi as ca
import numpy as np

from multiloop.model.expressions import Scalar
from multiloop.model.markers import scalar, value_of
from multiloop.model.pairs.pair import Pair
from multiloop.spatial import Matrix, Pose, zeros


@dataclass(frozen=True)
class Distance(Pair):
    """The origins of its two markers stay `length` apart; it pushes or pulls along the line between them.

        Φ = (p·p − l²) / 2l,      W = [0; p/l],      p the place of S in F

    It is what a massless rod between two balls does, or between two pins in the plane.
    """

    length: Scalar = field(kw_only=True)

    def __post_init__(self) -> None:
        object.__setattr__(self, "length", scalar(self.length))

    def reach(self) -> float:
        return value_of(self.length) or 0.0

    def opening(self, row: float) -> float:
        length: Any = self.length
        return float(abs(np.sqrt(max(0.0, length * (length + 2 * row))) - length))

    def freedoms(self, planar: bool) -> int:
        return 2 if planar else 5

    def wrenches(self, pose: Pose, planar: bool) -> Matrix:
        return ca.vertcat(zeros(3), pose.p / self.length)

    def wrenches_rate(self, pose: Pose, twist: Matrix, planar: bool) -> Matrix:
        return ca.vertcat(zeros(3), twist[3:] / self.length)

    def wrench_names(self, planar: bool) -> tuple[str, ...]:
        return ("force between both markers",)

    def closure(self, pose: Pose, planar: bool) -> Matrix:
        length: Any = self.length  # a number or a symbol by now
        return (ca.dot(pose.p, pose.p) - length**2) / (2 * length)
