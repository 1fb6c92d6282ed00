"""Compiled kernels as Python callables: one instance at a time, or many at once."""

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
"""Call of one instance with the addresses of all arrays. It keeps the interpreter lock, as it takes a microsecond."""

WHOLE = repeat(slice(None))
"""An endless sequence of slices over all entries."""

BATCH = ctypes.CFUNCTYPE(None, ctypes.c_long, ctypes.c_long, *[ctypes.c_void_p] * 3)
"""Call of many instances, which releases the interpreter lock."""


class Kernel(Face):
    """A traced function as machine code.

    `kernel(q, v, …)` evaluates one instance: inputs in the order of `kernel.inputs` or by name, omitted ones with their
    default values. `kernel.batch(q, v, …)` evaluates many: each input is (entries, count), or (entries,) if all
    instances share it. The result is an array, or a tuple for several outputs; `out` are arrays to fill. A kernel may
    be called from several threads: each call uses a separate workspace, which is reused later.
    """

    runs = "of machine code"

    def __init__(self, recipe: Recipe, defaults: Mapping[str, np.ndarray] | None = None) -> None:
        self.recipe = recipe
        self._single = build_single(recipe)
        super().__init__(self._single.signature, defaults)
        self._call: Any = self._single.library.function(AT, f"{self.symbol}_at")
        self._free = [Workspace(self)]

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the recipe; another process finds or builds the machine code."""
        return Kernel, (self.recipe, self.defaults)

    @property
    def library(self) -> Path:
        """Path of the shared library."""
        return self._single.library.path

    @property
    def address(self) -> int:
        """Address of `NAME_at` in this process, for calls from C; valid as long as the kernel exists."""
        return int(ctypes.cast(self._call, ctypes.c_void_p).value or 0)

    @property
    def symbol(self) -> str:
        """Name of the function in C."""
        return self.signature.symbol

    @property
    def operations(self) -> int:
        """Number of scalar operations of one evaluation."""
        return self._single.operations

    def __call__(self, *arguments: Any, out: Any = None, **named: Any) -> Any:
        """Evaluate one instance."""
        try:
            room = self._free.pop()
        except IndexError:  # all are in use
            room = Workspace(self)
        if named or len(arguments) != room.given:
            room.fill(self, arguments, named)
        else:  # as many arguments as in the last call: only copies are needed
            try:
                any(
                    map(setitem, room.views, WHOLE, arguments)
                )  # a loop in C: a Python loop takes 50 % longer
            except (TypeError, ValueError, NotImplementedError, BufferError):  # not a vector of floats
                for place, value in zip(room.inputs, arguments, strict=False):
                    room.put(self, place, value)
        self._call(room.table)
        first = room.first
        if first is not None:
            if out is None:
                out = first.copy()
            else:
                if out is not room.out:  # not checked in the last call
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
        """Number of instances in one vector."""
        return self._wide[0].width

    def batch(self, *arguments: Any, out: Any = None, threads: int | None = None, **named: Any) -> Any:
        """Evaluate many instances; by default on as many threads as there are processors, if the work is worth it."""
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
    """The kernel of a recipe: compiled or, if that is not possible, interpreted, with a warning."""
    if target == "interpreter" or not compiler_found():
        return Interpreted(recipe, defaults)
    try:
        return Kernel(recipe, defaults)
    except UnbuiltError as error:
        say_interpreted(str(error))
        return Interpreted(recipe, defaults)


@cache
def say_interpreted(why: str) -> None:
    """Warn once that kernels are interpreted although there is a compiler, and why."""
    warnings.warn(f"kernels are interpreted, some 30 times slower: {why}", stacklevel=4)
