"""Trapezoidal motion law: constant acceleration, constant speed, constant deceleration."""

from __future__ import annotations

from multiloop.model.expressions import Expression, Scalar, depends_on_state, depends_on_time, evaluate, time
from multiloop.model.profiles.transition import fraction, transition


def trapezoidal(
    start: Scalar,
    end: Scalar,
    *,
    duration: Scalar,
    begin: Scalar = 0.0,
    ramps: Scalar = 1 / 3,
    of: Scalar = time,
) -> Expression:
    """Motion from rest to rest with a trapezoidal speed: constant acceleration, speed and deceleration.

        f = u² / 2r(1 − r)   while u < r,      (u − r/2) / (1 − r)   while u < 1 − r,      1 − f(1 − u)   to the end

    `ramps` is r, the fraction of the duration for acceleration and also for deceleration, up to 1/2, where the speed is
    triangular. The acceleration jumps; its largest value is (end − start) / r(1 − r) duration².
    """
    _require_part(ramps)
    u = fraction("trapezoidal", duration, begin, of)
    left = 1 - u
    curvature = 2 * ramps * (1 - ramps)
    pieces = [
        (0.0, u * u / curvature),
        (ramps, (u - ramps / 2) / (1 - ramps)),
        (1 - ramps, 1 - left * left / curvature),
    ]
    return transition(start, end, u, pieces)


def _require_part(ramps: Scalar) -> None:
    if depends_on_time(ramps) or depends_on_state(ramps):
        raise ValueError("trapezoidal: its ramps change. Give a part of the duration that stays.")
    part = evaluate(ramps)
    if not 0 < part <= 0.5:
        raise ValueError(f"trapezoidal: its ramps are {part:.15g} of the duration. Give a part up to 0.5.")
