"""Calls of kernels on a GPU: arrays on the device, batches of instances, and steps of many runs.

The modules that this module imports need NumPy and CuPy only, so that it also works on a machine without CasADi.

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
"""Threads per block and blocks per multiprocessor: many threads if 128 registers suffice for each, else fewer.

Short kernels are limited by memory latency, which more threads hide: 11 instead of 9 thousand million evaluations of a
3-RRR mechanism per second on an H200.
"""


class CudaBatches(KernelInterface):
    """A kernel's source and signature, ready to be launched; `launch_shape` overrides the threads per block and blocks.

    Each input is (entries, count), or (entries,) if all instances share it. NumPy arrays are accepted and copied to the
    device. Omitted inputs have their default values.
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
        """The program with the number of threads that suits its use of registers."""
        crowded = Program(self.source, *(self.launch_shape or MANY_THREADS))
        if self.launch_shape or not crowded.resources(self._name)["local_bytes"]:
            return crowded
        return Program(self.source, *FEW_THREADS)

    @property
    def resources(self) -> dict[str, int]:
        """Registers per thread, and bytes per thread in local memory."""
        return self.program.resources(self._name)

    @property
    def _name(self) -> str:
        return f"{self.signature.symbol}_batch"

    def batch(self, *arguments: Any, out: Any = None, **named: Any) -> Any:
        """Evaluate many instances. Returns an array, or a tuple for several outputs; `out` are arrays to fill."""
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
        """The defaults, on the device."""
        return {name: require_cupy().asarray(value) for name, value in self.defaults.items()}


GPU_REMEDY = f"{install_command('gpu')} installs CuPy, which needs an NVIDIA GPU with its driver."


@cache
def missing_gpu_reason() -> str:
    """Reason why no GPU can be used; empty if one can be used."""
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
    """The module cupy; raises an OSError if CuPy or a GPU is missing."""
    if missing_gpu_reason():
        raise OSError(f"{missing_gpu_reason()} {GPU_REMEDY}")
    return import_module("cupy")


@dataclass(frozen=True)
class Program:
    """CUDA source and how it is compiled: threads per block, and blocks per multiprocessor.

    CuPy compiles it for the current device on first use, and caches the result on disk.
    """

    source: str
    block: int
    blocks: int

    @cached_property
    def module(self) -> Any:
        """The compiled module."""
        options = ("--std=c++17", f"-DBLOCK={self.block}", f"-DBLOCKS={self.blocks}")
        return require_cupy().RawModule(code=self.source, options=options)

    def launch(self, name: str, count: int, *arguments: Any) -> None:
        """Run a kernel with one thread per instance."""
        if count:
            grid = (-(-count // self.block),)
            self.module.get_function(name)(grid, (self.block,), (np.int64(count), *arguments))

    def resources(self, name: str) -> dict[str, int]:
        """Registers per thread, and bytes per thread in local memory: 0 if no register was spilled."""
        attributes = self.module.get_function(name).attributes
        return {"registers": attributes["num_regs"], "local_bytes": attributes["local_size_bytes"]}


def device_input(kernel: str, array: Array, value: Any, count: int) -> tuple[Any, np.int64, np.int64]:
    """An input on the device with its strides from entry to entry and from instance to instance.

    It is (entries, count), or for matrices (rows, columns, count), with stride 0 if all instances share it. An array
    that is on the device is not copied.
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


def device_output(room: Any) -> tuple[Any, np.int64, np.int64]:
    """An output array with its strides."""
    return room, *_strides(room)


def _strides(array: Any) -> tuple[np.int64, np.int64]:
    """Strides in elements instead of bytes."""
    first, *more = (np.int64(stride // array.itemsize) for stride in array.strides)
    return first, more[0] if more else np.int64(0)


class StepResult(NamedTuple):
    """Final states of all instances; `status` is 0 if all steps were taken, `taken` the number of steps taken.

    Other statuses are those of the time loop: 2 singular, 3 open loops, 5 not finite. Such an instance is in its state
    before the step that failed.
    """

    q: Any
    v: Any
    status: Any
    taken: Any


class CudaSteps:
    """Simultaneous time integration of many instances with fixed steps.

    q and v are (entries, count). Other inputs of the equations (tau, p, …) are (entries, count), (entries,) if all
    instances share them, or omitted with their default values; they are constant over time. `tuned` are the threads
    per block and the blocks per multiprocessor: few, because state and parameters of an instance fill the registers.
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
        """Take `steps` steps of `step` seconds; `out` are arrays for q and v, which may be q and v themselves.

        With `project`, positions (by Newton's method) and rates are projected onto the constraints after each step. An
        instance stops if its loops stay open by more than `open`, relative to the size of the mechanism, or if the
        distance from a singular configuration falls below `singular`.
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
        """Project positions and rates onto the constraints, without a step."""
        own = (np.float64(open), np.float64(singular))
        return self._run("ml_project", own, q, v, given, out, counts=False)

    def resources(self, *, project: bool = True) -> dict[str, int]:
        """Registers and bytes in local memory per thread of `advance`."""
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
        """The defaults, on the device."""
        return {name: require_cupy().asarray(value) for name, value in self.defaults.items()}

    def __repr__(self) -> str:
        takes = ", ".join(f"{array.name} ({array.size})" for array in self.inputs)
        return f"Fixed steps on the GPU of {takes}."
