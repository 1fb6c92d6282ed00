"""CuPy seen from the kernels: whether there is a GPU, how text becomes a module, how arrays lie in its memory."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from typing import Any

import numpy as np

from multiloop.extras import install_command
from multiloop.kernels.kernel_call import as_numbers, require_fit
from multiloop.kernels.signature import Array

REMEDY = f"{install_command('gpu')} installs CuPy, which needs an NVIDIA GPU with its driver."


@cache
def missing() -> str:
    """Why nothing can run on a GPU here; empty when something can."""
    try:
        cupy = import_module("cupy")
    except ImportError:
        return "CuPy is not installed."
    try:
        found = cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        return f"CUDA finds no GPU ({error})."
    return "" if found else "CUDA finds no GPU."


def gpu() -> Any:
    """CuPy, or the error that says what is missing."""
    if missing():
        raise OSError(f"{missing()} {REMEDY}")
    return import_module("cupy")


@dataclass(frozen=True)
class Program:
    """CUDA text and how it is compiled: threads of a block, and blocks at a time on a multiprocessor.

    CuPy compiles it for the device at hand when it is first needed, and keeps what it compiled on the disk.
    """

    source: str
    block: int
    blocks: int

    @cached_property
    def module(self) -> Any:
        """The compiled text."""
        options = ("--std=c++17", f"-DBLOCK={self.block}", f"-DBLOCKS={self.blocks}")
        return gpu().RawModule(code=self.source, options=options)

    def launch(self, name: str, count: int, *arguments: Any) -> None:
        """Run a kernel with one thread an instance."""
        if count:
            grid = (-(-count // self.block),)
            self.module.get_function(name)(grid, (self.block,), (np.int64(count), *arguments))

    def resources(self, name: str) -> dict[str, int]:
        """Registers of a thread, and its bytes outside registers: 0 when nothing was spilled."""
        attributes = self.module.get_function(name).attributes
        return {"registers": attributes["num_regs"], "local_bytes": attributes["local_size_bytes"]}


def passed(kernel: str, array: Array, value: Any, count: int) -> tuple[Any, np.int64, np.int64]:
    """An input on the device with its strides, entry to entry and instance to instance; not copied if it is there.

    (entries, count), or for matrices (rows, columns, count), with a stride of 0 where all instances share it.
    """
    cupy = gpu()
    lying = isinstance(value, cupy.ndarray)
    given = cupy.asarray(value if lying else as_numbers(kernel, array, value), dtype=np.float64)
    if require_fit(kernel, array, given.shape, count):
        given = given if array.columns == 1 else given.swapaxes(0, 1).reshape(array.size, count)
    elif given.size == 1:
        return given, np.int64(0), np.int64(0)
    elif given.ndim > 1:
        given = given.ravel(order="F")
    return given, *_strides(given)


def placed(room: Any) -> tuple[Any, np.int64, np.int64]:
    """An array for an answer with its strides."""
    return room, *_strides(room)


def _strides(array: Any) -> tuple[np.int64, np.int64]:
    """Strides in numbers instead of bytes."""
    first, *more = (np.int64(stride // array.itemsize) for stride in array.strides)
    return first, more[0] if more else np.int64(0)
