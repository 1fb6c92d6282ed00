"""Many instances of a traced function side by side: by CasADi's interpreter in strips, or by whoever is faster.

A room below may offer another way (`offer`): machine code that walks the same operations, and finds the same digits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from threading import Lock
from typing import Any, Protocol

import casadi as ca
import numpy as np

WIDTHS = (512, 64, 8)
"""Instances that are asked side by side, many and few: those that fill no strip cost as much as a whole one."""


class SideBySide(Protocol):
    """Fills answers (instances × entries each) from inputs of as many rows, or of one row that all share."""

    def __call__(self, given: Sequence[np.ndarray], answers: Sequence[np.ndarray]) -> None: ...


Offer = Callable[[ca.Function], "SideBySide | None"]
"""Makes it of a function with dense inputs and outputs, or nothing of one that it cannot carry."""

_offered: list[Offer] = []


def offer(way: Offer) -> None:
    """Evaluate many instances in this way from now on, wherever it can."""
    _offered[:] = [way]


class Interpreter:
    """CasADi's own, with buffers that are kept: each instance lies in one piece, column by column."""

    def __init__(self, function: ca.Function) -> None:
        self.function = function
        self._rooms: dict[int, tuple[Any, ...]] = {}
        self._lock = Lock()

    def __call__(self, given: Sequence[np.ndarray], answers: Sequence[np.ndarray]) -> None:
        count = max(len(answer) for answer in answers)
        with self._lock:
            for begin, width in _strips(count):
                trigger, inputs, outputs, _ = self._wide(width)
                strip = slice(begin, min(begin + width, count))
                for room, lanes in zip(inputs, given, strict=True):
                    room[: strip.stop - begin] = lanes[strip] if len(lanes) > 1 else lanes
                trigger()
                for answer, room in zip(answers, outputs, strict=True):
                    answer[strip] = room[: strip.stop - begin]

    def _wide(self, width: int) -> tuple[Any, ...]:
        if width not in self._rooms:
            function = self.function
            made: Any = function.map(width).buffer()
            buffer, trigger = made
            inputs = [np.zeros((width, function.numel_in(k))) for k in range(function.n_in())]
            outputs = [np.zeros((width, function.numel_out(k))) for k in range(function.n_out())]
            for rooms, place in ((inputs, buffer.set_arg), (outputs, buffer.set_res)):
                for k, room in enumerate(rooms):
                    if room.size:
                        place(k, room.data)
            self._rooms[width] = (trigger, inputs, outputs, buffer)
        return self._rooms[width]


class Strips:
    """A function of many instances, by the way that is offered at the time."""

    def __init__(self, function: ca.Function) -> None:
        self._interpreter = Interpreter(function)
        self._faster: tuple[Offer | None, SideBySide | None] = (None, None)

    def __call__(self, given: Sequence[np.ndarray], answers: Sequence[np.ndarray]) -> None:
        offered = _offered[0] if _offered else None
        if self._faster[0] is not offered:
            self._faster = (offered, offered(self._interpreter.function) if offered else None)
        (self._faster[1] or self._interpreter)(given, answers)


def _strips(count: int) -> Iterator[tuple[int, int]]:
    """Where strips of instances begin, and how wide they are."""
    begin = 0
    for width, narrower in pairwise((*WIDTHS, WIDTHS[-1])):
        while begin < count and count - begin > width - narrower:
            yield begin, width
            begin += width
