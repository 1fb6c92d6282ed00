"""Averages and integrals over the instants of a result."""

from __future__ import annotations

import numpy as np


def time_mean(time: np.ndarray, values: np.ndarray) -> float:
    """Average over time, ∫ x dt / T by trapezoids; over a whole cycle these lose next to nothing.

    Of instants that do not spread in time it is their plain average.
    """
    order = np.argsort(time, kind="stable")
    span = float(time[order[-1]] - time[order[0]])
    if span <= 0:
        return float(np.mean(values))
    pairs = values[order][1:] + values[order][:-1]
    return float(np.diff(time[order]) @ pairs) / (2 * span)


def root_mean_square(time: np.ndarray, values: np.ndarray) -> float:
    """√(∫ x² dt / T)."""
    return float(np.sqrt(time_mean(time, values**2)))


def largest(values: np.ndarray) -> float:
    """The value of the largest magnitude, with its sign."""
    return float(values[np.abs(values).argmax()]) if len(values) else 0.0


def integral(time: np.ndarray, values: np.ndarray) -> float:
    """∫ x dt by Simpson's rule, by trapezoids where the instants do not rise; nothing of a single one."""
    if len(time) < 2:
        return 0.0
    from scipy.integrate import simpson, trapezoid  # takes a fifth of a second to import

    return float((simpson if len(time) > 2 and rises(time) else trapezoid)(values, x=time))


def rises(time: np.ndarray) -> bool:
    """Whether every instant is later than the one before."""
    return bool((np.diff(time) > 0).all())
