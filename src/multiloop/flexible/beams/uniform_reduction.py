"""Mass integrals, stiffness and damping of uniform beams, with foreshortening.

Foreshortening is the second-order displacement along the axis of a beam that bending causes. It leads to the geometric
stiffness under axial force.

Theory: docs/theory/10-flexible-bodies.md, eqs. (10.5), (10.10).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import casadi as ca
import numpy as np

from multiloop.flexible.beams.uniform_modes import (
    DEFLECTION_AXIS,
    GAUSS_POINTS,
    SLOPE_AXIS,
    Basis,
    beam_basis,
    element_gauss_points,
    element_polynomials,
    evaluate_at_symbol,
    gauss_rule,
)
from multiloop.flexible.component_modes import modal_damping
from multiloop.model import Modes, ReducedBody, Resolve, marker_pose, nominal_value, rigid_body
from multiloop.model.beams.beam import Beam
from multiloop.model.expressions.evaluation import is_parameter_independent
from multiloop.spatial import Matrix


def reduce_uniform_beam(
    beam: Beam, handle: str, resolve: Resolve, planar: bool, share: float = 1.0
) -> ReducedBody:
    """Mass properties and modes of a uniform beam in the frame of its marker `handle`.

    `resolve` replaces parameters by numbers or symbols; `share` is the fraction of mass and inertia that is included.
    """
    rigid = rigid_body(beam, handle, resolve, planar, share)
    frame = marker_pose(beam.marker(handle), resolve, planar)
    modes = _Reduction(beam, resolve, planar).modes.seen_from(frame)
    return ReducedBody(rigid.mass, rigid.com, rigid.inertia, rigid.markers, modes)


@dataclass(frozen=True, eq=False)
class _Reduction:
    """Reduction of one beam to its modes, in its own frame; `resolve` gives parameters as numbers or symbols."""

    beam: Beam
    resolve: Resolve
    planar: bool

    @property
    def _basis(self) -> Basis:
        return beam_basis(self.beam)

    @property
    def _foreshortening(self) -> Foreshortening:
        return beam_foreshortening(self.beam)

    @property
    def _axes(self) -> list[str]:
        """Direction of each displacement field; second-order fields (foreshortening) are along x."""
        return [*(direction for direction, _ in self.beam.ways), *["x"] * self._foreshortening.count]

    @property
    def _scales(self) -> list[Any]:
        """Factor of each displacement field that converts the dimensionless form (lengths divided by the beam length L)
        to metres."""
        return [*[1.0] * self.beam.elastic, *[1 / self._length] * self._foreshortening.count]

    def _values(self, xi: np.ndarray) -> np.ndarray:
        """Values of the mode shapes and second-order displacement fields at positions ξ (fractions of the beam length),
        fields × positions."""
        return np.concatenate([self._basis.at(xi, 0), self._foreshortening.functions(xi)])

    @property
    def _length(self) -> Any:
        return self.resolve(self.beam.length)

    @property
    def _mass(self) -> Any:
        return self.resolve(self.beam.mass)

    @property
    def modes(self) -> Modes:
        """Mode shapes at the markers, mass integrals, stiffness matrix and damping matrix of the beam."""
        e = self.beam.elastic
        products, stiffness = self._products(), self._stiffness()
        mass = ca.vertcat(*[ca.horzcat(*[ca.trace(products[i][j]) for j in range(e)]) for i in range(e)])
        return Modes(
            {name: self._marker_shapes(name) for name in self.beam.marker_names},
            self._momentum(),
            self._moments(),
            products,
            stiffness,
            modal_damping(self.beam.damping, self.resolve, mass, stiffness),
            tuple(ca.sparsify(ca.DM(G)) for G in self._foreshortening.forms),
        )

    def _place(self, name: str) -> Any:
        """Position ξ (fraction of the beam length) of the projection of a marker on the centreline; symbolic if it
        depends on parameters."""
        x, length = self.beam.marker(name).point[0], self.beam.length
        if is_parameter_independent(x / length):
            return float(np.clip(nominal_value(x) / nominal_value(length), 0.0, 1.0))
        return ca.SX(self.resolve(x) / self.resolve(length))

    def _shapes_at(self, name: str) -> tuple[list[Any], list[Any]]:
        """Mode shapes and second-order displacement fields at a marker, and the slopes of the mode shapes there."""
        xi = self._place(name)
        if isinstance(xi, float):
            place = np.array([xi])
            values, slopes = self._values(place)[:, 0], self._basis.at(place, 1)[:, 0]
            return [_without_round_off(x) for x in values], [_without_round_off(x) for x in slopes]
        return [*self._basis.at_symbol(xi, 0), *self._foreshortening.at_symbol(xi)], self._basis.at_symbol(
            xi, 1
        )

    def _marker_shapes(self, name: str) -> Matrix:
        """Rotation and displacement of a marker per unit of each displacement field, 6 × fields."""
        axes, scales = self._axes, self._scales
        value, slope = self._shapes_at(name)
        found = ca.SX(6, len(axes))
        for i, direction in enumerate(axes):
            if direction == "twist":
                found[0, i] = value[i]
                continue
            found[3 + DEFLECTION_AXIS[direction], i] = value[i] * scales[i]
            if direction in SLOPE_AXIS:
                axis, sign = SLOPE_AXIS[direction]
                found[axis, i] = sign * slope[i] / self._length
        return without_constant_symbols(found)

    # integrals over the mass ----------------------------------------------------------------------------------

    @cached_property
    def _points(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        xi, weight = element_gauss_points(self.beam.elements)
        return xi, weight, self._values(xi)

    def _momentum(self) -> Matrix:
        _, weight, psi = self._points
        found = ca.SX(3, len(psi))
        for i, (direction, scale) in enumerate(zip(self._axes, self._scales, strict=True)):
            if direction != "twist":
                found[DEFLECTION_AXIS[direction], i] = (
                    self._mass * scale * _without_round_off(weight @ psi[i])
                )
        return without_constant_symbols(found)

    def _moments(self) -> tuple[Matrix, ...]:
        xi, weight, psi = self._points
        found = []
        for i, (direction, scale) in enumerate(zip(self._axes, self._scales, strict=True)):
            S = ca.SX(3, 3)
            if (
                direction == "twist"
            ):  # a point (y, z) of the section is displaced by (−z, y) per unit of twist
                about_z, about_y = self._section_masses
                S[1, 2], S[2, 1] = about_z * (weight @ psi[i]), -about_y * (weight @ psi[i])
            else:
                S[0, DEFLECTION_AXIS[direction]] = (
                    self._mass * self._length * scale * _without_round_off(weight @ (xi * psi[i]))
                )
            found.append(without_constant_symbols(S))
        return tuple(found)

    @property
    def _section_masses(self) -> tuple[Any, Any]:
        """Mass integrals ∫ y² dm and ∫ z² dm over the whole beam, with y and z measured from its centreline."""
        line = self.resolve(self.beam.density) * self._length
        return line * self.resolve(self.beam.section.Iz), line * self.resolve(self.beam.section.Iy)

    def _products(self) -> tuple[tuple[Matrix, ...], ...]:
        _, weight, psi = self._points
        axes, scales, e = self._axes, self._scales, self.beam.elastic
        shares = (psi * weight) @ psi.T
        # the foreshortening functions are orthonormal: their products are set exactly, without round-off
        shares[e:, e:] = np.eye(self._foreshortening.count)
        rows = []
        for i, one in enumerate(axes):
            row = []
            for j, other in enumerate(axes):
                S, share = ca.SX(3, 3), shares[i, j]
                if one == other == "twist":
                    about_z, about_y = self._section_masses
                    S[1, 1], S[2, 2] = about_y * share, about_z * share
                elif "twist" not in (one, other):
                    S[DEFLECTION_AXIS[one], DEFLECTION_AXIS[other]] = (
                        self._mass * scales[i] * scales[j] * _without_round_off(share)
                    )
                row.append(without_constant_symbols(S))
            rows.append(tuple(row))
        return tuple(rows)

    # stiffness matrix -----------------------------------------------------------------------------------------

    def _stiffness(self) -> Matrix:
        beam, resolve = self.beam, self.resolve
        xi, weight = element_gauss_points(beam.elements)
        E, L = resolve(beam.E), self._length
        along = {
            "y": (2, E * resolve(beam.section.Iz) / L**3),
            "z": (2, E * resolve(beam.section.Iy) / L**3),
            "x": (1, E * resolve(beam.section.A) / L),
            "twist": (1, resolve(beam.G) * resolve(beam.section.J) / L),
        }
        orders = {order: self._basis.at(xi, order) for order in (1, 2)}
        found = ca.SX(beam.elastic, beam.elastic)
        for i, (one, _) in enumerate(beam.ways):
            for j, (other, _) in enumerate(beam.ways):
                if one == other:
                    order, stiff = along[one]
                    share = weight @ (orders[order][i] * orders[order][j])
                    found[i, j] = stiff * share if i == j or abs(share) > 1e-9 else 0.0
        return without_constant_symbols(found)


def _without_round_off(value: float) -> float:
    """The value, or exactly zero if it is at the level of round-off."""
    return float(value) if abs(value) > 1e-13 else 0.0


def without_constant_symbols(found: Matrix) -> Matrix:
    """The matrix in sparse form; a matrix of numbers (DM) if it contains no symbol."""
    if isinstance(found, ca.SX) and not ca.symvar(found):
        return ca.sparsify(ca.DM(ca.evalf(found)))
    return ca.sparsify(found)


BENDING_DIRECTIONS = ("y", "z")
"""Directions of deformation whose bending shortens the chord of a beam."""

DEGREE = 5
"""Polynomial degree, on an element with cubic mode shapes φ, of the foreshortening functions ∫ φ_i' φ_j' dξ."""

INDEPENDENT_PART = 1e-8
"""A function counts as linearly independent of others if the squared norm of the part that they do not represent is
larger than this, relative to its own squared norm."""

ROUND_OFF = 1e-13
"""Coefficients smaller than this, relative to the largest, are set to zero."""


@dataclass(frozen=True, eq=False)
class Foreshortening:
    """Foreshortening of a beam, the axial displacement u_x = ½ Σ β_k ηᵀ G_k η: functions β_k of the position ξ and
    quadratic forms G_k of the elastic coordinates η.

    There are no functions if `bending_directions`, the directions of bending to be included, is empty.
    """

    basis: Basis
    bending_directions: tuple[str, ...] = BENDING_DIRECTIONS

    @property
    def ways(self) -> tuple[str, ...]:
        """Direction of deformation of each elastic coordinate."""
        return self.basis.ways

    @property
    def count(self) -> int:
        """Number of foreshortening functions β_k."""
        return len(self._expansion[0])

    @cached_property
    def forms(self) -> np.ndarray:
        """Quadratic forms G_k in the e elastic coordinates, functions × e × e."""
        found = np.zeros((self.count, len(self.ways), len(self.ways)))
        for (i, j), row in zip(self._pairs, self._expansion[2], strict=True):
            found[:, i, j] = found[:, j, i] = row
        return found

    def functions(self, xi: np.ndarray) -> np.ndarray:
        """Foreshortening functions β at positions ξ (fractions of the beam length), functions × positions; a cached,
        read-only array."""
        return _functions_at(self, np.asarray(xi, float).tobytes())

    def at_symbol(self, xi: Matrix) -> list[Matrix]:
        """Foreshortening functions β at a symbolic ξ (fraction of the beam length)."""
        return evaluate_at_symbol(element_polynomials(self.functions, self.basis.elements, DEGREE), xi)

    @property
    def _pairs(self) -> list[tuple[int, int]]:
        ways, e = self.ways, range(len(self.ways))
        return [(i, j) for i in e for j in e[i:] if ways[i] == ways[j] and ways[i] in self.bending_directions]

    def _pair_functions(self, xi: np.ndarray) -> np.ndarray:
        drawn = shortening_integrals(self.basis, xi)
        return np.array([drawn[i, j] for i, j in self._pairs]).reshape(-1, len(xi))

    @cached_property
    def _expansion(self) -> tuple[list[int], np.ndarray, np.ndarray]:
        """Expansion of the foreshortening of all pairs of modes in orthonormal functions β.

        Returns the indices of the pairs with linearly independent functions, the coefficients of these functions in β,
        and the coefficients of the functions of all pairs. The pairs are selected by pivoted Cholesky factorisation of
        the Gram matrix. The functions are orthonormalised twice, because round-off of nearly equal functions would
        otherwise remain.
        """
        xi, weight = element_gauss_points(self.basis.elements)
        b = self._pair_functions(xi)
        chosen = _independent_functions((b * weight) @ b.T)
        own = b[chosen]
        factor, beta = np.eye(len(own)), own
        for _ in range(2):
            again = np.linalg.cholesky((beta * weight) @ beta.T)
            factor, beta = factor @ again, np.linalg.solve(again, beta)
        written = (b * weight) @ beta.T
        written[chosen] = factor
        written[np.abs(written) < ROUND_OFF * np.abs(written).max(initial=0.0)] = 0.0
        return chosen, factor, written


@lru_cache(maxsize=256)
def _functions_at(drawing: Foreshortening, places: bytes) -> np.ndarray:
    chosen, factor, _ = drawing._expansion
    found = np.linalg.solve(factor, drawing._pair_functions(np.frombuffer(places))[chosen])
    found.flags.writeable = False
    return found


def _independent_functions(products: np.ndarray) -> list[int]:
    """Indices of linearly independent functions, by pivoted Cholesky factorisation of their Gram matrix."""
    left, whole, chosen = products.copy(), np.diag(products).copy(), list[int]()
    while (np.diag(left) > INDEPENDENT_PART * whole).any():
        k = int(np.argmax(np.diag(left) / whole))
        column = left[:, k] / np.sqrt(left[k, k])
        left -= np.outer(column, column)
        chosen.append(k)
        left[chosen, :] = left[:, chosen] = 0.0  # replaces round-off by the exact values
    return chosen


def beam_foreshortening(beam: Beam) -> Foreshortening:
    """Foreshortening of a uniform beam; beams with the same modes share one result."""
    return _cached_foreshortening(beam_basis(beam), BENDING_DIRECTIONS if beam.stiffening else ())


@lru_cache(maxsize=256)
def _cached_foreshortening(basis: Basis, bends: tuple[str, ...]) -> Foreshortening:
    return Foreshortening(basis, bends)


def shortening_integrals(basis: Basis, xi: np.ndarray) -> np.ndarray:
    """Axial shortening −∫₀^ξ φ_i' φ_j' dξ due to all pairs of modes φ_i, φ_j, modes × modes × positions.

    Only pairs of modes that bend the beam in the same direction are non-zero.
    """
    elements, ways = basis.elements, basis.ways
    whole = np.clip((np.asarray(xi) * elements + 1e-12).astype(int), 0, elements - 1)
    ends = np.concatenate([np.arange(1, elements + 1) / elements, xi])
    begins = np.concatenate([np.arange(elements), whole]) / elements
    pieces = _slope_products(basis, begins, ends - begins)
    before = np.cumsum(np.concatenate([np.zeros_like(pieces[:1]), pieces[:elements]]), axis=0)
    found: np.ndarray = -np.moveaxis(before[whole] + pieces[elements:], 0, 2)
    alike = np.array([[one == other and one in BENDING_DIRECTIONS for other in ways] for one in ways])
    found *= alike[:, :, None]
    return found


def _slope_products(basis: Basis, begins: np.ndarray, widths: np.ndarray) -> np.ndarray:
    """Integrals ∫ φ_i' φ_j' dξ over intervals for all pairs of modes φ_i, φ_j, intervals × modes × modes.

    Each interval lies within one element, begins at an entry of `begins` and has a length of `widths`.
    """
    s, weight = gauss_rule(GAUSS_POINTS)
    slopes = basis.at((begins[:, None] + widths[:, None] * s).ravel(), 1).reshape(-1, len(begins), len(s))
    found: np.ndarray = np.einsum("ips,jps,s,p->pij", slopes, slopes, weight, widths, optimize=True)
    return found
