"""Motion laws: constant speed, transitions from one value to another, and B-splines.

A transition is start (1 − f) + end f, where f(u) rises from 0 to 1 while u = (t − begin) / duration goes from 0 to 1.
f consists of pieces, which are multiplied by step functions of exactly 0 or 1 and added. There is therefore no
cancellation, and the end values are exact. At an instant where two pieces meet, derivatives are those of the later
piece; such instants are breakpoints, at which the time integration stops.

Source: [norton_cams]; [deboor], ch. IX, for B-splines.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import pi, tau
from numbers import Integral

import numpy as np

from multiloop.model.expressions import (
    Constant,
    Expression,
    Scalar,
    depends_on_state,
    depends_on_time,
    evaluate,
    lift,
    time,
)
from multiloop.model.expressions.functions import clip, sin, step
from multiloop.model.faults import short_repr

__all__ = [
    "b_spline",
    "constant_speed",
    "cycloidal",
    "modified_sine",
    "polynomial_345",
    "polynomial_4567",
    "ramp",
    "trapezoidal",
]
"""The public motion laws, which are available in `multiloop.motion_laws`."""

Piece = tuple[Scalar, Expression]
"""A piece of a motion law: the value of the relative time u at which it begins, and its expression."""


def require_duration(profile: str, duration: Scalar, of: Scalar = time) -> None:
    """Raise a ValueError if the duration of a transition is constant and not positive.

    `profile` is the name of the motion law and `of` its variable, by default the time.
    """
    if not depends_on_time(duration) and not depends_on_state(duration):
        length = evaluate(duration)
        if not length > 0:
            said = f"{length:.15g} s. Give a time" if of == time else f"{length:.15g}. Give a value"
            raise ValueError(f"{profile}: its duration is {said} above zero.")


def elapsed_since(of: Scalar, begin: Scalar) -> Expression:
    """The difference `of` − `begin`, where `of` is the variable of a motion law; `of` itself if `begin` is 0."""
    return lift(of) if lift(begin) == Constant(0.0) else of - lift(begin)


def relative_time(profile: str, duration: Scalar, begin: Scalar, of: Scalar) -> Expression:
    """The relative time u = (of − begin) / duration of a transition, not limited to the range from 0 to 1.

    `profile` is the name of the motion law for the error if the duration is not positive.
    """
    require_duration(profile, duration, of)
    return elapsed_since(of, begin) / duration


def transition(start: Scalar, end: Scalar, u: Expression, pieces: Sequence[Piece]) -> Expression:
    """The transition start (1 − f) + end f, where f consists of `pieces` for 0 ≤ u < 1, is 0 before and 1 after."""
    f = piecewise(u, [*pieces, (1.0, lift(1.0))])
    return end * f if lift(start) == Constant(0.0) else start * (1 - f) + end * f


def piecewise(u: Expression, pieces: Sequence[Piece]) -> Expression:
    """The expression that equals, at every u, the last piece that begins at or before u; 0 before the first piece."""
    total: Expression | None = None
    for place, (begin, value) in enumerate(pieces):
        here = _step_at(u, begin)
        if place + 1 < len(pieces):
            here = here - _step_at(u, pieces[place + 1][0])
        part = here if value == Constant(1.0) else here * value
        total = part if total is None else total + part
    return lift(0.0) if total is None else total


def add_offset(offset: Scalar, rest: Expression) -> Expression:
    """The sum offset + rest; `rest` itself if the offset is 0."""
    return rest if lift(offset) == Constant(0.0) else lift(offset) + rest


def _step_at(u: Expression, begin: Scalar) -> Expression:
    return lift(step(u if lift(begin) == Constant(0.0) else u - begin))


def constant_speed(speed: Scalar, *, start: Scalar = 0.0) -> Expression:
    """Motion with constant speed: start + speed · t, with the speed in rad/s or m/s."""
    return add_offset(start, lift(speed) * time)


def ramp(
    start: Scalar, end: Scalar, *, duration: Scalar, begin: Scalar = 0.0, of: Scalar = time
) -> Expression:
    """Linear transition from one value to another.

        q = start + (end − start) u,   u = (of − begin) / duration, limited to 0 … 1

    The speed jumps at both ends. A ramp is suitable for forces, cam angles and slow feeds; for drives use
    `trapezoidal` or another motion law.
    """
    u = relative_time("ramp", duration, begin, of)
    return transition(start, end, u, [(0.0, u)])


def polynomial_345(
    start: Scalar, end: Scalar, *, duration: Scalar, begin: Scalar = 0.0, of: Scalar = time
) -> Expression:
    """3-4-5 polynomial motion from rest to rest; speed and acceleration vanish at both ends.

        q = start + (end − start) (10 u³ − 15 u⁴ + 6 u⁵),   u = (of − begin) / duration, limited to 0 … 1

    The value is `start` before `begin` and `end` after begin + duration. `of` replaces the time by another expression,
    for example a cam angle.

    Source: [norton_cams].
    """
    u = relative_time("polynomial_345", duration, begin, of)
    return transition(start, end, u, [(0.0, u * u * u * (10 + u * (6 * u - 15)))])


def polynomial_4567(
    start: Scalar, end: Scalar, *, duration: Scalar, begin: Scalar = 0.0, of: Scalar = time
) -> Expression:
    """4-5-6-7 polynomial motion from rest to rest; speed, acceleration and jerk vanish at both ends.

        q = start + (end − start) (35 u⁴ − 84 u⁵ + 70 u⁶ − 20 u⁷),   u = (of − begin) / duration, limited to 0 … 1

    The value is `start` before `begin` and `end` after begin + duration. `of` replaces the time by another expression,
    for example a cam angle.

    Source: [norton_cams].
    """
    u = relative_time("polynomial_4567", duration, begin, of)
    square = u * u
    return transition(start, end, u, [(0.0, square * square * (35 + u * (u * (70 - 20 * u) - 84)))])


def cycloidal(
    start: Scalar, end: Scalar, *, duration: Scalar, begin: Scalar = 0.0, of: Scalar = time
) -> Expression:
    """Cycloidal motion from rest to rest, with continuous acceleration.

        q = start + (end − start) (u − sin 2πu / 2π),   u = (of − begin) / duration, limited to 0 … 1

    The value is `start` before `begin` and `end` after begin + duration. `of` replaces the time by another expression,
    for example a cam angle.
    """
    require_duration("cycloidal", duration, of)
    u = clip(elapsed_since(of, begin) / duration, 0.0, 1.0)
    return add_offset(start, (end - start) * (u - sin(tau * u) / tau))


MODIFIED_SINE_SCALE = 4 + pi


def modified_sine(
    start: Scalar, end: Scalar, *, duration: Scalar, begin: Scalar = 0.0, of: Scalar = time
) -> Expression:
    """Modified-sine motion from rest to rest.

    The acceleration is a quarter period of a fast sine, half a period of a slow sine, and again a quarter period of the
    fast sine. With f from 0 to 1 over the relative time u from 0 to 1:

        (4 + π) f = πu − sin(4πu)/4   up to 1/8,      2 + πu − (9/4) sin((4πu + π)/3)   up to 7/8

    The last piece is the first one mirrored, 1 − f(1 − u). The peak speed is 1.7596 (end − start) / duration and the
    peak acceleration 5.5280 (end − start) / duration². The value is `start` before `begin` and `end` after begin +
    duration. `of` replaces the time by another expression, for example a cam angle.

    Source: [norton_cams].
    """
    u = relative_time("modified_sine", duration, begin, of)
    left = 1 - u
    middle = (2 + pi * u - 2.25 * sin((4 * pi * u + pi) / 3)) / MODIFIED_SINE_SCALE
    return transition(
        start, end, u, [(0.0, _quick_piece(u)), (1 / 8, middle), (7 / 8, 1 - _quick_piece(left))]
    )


def _quick_piece(u: Expression) -> Expression:
    return (pi * u - sin(4 * pi * u) / 4) / MODIFIED_SINE_SCALE


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

    f rises from 0 to 1 while the relative time u goes from 0 to 1; the motion is start + (end − start) f. `ramps` is r,
    the fraction of the duration for the acceleration and also for the deceleration, at most 1/2, for which the speed is
    triangular. The acceleration jumps; its largest value is (end − start) / (r (1 − r) duration²).
    The value is `start` before `begin` and `end` after begin + duration. `of` replaces the time by another expression,
    for example a cam angle.
    """
    _require_ramps(ramps)
    u = relative_time("trapezoidal", duration, begin, of)
    left = 1 - u
    curvature = 2 * ramps * (1 - ramps)
    pieces = [
        (0.0, u * u / curvature),
        (ramps, (u - ramps / 2) / (1 - ramps)),
        (1 - ramps, 1 - left * left / curvature),
    ]
    return transition(start, end, u, pieces)


def _require_ramps(ramps: Scalar) -> None:
    if depends_on_time(ramps) or depends_on_state(ramps):
        raise ValueError("trapezoidal: its ramps are not constant. Give a constant fraction of the duration.")
    part = evaluate(ramps)
    if not 0 < part <= 0.5:
        raise ValueError(
            f"trapezoidal: its ramps are {part:.15g} of the duration. Give a fraction above 0, at most 0.5."
        )


AT_REST = 3
"""Number of times that the first and the last control point of a B-spline are repeated, so that speed and acceleration
vanish at both ends."""


def b_spline(
    points: Sequence[Scalar],
    *,
    duration: Scalar,
    begin: Scalar = 0.0,
    degree: int = 5,
    of: Scalar = time,
) -> Expression:
    """Motion along a B-spline with the given control points, at rest before and after.

        q = Σ cⱼ Nⱼ(u)

    N are the B-splines of the given degree on uniform knots from 0 to 1, c the control points and u = (of − begin) /
    duration, limited to 0 … 1. The curve stays within the range of its points and passes through the first and the last
    point, which are repeated three times, so that speed and acceleration vanish there. Between these two points it is
    degree − 1 times continuously differentiable.

    Source: [deboor], ch. IX; we repeat the end points so that the motion begins and ends at rest.
    """
    if isinstance(points, str) or not isinstance(points, Sequence) or len(points) < 2:
        raise ValueError(f"b_spline: its points are {short_repr(points)}. Give two or more numbers.")
    if isinstance(degree, bool) or not isinstance(degree, Integral) or not 3 <= degree <= 9:
        raise ValueError(f"b_spline: its degree is {short_repr(degree)}. Give a whole number from 3 to 9.")
    u = relative_time("b_spline", duration, begin, of)
    control = [points[0]] * (AT_REST - 1) + [*points] + [points[-1]] * (AT_REST - 1)
    control += [points[-1]] * (int(degree) + 1 - len(control))  # at least degree + 1 points
    breaks, basis = _basis(int(degree), len(control))
    pieces = [
        (float(begins), _horner(u - float(begins), basis[:, :, k], control))
        for k, begins in enumerate(breaks[:-1])
    ]
    before = lift(points[0]) * (1 - step(u))
    return before + piecewise(u, [*pieces, (1.0, lift(points[-1]))])


def _horner(s: Expression, coefficients: np.ndarray, points: Sequence[Scalar]) -> Expression:
    """The polynomial Σ pⱼ Σ cⱼₘ s^m with points p, by Horner's rule; coefficients c are ordered by decreasing power."""
    total: Expression = lift(0.0)
    for column in coefficients.T:
        weighed = [float(c) * point for c, point in zip(column, points, strict=True) if abs(c) > 0.0]
        part: Scalar = sum(weighed[1:], weighed[0]) if weighed else 0.0
        total = lift(part) if total == lift(0.0) else total * s + part
    return total


def _basis(degree: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Breaks of the pieces of `count` B-splines of the given degree on 0 … 1, and the polynomial coefficients of the
    B-splines.

    The coefficients have the shape (splines, powers, pieces), with the highest power first.
    """
    from scipy.interpolate import BSpline, PPoly

    inner = np.linspace(0.0, 1.0, count - degree + 1)
    knots = np.concatenate([np.zeros(degree), inner, np.ones(degree)])
    found = []
    for k in range(count):
        spline = PPoly.from_spline(BSpline(knots, np.eye(count)[k], degree))
        kept = np.diff(spline.x) > 0
        found.append(spline.c[:, kept])
    return inner, np.array(found)
