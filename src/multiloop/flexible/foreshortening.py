"""What bends keeps its length, and so its far parts are drawn in along its line.

    u_x = −½ ∫₀ˣ w'² dx = ½ Σ η_i η_j B_ij / L,      B_ij = −∫₀^ξ φ_i' φ_j' dξ      for bending along the same axis

Axial forces do work on it: they stiffen a beam that spins, and buckle one that is pressed. There are e(e + 1)/2 pairs
but fewer different functions, 2e + 1 of a beam on pins, the same ones for both ways of bending; they are written by as
many functions β that are orthonormal over the length:

    B_ij = Σ_k (G_k)_ij β_k

Source: [kane_ryan_banerjee]; the integrals are ours.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.linalg import solve_triangular

from multiloop.flexible.beam_shapes import POINTS, gauss, points
from multiloop.model.beam import Beam

BENDS = ("y", "z")
"""Ways that draw points in."""

At = Callable[[np.ndarray, int], np.ndarray]
"""Shapes or derivatives at places: coordinates × places."""


LEAST = 1e-12
"""What part of its square a function must have beyond those before it, to count as another."""


@dataclass(frozen=True, eq=False)
class Drawing:
    """How bending draws a beam in: the functions β and their forms G; none where `bends` names no way."""

    ways: Sequence[str]
    at: At
    elements: int
    bends: Sequence[str] = BENDS

    @property
    def count(self) -> int:
        """How many functions there are."""
        return len(self._written[0])

    @property
    def forms(self) -> np.ndarray:
        """G_k, functions × e × e."""
        found = np.zeros((self.count, len(self.ways), len(self.ways)))
        for (i, j), row in zip(self._pairs, self._written[1], strict=True):
            found[:, i, j] = found[:, j, i] = row
        return found

    def functions(self, xi: np.ndarray) -> np.ndarray:
        """β at places, functions × places."""
        chosen, written = self._written
        own = self._of_pairs(xi)[chosen]
        found: np.ndarray = solve_triangular(written[chosen], own, lower=True) if len(chosen) else own
        return found

    @property
    def _pairs(self) -> list[tuple[int, int]]:
        ways, e = self.ways, range(len(self.ways))
        return [(i, j) for i in e for j in e[i:] if ways[i] == ways[j] and ways[i] in self.bends]

    def _of_pairs(self, xi: np.ndarray) -> np.ndarray:
        drawn = drawn_in(self.ways, self.at, self.elements, xi)
        return np.array([drawn[i, j] for i, j in self._pairs]).reshape(-1, len(xi))

    @cached_property
    def _written(self) -> tuple[list[int], np.ndarray]:
        """Pairs whose functions are not those of others, and every pair's function by the β: Cholesky, pivoted."""
        xi, weight = points(self.elements)
        b = self._of_pairs(xi)
        left, whole = (b * weight) @ b.T, (b * b) @ weight
        chosen, written = list[int](), np.zeros((len(b), 0))
        while (np.diag(left) > LEAST * whole).any():
            k = int(np.argmax(np.diag(left) / whole))
            column = left[:, k] / np.sqrt(left[k, k])
            written = np.column_stack([written, column])
            left = left - np.outer(column, column)
            chosen.append(k)
            left[chosen, :] = left[:, chosen] = 0.0  # round-off
        return chosen, written


def drawing_of(beam: Beam, at: At) -> Drawing:
    """That of a beam, with its shapes."""
    return Drawing([way for way, _ in beam.ways], at, beam.elements, BENDS if beam.stiffening else ())


def drawn_in(ways: Sequence[str], at: At, elements: int, xi: np.ndarray) -> np.ndarray:
    """−∫₀^ξ φ_i' φ_j' dξ at places, e × e × places."""
    whole = np.clip((np.asarray(xi) * elements + 1e-12).astype(int), 0, elements - 1)
    steps = [_over(at, k / elements, 1 / elements) for k in range(elements)]
    before = np.cumsum([np.zeros((len(ways), len(ways))), *steps], axis=0)
    within = [_over(at, k / elements, end - k / elements) for k, end in zip(whole, xi, strict=True)]
    found: np.ndarray = -np.moveaxis(before[whole] + within, 0, 2)
    alike = np.array([[one == other and one in BENDS for other in ways] for one in ways])
    found *= alike[:, :, None]
    return found


def _over(at: At, begin: float, width: float) -> np.ndarray:
    """∫ φ_i' φ_j' dξ over a piece of one element, e × e."""
    s, weight = gauss(POINTS)
    slope = at(begin + width * s, 1)
    found: np.ndarray = (slope * weight * width) @ slope.T
    return found
