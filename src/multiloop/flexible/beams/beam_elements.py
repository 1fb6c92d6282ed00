"""Finite-element mesh of a beam: straight two-node elements along a polygonal centreline.

In the x–y plane of an element of length h, the deflection w, rotation θ and shear strain γ at 0 ≤ s ≤ 1 are (and
likewise in the x–z plane, with −θ_y for θ_z)

    w = N(s) (w₁, θ₁, w₂, θ₂),   θ = M(s) (w₁, θ₁, w₂, θ₂),   γ = w' − θ = const,      Φ = 12 E I / (κ G A h²)

Φ is the shear parameter of the element, with bending stiffness E I and shear stiffness κ G A. For Φ = 0 the functions N
are Hermite's cubics, and sections stay normal to the line. For Φ > 0, N and M are the exact shape functions of a
Timoshenko beam, so that elements do not lock. Stretching and torsion are linear along an element. In addition, each
element has internal (bubble) functions 4 s (1 − s); those of bending are used only with shear.

Lengths are divided by the length L along the centreline: positions are ξ = (arc length)/L, points r₀/L, rotations L θ.
Nodes lie at both ends, at corners and at markers; between these, elements are no longer than 1/`elements`.

Source: Timoshenko beam element, [przemieniecki]; the bubble functions are derived here.
Theory: docs/theory/10-flexible-bodies.md, eqs. (10.11), (10.12).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from multiloop.model.beams.beam_line import COINCIDENCE, piece_axes
from multiloop.spatial import cross_matrices

BUBBLE_AXES = (0, 3, 1, 2, 4, 5)
"""Component (x, y, z, rx, ry, rz as 0 … 5) of each bubble function of an element. Stretching (0) and torsion (3) come
first; the others are used only with shear."""

ELEMENT_COORDINATES = 12 + len(BUBBLE_AXES)
"""Number of coordinates of an element: x, y, z, rx, ry, rz of both ends, and amplitudes of its bubble functions."""

SHEAR_OF_ROTATION = {5: (1, -1.0), 4: (2, 1.0)}
"""For the rotation components ry (4) and rz (5): index (1 for γ_y, 2 for γ_z) of the shear strain to which the rotation
contributes, and the sign of the contribution. The strains are γ_y = y' − θ_z and γ_z = z' + θ_y."""

XZ_SIGNS = np.array([1.0, -1.0, 1.0, -1.0])
"""Factors of the shape functions of (w₁, θ₁, w₂, θ₂) in the x–z plane: −1 for rotations, because slopes are −θ_y."""


def element_motion(s: np.ndarray, h: float, shear: tuple[float, float]) -> np.ndarray:
    """Displacements t and rotations θ of sections of an element per unit of each coordinate, positions × 6 × 18.

    `s` are positions in the element from 0 to 1, `h` its length, and `shear` the shear parameters Φ for bending along y
    and along z. Components are along the axes of the element.
    """
    found = np.zeros((len(s), 6, ELEMENT_COORDINATES))
    for axis in (0, 3):
        found[:, axis, axis], found[:, axis, 6 + axis] = 1 - s, s
    for k, axis in enumerate(BUBBLE_AXES, start=12):
        found[:, axis, k] = 4 * s * (1 - s)
    for line, turn, sign, phi in ((1, 5, 1.0, shear[0]), (2, 4, -1.0, shear[1])):
        at = [line, turn, 6 + line, 6 + turn]
        scale = np.ones(4) if sign > 0 else XZ_SIGNS
        found[:, line, at] = _deflections(s, h, phi).T * scale
        found[:, turn, at] = sign * _slopes(s, h, phi).T * scale
    return found


def element_strain(s: np.ndarray, h: float, shear: tuple[float, float]) -> np.ndarray:
    """Strains of an element per unit of each coordinate, positions × 6 × 18; the arguments are as in `element_motion`.

    They are the axial strain ε, the shear strains γ_y and γ_z, the torsion κ_x, and the curvatures κ_y and κ_z.
    """
    found = np.zeros((len(s), 6, ELEMENT_COORDINATES))
    for axis in (0, 3):
        found[:, axis, axis], found[:, axis, 6 + axis] = -1 / h, 1 / h
    for k, axis in enumerate(BUBBLE_AXES, start=12):
        found[:, axis, k] = 4 * (1 - 2 * s) / h
        if axis in SHEAR_OF_ROTATION:
            row, sign = SHEAR_OF_ROTATION[axis]
            found[:, row, k] = sign * 4 * s * (1 - s)
    for line, turn, sign, phi in ((1, 5, 1.0, shear[0]), (2, 4, -1.0, shear[1])):
        at = [line, turn, 6 + line, 6 + turn]
        scale = np.ones(4) if sign > 0 else XZ_SIGNS
        found[:, line, at] = -phi / (1 + phi) * np.array([1 / h, 0.5, -1 / h, 0.5]) * scale
        found[:, turn, at] = sign * _curvatures(s, h, phi).T * scale
    return found


def _deflections(s: np.ndarray, h: float, phi: float) -> np.ndarray:
    rows = [
        1 - 3 * s**2 + 2 * s**3 + phi * (1 - s),
        h * (s - 2 * s**2 + s**3 + phi / 2 * (s - s**2)),
        3 * s**2 - 2 * s**3 + phi * s,
        h * (s**3 - s**2 - phi / 2 * (s - s**2)),
    ]
    return np.array(rows) / (1 + phi)


def _slopes(s: np.ndarray, h: float, phi: float) -> np.ndarray:
    rows = [
        6 * (s**2 - s) / h,
        1 - 4 * s + 3 * s**2 + phi * (1 - s),
        6 * (s - s**2) / h,
        3 * s**2 - 2 * s + phi * s,
    ]
    return np.array(rows) / (1 + phi)


def _curvatures(s: np.ndarray, h: float, phi: float) -> np.ndarray:
    rows = [6 * (2 * s - 1) / h, -4 + 6 * s - phi, 6 * (1 - 2 * s) / h, 6 * s - 2 + phi]
    return np.array(rows) / (h * (1 + phi))


@dataclass(frozen=True, eq=False)
class BeamMesh:
    """Finite-element mesh of a beam.

    `corners` are the corners of the centreline divided by the beam length L (points × 3), `nodes` the positions ξ of
    the nodes (fractions of L), and `shear` the shear parameters Φ of each element for bending along its y and z axes
    (elements × 2).
    """

    corners: np.ndarray
    nodes: np.ndarray
    shear: np.ndarray

    @property
    def elements(self) -> int:
        """Number of elements."""
        return len(self.nodes) - 1

    @property
    def count(self) -> int:
        """Number of coordinates: x, y, z, rx, ry, rz of each node, then the bubble amplitudes of each element."""
        return 6 * len(self.nodes) + len(BUBBLE_AXES) * self.elements

    @cached_property
    def corner_places(self) -> np.ndarray:
        """Positions ξ (fractions of the beam length) of the corners of the centreline, including both ends."""
        steps = np.linalg.norm(np.diff(self.corners, axis=0), axis=1)
        return np.asarray(np.concatenate([[0.0], np.cumsum(steps)]) / steps.sum())

    @cached_property
    def axes(self) -> np.ndarray:
        """Axes x, y, z of each straight piece of the centreline as columns of matrices, pieces × 3 × 3."""
        return np.array([piece_axes(direction) for direction in np.diff(self.corners, axis=0)])

    def element_at(self, xi: np.ndarray) -> np.ndarray:
        """Index of the element at each position ξ (fraction of the beam length); at a node, the element that begins at
        this node."""
        found: np.ndarray = np.clip(
            np.searchsorted(self.nodes, xi + COINCIDENCE, "right") - 1, 0, self.elements - 1
        )
        return found

    def local_coordinate(self, xi: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Local coordinate 0 … 1 of each position ξ (fraction of the beam length) within its element, and the length of
        this element divided by the beam length L."""
        k = self.element_at(xi)
        h = np.diff(self.nodes)[k]
        return (xi - self.nodes[k]) / h, h

    def piece_at(self, xi: np.ndarray) -> np.ndarray:
        """Index of the straight piece at each position ξ (fraction of the beam length); at a corner, the piece that
        begins at this corner."""
        last = len(self.corners) - 2
        found: np.ndarray = np.clip(
            np.searchsorted(self.corner_places, xi + COINCIDENCE, "right") - 1, 0, last
        )
        return found

    def axes_at(self, xi: np.ndarray) -> np.ndarray:
        """Axes of the undeformed sections at positions ξ (fractions of the beam length) as columns of matrices,
        positions × 3 × 3."""
        return np.asarray(self.axes[self.piece_at(xi)])

    def point(self, xi: np.ndarray) -> np.ndarray:
        """Points of the undeformed centreline, divided by the beam length, at positions ξ (fractions of the beam
        length), positions × 3."""
        piece = self.piece_at(xi)
        ahead = (xi - self.corner_places[piece])[:, None]
        return np.asarray(self.corners[piece] + ahead * self.axes[piece, :, 0])

    def nearest_place(self, point: np.ndarray) -> float:
        """Position ξ (fraction of the beam length) on the centreline that is nearest to a point, given by its position
        divided by the beam length."""
        ways, steps = self.axes[:, :, 0], np.diff(self.corner_places)
        ahead = np.clip(np.einsum("pk,pk->p", point - self.corners[:-1], ways), 0.0, steps)
        away = np.linalg.norm(point - self.corners[:-1] - ahead[:, None] * ways, axis=1)
        best = int(np.argmin(away.round(12)))
        return float(min(self.corner_places[best] + ahead[best], 1.0))

    # displacements and strains along the beam -----------------------------------------------------------------

    def motion(self, xi: np.ndarray) -> np.ndarray:
        """Displacement t and rotation L θ of the sections at ξ per unit of each coordinate, positions × 6 ×
        coordinates.

        L is the beam length, and the positions ξ are fractions of L. Components are along the axes of the beam's own
        frame.
        """
        return self._interpolation(xi, element_motion, back=True)

    def strain(self, xi: np.ndarray) -> np.ndarray:
        """Strains at positions ξ (fractions of the beam length) per unit of each coordinate, positions × 6 ×
        coordinates.

        They are the axial strain ε, the shear strains γ_y and γ_z, the torsion κ_x, and the curvatures κ_y and κ_z,
        along the axes of the section at each position.
        """
        return self._interpolation(xi, element_strain, back=False)

    def _interpolation(self, xi: np.ndarray, read: object, back: bool) -> np.ndarray:
        found, where = np.zeros((len(xi), 6, self.count)), self.element_at(xi)
        for k in np.unique(where):
            here, h = where == k, self.nodes[k + 1] - self.nodes[k]
            s = (xi[here] - self.nodes[k]) / h
            R = self.axes_at(self.nodes[k : k + 1] + h / 2)[0]
            turned = np.kron(np.eye(4), R.T)
            local = read(s, h, tuple(self.shear[k]))  # type: ignore[operator]
            local[:, :, :12] = local[:, :, :12] @ turned
            if back:
                local = np.kron(np.eye(2), R) @ local
            found[np.ix_(np.flatnonzero(here), np.arange(6), np.array(self.element_coordinates(int(k))))] = (
                local
            )
        return found

    def element_coordinates(self, element: int) -> list[int]:
        """Indices, among all coordinates of the mesh, of the coordinates of one element."""
        bubbles = 6 * len(self.nodes) + len(BUBBLE_AXES) * element
        return [*range(6 * element, 6 * element + 12), *range(bubbles, bubbles + len(BUBBLE_AXES))]

    def node_at(self, xi: float) -> int:
        """Index of the node nearest to a position ξ (fraction of the beam length)."""
        return int(np.argmin(np.abs(self.nodes - xi)))

    def rigid_motions(self) -> np.ndarray:
        """Rigid-body motions of the mesh along x, y, z and about x, y, z as columns, coordinates × 6."""
        found = np.zeros((self.count, 6))
        for k, r in enumerate(self.point(self.nodes)):
            found[6 * k : 6 * k + 6] = np.eye(6)
            found[6 * k : 6 * k + 3, 3:] = -cross_matrices(r)
        return found


def node_places(corners: np.ndarray, markers: np.ndarray, elements: int) -> np.ndarray:
    """Positions ξ (fractions of the beam length) of all nodes of a mesh.

    Nodes are at all corners and markers, and elements are no longer than 1/`elements` of the beam length.
    """
    fixed = np.unique(np.concatenate([corners, np.clip(markers, 0.0, 1.0)]))
    fixed = fixed[np.concatenate([[True], np.diff(fixed) > 1e-6])]
    fixed[-1] = 1.0
    gaps = [
        np.linspace(one, other, max(1, int(np.ceil((other - one) * elements - 1e-6))) + 1)[:-1]
        for one, other in pairwise(fixed)
    ]
    return np.concatenate([*gaps, [1.0]])
