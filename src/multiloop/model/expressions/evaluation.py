"""Evaluation of expressions, numerically with NumPy or symbolically with CasADi."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from multiloop.model.expressions.expression import Expression, Scalar, is_number
from multiloop.model.expressions.expression_text import number_text, shortened_text
from multiloop.model.expressions.nodes import (
    Constant,
    IntegralValue,
    Length,
    LengthRate,
    NormalForce,
    OutputValue,
    Parameter,
    Position,
    Rate,
    Time,
    evaluation_order,
    parameters_of,
)
from multiloop.model.expressions.operations import OPERATIONS
from multiloop.model.expressions.tables import Table, check_covered, interpolate, polynomial_pieces

CoordinateReader = Callable[[str, int], Any]
"""Function that returns the position or rate of a joint coordinate: (joint, component) → value."""

SpringReader = Callable[[str], tuple[Any, Any]]
"""Function that returns the length of a spring and its rate."""


@dataclass(frozen=True)
class _EvaluationContext:
    """An expression to be evaluated, with the values of time and parameters, and functions that return coordinates."""

    expression: Expression
    time: Any
    position: CoordinateReader | None
    rate: CoordinateReader | None
    integral: Callable[[str], Any] | None
    span: SpringReader | None
    parameters: Mapping[str, Any]
    output: Callable[[str], Any] | None = None

    def leaf(self, node: Expression) -> Any:
        """The value of a node without operands: a constant, parameter, state variable or the time."""
        match node:
            case Constant(value):
                return value
            case Parameter(name, value):
                return self.parameters.get(name, value)
            case Position(joint, component):
                return self._reader(self.position, "position", joint)(joint, component)
            case Rate(joint, component):
                return self._reader(self.rate, "rate", joint)(joint, component)
            case IntegralValue(name) if self.integral is not None:
                return self.integral(name)
            case IntegralValue(name):
                asks = f"expression {shortened_text(self.expression)} needs the integral '{name}'"
                raise ValueError(f"{asks}. Give integral=, a function of the name of an integral.")
            case Length(spring) | LengthRate(spring):
                return self._span(spring)[isinstance(node, LengthRate)]
            case NormalForce(pair) if self.output is not None:
                return self.output(f"{pair}.normal")
            case OutputValue(name) if self.output is not None:
                return self.output(name)
            case OutputValue(name):
                raise ValueError(
                    f"expression {shortened_text(self.expression)} needs the output '{name}'. "
                    "Only events, efforts and the outputs of `linearise` can use it."
                )
            case NormalForce(pair):
                raise ValueError(
                    f"expression {shortened_text(self.expression)} needs the normal force of '{pair}'. "
                    "Only events can use it."
                )
        if self.time is None:
            raise ValueError(
                f"expression {shortened_text(self.expression)} needs the time. Give it as time=…."
            )
        return self.time

    def _span(self, spring: str) -> tuple[Any, Any]:
        if self.span is None:
            raise ValueError(
                f"expression {shortened_text(self.expression)} needs the length of spring '{spring}'. "
                "Give span=, a function of the name of a spring that returns its length and rate."
            )
        return self.span(spring)

    def _reader(self, reader: CoordinateReader | None, kind: str, joint: str) -> CoordinateReader:
        if reader is None:
            raise ValueError(
                f"expression {shortened_text(self.expression)} needs the {kind} of joint '{joint}'. "
                f"Give {kind}=, a function of joint and component."
            )
        return reader


def evaluate(
    value: Scalar,
    *,
    time: Any = None,
    position: CoordinateReader | None = None,
    rate: CoordinateReader | None = None,
    integral: Callable[[str], Any] | None = None,
    span: SpringReader | None = None,
    parameters: Mapping[str, Any] | None = None,
    output: Callable[[str], Any] | None = None,
) -> Any:
    """The numerical value of an expression.

    Arrays of times, coordinates or parameters give an array; an expression that depends on none of them gives a float,
    and a plain number is returned unchanged. `parameters` overrides the default values of parameters by name.
    `position`, `rate`, `integral`, `span` and `output` are functions that return the values of state variables; `span`
    returns the length of a spring and its rate, `output` an output of the mechanism.
    """
    if not isinstance(value, Expression):
        return value
    surroundings = _EvaluationContext(value, time, position, rate, integral, span, parameters or {}, output)
    values: list[Any] = []
    with np.errstate(all="ignore"):  # values that are not finite raise an error below
        for node, places in evaluation_order(value):
            if places:
                values.append(_numeric(node, [values[place] for place in places]))
            else:
                values.append(_as_float_or_array(surroundings.leaf(node)))
    if not np.all(np.isfinite(values[-1])):
        _raise_infinite(value, values)
    return float(values[-1]) if np.ndim(values[-1]) == 0 else values[-1]


def trace(
    value: Scalar,
    *,
    time: Any = None,
    position: CoordinateReader | None = None,
    rate: CoordinateReader | None = None,
    integral: Callable[[str], Any] | None = None,
    span: SpringReader | None = None,
    parameters: Mapping[str, Any] | None = None,
    table: Callable[[Table], Any] | None = None,
    output: Callable[[str], Any] | None = None,
) -> Any:
    """The value of an expression for CasADi scalars: symbols (SX, MX) or numbers (DM).

    Subexpressions without symbols are evaluated to floats, so that zeros and ones can be simplified; equal
    subexpressions are traced once. If `table` is given, it returns the symbol for the value of a table whose argument
    is the time itself. Such a table is then interpolated outside the traced code, where one polynomial piece is
    evaluated instead of all. `position`, `rate`, `integral`, `span` and `output` are functions that return the values
    of state variables; `span` returns the length of a spring and its rate, `output` an output of the mechanism.
    """
    if not isinstance(value, Expression):
        return value
    surroundings = _EvaluationContext(value, time, position, rate, integral, span, parameters or {}, output)
    values: list[Any] = []
    undefined = _undefined_parts(value)
    for node, places in evaluation_order(value):
        if isinstance(node, Table) and table is not None and isinstance(node.argument, Time):
            values.append(table(node))
        elif places:
            found = _symbolic(node, [values[place] for place in places])
            hidden = places if node.operation in HIDING_OPERATIONS else ()
            values.append(found + sum(zero_or_nan(values[place]) for place in hidden if undefined[place]))
        else:
            found = surroundings.leaf(node)
            values.append(float(found) if is_number(found) else found)
    return values[-1]


HIDING_OPERATIONS = ("minimum", "maximum", "clip", "step")
"""Operations whose compiled form may return a number although an argument is NaN: fmin and fmax of C return the other
argument, and a comparison with NaN is false."""

PARTIAL_OPERATIONS = ("sqrt", "log", "asin", "acos", "/", "**")
"""Operations that are undefined for some finite arguments."""


def may_be_undefined(value: Scalar) -> bool:
    """Whether an expression contains an operation that is undefined for some finite arguments."""
    return isinstance(value, Expression) and _undefined_parts(value)[-1]


@lru_cache(maxsize=1024)
def _undefined_parts(expression: Expression) -> tuple[bool, ...]:
    """For every node of an expression, in the order of evaluation, whether its value may be undefined."""
    found: list[bool] = []
    order = evaluation_order(expression)
    for node, places in order:
        partial = node.operation in PARTIAL_OPERATIONS
        if node.operation in ("/", "**"):
            second = order[places[1]][0]
            exact = isinstance(second, Constant) and (
                second.value != 0
                if node.operation == "/"
                else second.value >= 0 and second.value.is_integer()
            )
            partial = not exact
        found.append(partial or any(found[place] for place in places))
    return tuple(found)


def zero_or_nan(x: Any) -> Any:
    """0 for a CasADi scalar that is a number, and NaN for NaN.

    The result uses comparisons, since CasADi would simplify x − x to 0.
    """
    if isinstance(x, float):
        return 0.0
    import casadi

    positive = casadi.if_else(x <= 0, 0, x)
    return casadi.if_else(positive >= 0, 0, positive)


def _numeric(node: Expression, operands: Sequence[Any]) -> Any:
    if isinstance(node, Table):
        return interpolate(node, operands[0])
    return OPERATIONS[node.operation].numeric(*operands)


def _symbolic(node: Expression, operands: Sequence[Any]) -> Any:
    if isinstance(node, Table):
        return _trace_table(node, operands[0])
    operation = OPERATIONS[node.operation]
    if all(isinstance(operand, float) for operand in operands):
        return operation.value_at(*operands)
    return operation.traced(*operands)


def _trace_table(table: Table, x: Any) -> Any:
    if isinstance(x, float):
        return float(interpolate(table, x))
    import casadi

    from multiloop.symbols.lookup import lookup

    if isinstance(x, casadi.DM):
        check_covered(table, float(x))
    return lookup(x, *polynomial_pieces(table), table.periodic)


def _as_float_or_array(value: Any) -> Any:
    return float(value) if is_number(value) else np.asarray(value, dtype=float)


def _raise_infinite(expression: Expression, values: Sequence[Any]) -> None:
    """Raise a ValueError for the first subexpression whose value is not finite although its operands are finite.

    `values` are the values of all nodes of the expression in the order of evaluation. Nothing is raised if the value is
    not finite only because an input is NaN or infinite.
    """
    for (node, places), value in zip(evaluation_order(expression), values, strict=True):
        operands = np.broadcast_arrays(*(values[place] for place in places)) if places else []
        culprit = ~np.isfinite(value) & np.all(np.isfinite(operands), axis=0) if places else np.array(False)
        if culprit.any():
            where = np.flatnonzero(culprit)[0]
            reasons = [
                f"{shortened_text(operand, 40)} is {number_text(float(entry.flat[where]))}"
                for operand, entry in zip(node.operands, operands, strict=True)
                if not isinstance(operand, Constant)
            ]
            place = f" where {' and '.join(reasons)}" if reasons else ""
            raise ValueError(f"{shortened_text(node)} has no finite value{place}.")


def is_parameter_independent(value: Scalar) -> bool:
    """Whether the value of an expression is the same for all parameter values, such as 0.5 L / L.

    Only two sets of parameter values other than the default are tested.
    """
    parameters = parameters_of(value)
    samples = [
        {one.name: (one.value or 1.0) * factor ** (1 + k / 3) for k, one in enumerate(parameters)}
        for factor in (0.83, 1.19)
    ]
    try:
        own, *others = (float(evaluate(value, parameters=values)) for values in ({}, *samples))
    except ValueError:
        return False
    return all(abs(other - own) <= 1e-12 * max(1.0, abs(own)) for other in others)
