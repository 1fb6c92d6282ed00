"""What a link tells of itself along its line, so that its sections can be asked what they carry.

Places are ξ = s/L from marker `a`, vectors are along the axes of the link's own frame, arrays instants × places × 3.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from multiloop.flexible.uniform.shapes import gauss
from multiloop.model.beam import Beam
from multiloop.model.beam_line import SAME_PLACE

PointPath = tuple[np.ndarray, np.ndarray, np.ndarray]
"""r, ṙ and r̈ of points as seen from the link's frame, instants × places × 3."""


@dataclass(frozen=True, eq=False)
class ElasticMotion:
    """η of a link with its rates and accelerations, instants × e."""

    eta: np.ndarray
    rate: np.ndarray
    acceleration: np.ndarray


class Line(Protocol):
    """A link along its length, its parameters at their own values."""

    @property
    def beam(self) -> Beam:
        """As it is described."""

    @property
    def length(self) -> float:
        """L."""

    @property
    def places(self) -> Mapping[str, float]:
        """ξ of every marker: the place on the line that is nearest to it."""

    @property
    def nodes(self) -> np.ndarray:
        """ξ between which shapes are smooth."""

    @property
    def corners(self) -> np.ndarray:
        """ξ of its corners, where it has some."""

    @property
    def quadrature(self) -> int:
        """How many of Gauss's points between two nodes integrate products of shapes exactly."""

    @property
    def masses(self) -> Mapping[str, float]:
        """Point masses by marker."""

    @property
    def bent_axes(self) -> tuple[int, ...]:
        """Axes of the section about which its shapes bend it, 1 and 2 for y and z."""

    def section_at(self, name: str, xi: np.ndarray) -> np.ndarray:
        """A, Iz, Iy, y or z of the section at places."""

    def section_axes(self, xi: np.ndarray) -> np.ndarray:
        """Axes of the undeformed sections as columns, places × 3 × 3."""

    def mass_along(self, xi: np.ndarray) -> np.ndarray:
        """Mass of a metre at places."""

    def section_tensors(self, xi: np.ndarray) -> np.ndarray:
        """∫ d dᵀ dm of a metre, d from the line to points of the section, places × 3 × 3."""

    def section_path(self, motion: ElasticMotion, xi: np.ndarray) -> PointPath:
        """A, Ȧ and Ä of points d of sections, which move by A d as they weigh in, instants × places × 3 × 3."""

    def path(self, motion: ElasticMotion, xi: np.ndarray) -> PointPath:
        """How points of the line move."""

    def marker_path(self, motion: ElasticMotion, name: str) -> PointPath:
        """How a marker moves."""

    def point(self, eta: np.ndarray, xi: np.ndarray) -> np.ndarray:
        """r."""

    def deflection(self, eta: np.ndarray, xi: np.ndarray) -> np.ndarray:
        """r − r₀, shifts of second order included."""

    def slope(self, eta: np.ndarray, xi: np.ndarray) -> np.ndarray:
        """d(r − r₀)/ds."""

    def rotation(self, eta: np.ndarray, xi: np.ndarray) -> np.ndarray:
        """Rotation vectors of the sections."""

    def bending(self, eta: np.ndarray, xi: np.ndarray) -> np.ndarray:
        """E I times the curvature, about y and about z of the section, instants × places × 2."""


BEFORE = 10 * SAME_PLACE
"""Part of its length by which a place just before another one lies before it, and is not taken for that one."""


def looked_places(line: Line, count: int) -> np.ndarray:
    """ξ at which a link is looked at for what is largest along it, in order.

    They are `count` evenly spread ones, its nodes, and its corners and markers on both sides: forces at markers make
    moments and forces jump there, and axes turn at corners.
    """
    jumps = np.array([*line.places.values(), *line.corners])
    before = jumps[jumps > BEFORE] - BEFORE
    return np.unique(np.concatenate([np.linspace(0.0, 1.0, count), line.nodes, before, jumps]))


def gauss_points(edges: np.ndarray, count: int = 6) -> tuple[np.ndarray, np.ndarray]:
    """Gauss's points and weights between neighbouring edges, pieces × points."""
    (s, weight), spans = gauss(count), np.diff(edges)
    return edges[:-1, None] + spans[:, None] * s, spans[:, None] * weight
