"""Geometry of a cam profile: support function, pitch curve, curvature and pressure angle.

All vectors lie in the plane of the cam's marker. n is the outward normal and t = E n the tangent, counter-clockwise. A
flat face that touches the profile with the normal n at the angle θ has the distance h(θ), the support function, from
the marker's origin:

    contact point  c = h n + h′ t,      radius of curvature  ρ = h + h″

The centre of a roller of radius r moves on the pitch curve, at the distance r outside the profile; a knife edge moves
on the profile itself. Motion laws are functions of the cam angle with two derivatives; arc lengths of closed curves are
summed by Gauss–Legendre quadrature on panels whose ends include the breakpoints of the law.

Source: [norton], ch. 8, for curvature and pressure angle; the support function is that of convex curves.
Theory: docs/theory/03-constraints.md, eq. (3.10).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from math import tau
from typing import Any

import casadi as ca
import numpy as np

from multiloop.model.expressions import Expression, breakpoints, derivative, evaluate, trace
from multiloop.spatial import Matrix
from multiloop.symbols.lookup import lookup

PROFILE_SAMPLES = 720
"""Number of points at which a profile is checked: every half degree."""

LEAST_SQUARED_DISTANCE = 1e-6
"""Least squared distance of a follower from the centre, relative to its nominal value: during assembly the follower
may be anywhere, and the normal must be defined."""


@dataclass(frozen=True)
class Support:
    """The support function h of a direction and its derivatives h′ and h″ with respect to the angle, in m."""

    h: Matrix
    slope: Matrix
    second: Matrix


@dataclass(frozen=True)
class PitchPoint:
    """The pitch curve nearest to a point: the distance of the point outside, the normal n and the curvature.

    `arc` returns the arc length up to there, counter-clockwise within one revolution, and the length of the curve.
    """

    gap: Matrix
    normal: tuple[Matrix, Matrix]
    curvature: Matrix
    arc: Callable[[], tuple[Matrix, Matrix]]


@dataclass(frozen=True)
class ProfilePoints:
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
    def pitch(self, p: tuple[Matrix, Matrix], r: Any) -> PitchPoint:
        """The pitch curve nearest to p."""

    @abstractmethod
    def variable(self, count: int) -> np.ndarray:
        """Evenly spaced values of the parameter over one revolution, the first not repeated."""

    @abstractmethod
    def outline(self, u: np.ndarray, r: float) -> ProfilePoints:
        """Points of the profile at the described values of parameters."""

    def flat_face_profile(self, u: np.ndarray) -> ProfilePoints:
        """Points of the profile for a flat face; a profile made from a motion law depends on the type of follower."""
        return self.outline(u, 0.0)

    def pressure_angles(self, u: np.ndarray, r: float, flat: bool) -> np.ndarray | None:
        """Signed pressure angles of a follower that moves by its motion law; None for a profile without one."""
        return None


@dataclass(frozen=True, eq=False)
class CamLaw:
    """A function f(u); `parameters` are symbols or numbers that replace the described values of parameters."""

    value: Expression
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def __call__(self, u: Any, order: int = 0) -> Any:
        """f, f′ or f″ on symbols."""
        return trace(self._derived(order), time=u, parameters=self.parameters)

    def numbers(self, u: np.ndarray, order: int = 0) -> np.ndarray:
        """f, f′ or f″ in numbers, at the described values of parameters."""
        found: np.ndarray = evaluate(self._derived(order), time=u) + np.zeros(len(u))
        return found

    def _derived(self, order: int) -> Expression:
        found = self.value
        for _ in range(order):
            found = derivative(found)
        return found


PANELS = 24
"""Number of panels of one revolution; the breakpoints of the law are panel ends as well."""

COINCIDENT_EDGES = 1e-9
"""Distance below which two panel ends are one."""

NODES, WEIGHTS = np.polynomial.legendre.leggauss(8)
"""Gauss–Legendre rule on a panel, exact for polynomials of degree 15."""


def arc_length(
    speed: Callable[[Matrix], Matrix], u: Matrix, edges: np.ndarray, way: int
) -> tuple[Matrix, Matrix]:
    """L(u) = ± ∫ speed du from the first edge to u, reduced to one revolution, and the length of the whole curve.

    `speed` may contain no symbols besides u. `way` is −1 if the curve is clockwise for increasing u.
    """
    sums = np.cumsum([0.0, *(_gauss_integral(speed, *ends) for ends in pairwise(edges.tolist()))])
    u = u - (edges[-1] - edges[0]) * ca.floor((u - edges[0]) / (edges[-1] - edges[0]))
    begin, done = (lookup(u, edges, row[None, :]) for row in (edges[:-1], sums[:-1]))
    half = (u - begin) / 2
    part = sum(weight * speed(begin + half * (1 + node)) for node, weight in zip(NODES, WEIGHTS, strict=True))
    return way * (done + half * part), float(sums[-1])


def panel_edges(law: Expression, begin: float = 0.0, end: float = tau) -> np.ndarray:
    """The ends of all panels of one revolution."""
    corners = breakpoints(law, between=(begin, end), knots=True)
    edges = np.union1d(np.linspace(begin, end, PANELS + 1), corners)
    kept: np.ndarray = edges[np.concatenate([np.diff(edges) > COINCIDENT_EDGES, [True]])]
    return kept


def _gauss_integral(speed: Callable[[Any], Any], begin: float, end: float) -> float:
    half = (end - begin) / 2
    values = [float(speed(ca.DM(begin + half * (1 + node)))) for node in NODES]
    return half * float(np.dot(WEIGHTS, values))
