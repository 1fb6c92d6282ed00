"""Reduction of a tapered or cranked beam to its modes: mass integrals, stiffness, damping, and motion of markers.

Mode shapes over ξ = s/L are computed once, at the described values of parameters. Section properties are polynomials
in ξ, so that each integral is a sum of a few numbers times their coefficients, which may be symbols:

    ∫ Ψ dm = ρ L Σ_k A_k ∫ ξᵏ Ψ dξ,      K = E/L³ Σ_k I_k ∫ ξᵏ κ κᵀ dξ + …

Points off the line move by θ × d: the rotary inertia of sections is included for torsion and, with shear, for bending.
Markers off the line are moved by the rotation of their section, to second order.

Derived here; the integrals are those of `uniform.reduced`, [fattah], over a variable section.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import casadi as ca
import numpy as np
from scipy.linalg import eigh

from multiloop.flexible.elements.bending import BeamBending, beam_bending
from multiloop.flexible.elements.model import STIFFNESS
from multiloop.flexible.modal_damping import modal_damping
from multiloop.flexible.uniform.reduced import plain
from multiloop.model.beam import Beam
from multiloop.model.damping import Rayleigh
from multiloop.model.geometry import Resolve, marker_pose, point_of, rigid_body
from multiloop.model.reduced import Modes, ReducedBody
from multiloop.model.section_course import section_course
from multiloop.spatial import Matrix, skew

APART = 1e-9
"""Relative size below which the coupling of two modes in stiffness or mass is round-off."""


def reduced_by_elements(
    beam: Beam, handle: str, resolve: Resolve, planar: bool, share: float = 1.0
) -> ReducedBody:
    """Mass properties and modes of a beam in the frame of its marker `handle`."""
    rigid = rigid_body(beam, handle, resolve, planar, share)
    frame = marker_pose(beam.marker(handle), resolve, planar)
    modes = _Reduction(beam, resolve).modes.seen_from(frame)
    return ReducedBody(rigid.mass, rigid.com, rigid.inertia, rigid.markers, modes)


@dataclass(frozen=True, eq=False)
class _Reduction:
    """Reduction of one beam in its own frame, with numbers or symbols for its parameters."""

    beam: Beam
    resolve: Resolve

    @cached_property
    def _line(self) -> BeamBending:
        return beam_bending(self.beam)

    @cached_property
    def _length(self) -> Any:
        return self.resolve(self.beam.length)

    @cached_property
    def _course(self) -> dict[str, list[Any]]:
        found = section_course(self.beam.section, self.beam.section_at_b)
        return {name: [self.resolve(c) for c in parts] for name, parts in found.items()}

    @property
    def modes(self) -> Modes:
        """Mode shapes at markers, mass integrals, stiffness and damping."""
        shapes = {name: self._marker(name) for name in self.beam.marker_names}
        momentum, moments, products = self._integrals(shapes)
        stiffness, e = self._stiffness(), self._line.count
        masses = ca.vertcat(*[ca.horzcat(*[ca.trace(products[i][j]) for j in range(e)]) for i in range(e)])
        damping = modal_damping(self.beam.damping, self.resolve, masses, stiffness, self._natural)
        forms = tuple(_numbers(G) for G in self._line.forms)
        return Modes(shapes, momentum, moments, products, stiffness, damping, forms)

    @property
    def _natural(self) -> np.ndarray | None:
        """Natural modes in nodal coordinates, lowest frequency first; None where the coordinates are natural modes."""
        if not self.beam.nodal or isinstance(self.beam.damping, Rayleigh):
            return None
        M, K = (self._line.shapes.T @ matrix @ self._line.shapes for matrix in self._line.model.matrices)
        return np.asarray(eigh(K, M)[1])

    # markers --------------------------------------------------------------------------------------------------

    def _marker(self, name: str) -> Matrix:
        """Rotation and displacement of a marker per unit of each shape, 6×s, including its lever from the line."""
        line, L = self._line, self._length
        xi = np.array([line.model.places[name]])
        first, second = line.motion(xi)[0], line.second(xi)[0]
        turn = ca.horzcat(_numbers(first[3:]) / L, _numbers(second[3:]) / L**2)
        shift = ca.horzcat(_numbers(first[:3]), _numbers(second[:3]) / L)
        if np.any(line.model.lever(name)):
            shift = shift + self._swept(name, turn)
        return plain(ca.vertcat(turn, shift))

    def _swept(self, name: str, turn: Matrix) -> Matrix:
        """Displacement due to the lever l: θ × l, and of second order Θ × l + ½ (θ_i × (θ_j × l) + θ_j × (θ_i × l))."""
        line, L, e = self._line, self._length, self._line.count
        away = (line.model.lever(name) != 0).astype(float)
        at = _numbers(line.model.mesh.point(np.array([line.model.places[name]])).T) * L
        lever = ca.DM(np.diag(away)) @ (point_of(self.beam.marker(name), self.resolve) - at)
        second = [_numbers(N) @ lever / L**2 for N in np.moveaxis(line.sweep(name), 2, 0)]
        return -skew(lever) @ turn + ca.horzcat(ca.DM(3, e), *second)

    # integrals over the mass ----------------------------------------------------------------------------------

    def _integrals(self, shapes: dict[str, Matrix]) -> tuple[Matrix, tuple[Matrix, ...], Any]:
        """∫ Ψ dm, ∫ r₀ Ψᵀ dm and ∫ Ψ Ψᵀ dm of the line, its sections and its point masses."""
        s = self._line.count + len(self._line.forms)
        momentum: Matrix = ca.DM(3, s)
        moments: list[Matrix] = [ca.DM(3, 3)] * s
        products: list[list[Matrix]] = [[ca.DM(3, 3)] * s for _ in range(s)]
        for P, S, SS in (*self._of_line(), *self._of_sections(), *self._of_masses(shapes)):
            momentum = momentum + P
            moments = [one + more for one, more in zip(moments, S, strict=True)]
            for i in range(s):
                for j in range(i, s):
                    products[i][j] = products[i][j] + SS[i][j]
        for i in range(s):
            for j in range(i):
                products[i][j] = products[j][i].T
        return plain(momentum), tuple(map(plain, moments)), tuple(tuple(map(plain, row)) for row in products)

    def _of_line(self) -> Iterator[tuple[Any, Any, Any]]:
        """Integrals over the line, one set for each power of ξ in the cross-section area."""
        line, L = self._line, self._length
        xi, weight = line.model.gauss
        psi = np.concatenate([line.motion(xi)[:, :3], line.second(xi)[:, :3]], axis=2)
        r, e, s = line.model.mesh.point(xi), line.count, psi.shape[2]
        scales = [1.0] * e + [1 / L] * (s - e)
        for k, A in enumerate(self._course["A"]):
            dm, w = self.resolve(self.beam.density) * A * L, weight * xi**k
            P, S = np.einsum("nie,n->ie", psi, w), np.einsum("ni,nje,n->eij", r, psi, w)
            SS = _trimmed(np.einsum("nie,njf,n->efij", psi, psi, w, optimize=True))
            yield (
                ca.horzcat(*[dm * scales[i] * _numbers(_clean(P)[:, [i]]) for i in range(s)]),
                [dm * L * scales[i] * _numbers(_clean(S)[i]) for i in range(s)],
                [[dm * scales[i] * scales[j] * _numbers(SS[i, j]) for j in range(s)] for i in range(s)],
            )

    def _of_sections(self) -> Iterator[tuple[Any, Any, Any]]:
        """Integrals over sections, whose points d move by A d: D Aᵀ and A_i D A_jᵀ, D = ∫ d dᵀ dm."""
        line, L = self._line, self._length
        xi, weight = line.model.gauss
        R, turned = line.model.mesh.axes_at(xi), np.concatenate(line.sections(xi), axis=1)
        s = turned.shape[1]
        scales = [1 / L] * line.count + [1 / L**2] * (s - line.count)
        for name, axis in (("Iz", 1), ("Iy", 2)):
            D = np.einsum("ni,nj->nij", R[:, :, axis], R[:, :, axis])
            for k, I in enumerate(self._course[name]):
                dm, w = self.resolve(self.beam.density) * I * L, weight * xi**k
                S = _clean(np.einsum("nij,nekj,n->eik", D, turned, w, optimize=True))
                SS = _trimmed(np.einsum("neij,njk,nflk,n->efil", turned, D, turned, w, optimize=True))
                yield (
                    ca.DM(3, s),
                    [dm * scales[i] * _numbers(S[i]) for i in range(s)],
                    [[dm * scales[i] * scales[j] * _numbers(SS[i, j]) for j in range(s)] for i in range(s)],
                )

    def _of_masses(self, shapes: dict[str, Matrix]) -> Iterator[tuple[Any, Any, Any]]:
        """Contributions of point masses, which move with their markers."""
        for name, mass in self.beam.masses:
            m, r, psi = (
                self.resolve(mass),
                point_of(self.beam.marker(name), self.resolve),
                shapes[name][3:, :],
            )
            s = psi.shape[1]
            SS = [[m * psi[:, i] @ psi[:, j].T for j in range(s)] for i in range(s)]
            yield m * psi, [m * r @ psi[:, i].T for i in range(s)], SS

    # stiffness ------------------------------------------------------------------------------------------------

    def _stiffness(self) -> Matrix:
        line, L, beam = self._line, self._length, self.beam
        xi, weight = line.model.gauss
        strain, total = line.strain(xi), ca.DM(line.count, line.count)
        for name, rows in STIFFNESS.items():
            if name == "GAs" and not beam.shear:
                continue
            modulus = self.resolve(beam.G if name[0] == "G" else beam.E) / L ** (1 if "A" in name else 3)
            part = strain[:, rows]
            for k, c in enumerate(self._course[name[1:]]):
                shared = np.einsum("nie,nif,n->ef", part, part, weight * xi**k, optimize=True)
                total = total + modulus * c * _numbers(_apart(shared))
        return plain(total)


def _numbers(array: np.ndarray) -> Matrix:
    return ca.sparsify(ca.DM(array))


def _clean(found: np.ndarray) -> np.ndarray:
    size = np.abs(found).max(initial=0.0)
    return np.where(np.abs(found) > 1e-13 * size, found, 0.0)


def _apart(found: np.ndarray) -> np.ndarray:
    """A modal matrix with couplings at the level of round-off set to zero."""
    size = np.sqrt(np.abs(np.diag(found)))
    return np.where(np.abs(found) > APART * np.outer(size, size), found, 0.0)


def _trimmed(found: np.ndarray) -> np.ndarray:
    """Products of shapes, e × e × 3 × 3, with entries at the level of round-off set to zero."""
    size = np.sqrt(np.abs(np.einsum("eeii->e", found)))
    limit = 1e-12 * np.outer(size, size)[:, :, None, None]
    return np.where(np.abs(found) > limit, found, 0.0)
