"""Polynomial motion laws: 3-4-5 with continuous acceleration, 4-5-6-7 with continuous jerk."""

from __future__ import annotations

from multiloop.model.expressions import Expression, Scalar, time
from multiloop.model.profiles.transition import fraction, transition


def polynomial_345(
    start: Scalar, end: Scalar, *, duration: Scalar, begin: Scalar = 0.0, of: Scalar = time
) -> Expression:
    """3-4-5 polynomial motion from rest to rest; speed and acceleration vanish at both ends.

        f = 10 u³ − 15 u⁴ + 6 u⁵

    Source: [norton_cams].
    """
    u = fraction("polynomial_345", duration, begin, of)
    return transition(start, end, u, [(0.0, u * u * u * (10 + u * (6 * u - 15)))])


def polynomial_4567(
    start: Scalar, end: Scalar, *, duration: Scalar, begin: Scalar = 0.0, of: Scalar = time
) -> Expression:
    """4-5-6-7 polynomial motion from rest to rest; speed, acceleration and jerk vanish at both ends.

        f = 35 u⁴ − 84 u⁵ + 70 u⁶ − 20 u⁷

    Source: [norton_cams].
    """
    u = fraction("polynomial_4567", duration, begin, of)
    square = u * u
    return transition(start, end, u, [(0.0, square * square * (35 + u * (u * (70 - 20 * u) - 84)))])
