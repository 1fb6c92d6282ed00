"""Many instances of one CUDA kernel at once, on CuPy arrays that are read and written where they lie."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np

from multiloop.kernels.cuda_launch import Program, completed, gpu, passed, room
from multiloop.kernels.lanes import counted_instances, shaped
from multiloop.kernels.signature import Array, Signature


class CudaBatches:
    """A kernel's text and signature, ready to be launched.

    Every input is (entries, count), or (entries,) where all instances share it. Arrays of NumPy are taken too and
    copied to the device. Inputs left out are at their defaults.
    """

    def __init__(
        self,
        source: str,
        signature: Signature,
        defaults: Mapping[str, np.ndarray] | None = None,
        *,
        block: int = 128,
        blocks: int = 1,
    ) -> None:
        self.signature = signature
        self.defaults = {name: np.asarray(value, float) for name, value in (defaults or {}).items()}
        self.program = Program(source, block, blocks)

    @property
    def inputs(self) -> tuple[Array, ...]:
        """What it takes, in order."""
        return self.signature.inputs

    @property
    def outputs(self) -> tuple[Array, ...]:
        """What it gives, in order."""
        return self.signature.outputs

    @property
    def resources(self) -> dict[str, int]:
        """Registers of a thread, and its bytes outside registers."""
        return self.program.resources(f"{self.signature.symbol}_batch")

    def batch(self, *arguments: Any, out: Any = None, **named: Any) -> Any:
        """Many instances. One output comes back as an array, several as a tuple; `out` takes arrays to fill."""
        values = completed(self.inputs, self._at_hand, arguments, named, self.signature.name)
        count = counted_instances(self.inputs, values)
        given = [None] * len(self.outputs) if out is None else [out] if hasattr(out, "shape") else list(out)
        rooms = [room(array, count, one) for array, one in zip(self.outputs, given, strict=True)]
        taken = [passed(array, value) for array, value in zip(self.inputs, values, strict=True)]
        flat = (part for parts in (*taken, *rooms) for part in parts)
        self.program.launch(f"{self.signature.symbol}_batch", count, *flat)
        return shaped(self.outputs, [one for one, *_ in rooms], count)

    @cached_property
    def _at_hand(self) -> dict[str, Any]:
        """The defaults, on the device."""
        return {name: gpu().asarray(value) for name, value in self.defaults.items()}
