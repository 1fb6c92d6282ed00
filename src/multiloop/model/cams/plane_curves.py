"""Curves in the plane of a marker: cam profiles with their contact geometry, and slots in which a pin moves.

A curve is a circle, or a parametric curve through points or expressions.

Theory: docs/theory/03-constraints.md, eq. (3.10).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from functools import cached_property
from math import tau
from typing import Annotated, Any

import casadi as ca
import numpy as np
from pydantic import BeforeValidator, Discriminator, Tag

from multiloop.model.cams.contour import (
    LEAST_SQUARED_DISTANCE,
    CamLaw,
    Contour,
    PitchPoint,
    ProfilePoints,
    Support,
    arc_length,
    panel_edges,
)
from multiloop.model.expressions import Expression, Scalar, cam_angle, lift, table
from multiloop.model.faults import short_repr, suggestion
from multiloop.model.marker_poses import Resolve
from multiloop.model.markers import Vector, scalar, value_of, vector
from multiloop.model.synonyms import SuggestsArguments
from multiloop.spatial import Matrix


@dataclass(frozen=True)
class Circle(SuggestsArguments):
    """A circle with the given `radius` and `centre` (m); with a centre off the marker's origin it is an eccentric."""

    radius: Scalar
    centre: Vector = (0.0, 0.0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "radius", scalar(self.radius))
        object.__setattr__(self, "centre", (*vector(self.centre), 0.0)[:2])

    def resolved(self, resolve: Resolve) -> Circle:
        """The circle with its expressions replaced by numbers or symbols."""
        return Circle(resolve(self.radius), tuple(resolve(part) for part in self.centre))


@dataclass(frozen=True)
class Curve(SuggestsArguments):
    """A smooth curve (x(u), y(u)), written as expressions of `cam_angle`, from u = begin to u = end.

    A `closed` curve ends at its beginning without a corner; it may be clockwise or counter-clockwise.
    """

    x: Scalar
    y: Scalar
    begin: float = 0.0
    end: float = tau
    closed: bool = True

    def __post_init__(self) -> None:
        for name in ("x", "y", "begin", "end"):
            object.__setattr__(self, name, scalar(getattr(self, name)))

    @property
    def coordinates(self) -> tuple[Expression, Expression]:
        """The coordinates x(u) and y(u) as expressions of the curve parameter."""
        return lift(self.x), lift(self.y)


def spline(points: Iterable[Sequence[float]], *, closed: bool = True) -> Curve:
    """A smooth curve through points (x, y) in metres: a cubic spline with the chord length as parameter.

    Do not repeat the first point at the end of a closed curve. The curvature is continuous. The end conditions of an
    open curve are those of a cubic `table`.
    """
    given: Any = np.array([tuple(point) for point in points], float)
    least = 3 if closed else 2
    if given.ndim != 2 or given.shape[1] != 2 or len(given) < least:
        raise ValueError(
            f"spline: its points make an array of shape {given.shape}. Give at least {least} points (x, y)."
        )
    ring = np.vstack([given, given[:1]]) if closed else given
    chords = np.hypot(*np.diff(ring, axis=0).T)
    if not np.isfinite(chords).all() or not (chords > 0).all():
        where = int(np.flatnonzero(~(chords > 0))[0])
        raise ValueError(
            f"spline: points {where} and {(where + 1) % len(given)} coincide. Remove one of them."
        )
    knots = np.concatenate([[0.0], np.cumsum(chords)])
    knots *= tau / knots[-1]
    x, y = (table(knots, column, of=cam_angle, periodic=closed) for column in ring.T)
    return Curve(x, y, closed=closed)


CURVE_FORMS = "{radius: 0.03, centre: [0.01, 0]} or {x: …, y: …} with expressions of cam_angle"


def _read_curve(value: Any) -> Any:
    """The data of a curve in a file, with the fields of a Circle or a Curve; anything else raises a ValueError."""
    if isinstance(value, Circle | Curve):
        return value
    if not isinstance(value, Mapping):
        raise ValueError(f"{short_repr(value)} is not a curve. Write {CURVE_FORMS}")
    kind = Circle if _curve_kind(value) == CIRCLE else Curve
    known = [entry.name for entry in fields(kind)]
    for name in value:
        if name not in known:
            raise ValueError(
                f"a {kind.__name__} has no field {short_repr(name)}. {suggestion(str(name), known)}"
            )
    for entry in fields(kind):
        if entry.default is MISSING and entry.name not in value:
            raise ValueError(f"a {kind.__name__} needs the field '{entry.name}'. Write {CURVE_FORMS}")
    return value


CIRCLE, CURVE = "[circle]", "[curve]"
"""Tags by which pydantic distinguishes the two classes; messages omit them."""


def _curve_kind(value: Any) -> str:
    given = set(value) if isinstance(value, Mapping) else set()
    return CURVE if isinstance(value, Curve) or given & {"x", "y", "begin", "end", "closed"} else CIRCLE


PlaneCurve = Annotated[
    Annotated[Circle, Tag(CIRCLE)] | Annotated[Curve, Tag(CURVE)],
    Discriminator(_curve_kind),
    BeforeValidator(_read_curve),
]
"""The profile of a cam, or the curve on which a point moves."""


@dataclass(frozen=True, eq=False)
class CircleContour(Contour):
    """A circular cam profile with centre m and radius R, in closed form:

    h = R + m·n,   h′ = m·t,      Φ = |d| − ρ,   n = d/|d|,   d = p − m,   ρ = R + r

    with the support function h and its derivative h′ for a flat face of normal n and tangent t (left), and the gap Φ
    and the normal n of a roller of radius r with its centre at p (right).
    """

    circle: Circle
    own: Circle  # the circle before its parameters were replaced by symbols, for numerical results

    def support(self, n: tuple[Matrix, Matrix]) -> Support:
        radius: Any = self.circle.radius
        (x, y), (nx, ny) = self.circle.centre, n
        return Support(radius + x * nx + y * ny, y * nx - x * ny, -(x * nx + y * ny))

    def pitch(self, p: tuple[Matrix, Matrix], r: Any) -> PitchPoint:
        rho: Any = self.circle.radius + r
        dx, dy = (at - middle for at, middle in zip(p, self.circle.centre, strict=True))
        size = ca.sqrt(ca.fmax(dx * dx + dy * dy, LEAST_SQUARED_DISTANCE * rho**2))
        # Arc lengths are measured from the y axis, where a follower above its cam is at cam angle 0.
        return PitchPoint(
            size - rho, (dx / size, dy / size), 1 / size, lambda: (-rho * ca.atan2(dx, dy), tau * rho)
        )

    def variable(self, count: int) -> np.ndarray:
        return np.arange(count) * (tau / count)

    def outline(self, u: np.ndarray, r: float) -> ProfilePoints:
        R = value_of(self.own.radius) or 0.0
        centre = np.array([value_of(part) or 0.0 for part in self.own.centre])
        normals = np.column_stack([np.sin(u), np.cos(u)])
        return ProfilePoints(u, centre + R * normals, normals, np.full(len(u), R), centre + (R + r) * normals)


STARTS = 96
"""Number of points of the curve; the nearest is the initial guess of the search for the contact point."""

STEPS = 4
"""Number of steps of Newton's method for the contact point.

The error of the initial guess is at most half the distance between two starting points; each step squares the error."""

LEAST_SLOPE = 0.1
"""Least magnitude of the derivative of (p − c)·c′ by u in Newton's method for the point c(u) of an open curve nearest
to p, divided by |c′(u)|².

The derivative is kept negative, so that for a point p far beyond an end of the curve the step is not reversed."""


@dataclass(frozen=True, eq=False)
class CurveContour(Contour):
    """A profile c(u) = (x(u), y(u)); the contact point is computed by a fixed number of steps of Newton's method:

    flat face  c′·n = 0,      roller  (p − c)·c′ = 0,      Φ = (p − c)·n − r

    n is the normal and t the tangent at the contact point c, and Φ the gap of a roller of radius r with its centre at
    p. The rate of the normal needs no derivative of u: ṅ = κ (t·v) t if p moves along the pitch curve, of curvature κ,
    with the velocity v.
    """

    curve: Curve
    parameters: dict[str, Any]
    near: float = 0.0  # radius of the roller, with parameters at their described values

    @cached_property
    def _coordinates(self) -> tuple[CamLaw, CamLaw]:
        x, y = self.curve.coordinates
        return CamLaw(x, self.parameters), CamLaw(y, self.parameters)

    def _at(self, u: Matrix, order: int) -> tuple[Matrix, Matrix]:
        x, y = self._coordinates
        return x(u, order), y(u, order)

    @cached_property
    def _starts(self) -> ProfilePoints:
        return self.outline(self.variable(STARTS), self.near)

    @cached_property
    def way(self) -> int:
        """1 if the curve is counter-clockwise for increasing u, −1 if clockwise; 1 for an open curve."""
        if not self.curve.closed:
            return 1
        x, y = (law.numbers(self.variable(STARTS)) for law in self._coordinates)
        area = np.sum(x * np.roll(y, -1) - y * np.roll(x, -1))
        return 1 if area >= 0 else -1

    def _best_start(self, score: Callable[[np.ndarray], Matrix], points: np.ndarray) -> Matrix:
        """The curve parameter u of the starting point with the smallest `score`: the initial guess for Newton steps.

        `points` are the data of the starting points on which `score` depends, such as their positions.
        """
        best, found = score(points[0]), ca.DM(float(self._starts.u[0]))
        for u, point in zip(self._starts.u[1:], points[1:], strict=True):
            now = score(point)
            better = now < best
            best, found = ca.if_else(better, now, best), ca.if_else(better, float(u), found)
        return found

    def _within_range(self, u: Matrix) -> Matrix:
        """The curve parameter u, reduced periodically to the range of the curve if it is closed, otherwise clipped."""
        begin, end = float(self.curve.begin), float(self.curve.end)
        if self.curve.closed:
            return u - (end - begin) * ca.floor((u - begin) / (end - begin))
        return ca.fmin(ca.fmax(u, begin), end)

    def support(self, n: tuple[Matrix, Matrix]) -> Support:
        nx, ny = n
        u = self._best_start(lambda c: -(c[0] * nx + c[1] * ny), self._starts.points)
        for _ in range(STEPS):
            (dx, dy), (ddx, ddy) = self._at(u, 1), self._at(u, 2)
            u = self._within_range(u - (dx * nx + dy * ny) / (ddx * nx + ddy * ny))
        (x, y), curvature = self._at(u, 0), self._curvature(u)
        h = x * nx + y * ny
        return Support(h, y * nx - x * ny, 1 / curvature - h)

    def _curvature(self, u: Matrix) -> Matrix:
        """The curvature κ of the profile at the curve parameter u, positive where the profile is convex."""
        (dx, dy), (ddx, ddy) = self._at(u, 1), self._at(u, 2)
        return self.way * (dx * ddy - dy * ddx) / ca.sqrt(dx * dx + dy * dy) ** 3

    def pitch(self, p: tuple[Matrix, Matrix], r: Any) -> PitchPoint:
        px, py = p
        u = self._best_start(lambda c: (px - c[0]) ** 2 + (py - c[1]) ** 2, self._starts.pitch)
        for _ in range(STEPS):
            (x, y), (dx, dy), (ddx, ddy) = (self._at(u, order) for order in range(3))
            miss, slope = (px - x) * dx + (py - y) * dy, (px - x) * ddx + (py - y) * ddy - dx * dx - dy * dy
            if not self.curve.closed:  # a point far beyond an end must not reverse the step
                slope = ca.fmin(slope, -LEAST_SLOPE * (dx * dx + dy * dy))
            u = self._within_range(u - miss / slope)
        (x, y), (dx, dy), bend = self._at(u, 0), self._at(u, 1), self._curvature(u)
        if not self.curve.closed:  # an open curve is continued as a straight line beyond its ends
            bend = ca.if_else((u > float(self.curve.begin)) * (u < float(self.curve.end)), bend, 0.0)
        size = self.way * ca.sqrt(dx * dx + dy * dy)
        normal = (dy / size, -dx / size)
        gap = (px - x) * normal[0] + (py - y) * normal[1] - r
        return PitchPoint(gap, normal, bend / (1 + r * bend), lambda: self._arc(u, r))

    def _arc(self, u: Matrix, r: Any) -> tuple[Matrix, Matrix]:
        def speed(v: Matrix) -> Matrix:
            dx, dy = self._at(v, 1)
            return ca.sqrt(dx * dx + dy * dy) * (1 + r * self._curvature(v))

        x, y = self.curve.coordinates
        return arc_length(
            speed, u, panel_edges(x + y, float(self.curve.begin), float(self.curve.end)), self.way
        )

    def variable(self, count: int) -> np.ndarray:
        begin, end = float(self.curve.begin), float(self.curve.end)
        return np.linspace(begin, end, count, endpoint=not self.curve.closed)

    def outline(self, u: np.ndarray, r: float) -> ProfilePoints:
        points, first, second = (
            np.column_stack([law.numbers(u, order) for law in self._coordinates]) for order in range(3)
        )
        size = np.hypot(*first.T)
        normals = self.way * np.column_stack([first[:, 1], -first[:, 0]]) / size[:, None]
        bend = self.way * (first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0])
        with np.errstate(divide="ignore"):
            radius = size**3 / bend
        return ProfilePoints(u, points, normals, radius, points + r * normals)
