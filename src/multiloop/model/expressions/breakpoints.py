"""Breakpoints of expressions: instants at which they are not smooth, where an integrator should end a step."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil, floor

from multiloop.model.expressions.branches import Binary, Clip, Step, Unary
from multiloop.model.expressions.calculus import derivative
from multiloop.model.expressions.dependence import depends_on_state, depends_on_time, nodes_of
from multiloop.model.expressions.evaluation import evaluate
from multiloop.model.expressions.expression import Expression, Scalar
from multiloop.model.expressions.tables import SMOOTH, Table

SAME_TIME = 1e-12
"""Breakpoints whose relative difference is smaller are merged."""


def breakpoints(
    value: Scalar,
    *,
    between: tuple[float, float] | None = None,
    parameters: Mapping[str, float] | None = None,
    knots: bool = False,
) -> tuple[float, ...]:
    """The times at which a clip, a step or a table is not smooth, in order.

    They are found where the argument is linear in time; corners that depend on the state are not included. Tables
    have breakpoints at their ends, and at all knots if they are linear, if they are differentiated so often that the
    curve is not smooth there, or if `knots` is True. For a periodic table they are those of its tabulated period, or
    all `between` two times.
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


def recurring(value: Scalar) -> list[tuple[tuple[float, ...], float]]:
    """The times of corners and of all knots, by node, with the period after which they recur (0: never)."""
    found = []
    for node in nodes_of(value):
        for quantity, levels, period in _corners(node, knots=True):
            line = line_in_time(quantity)
            if line is not None and line[1] != 0.0:
                found.append((tuple(_crossings(line, levels, 0.0, None)), abs(period / line[1])))
    return found


def line_in_time(value: Scalar, parameters: Mapping[str, float] | None = None) -> tuple[float, float] | None:
    """(a, b) of a quantity a + b t, or None where it is not linear in time or depends on the state."""
    if depends_on_state(value) or depends_on_time(derivative(value)):
        return None
    try:
        intercept = evaluate(value, time=0.0, parameters=parameters)
        return intercept, evaluate(derivative(value), parameters=parameters)
    except ValueError:  # no finite value at time 0, or a table that does not cover it
        return None


def _corners(node: Expression, knots: bool) -> list[tuple[Expression, tuple[float, ...], float]]:
    """Arguments, the levels at which they cause a corner, and the period of the levels (0: not periodic)."""
    match node:
        case Step(x) | Unary("sign" | "abs", x):
            return [(x, (0.0,), 0.0)]
        case Binary("minimum" | "maximum", x, y):
            return [(x - y, (0.0,), 0.0)]
        case Clip(x, low, high):
            return [(x - low, (0.0,), 0.0), (x - high, (0.0,), 0.0)]
        case Table():
            smooth = node.derivative < SMOOTH[node.kind] and not knots
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
    """The times at which a + b t crosses the levels."""
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
