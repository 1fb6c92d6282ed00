"""Foreshortening of a uniform beam: bending keeps the length of its line and therefore shortens its chord.

    u_x = −½ ∫₀ˣ w'² dx = ½ Σ η_i η_j B_ij / L,      B_ij = −∫₀^ξ φ_i' φ_j' dξ      for bending along the same axis

Axial forces do work on this displacement: tension stiffens a rotating beam, compression buckles it. There are
e(e + 1)/2 pairs but fewer linearly independent functions B_ij (2e + 1 for a simply supported beam), the same for both
directions of bending. They are written as combinations of as many functions β, orthonormal over the length:

    B_ij = Σ_k (G_k)_ij β_k

Source: [kane_ryan_banerjee]; the integrals are derived here.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from multiloop.flexible.uniform.shapes import POINTS, Basis, basis_of, gauss, points
from multiloop.flexible.uniform.symbolic_places import at_symbol, pieces_of
from multiloop.model.beam import Beam
from multiloop.spatial import Matrix

BENDS = ("y", "z")
"""Directions of deformation that shorten the chord."""

DEGREE = 5
"""Polynomial degree of B_ij on an element with cubic shape functions."""

LEAST = 1e-8
"""Squared norm of the remainder of a function, relative to the function, above which it counts as independent."""

ROUND_OFF = 1e-13
"""Relative size below which coefficients are set to zero."""


@dataclass(frozen=True, eq=False)
class Drawing:
    """Foreshortening of a beam: the functions β and their quadratic forms G; empty if `bends` is empty."""

    basis: Basis
    bends: tuple[str, ...] = BENDS

    @property
    def ways(self) -> tuple[str, ...]:
        """Direction of deformation of each coordinate."""
        return self.basis.ways

    @property
    def count(self) -> int:
        """Number of functions β."""
        return len(self._written[0])

    @cached_property
    def forms(self) -> np.ndarray:
        """Quadratic forms G_k, functions × e × e."""
        found = np.zeros((self.count, len(self.ways), len(self.ways)))
        for (i, j), row in zip(self._pairs, self._written[2], strict=True):
            found[:, i, j] = found[:, j, i] = row
        return found

    def functions(self, xi: np.ndarray) -> np.ndarray:
        """β at places, functions × places; a cached, read-only array."""
        return _functions_at(self, np.asarray(xi, float).tobytes())

    def at_symbol(self, xi: Matrix) -> list[Matrix]:
        """β at a symbolic place."""
        return at_symbol(pieces_of(self.functions, self.basis.elements, DEGREE), xi)

    @property
    def _pairs(self) -> list[tuple[int, int]]:
        ways, e = self.ways, range(len(self.ways))
        return [(i, j) for i in e for j in e[i:] if ways[i] == ways[j] and ways[i] in self.bends]

    def _of_pairs(self, xi: np.ndarray) -> np.ndarray:
        drawn = drawn_in(self.basis, xi)
        return np.array([drawn[i, j] for i, j in self._pairs]).reshape(-1, len(xi))

    @cached_property
    def _written(self) -> tuple[list[int], np.ndarray, np.ndarray]:
        """Indices of the pairs with independent functions, the coefficients of these in β, and those of all pairs.

        The pairs are chosen by pivoted Cholesky factorisation of the Gram matrix. The functions are orthonormalised
        twice, because round-off of nearly equal functions would otherwise remain.
        """
        xi, weight = points(self.basis.elements)
        b = self._of_pairs(xi)
        chosen = _differing((b * weight) @ b.T)
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
def _functions_at(drawing: Drawing, places: bytes) -> np.ndarray:
    chosen, factor, _ = drawing._written
    found = np.linalg.solve(factor, drawing._of_pairs(np.frombuffer(places))[chosen])
    found.flags.writeable = False
    return found


def _differing(products: np.ndarray) -> list[int]:
    """Indices of linearly independent functions, by pivoted Cholesky factorisation of their Gram matrix."""
    left, whole, chosen = products.copy(), np.diag(products).copy(), list[int]()
    while (np.diag(left) > LEAST * whole).any():
        k = int(np.argmax(np.diag(left) / whole))
        column = left[:, k] / np.sqrt(left[k, k])
        left -= np.outer(column, column)
        chosen.append(k)
        left[chosen, :] = left[:, chosen] = 0.0  # round-off
    return chosen


def drawing_of(beam: Beam) -> Drawing:
    """Foreshortening of a beam; computed once for all beams with the same modes."""
    return _drawing(basis_of(beam), BENDS if beam.stiffening else ())


@lru_cache(maxsize=256)
def _drawing(basis: Basis, bends: tuple[str, ...]) -> Drawing:
    return Drawing(basis, bends)


def drawn_in(basis: Basis, xi: np.ndarray) -> np.ndarray:
    """−∫₀^ξ φ_i' φ_j' dξ at places, e × e × places."""
    elements, ways = basis.elements, basis.ways
    whole = np.clip((np.asarray(xi) * elements + 1e-12).astype(int), 0, elements - 1)
    ends = np.concatenate([np.arange(1, elements + 1) / elements, xi])
    begins = np.concatenate([np.arange(elements), whole]) / elements
    pieces = _over(basis, begins, ends - begins)
    before = np.cumsum(np.concatenate([np.zeros_like(pieces[:1]), pieces[:elements]]), axis=0)
    found: np.ndarray = -np.moveaxis(before[whole] + pieces[elements:], 0, 2)
    alike = np.array([[one == other and one in BENDS for other in ways] for one in ways])
    found *= alike[:, :, None]
    return found


def _over(basis: Basis, begins: np.ndarray, widths: np.ndarray) -> np.ndarray:
    """∫ φ_i' φ_j' dξ over intervals, each within one element, intervals × e × e."""
    s, weight = gauss(POINTS)
    slopes = basis.at((begins[:, None] + widths[:, None] * s).ravel(), 1).reshape(-1, len(begins), len(s))
    found: np.ndarray = np.einsum("ips,jps,s,p->pij", slopes, slopes, weight, widths, optimize=True)
    return found
