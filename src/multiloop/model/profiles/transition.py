"""Transitions from one value to another, composed of pieces: common part of the rest-to-rest motion laws.

Pieces are selected by steps that are exactly 0 or 1, and each is evaluated in its own terms: nothing cancels, end
values are met to the last digit, derivatives where two pieces meet are those of the later piece, and these instants
are breakpoints that the time integration knows.
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
"""Value of u at which a piece begins, and its expression."""


def require_duration(profile: str, duration: Scalar, of: Scalar = time) -> None:
    """Raise ValueError if the duration of a transition is not positive."""
    if not depends_on_time(duration) and not depends_on_state(duration):
        length = evaluate(duration)
        if not length > 0:
            said = f"{length:.15g} s. Give a time" if of == time else f"{length:.15g}. Give one"
            raise ValueError(f"{profile}: its duration is {said} above zero.")


def elapsed(of: Scalar, begin: Scalar) -> Expression:
    """The variable minus `begin`."""
    return lift(of) if lift(begin) == Constant(0.0) else of - lift(begin)


def fraction(profile: str, duration: Scalar, begin: Scalar, of: Scalar) -> Expression:
    """u = (of − begin) / duration, 0 at the beginning and 1 at the end, not limited to this range."""
    require_duration(profile, duration, of)
    return elapsed(of, begin) / duration


def transition(start: Scalar, end: Scalar, u: Expression, pieces: Sequence[Piece]) -> Expression:
    """start (1 − f) + end f, where f rises from 0 at u = 0 to 1 at u = 1 by its pieces and is constant outside."""
    f = piecewise(u, [*pieces, (1.0, lift(1.0))])
    return end * f if lift(start) == Constant(0.0) else start * (1 - f) + end * f


def piecewise(u: Expression, pieces: Sequence[Piece]) -> Expression:
    """The expression whose value is that of the piece begun last; 0 before the first."""
    total: Expression | None = None
    for place, (begin, value) in enumerate(pieces):
        here = _since(u, begin)
        if place + 1 < len(pieces):
            here = here - _since(u, pieces[place + 1][0])
        part = here if value == Constant(1.0) else here * value
        total = part if total is None else total + part
    return lift(0.0) if total is None else total


def plus(offset: Scalar, rest: Expression) -> Expression:
    """offset + rest, without the sum if the offset is 0."""
    return rest if lift(offset) == Constant(0.0) else lift(offset) + rest


def _since(u: Expression, begin: Scalar) -> Expression:
    return lift(step(u if lift(begin) == Constant(0.0) else u - begin))
