"""Evaluation of a traced function for many instances: in strips by CasADi's interpreter, or by a faster evaluator.

The package `kernels` registers another evaluator by `set_batch_evaluator`: machine code that carries out the same
operations and returns the same digits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from threading import Lock
from typing import Any, Protocol

import casadi as ca
import numpy as np

STRIP_WIDTHS = (512, 64, 8)
"""Numbers of instances that are evaluated together; an incomplete strip costs as much as a complete one."""


class BatchEvaluator(Protocol):
    """Fills `answers` (instances × entries each) from inputs with as many rows, or with one row for all instances."""

    def __call__(self, given: Sequence[np.ndarray], answers: Sequence[np.ndarray]) -> None: ...


EvaluatorFactory = Callable[[ca.Function], "BatchEvaluator | None"]
"""Makes an evaluator for a function with dense inputs and outputs; None if it does not support the function."""

_factories: list[EvaluatorFactory] = []


def set_batch_evaluator(way: EvaluatorFactory) -> None:
    """Register the evaluator that is used for many instances from now on, for all functions that it supports."""
    _factories[:] = [way]


class StripInterpreter:
    """CasADi's interpreter with persistent buffers: each instance is contiguous, in column-major order."""

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
    """A function for many instances, evaluated by the evaluator that is registered at the time of the call."""

    def __init__(self, function: ca.Function) -> None:
        self._interpreter = StripInterpreter(function)
        self._faster: tuple[EvaluatorFactory | None, BatchEvaluator | None] = (None, None)

    def __call__(self, given: Sequence[np.ndarray], answers: Sequence[np.ndarray]) -> None:
        offered = _factories[0] if _factories else None
        if self._faster[0] is not offered:
            self._faster = (offered, offered(self._interpreter.function) if offered else None)
        (self._faster[1] or self._interpreter)(given, answers)


def _strips(count: int) -> Iterator[tuple[int, int]]:
    """The first instance and the width of every strip."""
    begin = 0
    for width, narrower in pairwise((*STRIP_WIDTHS, STRIP_WIDTHS[-1])):
        while begin < count and count - begin > width - narrower:
            yield begin, width
            begin += width
