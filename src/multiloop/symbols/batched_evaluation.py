"""Evaluation of a traced function for many instances (sets of inputs), by CasADi's interpreter or a faster evaluator.

The interpreter evaluates a strip of several instances at a time. The package `kernels` registers another evaluator by
`set_batch_evaluator`: machine code that carries out the same operations and returns the same digits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from threading import Lock
from typing import Any, Protocol

import casadi as ca
import numpy as np

STRIP_WIDTHS = (512, 64, 8)
"""Possible numbers of instances that are evaluated together (in one strip); a strip that is not full costs as much as a
full one."""


class BatchEvaluator(Protocol):
    """Evaluator of a function for many instances: `given` are the inputs, `answers` the arrays into which it writes the
    outputs.

    Each array is instances × entries; an input with a single row is used for all instances.
    """

    def __call__(self, given: Sequence[np.ndarray], answers: Sequence[np.ndarray]) -> None: ...


EvaluatorFactory = Callable[[ca.Function], "BatchEvaluator | None"]
"""Type of functions that create an evaluator of a CasADi function with dense inputs and outputs, or return None if they
do not support this function."""

_factories: list[EvaluatorFactory] = []


def set_batch_evaluator(factory: EvaluatorFactory) -> None:
    """Register the factory of evaluators that is used from now on to evaluate functions for many instances.

    Functions that the factory does not support are evaluated by CasADi's interpreter.
    """
    _factories[:] = [factory]


class StripInterpreter:
    """Evaluator of many instances by CasADi's interpreter, with persistent buffers.

    In the buffers, the entries of each instance are contiguous and in column-major order.
    """

    def __init__(self, function: ca.Function) -> None:
        self.function = function
        self._buffers: dict[int, tuple[Any, ...]] = {}
        self._lock = Lock()

    def __call__(self, given: Sequence[np.ndarray], answers: Sequence[np.ndarray]) -> None:
        count = max(len(answer) for answer in answers)
        with self._lock:
            for begin, width in _strips(count):
                trigger, inputs, outputs, _ = self._buffers_of_width(width)
                strip = slice(begin, min(begin + width, count))
                for room, lanes in zip(inputs, given, strict=True):
                    room[: strip.stop - begin] = lanes[strip] if len(lanes) > 1 else lanes
                trigger()
                for answer, room in zip(answers, outputs, strict=True):
                    answer[strip] = room[: strip.stop - begin]

    def _buffers_of_width(self, width: int) -> tuple[Any, ...]:
        if width not in self._buffers:
            function = self.function
            made: Any = function.map(width).buffer()
            buffer, trigger = made
            inputs = [np.zeros((width, function.numel_in(k))) for k in range(function.n_in())]
            outputs = [np.zeros((width, function.numel_out(k))) for k in range(function.n_out())]
            for rooms, place in ((inputs, buffer.set_arg), (outputs, buffer.set_res)):
                for k, room in enumerate(rooms):
                    if room.size:
                        place(k, room.data)
            self._buffers[width] = (trigger, inputs, outputs, buffer)
        return self._buffers[width]


class BatchFunction:
    """A CasADi function that can be called for many instances, with the evaluator registered at the time of the
    call."""

    def __init__(self, function: ca.Function) -> None:
        self._interpreter = StripInterpreter(function)
        self._faster: tuple[EvaluatorFactory | None, BatchEvaluator | None] = (None, None)

    def __call__(self, given: Sequence[np.ndarray], answers: Sequence[np.ndarray]) -> None:
        offered = _factories[0] if _factories else None
        if self._faster[0] is not offered:
            self._faster = (offered, offered(self._interpreter.function) if offered else None)
        (self._faster[1] or self._interpreter)(given, answers)


def _strips(count: int) -> Iterator[tuple[int, int]]:
    """Index of the first instance and number of instances of every strip, for `count` instances."""
    begin = 0
    for width, narrower in pairwise((*STRIP_WIDTHS, STRIP_WIDTHS[-1])):
        while begin < count and count - begin > width - narrower:
            yield begin, width
            begin += width
