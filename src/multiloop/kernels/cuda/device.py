"""Calls of kernels on a GPU: arrays on the device, batches of instances, and time steps of many simulations.

This module and its imports need only NumPy and CuPy, so that it also works on a machine without CasADi.

Theory: docs/theory/14-compiled-kernels.md, section 14.3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from multiloop.dependencies import install_command
from multiloop.kernels.kernel_arguments import (
    Array,
    KernelInterface,
    Signature,
    as_numbers,
    complete_arguments,
    instance_count,
    require_shape,
    result_arrays,
    shape_results,
)
from multiloop.kernels.runtime.tolerances import OPEN_LIMIT, SINGULAR_LIMIT

MANY_THREADS, FEW_THREADS = (256, 2), (128, 1)
"""Threads per block and blocks per multiprocessor. Many threads are used if 128 registers per thread suffice, else few.

The speed of short kernels is limited by the latency of memory, which many threads hide: a 3-RRR mechanism is evaluated
11·10⁹ instead of 9·10⁹ times per second on an H200.
"""


class CudaBatches(KernelInterface):
    """A kernel on the GPU, which evaluates many instances at once.

    Each input is (entries, count), or (entries,) if all instances share it. NumPy arrays are accepted and copied to the
    device. Omitted inputs have their default values. `tuned` sets the threads per block and the blocks per
    multiprocessor.
    """

    backend_text = "on the GPU"

    def __init__(
        self,
        source: str,
        signature: Signature,
        defaults: Mapping[str, np.ndarray] | None = None,
        *,
        tuned: tuple[int, int] | None = None,
    ) -> None:
        super().__init__(signature, defaults)
        self.source, self.launch_shape = source, tuned

    @cached_property
    def program(self) -> Program:
        """The compiled program, with many threads per block unless registers would be spilled to local memory."""
        crowded = Program(self.source, *(self.launch_shape or MANY_THREADS))
        if self.launch_shape or not crowded.resources(self._name)["local_bytes"]:
            return crowded
        return Program(self.source, *FEW_THREADS)

    @property
    def resources(self) -> dict[str, int]:
        """Number of registers and bytes of local memory per thread of the kernel."""
        return self.program.resources(self._name)

    @property
    def _name(self) -> str:
        return f"{self.signature.symbol}_batch"

    def batch(self, *arguments: Any, out: Any = None, **named: Any) -> Any:
        """Evaluate many instances. Returns an array, or a tuple for several outputs; `out` are arrays for the
        results."""
        values = complete_arguments(self.signature.name, self.inputs, self._device_defaults, arguments, named)
        count = instance_count(self.inputs, values)
        answers = result_arrays(self.outputs, out, count, require_cupy().empty)
        taken = [
            device_input(self.signature.name, array, value, count)
            for array, value in zip(self.inputs, values, strict=True)
        ]
        flat = (part for parts in (*taken, *map(device_output, answers)) for part in parts)
        self.program.launch(self._name, count, *flat)
        return shape_results(self.outputs, answers, count, out)

    @cached_property
    def _device_defaults(self) -> dict[str, Any]:
        """Default values of the inputs as arrays on the device."""
        return {name: require_cupy().asarray(value) for name, value in self.defaults.items()}


GPU_REMEDY = f"{install_command('gpu')} installs CuPy, which needs an NVIDIA GPU with its driver."


@cache
def missing_gpu_reason() -> str:
    """Text on the reason why no GPU can be used; empty if a GPU can be used."""
    try:
        cupy = import_module("cupy")
    except ImportError:
        return "CuPy is not installed."
    try:
        found = cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        return f"CUDA finds no GPU ({error})."
    return "" if found else "CUDA finds no GPU."


def require_cupy() -> Any:
    """Import and return the module cupy; raise an OSError if CuPy or a GPU is missing."""
    if missing_gpu_reason():
        raise OSError(f"{missing_gpu_reason()} {GPU_REMEDY}")
    return import_module("cupy")


@dataclass(frozen=True)
class Program:
    """CUDA source with the threads per block and the blocks per multiprocessor for which it is compiled.

    CuPy compiles the source for the current device on first use, and caches the result on disk.
    """

    source: str
    block: int
    blocks: int

    @cached_property
    def module(self) -> Any:
        """The compiled CuPy module."""
        options = ("--std=c++17", f"-DBLOCK={self.block}", f"-DBLOCKS={self.blocks}")
        return require_cupy().RawModule(code=self.source, options=options)

    def launch(self, name: str, count: int, *arguments: Any) -> None:
        """Run a kernel for `count` instances, with one thread per instance."""
        if count:
            grid = (-(-count // self.block),)
            self.module.get_function(name)(grid, (self.block,), (np.int64(count), *arguments))

    def resources(self, name: str) -> dict[str, int]:
        """Number of registers, and bytes of local memory (0 if no register is spilled), per thread of a kernel."""
        attributes = self.module.get_function(name).attributes
        return {"registers": attributes["num_regs"], "local_bytes": attributes["local_size_bytes"]}


def device_input(kernel: str, array: Array, value: Any, count: int) -> tuple[Any, np.int64, np.int64]:
    """An input as an array on the device, with its strides from entry to entry and from instance to instance.

    `value` is (entries, count) or, for matrices, (rows, columns, count). If all instances share it, the last axis is
    missing and the second stride is 0. An array that is already on the device is not copied.
    """
    cupy = require_cupy()
    lying = isinstance(value, cupy.ndarray)
    given = cupy.asarray(value if lying else as_numbers(kernel, array, value), dtype=np.float64)
    if require_shape(kernel, array, given.shape, count):
        given = given if array.columns == 1 else given.swapaxes(0, 1).reshape(array.size, count)
    elif given.size == 1:
        return given, np.int64(0), np.int64(0)
    elif given.ndim > 1:
        given = given.ravel(order="F")
    return given, *_strides(given)


def device_output(array: Any) -> tuple[Any, np.int64, np.int64]:
    """An output array with its strides from entry to entry and from instance to instance."""
    return array, *_strides(array)


def _strides(array: Any) -> tuple[np.int64, np.int64]:
    """Strides of an array along its two axes, in elements instead of bytes; 0 for a missing second axis."""
    first, *more = (np.int64(stride // array.itemsize) for stride in array.strides)
    return first, more[0] if more else np.int64(0)


class StepResult(NamedTuple):
    """Final states q, v of all instances, with a `status` and the number of steps `taken` of each.

    The status is 0 if all steps were taken, 2 at a singular configuration, 3 if loops are open, and 5 if values are not
    finite. An instance with a status other than 0 is in its state before the step that failed.
    """

    q: Any
    v: Any
    status: Any
    taken: Any


class CudaSteps:
    """Simultaneous time integration of many instances with fixed steps.

    q and v are (entries, count). Other inputs of the equations (tau, p, …) are (entries, count), (entries,) if all
    instances share them, or omitted, in which case they have their default values; they are constant over time. `tuned`
    are the threads per block and the blocks per multiprocessor. The default is few threads, because the state and the
    parameters of an instance need many registers.
    """

    def __init__(
        self,
        source: str,
        inputs: Sequence[Array],
        defaults: Mapping[str, np.ndarray] | None = None,
        *,
        tuned: tuple[int, int] = (128, 1),
    ) -> None:
        self.inputs = tuple(inputs)
        self.defaults = {name: np.asarray(value, float) for name, value in (defaults or {}).items()}
        self.program = Program(source, *tuned)

    def advance(
        self,
        q: Any,
        v: Any,
        *,
        step: float,
        steps: int,
        project: bool = True,
        open: float = OPEN_LIMIT,
        singular: float = SINGULAR_LIMIT,
        out: Any = None,
        **given: Any,
    ) -> StepResult:
        """Take `steps` time steps of `step` seconds. `out` are arrays for the final q and v, and may be q and v.

        With `project`, positions (by Newton's method) and rates are projected onto the constraints after each step. An
        instance stops if the residual of its loop-closure equations remains above `open`, relative to the size of the
        mechanism, or if its distance from a singular configuration falls below `singular`.
        """
        name = "ml_projected_steps" if project else "ml_steps"
        own = (np.int64(steps), np.float64(step), np.float64(open), np.float64(singular))
        return self._run(name, own, q, v, given, out, counts=True)

    def project(
        self,
        q: Any,
        v: Any,
        *,
        open: float = OPEN_LIMIT,
        singular: float = SINGULAR_LIMIT,
        out: Any = None,
        **given: Any,
    ) -> StepResult:
        """Project positions and rates onto the constraints without taking a time step; the arguments are those of
        `advance`."""
        own = (np.float64(open), np.float64(singular))
        return self._run("ml_project", own, q, v, given, out, counts=False)

    def resources(self, *, project: bool = True) -> dict[str, int]:
        """Number of registers and bytes of local memory per thread of the kernel that `advance` runs."""
        return self.program.resources("ml_projected_steps" if project else "ml_steps")

    def _run(
        self,
        name: str,
        own: tuple[Any, ...],
        q: Any,
        v: Any,
        given: Mapping[str, Any],
        out: Any,
        *,
        counts: bool,
    ) -> StepResult:
        cupy = require_cupy()
        values = complete_arguments(name, self.inputs, self._device_defaults, (q, v), given)
        count = instance_count(self.inputs, values)
        taken = [
            device_input(name, array, value, count) for array, value in zip(self.inputs, values, strict=True)
        ]
        ends = result_arrays(self.inputs[:2], out, count, cupy.empty)
        status, done = cupy.zeros(count, np.int32), cupy.zeros(count, np.int64)
        outputs = (status, done) if counts else (status,)
        flat = (part for parts in (*taken, *map(device_output, ends)) for part in parts)
        self.program.launch(name, count, *own, *outputs, *flat)
        q_end, v_end = shape_results(self.inputs[:2], ends, count, out)
        return StepResult(q_end, v_end, status, done)

    @cached_property
    def _device_defaults(self) -> dict[str, Any]:
        """Default values of the inputs as arrays on the device."""
        return {name: require_cupy().asarray(value) for name, value in self.defaults.items()}

    def __repr__(self) -> str:
        takes = ", ".join(f"{array.name} ({array.size})" for array in self.inputs)
        return f"Fixed steps on the GPU of {takes}."
