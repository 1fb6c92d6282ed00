"""The line of a beam in numbers: where its points go as it bends, what a piece of it weighs, how stiff it is.

    r(x) = (x + Φ_x η − ½ Σ ∫₀ˣ (w')² dx,  Φ_y η,  Φ_z η)      in the link's own frame, x from marker `a`

Places are given as ξ = x/L, arrays come as instants × places × 3.

Derived here; points that are drawn in, as in `foreshortening`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from multiloop.flexible.lines import ElasticMotion, PointPath, gauss_points
from multiloop.flexible.uniform.foreshortening import Drawing, drawing_of
from multiloop.flexible.uniform.shapes import AXIS, TURNS, Basis, basis_of
from multiloop.model.beam import Beam
from multiloop.model.geometry import at_values
from multiloop.spatial.turns import cross_matrices


@dataclass(frozen=True, eq=False)
class Centreline:
    """A beam along its length, its parameters at their own values."""

    beam: Beam

    @cached_property
    def length(self) -> float:
        """L."""
        return at_values(self.beam.length)

    @cached_property
    def line_mass(self) -> float:
        """Mass of a metre."""
        return at_values(self.beam.mass) / self.length

    @cached_property
    def section_masses(self) -> tuple[float, float]:
        """∫ y² dm and ∫ z² dm of a metre."""
        density, section = at_values(self.beam.density), self.beam.section
        return density * at_values(section.Iz), density * at_values(section.Iy)

    @cached_property
    def bending_stiffness(self) -> tuple[float, float]:
        """E Iy and E Iz, against moments about y and about z."""
        E, section = at_values(self.beam.E), self.beam.section
        return E * at_values(section.Iy), E * at_values(section.Iz)

    @cached_property
    def places(self) -> dict[str, float]:
        """ξ of every marker: where it projects on the line."""
        points = {name: at_values(self.beam.marker(name).point[0]) for name in self.beam.marker_names}
        return {name: float(np.clip(x / self.length, 0.0, 1.0)) for name, x in points.items()}

    @cached_property
    def nodes(self) -> np.ndarray:
        """ξ of the ends of all elements, within which shapes are smooth."""
        return np.linspace(0.0, 1.0, self.beam.elements + 1)

    corners = np.zeros(0)
    """None: it is straight."""

    quadrature = 6
    """Exact for what is quadratic in the shapes."""

    @property
    def masses(self) -> dict[str, float]:
        """Point masses: none, a beam with some has shapes of its own."""
        return {}

    @property
    def bent_axes(self) -> tuple[int, ...]:
        """Axes of the section about which its shapes bend it."""
        return tuple(TURNS[way][0] for way, _ in self.beam.modes if way in TURNS)

    def section_at(self, name: str, xi: np.ndarray) -> np.ndarray:
        """A number of the section, the same everywhere."""
        return np.full(len(xi), at_values(getattr(self.beam.section, name)))

    def section_axes(self, xi: np.ndarray) -> np.ndarray:
        """Those of the frame."""
        return np.broadcast_to(np.eye(3), (len(xi), 3, 3))

    def mass_along(self, xi: np.ndarray) -> np.ndarray:
        """Mass of a metre at places."""
        return np.full(len(xi), self.line_mass)

    def section_tensors(self, xi: np.ndarray) -> np.ndarray:
        """∫ d dᵀ dm of a metre, places × 3 × 3."""
        return np.broadcast_to(np.diag([0.0, *self.section_masses]), (len(xi), 3, 3))

    # shapes ---------------------------------------------------------------------------------------------------

    @property
    def _basis(self) -> Basis:
        return basis_of(self.beam)

    def shifts(self, xi: np.ndarray, order: int = 0) -> np.ndarray:
        """Φ of the points of the line, or its derivative by x, e × places × 3."""
        values = self._basis.at(xi, order) / self.length**order
        found = np.zeros((*values.shape, 3))
        for i, (way, _) in enumerate(self.beam.ways):
            if way in AXIS:
                found[i, :, AXIS[way]] = values[i]
        return found

    def turns(self, xi: np.ndarray) -> np.ndarray:
        """Rotation vectors of the sections per unit of every coordinate, e × places × 3."""
        values, slopes = self._basis.at(xi, 0), self._basis.at(xi, 1) / self.length
        found = np.zeros((*values.shape, 3))
        for i, (way, _) in enumerate(self.beam.ways):
            if way == "twist":
                found[i, :, 0] = values[i]
            elif way in TURNS:
                axis, sign = TURNS[way]
                found[i, :, axis] = sign * slopes[i]
        return found

    def section_path(self, motion: ElasticMotion, xi: np.ndarray) -> PointPath:
        """What turns sections about the line; what bends them weighs nothing."""
        about = np.where(np.array([True, False, False]), self.turns(xi), 0.0)
        turns = [np.tensordot(x, about, 1) for x in (motion.eta, motion.rate, motion.acceleration)]
        return cross_matrices(turns[0]), cross_matrices(turns[1]), cross_matrices(turns[2])

    def curvatures(self, xi: np.ndarray) -> np.ndarray:
        """How fast the sections turn about y and about z along x, e × places × 2.

        φ'' = φ_h'' + λ φ h²/24 (2 − 12 t + 12 t²),   0 ≤ t ≤ 1 over an element of length h

        Cubics φ_h on elements miss the last term of a natural mode, whose fourth derivative is λ φ: without it moments
        at nodes are off by λ h²/12, a third of a percent for the first mode on 16 elements. Derived here:
        of an element under an even load p, cubics lack p h²/12 of the moments at its ends.
        """
        n, xi = self.beam.elements, np.asarray(xi)
        t = xi * n - np.clip((xi * n).astype(int), 0, n - 1)
        left = (2 - 12 * t + 12 * t * t) / (24 * n * n)
        values, bent = self._basis.at(xi, 0), self._basis.at(xi, 2)
        found = np.zeros((*values.shape, 2))
        for i, (way, _) in enumerate(self.beam.ways):
            if way in TURNS:
                axis, sign = TURNS[way]
                found[i, :, axis - 1] = sign * (bent[i] + self._eigenvalues[i] * values[i] * left)
        return found / self.length**2

    @cached_property
    def _eigenvalues(self) -> np.ndarray:
        """λ = ∫ φ''² dξ / ∫ φ² dξ of every shape."""
        xi, weight = (x.ravel() for x in gauss_points(self.nodes))
        found: np.ndarray = (self._basis.at(xi, 2) ** 2 @ weight) / (self._basis.at(xi, 0) ** 2 @ weight)
        return found

    def _drawn(self, one: np.ndarray, other: np.ndarray, xi: np.ndarray) -> np.ndarray:
        """Σ_ij B_ij η_i η_j / L of two sets of coordinates, instants × places; nothing where the beam stays as long."""
        of_forms = ((one @ self._drawing.forms) * other).sum(axis=-1)
        found: np.ndarray = of_forms.T @ self._drawing.functions(xi) / self.length
        return found

    @property
    def _drawing(self) -> Drawing:
        return drawing_of(self.beam)

    # deformed -------------------------------------------------------------------------------------------------

    def deflection(self, eta: np.ndarray, xi: np.ndarray) -> np.ndarray:
        """r − r₀, shifts of second order included."""
        found: np.ndarray = np.tensordot(eta, self.shifts(xi), 1)
        found[..., 0] += self._drawn(eta, eta, xi) / 2
        return found

    def slope(self, eta: np.ndarray, xi: np.ndarray) -> np.ndarray:
        """d(r − r₀)/dx; what draws it in is −½ w'²."""
        found: np.ndarray = np.tensordot(eta, self.shifts(xi, 1), 1)
        if self.beam.stiffening:
            found[..., 0] -= (found[..., 1:] ** 2).sum(axis=-1) / 2
        return found

    def rotation(self, eta: np.ndarray, xi: np.ndarray) -> np.ndarray:
        """Rotation vectors of the sections."""
        found: np.ndarray = np.tensordot(eta, self.turns(xi), 1)
        return found

    def point(self, eta: np.ndarray, xi: np.ndarray) -> np.ndarray:
        """r."""
        found = self.deflection(eta, xi)
        found[..., 0] += self.length * xi
        return found

    def path(self, motion: ElasticMotion, xi: np.ndarray) -> PointPath:
        """r, ṙ and r̈ of its points."""
        eta, rate, acceleration = motion.eta, motion.rate, motion.acceleration
        shapes = self.shifts(xi)

        def moved(x: np.ndarray, *drawn: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
            found: np.ndarray = np.tensordot(x, shapes, 1)
            for one, other in drawn:
                found[..., 0] += self._drawn(one, other, xi)
            return found

        return (
            self.point(eta, xi),
            moved(rate, (eta, rate)),
            moved(acceleration, (eta, acceleration), (rate, rate)),
        )

    def marker_path(self, motion: ElasticMotion, name: str) -> PointPath:
        """How a marker moves: on the line, as its place does."""
        return self.path(motion, np.array([self.places[name]]))

    def bending(self, eta: np.ndarray, xi: np.ndarray) -> np.ndarray:
        """E I times the curvature, about y and about z."""
        found: np.ndarray = np.tensordot(eta, self.curvatures(xi), 1) * np.array(self.bending_stiffness)
        return found


def centreline(beam: Beam) -> Centreline:
    """The line of a beam."""
    return Centreline(beam)
