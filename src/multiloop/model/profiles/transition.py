"""From one value to another: what all laws from rest to rest share, and curves put together from pieces.

Pieces are chosen by steps that are 0 or 1 exactly, each evaluated in its own terms. So nothing cancels, ends are met to
the last digit, every derivative at a joint of two pieces is that of the later one, and the joints are corners that a
time loop knows of.
"""

from __future__ import annotations

from collections.abc import Sequence

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
from multiloop.model.expressions.functions import step

Piece = tuple[Scalar, Expression]
"""Where a piece begins, in u, and its value."""


def require_duration(profile: str, duration: Scalar, of: Scalar = time) -> None:
    """Refuse a transition that takes no time."""
    if not depends_on_time(duration) and not depends_on_state(duration):
        length = evaluate(duration)
        if not length > 0:
            said = f"{length:.15g} s. Give a time" if of == time else f"{length:.15g}. Give one"
            raise ValueError(f"{profile}: its duration is {said} above zero.")


def elapsed(of: Scalar, begin: Scalar) -> Expression:
    """What has gone by since `begin`."""
    return lift(of) if lift(begin) == Constant(0.0) else of - lift(begin)


def fraction(profile: str, duration: Scalar, begin: Scalar, of: Scalar) -> Expression:
    """u = (of − begin) / duration, 0 at the beginning and 1 at the end, without bounds."""
    require_duration(profile, duration, of)
    return elapsed(of, begin) / duration


def transition(start: Scalar, end: Scalar, u: Expression, pieces: Sequence[Piece]) -> Expression:
    """start (1 − f) + end f, where f goes from 0 at u = 0 to 1 at u = 1 by its pieces; at rest outside."""
    f = piecewise(u, [*pieces, (1.0, lift(1.0))])
    return end * f if lift(start) == Constant(0.0) else start * (1 - f) + end * f


def piecewise(u: Expression, pieces: Sequence[Piece]) -> Expression:
    """The piece that has begun last; nothing before the first."""
    total: Expression | None = None
    for place, (begin, value) in enumerate(pieces):
        here = _since(u, begin)
        if place + 1 < len(pieces):
            here = here - _since(u, pieces[place + 1][0])
        part = here if value == Constant(1.0) else here * value
        total = part if total is None else total + part
    return lift(0.0) if total is None else total


def plus(offset: Scalar, rest: Expression) -> Expression:
    """A sum, unless there is nothing to add."""
    return rest if lift(offset) == Constant(0.0) else lift(offset) + rest


def _since(u: Expression, begin: Scalar) -> Expression:
    return lift(step(u if lift(begin) == Constant(0.0) else u - begin))
