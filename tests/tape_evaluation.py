"""Evaluate an operation list operation by operation, on numbers or arrays of any precision."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from multiloop.symbols import Tape

CARRIED_OUT: dict[str, Callable[..., Any]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": operator.truediv,
    "neg": operator.neg,
    "inv": lambda a: 1 / a,
    "twice": lambda a: a + a,
    "sq": lambda a: a * a,
    "sin": np.sin,
    "cos": np.cos,
    "sqrt": np.sqrt,
    "fabs": abs,
    "fmax": np.maximum,
    "fmin": np.minimum,
    "lt": lambda a, b: 1.0 * (a < b),
    "le": lambda a, b: 1.0 * (a <= b),
    "not": lambda a: 1.0 * (a == 0),
    "if_else_zero": lambda a, b: np.where(a != 0, b, 0 * b),
}


def evaluate_tape(tape: Tape, values: Sequence[Any], kind: type = float) -> list[Any]:
    """Outputs of an operation list in order; `values` are its inputs with their entries, constants get the given
    type."""
    registers, found = [kind(0.0)] * tape.registers, {}
    for op in tape.operations:
        if op.name == "input":
            value = values[op.reads[0]]
            registers[op.writes[0]] = value[op.reads[1]] if np.ndim(value) else value
        elif op.name == "const":
            registers[op.writes[0]] = kind(op.value)
        elif op.name == "output":
            found[op.writes] = registers[op.reads[0]]
        else:
            registers[op.writes[0]] = CARRIED_OUT[op.name](*(registers[k] for k in op.reads))
    return [found[place] for place in sorted(found)]


def has_known_operations_only(tape: Tape) -> bool:
    """Whether an operation list has no other operations."""
    return {op.name for op in tape.operations} <= {*CARRIED_OUT, "input", "const", "output"}
