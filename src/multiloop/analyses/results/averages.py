"""Averages and integrals over the instants of a result."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np


def time_mean(time: np.ndarray, values: np.ndarray) -> float:
    """Average over time, ∫ x dt / T by the trapezoidal rule, which is accurate over a whole period.

    If all instants have the same time it is the arithmetic mean.
    """
    order = np.argsort(time, kind="stable")
    span = float(time[order[-1]] - time[order[0]])
    if span <= 0:
        return float(np.mean(values))
    pairs = values[order][1:] + values[order][:-1]
    return float(np.diff(time[order]) @ pairs) / (2 * span)


def root_mean_square(time: np.ndarray, values: np.ndarray) -> float:
    """Root mean square √(∫ x² dt / T)."""
    return float(np.sqrt(time_mean(time, values**2)))


def largest_signed(values: np.ndarray) -> float:
    """The value of the largest magnitude, with its sign."""
    return float(values[np.abs(values).argmax()]) if len(values) else 0.0


def integrate(time: np.ndarray, values: np.ndarray, jumps: Sequence[float] = ()) -> float:
    """∫ x dt by Simpson's rule, or by the trapezoidal rule if the instants do not increase; 0 for a single instant.

    At `jumps`, times between the instants, the integrand is discontinuous: it is extrapolated linearly from both sides.
    """
    if len(time) < 2:
        return 0.0
    inside = sorted({jump for jump in jumps if time[0] < jump < time[-1]})
    if inside and is_increasing(time):
        ends = [-np.inf, *inside, np.inf]
        pieces = [(time > low) & (time < high) for low, high in pairwise(ends)]
        return sum(
            _integrate_piece(time[k], values[k], max(low, time[0]), min(high, time[-1]))
            for k, (low, high) in zip(pieces, pairwise(ends), strict=True)
        )
    from scipy.integrate import simpson, trapezoid  # takes a fifth of a second to import

    return float((simpson if len(time) > 2 and is_increasing(time) else trapezoid)(values, x=time))


def _integrate_piece(time: np.ndarray, values: np.ndarray, low: float, high: float) -> float:
    """∫ x dt from `low` to `high`, extrapolated linearly beyond the first and the last instant; 0 without instants."""
    if len(time) < 2:
        return float(values.sum()) * (high - low)
    first, last = ((values[k + 1] - values[k]) / (time[k + 1] - time[k]) for k in (0, -2))
    before, behind = time[0] - low, high - time[-1]
    ends = before * (values[0] - first * before / 2) + behind * (values[-1] + last * behind / 2)
    return integrate(time, values) + float(ends)


def is_increasing(time: np.ndarray) -> bool:
    """Whether every instant is later than the one before."""
    return bool((np.diff(time) > 0).all())
