"""Displacement, mass and stiffness along the centreline of a uniform straight beam with numerical parameters.

    r(x) = (x + Ψ_x η − ½ Σ ∫₀ˣ (w')² dx,  Ψ_y η,  Ψ_z η)

r is the position in the beam's own frame of the point at the distance x from marker `a`, Ψ are the mode shapes, η the
elastic coordinates, and w = Ψ_y η and Ψ_z η the deflections. Positions along the beam of length L are ξ = x/L; arrays
of vectors are instants × positions × 3.

Derived here; the axial shortening is that of `Foreshortening`.
Theory: docs/theory/10-flexible-bodies.md, eqs. (10.10), (10.22), (10.23).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from multiloop.flexible.beams.centreline import ElasticMotion, PointPath, gauss_points
from multiloop.flexible.beams.uniform_modes import DEFLECTION_AXIS, SLOPE_AXIS, Basis, beam_basis
from multiloop.flexible.beams.uniform_reduction import Foreshortening, beam_foreshortening
from multiloop.model import nominal_value
from multiloop.model.beams.beam import Beam
from multiloop.spatial import cross_matrices


@dataclass(frozen=True, eq=False)
class UniformCentreline:
    """Centreline of a uniform beam, with its parameters as given by the user; see `BeamCentreline`."""

    beam: Beam

    @cached_property
    def length(self) -> float:
        """Length L of the beam (m)."""
        return nominal_value(self.beam.length)

    @cached_property
    def line_mass(self) -> float:
        """Mass per unit length (kg/m)."""
        return nominal_value(self.beam.mass) / self.length

    @cached_property
    def section_masses(self) -> tuple[float, float]:
        """Mass integrals ∫ y² dm and ∫ z² dm per unit length (kg m), with y and z measured from the centreline."""
        density, section = nominal_value(self.beam.density), self.beam.section
        return density * nominal_value(section.Iz), density * nominal_value(section.Iy)

    @cached_property
    def bending_stiffness(self) -> tuple[float, float]:
        """Bending stiffnesses E Iy and E Iz (N m²) about the y and z axes."""
        E, section = nominal_value(self.beam.E), self.beam.section
        return E * nominal_value(section.Iy), E * nominal_value(section.Iz)

    @cached_property
    def places(self) -> dict[str, float]:
        """Position ξ (fraction of the beam length) of the projection of each marker on the centreline."""
        points = {name: nominal_value(self.beam.marker(name).point[0]) for name in self.beam.marker_names}
        return {name: float(np.clip(x / self.length, 0.0, 1.0)) for name, x in points.items()}

    @cached_property
    def nodes(self) -> np.ndarray:
        """Positions ξ (fractions of the beam length) of the ends of all elements; mode shapes are smooth within each
        element."""
        return np.linspace(0.0, 1.0, self.beam.elements + 1)

    corners = np.zeros(0)
    """Positions ξ of corners of the centreline: empty, because a uniform beam is straight."""

    quadrature = 6
    """Number of Gauss points per element; exact for products of two mode shapes."""

    @property
    def masses(self) -> dict[str, float]:
        """Point masses by marker: empty, because a beam with point masses is reduced by finite elements."""
        return {}

    @property
    def bending_axes(self) -> tuple[int, ...]:
        """Indices of the section axes about which the modes bend the beam: 1 for y, 2 for z."""
        return tuple(SLOPE_AXIS[direction][0] for direction, _ in self.beam.modes if direction in SLOPE_AXIS)

    def section_at(self, name: str, xi: np.ndarray) -> np.ndarray:
        """The section property `name` at positions ξ (fractions of the beam length); constant along the beam."""
        return np.full(len(xi), nominal_value(getattr(self.beam.section, name)))

    def section_axes(self, xi: np.ndarray) -> np.ndarray:
        """Axes of the undeformed sections, positions × 3 × 3; equal to the axes of the beam's own frame."""
        return np.broadcast_to(np.eye(3), (len(xi), 3, 3))

    def mass_along(self, xi: np.ndarray) -> np.ndarray:
        """Mass per unit length (kg/m) at positions ξ (fractions of the beam length); constant along the beam."""
        return np.full(len(xi), self.line_mass)

    def section_tensors(self, xi: np.ndarray) -> np.ndarray:
        """Second mass moments ∫ d dᵀ dm of the sections per unit length, positions × 3 × 3; d is the vector from the
        centreline to a point of the section."""
        return np.broadcast_to(np.diag([0.0, *self.section_masses]), (len(xi), 3, 3))

    # mode shapes ----------------------------------------------------------------------------------------------

    @property
    def _basis(self) -> Basis:
        return beam_basis(self.beam)

    def displacement_shapes(self, xi: np.ndarray, order: int = 0) -> np.ndarray:
        """Mode shapes Ψ of points of the centreline, or their derivatives of the given order with respect to the
        distance x along the beam.

        Returns modes × positions × 3.
        """
        values = self._basis.at(xi, order) / self.length**order
        found = np.zeros((*values.shape, 3))
        for i, (direction, _) in enumerate(self.beam.ways):
            if direction in DEFLECTION_AXIS:
                found[i, :, DEFLECTION_AXIS[direction]] = values[i]
        return found

    def rotation_shapes(self, xi: np.ndarray) -> np.ndarray:
        """Rotation vectors of the sections per unit of each elastic coordinate, coordinates × positions × 3."""
        values, slopes = self._basis.at(xi, 0), self._basis.at(xi, 1) / self.length
        found = np.zeros((*values.shape, 3))
        for i, (direction, _) in enumerate(self.beam.ways):
            if direction == "twist":
                found[i, :, 0] = values[i]
            elif direction in SLOPE_AXIS:
                axis, sign = SLOPE_AXIS[direction]
                found[i, :, axis] = sign * slopes[i]
        return found

    def section_path(self, motion: ElasticMotion, xi: np.ndarray) -> PointPath:
        """Skew-symmetric matrices θ̃ of the rotations θ of sections about the centreline, with two time derivatives.

        Rotations due to bending are omitted, because the rotary inertia of sections in bending is neglected.
        """
        about = np.where(np.array([True, False, False]), self.rotation_shapes(xi), 0.0)
        turns = [np.tensordot(x, about, 1) for x in (motion.eta, motion.rate, motion.acceleration)]
        return cross_matrices(turns[0]), cross_matrices(turns[1]), cross_matrices(turns[2])

    def curvatures(self, xi: np.ndarray) -> np.ndarray:
        """Curvatures about y and about z per unit of each elastic coordinate, coordinates × positions × 2.

        φ'' = φ_h'' + λ φ h²/24 (2 − 12 t + 12 t²),   0 ≤ t ≤ 1 over an element of length h

        φ is a natural mode, whose fourth derivative is λ φ, and φ_h its approximation by cubic elements, which does not
        contain the last term. Without this term the moments at nodes have an error of λ h²/12, that is 0.3 % for the
        first mode on 16 elements. Derived here: for an element under a uniform load p, cubic shape functions lack
        p h²/12 of the moments at its ends.
        """
        n, xi = self.beam.elements, np.asarray(xi)
        t = xi * n - np.clip((xi * n).astype(int), 0, n - 1)
        left = (2 - 12 * t + 12 * t * t) / (24 * n * n)
        values, bent = self._basis.at(xi, 0), self._basis.at(xi, 2)
        found = np.zeros((*values.shape, 2))
        for i, (direction, _) in enumerate(self.beam.ways):
            if direction in SLOPE_AXIS:
                axis, sign = SLOPE_AXIS[direction]
                found[i, :, axis - 1] = sign * (bent[i] + self._eigenvalues[i] * values[i] * left)
        return found / self.length**2

    @cached_property
    def _eigenvalues(self) -> np.ndarray:
        """Eigenvalue λ = ∫ φ''² dξ / ∫ φ² dξ of each mode shape φ."""
        xi, weight = (x.ravel() for x in gauss_points(self.nodes))
        found: np.ndarray = (self._basis.at(xi, 2) ** 2 @ weight) / (self._basis.at(xi, 0) ** 2 @ weight)
        return found

    def _axial_shortening(self, one: np.ndarray, other: np.ndarray, xi: np.ndarray) -> np.ndarray:
        """Bilinear form Σ B_ij η_i ζ_j / L of the axial shortening, instants × positions.

        η and ζ are two sets of elastic coordinates (`one`, `other`), B_ij the foreshortening integrals of all pairs of
        modes, which are zero for a beam without geometric stiffness, and L the length of the beam.
        """
        of_forms = ((one @ self._foreshortening.forms) * other).sum(axis=-1)
        found: np.ndarray = of_forms.T @ self._foreshortening.functions(xi) / self.length
        return found

    @property
    def _foreshortening(self) -> Foreshortening:
        return beam_foreshortening(self.beam)

    # motion of the deformed centreline ------------------------------------------------------------------------

    def deflection(self, eta: np.ndarray, xi: np.ndarray) -> np.ndarray:
        """Displacements r − r₀ of the points ξ (fractions of the beam length) of the centreline by elastic coordinates
        η, including second-order terms."""
        found: np.ndarray = np.tensordot(eta, self.displacement_shapes(xi), 1)
        found[..., 0] += self._axial_shortening(eta, eta, xi) / 2
        return found

    def slope(self, eta: np.ndarray, xi: np.ndarray) -> np.ndarray:
        """Slope d(r − r₀)/dx of the centreline, including the axial shortening −½ w'² by the deflection w."""
        found: np.ndarray = np.tensordot(eta, self.displacement_shapes(xi, 1), 1)
        if self.beam.stiffening:
            found[..., 0] -= (found[..., 1:] ** 2).sum(axis=-1) / 2
        return found

    def rotation(self, eta: np.ndarray, xi: np.ndarray) -> np.ndarray:
        """Rotation vectors (rad) of the sections at positions ξ (fractions of the beam length) for elastic coordinates
        η, instants × positions × 3."""
        found: np.ndarray = np.tensordot(eta, self.rotation_shapes(xi), 1)
        return found

    def point(self, eta: np.ndarray, xi: np.ndarray) -> np.ndarray:
        """Positions r of the points ξ (fractions of the beam length) of the centreline, deformed by elastic coordinates
        η, instants × positions × 3."""
        found = self.deflection(eta, xi)
        found[..., 0] += self.length * xi
        return found

    def path(self, motion: ElasticMotion, xi: np.ndarray) -> PointPath:
        """Positions r, velocities ṙ and accelerations r̈ of points of the centreline, relative to the beam's frame."""
        eta, rate, acceleration = motion.eta, motion.rate, motion.acceleration
        shapes = self.displacement_shapes(xi)

        def moved(x: np.ndarray, *drawn: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
            found: np.ndarray = np.tensordot(x, shapes, 1)
            for one, other in drawn:
                found[..., 0] += self._axial_shortening(one, other, xi)
            return found

        return (
            self.point(eta, xi),
            moved(rate, (eta, rate)),
            moved(acceleration, (eta, acceleration), (rate, rate)),
        )

    def marker_path(self, motion: ElasticMotion, name: str) -> PointPath:
        """Position, velocity and acceleration of the point of the centreline on which a marker is projected."""
        return self.path(motion, np.array([self.places[name]]))

    def bending_moments(self, eta: np.ndarray, xi: np.ndarray) -> np.ndarray:
        """Bending moments E I κ (N m), with the curvatures κ, about the y and z axes of the sections at positions ξ
        (fractions of the beam length), instants × positions × 2."""
        found: np.ndarray = np.tensordot(eta, self.curvatures(xi), 1) * np.array(self.bending_stiffness)
        return found


def uniform_centreline(beam: Beam) -> UniformCentreline:
    """Centreline of a uniform beam, with numbers for its parameters."""
    return UniformCentreline(beam)
