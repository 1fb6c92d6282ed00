"""From rest to rest along a cycloid: the acceleration is one sine."""

from __future__ import annotations

from math import tau

from multiloop.model.expressions import Expression, Scalar, time
from multiloop.model.expressions.functions import clip, sin
from multiloop.model.profiles.transition import elapsed, plus, require_duration


def cycloidal(
    start: Scalar, end: Scalar, *, duration: Scalar, begin: Scalar = 0.0, of: Scalar = time
) -> Expression:
    """From rest to rest without a jump in acceleration.

        q = start + (end − start) (u − sin 2πu / 2π),   u = (t − begin) / duration, held between 0 and 1

    Before `begin` it rests at `start`, after begin + duration at `end`. With `of` another expression, an angle of a
    cam for instance, stands in place of the time.
    """
    require_duration("cycloidal", duration, of)
    u = clip(elapsed(of, begin) / duration, 0.0, 1.0)
    return plus(start, (end - start) * (u - sin(tau * u) / tau))
