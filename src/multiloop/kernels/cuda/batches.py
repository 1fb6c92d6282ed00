"""Many instances of one CUDA kernel at once, on CuPy arrays that are read and written in place."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np

from multiloop.kernels.cuda.launch import Program, gpu, passed, placed
from multiloop.kernels.kernel_call import Face, completed
from multiloop.kernels.lanes import counted_instances, rooms, shaped
from multiloop.kernels.signature import Signature

CROWDED, ROOMY = (256, 2), (128, 1)
"""Threads per block and blocks per multiprocessor: many threads if 128 registers suffice for each, else fewer.

Short kernels are limited by memory latency, which more threads hide: 11 instead of 9 thousand million evaluations of a
3-RRR mechanism per second on an H200.
"""


class CudaBatches(Face):
    """A kernel's source and signature, ready to be launched; `tuned` overrides the threads per block and blocks.

    Each input is (entries, count), or (entries,) if all instances share it. NumPy arrays are accepted and copied to the
    device. Omitted inputs have their default values.
    """

    runs = "on the GPU"

    def __init__(
        self,
        source: str,
        signature: Signature,
        defaults: Mapping[str, np.ndarray] | None = None,
        *,
        tuned: tuple[int, int] | None = None,
    ) -> None:
        super().__init__(signature, defaults)
        self.source, self.tuned = source, tuned

    @cached_property
    def program(self) -> Program:
        """The program with the number of threads that suits its use of registers."""
        crowded = Program(self.source, *(self.tuned or CROWDED))
        if self.tuned or not crowded.resources(self._name)["local_bytes"]:
            return crowded
        return Program(self.source, *ROOMY)

    @property
    def resources(self) -> dict[str, int]:
        """Registers per thread, and bytes per thread in local memory."""
        return self.program.resources(self._name)

    @property
    def _name(self) -> str:
        return f"{self.signature.symbol}_batch"

    def batch(self, *arguments: Any, out: Any = None, **named: Any) -> Any:
        """Evaluate many instances. Returns an array, or a tuple for several outputs; `out` are arrays to fill."""
        values = completed(self.signature.name, self.inputs, self._at_hand, arguments, named)
        count = counted_instances(self.inputs, values)
        answers = rooms(self.outputs, out, count, gpu().empty)
        taken = [
            passed(self.signature.name, array, value, count)
            for array, value in zip(self.inputs, values, strict=True)
        ]
        flat = (part for parts in (*taken, *map(placed, answers)) for part in parts)
        self.program.launch(self._name, count, *flat)
        return shaped(self.outputs, answers, count, out)

    @cached_property
    def _at_hand(self) -> dict[str, Any]:
        """The defaults, on the device."""
        return {name: gpu().asarray(value) for name, value in self.defaults.items()}
