"""Room for one call of a kernel: arrays for its inputs and outputs, at addresses that are written down once."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from multiloop.kernels.kernel_call import Face, as_numbers, require_fit
from multiloop.kernels.lanes import flat


class Workspace:
    """Inputs as vectors, outputs as they are shown; `given` arguments were filled in last, all others are defaults."""

    __slots__ = ("first", "given", "inputs", "kept", "seen", "table")

    def __init__(self, face: Face) -> None:
        self.inputs = [np.zeros(array.size) for array in face.inputs]
        outputs = [np.zeros(array.size) for array in face.outputs]
        self.seen = [
            room if array.columns == 1 else room.reshape(array.columns, array.rows).T
            for array, room in zip(face.outputs, outputs, strict=True)
        ]
        self.first = self.seen[0] if len(self.seen) == 1 else None
        addresses = [array.ctypes.data for array in (*self.inputs, *outputs)]
        self.kept = (ctypes.c_void_p * len(addresses))(*addresses)
        self.table = ctypes.addressof(self.kept)
        self.given = -1

    def fill(self, face: Face, arguments: Sequence[Any], named: Mapping[str, Any]) -> None:
        """Put arguments in their places, in order and by name; inputs left out are at their defaults."""
        self.given = -1  # until all of them are in place
        name = face.signature.name
        values = face.completed(arguments, named)
        for array, room, given in zip(face.inputs, self.inputs, values, strict=True):
            value = as_numbers(name, array, given)
            require_fit(name, array, value.shape)
            room[:] = flat(value)
        self.given = -1 if named else len(arguments)
