"""A kernel to be called: one instance at a time, or many at once."""

from __future__ import annotations

import ctypes
import warnings
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache, cached_property
from itertools import repeat
from operator import setitem
from pathlib import Path
from typing import Any

import numpy as np

from multiloop.kernels.build import Built, build_batch, build_single
from multiloop.kernels.cache import UnbuiltError
from multiloop.kernels.compiler_search import compiler_found
from multiloop.kernels.interpreted import Interpreted
from multiloop.kernels.kernel_call import Face
from multiloop.kernels.lanes import counted_instances, lanes, require_rooms, rooms, shaped, shares
from multiloop.kernels.recipe import Recipe
from multiloop.kernels.workspace import Workspace

AT = ctypes.PYFUNCTYPE(None)
"""One instance: addresses of all arrays. It takes a microsecond, for which no other thread is let in."""

WHOLE = repeat(slice(None))
"""All entries, as often as it takes."""

BATCH = ctypes.CFUNCTYPE(None, ctypes.c_long, ctypes.c_long, *[ctypes.c_void_p] * 3)
"""Many instances, while other threads go on."""


class Kernel(Face):
    """A traced function as machine code.

    `kernel(q, v, …)` answers one instance: inputs in the order of `kernel.inputs` or by name, those left out
    at their defaults. `kernel.batch(q, v, …)` answers many: every input (entries, count), or (entries,) where
    all instances share it. One output comes back as an array, several as a tuple; `out` takes arrays to fill.
    Any number of threads may call one kernel: each call has room of its own, kept for the next.
    """

    runs = "of machine code"

    def __init__(self, recipe: Recipe, defaults: Mapping[str, np.ndarray] | None = None) -> None:
        self.recipe = recipe
        self._single = build_single(recipe)
        super().__init__(self._single.signature, defaults)
        self._call: Any = self._single.library.function(AT, f"{self.symbol}_at")
        self._free = [Workspace(self)]

    def __reduce__(self) -> tuple[Any, ...]:
        """Another process finds or builds the machine code itself."""
        return Kernel, (self.recipe, self.defaults)

    @property
    def library(self) -> Path:
        """The shared library on the disk."""
        return self._single.library.path

    @property
    def address(self) -> int:
        """Where `NAME_at` lies in this process, for calls from C; it stays there as long as the kernel lives."""
        return int(ctypes.cast(self._call, ctypes.c_void_p).value or 0)

    @property
    def symbol(self) -> str:
        """The function's name in C."""
        return self.signature.symbol

    @property
    def operations(self) -> int:
        """Scalar operations of one evaluation."""
        return self._single.operations

    def __call__(self, *arguments: Any, out: Any = None, **named: Any) -> Any:
        """One instance."""
        try:
            room = self._free.pop()
        except IndexError:  # all are in use
            room = Workspace(self)
        if named or len(arguments) != room.given:
            room.fill(self, arguments, named)
        else:  # as many as last time: nothing but copies
            try:
                any(
                    map(setitem, room.views, WHOLE, arguments)
                )  # a loop of C: that of Python takes half as long again
            except (TypeError, ValueError, NotImplementedError, BufferError):  # no vector of floats, or wrong
                for place, value in zip(room.inputs, arguments, strict=False):
                    room.put(self, place, value)
        self._call(room.table)
        first = room.first
        if first is not None:
            if out is None:
                out = first.copy()
            else:
                if out is not room.out:  # another than last time
                    require_rooms(self.outputs, out)
                    room.out = out
                out[...] = first
        elif out is None:
            out = tuple([found.copy() for found in room.seen])
        else:
            if out is not room.out:
                require_rooms(self.outputs, out)
                room.out = out
            for array, found in zip(out, room.seen, strict=True):
                array[...] = found
        self._free.append(room)
        return out

    @cached_property
    def _wide(self) -> tuple[Built, Any]:
        built = build_batch(self.recipe)
        return built, built.library.function(BATCH, f"{self.symbol}_batch")

    @property
    def width(self) -> int:
        """Instances in one vector."""
        return self._wide[0].width

    def batch(self, *arguments: Any, out: Any = None, threads: int | None = None, **named: Any) -> Any:
        """Many instances; without `threads` as many as there are processors, where it pays."""
        built, call = self._wide
        values = self.numbers(arguments, named)
        count = counted_instances(self.inputs, values)
        name = self.signature.name
        taken = [
            lanes(name, array, value, count, built.width)
            for array, value in zip(self.inputs, values, strict=True)
        ]
        answers = rooms(self.outputs, out, count)
        strides = [array.shape[1] for array, _ in taken] + [count] * len(answers)
        steps = [step for _, step in taken] + [1] * len(answers)
        addresses = [array.ctypes.data for array in (*(a for a, _ in taken), *answers)]
        total = len(addresses)
        stride, step = (ctypes.c_long * total)(*strides), (ctypes.c_long * total)(*steps)
        table = (ctypes.c_void_p * total)(*addresses)
        ranges = shares(count, built.width, built.operations, threads)
        if len(ranges) == 1:
            call(0, count, stride, step, table)
        else:
            with ThreadPoolExecutor(len(ranges)) as pool:
                list(pool.map(lambda r: call(r[0], r[1], stride, step, table), ranges))
        return shaped(self.outputs, answers, count, out)


def kernel_of(
    recipe: Recipe, defaults: Mapping[str, np.ndarray] | None = None, target: str = "c"
) -> Kernel | Interpreted:
    """The kernel of a recipe: machine code, or where that cannot be had the interpreter, which is said."""
    if target == "interpreter" or not compiler_found():
        return Interpreted(recipe, defaults)
    try:
        return Kernel(recipe, defaults)
    except UnbuiltError as error:
        say_interpreted(str(error))
        return Interpreted(recipe, defaults)


@cache
def say_interpreted(why: str) -> None:
    """Say once that there is a compiler but no machine code, and why."""
    warnings.warn(f"kernels are interpreted, some 30 times slower: {why}", stacklevel=4)
