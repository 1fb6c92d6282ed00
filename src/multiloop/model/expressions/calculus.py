"""Symbolic time derivatives of expressions, and their simplification."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from math import isfinite

from multiloop.model.expressions.expression import Expression, Scalar, lift
from multiloop.model.expressions.expression_text import shortened_text
from multiloop.model.expressions.nodes import (
    Binary,
    Constant,
    StateVariable,
    Time,
    Unary,
    evaluation_order,
    nodes_of,
)
from multiloop.model.expressions.operations import OPERATIONS
from multiloop.model.expressions.tables import DEGREE, Table

ZERO, ONE = Constant(0.0), Constant(1.0)


def derivative(value: Scalar) -> Expression:
    """The simplified time derivative of an expression of time and parameters.

        df/dt = Σ ∂f/∂xᵢ · dxᵢ/dt      over all operands xᵢ of an operation f

    At a step, a bound of a clip or a corner of a linear table the result is a one-sided derivative.
    """
    return _derivative(lift(value))


@lru_cache(maxsize=1024)
def _derivative(expression: Expression) -> Expression:
    simple: dict[Expression, Expression] = {}
    expression = _simplify(expression, simple)
    simple |= {node: node for node in nodes_of(expression)}
    slopes: list[Expression] = []
    for node, places in evaluation_order(expression):
        if isinstance(node, StateVariable):
            raise ValueError(
                f"cannot differentiate {shortened_text(expression)} by time: "
                f"{shortened_text(node)} is not a function of time only. "
                "Prescribe motions by expressions of time and parameters."
            )
        total: Expression = ONE if isinstance(node, Time) else ZERO
        for place, slope in enumerate(slopes[operand] for operand in places):
            if slope != ZERO:
                total = _simplify(total + _partial(node, place) * slope, simple)
        slopes.append(total)
    return slopes[-1]


def _partial(node: Expression, place: int) -> Expression:
    """The partial derivative of a node with respect to its operand with the index `place`."""
    if not isinstance(node, Table):
        return lift(OPERATIONS[node.operation].partials[place](*node.operands))
    if node.derivative == DEGREE[node.kind]:
        return ZERO
    return replace(node, derivative=node.derivative + 1)


def simplify(expression: Expression) -> Expression:
    """An equal expression in which constants are combined and sums with 0 and products with 0 or 1 are removed."""
    return _simplify(expression, {})


def _simplify(expression: Expression, simple: dict[Expression, Expression]) -> Expression:
    """The simplified form of an expression; `simple` maps nodes to known simplified forms and is extended."""
    waiting = [expression]
    while waiting:
        node = waiting[-1]
        missing = [operand for operand in node.operands if operand not in simple]
        if missing:
            waiting += missing
            continue
        waiting.pop()
        if node not in simple:
            form = _simplify_node(_rebuild(node, [simple[operand] for operand in node.operands]))
            simple[node] = simple.setdefault(form, form)
    return simple[expression]


def _rebuild(node: Expression, operands: Sequence[Expression]) -> Expression:
    if tuple(operands) == node.operands:
        return node
    if isinstance(node, Table):
        return replace(node, argument=operands[0])
    return OPERATIONS[node.operation].node(*operands)


def _simplify_node(node: Expression) -> Expression:
    """Simplify one node whose operands are already simplified."""
    if node.operation and all(isinstance(operand, Constant) for operand in node.operands):
        return _fold_constants(node)
    match node:
        case Binary("+", Constant(0), x) | Binary("+" | "-", x, Constant(0)):
            return x
        case Binary("-", Constant(0), x):
            return _simplify_node(-x)
        case Binary("*", Constant(0), _) | Binary("*", _, Constant(0)) | Binary("/", Constant(0), _):
            return ZERO
        case Binary("*", Constant(1), x) | Binary("*" | "/" | "**", x, Constant(1)):
            return x
        case Binary("**", _, Constant(0)):
            return ONE
        case Binary("*", x, Constant() as factor):
            return _simplify_node(factor * x)
        case Binary("*", Constant(a), Binary("*", Constant(b), x)) if isfinite(a * b):
            return _simplify_node(Constant(a * b) * x)
        case Binary("*", x, Binary("*", Constant() as factor, y)) | Binary(
            "*", Binary("*", Constant() as factor, x), y
        ):
            return _simplify_node(factor * (x * y))
        case Binary("*", Constant(a), Unary("negative", x)):
            return _simplify_node(Constant(-a) * x)
        case Binary("*", Constant(-1), x):
            return _simplify_node(-x)
        case Binary("+", x, Unary("negative", y)):
            return x - y
        case Binary("-", x, Unary("negative", y)):
            return x + y
        case Unary("negative", Unary("negative", x)):
            return x
        case Unary("negative", Binary("*", Constant() as factor, x)):
            return -factor * x
    return node


def _fold_constants(node: Expression) -> Expression:
    """The value, as a constant, of a node whose operands are constants; the node itself if the value is not finite."""
    numbers = [operand.value for operand in node.operands if isinstance(operand, Constant)]
    try:
        return Constant(OPERATIONS[node.operation].value_at(*numbers))
    except ValueError:
        return node
