"""How a drive moves: the usual laws of motion, as expressions of time."""

from __future__ import annotations

from collections.abc import Callable
from math import isclose, tau

from multiloop.model.expressions import (
    Constant,
    Expression,
    Scalar,
    Table,
    Time,
    Unary,
    depends_on_state,
    depends_on_time,
    derivative,
    evaluate,
    lift,
    line_in_time,
    table,
    time,
)
from multiloop.model.expressions.functions import clip, sin

__all__ = ["PROFILES", "constant_speed", "cycloidal", "period_of", "table"]

WHOLE = 1e-9
"""How near to a whole number a ratio of two periods counts as whole."""


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

    A steady drive needs |turn / speed|. Otherwise the rate must be made of sines and cosines of linear
    functions of time and of periodic tables, all of them whole fractions of the slowest, and that
    slowest period must advance the drive by whole turns.

    Args:
        profile: an expression of time; parameters count at their own values.
        turn: what one turn of the joint measures, 2π for an angle in rad; 0 for a slide.
    """
    if depends_on_state(profile):
        return None
    line = line_in_time(profile)
    if line is not None:
        return abs(turn / line[1]) if turn and line[1] else None
    periods = _periods(derivative(profile))
    if not periods:
        return None
    slowest = max(periods)
    if not all(_whole(slowest / period) for period in periods):
        return None
    advance = evaluate(profile, time=slowest) - evaluate(profile, time=0.0)
    turns = advance / turn if turn else advance
    return slowest if (_whole(turns) if turn else isclose(turns, 0.0, abs_tol=WHOLE)) else None


def _periods(rate: Expression) -> list[float]:
    """The periods of all that oscillates in a rate; none at all when the time appears in any other way."""
    periods: list[float] = []
    waiting = [rate]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Time):
            return []
        own = _own_period(node)
        if own is None:
            waiting += node.operands
        else:
            periods.append(own)
    return periods


def _own_period(node: Expression) -> float | None:
    match node:
        case Unary("sin" | "cos" | "tan", argument):
            length = tau
        case Table(argument, periodic=True):
            length = node.knots[-1] - node.knots[0]
        case _:
            return None
    line = line_in_time(argument)
    return abs(length / line[1]) if line is not None and line[1] else None


def _whole(ratio: float) -> bool:
    return abs(ratio - round(ratio)) <= WHOLE * max(1.0, abs(ratio))


def _plus(offset: Scalar, rest: Expression) -> Expression:
    return rest if lift(offset) == Constant(0.0) else lift(offset) + rest
