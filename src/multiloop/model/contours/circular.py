"""Contour of an eccentric: a circular cam whose centre is not on its axis."""

from __future__ import annotations

from dataclasses import dataclass
from math import tau
from typing import Any

import casadi as ca
import numpy as np

from multiloop.model.contours.contour import LEAST, Contour, Outline, Pitch, Support
from multiloop.model.curves import Circle
from multiloop.model.markers import value_of
from multiloop.spatial import Matrix


@dataclass(frozen=True, eq=False)
class CircleContour(Contour):
    """A circular contour with centre m and radius R, in closed form:

    h = R + m·n,   h′ = m·t,      Φ = |d| − ρ,   n = d/|d|,   d = p − m,   ρ = R + r
    """

    circle: Circle
    own: Circle  # at the described values of parameters

    def support(self, n: tuple[Matrix, Matrix]) -> Support:
        radius: Any = self.circle.radius
        (x, y), (nx, ny) = self.circle.centre, n
        return Support(radius + x * nx + y * ny, y * nx - x * ny, -(x * nx + y * ny))

    def pitch(self, p: tuple[Matrix, Matrix], r: Any) -> Pitch:
        rho: Any = self.circle.radius + r
        dx, dy = (at - middle for at, middle in zip(p, self.circle.centre, strict=True))
        size = ca.sqrt(ca.fmax(dx * dx + dy * dy, LEAST * rho**2))
        # Arc lengths are measured from the y axis, where a follower above its cam is at cam angle 0.
        return Pitch(
            size - rho, (dx / size, dy / size), 1 / size, lambda: (-rho * ca.atan2(dx, dy), tau * rho)
        )

    def variable(self, count: int) -> np.ndarray:
        return np.arange(count) * (tau / count)

    def outline(self, u: np.ndarray, r: float) -> Outline:
        R = value_of(self.own.radius) or 0.0
        centre = np.array([value_of(part) or 0.0 for part in self.own.centre])
        normals = np.column_stack([np.sin(u), np.cos(u)])
        return Outline(u, centre + R * normals, normals, np.full(len(u), R), centre + (R + r) * normals)
