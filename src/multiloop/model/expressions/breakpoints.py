"""Breakpoints of expressions of time (instants of corners or jumps), and the period of periodic expressions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor, pi, tau

from multiloop.model.expressions.calculus import derivative
from multiloop.model.expressions.evaluation import evaluate
from multiloop.model.expressions.expression import Expression, Scalar, lift
from multiloop.model.expressions.nodes import (
    Binary,
    Clip,
    Position,
    Rate,
    Step,
    Time,
    Unary,
    depends_on_state,
    depends_on_time,
    evaluation_order,
    nodes_of,
)
from multiloop.model.expressions.tables import CONTINUOUS_DERIVATIVES, Table

SAME_TIME = 1e-12
"""Relative difference of time below which two breakpoints are merged."""


def breakpoints(
    value: Scalar,
    *,
    between: tuple[float, float] | None = None,
    parameters: Mapping[str, float] | None = None,
    knots: bool = False,
) -> tuple[float, ...]:
    """The times, in increasing order, at which a clip, a step or a table in an expression is not smooth.

    Only operations whose argument is linear in time are considered; corners that depend on the state are not included.
    Tables have breakpoints at their ends, and at all knots if they are linear, if they are differentiated so often that
    the curve is not smooth at its knots, or if `knots` is True. The breakpoints of a periodic table are those of one
    tabulated period or, if `between` is given, all between these two times.
    """
    found: list[float] = []
    for node in nodes_of(value):
        for quantity, levels, period in _corners(node, knots):
            line = line_in_time(quantity, parameters)
            if line is not None and line[1] != 0.0:
                found += _crossings(line, levels, period, between)
    if between is not None:
        found = [time for time in found if between[0] <= time <= between[1]]
    return _distinct(found)


def recurring_breakpoints(value: Scalar) -> list[tuple[tuple[float, ...], float]]:
    """For every operation with corners, a pair: the times of its corners and knots, and the period with which they
    recur.

    The period is 0 for an operation that is not periodic.
    """
    found = []
    for node in nodes_of(value):
        for quantity, levels, period in _corners(node, knots=True):
            line = line_in_time(quantity)
            if line is not None and line[1] != 0.0:
                found.append((tuple(_crossings(line, levels, 0.0, None)), abs(period / line[1])))
    return found


def line_in_time(value: Scalar, parameters: Mapping[str, float] | None = None) -> tuple[float, float] | None:
    """The coefficients (a, b) of an expression a + b t; None if it is not linear in time or depends on the state."""
    if depends_on_state(value) or depends_on_time(derivative(value)):
        return None
    try:
        intercept = evaluate(value, time=0.0, parameters=parameters)
        return intercept, evaluate(derivative(value), parameters=parameters)
    except ValueError:  # the expression has no finite value at time 0, or a table does not cover this time
        return None


def _corners(node: Expression, knots: bool) -> list[tuple[Expression, tuple[float, ...], float]]:
    """Triples for the corners of one operation: a quantity, its values at which the operation has a corner, and the
    period with which these values repeat.

    The quantity is an expression; the period is 0 for values that do not repeat. With `knots`, all knots of a smooth
    table are included.
    """
    match node:
        case Step(x) | Unary("sign" | "abs", x):
            return [(x, (0.0,), 0.0)]
        case Binary("minimum" | "maximum", x, y):
            return [(x - y, (0.0,), 0.0)]
        case Clip(x, low, high):
            return [(x - low, (0.0,), 0.0), (x - high, (0.0,), 0.0)]
        case Table():
            smooth = node.derivative < CONTINUOUS_DERIVATIVES[node.kind] and not knots
            ends = () if node.periodic else (node.knots[0], node.knots[-1])
            period = node.knots[-1] - node.knots[0] if node.periodic else 0.0
            return [(node.argument, ends if smooth else node.knots, period)]
    return []


def _crossings(
    line: tuple[float, float],
    levels: tuple[float, ...],
    period: float,
    between: tuple[float, float] | None,
) -> list[float]:
    """The times at which a + b t, with (a, b) = `line`, crosses the given levels.

    If the levels repeat with a `period`, all times `between` two instants are returned.
    """
    a, b = line
    times = [(level - a) / b for level in levels]
    if not period or between is None:
        return times
    every = abs(period / b)
    return [
        time + turn * every
        for time in times
        for turn in range(ceil((between[0] - time) / every), floor((between[1] - time) / every) + 1)
    ]


def _distinct(times: list[float]) -> tuple[float, ...]:
    kept: list[float] = []
    for time in sorted(times):
        if not kept or time - kept[-1] > SAME_TIME * max(1.0, abs(time)):
            kept.append(time + 0.0)
    return tuple(kept)


RATIO_TOLERANCE = 1e-9
"""Largest relative difference between the ratio of two periods and a rational number to which the ratio is taken as
equal."""

MAX_MULTIPLE = 24
"""Largest accepted ratio of the common period of several terms to the longest of their periods."""

ZERO_SPEED = 1e-12
"""The sum of two speeds is taken as zero if it is below this fraction of the sum of their magnitudes."""


@dataclass(frozen=True)
class Periodicity:
    """Time dependence of a quantity: growth at a constant `speed`, plus periodic terms with the given `periods`.

    `speed` is in units of the quantity per second, `periods` are in seconds. `winding` and `cycles` describe how the
    quantity depends on the angle of a joint that rotates without prescribed motion: `winding` is the growth of the
    quantity per radian of this angle; `cycles` are the periods of terms that are periodic in the angle, as multiples of
    a cycle of the drives, during which the joint is assumed to make one turn.
    """

    speed: float = 0.0
    periods: frozenset[float] = frozenset()
    winding: float = 0.0
    cycles: frozenset[float] = frozenset()

    def times(self, factor: float) -> Periodicity:
        """Periodicity of the quantity multiplied by a constant."""
        return replace(self, speed=factor * self.speed, winding=factor * self.winding)

    def plus(self, other: Periodicity) -> Periodicity:
        """Periodicity of the sum of two quantities."""
        speed, size = self.speed + other.speed, abs(self.speed) + abs(other.speed)
        return Periodicity(
            0.0 if abs(speed) <= ZERO_SPEED * size else speed,
            self.periods | other.periods,
            self.winding + other.winding,
            self.cycles | other.cycles,
        )

    def after_periodic_function(self, length: float) -> Periodicity:
        """Periodicity of f(quantity), where the function f has the period `length` in its argument."""
        own = {length / abs(self.speed)} if self.speed else set()
        turned = {length / (tau * abs(self.winding))} if self.winding else set()
        return Periodicity(0.0, self.periods | own, 0.0, self.cycles | turned)


CONSTANT = Periodicity()
PeriodicityReader = Callable[[Position | Rate], Periodicity]
"""Function that returns the periodicity of a joint coordinate or of its rate."""


def periodicity_of(
    value: Scalar,
    read: PeriodicityReader = lambda node: CONSTANT,
    parameters: Mapping[str, float] | None = None,
) -> Periodicity | None:
    """Periodicity of an expression; None if it is not a sum of periodic terms and growth at a constant speed.

    Integrals and lengths of springs follow the motion of the mechanism and add no period. `read` returns the
    periodicity of joint coordinates and rates.
    """
    found: list[Periodicity | None] = []
    for node, places in evaluation_order(lift(value)):
        operands = [found[place] for place in places]
        if isinstance(node, Time):
            found.append(Periodicity(speed=1.0))
        elif isinstance(node, Position | Rate):
            found.append(read(node))
        elif not places:
            found.append(CONSTANT)
        else:
            known = [operand for operand in operands if operand is not None]
            found.append(_combine(node, known, parameters) if len(known) == len(operands) else None)
    return found[-1]


def _combine(
    node: Expression, operands: list[Periodicity], parameters: Mapping[str, float] | None
) -> Periodicity | None:
    match node:
        case Binary("+"):
            return operands[0].plus(operands[1])
        case Binary("-"):
            return operands[0].plus(operands[1].times(-1.0))
        case Unary("negative"):
            return operands[0].times(-1.0)
        case Binary("*", factor, _) if _is_constant(factor):
            return _scale(operands[1], factor, parameters)
        case Binary("*", _, factor) if _is_constant(factor):
            return _scale(operands[0], factor, parameters)
        case Binary("/", _, divisor) if _is_constant(divisor):
            return _scale(operands[0], 1 / divisor, parameters)
        case Unary("sin" | "cos" | "tan" as function):
            return operands[0].after_periodic_function(pi if function == "tan" else tau)
        case Table(periodic=True):
            return operands[0].after_periodic_function(node.knots[-1] - node.knots[0])
    if any(operand.speed for operand in operands):
        return None
    together = CONSTANT
    for operand in operands:
        together = together.plus(operand)
    return replace(together, winding=0.0)


def _scale(
    course: Periodicity, factor: Expression, parameters: Mapping[str, float] | None
) -> Periodicity | None:
    try:
        return course.times(evaluate(factor, parameters=parameters))
    except ValueError:  # the factor has no finite value
        return None


def _is_constant(value: Expression) -> bool:
    return not depends_on_time(value) and not depends_on_state(value)


def common_period(periods: Iterable[float], most: int = MAX_MULTIPLE) -> float | None:
    """The smallest common multiple of all periods; 0 if there are no periods.

    None if it is longer than `most` times the longest period.
    """
    together = longest = 0.0
    for period in sorted(periods, reverse=True):
        longest = longest or period
        ratio = together / period
        near = Fraction(ratio).limit_denominator(most)
        if abs(ratio - near) > RATIO_TOLERANCE * max(1.0, ratio):
            return None
        together = together * near.denominator if together else period
        if together > (1 + RATIO_TOLERANCE) * most * longest:
            return None
    return together


def period_of(profile: Scalar, turn: float) -> float | None:
    """The period in s of a prescribed motion, up to whole turns of the joint; None if it is not periodic.

    For a constant speed the period is |turn / speed|. For several periodic terms (sines, cosines, periodic tables) it
    is their common period.

    Args:
        profile: an expression of time; parameters have their default values.
        turn: increase of the coordinate in one full turn of the joint, 2π for an angle in rad; 0 for a displacement.
    """
    course = periodicity_of(profile) if not depends_on_state(profile) else None
    if course is None or (course.speed and not turn):
        return None
    own = {abs(turn / course.speed)} if course.speed else set()
    return common_period(course.periods | own) or None
