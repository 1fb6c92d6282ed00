"""Contour of a cam with a translating follower that moves by a motion law of the cam angle."""

from __future__ import annotations

from dataclasses import dataclass
from math import tau
from typing import Any

import casadi as ca
import numpy as np

from multiloop.model.contours.arc import arc_length, panel_edges
from multiloop.model.contours.contour import LEAST, Contour, Outline, Pitch, Support
from multiloop.model.contours.law import Law
from multiloop.model.markers import value_of
from multiloop.spatial import Matrix


@dataclass(frozen=True, eq=False)
class LiftContour(Contour):
    """A cam profile made from the lift l(u) of a translating follower.

    The cam angle u is the counter-clockwise rotation of the cam relative to the follower's marker. A flat face
    y = const. of the follower is at h = base + l(u), with the normal (sin u, cos u) in the cam:

        h′ = −l′,   h″ = l″       (with respect to the angle of the normal, π/2 − u)

    A knife edge, or the centre of a roller, that slides along y with the offset e from the axis of the cam is at
    g = (e, s), s = s₀ + l(u), s₀² = (base + r)² − e². Rotated back by u this is the pitch curve, and with w = l′ − e

        n ~ (−w, s),   tan α = w/s,   κ = (s (s − l″) + w (w + l′)) / (s² + w²)^(3/2)

    in the axes of the follower, where α is the pressure angle. A point p of the plane belongs to the u at which the
    line of translation passes through it, s² = p·p − e², and its distance from the curve is (s − s₀ − l) cos α. A
    swinging follower may run on the same profile; its motion then differs from the law l.

    Source: [norton], ch. 8, for α; κ and the form without an unknown point of contact are derived here.
    """

    lift: Law
    base: Any
    offset: Any = 0.0

    def _laws(self, u: Matrix) -> tuple[Matrix, Matrix, Matrix]:
        u = u - tau * ca.floor(u / tau)
        return self.lift(u), self.lift(u, 1), self.lift(u, 2)

    def support(self, n: tuple[Matrix, Matrix]) -> Support:
        lift, slope, second = self._laws(ca.atan2(*n))
        return Support(self.base + lift, -slope, second)

    def pitch(self, p: tuple[Matrix, Matrix], r: Any) -> Pitch:
        (x, y), e = p, self.offset
        s = ca.sqrt(ca.fmax(x * x + y * y - e * e, LEAST * (self.base + r) ** 2))
        d = s * s + e * e
        across, along = s * x - e * y, e * x + s * y  # d sin u, d cos u
        u = ca.atan2(across, along)
        lift, slope, second = self._laws(u)
        w = slope - e
        size = ca.sqrt(s * s + w * w)
        above = s - self._least(r) - lift
        normal = ((s * across - w * along) / (d * size), (w * across + s * along) / (d * size))
        curvature = (s * (s - second) + w * (w + slope)) / size**3

        def arc() -> tuple[Matrix, Matrix]:
            length, whole = arc_length(lambda v: self._speed(v, r), u, panel_edges(self.lift.value), -1)
            return length - above * w / size, whole  # up to the foot of the normal through p

        return Pitch(above * s / size, normal, curvature, arc)

    def _least(self, r: Any) -> Any:
        """s₀."""
        height, e = self.base + r, self.offset
        return height if isinstance(e, float) and e == 0 else ca.sqrt(height**2 - e**2)

    def _speed(self, u: Matrix, r: Any) -> Matrix:
        """Arc length of the pitch curve per cam angle."""
        lift, slope, _ = self._laws(u)
        return ca.sqrt((self._least(r) + lift) ** 2 + (slope - self.offset) ** 2)

    def variable(self, count: int) -> np.ndarray:
        return np.arange(count) * (tau / count)

    def faced(self, u: np.ndarray) -> Outline:
        """Points of the profile for a flat face."""
        lift, slope, second = (self.lift.numbers(u, order) for order in range(3))
        n = np.column_stack([np.sin(u), np.cos(u)])
        t = np.column_stack([-n[:, 1], n[:, 0]])
        h = (value_of(self.base) or 0.0) + lift
        points = h[:, None] * n - slope[:, None] * t
        return Outline(u, points, n, h + second, points)

    def pressure_angles(self, u: np.ndarray, r: float, flat: bool) -> np.ndarray:
        """tan α = (l′ − e) / s; zero for a flat face."""
        if flat:
            return np.zeros(len(u))
        found, way = self.outline(u, r), np.column_stack([np.sin(u), np.cos(u)])
        across = way[:, 0] * found.normals[:, 1] - way[:, 1] * found.normals[:, 0]
        angles: np.ndarray = np.arctan2(across, np.einsum("ti,ti->t", way, found.normals))
        return angles

    def outline(self, u: np.ndarray, r: float) -> Outline:
        e, base = (value_of(number) or 0.0 for number in (self.offset, self.base))
        lift, slope, second = (self.lift.numbers(u, order) for order in range(3))
        s, w = np.sqrt((base + r) ** 2 - e**2) + lift, slope - e
        size = np.hypot(s, w)
        sin, cos = np.sin(u), np.cos(u)
        pitch = np.column_stack([e * cos + s * sin, s * cos - e * sin])
        normals = np.column_stack([s * sin - w * cos, w * sin + s * cos]) / size[:, None]
        bend = (s * (s - second) + w * (w + slope)) / size**3
        with np.errstate(divide="ignore"):
            radius = 1 / bend - r
        return Outline(u, pitch - r * normals, normals, radius, pitch)
