"""Monotone cubic interpolation: the curve is monotone between any two points and stays within their range."""

from __future__ import annotations

import numpy as np


def monotone_pieces(x: np.ndarray, y: np.ndarray, periodic: bool) -> np.ndarray:
    """Coefficients of the cubic pieces with monotone slopes, (4, n), the highest power first.

        f(s) = y + d₀ s + (3δ − 2d₀ − d₁) s²/h + (d₀ + d₁ − 2δ) s³/h²,   δ = Δy/h,   0 ≤ s ≤ h

    Args:
        x: (n + 1,) increasing.
        y: (n + 1,); periodic: the last equals the first.
        periodic: whether the slopes at both ends are the same.
    """
    h = np.diff(x)
    delta = np.diff(y) / h
    d = monotone_slopes(h, delta, periodic)
    before, after = d[:-1], d[1:]
    return np.stack(
        [(before + after - 2 * delta) / h**2, (3 * delta - 2 * before - after) / h, before, y[:-1]]
    )


def monotone_slopes(h: np.ndarray, delta: np.ndarray, periodic: bool) -> np.ndarray:
    """Slopes at all points: zero at a local extreme, else the weighted harmonic mean of the two adjacent slopes.

        dₖ = (w₁ + w₂) / (w₁/δₖ₋₁ + w₂/δₖ),   w₁ = 2hₖ + hₖ₋₁,   w₂ = hₖ + 2hₖ₋₁

    The curve is then monotone between any two points, since d is at most three times the smaller of both δ.

    Source: [fritsch_butland] for the mean, [fritsch_carlson] for the condition of monotonicity.
    Differs: at the ends of a curve that is not periodic, the slope is that of the parabola through three points,
    limited so that the curve is monotone.

    Args:
        h: (n,) widths of the pieces.
        delta: (n,) slopes of the straight lines between points.
        periodic: whether the first piece follows the last.
    """
    if periodic:
        h, delta = np.concatenate([h[-1:], h, h[:1]]), np.concatenate([delta[-1:], delta, delta[:1]])
        return _inner(h, delta)
    if len(h) == 1:
        return np.repeat(delta, 2)
    first, last = _end(h[:2], delta[:2]), _end(h[:-3:-1], delta[:-3:-1])
    return np.concatenate([[first], _inner(h, delta), [last]])


def _inner(h: np.ndarray, delta: np.ndarray) -> np.ndarray:
    """The slopes at the points between two pieces."""
    before, after = delta[:-1], delta[1:]
    w_before, w_after = 2 * h[1:] + h[:-1], h[1:] + 2 * h[:-1]
    same = (before > 0) & (after > 0) | (before < 0) & (after < 0)
    mean = w_before / np.where(same, before, 1.0) + w_after / np.where(same, after, 1.0)
    slopes: np.ndarray = np.where(same, (w_before + w_after) / np.where(same, mean, 1.0), 0.0)
    return slopes


def _end(h: np.ndarray, delta: np.ndarray) -> float:
    """The slope at an end, from the two adjacent pieces, the outer one first."""
    slope = ((2 * h[0] + h[1]) * delta[0] - h[0] * delta[1]) / (h[0] + h[1])
    if slope * delta[0] <= 0:
        return 0.0
    peak = delta[0] * delta[1] <= 0
    return float(3 * delta[0] if peak and abs(slope) > 3 * abs(delta[0]) else slope)
