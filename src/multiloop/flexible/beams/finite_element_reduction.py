"""Mass integrals, stiffness and centreline of beams whose finite-element model is reduced to modes.

Theory: docs/theory/10-flexible-bodies.md, eq. (10.5).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import casadi as ca
import numpy as np
from scipy.linalg import eigh

from multiloop.flexible.beams.centreline import ElasticMotion, PointPath
from multiloop.flexible.beams.finite_element_matrices import POINTS, STIFFNESS
from multiloop.flexible.beams.finite_element_modes import shape_accelerations
from multiloop.flexible.beams.second_order_kinematics import BeamKinematics, beam_kinematics
from multiloop.flexible.beams.uniform_reduction import without_constant_symbols
from multiloop.flexible.component_modes import modal_damping
from multiloop.model import Modes, Rayleigh, ReducedBody, Resolve, marker_pose, nominal_value, rigid_body
from multiloop.model.beams.beam import Beam
from multiloop.model.beams.sections import section_properties
from multiloop.model.marker_poses import marker_point
from multiloop.spatial import Matrix, cross_matrices, skew

DECOUPLED = 1e-9
"""Largest off-diagonal entry of a modal matrix that is treated as round-off, relative to √(k_ii k_jj) with the diagonal
entries k_ii of the matrix."""


def reduce_element_beam(
    beam: Beam, handle: str, resolve: Resolve, planar: bool, share: float = 1.0
) -> ReducedBody:
    """Mass properties and modes of a beam in the frame of its marker `handle`.

    `resolve` replaces parameters by numbers or symbols; `share` is the fraction of mass and inertia that is included.
    """
    rigid = rigid_body(beam, handle, resolve, planar, share)
    frame = marker_pose(beam.marker(handle), resolve, planar)
    modes = _Reduction(beam, resolve).modes.seen_from(frame)
    return ReducedBody(rigid.mass, rigid.com, rigid.inertia, rigid.markers, modes)


@dataclass(frozen=True, eq=False)
class _Reduction:
    """Reduction of one beam to its modes, in its own frame; `resolve` gives parameters as numbers or symbols."""

    beam: Beam
    resolve: Resolve

    @cached_property
    def _kinematics(self) -> BeamKinematics:
        return beam_kinematics(self.beam)

    @cached_property
    def _length(self) -> Any:
        return self.resolve(self.beam.length)

    @cached_property
    def _section_polynomials(self) -> dict[str, list[Any]]:
        found = section_properties(self.beam.section, self.beam.section_at_b)
        return {name: [self.resolve(c) for c in parts] for name, parts in found.items()}

    @property
    def modes(self) -> Modes:
        """Mode shapes at the markers, mass integrals, stiffness matrix and damping matrix of the beam."""
        shapes = {name: self._marker_shapes(name) for name in self.beam.marker_names}
        momentum, moments, products = self._integrals(shapes)
        stiffness, e = self._stiffness(), self._kinematics.count
        masses = ca.vertcat(*[ca.horzcat(*[ca.trace(products[i][j]) for j in range(e)]) for i in range(e)])
        damping = modal_damping(self.beam.damping, self.resolve, masses, stiffness, self._natural_modes)
        forms = tuple(_sparse_numbers(G) for G in self._kinematics.quadratic_forms)
        return Modes(shapes, momentum, moments, products, stiffness, damping, forms)

    @property
    def _natural_modes(self) -> np.ndarray | None:
        """Natural modes as columns in nodal coordinates, lowest frequency first.

        None if the elastic coordinates are not nodal, or if damping is Rayleigh damping, which needs no modes.
        """
        if not self.beam.is_nodal or isinstance(self.beam.damping, Rayleigh):
            return None
        M, K = (
            self._kinematics.shapes.T @ matrix @ self._kinematics.shapes
            for matrix in self._kinematics.model.matrices
        )
        return np.asarray(eigh(K, M)[1])

    # motion of markers ----------------------------------------------------------------------------------------

    def _marker_shapes(self, name: str) -> Matrix:
        """Rotation and displacement of a marker per unit of each displacement field, 6 × fields.

        The fields are those of the elastic coordinates, then those of second order. The offset of the marker from the
        centreline is taken into account.
        """
        line, L = self._kinematics, self._length
        xi = np.array([line.model.places[name]])
        first, second = line.motion(xi)[0], line.second_order_shapes(xi)[0]
        turn = ca.horzcat(_sparse_numbers(first[3:]) / L, _sparse_numbers(second[3:]) / L**2)
        shift = ca.horzcat(_sparse_numbers(first[:3]), _sparse_numbers(second[:3]) / L)
        if np.any(line.model.lever(name)):
            shift = shift + self._lever_shapes(name, turn)
        return without_constant_symbols(ca.vertcat(turn, shift))

    def _lever_shapes(self, name: str, turn: Matrix) -> Matrix:
        """Displacement of a marker due to its offset l from the centreline, per unit of each displacement field.

        It is θ × l, with θ the rotation of the section (`turn`, per unit of each field), and in the second-order field
        of the modes i and j Θ × l + ½ (θ_i × (θ_j × l) + θ_j × (θ_i × l)), with Θ the second-order rotation.
        """
        line, L, e = self._kinematics, self._length, self._kinematics.count
        away = (line.model.lever(name) != 0).astype(float)
        at = _sparse_numbers(line.model.mesh.point(np.array([line.model.places[name]])).T) * L
        lever = ca.DM(np.diag(away)) @ (marker_point(self.beam.marker(name), self.resolve) - at)
        second = [_sparse_numbers(N) @ lever / L**2 for N in np.moveaxis(line.lever_shapes(name), 2, 0)]
        return -skew(lever) @ turn + ca.horzcat(ca.DM(3, e), *second)

    # integrals over the mass ----------------------------------------------------------------------------------

    def _integrals(self, shapes: dict[str, Matrix]) -> tuple[Matrix, tuple[Matrix, ...], Any]:
        """Mass integrals ∫ Ψ dm, ∫ r₀ Ψᵀ dm and ∫ Ψ Ψᵀ dm of the centreline, the sections and the point masses.

        Ψ are the displacement fields of the elastic coordinates, then those of second order; r₀ are the undeformed
        positions.
        """
        s = self._kinematics.count + len(self._kinematics.quadratic_forms)
        momentum: Matrix = ca.DM(3, s)
        moments: list[Matrix] = [ca.DM(3, 3)] * s
        products: list[list[Matrix]] = [[ca.DM(3, 3)] * s for _ in range(s)]
        for P, S, SS in (
            *self._line_integrals(),
            *self._section_integrals(),
            *self._point_mass_integrals(shapes),
        ):
            momentum = momentum + P
            moments = [one + more for one, more in zip(moments, S, strict=True)]
            for i in range(s):
                for j in range(i, s):
                    products[i][j] = products[i][j] + SS[i][j]
        for i in range(s):
            for j in range(i):
                products[i][j] = products[j][i].T
        return (
            without_constant_symbols(momentum),
            tuple(map(without_constant_symbols, moments)),
            tuple(tuple(map(without_constant_symbols, row)) for row in products),
        )

    def _line_integrals(self) -> Iterator[tuple[Any, Any, Any]]:
        """Triples of the mass integrals of `_integrals` over the centreline, to be summed: one for each power of the
        position ξ (fraction of the beam length) in the polynomial of the cross-section area."""
        line, L = self._kinematics, self._length
        xi, weight = line.model.gauss_points
        psi = np.concatenate([line.motion(xi)[:, :3], line.second_order_shapes(xi)[:, :3]], axis=2)
        r, e, s = line.model.mesh.point(xi), line.count, psi.shape[2]
        scales = [1.0] * e + [1 / L] * (s - e)
        for k, A in enumerate(self._section_polynomials["A"]):
            dm, w = self.resolve(self.beam.density) * A * L, weight * xi**k
            P, S = np.einsum("nie,n->ie", psi, w), np.einsum("ni,nje,n->eij", r, psi, w)
            SS = _without_small_products(np.einsum("nie,njf,n->efij", psi, psi, w, optimize=True))
            yield (
                ca.horzcat(
                    *[dm * scales[i] * _sparse_numbers(_without_round_off(P)[:, [i]]) for i in range(s)]
                ),
                [dm * L * scales[i] * _sparse_numbers(_without_round_off(S)[i]) for i in range(s)],
                [
                    [dm * scales[i] * scales[j] * _sparse_numbers(SS[i, j]) for j in range(s)]
                    for i in range(s)
                ],
            )

    def _section_integrals(self) -> Iterator[tuple[Any, Any, Any]]:
        """Triples of mass integrals of the rotating sections, to be summed: 0, ∫ d (A_i d)ᵀ dm, ∫ A_i d (A_j d)ᵀ dm.

        A_i d is the displacement, relative to the centreline, of the point of a section at the offset d from the
        centreline, per unit of the displacement field i. There is one triple for each power of the position in the
        polynomials of the second moments of area.
        """
        line, L = self._kinematics, self._length
        xi, weight = line.model.gauss_points
        R, turned = line.model.mesh.axes_at(xi), np.concatenate(line.section_deformations(xi), axis=1)
        s = turned.shape[1]
        scales = [1 / L] * line.count + [1 / L**2] * (s - line.count)
        for name, axis in (("Iz", 1), ("Iy", 2)):
            D = np.einsum("ni,nj->nij", R[:, :, axis], R[:, :, axis])
            for k, I in enumerate(self._section_polynomials[name]):
                dm, w = self.resolve(self.beam.density) * I * L, weight * xi**k
                S = _without_round_off(np.einsum("nij,nekj,n->eik", D, turned, w, optimize=True))
                SS = _without_small_products(
                    np.einsum("neij,njk,nflk,n->efil", turned, D, turned, w, optimize=True)
                )
                yield (
                    ca.DM(3, s),
                    [dm * scales[i] * _sparse_numbers(S[i]) for i in range(s)],
                    [
                        [dm * scales[i] * scales[j] * _sparse_numbers(SS[i, j]) for j in range(s)]
                        for i in range(s)
                    ],
                )

    def _point_mass_integrals(self, shapes: dict[str, Matrix]) -> Iterator[tuple[Any, Any, Any]]:
        """Mass integrals of the point masses, which move with their markers."""
        for name, mass in self.beam.masses:
            m, r, psi = (
                self.resolve(mass),
                marker_point(self.beam.marker(name), self.resolve),
                shapes[name][3:, :],
            )
            s = psi.shape[1]
            SS = [[m * psi[:, i] @ psi[:, j].T for j in range(s)] for i in range(s)]
            yield m * psi, [m * r @ psi[:, i].T for i in range(s)], SS

    # stiffness matrix -----------------------------------------------------------------------------------------

    def _stiffness(self) -> Matrix:
        line, L, beam = self._kinematics, self._length, self.beam
        xi, weight = line.model.gauss_points
        strain, total = line.strain(xi), ca.DM(line.count, line.count)
        for name, rows in STIFFNESS.items():
            if name == "GAs" and not beam.shear:
                continue
            modulus = self.resolve(beam.G if name[0] == "G" else beam.E) / L ** (1 if "A" in name else 3)
            part = strain[:, rows]
            for k, c in enumerate(self._section_polynomials[name[1:]]):
                shared = np.einsum("nie,nif,n->ef", part, part, weight * xi**k, optimize=True)
                total = total + modulus * c * _sparse_numbers(_decoupled(shared))
        return without_constant_symbols(total)


def _sparse_numbers(array: np.ndarray) -> Matrix:
    return ca.sparsify(ca.DM(array))


def _without_round_off(found: np.ndarray) -> np.ndarray:
    size = np.abs(found).max(initial=0.0)
    return np.where(np.abs(found) > 1e-13 * size, found, 0.0)


def _decoupled(found: np.ndarray) -> np.ndarray:
    """A modal matrix with off-diagonal entries at the level of round-off set to zero."""
    size = np.sqrt(np.abs(np.diag(found)))
    return np.where(np.abs(found) > DECOUPLED * np.outer(size, size), found, 0.0)


def _without_small_products(found: np.ndarray) -> np.ndarray:
    """Integrals of products of mode shapes (modes × modes × 3 × 3) with entries at round-off level set to zero."""
    size = np.sqrt(np.abs(np.einsum("eeii->e", found)))
    limit = 1e-12 * np.outer(size, size)[:, :, None, None]
    return np.where(np.abs(found) > limit, found, 0.0)


BENDING_AXES = {"y": (2,), "z": (1,), "space": (1, 2)}
"""Indices of the section axes about which each direction of deformation bends the beam: 1 for y, 2 for z."""


@dataclass(frozen=True, eq=False)
class ElementCentreline:
    """Centreline of a beam by finite elements, with its parameters as given by the user; see `BeamCentreline`."""

    beam: Beam
    kinematics: BeamKinematics

    quadrature = POINTS
    """Number of Gauss points per element; exact for products of two second-order fields on a tapered beam."""

    @cached_property
    def length(self) -> float:
        """Length L of the beam along its centreline (m)."""
        return self.kinematics.model.length

    @property
    def places(self) -> dict[str, float]:
        """For every marker, the position ξ (fraction of the beam length) of the nearest point of the centreline."""
        return self.kinematics.model.places

    @property
    def nodes(self) -> np.ndarray:
        """Positions ξ (fractions of the beam length) of the ends of all elements."""
        return self.kinematics.model.mesh.nodes

    @property
    def corners(self) -> np.ndarray:
        """Positions ξ (fractions of the beam length) of the corners of the centreline."""
        return self.kinematics.model.mesh.corner_places[1:-1]

    @property
    def masses(self) -> dict[str, float]:
        """Point masses (kg) by the name of the marker at which they are."""
        return {name: nominal_value(mass) for name, mass in self.beam.masses}

    @property
    def bending_axes(self) -> tuple[int, ...]:
        """Indices of the section axes about which the modes bend the beam: 1 for y, 2 for z."""
        return tuple(
            sorted({axis for direction, _ in self.beam.modes for axis in BENDING_AXES.get(direction, ())})
        )

    # properties and motion of sections ------------------------------------------------------------------------

    def section_at(self, name: str, xi: np.ndarray) -> np.ndarray:
        """Values of the section property `name` at positions ξ (fractions of the beam length)."""
        return self.kinematics.model.section(name, xi)

    def section_axes(self, xi: np.ndarray) -> np.ndarray:
        """Axes of the undeformed sections as columns of matrices, positions × 3 × 3."""
        return self.kinematics.model.mesh.axes_at(xi)

    def mass_along(self, xi: np.ndarray) -> np.ndarray:
        """Mass per unit length (kg/m) at positions ξ (fractions of the beam length)."""
        return nominal_value(self.beam.density) * self.section_at("A", xi)

    def section_tensors(self, xi: np.ndarray) -> np.ndarray:
        """Second mass moments ∫ d dᵀ dm of the sections per unit length, positions × 3 × 3; d is the vector from the
        centreline to a point of the section."""
        R, density = self.section_axes(xi), nominal_value(self.beam.density)
        about = np.column_stack([np.zeros(len(xi)), self.section_at("Iz", xi), self.section_at("Iy", xi)])
        found: np.ndarray = density * np.einsum("nik,nk,njk->nij", R, about, R)
        return found

    def section_path(self, motion: ElasticMotion, xi: np.ndarray) -> PointPath:
        """Matrices A of the displacement of sections and their first and second time derivatives.

        A d is the displacement, relative to the centreline, of the point of the section at the offset d from the line.
        """
        first, second = self.kinematics.section_deformations(xi)
        n, L = len(xi), self.length
        one, two = (np.moveaxis(x.reshape(n, -1, 9), 1, 2) for x in (first / L, second / L**2))
        A, rate, acceleration = (x.reshape(-1, n, 3, 3) for x in self._displacement_history(one, two, motion))
        return A, rate, acceleration

    # motion of the deformed centreline ------------------------------------------------------------------------

    def _shapes(self, xi: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Displacement and rotation (t, θ) of each displacement field at positions ξ (fractions of the beam length).

        Two arrays, positions × 6 × fields: the fields of the elastic coordinates, and the fields of second order.
        """
        first, second, L = self.kinematics.motion(xi), self.kinematics.second_order_shapes(xi), self.length
        scale = np.repeat([1.0, 1 / L], 3)[:, None]
        return first * scale, second * scale / L

    def _quadratic_amplitudes(self, one: np.ndarray, other: np.ndarray) -> np.ndarray:
        """Values xᵀ G y of all quadratic forms G for two sets of elastic coordinates x and y, instants × forms."""
        found: np.ndarray = np.einsum(
            "ti,kij,tj->tk", one, self.kinematics.quadratic_forms, other, optimize=True
        )
        return found

    def _displacement_history(
        self, first: np.ndarray, second: np.ndarray, motion: ElasticMotion
    ) -> PointPath:
        """Displacements, velocities and accelerations at positions along the beam.

        `first` are the displacement fields of the elastic coordinates, `second` those of second order.
        """
        eta, rate, acceleration = motion.eta, motion.rate, motion.acceleration
        drawn = (
            self._quadratic_amplitudes(eta, eta) / 2,
            self._quadratic_amplitudes(eta, rate),
            self._quadratic_amplitudes(eta, acceleration) + self._quadratic_amplitudes(rate, rate),
        )
        both = zip((eta, rate, acceleration), drawn, strict=True)
        moved = [np.einsum("te,nke->tnk", x, first) + np.einsum("tf,nkf->tnk", z, second) for x, z in both]
        return moved[0], moved[1], moved[2]

    def path(self, motion: ElasticMotion, xi: np.ndarray) -> PointPath:
        """Positions r, velocities ṙ and accelerations r̈ of points of the centreline, relative to the beam's frame."""
        first, second = self._shapes(xi)
        u, rate, acceleration = self._displacement_history(first[:, :3], second[:, :3], motion)
        return u + self.length * self.kinematics.model.mesh.point(xi), rate, acceleration

    def marker_path(self, motion: ElasticMotion, name: str) -> PointPath:
        """Position, velocity and acceleration of a marker, with the effect of its offset from the centreline."""
        lever, L = self.kinematics.model.lever(name) * self.length, self.length
        first, second = self._shapes(np.array([self.places[name]]))
        swept = (
            np.einsum("ijf,j->if", self.kinematics.lever_shapes(name), lever) / L**2
            - cross_matrices(lever) @ second[0, 3:]
        )
        u, rate, acceleration = self._displacement_history(
            first[:, :3] - cross_matrices(lever) @ first[:, 3:], second[:, :3] + swept, motion
        )
        return u + L * self.kinematics.model.marker_point(name), rate, acceleration

    def point(self, eta: np.ndarray, xi: np.ndarray) -> np.ndarray:
        """Positions r of the points ξ (fractions of the beam length) of the centreline, deformed by elastic coordinates
        η, instants × positions × 3."""
        found: np.ndarray = self.deflection(eta, xi) + self.length * self.kinematics.model.mesh.point(xi)
        return found

    def deflection(self, eta: np.ndarray, xi: np.ndarray) -> np.ndarray:
        """Displacements r − r₀ of the points ξ (fractions of the beam length) of the centreline by elastic coordinates
        η, including second-order terms."""
        return self._displacement(eta, xi)[..., :3]

    def rotation(self, eta: np.ndarray, xi: np.ndarray) -> np.ndarray:
        """Rotation vectors (rad) of the sections at positions ξ (fractions of the beam length) for elastic coordinates
        η, instants × positions × 3."""
        return self._displacement(eta, xi)[..., 3:]

    def _displacement(self, eta: np.ndarray, xi: np.ndarray) -> np.ndarray:
        return self._displacement_history(*self._shapes(xi), ElasticMotion(eta, 0 * eta, 0 * eta))[0]

    def slope(self, eta: np.ndarray, xi: np.ndarray) -> np.ndarray:
        """Slope d(r − r₀)/ds of the centreline at positions ξ (fractions of the beam length) for elastic coordinates η,
        with s the arc length."""
        R, L = self.section_axes(xi), self.length
        first, strain = self.kinematics.motion(xi), self.kinematics.strain(xi)
        rate = np.einsum("nik,nke->nie", R, strain[:, :3]) + np.cross(first[:, 3:], R[:, :, :1], axis=1)
        return self._displacement_history(
            rate / L, self.kinematics.second_order_slopes(xi) / L**2, ElasticMotion(eta, 0 * eta, 0 * eta)
        )[0]

    # bending moments ------------------------------------------------------------------------------------------

    def bending_moments(self, eta: np.ndarray, xi: np.ndarray) -> np.ndarray:
        """Bending moments E I κ (N m), with the curvatures κ, about the y and z axes of the sections at positions ξ
        (fractions of the beam length), instants × positions × 2."""
        E, strain = nominal_value(self.beam.E), self.kinematics.strain(xi)[:, 4:] / self.length**2
        stiff = E * np.column_stack([self.section_at("Iy", xi), self.section_at("Iz", xi)])
        moments = strain * stiff[:, :, None] + self._cubic_correction(xi)
        found: np.ndarray = np.einsum("te,nke->tnk", eta, moments)
        return found

    def _cubic_correction(self, xi: np.ndarray) -> np.ndarray:
        """Part of each mode's bending moments that cubic elements cannot represent, positions × 2 × modes.

            ρ A a h²/24 (2 − 12 t + 12 t²),   0 ≤ t ≤ 1 over an element of length h

        ρ A is the mass per length, a the acceleration that belongs to a mode, ω² w for a natural mode of frequency ω
        and deflection w. Without this term the moments at nodes have an error of 0.3 % for the first mode on 16
        elements. Derived here, as in `UniformCentreline.curvatures`.
        """
        t, h = self.kinematics.model.mesh.local_coordinate(xi)
        accelerated = self.kinematics.model.mesh.motion(xi)[:, :3] @ shape_accelerations(self.beam)
        seen = np.einsum("nik,nie->nke", self.section_axes(xi)[:, :, 1:], accelerated)
        across = np.stack(
            [-seen[:, 1], seen[:, 0]], axis=1
        )  # deflections −z bend about y, deflections y about z
        load = self.mass_along(xi) * (h * self.length) ** 2 / 24 * (2 - 12 * t + 12 * t * t)
        return np.asarray(load[:, None, None] * across)


def element_centreline(beam: Beam) -> ElementCentreline:
    """Centreline of a beam that is modelled by finite elements."""
    return ElementCentreline(beam, beam_kinematics(beam))
