"""Periodicity of expressions of time: a steady growth plus periodic parts, and the common period of these."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import pi, tau

from multiloop.model.expressions.branches import Binary, Unary
from multiloop.model.expressions.dependence import depends_on_state, depends_on_time, steps
from multiloop.model.expressions.evaluation import evaluate
from multiloop.model.expressions.expression import Expression, Scalar, lift
from multiloop.model.expressions.leaves import Position, Rate, Time
from multiloop.model.expressions.tables import Table

WHOLE = 1e-9
"""Tolerance within which the ratio of two periods must be rational."""

MOST = 24
"""Largest multiple of the longest period that is accepted as a common period."""

NOTHING = 1e-12
"""Relative round-off below which a difference of speeds is zero."""


@dataclass(frozen=True)
class Course:
    """Time dependence of a number: growth with constant `speed` plus parts with the given `periods`.

    `winding` is the number of turns of a joint without prescribed motion that it contains. If that joint turns once per
    cycle of the drives, the number repeats after each of `cycles`, in units of that cycle.
    """

    speed: float = 0.0
    periods: frozenset[float] = frozenset()
    winding: float = 0.0
    cycles: frozenset[float] = frozenset()

    def times(self, factor: float) -> Course:
        """Periodicity of the number times a constant."""
        return replace(self, speed=factor * self.speed, winding=factor * self.winding)

    def plus(self, other: Course) -> Course:
        """Periodicity of the sum of two numbers."""
        speed, size = self.speed + other.speed, abs(self.speed) + abs(other.speed)
        return Course(
            0.0 if abs(speed) <= NOTHING * size else speed,
            self.periods | other.periods,
            self.winding + other.winding,
            self.cycles | other.cycles,
        )

    def repeated(self, length: float) -> Course:
        """Periodicity of a function of the number that is periodic with the given length."""
        own = {length / abs(self.speed)} if self.speed else set()
        turned = {length / (tau * abs(self.winding))} if self.winding else set()
        return Course(0.0, self.periods | own, 0.0, self.cycles | turned)


STANDING = Course()
Reader = Callable[[Position | Rate], Course]
"""Function that returns the periodicity of a joint coordinate or of its rate."""


def course_of(
    value: Scalar, read: Reader = lambda node: STANDING, parameters: Mapping[str, float] | None = None
) -> Course | None:
    """Periodicity of an expression; None if it is neither periodic nor grows at a constant speed.

    Integrals and lengths of springs follow from the motion of the mechanism and add no period.
    """
    found: list[Course | None] = []
    for node, places in steps(lift(value)):
        operands = [found[place] for place in places]
        if isinstance(node, Time):
            found.append(Course(speed=1.0))
        elif isinstance(node, Position | Rate):
            found.append(read(node))
        elif not places:
            found.append(STANDING)
        else:
            known = [operand for operand in operands if operand is not None]
            found.append(_joined(node, known, parameters) if len(known) == len(operands) else None)
    return found[-1]


def _joined(
    node: Expression, operands: list[Course], parameters: Mapping[str, float] | None
) -> Course | None:
    match node:
        case Binary("+"):
            return operands[0].plus(operands[1])
        case Binary("-"):
            return operands[0].plus(operands[1].times(-1.0))
        case Unary("negative"):
            return operands[0].times(-1.0)
        case Binary("*", factor, _) if _is_constant(factor):
            return _scaled(operands[1], factor, parameters)
        case Binary("*", _, factor) if _is_constant(factor):
            return _scaled(operands[0], factor, parameters)
        case Binary("/", _, divisor) if _is_constant(divisor):
            return _scaled(operands[0], 1 / divisor, parameters)
        case Unary("sin" | "cos" | "tan" as function):
            return operands[0].repeated(pi if function == "tan" else tau)
        case Table(periodic=True):
            return operands[0].repeated(node.knots[-1] - node.knots[0])
    if any(operand.speed for operand in operands):
        return None
    together = STANDING
    for operand in operands:
        together = together.plus(operand)
    return replace(together, winding=0.0)


def _scaled(course: Course, factor: Expression, parameters: Mapping[str, float] | None) -> Course | None:
    try:
        return course.times(evaluate(factor, parameters=parameters))
    except ValueError:  # no finite value
        return None


def _is_constant(value: Expression) -> bool:
    return not depends_on_time(value) and not depends_on_state(value)


def common_period(periods: Iterable[float], most: int = MOST) -> float | None:
    """The smallest common multiple of all periods; 0 if there are no periods.

    None if it is longer than `most` times the longest period.
    """
    together = longest = 0.0
    for period in sorted(periods, reverse=True):
        longest = longest or period
        ratio = together / period
        near = Fraction(ratio).limit_denominator(most)
        if abs(ratio - near) > WHOLE * max(1.0, ratio):
            return None
        together = together * near.denominator if together else period
        if together > (1 + WHOLE) * most * longest:
            return None
    return together
