"""Mode shapes of a uniform beam over ξ = x/L: bending by finite elements, stretching and torsion in closed form.

    frame "a"       clamped at ξ = 0, free at ξ = 1
    frame "chord"   no deflection at either end

They are the natural modes of the beam under these conditions. They depend on no parameter of the beam, so that the
basis stays the same in a parameter sweep. Each is scaled to a largest deflection of 1. A beam in its chord frame is
stretched and twisted by the joint at its end: its first mode is the static one, ξ, and the following ones have both
ends fixed (Craig–Bampton).

A function that is a polynomial on each of n equal elements is evaluated at a symbolic ξ as

    f(ξ) = Σ_j c_j s^j,      c_j = c_0j + Σ_k (c_kj − c_(k−1)j) [n ξ ≥ k],      s = n ξ − Σ_k [n ξ ≥ k]

where [n ξ ≥ k] is 1 if ξ lies at or beyond the beginning of element k = 1, 2, …, else 0. The coefficients of element k
are c_kj, and its local coordinate is 0 ≤ s ≤ 1 (derived here).

Source: Hermite's cubic elements; sin((k − ½) π ξ) for stretching and torsion of a bar fixed at one end.
Theory: docs/theory/10-flexible-bodies.md, eq. (10.10).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import casadi as ca
import numpy as np
from numpy.polynomial import polynomial

from multiloop.model.beams.beam import Beam
from multiloop.spatial import Matrix


def evaluate_at_symbol(pieces: np.ndarray, xi: Matrix, order: int = 0) -> list[Matrix]:
    """Values at a symbolic ξ (fraction of the beam length) of functions that are polynomials on each element, or of
    their derivatives d/dξ.

    `pieces` are the polynomial coefficients, functions × elements × powers of the local coordinate; `order` is the
    order of the derivative.
    """
    elements = pieces.shape[1]
    X = elements * ca.fmin(ca.fmax(xi, 0.0), 1.0)
    begun = [k <= X for k in range(1, elements)]
    s = X - sum(begun, ca.SX(0))
    found = []
    for own in pieces:
        coefficients = [c[0] + _dot(np.diff(c), begun) for c in own.T]
        for _ in range(order):
            coefficients = [elements * j * c for j, c in enumerate(coefficients)][1:]
        total = ca.SX(0)
        for c in reversed(coefficients):
            total = total * s + c
        found.append(total)
    return found


def _dot(numbers: np.ndarray, symbols: list[Matrix]) -> Matrix:
    return sum((float(x) * symbol for x, symbol in zip(numbers, symbols, strict=True) if x), ca.SX(0))


def element_polynomials(
    functions: Callable[[np.ndarray], np.ndarray], elements: int, degree: int
) -> np.ndarray:
    """Coefficients of functions that are polynomials of the given degree on each element.

    `functions` maps positions ξ (fractions of the beam length) to values, functions × positions. Returns functions ×
    elements × powers.
    """
    s = (1 - np.cos(np.pi * (np.arange(degree + 1) + 0.5) / (degree + 1))) / 2
    values = functions(((np.arange(elements)[:, None] + s) / elements).ravel())
    inverse = np.linalg.inv(np.vander(s, increasing=True))
    found: np.ndarray = values.reshape(len(values), elements, -1) @ inverse.T
    return found


DEFLECTION_AXIS = {"x": 0, "y": 1, "z": 2}
"""Axis along which each direction of deformation displaces the points of the centreline."""

SLOPE_AXIS = {"y": (2, 1.0), "z": (1, -1.0)}
"""For each direction of bending, the axis about which its slope rotates a section, and the sign of the rotation."""

HERMITE = np.array([[1, 0, -3, 2], [0, 1, -2, 1], [0, 0, 3, -2], [0, 0, -1, 1]], float)
"""Coefficients of 1, s, s², s³ of Hermite's cubic functions on an element, 0 ≤ s ≤ 1; one row for the deflection at its
beginning, the slope there, the deflection at its end, and the slope there."""

GAUSS_POINTS = 6
"""Number of Gauss points per element; products of four cubic mode shapes are integrated exactly."""


@dataclass(frozen=True, eq=False)
class ShapeFamily:
    """Mode shapes φ of one direction of deformation: cubic polynomials on elements of equal length, or sines.

    `coefficients` of the cubic polynomials are mode shapes × elements × 4.
    """

    coefficients: np.ndarray

    @property
    def count(self) -> int:
        """Number of mode shapes."""
        return len(self.coefficients)

    def at(self, xi: np.ndarray, order: int) -> np.ndarray:
        """Mode shapes φ, or their derivatives of the given order with respect to the position ξ (fraction of the beam
        length), mode shapes × positions."""
        n = self.coefficients.shape[1]
        k = np.clip((np.asarray(xi) * n).astype(int), 0, n - 1)
        s = np.asarray(xi) * n - k
        pieces = polynomial.polyder(self.coefficients, order, axis=2)[:, k]
        found: np.ndarray = np.einsum("ijc,jc->ij", pieces, polynomial.polyvander(s, pieces.shape[2] - 1))
        found *= n**order
        return found

    def at_symbol(self, xi: Matrix, order: int) -> list[Matrix]:
        """Mode shapes, or their derivatives of the given order with respect to ξ, at a symbolic ξ (fraction of the beam
        length)."""
        return evaluate_at_symbol(self.coefficients, xi, order)


class Sines(ShapeFamily):
    """Mode shapes sin((k − ½) π ξ), k = 1, 2, … of a bar that is fixed at one end."""

    def at(self, xi: np.ndarray, order: int) -> np.ndarray:
        rate = self._wave_numbers[:, None]
        found: np.ndarray = rate**order * np.sin(rate * np.asarray(xi)[None, :] + order * np.pi / 2)
        return found

    def at_symbol(self, xi: Matrix, order: int) -> list[Matrix]:
        return [rate**order * ca.sin(rate * xi + order * np.pi / 2) for rate in self._wave_numbers]

    @property
    def _wave_numbers(self) -> np.ndarray:
        return (np.arange(1, self.count + 1) - 0.5) * np.pi


class FixedEndSines(Sines):
    """The static mode ξ, then mode shapes sin(k π ξ), k = 1, 2, … of a bar that is fixed at both ends."""

    def at(self, xi: np.ndarray, order: int) -> np.ndarray:
        xi = np.asarray(xi, float)
        first = (xi, np.ones_like(xi), np.zeros_like(xi))[min(order, 2)]
        return np.vstack([first, super().at(xi, order)])

    def at_symbol(self, xi: Matrix, order: int) -> list[Matrix]:
        return [(xi, ca.SX(1), ca.SX(0))[min(order, 2)], *super().at_symbol(xi, order)]

    @property
    def _wave_numbers(self) -> np.ndarray:
        return np.arange(1, self.count) * np.pi


@lru_cache(maxsize=256)
def shape_family(direction: str, count: int, frame: str, elements: int) -> ShapeFamily:
    """The `count` lowest mode shapes of one direction of deformation `direction`, e.g. "y" or "twist", for the beam
    frame `frame` ("a" or "chord"), computed with `elements` finite elements."""
    if direction in ("x", "twist"):
        return (Sines if frame == "a" else FixedEndSines)(np.zeros((count, 1, 4)))
    M, K = element_matrices(elements)
    held = [0, 1] if frame == "a" else [0, 2 * elements]
    free = [k for k in range(2 * elements + 2) if k not in held]
    from scipy.linalg import eigh

    _, vectors = eigh(K[np.ix_(free, free)], M[np.ix_(free, free)], subset_by_index=[0, count - 1])
    nodes = np.zeros((2 * elements + 2, count))
    nodes[free] = vectors
    pieces = np.array(
        [[nodes[2 * k : 2 * k + 4, i] @ HERMITE for k in range(elements)] for i in range(count)]
    )
    return _normalised(ShapeFamily(pieces))


@dataclass(frozen=True)
class Basis:
    """The mode shapes of a uniform beam in all directions of deformation.

    `modes` gives the number of modes of each direction. Beams with equal bases share the cached values.
    """

    modes: tuple[tuple[str, int], ...]
    frame: str
    elements: int

    @property
    def ways(self) -> tuple[str, ...]:
        """Direction of deformation of each elastic coordinate."""
        return tuple(direction for direction, count in self.modes for _ in range(count))

    def at(self, xi: np.ndarray, order: int) -> np.ndarray:
        """Mode shapes, or their derivatives of the given order with respect to the position ξ (fraction of the beam
        length), coordinates × positions.

        The array is cached and read-only.
        """
        return _basis_at(self, order, np.asarray(xi, float).tobytes())

    def at_symbol(self, xi: Matrix, order: int) -> list[Matrix]:
        """Mode shapes, or their derivatives of the given order with respect to ξ, at a symbolic ξ (fraction of the beam
        length)."""
        return [value for shapes in self.families for value in shapes.at_symbol(xi, order)]

    @property
    def families(self) -> list[ShapeFamily]:
        """The mode shapes of each direction of deformation."""
        return [shape_family(direction, count, self.frame, self.elements) for direction, count in self.modes]


@lru_cache(maxsize=256)
def _basis_at(basis: Basis, order: int, places: bytes) -> np.ndarray:
    xi = np.frombuffer(places)
    found = np.concatenate([shapes.at(xi, order) for shapes in basis.families])
    found.flags.writeable = False
    return found


def beam_basis(beam: Beam) -> Basis:
    """Basis of mode shapes of a uniform beam."""
    return Basis(beam.modes, beam.frame, beam.elements)


def element_matrices(elements: int) -> tuple[np.ndarray, np.ndarray]:
    """Assembled mass matrix ∫ φφᵀ dξ and stiffness matrix ∫ φ''φ''ᵀ dξ of a beam with equal cubic elements, φ the shape
    function of each coordinate.

    The coordinates are, at each node, the deflection and the slope times the element length.
    """
    s, weight = gauss_rule(GAUSS_POINTS)
    shape = np.array([polynomial.polyval(s, row) for row in HERMITE])
    bent = np.array([polynomial.polyval(s, polynomial.polyder(row, 2)) for row in HERMITE])
    m, k = (shape * weight) @ shape.T / elements, (bent * weight) @ bent.T * elements**3
    M = np.zeros((2 * elements + 2, 2 * elements + 2))
    K = np.zeros_like(M)
    for j in range(elements):
        place = slice(2 * j, 2 * j + 4)
        M[place, place] += m
        K[place, place] += k
    return M, K


@lru_cache(maxsize=16)
def gauss_rule(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Gauss points and weights on the interval from 0 to 1; cached, read-only arrays."""
    s, weight = np.polynomial.legendre.leggauss(count)
    found = (s + 1) / 2, weight / 2
    for one in found:
        one.flags.writeable = False
    return found


def element_gauss_points(elements: int) -> tuple[np.ndarray, np.ndarray]:
    """Positions ξ (fractions of the beam length) and weights of the Gauss points of all elements of equal length on 0 ≤
    ξ ≤ 1."""
    s, weight = gauss_rule(GAUSS_POINTS)
    xi = np.concatenate([(k + s) / elements for k in range(elements)])
    return xi, np.tile(weight / elements, elements)


def _normalised(shapes: ShapeFamily) -> ShapeFamily:
    """Mode shapes scaled so that the largest deflection is 1, with a positive sign where it is first reached."""
    xi = np.linspace(0.0, 1.0, 401)
    found = shapes.coefficients.copy()
    for i, values in enumerate(shapes.at(xi, 0)):
        largest = values[np.argmax(np.abs(values) > 0.999 * np.abs(values).max())]
        found[i] /= largest
    return ShapeFamily(found)
