"""How a drive moves: the usual laws of motion, as expressions of time."""

from __future__ import annotations

from collections.abc import Callable
from math import tau

from multiloop.model.expressions import (
    Constant,
    Expression,
    Scalar,
    depends_on_state,
    depends_on_time,
    evaluate,
    lift,
    table,
    time,
)
from multiloop.model.expressions.functions import clip, sin
from multiloop.model.expressions.periods import common_period, course_of

__all__ = ["PROFILES", "constant_speed", "cycloidal", "period_of", "table"]


def constant_speed(speed: Scalar, *, start: Scalar = 0.0) -> Expression:
    """Turning or sliding steadily: start + speed · t."""
    return _plus(start, lift(speed) * time)


def cycloidal(start: Scalar, end: Scalar, *, duration: Scalar, begin: Scalar = 0.0) -> Expression:
    """From rest to rest without a jump in acceleration.

        q = start + (end − start) (u − sin 2πu / 2π),   u = (t − begin) / duration, held between 0 and 1

    Before `begin` it rests at `start`, after begin + duration at `end`.
    """
    if not depends_on_time(duration) and not depends_on_state(duration):
        seconds = evaluate(duration)
        if not seconds > 0:
            raise ValueError(f"cycloidal: its duration is {seconds:.15g} s. Give a time above zero.")
    elapsed = time if lift(begin) == Constant(0.0) else time - begin
    u = clip(elapsed / duration, 0.0, 1.0)
    return _plus(start, (end - start) * (u - sin(tau * u) / tau))


PROFILES: dict[str, Callable[..., Expression]] = {"constant_speed": constant_speed, "cycloidal": cycloidal}
"""The profiles that a text may call."""


def period_of(profile: Scalar, turn: float) -> float | None:
    """The time after which a drive is back where it was, or whole turns on; None when there is none.

    A steady drive needs |turn / speed|. One that swings besides, by sines, cosines and periodic tables, comes back
    when all of them do.

    Args:
        profile: an expression of time; parameters count at their own values.
        turn: what one turn of the joint measures, 2π for an angle in rad; 0 for a slide.
    """
    course = course_of(profile) if not depends_on_state(profile) else None
    if course is None or (course.speed and not turn):
        return None
    own = {abs(turn / course.speed)} if course.speed else set()
    return common_period(course.periods | own) or None


def _plus(offset: Scalar, rest: Expression) -> Expression:
    return rest if lift(offset) == Constant(0.0) else lift(offset) + rest
