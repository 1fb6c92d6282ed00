"""Kernels as Python callables, compiled or interpreted by CasADi: one instance at a time, or many at once."""

from __future__ import annotations

import ctypes
import warnings
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, cached_property
from itertools import repeat
from operator import setitem
from pathlib import Path
from typing import Any

import numpy as np

from multiloop.kernels.codegen.build import KernelLibrary, build_batch, build_single, compiler_available
from multiloop.kernels.codegen.recipe import Recipe, signature_of
from multiloop.kernels.kernel_arguments import (
    Array,
    KernelInterface,
    as_numbers,
    column_major,
    instance_array,
    instance_count,
    require_out_arrays,
    require_shape,
    result_arrays,
    shape_results,
    thread_ranges,
)
from multiloop.kernels.library_cache import UnbuiltError


class Workspace:
    """Inputs as vectors, outputs in their shapes (`first` if there is only one), and the table of their addresses.

    `given` is the number of arguments of the last call, in order; all other inputs have their defaults. `out` are the
    caller's arrays of the last call, whose shapes have been checked. `views` are memory views of the inputs, which
    accept only the same number of floats.
    """

    __slots__ = ("addresses", "first", "given", "inputs", "out", "seen", "table", "views")

    def __init__(self, face: KernelInterface) -> None:
        self.inputs = [np.zeros(array.size) for array in face.inputs]
        self.views: list[Any] = [memoryview(room) for room in self.inputs]  # type: ignore[arg-type]  # a Buffer from 3.12 on
        outputs = [np.zeros(array.size) for array in face.outputs]
        self.seen = [
            room if array.columns == 1 else room.reshape(array.columns, array.rows).T
            for array, room in zip(face.outputs, outputs, strict=True)
        ]
        self.first = self.seen[0] if len(self.seen) == 1 else None
        lying = [array.ctypes.data for array in (*self.inputs, *outputs)]
        self.addresses = (ctypes.c_void_p * len(lying))(*lying)
        self.table = ctypes.c_void_p(ctypes.addressof(self.addresses))
        self.given, self.out = -1, None

    def fill(self, face: KernelInterface, arguments: Sequence[Any], named: Mapping[str, Any]) -> None:
        """Set all inputs from arguments in order and by name; omitted inputs have their defaults."""
        self.given = -1  # until all inputs are set
        for place, value in zip(self.inputs, face.complete_inputs(arguments, named), strict=True):
            self.set_input(face, place, value)
        self.given = -1 if named else len(arguments)

    def set_input(self, face: KernelInterface, place: np.ndarray, given: Any) -> None:
        """Set one input: a number for all entries, a vector or a matrix; raises an error for other values."""
        if type(given) is not float:
            k = next(k for k, other in enumerate(self.inputs) if other is place)
            array, name = face.inputs[k], face.signature.name
            value = as_numbers(name, array, given)
            require_shape(name, array, value.shape)
            given = column_major(value)
        place[...] = given


class InterpretedKernel(KernelInterface):
    """A traced function with the interface of `Kernel`, evaluated by CasADi's interpreter."""

    backend_text = "by the interpreter"
    width = 1

    def __init__(self, recipe: Recipe, defaults: Mapping[str, np.ndarray] | None = None) -> None:
        self.recipe = recipe
        super().__init__(signature_of(recipe.traced), defaults)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the recipe; another process interprets the same function."""
        return InterpretedKernel, (self.recipe, self.defaults)

    @property
    def operations(self) -> int:
        """Number of scalar operations of one evaluation."""
        return self.recipe.lowered[1].total

    def __call__(self, *arguments: Any, out: Any = None, **named: Any) -> Any:
        """Evaluate one instance."""
        answers = self.recipe.traced(*self._shape_inputs(self.input_arrays(arguments, named)))
        outputs = zip(self.outputs, answers, strict=True)
        found = [a.reshape(array.rows, array.columns) if array.columns > 1 else a for array, a in outputs]
        if out is not None:
            require_out_arrays(self.outputs, out)
            for room, answer in zip([out] if isinstance(out, np.ndarray) else out, found, strict=True):
                room[...] = answer
            return out
        return found[0] if len(found) == 1 else tuple(found)

    def batch(self, *arguments: Any, out: Any = None, threads: int | None = None, **named: Any) -> Any:
        """Evaluate many instances, one after another."""
        values = self.input_arrays(arguments, named)
        count = instance_count(self.inputs, values)
        answers = result_arrays(self.outputs, out, count)
        own = [self._fits(array, value, count) for array, value in zip(self.inputs, values, strict=True)]
        for t in range(count):
            one = [value[..., t] if each else value for value, each in zip(values, own, strict=True)]
            found = self.recipe.traced(*self._shape_inputs(one))
            for array, room, answer in zip(self.outputs, answers, found, strict=True):
                room[: array.size, t] = np.ravel(answer, order="F")
        return shape_results(self.outputs, answers, count, out)

    def _fits(self, array: Array, value: np.ndarray, count: int | None = None) -> bool:
        return require_shape(self.signature.name, array, value.shape, count)

    def _shape_inputs(self, given: Sequence[np.ndarray]) -> list[np.ndarray]:
        """Inputs as vectors and matrices; a single number is used for all entries."""
        found = []
        for array, value in zip(self.inputs, given, strict=True):
            self._fits(array, value)
            entries = np.broadcast_to(value.ravel(), array.size) if value.size == 1 else value
            found.append(entries.reshape((array.rows, array.columns), order="F"))
        return found


SINGLE_CALL = ctypes.PYFUNCTYPE(None)
"""Call of one instance with the addresses of all arrays. It keeps the interpreter lock, as it takes a microsecond."""

ALL_ENTRIES = repeat(slice(None))
"""An endless sequence of slices over all entries."""

BATCH_CALL = ctypes.CFUNCTYPE(None, ctypes.c_long, ctypes.c_long, *[ctypes.c_void_p] * 3)
"""Call of many instances, which releases the interpreter lock."""


class Kernel(KernelInterface):
    """A traced function as machine code.

    `kernel(q, v, …)` evaluates one instance: inputs in the order of `kernel.inputs` or by name, omitted ones with their
    default values. `kernel.batch(q, v, …)` evaluates many: each input is (entries, count), or (entries,) if all
    instances share it. The result is an array, or a tuple for several outputs; `out` are arrays to fill. A kernel may
    be called from several threads: each call uses a separate workspace, which is reused later.
    """

    backend_text = "of machine code"

    def __init__(self, recipe: Recipe, defaults: Mapping[str, np.ndarray] | None = None) -> None:
        self.recipe = recipe
        self._single = build_single(recipe)
        super().__init__(self._single.signature, defaults)
        self._call: Any = self._single.library.function(SINGLE_CALL, f"{self.symbol}_at")
        self._idle_workspaces = [Workspace(self)]

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
            room = self._idle_workspaces.pop()
        except IndexError:  # all workspaces are in use
            room = Workspace(self)
        if named or len(arguments) != room.given:
            room.fill(self, arguments, named)
        else:  # with as many arguments as in the last call, only copies are needed
            try:
                any(
                    map(setitem, room.views, ALL_ENTRIES, arguments)
                )  # a loop in C: a Python loop takes 50 % longer
            except (TypeError, ValueError, NotImplementedError, BufferError):  # not a vector of floats
                for place, value in zip(room.inputs, arguments, strict=False):
                    room.set_input(self, place, value)
        self._call(room.table)
        first = room.first
        if first is not None:
            if out is None:
                out = first.copy()
            else:
                if out is not room.out:  # these arrays were not checked in the last call
                    require_out_arrays(self.outputs, out)
                    room.out = out
                out[...] = first
        elif out is None:
            out = tuple([found.copy() for found in room.seen])
        else:
            if out is not room.out:
                require_out_arrays(self.outputs, out)
                room.out = out
            for array, found in zip(out, room.seen, strict=True):
                array[...] = found
        self._idle_workspaces.append(room)
        return out

    @cached_property
    def _batch_library(self) -> tuple[KernelLibrary, Any]:
        built = build_batch(self.recipe)
        return built, built.library.function(BATCH_CALL, f"{self.symbol}_batch")

    @property
    def width(self) -> int:
        """Number of instances in one vector."""
        return self._batch_library[0].width

    def batch(self, *arguments: Any, out: Any = None, threads: int | None = None, **named: Any) -> Any:
        """Evaluate many instances; by default on as many threads as there are processors, if the work is worth it."""
        built, call = self._batch_library
        values = self.input_arrays(arguments, named)
        count = instance_count(self.inputs, values)
        name = self.signature.name
        taken = [
            instance_array(name, array, value, count, built.width)
            for array, value in zip(self.inputs, values, strict=True)
        ]
        answers = result_arrays(self.outputs, out, count)
        strides = [array.shape[1] for array, _ in taken] + [count] * len(answers)
        steps = [step for _, step in taken] + [1] * len(answers)
        addresses = [array.ctypes.data for array in (*(a for a, _ in taken), *answers)]
        total = len(addresses)
        stride, step = (ctypes.c_long * total)(*strides), (ctypes.c_long * total)(*steps)
        table = (ctypes.c_void_p * total)(*addresses)
        ranges = thread_ranges(count, built.width, built.operations, threads)
        if len(ranges) == 1:
            call(0, count, stride, step, table)
        else:
            with ThreadPoolExecutor(len(ranges)) as pool:
                list(pool.map(lambda r: call(r[0], r[1], stride, step, table), ranges))
        return shape_results(self.outputs, answers, count, out)


def build_kernel(
    recipe: Recipe, defaults: Mapping[str, np.ndarray] | None = None, target: str = "c"
) -> Kernel | InterpretedKernel:
    """The kernel of a recipe: compiled or, if that is not possible, interpreted, with a warning."""
    if target == "interpreter" or not compiler_available():
        return InterpretedKernel(recipe, defaults)
    try:
        return Kernel(recipe, defaults)
    except UnbuiltError as error:
        warn_interpreted(str(error))
        return InterpretedKernel(recipe, defaults)


@cache
def warn_interpreted(why: str) -> None:
    """Warn once that kernels are interpreted although there is a compiler, and why."""
    warnings.warn(f"kernels are interpreted, about 30 times slower: {why}", stacklevel=4)
