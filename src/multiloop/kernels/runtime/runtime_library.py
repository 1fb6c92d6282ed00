"""The library of the compiled time loop and of the evaluator of operation lists, built once per machine.

An operation list (tape) is the sequence of scalar operations of a traced function. CasADi's interpreter takes 3 ns per
operation. The evaluator `runtime/strips.c` carries out each operation for a strip of instances at a time, in the same
order and with the same rounding. It needs a tenth of the time of the interpreter, without compiling the function. The C
expressions of the operations are the same as in the code of kernels for one instance.

Theory: docs/theory/14-compiled-kernels.md, section 14.3.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import casadi as ca
import numpy as np

from multiloop.kernels.codegen.build import library_key, required_compiler
from multiloop.kernels.codegen.compiler_trial import check_tape_evaluator
from multiloop.kernels.codegen.dialects import scalar_forms
from multiloop.kernels.library_cache import LIBRARY, Library, UnbuiltError, digest, find_or_build_entry
from multiloop.kernels.runtime.structs import Move, StepStruct, structs_header
from multiloop.symbols import Operation, Tape
from multiloop.symbols.batched_evaluation import BatchEvaluator, set_batch_evaluator

OPERATION_NUMBERS = {name: number for number, name in enumerate(scalar_forms())}

CACHE_LINE = 8
"""Number of doubles in a cache line of the processor."""


def operations_header() -> str:
    """Text of the C header with the expression of each operation for instance k of a strip."""
    forms = scalar_forms()
    return "".join(
        f"OPERATION({OPERATION_NUMBERS[name]}, {forms[name].format('a[k]', 'b[k]')})\n"
        for name in OPERATION_NUMBERS
    )


def tape_evaluator(library: Library) -> Callable[[ca.Function], BatchEvaluator | None]:
    """Function that creates, for a CasADi function, an evaluator of many instances by the C function `walk_tape`.

    It returns None for a function with operations that the library does not know.
    """
    taken = [ctypes.c_long] * 2 + [ctypes.c_void_p] * 6
    walk = library.function(ctypes.CFUNCTYPE(None, *taken), "walk_tape")
    width = int(library.function(ctypes.CFUNCTYPE(ctypes.c_long), "strip_width")())

    def made(function: ca.Function) -> BatchEvaluator | None:
        tape = Tape.of(function)
        known = OPERATION_NUMBERS.keys() | {"input", "output", "const"}
        if any(operation.name not in known for operation in tape.operations):
            return None
        return _TapeEvaluator(walk, width, tape)

    return made


class _TapeEvaluator:
    """Evaluator of an operation list (tape) for many instances; the list is stored as an array of C structs."""

    def __init__(self, walk: Any, width: int, tape: Tape) -> None:
        self._walk, self._room = walk, (tape.registers + 1) * width + CACHE_LINE
        self._steps = np.array(
            [_step_fields(operation) for operation in tape.operations], np.dtype(StepStruct)
        )

    def __call__(self, given: Sequence[np.ndarray], answers: Sequence[np.ndarray]) -> None:
        count = max(len(answer) for answer in answers)
        inputs, input_steps = _addresses_and_strides([np.ascontiguousarray(lanes) for lanes in given])
        outputs, output_steps = _addresses_and_strides(answers)
        room = np.empty(self._room)
        addresses = (inputs, input_steps, outputs, output_steps, room)
        steps = self._steps
        self._walk(count, len(steps), steps.ctypes.data, *(array.ctypes.data for array in addresses))


def _addresses_and_strides(arrays: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Addresses of arrays with one row per instance, and the strides from row to row; 0 for an array of one row."""
    steps = [lanes.shape[1] if len(lanes) > 1 else 0 for lanes in arrays]
    return np.array([lanes.ctypes.data for lanes in arrays], np.uintp), np.array(steps, np.int64)


def _step_fields(operation: Operation) -> tuple[int, int, int, int, float]:
    """Values of the fields of the C struct `Step` for an operation."""
    reads, writes = operation.reads, operation.writes
    if operation.name == "input":
        return Move.INPUT, writes[0], reads[0], reads[1], 0.0
    if operation.name == "output":
        return Move.OUTPUT, writes[0], reads[0], writes[1], 0.0
    if operation.name == "const":
        return Move.CONSTANT, writes[0], 0, 0, operation.value
    return OPERATION_NUMBERS[operation.name], writes[0], reads[0], reads[-1], 0.0


class Runtime(NamedTuple):
    """Functions of the time-loop library; the first argument of each is the address of a struct `Loop`.

    `advance` has a second argument, the number of steps to take.
    """

    begin: Callable[[Any], int]
    advance: Callable[[Any, int], int]
    room_needed: Callable[[Any], int]


@cache
def load_runtime() -> Runtime:
    """Load the time-loop library from the cache, or build it.

    After the first call, batches of traced functions are also evaluated by this library.
    """
    texts = _source_texts()

    def fill(folder: Path) -> dict[str, Any]:
        for name, text in texts.items():
            (folder / name).write_text(text, encoding="utf-8")
        sources = [folder / name for name in texts if name.endswith(".c")]
        found = required_compiler()
        found.build(sources, folder / LIBRARY)
        wrong = check_tape_evaluator(tape_evaluator(Library(folder / LIBRARY)))
        if wrong:
            raise UnbuiltError(
                f"{found.command[0]} builds a time-loop library that returns wrong numbers: {wrong}"
            )
        for name in texts.keys() - {source.name for source in sources}:
            (folder / name).unlink()
        return {}

    library = find_or_build_entry(library_key(digest("\0".join(texts.values()).encode())), fill).library
    set_batch_evaluator(tape_evaluator(library))
    return Runtime(
        begin=library.function(ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p), "begin"),
        advance=library.function(ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_long), "advance"),
        room_needed=library.function(ctypes.CFUNCTYPE(ctypes.c_long, ctypes.c_void_p), "room_needed"),
    )


def _source_texts() -> dict[str, str]:
    """Text of each C source file by file name, including the two headers that are generated in Python."""
    lying = sorted(Path(__file__).parent.glob("*.[ch]"))
    return {file.name: file.read_text(encoding="utf-8") for file in lying} | {
        "structs.h": structs_header(),
        "operations.h": operations_header(),
    }
