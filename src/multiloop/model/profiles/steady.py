"""At a steady speed: for ever, or from one value to another."""

from __future__ import annotations

from multiloop.model.expressions import Expression, Scalar, lift, time
from multiloop.model.profiles.transition import fraction, plus, transition


def constant_speed(speed: Scalar, *, start: Scalar = 0.0) -> Expression:
    """Turning or sliding steadily: start + speed · t."""
    return plus(start, lift(speed) * time)


def ramp(
    start: Scalar, end: Scalar, *, duration: Scalar, begin: Scalar = 0.0, of: Scalar = time
) -> Expression:
    """Straight from one value to another.

        q = start + (end − start) u,   u = (t − begin) / duration between 0 and 1

    Its speed jumps at both ends, so it is one for forces, angles of cams and slow feeds; `trapezoidal` and the others
    are for drives.
    """
    u = fraction("ramp", duration, begin, of)
    return transition(start, end, u, [(0.0, u)])
