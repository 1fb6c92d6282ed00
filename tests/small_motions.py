"""Linearised motions about a steady motion, by differences of `forward`: references for linear models."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np


def small_motion(second_rates: Callable[..., np.ndarray], count: int, h: float = 2e-3) -> np.ndarray:
    """A of ẋ = A x, x = (y, ẏ), from ÿ(y, ẏ) of `count` coordinates that are zero in the steady motion.

    Central differences over h and h/2 are extrapolated: the error is of the order h⁴, and round-off over h.
    """
    columns = []
    for k in range(2 * count):
        way = np.eye(2 * count)[k]
        coarse, fine = (
            (second_rates(*(step * way)) - second_rates(*(-step * way))) / (2 * step) for step in (h, h / 2)
        )
        columns.append((4 * fine - coarse) / 3)
    return np.vstack([np.eye(2 * count)[count:], np.column_stack(columns)])
