"""Workspace of one kernel call: arrays for its inputs and outputs, with a fixed table of their addresses."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from multiloop.kernels.kernel_call import Face, as_numbers, require_fit
from multiloop.kernels.lanes import flat


class Workspace:
    """Inputs as vectors, outputs in their shapes (`first` if there is only one), and the table of their addresses.

    `given` is the number of arguments of the last call, in order; all other inputs have their defaults. `out` are the
    caller's arrays of the last call, whose shapes have been checked. `views` are memory views of the inputs, which
    accept only the same number of floats.
    """

    __slots__ = ("addresses", "first", "given", "inputs", "out", "seen", "table", "views")

    def __init__(self, face: Face) -> None:
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

    def fill(self, face: Face, arguments: Sequence[Any], named: Mapping[str, Any]) -> None:
        """Set all inputs from arguments in order and by name; omitted inputs have their defaults."""
        self.given = -1  # until all inputs are set
        for place, value in zip(self.inputs, face.completed(arguments, named), strict=True):
            self.put(face, place, value)
        self.given = -1 if named else len(arguments)

    def put(self, face: Face, place: np.ndarray, given: Any) -> None:
        """Set one input: a number for all entries, a vector or a matrix; raises an error for other values."""
        if type(given) is not float:
            k = next(k for k, other in enumerate(self.inputs) if other is place)
            array, name = face.inputs[k], face.signature.name
            value = as_numbers(name, array, given)
            require_fit(name, array, value.shape)
            given = flat(value)
        place[...] = given
