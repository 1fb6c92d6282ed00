"""Evaluation of traced functions for many instances without compiling them: a C function interprets their tape.

CasADi's interpreter takes 3 ns per operation. The evaluator `runtime/strips.c` carries out each operation for a strip
of instances at a time, in the same order and with the same rounding, in a tenth of that time. The C expression of each
operation is that of the scalar dialect.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any

import casadi as ca
import numpy as np

from multiloop.kernels.dialects import scalar_forms
from multiloop.kernels.library import Library
from multiloop.kernels.structs import Move, StepStruct
from multiloop.symbols import Operation, Tape
from multiloop.symbols.strips import SideBySide

NUMBERS = {name: number for number, name in enumerate(scalar_forms())}

CACHE_LINE = 8
"""Number of doubles in a line of the processor's cache."""


def operations_header() -> str:
    """C header with the effect of each operation on entry k."""
    forms = scalar_forms()
    return "".join(f"OPERATION({NUMBERS[name]}, {forms[name].format('a[k]', 'b[k]')})\n" for name in NUMBERS)


def tape_walker(library: Library) -> Callable[[ca.Function], SideBySide | None]:
    """Factory of evaluators for many instances of CasADi functions, by the library's `walk_tape`."""
    taken = [ctypes.c_long] * 2 + [ctypes.c_void_p] * 6
    walk = library.function(ctypes.CFUNCTYPE(None, *taken), "walk_tape")
    width = int(library.function(ctypes.CFUNCTYPE(ctypes.c_long), "strip_width")())

    def made(function: ca.Function) -> SideBySide | None:
        tape = Tape.of(function)
        known = NUMBERS.keys() | {"input", "output", "const"}
        if any(operation.name not in known for operation in tape.operations):
            return None
        return _Walked(walk, width, tape)

    return made


class _Walked:
    """Evaluator of a tape, stored as an array of C structs."""

    def __init__(self, walk: Any, width: int, tape: Tape) -> None:
        self._walk, self._room = walk, (tape.registers + 1) * width + CACHE_LINE
        self._steps = np.array([_step(operation) for operation in tape.operations], np.dtype(StepStruct))

    def __call__(self, given: Sequence[np.ndarray], answers: Sequence[np.ndarray]) -> None:
        count = max(len(answer) for answer in answers)
        inputs, input_steps = _places([np.ascontiguousarray(lanes) for lanes in given])
        outputs, output_steps = _places(answers)
        room = np.empty(self._room)
        addresses = (inputs, input_steps, outputs, output_steps, room)
        steps = self._steps
        self._walk(count, len(steps), steps.ctypes.data, *(array.ctypes.data for array in addresses))


def _places(arrays: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Addresses of arrays with one row per instance, and the strides between rows; 0 for a single row."""
    steps = [lanes.shape[1] if len(lanes) > 1 else 0 for lanes in arrays]
    return np.array([lanes.ctypes.data for lanes in arrays], np.uintp), np.array(steps, np.int64)


def _step(operation: Operation) -> tuple[int, int, int, int, float]:
    """Fields of the struct of an operation."""
    reads, writes = operation.reads, operation.writes
    if operation.name == "input":
        return Move.INPUT, writes[0], reads[0], reads[1], 0.0
    if operation.name == "output":
        return Move.OUTPUT, writes[0], reads[0], writes[1], 0.0
    if operation.name == "const":
        return Move.CONSTANT, writes[0], 0, 0, operation.value
    return NUMBERS[operation.name], writes[0], reads[0], reads[-1], 0.0
