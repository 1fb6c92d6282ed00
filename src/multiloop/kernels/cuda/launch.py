"""Use of CuPy by the kernels: detection of a GPU, compilation and launch of a module, strides of device arrays."""

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


def gpu() -> Any:
    """The module cupy; raises an OSError if CuPy or a GPU is missing."""
    if missing():
        raise OSError(f"{missing()} {REMEDY}")
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
        return gpu().RawModule(code=self.source, options=options)

    def launch(self, name: str, count: int, *arguments: Any) -> None:
        """Run a kernel with one thread per instance."""
        if count:
            grid = (-(-count // self.block),)
            self.module.get_function(name)(grid, (self.block,), (np.int64(count), *arguments))

    def resources(self, name: str) -> dict[str, int]:
        """Registers per thread, and bytes per thread in local memory: 0 if no register was spilled."""
        attributes = self.module.get_function(name).attributes
        return {"registers": attributes["num_regs"], "local_bytes": attributes["local_size_bytes"]}


def passed(kernel: str, array: Array, value: Any, count: int) -> tuple[Any, np.int64, np.int64]:
    """An input on the device with its strides from entry to entry and from instance to instance.

    It is (entries, count), or for matrices (rows, columns, count), with stride 0 if all instances share it. An array
    that is on the device is not copied.
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
    """An output array with its strides."""
    return room, *_strides(room)


def _strides(array: Any) -> tuple[np.int64, np.int64]:
    """Strides in elements instead of bytes."""
    first, *more = (np.int64(stride // array.itemsize) for stride in array.strides)
    return first, more[0] if more else np.int64(0)
