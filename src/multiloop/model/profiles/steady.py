"""Motion laws with constant speed: unlimited, or from one value to another."""

from __future__ import annotations

from multiloop.model.expressions import Expression, Scalar, lift, time
from multiloop.model.profiles.transition import fraction, plus, transition


def constant_speed(speed: Scalar, *, start: Scalar = 0.0) -> Expression:
    """Motion with constant speed: start + speed · t."""
    return plus(start, lift(speed) * time)


def ramp(
    start: Scalar, end: Scalar, *, duration: Scalar, begin: Scalar = 0.0, of: Scalar = time
) -> Expression:
    """Linear transition from one value to another.

        q = start + (end − start) u,   u = (t − begin) / duration between 0 and 1

    The speed jumps at both ends. It is suitable for forces, cam angles and slow feeds; for drives use `trapezoidal` or
    another motion law.
    """
    u = fraction("ramp", duration, begin, of)
    return transition(start, end, u, [(0.0, u)])
