"""Reduction of a uniform straight beam to its modes: mass integrals, stiffness, damping, and motion of markers.

With ξ = x/L each integral is a number times powers of m, L, E, G and section properties, so that these may be symbols.

    P = ∫ Ψ dm,   S_i = ∫ r₀ Ψ_iᵀ dm,   S_ij = ∫ Ψ_i Ψ_jᵀ dm      [fattah], eqs. (3.5)–(3.16)
    K = E I ∫ φ''φ'' dx,   E A ∫ φ'φ' dx,   G J ∫ φ'φ' dx

The shapes Ψ include second-order shapes, whose amplitudes are products of coordinates: they shorten the beam along x so
that its line keeps its length (`foreshortening`).

Sections stay plane and normal to the line (Euler–Bernoulli); their rotary inertia is included for torsion only.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import casadi as ca
import numpy as np

from multiloop.flexible.modal_damping import modal_damping
from multiloop.flexible.uniform.foreshortening import Drawing, drawing_of
from multiloop.flexible.uniform.shapes import AXIS, TURNS, Basis, basis_of, points
from multiloop.model.beam import Beam
from multiloop.model.expressions.evaluation import same_for_all
from multiloop.model.geometry import Resolve, at_values, marker_pose, rigid_body
from multiloop.model.reduced import Modes, ReducedBody
from multiloop.spatial import Matrix


def reduced_beam(beam: Beam, handle: str, resolve: Resolve, planar: bool, share: float = 1.0) -> ReducedBody:
    """Mass properties and modes of a uniform beam in the frame of its marker `handle`."""
    rigid = rigid_body(beam, handle, resolve, planar, share)
    frame = marker_pose(beam.marker(handle), resolve, planar)
    modes = _Reduction(beam, resolve, planar).modes.seen_from(frame)
    return ReducedBody(rigid.mass, rigid.com, rigid.inertia, rigid.markers, modes)


@dataclass(frozen=True, eq=False)
class _Reduction:
    """Reduction of one beam in its own frame, with numbers or symbols for its parameters."""

    beam: Beam
    resolve: Resolve
    planar: bool

    @property
    def _basis(self) -> Basis:
        return basis_of(self.beam)

    @property
    def _drawing(self) -> Drawing:
        return drawing_of(self.beam)

    @property
    def _axes(self) -> list[str]:
        """Direction of each shape; second-order shapes are along x."""
        return [*(way for way, _ in self.beam.ways), *["x"] * self._drawing.count]

    @property
    def _scales(self) -> list[Any]:
        """Dimensional factor of each shape, for lengths relative to L."""
        return [*[1.0] * self.beam.elastic, *[1 / self._length] * self._drawing.count]

    def _values(self, xi: np.ndarray) -> np.ndarray:
        """All shapes including those of second order, shapes × places."""
        return np.concatenate([self._basis.at(xi, 0), self._drawing.functions(xi)])

    @property
    def _length(self) -> Any:
        return self.resolve(self.beam.length)

    @property
    def _mass(self) -> Any:
        return self.resolve(self.beam.mass)

    @property
    def modes(self) -> Modes:
        """Mode shapes at markers, mass integrals, stiffness and damping."""
        e = self.beam.elastic
        products, stiffness = self._products(), self._stiffness()
        mass = ca.vertcat(*[ca.horzcat(*[ca.trace(products[i][j]) for j in range(e)]) for i in range(e)])
        return Modes(
            {name: self._marker(name) for name in self.beam.marker_names},
            self._momentum(),
            self._moments(),
            products,
            stiffness,
            modal_damping(self.beam.damping, self.resolve, mass, stiffness),
            tuple(ca.sparsify(ca.DM(G)) for G in self._drawing.forms),
        )

    def _place(self, name: str) -> Any:
        """ξ of the projection of a marker on the line; symbolic where it depends on parameters."""
        x, length = self.beam.marker(name).point[0], self.beam.length
        if same_for_all(x / length):
            return float(np.clip(at_values(x) / at_values(length), 0.0, 1.0))
        return ca.SX(self.resolve(x) / self.resolve(length))

    def _shapes_at(self, name: str) -> tuple[list[Any], list[Any]]:
        """All shapes at a marker, and the slopes of the first e."""
        xi = self._place(name)
        if isinstance(xi, float):
            place = np.array([xi])
            values, slopes = self._values(place)[:, 0], self._basis.at(place, 1)[:, 0]
            return [_rounded(x) for x in values], [_rounded(x) for x in slopes]
        return [*self._basis.at_symbol(xi, 0), *self._drawing.at_symbol(xi)], self._basis.at_symbol(xi, 1)

    def _marker(self, name: str) -> Matrix:
        """Rotation and displacement of a marker per unit of each shape, 6×s."""
        axes, scales = self._axes, self._scales
        value, slope = self._shapes_at(name)
        found = ca.SX(6, len(axes))
        for i, way in enumerate(axes):
            if way == "twist":
                found[0, i] = value[i]
                continue
            found[3 + AXIS[way], i] = value[i] * scales[i]
            if way in TURNS:
                axis, sign = TURNS[way]
                found[axis, i] = sign * slope[i] / self._length
        return plain(found)

    # integrals over the mass ----------------------------------------------------------------------------------

    @cached_property
    def _points(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        xi, weight = points(self.beam.elements)
        return xi, weight, self._values(xi)

    def _momentum(self) -> Matrix:
        _, weight, psi = self._points
        found = ca.SX(3, len(psi))
        for i, (way, scale) in enumerate(zip(self._axes, self._scales, strict=True)):
            if way != "twist":
                found[AXIS[way], i] = self._mass * scale * _rounded(weight @ psi[i])
        return plain(found)

    def _moments(self) -> tuple[Matrix, ...]:
        xi, weight, psi = self._points
        found = []
        for i, (way, scale) in enumerate(zip(self._axes, self._scales, strict=True)):
            S = ca.SX(3, 3)
            if way == "twist":  # a point (y, z) of the section moves by (−z, y)
                about_z, about_y = self._section_masses
                S[1, 2], S[2, 1] = about_z * (weight @ psi[i]), -about_y * (weight @ psi[i])
            else:
                S[0, AXIS[way]] = self._mass * self._length * scale * _rounded(weight @ (xi * psi[i]))
            found.append(plain(S))
        return tuple(found)

    @property
    def _section_masses(self) -> tuple[Any, Any]:
        """∫ y² dm and ∫ z² dm of the whole beam."""
        line = self.resolve(self.beam.density) * self._length
        return line * self.resolve(self.beam.section.Iz), line * self.resolve(self.beam.section.Iy)

    def _products(self) -> tuple[tuple[Matrix, ...], ...]:
        _, weight, psi = self._points
        axes, scales, e = self._axes, self._scales, self.beam.elastic
        shares = (psi * weight) @ psi.T
        shares[e:, e:] = np.eye(self._drawing.count)  # exact values, without round-off
        rows = []
        for i, one in enumerate(axes):
            row = []
            for j, other in enumerate(axes):
                S, share = ca.SX(3, 3), shares[i, j]
                if one == other == "twist":
                    about_z, about_y = self._section_masses
                    S[1, 1], S[2, 2] = about_y * share, about_z * share
                elif "twist" not in (one, other):
                    S[AXIS[one], AXIS[other]] = self._mass * scales[i] * scales[j] * _rounded(share)
                row.append(plain(S))
            rows.append(tuple(row))
        return tuple(rows)

    # stiffness ------------------------------------------------------------------------------------------------

    def _stiffness(self) -> Matrix:
        beam, resolve = self.beam, self.resolve
        xi, weight = points(beam.elements)
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
        return plain(found)


def _rounded(value: float) -> float:
    """The value, or exactly zero if it is at the level of round-off."""
    return float(value) if abs(value) > 1e-13 else 0.0


def plain(found: Matrix) -> Matrix:
    """The matrix in sparse form, as numbers if it contains no symbol."""
    if isinstance(found, ca.SX) and not ca.symvar(found):
        return ca.sparsify(ca.DM(ca.evalf(found)))
    return ca.sparsify(found)
