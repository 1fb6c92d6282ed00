"""Evaluation of a traced function in decimals, where round-off of doubles matters: some microseconds per operation."""

from __future__ import annotations

from decimal import Decimal, localcontext
from typing import Any

import casadi as ca
import numpy as np

from multiloop.symbols.decimals import CONTEXT, FUNCTIONS
from multiloop.symbols.tape import Tape
from multiloop.symbols.traced import Traced

Decimals = np.ndarray
"""An object array of decimal numbers."""


def decimals(values: Any) -> Decimals:
    """Numbers as decimals of exactly the same value."""
    given = np.asarray(values)
    exact = [x if isinstance(x, Decimal) else Decimal(float(x)) for x in given.ravel()]
    found = np.empty(len(exact), object)
    found[:] = exact
    return found.reshape(given.shape)


class Precise:
    """A traced function evaluated in decimals, without rearranged sums. Inputs are decimals or numbers.

    It is called like the traced function, by order or by name, and returns arrays of the same shapes.
    """

    def __init__(self, traced: Traced) -> None:
        self.traced = traced
        self.shapes = [m.shape for m in traced.outputs.values()]
        dense = [ca.densify(m) for m in ca.cse([ca.SX(m) for m in traced.outputs.values()])]
        self.tape = Tape.of(ca.Function(traced.name, list(traced.inputs.values()), dense))

    def __call__(self, *arguments: Any, **named: Any) -> list[Decimals]:
        given = [decimals(argument).ravel(order="F") for argument in self.traced.in_order(arguments, named)]
        with localcontext(CONTEXT):
            answers = self._carried_out(given)
        return [
            found if columns == 1 else found.reshape(rows, columns, order="F")
            for found, (rows, columns) in zip(answers, self.shapes, strict=True)
        ]

    def _carried_out(self, given: list[Decimals]) -> list[Decimals]:
        """Carry out all operations in order."""
        register: list[Any] = [None] * self.tape.registers
        answers = [np.full(rows * columns, Decimal(0), object) for rows, columns in self.shapes]
        for op in self.tape.operations:
            if op.name == "input":
                argument, entry = op.reads
                register[op.writes[0]] = given[argument][entry]
            elif op.name == "const":
                register[op.writes[0]] = Decimal(op.value)
            elif op.name == "output":
                result, entry = op.writes
                answers[result][entry] = register[op.reads[0]]
            else:
                register[op.writes[0]] = FUNCTIONS[op.name](*(register[k] for k in op.reads))
        return answers
