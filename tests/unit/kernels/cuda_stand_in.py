"""The few names of CuPy that the kernels use, on NumPy and a C++ compiler: CUDA source is run lane by lane."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import MappingProxyType, ModuleType, SimpleNamespace
from typing import Any

import numpy as np

COMPILER = shutil.which("g++")
HEAD = """
#include <cmath>
#include <cstring>
#define __device__
#define __global__
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define asm(...) y = 1.0f / (float)x
struct Place { unsigned x; };
static Place blockIdx, blockDim, threadIdx;
static int __double2loint(double x) { long long bits; memcpy(&bits, &x, 8); return (int)bits; }
extern "C" void place(unsigned block, unsigned size, unsigned thread) {
    blockIdx.x = block, blockDim.x = size, threadIdx.x = thread;
}
"""
"""What CUDA's compiler knows beforehand; the reciprocal's first guess is that of single precision."""


class RawModule:
    """CUDA source compiled as C++."""

    def __init__(self, code: str, options: Sequence[str] = ()) -> None:
        self._folder = tempfile.TemporaryDirectory()
        text, library = (Path(self._folder.name) / name for name in ("kernel.cpp", "kernel.so"))
        text.write_text(HEAD + code, encoding="utf-8")
        command = [COMPILER, "-w", "-O1", "-march=native", "-shared", "-fPIC", *options, text, "-o", library]
        subprocess.run([part for part in command if part is not None], check=True)
        self._library = ctypes.CDLL(str(library))

    def get_function(self, name: str) -> Function:
        """A kernel by its name."""
        return Function(self._library, name)


class Function:
    """A kernel: all its threads, one after another."""

    attributes = MappingProxyType({"num_regs": 0, "local_size_bytes": 0})

    def __init__(self, library: Any, name: str) -> None:
        self._call, self._place = getattr(library, name), library.place
        self._call.restype = self._place.restype = None

    def __call__(self, grid: tuple[int], block: tuple[int], arguments: Sequence[Any]) -> None:
        passed = [_passed(argument) for argument in arguments]
        for group in range(grid[0]):
            for thread in range(block[0]):
                self._place(group, block[0], thread)
                self._call(*passed)


def _passed(argument: Any) -> Any:
    if isinstance(argument, np.ndarray):
        return ctypes.c_void_p(argument.ctypes.data)
    return ctypes.c_double(argument) if isinstance(argument, float) else ctypes.c_longlong(int(argument))


def stand_in(devices: int = 1) -> ModuleType:
    """A module that replaces CuPy, on a machine with this number of GPUs."""
    made = ModuleType("cupy")
    runtime = SimpleNamespace(getDeviceCount=lambda: devices, CUDARuntimeError=RuntimeError)
    made.cuda = SimpleNamespace(runtime=runtime)
    made.asarray, made.empty, made.zeros, made.ndarray = np.asarray, np.empty, np.zeros, np.ndarray
    made.RawModule = RawModule
    return made
