"""Linearly independent functions among many, by a pivoted Cholesky factorisation of their Gram matrix."""

from __future__ import annotations

import numpy as np

SLIGHT = 1e-4
"""Size of the remainder of a function, relative to the largest function, below which it is neglected."""


def few_functions(rows: np.ndarray) -> tuple[list[int], np.ndarray]:
    """Indices of linearly independent rows, and coefficients W of all rows: rows = W β, β orthonormal.

    β spans the independent rows. Rows are functions at places, weighted so that their products are integrals.
    """
    left = rows @ rows.T
    least = SLIGHT**2 * np.diag(left).max(initial=0.0)
    chosen, written = list[int](), np.zeros((len(rows), 0))
    while (np.diag(left) > least).any():
        k = int(np.argmax(np.diag(left)))
        column = left[:, k] / np.sqrt(left[k, k])
        written = np.column_stack([written, column])
        left = left - np.outer(column, column)
        chosen.append(k)
        left[chosen, :] = left[:, chosen] = 0.0  # round-off
    return chosen, written
