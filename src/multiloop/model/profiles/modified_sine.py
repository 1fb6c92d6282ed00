"""Modified-sine motion law, with low peaks of speed and torque, as used for indexing drives."""

from __future__ import annotations

from math import pi

from multiloop.model.expressions import Expression, Scalar, time
from multiloop.model.expressions.functions import sin
from multiloop.model.profiles.transition import fraction, transition

WHOLE = 4 + pi


def modified_sine(
    start: Scalar, end: Scalar, *, duration: Scalar, begin: Scalar = 0.0, of: Scalar = time
) -> Expression:
    """Modified-sine motion from rest to rest.

    The acceleration is a quarter period of a fast sine, half a period of a slow one, and a quarter period of the fast
    one again:

        (4 + π) f = πu − sin(4πu)/4   up to 1/8,      2 + πu − (9/4) sin((4πu + π)/3)   up to 7/8

    and the first piece mirrored at the end. The peak speed is 1.7596 (end − start) / duration and the peak acceleration
    5.5280 (end − start) / duration².

    Source: [norton_cams].
    """
    u = fraction("modified_sine", duration, begin, of)
    left = 1 - u
    middle = (2 + pi * u - 2.25 * sin((4 * pi * u + pi) / 3)) / WHOLE
    return transition(start, end, u, [(0.0, _quick(u)), (1 / 8, middle), (7 / 8, 1 - _quick(left))])


def _quick(u: Expression) -> Expression:
    return (pi * u - sin(4 * pi * u) / 4) / WHOLE
