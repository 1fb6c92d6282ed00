"""The centreline of a uniform straight beam in numbers: displacement, mass and stiffness along its length.

    r(x) = (x + Ψ_x η − ½ Σ ∫₀ˣ (w')² dx,  Ψ_y η,  Ψ_z η)      in the beam's own frame, x from marker `a`

Places are given as ξ = x/L, arrays are instants × places × 3.

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
    """A uniform beam along its length, with the described values of its parameters; see `BeamCentreline`."""

    beam: Beam

    @cached_property
    def length(self) -> float:
        """L (m)."""
        return nominal_value(self.beam.length)

    @cached_property
    def line_mass(self) -> float:
        """Mass per unit length (kg/m)."""
        return nominal_value(self.beam.mass) / self.length

    @cached_property
    def section_masses(self) -> tuple[float, float]:
        """∫ y² dm and ∫ z² dm per unit length."""
        density, section = nominal_value(self.beam.density), self.beam.section
        return density * nominal_value(section.Iz), density * nominal_value(section.Iy)

    @cached_property
    def bending_stiffness(self) -> tuple[float, float]:
        """Bending stiffnesses E Iy and E Iz about y and about z."""
        E, section = nominal_value(self.beam.E), self.beam.section
        return E * nominal_value(section.Iy), E * nominal_value(section.Iz)

    @cached_property
    def places(self) -> dict[str, float]:
        """ξ of the projection of each marker on the line."""
        points = {name: nominal_value(self.beam.marker(name).point[0]) for name in self.beam.marker_names}
        return {name: float(np.clip(x / self.length, 0.0, 1.0)) for name, x in points.items()}

    @cached_property
    def nodes(self) -> np.ndarray:
        """ξ of the ends of all elements, within which mode shapes are smooth."""
        return np.linspace(0.0, 1.0, self.beam.elements + 1)

    corners = np.zeros(0)
    """Empty, because the beam is straight."""

    quadrature = 6
    """Gauss points per element; exact for products of two mode shapes."""

    @property
    def masses(self) -> dict[str, float]:
        """Point masses by marker: empty, because a beam with point masses is reduced by finite elements."""
        return {}

    @property
    def bending_axes(self) -> tuple[int, ...]:
        """Axes of the section about which its modes bend it."""
        return tuple(SLOPE_AXIS[way][0] for way, _ in self.beam.modes if way in SLOPE_AXIS)

    def section_at(self, name: str, xi: np.ndarray) -> np.ndarray:
        """A property of the section, constant along the beam."""
        return np.full(len(xi), nominal_value(getattr(self.beam.section, name)))

    def section_axes(self, xi: np.ndarray) -> np.ndarray:
        """Axes of the undeformed sections: those of the frame."""
        return np.broadcast_to(np.eye(3), (len(xi), 3, 3))

    def mass_along(self, xi: np.ndarray) -> np.ndarray:
        """Mass per unit length at places (kg/m)."""
        return np.full(len(xi), self.line_mass)

    def section_tensors(self, xi: np.ndarray) -> np.ndarray:
        """∫ d dᵀ dm per unit length, places × 3 × 3."""
        return np.broadcast_to(np.diag([0.0, *self.section_masses]), (len(xi), 3, 3))

    # shapes ---------------------------------------------------------------------------------------------------

    @property
    def _basis(self) -> Basis:
        return beam_basis(self.beam)

    def displacement_shapes(self, xi: np.ndarray, order: int = 0) -> np.ndarray:
        """Mode shapes Ψ of points of the line, or their derivative of an order with respect to x, e × places × 3."""
        values = self._basis.at(xi, order) / self.length**order
        found = np.zeros((*values.shape, 3))
        for i, (way, _) in enumerate(self.beam.ways):
            if way in DEFLECTION_AXIS:
                found[i, :, DEFLECTION_AXIS[way]] = values[i]
        return found

    def rotation_shapes(self, xi: np.ndarray) -> np.ndarray:
        """Rotation vectors of the sections per unit of each coordinate, e × places × 3."""
        values, slopes = self._basis.at(xi, 0), self._basis.at(xi, 1) / self.length
        found = np.zeros((*values.shape, 3))
        for i, (way, _) in enumerate(self.beam.ways):
            if way == "twist":
                found[i, :, 0] = values[i]
            elif way in SLOPE_AXIS:
                axis, sign = SLOPE_AXIS[way]
                found[i, :, axis] = sign * slopes[i]
        return found

    def section_path(self, motion: ElasticMotion, xi: np.ndarray) -> PointPath:
        """Rotations of the sections about the line; their rotary inertia in bending is neglected."""
        about = np.where(np.array([True, False, False]), self.rotation_shapes(xi), 0.0)
        turns = [np.tensordot(x, about, 1) for x in (motion.eta, motion.rate, motion.acceleration)]
        return cross_matrices(turns[0]), cross_matrices(turns[1]), cross_matrices(turns[2])

    def curvatures(self, xi: np.ndarray) -> np.ndarray:
        """Curvatures about y and about z per unit of each coordinate, e × places × 2.

        φ'' = φ_h'' + λ φ h²/24 (2 − 12 t + 12 t²),   0 ≤ t ≤ 1 over an element of length h

        Cubic elements φ_h do not contain the last term of a natural mode, whose fourth derivative is λ φ: without it
        the moments at nodes have an error of λ h²/12, that is 0.3 % for the first mode on 16 elements. Derived here:
        for an element under a uniform load p, cubics lack p h²/12 of the moments at its ends.
        """
        n, xi = self.beam.elements, np.asarray(xi)
        t = xi * n - np.clip((xi * n).astype(int), 0, n - 1)
        left = (2 - 12 * t + 12 * t * t) / (24 * n * n)
        values, bent = self._basis.at(xi, 0), self._basis.at(xi, 2)
        found = np.zeros((*values.shape, 2))
        for i, (way, _) in enumerate(self.beam.ways):
            if way in SLOPE_AXIS:
                axis, sign = SLOPE_AXIS[way]
                found[i, :, axis - 1] = sign * (bent[i] + self._eigenvalues[i] * values[i] * left)
        return found / self.length**2

    @cached_property
    def _eigenvalues(self) -> np.ndarray:
        """Eigenvalue λ = ∫ φ''² dξ / ∫ φ² dξ of each mode."""
        xi, weight = (x.ravel() for x in gauss_points(self.nodes))
        found: np.ndarray = (self._basis.at(xi, 2) ** 2 @ weight) / (self._basis.at(xi, 0) ** 2 @ weight)
        return found

    def _axial_shortening(self, one: np.ndarray, other: np.ndarray, xi: np.ndarray) -> np.ndarray:
        """Σ_ij B_ij η_i η_j / L for two sets of coordinates, instants × places; zero without stiffening."""
        of_forms = ((one @ self._foreshortening.forms) * other).sum(axis=-1)
        found: np.ndarray = of_forms.T @ self._foreshortening.functions(xi) / self.length
        return found

    @property
    def _foreshortening(self) -> Foreshortening:
        return beam_foreshortening(self.beam)

    # deformed -------------------------------------------------------------------------------------------------

    def deflection(self, eta: np.ndarray, xi: np.ndarray) -> np.ndarray:
        """Displacements r − r₀, second-order terms included."""
        found: np.ndarray = np.tensordot(eta, self.displacement_shapes(xi), 1)
        found[..., 0] += self._axial_shortening(eta, eta, xi) / 2
        return found

    def slope(self, eta: np.ndarray, xi: np.ndarray) -> np.ndarray:
        """d(r − r₀)/dx, including the axial shortening −½ w'²."""
        found: np.ndarray = np.tensordot(eta, self.displacement_shapes(xi, 1), 1)
        if self.beam.stiffening:
            found[..., 0] -= (found[..., 1:] ** 2).sum(axis=-1) / 2
        return found

    def rotation(self, eta: np.ndarray, xi: np.ndarray) -> np.ndarray:
        """Rotation vectors of the sections."""
        found: np.ndarray = np.tensordot(eta, self.rotation_shapes(xi), 1)
        return found

    def point(self, eta: np.ndarray, xi: np.ndarray) -> np.ndarray:
        """Positions r of points of the line."""
        found = self.deflection(eta, xi)
        found[..., 0] += self.length * xi
        return found

    def path(self, motion: ElasticMotion, xi: np.ndarray) -> PointPath:
        """r, ṙ and r̈ of its points."""
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
        """Position, velocity and acceleration of a marker: those of its projection on the line."""
        return self.path(motion, np.array([self.places[name]]))

    def bending_moments(self, eta: np.ndarray, xi: np.ndarray) -> np.ndarray:
        """Bending moments E I κ about y and about z."""
        found: np.ndarray = np.tensordot(eta, self.curvatures(xi), 1) * np.array(self.bending_stiffness)
        return found


def uniform_centreline(beam: Beam) -> UniformCentreline:
    """The centreline of a uniform beam."""
    return UniformCentreline(beam)
