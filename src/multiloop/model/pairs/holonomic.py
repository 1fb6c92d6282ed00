"""Holonomic higher pairs: a constant distance between two points, and a point on a curve.

A constant distance models a massless rod between spherical joints; a point on a curve models a pin in a slot.

Theory: docs/theory/03-constraints.md, eqs. (3.7), (3.10).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

import casadi as ca
import numpy as np

from multiloop.model.cams import CircleContour, Contour, CurveContour
from multiloop.model.cams.plane_curves import Circle, Curve, PlaneCurve
from multiloop.model.connection import ContactGeometry, Pair
from multiloop.model.expressions import Scalar, parameters_of
from multiloop.model.marker_poses import Resolve
from multiloop.model.markers import scalar, value_of
from multiloop.spatial import Matrix, Pose, zeros


@dataclass(frozen=True)
class Distance(Pair):
    """The origins of two markers have the constant distance `length`; the force acts along their connecting line.

        Φ = (p·p − l²) / 2l,      W = [0; p/l]

    Φ = 0 is the constraint and W = [moment; force] its wrench; p is the position of the second marker in the frame of
    the first and l the length. The pair is equivalent to a massless rod between two spherical joints, in a planar
    mechanism between two revolute joints.
    """

    length: Scalar = field(kw_only=True)

    def __post_init__(self) -> None:
        object.__setattr__(self, "length", scalar(self.length))

    def reach(self, resolve: Resolve = value_of) -> Any:
        length = resolve(self.length)
        return 0.0 if length is None else length

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
        length: Any = self.length  # `resolved` has replaced expressions by a number or symbol
        return (ca.dot(pose.p, pose.p) - length**2) / (2 * length)


@dataclass(frozen=True)
class PointOnCurve(Pair):
    """The origin of the first marker stays on a curve in the x–y plane of the second (a bilateral constraint).

        Φ = (x − c)·n,      W = [p × n; −n]

    Φ = 0 is the constraint and W = [moment; force] its wrench. x is the position of the point and c the nearest point
    of the curve, n is the normal of the curve at c, and p is the position of the second marker in the frame of the
    first. The curve is a Circle, a `spline` through points, or a Curve of expressions. An open curve continues straight
    beyond its ends. In a spatial mechanism the curve is a cylindrical surface along z.
    """

    called: ClassVar[str] = "point on a curve"
    touches: ClassVar[bool] = True
    hint: ClassVar[str] = (
        "Check that the point can reach the curve: the first marker is the point, the second has the curve."
    )

    curve: PlaneCurve = field(kw_only=True)

    def resolved(self, resolve: Resolve) -> PointOnCurve:
        """The pair with each of its numbers x replaced by resolve(x); the expressions of a curve are kept, with their
        parameters replaced in the same way."""
        if isinstance(self.curve, Circle):
            found = replace(self, curve=self.curve.resolved(resolve))
            object.__setattr__(found, "_described", (self.curve, {}))
        else:
            found = replace(self)
            own = {p.name: resolve(p) for law in self.curve.coordinates for p in parameters_of(law)}
            object.__setattr__(found, "_described", (self.curve, own))
        return found

    @cached_property
    def contour(self) -> Contour:
        """The `Contour` of the curve: nearest point, normal and curvature."""
        described, parameters = self.__dict__.get("_described", (self.curve, {}))
        if isinstance(self.curve, Curve):
            return CurveContour(self.curve, parameters)
        return CircleContour(self.curve, described)

    def degrees_of_freedom(self, planar: bool) -> int:
        return 2 if planar else 5

    def wrench_names(self, planar: bool) -> tuple[str, ...]:
        return ("force across the curve",)

    def closure(self, pose: Pose, planar: bool) -> Matrix:
        x = -(pose.R.T @ pose.p)
        return self.contour.pitch((x[0], x[1]), 0.0).gap

    def _normal(self, pose: Pose) -> tuple[Matrix, Matrix, Matrix]:
        """Normal and tangent of the curve in the frame of the first marker, and its curvature."""
        x = -(pose.R.T @ pose.p)
        pitch = self.contour.pitch((x[0], x[1]), 0.0)
        nx, ny = pitch.normal
        return pose.R @ ca.vertcat(nx, ny, 0), pose.R @ ca.vertcat(-ny, nx, 0), pitch.curvature

    def wrenches(self, pose: Pose, planar: bool) -> Matrix:
        n, _, _ = self._normal(pose)
        return ca.vertcat(ca.cross(pose.p, n), -n)

    def wrenches_rate(self, pose: Pose, twist: Matrix, planar: bool) -> Matrix:
        """Time derivative of the constraint wrench.

        The normal of the curve rotates with the second marker. Relative to this marker the normal rotates at the
        angular velocity κ u, with the curvature κ and the velocity u of the point along the curve.
        """
        n, t, curvature = self._normal(pose)
        omega, v = twist[:3], twist[3:]
        velocity = ca.cross(omega, pose.p) - v  # velocity of the point relative to the second body
        rate = ca.cross(omega, n) + curvature * ca.dot(t, velocity) * t
        return ca.vertcat(ca.cross(v, n) + ca.cross(pose.p, rate), -rate)

    def contact(self, pose: Pose, planar: bool) -> ContactGeometry:
        n, _, curvature = self._normal(pose)
        return ContactGeometry(ca.DM(3, 1), -n, ca.DM(3, 1), 1 / curvature, two_sided=True)
