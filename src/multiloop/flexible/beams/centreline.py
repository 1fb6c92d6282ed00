"""Interface of a beam's centreline: displacement, mass and stiffness along its length, for section forces.

Places are ξ = s/L from marker `a`, vectors are along the axes of the beam's own frame, arrays instants × places × 3.

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
"""r, ṙ and r̈ of points relative to the beam's frame, instants × places × 3."""


@dataclass(frozen=True, eq=False)
class ElasticMotion:
    """Elastic coordinates η of a body with their rates and accelerations, instants × e."""

    eta: np.ndarray
    rate: np.ndarray
    acceleration: np.ndarray


class BeamCentreline(Protocol):
    """A beam along its length, with the described values of its parameters."""

    @property
    def beam(self) -> Beam:
        """The description of the beam."""

    @property
    def length(self) -> float:
        """L, the length along the line (m)."""

    @property
    def places(self) -> Mapping[str, float]:
        """ξ of every marker: the place on the line that is nearest to it."""

    @property
    def nodes(self) -> np.ndarray:
        """ξ of the nodes between which shapes are smooth."""

    @property
    def corners(self) -> np.ndarray:
        """ξ of the corners of the centreline; empty for a straight beam."""

    @property
    def quadrature(self) -> int:
        """Number of Gauss points between two nodes that integrate products of shapes exactly."""

    @property
    def masses(self) -> Mapping[str, float]:
        """Point masses by marker, kg."""

    @property
    def bending_axes(self) -> tuple[int, ...]:
        """Axes of the section about which the modes bend the beam, 1 and 2 for y and z."""

    def section_at(self, name: str, xi: np.ndarray) -> np.ndarray:
        """The property `name` of the section (A, Iz, Iy, y or z) at places."""

    def section_axes(self, xi: np.ndarray) -> np.ndarray:
        """Axes of the undeformed sections as columns, places × 3 × 3."""

    def mass_along(self, xi: np.ndarray) -> np.ndarray:
        """Mass per unit length at places (kg/m)."""

    def section_tensors(self, xi: np.ndarray) -> np.ndarray:
        """∫ d dᵀ dm per unit length, with d from the line to points of the section, places × 3 × 3."""

    def section_path(self, motion: ElasticMotion, xi: np.ndarray) -> PointPath:
        """A, Ȧ and Ä, with A d the displacement of point d of a section, instants × places × 3 × 3.

        Only the displacements that enter the inertia are included.
        """

    def path(self, motion: ElasticMotion, xi: np.ndarray) -> PointPath:
        """Positions, velocities and accelerations of points of the line."""

    def marker_path(self, motion: ElasticMotion, name: str) -> PointPath:
        """Position, velocity and acceleration of a marker."""

    def point(self, eta: np.ndarray, xi: np.ndarray) -> np.ndarray:
        """Positions r of points of the line."""

    def deflection(self, eta: np.ndarray, xi: np.ndarray) -> np.ndarray:
        """Displacements r − r₀, second-order terms included."""

    def slope(self, eta: np.ndarray, xi: np.ndarray) -> np.ndarray:
        """Slope d(r − r₀)/ds of the line."""

    def rotation(self, eta: np.ndarray, xi: np.ndarray) -> np.ndarray:
        """Rotation vectors of the sections."""

    def bending_moments(self, eta: np.ndarray, xi: np.ndarray) -> np.ndarray:
        """Bending moments E I κ about y and about z of the section, instants × places × 2."""


JUMP_OFFSET = 10 * COINCIDENCE
"""Distance, as a part of the length, between a jump and the place just before it; larger than the distance within
which places are taken as equal."""


def sampled_places(line: BeamCentreline, count: int) -> np.ndarray:
    """ξ at which the largest values along a beam are searched, in increasing order.

    They are `count` equidistant places, its nodes, and both sides of its corners and markers: section forces and
    moments are discontinuous at markers with loads, and section axes change direction at corners.
    """
    jumps = np.array([*line.places.values(), *line.corners])
    before = jumps[jumps > JUMP_OFFSET] - JUMP_OFFSET
    return np.unique(np.concatenate([np.linspace(0.0, 1.0, count), line.nodes, before, jumps]))


def gauss_points(edges: np.ndarray, count: int = 6) -> tuple[np.ndarray, np.ndarray]:
    """Gauss points and weights between neighbouring edges, pieces × points."""
    (s, weight), spans = gauss_rule(count), np.diff(edges)
    return edges[:-1, None] + spans[:, None] * s, spans[:, None] * weight
