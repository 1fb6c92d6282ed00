"""Displacement of the points of a beam to second order in its elastic coordinates η, so that bending keeps its length.

Strains ε, γ and curvatures κ = θ' are linear in η. With e the tangent of the undeformed centreline, the rotations θ and
displacements t of its sections are

    θ = Σ η_i θ_i + ½ Σ η_i η_j Θ_ij,      Θ_ij' = ½ (θ_i × θ_j' + θ_j × θ_i')
    t = Σ η_i t_i + ½ Σ η_i η_j B_ij,
    B_ij' = Θ_ij × e + ½ (θ_i × (θ_j × e) + θ_j × (θ_i × e)) + θ_i × g_j + θ_j × g_i

where g = t' − θ × e is stretching and shear; Θ_ij and B_ij are the second-order rotations and displacements. The strain
energy is then ½ ηᵀ K η to third order. Bending with deflection w shortens a straight beam by ½ ∫ w'² dx along its
chord. The rotation of a corner displaces the straight piece beyond it as a whole. Bending in both planes causes
torsion. Torsion inclines the fibres around the centreline and, without an axial force, shortens the beam by ½ (Iy +
Iz)/A ∫ κ_x² ds.

The point of a section at the offset d from the centreline is displaced, relative to the line, by θ × d to first order,
and in the second-order field of the pair i, j by Θ_ij × d + ½ (θ_i × (θ_j × d) + θ_j × (θ_i × d)).

The fields of all pairs i, j are expressed by the few that are linearly independent, which a pivoted Cholesky
factorisation of their Gram matrix selects. Integrals along the line are exact for polynomials on every element.

Source: derived here by expanding r' = exp(θ) (e + g) and κ~ = exp(θ)ᵀ exp(θ)'. In the plane: [kane_ryan_banerjee].
Theory: docs/theory/10-flexible-bodies.md, eqs. (10.11), (10.12).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.polynomial import legendre
from scipy.linalg import solve_triangular

from multiloop.flexible.beams.finite_element_matrices import POINTS, STIFFNESS, BeamModel, beam_model
from multiloop.flexible.beams.finite_element_modes import element_shapes
from multiloop.model import nominal_value
from multiloop.model.beams.beam import Beam
from multiloop.spatial import cross_matrices


@dataclass(frozen=True, eq=False)
class Antiderivative:
    """The integral ∫₀^ξ f dξ of a piecewise polynomial f.

    `samples` are values of f at the Gauss points, elements × points × further axes; `nodes` are the ends of elements.
    """

    nodes: np.ndarray
    samples: np.ndarray

    @cached_property
    def _legendre_coefficients(self) -> np.ndarray:
        """Coefficients of the Legendre series of the integrand f on each element, elements × degrees × further axes."""
        x, weight = legendre.leggauss(POINTS)
        turned = legendre.legvander(x, POINTS - 1) * weight[:, None] * (np.arange(POINTS) + 0.5)
        found: np.ndarray = np.einsum("qm,kq...->km...", turned, self.samples)
        return found

    @cached_property
    def _node_values(self) -> np.ndarray:
        steps = self._legendre_coefficients[:, 0] * np.diff(self.nodes).reshape(
            -1, *(1,) * (self.samples.ndim - 2)
        )
        return np.concatenate([np.zeros_like(steps[:1]), np.cumsum(steps, axis=0)])

    def _local(self, xi: np.ndarray, element: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        h = self.nodes[element + 1] - self.nodes[element]
        return h, np.clip(2 * (xi - self.nodes[element]) / h - 1, -1.0, 1.0)

    def integrand(self, xi: np.ndarray, element: np.ndarray) -> np.ndarray:
        """Values of the integrand f at positions `xi`, which lie on the elements with the indices `element`."""
        _, x = self._local(xi, element)
        found: np.ndarray = np.einsum(
            "nm,nm...->n...", legendre.legvander(x, POINTS - 1), self._legendre_coefficients[element]
        )
        return found

    def at(self, xi: np.ndarray, element: np.ndarray) -> np.ndarray:
        """Values of the integral at positions `xi`, which lie on the elements with the indices `element`."""
        h, x = self._local(xi, element)
        powers = legendre.legvander(x, POINTS)
        orders = np.arange(1, POINTS)
        grown = (powers[:, 2:] - powers[:, :-2]) / (2 * orders + 1)
        grown = np.column_stack([x + 1, grown]) * (h / 2)[:, None]
        within: np.ndarray = np.einsum("nm,nm...->n...", grown, self._legendre_coefficients[element])
        return np.asarray(self._node_values[element] + within)


NEGLIGIBLE_PART = 1e-4
"""Norm of the part of a function that the selected functions do not represent, relative to the norm of the largest
function, below which this part is neglected."""


def independent_functions(rows: np.ndarray) -> tuple[list[int], np.ndarray]:
    """Indices of linearly independent rows, and the coefficients W of all rows in an orthonormal basis β: rows = W β.

    β spans the independent rows. Each row is a function sampled at Gauss points, weighted so that the scalar product of
    two rows is the integral of the product of the functions.
    """
    left = rows @ rows.T
    least = NEGLIGIBLE_PART**2 * np.diag(left).max(initial=0.0)
    chosen, written = list[int](), np.zeros((len(rows), 0))
    while (np.diag(left) > least).any():
        k = int(np.argmax(np.diag(left)))
        column = left[:, k] / np.sqrt(left[k, k])
        written = np.column_stack([written, column])
        left = left - np.outer(column, column)
        chosen.append(k)
        left[chosen, :] = left[:, chosen] = 0.0  # replaces round-off by the exact values
    return chosen, written


@dataclass(frozen=True, eq=False)
class BeamKinematics:
    """Motion of the centreline of one beam with its modes, to second order in the elastic coordinates.

    Lengths are divided by the beam length L, rotations are multiplied by L. `shapes` are the modes in the coordinates
    of the mesh, coordinates × modes.
    """

    model: BeamModel
    shapes: np.ndarray

    @property
    def count(self) -> int:
        """Number e of elastic coordinates."""
        return int(self.shapes.shape[1])

    def motion(self, xi: np.ndarray) -> np.ndarray:
        """Displacement t_i and rotation θ_i of each mode i as (t_i, L θ_i), with the beam length L, at positions ξ
        (fractions of the beam length), positions × 6 × modes."""
        found: np.ndarray = self.model.mesh.motion(xi) @ self.shapes
        return _without_round_off(found)

    def strain(self, xi: np.ndarray) -> np.ndarray:
        """Strains of each mode at positions ξ (fractions of the beam length), positions × 6 × modes.

        They are, in the axes of the section, the axial strain ε, the shear strains γ_y and γ_z, the torsion L² κ_x and
        the curvatures L² κ_y and L² κ_z, all per unit of the modal amplitude; L is the beam length.
        """
        found: np.ndarray = self.model.mesh.strain(xi) @ self.shapes
        return _without_round_off(found)

    # second-order displacements and rotations -----------------------------------------------------------------

    @property
    def quadratic_forms(self) -> np.ndarray:
        """Quadratic forms G, forms × e × e.

        The amplitude of each second-order displacement field is ½ ηᵀ G η, with the e elastic coordinates η.
        """
        found = np.zeros((len(self._independent_pairs), self.count, self.count))
        for (i, j), row, scale in zip(self._pairs, self._pair_coefficients, self._scales, strict=True):
            found[:, i, j] = found[:, j, i] = row / scale
        return _without_round_off(found)

    def second_order_shapes(self, xi: np.ndarray) -> np.ndarray:
        """Second-order displacements B and rotations Θ as (L B, L² Θ), with the beam length L, at positions ξ
        (fractions of the beam length), positions × 6 × forms."""
        return _without_round_off(self._in_forms(self._pair_functions(xi)[..., self._independent_pairs]))

    def second_order_slopes(self, xi: np.ndarray) -> np.ndarray:
        """Derivatives of the second-order displacements L B, with the beam length L, with respect to the position ξ
        (fraction of the beam length), positions × 3 × forms."""
        if not self._pairs:
            return np.zeros((len(xi), 3, 0))
        rates = self._pair_displacements.integrand(xi, self.model.mesh.element_at(xi))
        return _without_round_off(self._in_forms(rates[..., self._independent_pairs]))

    def section_deformations(self, xi: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Matrices A such that A d is the displacement, relative to the line, of a section point at the offset d.

        Returns, with the beam length L, L A of the elastic coordinates, positions × e × 3 × 3, and L² A of the
        quadratic forms, positions × forms × 3 × 3. Without shear deformation, only rotations about the line contribute
        to the inertia of sections.
        """
        first = cross_matrices(np.moveaxis(self._section_rotations(xi), 1, 2))
        second = self._in_forms(self._sections_of_pairs(xi)[..., self._independent_pairs])
        return first, _without_round_off(np.moveaxis(second, 3, 1))

    def _section_rotations(self, xi: np.ndarray) -> np.ndarray:
        """Rotations θ, multiplied by the beam length L, that contribute to the inertia of sections, positions × 3 ×
        modes."""
        return self._axial_part(self.motion(xi)[:, 3:], xi)

    def _axial_part(self, turns: np.ndarray, xi: np.ndarray) -> np.ndarray:
        """The rotations `turns` if the beam has shear deformation, otherwise their components about the centreline."""
        if self.model.beam.shear:
            return turns
        e = self.model.mesh.axes_at(xi)[:, :, 0]
        found: np.ndarray = np.einsum("ni,nj,nje->nie", e, e, turns)
        return found

    def _sections_of_pairs(self, xi: np.ndarray) -> np.ndarray:
        """Matrices A of each pair of elastic coordinates, multiplied by L² (L: beam length), positions × 3 × 3 × pairs.

        A d is the second-order displacement, relative to the line, of a section point at the offset d.
        """
        turned = self._axial_part(self._pair_functions(xi)[:, 3:], xi)
        found = np.moveaxis(cross_matrices(np.moveaxis(turned, 1, 2)), 1, 3)
        return np.asarray(found + self._rotation_products(self._section_rotations(xi)))

    def _rotation_products(self, theta: np.ndarray) -> np.ndarray:
        """Products ½ (θ̃_i θ̃_j + θ̃_j θ̃_i) for all pairs i, j of modes, positions × 3 × 3 × pairs.

        θ̃_i is the skew-symmetric matrix of the rotation of a section in mode i, given by `theta`.
        """
        turned = cross_matrices(np.moveaxis(theta, 1, 2))
        found = [(turned[:, i] @ turned[:, j] + turned[:, j] @ turned[:, i]) / 2 for i, j in self._pairs]
        return np.array(found).reshape(-1, len(theta), 3, 3).transpose(1, 2, 3, 0)

    def lever_shapes(self, name: str) -> np.ndarray:
        """Matrices L² N (3 × 3 × forms) of the second-order displacement of a marker that is not on the centreline.

        L is the beam length. The displacement is N l in addition to Θ × l, with l the offset of the marker from the
        line and Θ the second-order rotation.
        """
        return _without_round_off(self._in_forms(self._pair_levers(name)[..., self._independent_pairs]))

    @property
    def _pairs(self) -> list[tuple[int, int]]:
        e = range(self.count)
        return [(i, j) for i in e for j in e[i:]] if self.model.beam.stiffening else []

    def _pair_functions(self, xi: np.ndarray) -> np.ndarray:
        if not self._pairs:
            return np.zeros((len(xi), 6, 0))
        element = self.model.mesh.element_at(xi)
        return np.concatenate(
            [part.at(xi, element) for part in (self._pair_displacements, self._pair_rotations)], axis=1
        )

    def _pair_levers(self, name: str) -> np.ndarray:
        """Products ½ (θ̃_i θ̃_j + θ̃_j θ̃_i) for all pairs i, j of modes at a marker, 3 × 3 × pairs.

        θ̃_i is the skew-symmetric matrix of the rotation of the section at the marker in mode i.
        """
        found: np.ndarray = self._rotation_products(self.motion(np.array([self.model.places[name]]))[:, 3:])[
            0
        ]
        return found

    def _in_forms(self, chosen: np.ndarray) -> np.ndarray:
        if not self._independent_pairs:
            return chosen
        flat = (chosen * self._scales[self._independent_pairs]).reshape(-1, len(self._independent_pairs)).T
        found = solve_triangular(self._pair_coefficients[self._independent_pairs], flat, lower=True)
        return np.asarray(found.T.reshape(chosen.shape))

    @property
    def _independent_pairs(self) -> list[int]:
        return self._pair_basis[0]

    @property
    def _pair_coefficients(self) -> np.ndarray:
        return self._pair_basis[1]

    @cached_property
    def _scales(self) -> np.ndarray:
        """Weights 1/√(k_i k_j) of all pairs of modes, relative to the largest, with k the modal stiffness.

        With these weights, fields of pairs are compared at amplitudes of equal strain energy.
        """
        xi, weight = self.model.gauss_points
        strain = self.strain(xi)
        stiff = sum(
            np.einsum("nie,n->e", strain[:, rows] ** 2, weight * self.model.stiffness(name, xi))
            for name, rows in STIFFNESS.items()
        )
        size = np.sqrt(stiff / np.min(stiff))
        return np.array([1 / (size[i] * size[j]) for i, j in self._pairs])

    @cached_property
    def _pair_basis(self) -> tuple[list[int], np.ndarray]:
        """Indices of pairs of modes with linearly independent second-order fields, and coefficients W of all pairs.

        W and the orthonormal basis are those of `independent_functions`. A field consists of the displacements of the
        centreline, of markers that are not on the centreline, and of section points.
        """
        if not self._pairs:
            return [], np.zeros((0, 0))
        xi, weight = self.model.gauss_points
        along = (self._pair_functions(xi) * np.sqrt(weight)[:, None, None]).reshape(-1, len(self._pairs))
        levers = [(name, np.linalg.norm(self.model.lever(name))) for name in self.model.beam.marker_names]
        swept = [size * self._pair_levers(name).reshape(9, -1) for name, size in levers if size]
        radius = np.sqrt(weight * self._gyration(xi))
        around = self._rotation_products(self._section_rotations(xi)) * radius[:, None, None, None]
        around = around.reshape(-1, len(self._pairs))
        return independent_functions(np.concatenate([along, *swept, around]).T * self._scales[:, None])

    def _gyration(self, xi: np.ndarray) -> np.ndarray:
        """Squared polar radius of gyration of the sections divided by L², (Iy + Iz)/(A L²), at positions ξ (fractions
        of the beam length)."""
        Iy, Iz, A = (self.model.section(name, xi) for name in ("Iy", "Iz", "A"))
        return np.asarray((Iy + Iz) / A / nominal_value(self.model.beam.length) ** 2)

    @cached_property
    def _samples(self) -> tuple[np.ndarray, ...]:
        """Vectors at the Gauss points, elements × points × 3 × 1 or modes.

        They are the tangent e, and of each mode the rotation θ, its derivative θ', and the stretching and shear g.
        """
        xi, _ = self.model.gauss_points
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
    def _pair_rotations(self) -> Antiderivative:
        """Second-order rotations Θ_ij of all pairs of modes, as integrals along the line."""
        _, theta, rate, _ = self._samples
        found = [(_cross(theta, i, rate, j) + _cross(theta, j, rate, i)) / 2 for i, j in self._pairs]
        return Antiderivative(self.model.mesh.nodes, np.stack(found, axis=-1))

    @cached_property
    def _pair_displacements(self) -> Antiderivative:
        """Second-order displacements B_ij of all pairs of modes, as integrals along the line."""
        direction, theta, curved, g = self._samples
        xi, _ = self.model.gauss_points
        twist = (direction * curved).sum(axis=2)
        inclined = self._gyration(xi).reshape(*twist.shape[:2], 1) * direction[..., 0]
        turned = self._pair_rotations.at(xi, self.model.mesh.element_at(xi)).reshape(*theta.shape[:3], -1)
        carried = np.cross(theta, direction, axis=2)

        def rate(i: int, j: int) -> np.ndarray:
            bent: np.ndarray = (_cross(theta, i, carried, j) + _cross(theta, j, carried, i)) / 2
            bent = bent + _cross(theta, i, g, j) + _cross(theta, j, g, i)
            return np.asarray(bent - inclined * (twist[..., i] * twist[..., j])[..., None])

        rates = np.stack([rate(i, j) for i, j in self._pairs], axis=-1) + np.cross(turned, direction, axis=2)
        return Antiderivative(self.model.mesh.nodes, rates)


def _cross(one: np.ndarray, i: int, other: np.ndarray, j: int) -> np.ndarray:
    return np.cross(one[..., i], other[..., j], axis=2)


def _without_round_off(found: np.ndarray) -> np.ndarray:
    """The array with entries below 1e-13 of its largest entry set to exactly zero."""
    size = np.abs(found).max(initial=0.0)
    return np.where(np.abs(found) > 1e-13 * size, found, 0.0)


@lru_cache(maxsize=64)
def beam_kinematics(beam: Beam) -> BeamKinematics:
    """Second-order kinematics of a beam; recent results are cached."""
    return BeamKinematics(beam_model(beam), element_shapes(beam))
