"""Mode shapes of a uniform beam over ξ = x/L: bending by finite elements, stretching and torsion in closed form.

    frame "a"       clamped at ξ = 0, free at ξ = 1
    frame "chord"   no deflection at either end

They are the natural modes of the beam under these conditions. They depend on no parameter of the beam, so that the
basis stays the same in a parameter sweep. Each is scaled to a largest deflection of 1. A beam in its chord frame is
stretched and twisted by the joint at its end: its first mode is the static one, ξ, and the following ones have both
ends fixed (Craig–Bampton).

Source: Hermite's cubic elements; sin((k − ½) π ξ) for stretching and torsion of a bar fixed at one end.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import casadi as ca
import numpy as np
from numpy.polynomial import polynomial

from multiloop.flexible.uniform.symbolic_places import at_symbol
from multiloop.model.beam import Beam
from multiloop.spatial import Matrix

AXIS = {"x": 0, "y": 1, "z": 2}
"""Axis along which each direction of deformation displaces the points of the line."""

TURNS = {"y": (2, 1.0), "z": (1, -1.0)}
"""Axis about which the slope of each bending direction rotates a section, and the sign of that rotation."""

HERMITE = np.array([[1, 0, -3, 2], [0, 1, -2, 1], [0, 0, 3, -2], [0, 0, -1, 1]], float)
"""Coefficients of 1, s, s², s³ of Hermite's cubics on an element: deflection and slope at its two ends."""

POINTS = 6
"""Gauss points per element: products of four mode shapes are integrated exactly."""


@dataclass(frozen=True, eq=False)
class Shapes:
    """Mode shapes of one direction of deformation: cubics on elements of equal length, or sines.

    `coefficients` of the cubics are (shapes, elements, 4).
    """

    coefficients: np.ndarray

    @property
    def count(self) -> int:
        """Number of mode shapes."""
        return len(self.coefficients)

    def at(self, xi: np.ndarray, order: int) -> np.ndarray:
        """φ or its derivative of an order with respect to ξ, shapes × places."""
        n = self.coefficients.shape[1]
        k = np.clip((np.asarray(xi) * n).astype(int), 0, n - 1)
        s = np.asarray(xi) * n - k
        pieces = polynomial.polyder(self.coefficients, order, axis=2)[:, k]
        found: np.ndarray = np.einsum("ijc,jc->ij", pieces, polynomial.polyvander(s, pieces.shape[2] - 1))
        found *= n**order
        return found

    def at_symbol(self, xi: Matrix, order: int) -> list[Matrix]:
        """Mode shapes or derivatives with respect to ξ at a symbolic place."""
        return at_symbol(self.coefficients, xi, order)


class Sines(Shapes):
    """sin((k − ½) π ξ), k = 1, 2, …"""

    def at(self, xi: np.ndarray, order: int) -> np.ndarray:
        rate = self._rates[:, None]
        found: np.ndarray = rate**order * np.sin(rate * np.asarray(xi)[None, :] + order * np.pi / 2)
        return found

    def at_symbol(self, xi: Matrix, order: int) -> list[Matrix]:
        return [rate**order * ca.sin(rate * xi + order * np.pi / 2) for rate in self._rates]

    @property
    def _rates(self) -> np.ndarray:
        return (np.arange(1, self.count + 1) - 0.5) * np.pi


class HeldSines(Sines):
    """ξ, then sin(k π ξ), k = 1, 2, …"""

    def at(self, xi: np.ndarray, order: int) -> np.ndarray:
        xi = np.asarray(xi, float)
        first = (xi, np.ones_like(xi), np.zeros_like(xi))[min(order, 2)]
        return np.vstack([first, super().at(xi, order)])

    def at_symbol(self, xi: Matrix, order: int) -> list[Matrix]:
        return [(xi, ca.SX(1), ca.SX(0))[min(order, 2)], *super().at_symbol(xi, order)]

    @property
    def _rates(self) -> np.ndarray:
        return np.arange(1, self.count) * np.pi


@lru_cache(maxsize=256)
def shapes_of(way: str, count: int, frame: str, elements: int) -> Shapes:
    """The first `count` mode shapes of a direction of deformation."""
    if way in ("x", "twist"):
        return (Sines if frame == "a" else HeldSines)(np.zeros((count, 1, 4)))
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
    return _scaled(Shapes(pieces))


@dataclass(frozen=True)
class Basis:
    """All mode shapes of a uniform beam, by direction of deformation; equal bases are shared between beams."""

    modes: tuple[tuple[str, int], ...]
    frame: str
    elements: int

    @property
    def ways(self) -> tuple[str, ...]:
        """Direction of deformation of each coordinate."""
        return tuple(way for way, count in self.modes for _ in range(count))

    def at(self, xi: np.ndarray, order: int) -> np.ndarray:
        """Mode shapes or derivatives with respect to ξ, coordinates × places; a cached, read-only array."""
        return _basis_at(self, order, np.asarray(xi, float).tobytes())

    def at_symbol(self, xi: Matrix, order: int) -> list[Matrix]:
        """Mode shapes or derivatives with respect to ξ at a symbolic place."""
        return [value for shapes in self.families for value in shapes.at_symbol(xi, order)]

    @property
    def families(self) -> list[Shapes]:
        """The mode shapes of each direction of deformation."""
        return [shapes_of(way, count, self.frame, self.elements) for way, count in self.modes]


@lru_cache(maxsize=256)
def _basis_at(basis: Basis, order: int, places: bytes) -> np.ndarray:
    xi = np.frombuffer(places)
    found = np.concatenate([shapes.at(xi, order) for shapes in basis.families])
    found.flags.writeable = False
    return found


def basis_of(beam: Beam) -> Basis:
    """The basis of a beam."""
    return Basis(beam.modes, beam.frame, beam.elements)


def element_matrices(elements: int) -> tuple[np.ndarray, np.ndarray]:
    """Assembled ∫ φφ dξ and ∫ φ''φ'' dξ; nodal coordinates are deflection, and slope times the element length."""
    s, weight = gauss(POINTS)
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
def gauss(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Gauss points and weights over 0 … 1; cached, read-only arrays."""
    s, weight = np.polynomial.legendre.leggauss(count)
    found = (s + 1) / 2, weight / 2
    for one in found:
        one.flags.writeable = False
    return found


def points(elements: int) -> tuple[np.ndarray, np.ndarray]:
    """Gauss points and weights of all elements."""
    s, weight = gauss(POINTS)
    xi = np.concatenate([(k + s) / elements for k in range(elements)])
    return xi, np.tile(weight / elements, elements)


def _scaled(shapes: Shapes) -> Shapes:
    """Mode shapes scaled to a largest deflection of 1, positive where it is first reached."""
    xi = np.linspace(0.0, 1.0, 401)
    found = shapes.coefficients.copy()
    for i, values in enumerate(shapes.at(xi, 0)):
        largest = values[np.argmax(np.abs(values) > 0.999 * np.abs(values).max())]
        found[i] /= largest
    return Shapes(found)
