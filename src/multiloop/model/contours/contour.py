"""What every outline can say of itself: where a face touches it, and where an edge or the middle of a roller runs.

All in the plane of the cam's marker. n is the outward normal, t = E n the tangent, counter-clockwise; a face that
touches with the normal n at the angle θ has the distance h(θ) from the marker's origin, the support function:

    touching point  c = h n + h′ t,      radius of curvature  ρ = h + h″

The middle of a roller of radius r runs on the pitch curve, r outside the outline; an edge on the outline itself.

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
"""Points at which an outline is looked at before anything runs: every half degree."""

LEAST = 1e-6
"""Part of its square at which the distance of a follower from the middle counts at least: on the way to an assembly it
may stand anywhere, and has a normal even there."""


@dataclass(frozen=True)
class Support:
    """h of a direction, h′ and h″ by its angle, in m."""

    h: Matrix
    slope: Matrix
    second: Matrix


@dataclass(frozen=True)
class Pitch:
    """The pitch curve nearest to a point: how far the point lies outside, the normal n there, and the curvature.

    `arc` gives the length of the curve up to there, counter-clockwise, within one round of length `whole`.
    """

    gap: Matrix
    normal: tuple[Matrix, Matrix]
    curvature: Matrix
    arc: Callable[[], tuple[Matrix, Matrix]]


@dataclass(frozen=True)
class Outline:
    """Points of an outline in numbers, one row each: at which variable, where, the outward normal, ρ (negative where
    hollow), and the point of the pitch curve."""

    u: np.ndarray
    points: np.ndarray
    normals: np.ndarray
    radius: np.ndarray
    pitch: np.ndarray


class Contour(ABC):
    """An outline, on symbols or numbers; `r` is the radius of the roller, 0 for an edge."""

    @abstractmethod
    def support(self, n: tuple[Matrix, Matrix]) -> Support:
        """Where a face with the normal n touches."""

    @abstractmethod
    def pitch(self, p: tuple[Matrix, Matrix], r: Any) -> Pitch:
        """The pitch curve nearest to p."""

    @abstractmethod
    def variable(self, count: int) -> np.ndarray:
        """Evenly spaced values of its variable, once round, the first not repeated."""

    @abstractmethod
    def outline(self, u: np.ndarray, r: float) -> Outline:
        """The outline in numbers, parameters at their own values."""

    def faced(self, u: np.ndarray) -> Outline:
        """The same for a face; an outline that was made for its follower may be another."""
        return self.outline(u, 0.0)

    def pressure_angles(self, u: np.ndarray, r: float, flat: bool) -> np.ndarray | None:
        """Of the follower for which it was made, moving by its program, with their sign; None without a program."""
        return None
