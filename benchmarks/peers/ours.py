"""multiloop in the comparison: its kernels at the common states, one by one, in C, and in batches."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import cycle, islice

import numpy as np

import multiloop as ml
from benchmarks.peers.build import HERE, library
from benchmarks.peers.rounds import Loop
from benchmarks.peers.states import Moment, Values
from multiloop.kernels import Kernel

Arrays = tuple[np.ndarray, ...]


@dataclass(frozen=True, eq=False)
class Ours:
    """A mechanism and its kernels as a user builds them, with the default tree of the plan."""

    mechanism: ml.Mechanism

    @cached_property
    def kernels(self) -> ml.Kernels:
        """Traced and built when they are first used."""
        return ml.compile(self.mechanism)

    def pack(self, moment: Moment) -> Arrays:
        """q, v and tau of the plan's tree."""
        kernels = self.kernels
        q, v = (
            kernels.pack({name: values[name] for name in kernels.joints}, rates=rates)
            for values, rates in ((moment.positions, False), (moment.rates, True))
        )
        return q, v, kernels.pack(dict(moment.efforts), rates=True)

    def accelerations(self, moment: Moment) -> Values:
        """Of the joints of the plan's tree, by name."""
        return self.kernels.unpack(self.kernels.forward(*self.pack(moment)), rates=True)

    def states(self, moments: Sequence[Moment]) -> list[Arrays]:
        """(q, v, tau) of every state."""
        return [self.pack(moment) for moment in moments]

    def moved(self, moments: Sequence[Moment]) -> list[Arrays]:
        """(q, v, a) of every state, the input of inverse dynamics."""
        return [(q, v, self.kernels.forward(q, v, tau)) for q, v, tau in self.states(moments)]


def compiled_loop(kernel: Kernel, states: Sequence[Arrays]) -> Loop:
    """A loop in C over the states; the result of every state has its own array."""
    room = []
    for state in states:
        left = [
            kernel.defaults.get(array.name, np.zeros(max(array.size, 1)))
            for array in kernel.inputs[len(state) :]
        ]
        answers = [np.zeros(max(array.size, 1)) for array in kernel.outputs]
        room.append([np.ascontiguousarray(array, float) for array in (*state, *left, *answers)])
    tables = [(ctypes.c_void_p * len(arrays))(*(array.ctypes.data for array in arrays)) for arrays in room]
    addresses = (ctypes.c_void_p * len(tables))(*map(ctypes.addressof, tables))
    numbers = [ctypes.c_long(len(tables)), ctypes.c_long(len(kernel.inputs))]

    def loop(repeats: int, kept: object = (room, tables)) -> None:
        _library().kernel_loop(ctypes.c_void_p(kernel.address), addresses, *numbers, ctypes.c_long(repeats))

    return loop


def python_loop(call: Callable[..., object], states: Sequence[Arrays], out: object) -> Loop:
    """A loop in Python through the states."""

    def loop(repeats: int) -> None:
        for arguments in islice(cycle(states), repeats * len(states)):
            call(*arguments, out=out)

    return loop


def batch_loop(kernel: Kernel, states: Sequence[Arrays], count: int, threads: int) -> Loop:
    """A loop over batches of `count` instances, in which the states recur."""
    columns = [np.array(column) for column in zip(*states, strict=True)]
    wide = [np.ascontiguousarray(np.resize(column, (count, column.shape[1])).T) for column in columns]
    out = kernel.batch(*wide, threads=threads)

    def loop(repeats: int) -> None:
        for _ in range(repeats):
            kernel.batch(*wide, out=out, threads=threads)

    return loop


@cache
def _library() -> ctypes.CDLL:
    found = library(HERE / "our_loop.c", os.environ.get("CC", "cc"), ("-O2",))
    found.kernel_loop.restype = ctypes.c_double
    return found
