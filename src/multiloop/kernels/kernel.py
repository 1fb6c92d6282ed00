"""A kernel to be called: one instance at a time, or many at once."""

from __future__ import annotations

import ctypes
import warnings
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np

from multiloop.kernels.build import Built, Recipe, build_batch, build_single
from multiloop.kernels.cache import UnbuiltError
from multiloop.kernels.compiler import compiler_found
from multiloop.kernels.interpreted import Interpreted
from multiloop.kernels.kernel_call import Face, misfit
from multiloop.kernels.lanes import counted_instances, flat, lanes, rooms, shaped, shares


class Kernel(Face):
    """A traced function as machine code.

    `kernel(q, v, …)` answers one instance: inputs in the order of `kernel.inputs` or by name, those left out
    at their defaults. `kernel.batch(q, v, …)` answers many: every input (entries, count), or (entries,) where
    all instances share it. One output comes back as an array, several as a tuple; `out` takes arrays to fill.
    A kernel keeps room for one instance, so each thread needs its own; `batch` may be called from any.
    """

    runs = "of machine code"

    def __init__(self, recipe: Recipe, defaults: Mapping[str, np.ndarray] | None = None) -> None:
        self.recipe = recipe
        self._single = build_single(recipe)
        super().__init__(self._single.signature, defaults)
        self._in = [np.zeros(array.size) for array in self.signature.inputs]
        self._out = [np.zeros(array.size) for array in self.signature.outputs]
        kept = [array.ctypes.data for array in (*self._in, *self._out)]
        self._pointers = (ctypes.c_void_p * len(kept))(*kept)
        self._table = ctypes.addressof(self._pointers)
        self._call: Any = getattr(ctypes.PyDLL(str(self.library)), f"{self.symbol}_at")
        self._call.argtypes, self._call.restype = [ctypes.c_void_p], None
        self._seen = [
            room if array.columns == 1 else room.reshape(array.columns, array.rows).T
            for array, room in zip(self.outputs, self._out, strict=True)
        ]
        self._first = self._seen[0] if len(self._seen) == 1 else None
        self._take((), {})

    @property
    def library(self) -> Path:
        """The shared library on the disk."""
        return self._single.library

    @property
    def address(self) -> int:
        """Where `NAME_at` lies in this process, for calls from C."""
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
        if named or len(arguments) != self._given:
            self._take(arguments, named)
        else:  # as many as last time: nothing but copies
            try:
                for room, given in zip(self._in, arguments):  # noqa: B905 - strict would cost as much as a copy
                    room[...] = given
            except ValueError:
                self._take(arguments, named)
        self._call(self._table)
        if self._first is not None:
            if out is None:
                return self._first.copy()
            out[...] = self._first
        elif out is None:
            return tuple([found.copy() for found in self._seen])
        else:
            for array, found in zip(out, self._seen, strict=True):
                array[...] = found
        return out

    def _take(self, arguments: tuple[Any, ...], named: Mapping[str, Any]) -> None:
        """Arguments in order and by name; inputs left out are at their defaults."""
        self._given = -1  # until all of them are in place
        for number, given in enumerate(self.completed(arguments, named)):
            self._place(number, given)
        self._given = -1 if named else len(arguments)

    def _place(self, number: int, given: Any) -> None:
        """An argument that may be a matrix, a number for all entries, or wrong."""
        array, value = self.inputs[number], np.asarray(given, float)
        if value.size not in (1, array.size):
            raise misfit(self.signature.name, array, value)
        self._in[number][:] = flat(value)

    @cached_property
    def _wide(self) -> tuple[Built, Any]:
        built = build_batch(self.recipe)
        call = getattr(ctypes.CDLL(str(built.library)), f"{self.symbol}_batch")
        call.argtypes = [ctypes.c_long, ctypes.c_long, *[ctypes.c_void_p] * 3]
        call.restype = None
        return built, call

    @property
    def width(self) -> int:
        """Instances in one vector."""
        return self._wide[0].width

    def batch(self, *arguments: Any, out: Any = None, threads: int | None = None, **named: Any) -> Any:
        """Many instances; without `threads` as many as there are processors, where it pays."""
        built, call = self._wide
        values = self.completed(arguments, named)
        count = counted_instances(self.inputs, values)
        taken = [lanes(array, value, built.width) for array, value in zip(self.inputs, values, strict=True)]
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
