"""Dependence of expressions on parameters, time, joints and integrals, and the order of evaluation of their nodes."""

from __future__ import annotations

from functools import lru_cache

from multiloop.model.expressions.expression import Expression, Scalar, lift
from multiloop.model.expressions.leaves import Integrated, Parameter, Position, Rate, StateLeaf, Time


@lru_cache(maxsize=1024)
def steps(expression: Expression) -> tuple[tuple[Expression, tuple[int, ...]], ...]:
    """Every distinct node once, operands first, each with the indices of its operands in this list.

    A computation over an expression is one pass along this list; equal parts are computed once.
    """
    places: dict[Expression, int] = {}
    order: list[tuple[Expression, tuple[int, ...]]] = []
    waiting = [(expression, False)]
    while waiting:
        node, operands_done = waiting.pop()
        if node in places:
            continue
        if operands_done or not node.operands:
            places[node] = len(order)
            order.append((node, tuple(places[operand] for operand in node.operands)))
        else:
            waiting.append((node, True))
            waiting.extend((operand, False) for operand in reversed(node.operands))
    return tuple(order)


def nodes_of(value: Scalar) -> tuple[Expression, ...]:
    """Every distinct node of an expression, operands first; for a plain number, its constant."""
    return tuple(node for node, _ in steps(lift(value)))


def parameters_of(value: Scalar) -> tuple[Parameter, ...]:
    """The parameters of an expression, sorted by name."""
    found = [node for node in nodes_of(value) if isinstance(node, Parameter)]
    return tuple(sorted(found, key=lambda parameter: (parameter.name, parameter.value)))


def joints_of(value: Scalar) -> tuple[str, ...]:
    """Names of the joints whose position or rate an expression reads, sorted."""
    return tuple(sorted({node.joint for node in nodes_of(value) if isinstance(node, Position | Rate)}))


def integrals_of(value: Scalar) -> tuple[str, ...]:
    """Names of the integrals that an expression reads, sorted."""
    return tuple(sorted({node.integral for node in nodes_of(value) if isinstance(node, Integrated)}))


def depends_on_time(value: Scalar) -> bool:
    """Whether an expression contains the time."""
    return any(isinstance(node, Time) for node in nodes_of(value))


def depends_on_state(value: Scalar) -> bool:
    """Whether an expression reads the position or rate of any joint, an integral, or the length of a spring."""
    return any(isinstance(node, StateLeaf) for node in nodes_of(value))
