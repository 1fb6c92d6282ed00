"""Many functions by the few that differ: a Cholesky factor of their products, with pivots."""

from __future__ import annotations

import numpy as np

SLIGHT = 1e-4
"""Size of what is left of a function, relative to the largest one, below which it is left out."""


def few_functions(rows: np.ndarray) -> tuple[list[int], np.ndarray]:
    """Which rows do not follow from others, and all rows W by as many orthonormal ones: rows = W β, β from chosen rows.

    Rows are functions at places, weighted so that their products are integrals.
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
