"""Averages and integrals over the instants of a result."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np


def time_mean(time: np.ndarray, values: np.ndarray) -> float:
    """Time average ∫ x dt / T of samples x (`values`) at the times `time`, by the trapezoidal rule.

    T is the time span. The error of this rule is very small if the times span a whole period of a smooth periodic
    function. If all times are equal, the arithmetic mean is returned.
    """
    order = np.argsort(time, kind="stable")
    span = float(time[order[-1]] - time[order[0]])
    if span <= 0:
        return float(np.mean(values))
    pairs = values[order][1:] + values[order][:-1]
    return float(np.diff(time[order]) @ pairs) / (2 * span)


def root_mean_square(time: np.ndarray, values: np.ndarray) -> float:
    """Root mean square √(∫ x² dt / T) of samples x (`values`) at the times `time`, which span the duration T."""
    return float(np.sqrt(time_mean(time, values**2)))


def largest_signed(values: np.ndarray) -> float:
    """The entry of `values` with the largest magnitude, with its sign; 0 for an empty array."""
    return float(values[np.abs(values).argmax()]) if len(values) else 0.0


def integrate(time: np.ndarray, values: np.ndarray, jumps: Sequence[float] = ()) -> float:
    """Integral ∫ x dt of samples x (`values`) at the times `time`, by Simpson's rule; 0 for a single sample.

    If the times do not increase, the trapezoidal rule is used. `jumps` are times, between the samples, at which the
    integrand is discontinuous: the time span is divided at these times, and in each part the integrand is extrapolated
    linearly from its outermost samples to the ends of the part.
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
    from scipy.integrate import simpson, trapezoid  # imported only here, since the import takes 0.2 s

    return float((simpson if len(time) > 2 and is_increasing(time) else trapezoid)(values, x=time))


def _integrate_piece(time: np.ndarray, values: np.ndarray, low: float, high: float) -> float:
    """Integral of samples over the interval from `low` to `high`, which contains all of their times.

    The integrand is extrapolated linearly from the first and the last sample to the ends of the interval. A single
    sample is taken as constant; without samples the integral is 0.
    """
    if len(time) < 2:
        return float(values.sum()) * (high - low)
    first, last = ((values[k + 1] - values[k]) / (time[k + 1] - time[k]) for k in (0, -2))
    before, behind = time[0] - low, high - time[-1]
    ends = before * (values[0] - first * before / 2) + behind * (values[-1] + last * behind / 2)
    return integrate(time, values) + float(ends)


def is_increasing(time: np.ndarray) -> bool:
    """Whether every time is later than the preceding one."""
    return bool((np.diff(time) > 0).all())
