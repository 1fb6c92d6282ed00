"""Cycloidal motion law: the acceleration is one period of a sine."""

from __future__ import annotations

from math import tau

from multiloop.model.expressions import Expression, Scalar, time
from multiloop.model.expressions.functions import clip, sin
from multiloop.model.profiles.transition import elapsed, plus, require_duration


def cycloidal(
    start: Scalar, end: Scalar, *, duration: Scalar, begin: Scalar = 0.0, of: Scalar = time
) -> Expression:
    """Cycloidal motion from rest to rest, with continuous acceleration.

        q = start + (end − start) (u − sin 2πu / 2π),   u = (t − begin) / duration, limited to 0 … 1

    The value is `start` before `begin` and `end` after begin + duration. `of` is another expression, for example a cam
    angle, in place of the time.
    """
    require_duration("cycloidal", duration, of)
    u = clip(elapsed(of, begin) / duration, 0.0, 1.0)
    return plus(start, (end - start) * (u - sin(tau * u) / tau))
