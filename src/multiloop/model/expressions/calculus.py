"""Symbolic time derivatives of expressions, and their simplification."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from math import isfinite

from multiloop.model.expressions.branches import Binary, Unary
from multiloop.model.expressions.dependence import nodes_of, steps
from multiloop.model.expressions.expression import Expression, Scalar, lift
from multiloop.model.expressions.leaves import Constant, StateLeaf, Time
from multiloop.model.expressions.registry import OPERATIONS
from multiloop.model.expressions.tables import DEGREE, Table
from multiloop.model.expressions.text import shown

ZERO, ONE = Constant(0.0), Constant(1.0)


def derivative(value: Scalar) -> Expression:
    """d/dt of an expression of time and parameters, simplified.

        df/dt = Σ ∂f/∂xᵢ · dxᵢ/dt

    At a step, a bound of a clip or a corner of a linear table it is a one-sided derivative.
    """
    return _derivative(lift(value))


@lru_cache(maxsize=1024)
def _derivative(expression: Expression) -> Expression:
    simple: dict[Expression, Expression] = {}
    expression = _simplified(expression, simple)
    simple |= {node: node for node in nodes_of(expression)}
    slopes: list[Expression] = []
    for node, places in steps(expression):
        if isinstance(node, StateLeaf):
            raise ValueError(
                f"cannot differentiate {shown(expression)} by time: "
                f"{shown(node)} is no function of time alone. "
                "Prescribe motions by expressions of time and parameters."
            )
        total: Expression = ONE if isinstance(node, Time) else ZERO
        for place, slope in enumerate(slopes[operand] for operand in places):
            if slope != ZERO:
                total = _simplified(total + _partial(node, place) * slope, simple)
        slopes.append(total)
    return slopes[-1]


def _partial(node: Expression, place: int) -> Expression:
    """∂f/∂operand of a node, for the operand with this index."""
    if not isinstance(node, Table):
        return lift(OPERATIONS[node.operation].partials[place](*node.operands))
    if node.derivative == DEGREE[node.kind]:
        return ZERO
    return replace(node, derivative=node.derivative + 1)


def simplified(expression: Expression) -> Expression:
    """An equal expression with constants folded, and without sums with 0 and products with 0 or 1."""
    return _simplified(expression, {})


def _simplified(expression: Expression, simple: dict[Expression, Expression]) -> Expression:
    """The simplified form; `simple` holds known simplified forms and is extended."""
    waiting = [expression]
    while waiting:
        node = waiting[-1]
        missing = [operand for operand in node.operands if operand not in simple]
        if missing:
            waiting += missing
            continue
        waiting.pop()
        if node not in simple:
            form = _tidied(_rebuilt(node, [simple[operand] for operand in node.operands]))
            simple[node] = simple.setdefault(form, form)
    return simple[expression]


def _rebuilt(node: Expression, operands: Sequence[Expression]) -> Expression:
    if tuple(operands) == node.operands:
        return node
    if isinstance(node, Table):
        return replace(node, argument=operands[0])
    return OPERATIONS[node.operation].node(*operands)


def _tidied(node: Expression) -> Expression:
    """Simplify one node whose operands are already simplified."""
    if node.operation and all(isinstance(operand, Constant) for operand in node.operands):
        return _folded(node)
    match node:
        case Binary("+", Constant(0), x) | Binary("+" | "-", x, Constant(0)):
            return x
        case Binary("-", Constant(0), x):
            return _tidied(-x)
        case Binary("*", Constant(0), _) | Binary("*", _, Constant(0)) | Binary("/", Constant(0), _):
            return ZERO
        case Binary("*", Constant(1), x) | Binary("*" | "/" | "**", x, Constant(1)):
            return x
        case Binary("**", _, Constant(0)):
            return ONE
        case Binary("*", x, Constant() as factor):
            return _tidied(factor * x)
        case Binary("*", Constant(a), Binary("*", Constant(b), x)) if isfinite(a * b):
            return _tidied(Constant(a * b) * x)
        case Binary("*", x, Binary("*", Constant() as factor, y)) | Binary(
            "*", Binary("*", Constant() as factor, x), y
        ):
            return _tidied(factor * (x * y))
        case Binary("*", Constant(a), Unary("negative", x)):
            return _tidied(Constant(-a) * x)
        case Binary("*", Constant(-1), x):
            return _tidied(-x)
        case Binary("+", x, Unary("negative", y)):
            return x - y
        case Binary("-", x, Unary("negative", y)):
            return x + y
        case Unary("negative", Unary("negative", x)):
            return x
        case Unary("negative", Binary("*", Constant() as factor, x)):
            return -factor * x
    return node


def _folded(node: Expression) -> Expression:
    """The value of a node of constants as a constant; the node itself if the value is not finite."""
    numbers = [operand.value for operand in node.operands if isinstance(operand, Constant)]
    try:
        return Constant(OPERATIONS[node.operation].of_numbers(*numbers))
    except ValueError:
        return node
