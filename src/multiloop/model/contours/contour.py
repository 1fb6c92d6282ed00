"""Contours, the base class of cam profiles: support function, pitch curve, curvature and pressure angle.

All vectors lie in the plane of the cam's marker. n is the outward normal and t = E n the tangent, counter-clockwise. A
flat face that touches the profile with the normal n at the angle θ has the distance h(θ), the support function, from
the marker's origin:

    contact point  c = h n + h′ t,      radius of curvature  ρ = h + h″

The centre of a roller of radius r moves on the pitch curve, at the distance r outside the profile; a knife edge moves
on the profile itself.

Source: [norton], ch. 8, for curvature and pressure angle; the support function is that of convex curves.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from multiloop.spatial import Matrix

COUNT = 720
"""Number of points at which a profile is checked: every half degree."""

LEAST = 1e-6
"""Least squared distance of a follower from the centre, relative to its nominal value: during assembly the follower
may be anywhere, and the normal must be defined."""


@dataclass(frozen=True)
class Support:
    """The support function h of a direction and its derivatives h′ and h″ with respect to the angle, in m."""

    h: Matrix
    slope: Matrix
    second: Matrix


@dataclass(frozen=True)
class Pitch:
    """The pitch curve nearest to a point: the distance of the point outside, the normal n and the curvature.

    `arc` returns the arc length up to there, counter-clockwise within one revolution, and the length of the curve.
    """

    gap: Matrix
    normal: tuple[Matrix, Matrix]
    curvature: Matrix
    arc: Callable[[], tuple[Matrix, Matrix]]


@dataclass(frozen=True)
class Outline:
    """Points of a profile in numbers, one row each: parameter, position, outward normal, radius of curvature (negative
    where concave), and the point of the pitch curve."""

    u: np.ndarray
    points: np.ndarray
    normals: np.ndarray
    radius: np.ndarray
    pitch: np.ndarray


class Contour(ABC):
    """A cam profile, on symbols or numbers; `r` is the radius of the roller, 0 for a knife edge."""

    @abstractmethod
    def support(self, n: tuple[Matrix, Matrix]) -> Support:
        """The support function in the direction of the normal n of a flat face."""

    @abstractmethod
    def pitch(self, p: tuple[Matrix, Matrix], r: Any) -> Pitch:
        """The pitch curve nearest to p."""

    @abstractmethod
    def variable(self, count: int) -> np.ndarray:
        """Evenly spaced values of the parameter over one revolution, the first not repeated."""

    @abstractmethod
    def outline(self, u: np.ndarray, r: float) -> Outline:
        """Points of the profile at the described values of parameters."""

    def faced(self, u: np.ndarray) -> Outline:
        """Points of the profile for a flat face; a profile made from a motion law depends on the type of follower."""
        return self.outline(u, 0.0)

    def pressure_angles(self, u: np.ndarray, r: float, flat: bool) -> np.ndarray | None:
        """Signed pressure angles of a follower that moves by its motion law; None for a profile without one."""
        return None
