"""Protocol of a beam's centreline: displacement, mass and stiffness along its length, for section forces.

Positions along the beam are ξ = s/L, with s the arc length from marker `a` and L the length of the beam. Vectors have
components along the axes of the beam's own frame. Arrays of vectors are instants × positions × 3.

Theory: docs/theory/10-flexible-bodies.md, eq. (10.19).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from multiloop.flexible.beams.uniform_modes import gauss_rule
from multiloop.model.beams.beam import Beam
from multiloop.model.beams.beam_line import COINCIDENCE

PointPath = tuple[np.ndarray, np.ndarray, np.ndarray]
"""Position r, velocity ṙ and acceleration r̈ of points relative to the beam's frame, instants × positions × 3."""


@dataclass(frozen=True, eq=False)
class ElasticMotion:
    """Elastic coordinates η of a body and their first and second time derivatives, instants × coordinates."""

    eta: np.ndarray
    rate: np.ndarray
    acceleration: np.ndarray


class BeamCentreline(Protocol):
    """Geometry, mass and motion of a beam along its length; parameters have the values given in its description."""

    @property
    def beam(self) -> Beam:
        """The description of the beam."""

    @property
    def length(self) -> float:
        """Length L of the beam along its centreline (m)."""

    @property
    def places(self) -> Mapping[str, float]:
        """For every marker, the position ξ (fraction of the beam length) of the nearest point of the centreline."""

    @property
    def nodes(self) -> np.ndarray:
        """Positions ξ (fractions of the beam length) of the nodes; mode shapes are smooth between neighbouring
        nodes."""

    @property
    def corners(self) -> np.ndarray:
        """Positions ξ (fractions of the beam length) of the corners of the centreline; empty for a straight beam."""

    @property
    def quadrature(self) -> int:
        """Number of Gauss points between two nodes with which products of two mode shapes are integrated exactly."""

    @property
    def masses(self) -> Mapping[str, float]:
        """Point masses (kg) by the name of the marker at which they are."""

    @property
    def bending_axes(self) -> tuple[int, ...]:
        """Indices of the section axes about which the modes bend the beam: 1 for y, 2 for z."""

    def section_at(self, name: str, xi: np.ndarray) -> np.ndarray:
        """Values of the section property `name` at positions ξ (fractions of the beam length).

        Properties are the area A, the second moments of area Iz and Iy, and the distances y and z of the outermost
        fibres from the centreline.
        """

    def section_axes(self, xi: np.ndarray) -> np.ndarray:
        """Axes of the undeformed sections as columns of matrices, positions × 3 × 3."""

    def mass_along(self, xi: np.ndarray) -> np.ndarray:
        """Mass per unit length (kg/m) at positions ξ (fractions of the beam length)."""

    def section_tensors(self, xi: np.ndarray) -> np.ndarray:
        """Second mass moments ∫ d dᵀ dm of the sections per unit length, positions × 3 × 3; d is the vector from the
        centreline to a point of the section."""

    def section_path(self, motion: ElasticMotion, xi: np.ndarray) -> PointPath:
        """Matrices A, Ȧ and Ä of the motion of sections, instants × positions × 3 × 3.

        A d is the displacement, relative to the centreline, of the point of the section at the offset d from the line.
        Only displacements that contribute to the inertia of the model are included.
        """

    def path(self, motion: ElasticMotion, xi: np.ndarray) -> PointPath:
        """Positions, velocities and accelerations of points of the centreline, relative to the beam's frame."""

    def marker_path(self, motion: ElasticMotion, name: str) -> PointPath:
        """Position, velocity and acceleration of a marker relative to the beam's frame."""

    def point(self, eta: np.ndarray, xi: np.ndarray) -> np.ndarray:
        """Positions r of the points ξ (fractions of the beam length) of the centreline, deformed by elastic coordinates
        η, instants × positions × 3."""

    def deflection(self, eta: np.ndarray, xi: np.ndarray) -> np.ndarray:
        """Displacements r − r₀ of the points ξ (fractions of the beam length) of the centreline by elastic coordinates
        η, including second-order terms."""

    def slope(self, eta: np.ndarray, xi: np.ndarray) -> np.ndarray:
        """Slope d(r − r₀)/ds of the centreline at positions ξ (fractions of the beam length) for elastic coordinates η,
        with s the arc length."""

    def rotation(self, eta: np.ndarray, xi: np.ndarray) -> np.ndarray:
        """Rotation vectors (rad) of the sections at positions ξ (fractions of the beam length) for elastic coordinates
        η, instants × positions × 3."""

    def bending_moments(self, eta: np.ndarray, xi: np.ndarray) -> np.ndarray:
        """Bending moments E I κ (N m), with the curvatures κ, about the y and z axes of the sections at positions ξ
        (fractions of the beam length), instants × positions × 2."""


JUMP_OFFSET = 10 * COINCIDENCE
"""Distance between a discontinuity of section forces and the position sampled just before it, divided by the beam
length; larger than the distance within which two positions count as equal."""


def sampled_places(line: BeamCentreline, count: int) -> np.ndarray:
    """Positions ξ (fractions of the beam length) at which the largest values along a beam are searched, in increasing
    order.

    They are `count` equidistant positions, the nodes, and positions on both sides of corners and markers, because
    section forces and moments are discontinuous at markers with loads, and section axes change direction at corners.
    """
    jumps = np.array([*line.places.values(), *line.corners])
    before = jumps[jumps > JUMP_OFFSET] - JUMP_OFFSET
    return np.unique(np.concatenate([np.linspace(0.0, 1.0, count), line.nodes, before, jumps]))


def gauss_points(edges: np.ndarray, count: int = 6) -> tuple[np.ndarray, np.ndarray]:
    """Gauss points and their weights on the intervals between neighbouring `edges`; both arrays intervals × points."""
    (s, weight), spans = gauss_rule(count), np.diff(edges)
    return edges[:-1, None] + spans[:, None] * s, spans[:, None] * weight
