"""Kernels (functions of a mechanism) as Python callables, compiled or interpreted, for one or for many instances."""

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
    """Memory for the inputs and outputs of one call of a kernel, which is used again by later calls.

    `inputs` are the inputs as vectors, `results` the outputs as arrays of their shapes, and `first` the output if there
    is only one. `table` is the address of the array `addresses`, which contains the addresses of all inputs and
    outputs. `given` is the number of positional arguments of the last call; all other inputs have their default values.
    `out` are the caller's result arrays of the last call, whose shapes have been checked. `views` are memory views of
    the inputs; assigning to them raises an error unless the sizes and types match.
    """

    __slots__ = ("addresses", "first", "given", "inputs", "out", "results", "table", "views")

    def __init__(self, face: KernelInterface) -> None:
        self.inputs = [np.zeros(array.size) for array in face.inputs]
        self.views: list[Any] = [memoryview(memory) for memory in self.inputs]  # type: ignore[arg-type]  # a Buffer from 3.12 on
        outputs = [np.zeros(array.size) for array in face.outputs]
        self.results = [
            memory if array.columns == 1 else memory.reshape(array.columns, array.rows).T
            for array, memory in zip(face.outputs, outputs, strict=True)
        ]
        self.first = self.results[0] if len(self.results) == 1 else None
        pointers = [array.ctypes.data for array in (*self.inputs, *outputs)]
        self.addresses = (ctypes.c_void_p * len(pointers))(*pointers)
        self.table = ctypes.c_void_p(ctypes.addressof(self.addresses))
        self.given, self.out = -1, None

    def fill(self, face: KernelInterface, arguments: Sequence[Any], named: Mapping[str, Any]) -> None:
        """Set all inputs from arguments in order and by name; omitted inputs have their default values."""
        self.given = -1  # remains −1 if an error occurs before all inputs are set
        for place, value in zip(self.inputs, face.complete_inputs(arguments, named), strict=True):
            self.set_input(face, place, value)
        self.given = -1 if named else len(arguments)

    def set_input(self, face: KernelInterface, place: np.ndarray, given: Any) -> None:
        """Set the array `place`, one of `inputs`, from a number (used for all entries), a vector or a matrix.

        Other values raise an error.
        """
        if type(given) is not float:
            k = next(k for k, other in enumerate(self.inputs) if other is place)
            array, name = face.inputs[k], face.signature.name
            value = as_numbers(name, array, given)
            require_shape(name, array, value.shape)
            given = column_major(value)
        place[...] = given


class InterpretedKernel(KernelInterface):
    """A traced function with the same interface as `Kernel`, evaluated by CasADi's interpreter."""

    backend_text = "by the interpreter"
    width = 1

    def __init__(self, recipe: Recipe, defaults: Mapping[str, np.ndarray] | None = None) -> None:
        self.recipe = recipe
        super().__init__(signature_of(recipe.traced), defaults)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the recipe, from which another process creates the same function."""
        return InterpretedKernel, (self.recipe, self.defaults)

    @property
    def operations(self) -> int:
        """Number of scalar operations of one evaluation."""
        return self.recipe.lowered[1].total

    def __call__(self, *arguments: Any, out: Any = None, **named: Any) -> Any:
        """Evaluate one instance; with `out`, the results are written into these arrays."""
        answers = self.recipe.traced(*self._shape_inputs(self.input_arrays(arguments, named)))
        outputs = zip(self.outputs, answers, strict=True)
        found = [a.reshape(array.rows, array.columns) if array.columns > 1 else a for array, a in outputs]
        if out is not None:
            require_out_arrays(self.outputs, out)
            for memory, answer in zip([out] if isinstance(out, np.ndarray) else out, found, strict=True):
                memory[...] = answer
            return out
        return found[0] if len(found) == 1 else tuple(found)

    def batch(self, *arguments: Any, out: Any = None, threads: int | None = None, **named: Any) -> Any:
        """Evaluate many instances one after another; `threads` is ignored."""
        values = self.input_arrays(arguments, named)
        count = instance_count(self.inputs, values)
        answers = result_arrays(self.outputs, out, count)
        own = [self._fits(array, value, count) for array, value in zip(self.inputs, values, strict=True)]
        for t in range(count):
            one = [value[..., t] if each else value for value, each in zip(values, own, strict=True)]
            found = self.recipe.traced(*self._shape_inputs(one))
            for array, memory, answer in zip(self.outputs, answers, found, strict=True):
                memory[: array.size, t] = np.ravel(answer, order="F")
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
"""C type of the function for one instance, called with the addresses of all arrays. A call keeps the lock of the Python
interpreter, because it takes only about a microsecond."""

ALL_ENTRIES = repeat(slice(None))
"""Endless iterator of the slice `[:]`, with which `map` assigns all entries of several arrays."""

BATCH_CALL = ctypes.CFUNCTYPE(None, ctypes.c_long, ctypes.c_long, *[ctypes.c_void_p] * 3)
"""C type of the function for many instances. A call releases the lock of the Python interpreter."""


class Kernel(KernelInterface):
    """A traced function compiled to machine code.

    `kernel(q, v, …)` evaluates one instance. Inputs are given in the order of `kernel.inputs` or by name; omitted
    inputs have their default values. `kernel.batch(q, v, …)` evaluates many instances: each input is (entries, count),
    or (entries,) if all instances share it. The result is an array, or a tuple for several outputs; with `out`, the
    results are written into the given arrays. A kernel may be called from several threads: each call uses a separate
    workspace, which later calls use again.
    """

    backend_text = "of machine code"

    def __init__(self, recipe: Recipe, defaults: Mapping[str, np.ndarray] | None = None) -> None:
        self.recipe = recipe
        self._single = build_single(recipe)
        super().__init__(self._single.signature, defaults)
        self._call: Any = self._single.library.function(SINGLE_CALL, f"{self.symbol}_at")
        self._idle_workspaces = [Workspace(self)]

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the recipe, from which another process loads or builds the machine code."""
        return Kernel, (self.recipe, self.defaults)

    @property
    def library(self) -> Path:
        """Path of the shared library with the machine code for one instance."""
        return self._single.library.path

    @property
    def address(self) -> int:
        """Address of the C function `NAME_at` in this process, for calls from C; valid as long as the kernel exists."""
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
        """Evaluate one instance; with `out`, the results are written into these arrays."""
        try:
            workspace = self._idle_workspaces.pop()
        except IndexError:  # other threads use all workspaces
            workspace = Workspace(self)
        if named or len(arguments) != workspace.given:
            workspace.fill(self, arguments, named)
        else:  # same number of positional arguments as in the last call: only these inputs change
            try:
                any(
                    map(setitem, workspace.views, ALL_ENTRIES, arguments)
                )  # `any(map(…))` runs in C; a Python loop would take 50 % longer
            except (TypeError, ValueError, NotImplementedError, BufferError):  # not all are vectors of floats
                for place, value in zip(workspace.inputs, arguments, strict=False):
                    workspace.set_input(self, place, value)
        self._call(workspace.table)
        first = workspace.first
        if first is not None:
            if out is None:
                out = first.copy()
            else:
                if out is not workspace.out:  # arrays other than those of the last call must be checked
                    require_out_arrays(self.outputs, out)
                    workspace.out = out
                out[...] = first
        elif out is None:
            out = tuple([found.copy() for found in workspace.results])
        else:
            if out is not workspace.out:
                require_out_arrays(self.outputs, out)
                workspace.out = out
            for array, found in zip(out, workspace.results, strict=True):
                array[...] = found
        self._idle_workspaces.append(workspace)
        return out

    @cached_property
    def _batch_library(self) -> tuple[KernelLibrary, Any]:
        built = build_batch(self.recipe)
        return built, built.library.function(BATCH_CALL, f"{self.symbol}_batch")

    @property
    def width(self) -> int:
        """Number of instances that vector instructions evaluate at once."""
        return self._batch_library[0].width

    def batch(self, *arguments: Any, out: Any = None, threads: int | None = None, **named: Any) -> Any:
        """Evaluate many instances, by default on up to as many threads as there are processors.

        Fewer threads are used if there are few instances or operations.
        """
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
    """Build the kernel of a recipe, with the default values `defaults` of its inputs.

    The kernel is interpreted if `target` is "interpreter" or, with a warning, if compilation is not possible.
    """
    if target == "interpreter" or not compiler_available():
        return InterpretedKernel(recipe, defaults)
    try:
        return Kernel(recipe, defaults)
    except UnbuiltError as error:
        warn_interpreted(str(error))
        return InterpretedKernel(recipe, defaults)


@cache
def warn_interpreted(why: str) -> None:
    """Warn, once for each reason, that kernels are interpreted because they could not be compiled."""
    warnings.warn(f"kernels are interpreted, which is about 30 times slower: {why}", stacklevel=4)
