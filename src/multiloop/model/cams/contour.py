"""Geometry of a cam profile: support function, pitch curve, curvature and pressure angle.

All vectors lie in the plane of the cam's marker. n is the outward normal, at the angle θ, and t = E n the tangent, n
rotated by 90° counter-clockwise. A flat face that touches the profile at a point with this normal is at the distance
h(θ), the support function, from the marker's origin:

    contact point  c = h n + h′ t,      radius of curvature  ρ = h + h″

The centre of a roller of radius r moves on the pitch curve, at the distance r outside the profile; a knife edge moves
on the profile itself. Motion laws are functions of the cam angle with two derivatives; arc lengths are integrated by
Gauss–Legendre quadrature over intervals (panels) whose ends include the breakpoints of the law.

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
"""Number of points at which a cam profile is checked: one for every half degree of the cam angle."""

LEAST_SQUARED_DISTANCE = 1e-6
"""Smallest squared distance of a follower from the cam's axis for which the contact is computed, divided by the square
of the smallest distance in contact. During assembly the follower may be at any position; smaller distances are replaced
by this one, so that the normal is defined."""


@dataclass(frozen=True)
class Support:
    """The support function h for one direction of the normal, and its derivatives h′ and h″ with respect to the angle
    of the normal (m)."""

    h: Matrix
    slope: Matrix
    second: Matrix


@dataclass(frozen=True)
class PitchPoint:
    """The point of the pitch curve nearest to a given point, with its normal and curvature.

    `gap` is the distance of the given point from the curve, positive outside. `arc` returns the arc length up to the
    nearest point, counter-clockwise within one revolution, and the length of the whole curve.
    """

    gap: Matrix
    normal: tuple[Matrix, Matrix]
    curvature: Matrix
    arc: Callable[[], tuple[Matrix, Matrix]]


@dataclass(frozen=True)
class ProfilePoints:
    """Points of a cam profile as numerical arrays with one row for each point: parameter, position, outward normal,
    radius of curvature (negative where concave), and point of the pitch curve."""

    u: np.ndarray
    points: np.ndarray
    normals: np.ndarray
    radius: np.ndarray
    pitch: np.ndarray


class Contour(ABC):
    """The geometry of a cam profile, evaluated on symbols or numbers.

    In all methods `r` is the radius of the roller, 0 for a knife edge.
    """

    @abstractmethod
    def support(self, n: tuple[Matrix, Matrix]) -> Support:
        """The support function in the direction of the normal n of a flat face."""

    @abstractmethod
    def pitch(self, p: tuple[Matrix, Matrix], r: Any) -> PitchPoint:
        """The point nearest to the point `p` on the pitch curve, at the distance of the roller radius `r` outside the
        profile."""

    @abstractmethod
    def variable(self, count: int) -> np.ndarray:
        """`count` evenly spaced values of the curve parameter over one revolution, without the end point."""

    @abstractmethod
    def outline(self, u: np.ndarray, r: float) -> ProfilePoints:
        """Points of the profile at the curve parameters `u`, with model parameters at their described values."""

    def flat_face_profile(self, u: np.ndarray) -> ProfilePoints:
        """Points of the profile for a flat-face follower, at the curve parameters `u`.

        Subclasses for profiles that are made from a motion law override this method, since such profiles depend on the
        type of follower.
        """
        return self.outline(u, 0.0)

    def pressure_angles(self, u: np.ndarray, r: float, flat: bool) -> np.ndarray | None:
        """Signed pressure angles (rad) of a follower that moves by the motion law; None for a profile without a law.

        `u` are the cam angles, `r` is the radius of the roller; `flat` states whether the follower is a flat face.
        """
        return None


@dataclass(frozen=True, eq=False)
class CamLaw:
    """A cam law f(u) of the cam angle u; `parameters` are symbols or numbers for the model parameters in it."""

    value: Expression
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def __call__(self, u: Any, order: int = 0) -> Any:
        """The law f or its derivative f′ or f″ (`order` 0, 1 or 2), as a symbolic expression of u."""
        return trace(self._derived(order), time=u, parameters=self.parameters)

    def numbers(self, u: np.ndarray, order: int = 0) -> np.ndarray:
        """The law f or its derivative f′ or f″ (`order` 0, 1 or 2) at the numbers u, with parameters at their described
        values."""
        found: np.ndarray = evaluate(self._derived(order), time=u) + np.zeros(len(u))
        return found

    def _derived(self, order: int) -> Expression:
        found = self.value
        for _ in range(order):
            found = derivative(found)
        return found


PANELS = 24
"""Number of equal panels (intervals of quadrature) of one revolution; breakpoints of the law divide them further."""

COINCIDENT_EDGES = 1e-9
"""Difference of the cam angle (rad) below which two panel ends are merged."""

NODES, WEIGHTS = np.polynomial.legendre.leggauss(8)
"""Nodes and weights of the Gauss–Legendre rule for one panel, exact for polynomials of degree 15."""


def arc_length(
    speed: Callable[[Matrix], Matrix], u: Matrix, edges: np.ndarray, way: int
) -> tuple[Matrix, Matrix]:
    """The arc length L(u) = ± ∫ speed du from the first edge to u within one revolution, and the length of the curve.

    `speed` is the arc length per unit of u, and must contain no symbols besides u. `way` is the sign ±: −1 if the curve
    is clockwise for increasing u. `edges` are the ends of the panels of quadrature.
    """
    sums = np.cumsum([0.0, *(_gauss_integral(speed, *ends) for ends in pairwise(edges.tolist()))])
    u = u - (edges[-1] - edges[0]) * ca.floor((u - edges[0]) / (edges[-1] - edges[0]))
    begin, done = (lookup(u, edges, row[None, :]) for row in (edges[:-1], sums[:-1]))
    half = (u - begin) / 2
    part = sum(weight * speed(begin + half * (1 + node)) for node, weight in zip(NODES, WEIGHTS, strict=True))
    return way * (done + half * part), float(sums[-1])


def panel_edges(law: Expression, begin: float = 0.0, end: float = tau) -> np.ndarray:
    """The ends of all panels (intervals of quadrature) between `begin` and `end`, including breakpoints of the law."""
    corners = breakpoints(law, between=(begin, end), knots=True)
    edges = np.union1d(np.linspace(begin, end, PANELS + 1), corners)
    kept: np.ndarray = edges[np.concatenate([np.diff(edges) > COINCIDENT_EDGES, [True]])]
    return kept


def _gauss_integral(speed: Callable[[Any], Any], begin: float, end: float) -> float:
    half = (end - begin) / 2
    values = [float(speed(ca.DM(begin + half * (1 + node)))) for node in NODES]
    return half * float(np.dot(WEIGHTS, values))
