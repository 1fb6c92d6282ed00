"""Finite-element model of a beam: mass and stiffness matrices from centreline, sections, material and point masses.

    M = ∫ (ρ A tᵀt + ρ θᵀ I θ) dx + Σ m tᵀt,      K = ∫ (E A ε² + κ G A γ² + G J κ_x² + E Iy κ_y² + E Iz κ_z²) dx

ρ is the density, A the area, I are the second moments of area, m the point masses, E and G the moduli, κ is the shear
factor and J the torsion constant. t and θ are the displacement and rotation of a section per unit of each coordinate; ε
is the axial strain, γ the shear strain, κ_x the torsion, and κ_y and κ_z are the curvatures, also per unit of each
coordinate: squares stand for products such as εᵀε. The rotary inertia of sections is included for torsion, and for
bending only if the beam has shear deformation (Timoshenko beam). Lengths are divided by the length L of the beam, as in
`beam_elements`. Parameters have the values given in the description of the beam.

Derived here: kinetic and strain energy of a beam with stretching, bending in two planes, shear and torsion.

Theory: docs/theory/10-flexible-bodies.md, section 10.5.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.polynomial import polynomial

from multiloop.flexible.beams.beam_elements import BeamMesh, node_places
from multiloop.flexible.beams.uniform_modes import gauss_rule
from multiloop.model import nominal_value
from multiloop.model.beams.beam import Beam
from multiloop.model.beams.beam_line import COINCIDENCE
from multiloop.model.beams.sections import section_properties

POINTS = 8
"""Number of Gauss points per element, enough to integrate products of two second-order displacement fields on a tapered
beam exactly."""

STIFFNESS = {"EA": (0,), "GAs": (1, 2), "GJ": (3,), "EIy": (4,), "EIz": (5,)}
"""For each stiffness of a section, the indices of the strains that it resists in (ε, γ_y, γ_z, κ_x, κ_y, κ_z)."""


@dataclass(frozen=True, eq=False)
class BeamModel:
    """Finite-element model of one beam, with numbers for all parameters."""

    beam: Beam

    @cached_property
    def length(self) -> float:
        """Length L of the beam along its centreline (m)."""
        return nominal_value(self.beam.length)

    @cached_property
    def section_polynomials(self) -> dict[str, np.ndarray]:
        """Coefficients of the section properties as polynomials in ξ = s/L (arc length s, beam length L), by the name
        of the property."""
        found = section_properties(self.beam.section, self.beam.section_at_b)
        return {name: np.array([nominal_value(c) for c in parts]) for name, parts in found.items()}

    def section(self, name: str, xi: np.ndarray) -> np.ndarray:
        """Values of the section property `name` at positions ξ (fractions of the beam length)."""
        return np.asarray(polynomial.polyval(xi, self.section_polynomials[name]))

    @cached_property
    def mesh(self) -> BeamMesh:
        """Finite-element mesh of the beam: centreline, nodes and shear parameters."""
        corners = line_corners(self.beam)
        bare = BeamMesh(corners, np.array([0.0, 1.0]), np.zeros((1, 2)))
        places = np.array([bare.nearest_place(self.marker_point(name)) for name, _ in self.beam.markers])
        nodes = node_places(bare.corner_places, places, self.beam.elements)
        return BeamMesh(corners, nodes, self._shear_parameters(nodes))

    def _shear_parameters(self, nodes: np.ndarray) -> np.ndarray:
        """Shear parameters Φ = 12 E I / (κ G A h²) of each element of length h at its midpoint, with bending stiffness
        E I and shear stiffness κ G A, for bending along y and along z."""
        h, middle = np.diff(nodes) * self.length, (nodes[1:] + nodes[:-1]) / 2
        if not self.beam.shear:
            return np.zeros((len(h), 2))
        soft = nominal_value(self.beam.G) * self.section("As", middle) * h**2
        about = [self.section(name, middle) for name in ("Iz", "Iy")]
        return np.column_stack([12 * nominal_value(self.beam.E) * I / soft for I in about])

    def marker_point(self, name: str) -> np.ndarray:
        """Position of a marker in the beam's own frame, divided by the length L."""
        point = (*self.beam.marker(name).point, 0.0, 0.0)[:3]
        return np.array([nominal_value(c) for c in point]) / self.length

    @cached_property
    def places(self) -> dict[str, float]:
        """For every marker, the position ξ (fraction of the beam length) of the nearest point of the centreline."""
        return {name: self.mesh.nearest_place(self.marker_point(name)) for name in self.beam.marker_names}

    def lever(self, name: str) -> np.ndarray:
        """Offset of a marker from the nearest point of the centreline, divided by the beam length L; zero for a marker
        on the line."""
        away = self.marker_point(name) - self.mesh.point(np.array([self.places[name]]))[0]
        return np.where(np.abs(away) > COINCIDENCE, away, 0.0)

    # mass and stiffness matrices ------------------------------------------------------------------------------

    @cached_property
    def gauss_points(self) -> tuple[np.ndarray, np.ndarray]:
        """Positions ξ (fractions of the beam length) and weights of the Gauss points of all elements."""
        s, weight = gauss_rule(POINTS)
        h = np.diff(self.mesh.nodes)[:, None]
        return (self.mesh.nodes[:-1, None] + h * s).ravel(), (h * weight).ravel()

    @cached_property
    def matrices(self) -> tuple[np.ndarray, np.ndarray]:
        """Mass matrix M (kg) and stiffness matrix K (N/m) over all coordinates of the mesh."""
        xi, weight = self.gauss_points
        motion, strain, L = self.mesh.motion(xi), self.mesh.strain(xi), self.length
        line = nominal_value(self.beam.density) * L * weight
        M = _weighted_gram(motion[:, :3], motion[:, :3], line * self.section("A", xi))
        spin = (
            np.einsum("nik,nic->nkc", self.mesh.axes_at(xi), motion[:, 3:]) / L
        )  # rotation vectors in components along the axes of the section
        about = {"Iy": self.section("Iy", xi), "Iz": self.section("Iz", xi)}
        turning = {0: about["Iy"] + about["Iz"], 1: about["Iy"], 2: about["Iz"]}
        for axis in range(3) if self.beam.shear else range(1):
            M += _weighted_gram(spin[:, axis : axis + 1], spin[:, axis : axis + 1], line * turning[axis])
        for name, mass in self.beam.masses:
            at = self.marker_motion(name)
            M += nominal_value(mass) * at.T @ at
        K = np.zeros_like(M)
        for name, rows in STIFFNESS.items():
            if name == "GAs" and not self.beam.shear:
                continue
            part = strain[:, rows]
            K += _weighted_gram(part, part, weight * self.stiffness(name, xi))
        return M, K

    def stiffness(self, name: str, xi: np.ndarray) -> np.ndarray:
        """The stiffness `name` ("EA", "GAs", "GJ", "EIy" or "EIz") at positions ξ (fractions of the beam length), as E
        A/L or E I/L³ (N/m) with the beam length L."""
        modulus, over = nominal_value(self.beam.G if name[0] == "G" else self.beam.E), 1 if "A" in name else 3
        return np.asarray(modulus * self.section(name[1:], xi) / self.length**over)

    def marker_motion(self, name: str) -> np.ndarray:
        """Displacement of a marker per unit of each coordinate of the mesh, 3 × coordinates."""
        at = self.mesh.motion(np.array([self.places[name]]))[0]
        found: np.ndarray = at[:3] + np.cross(at[3:].T, self.lever(name)).T
        return found


def _weighted_gram(one: np.ndarray, other: np.ndarray, weight: np.ndarray) -> np.ndarray:
    found: np.ndarray = np.einsum("nia,nib,n->ab", one, other, weight, optimize=True)
    return found


def line_corners(beam: Beam) -> np.ndarray:
    """Corner points of the polygonal centreline of a beam, divided by its length, points × 3."""
    if not beam.through:
        return np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    points = np.array([[nominal_value(c) for c in (*point, 0.0, 0.0)[:3]] for point in beam.through])
    return points / nominal_value(beam.length)


@lru_cache(maxsize=64)
def beam_model(beam: Beam) -> BeamModel:
    """Finite-element model of a beam; recent results are cached."""
    return BeamModel(beam)
