"""Derivatives by differences, for checks that share no formula with what they check."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np


def slope(f: Callable[[float], np.ndarray], h: float) -> np.ndarray:
    """f′(0) from four values around it, exact up to h⁴ f⁽⁵⁾ / 30."""
    return first([f(k * h) for k in (-2, -1, 0, 1, 2)], h)


def first(values: list[np.ndarray] | np.ndarray, h: float) -> np.ndarray:
    """The first derivative at the middle of five values, exact up to h⁴ f⁽⁵⁾ / 30."""
    a, b, _, d, e = (np.asarray(value, float) for value in values)
    return (a - 8 * b + 8 * d - e) / (12 * h)


def second(values: list[np.ndarray] | np.ndarray, h: float) -> np.ndarray:
    """The second derivative at the middle of five values, exact up to h⁴ f⁽⁶⁾ / 90."""
    a, b, c, d, e = (np.asarray(value, float) for value in values)
    return (-a + 16 * b - 30 * c + 16 * d - e) / (12 * h * h)


def vee(S: np.ndarray) -> np.ndarray:
    """The vector of the antisymmetric part of a 3×3 matrix."""
    return 0.5 * np.array([S[2, 1] - S[1, 2], S[0, 2] - S[2, 0], S[1, 0] - S[0, 1]])


def spin_of(e: np.ndarray, e_rate: np.ndarray) -> np.ndarray:
    """Angular velocity of a unit quaternion (scalar first) in the fixed frame: ω = 2 ė ⊗ e*."""
    w, x = e[0], e[1:]
    w_rate, x_rate = e_rate[0], e_rate[1:]
    return 2 * (w * x_rate - w_rate * x + np.cross(x, x_rate))
