"""How the points of a link follow its elastic coordinates, to second order: what bends keeps its length.

With strains ε, γ and curvatures κ = θ' linear in η, along the undeformed axes e of the line,

    θ = Σ η_i θ_i + ½ Σ η_i η_j Θ_ij,      Θ_ij' = ½ (θ_i × θ_j' + θ_j × θ_i')
    t = Σ η_i t_i + ½ Σ η_i η_j B_ij,
    B_ij' = Θ_ij × e + ½ (θ_i × (θ_j × e) + θ_j × (θ_i × e)) + θ_i × g_j + θ_j × g_i

g = t' − θ × e: stretching and shear. The strain energy is then ½ ηᵀ K η to third order. A straight beam that bends
draws its end in by ½ ∫ w'² dx; behind a corner that turns, a piece is carried round; bending both ways makes twist.
Twist inclines the fibres around the line, and without a force along it draws it in by ½ (Iy + Iz)/A ∫ κ_x² ds.

Points d of a section move by θ × d, and to second order by Θ_ij × d + ½ (θ_i × (θ_j × d) + θ_j × (θ_i × d)).

Source: ours, from r' = exp(θ) (e + g) and κ~ = exp(θ)ᵀ exp(θ)', both expanded. In the plane, [kane_ryan_banerjee].
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from scipy.linalg import solve_triangular

from multiloop.flexible.elements.antiderivative import Antiderivative
from multiloop.flexible.elements.few_functions import few_functions
from multiloop.flexible.elements.model import POINTS, STIFFNESS, BeamModel, beam_model
from multiloop.flexible.elements.shapes import element_shapes
from multiloop.model.beam import Beam
from multiloop.model.geometry import at_values
from multiloop.spatial.turns import cross_matrices


@dataclass(frozen=True, eq=False)
class BeamBending:
    """The line of one beam with its shapes; lengths are relative to L, rotations times L."""

    model: BeamModel
    shapes: np.ndarray

    @property
    def count(self) -> int:
        """e."""
        return int(self.shapes.shape[1])

    def motion(self, xi: np.ndarray) -> np.ndarray:
        """(t_i, L θ_i) at places, places × 6 × e."""
        found: np.ndarray = self.model.mesh.motion(xi) @ self.shapes
        return _clean(found)

    def strain(self, xi: np.ndarray) -> np.ndarray:
        """Strains at places along the section's axes, places × 6 × e; curvatures are L² κ."""
        found: np.ndarray = self.model.mesh.strain(xi) @ self.shapes
        return _clean(found)

    # second order ---------------------------------------------------------------------------------------------

    @property
    def forms(self) -> np.ndarray:
        """G of every shape of second order, forms × e × e: it grows with ½ ηᵀ G η."""
        found = np.zeros((len(self._chosen), self.count, self.count))
        for (i, j), row, scale in zip(self._pairs, self._written, self._scales, strict=True):
            found[:, i, j] = found[:, j, i] = row / scale
        return _clean(found)

    def second(self, xi: np.ndarray) -> np.ndarray:
        """Shapes of second order (L B, L² Θ), places × 6 × forms."""
        return _clean(self._by_forms(self._of_pairs(xi)[..., self._chosen]))

    def second_rate(self, xi: np.ndarray) -> np.ndarray:
        """Derivative of L B by ξ, places × 3 × forms."""
        if not self._pairs:
            return np.zeros((len(xi), 3, 0))
        rates = self._shifts.rate(xi, self.model.mesh.element_at(xi))
        return _clean(self._by_forms(rates[..., self._chosen]))

    def sections(self, xi: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """A of points of sections that move by A d: L A of coordinates, L² A of forms, places × … × 3 × 3.

        Without shear sections weigh in as they turn about the line alone.
        """
        first = cross_matrices(np.moveaxis(self._tilts(xi), 1, 2))
        second = self._by_forms(self._sections_of_pairs(xi)[..., self._chosen])
        return first, _clean(np.moveaxis(second, 3, 1))

    def _tilts(self, xi: np.ndarray) -> np.ndarray:
        """L θ of what turns sections, places × 3 × e."""
        return self._about_the_line(self.motion(xi)[:, 3:], xi)

    def _about_the_line(self, turns: np.ndarray, xi: np.ndarray) -> np.ndarray:
        """The same with shear, otherwise what of turns is about the line."""
        if self.model.beam.shear:
            return turns
        e = self.model.mesh.axes_at(xi)[:, :, 0]
        found: np.ndarray = np.einsum("ni,nj,nje->nie", e, e, turns)
        return found

    def _sections_of_pairs(self, xi: np.ndarray) -> np.ndarray:
        """L² A of every pair, places × 3 × 3 × pairs."""
        turned = self._about_the_line(self._of_pairs(xi)[:, 3:], xi)
        found = np.moveaxis(cross_matrices(np.moveaxis(turned, 1, 2)), 1, 3)
        return np.asarray(found + self._squared(self._tilts(xi)))

    def _squared(self, theta: np.ndarray) -> np.ndarray:
        """½ (θ̃_i θ̃_j + θ̃_j θ̃_i), places × 3 × 3 × pairs."""
        turned = cross_matrices(np.moveaxis(theta, 1, 2))
        found = [(turned[:, i] @ turned[:, j] + turned[:, j] @ turned[:, i]) / 2 for i, j in self._pairs]
        return np.array(found).reshape(-1, len(theta), 3, 3).transpose(1, 2, 3, 0)

    def sweep(self, name: str) -> np.ndarray:
        """What the lever l of a marker adds to them: N l, L² N of 3 × 3 × forms; Θ × l comes beside it."""
        return _clean(self._by_forms(self._sweep_of_pairs(name)[..., self._chosen]))

    @property
    def _pairs(self) -> list[tuple[int, int]]:
        e = range(self.count)
        return [(i, j) for i in e for j in e[i:]] if self.model.beam.stiffening else []

    def _of_pairs(self, xi: np.ndarray) -> np.ndarray:
        if not self._pairs:
            return np.zeros((len(xi), 6, 0))
        element = self.model.mesh.element_at(xi)
        return np.concatenate([part.at(xi, element) for part in (self._shifts, self._turns)], axis=1)

    def _sweep_of_pairs(self, name: str) -> np.ndarray:
        """½ (θ̃_i θ̃_j + θ̃_j θ̃_i), 3 × 3 × pairs."""
        found: np.ndarray = self._squared(self.motion(np.array([self.model.places[name]]))[:, 3:])[0]
        return found

    def _by_forms(self, chosen: np.ndarray) -> np.ndarray:
        if not self._chosen:
            return chosen
        flat = (chosen * self._scales[self._chosen]).reshape(-1, len(self._chosen)).T
        found = solve_triangular(self._written[self._chosen], flat, lower=True)
        return np.asarray(found.T.reshape(chosen.shape))

    @property
    def _chosen(self) -> list[int]:
        return self._few[0]

    @property
    def _written(self) -> np.ndarray:
        return self._few[1]

    @cached_property
    def _scales(self) -> np.ndarray:
        """1/√(k_i k_j) of every pair, relative: coordinates of equal energy are compared."""
        xi, weight = self.model.gauss
        strain = self.strain(xi)
        stiff = sum(
            np.einsum("nie,n->e", strain[:, rows] ** 2, weight * self.model.stiffness(name, xi))
            for name, rows in STIFFNESS.items()
        )
        size = np.sqrt(stiff / np.min(stiff))
        return np.array([1 / (size[i] * size[j]) for i, j in self._pairs])

    @cached_property
    def _few(self) -> tuple[list[int], np.ndarray]:
        """Pairs that differ in their functions, and every pair by the forms: along the line, and at levers."""
        if not self._pairs:
            return [], np.zeros((0, 0))
        xi, weight = self.model.gauss
        along = (self._of_pairs(xi) * np.sqrt(weight)[:, None, None]).reshape(-1, len(self._pairs))
        levers = [(name, np.linalg.norm(self.model.lever(name))) for name in self.model.beam.marker_names]
        swept = [size * self._sweep_of_pairs(name).reshape(9, -1) for name, size in levers if size]
        radius = np.sqrt(weight * self._gyration(xi))
        around = self._squared(self._tilts(xi)) * radius[:, None, None, None]
        around = around.reshape(-1, len(self._pairs))
        return few_functions(np.concatenate([along, *swept, around]).T * self._scales[:, None])

    def _gyration(self, xi: np.ndarray) -> np.ndarray:
        """(Iy + Iz)/(A L²) at places."""
        Iy, Iz, A = (self.model.section(name, xi) for name in ("Iy", "Iz", "A"))
        return np.asarray((Iy + Iz) / A / at_values(self.model.beam.length) ** 2)

    @cached_property
    def _samples(self) -> tuple[np.ndarray, ...]:
        """e, θ, θ' and g at Gauss's points, elements × points × 3 × …"""
        xi, _ = self.model.gauss
        mesh = self.model.mesh
        R, strain = mesh.axes_at(xi), self.strain(xi)
        parts = (
            R[:, :, :1],
            self.motion(xi)[:, 3:],
            np.einsum("nik,nke->nie", R, strain[:, 3:]),
            np.einsum("nik,nke->nie", R, strain[:, :3]),
        )
        return tuple(part.reshape(mesh.elements, POINTS, 3, -1) for part in parts)

    @cached_property
    def _turns(self) -> Antiderivative:
        """Θ of every pair."""
        _, theta, rate, _ = self._samples
        found = [(_cross(theta, i, rate, j) + _cross(theta, j, rate, i)) / 2 for i, j in self._pairs]
        return Antiderivative(self.model.mesh.nodes, np.stack(found, axis=-1))

    @cached_property
    def _shifts(self) -> Antiderivative:
        """B of every pair."""
        way, theta, curved, g = self._samples
        xi, _ = self.model.gauss
        twist = (way * curved).sum(axis=2)
        inclined = self._gyration(xi).reshape(*twist.shape[:2], 1) * way[..., 0]
        turned = self._turns.at(xi, self.model.mesh.element_at(xi)).reshape(*theta.shape[:3], -1)
        carried = np.cross(theta, way, axis=2)

        def rate(i: int, j: int) -> np.ndarray:
            bent: np.ndarray = (_cross(theta, i, carried, j) + _cross(theta, j, carried, i)) / 2
            bent = bent + _cross(theta, i, g, j) + _cross(theta, j, g, i)
            return np.asarray(bent - inclined * (twist[..., i] * twist[..., j])[..., None])

        rates = np.stack([rate(i, j) for i, j in self._pairs], axis=-1) + np.cross(turned, way, axis=2)
        return Antiderivative(self.model.mesh.nodes, rates)


def _cross(one: np.ndarray, i: int, other: np.ndarray, j: int) -> np.ndarray:
    return np.cross(one[..., i], other[..., j], axis=2)


def _clean(found: np.ndarray) -> np.ndarray:
    """Exactly zero where it is round-off."""
    size = np.abs(found).max(initial=0.0)
    return np.where(np.abs(found) > 1e-13 * size, found, 0.0)


@lru_cache(maxsize=64)
def beam_bending(beam: Beam) -> BeamBending:
    """What was worked out lately is not worked out again."""
    return BeamBending(beam_model(beam), element_shapes(beam))
