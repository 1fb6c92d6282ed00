"""Evaluation of piecewise polynomials at a symbolic place, which a parameter moves along the beam.

    f(ξ) = Σ_j c_j s^j,      c_j = c_0j + Σ_k (c_kj − c_(k−1)j) [n ξ ≥ k],      s = n ξ − Σ_k [n ξ ≥ k]

on n elements k = 0, 1, …, with 0 ≤ s ≤ 1 on each; [ ] is 1 if the place is beyond the beginning of element k, else 0.

Derived here.
"""

from __future__ import annotations

from collections.abc import Callable

import casadi as ca
import numpy as np

from multiloop.spatial import Matrix


def at_symbol(pieces: np.ndarray, xi: Matrix, order: int = 0) -> list[Matrix]:
    """Functions, or derivatives with respect to ξ, at a symbolic ξ; `pieces` are c, functions × elements × powers."""
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


def pieces_of(functions: Callable[[np.ndarray], np.ndarray], elements: int, degree: int) -> np.ndarray:
    """Coefficients of functions (places → functions × places) that are polynomials of one degree on each element."""
    s = (1 - np.cos(np.pi * (np.arange(degree + 1) + 0.5) / (degree + 1))) / 2
    values = functions(((np.arange(elements)[:, None] + s) / elements).ravel())
    inverse = np.linalg.inv(np.vander(s, increasing=True))
    found: np.ndarray = values.reshape(len(values), elements, -1) @ inverse.T
    return found
