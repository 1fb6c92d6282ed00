"""Script that calls the trial library of a C compiler, in a separate process because a faulty library may crash it."""

from __future__ import annotations

import ctypes
import sys
from pathlib import Path


def evaluate(library: str, given: bytes, entries: int, count: int, answers: int) -> bytes:
    """Outputs of all instances, computed one instance at a time, followed by those computed for many at once.

    `given` are the inputs as bytes of doubles, `entries` × `count` for `count` instances. Each of the two parts of the
    result has `answers` × `count` doubles, where `answers` is the number of outputs of one instance.
    """
    loaded = ctypes.CDLL(library)
    x = (ctypes.c_double * (entries * count)).from_buffer_copy(given)
    single = (ctypes.c_double * (answers * count))()
    many = (ctypes.c_double * (answers * count))()
    its = (ctypes.c_double * answers)()
    for instance in range(count):
        one = (ctypes.c_double * entries)(*x[instance::count])
        loaded.ml_trial_at(_table(one, its))
        for number in range(answers):
            single[number * count + instance] = its[number]
    strides, steps = (ctypes.c_long * 2)(count, count), (ctypes.c_long * 2)(1, 1)
    loaded.ml_trial_many_batch(ctypes.c_long(0), ctypes.c_long(count), strides, steps, _table(x, many))
    return bytes(single) + bytes(many)


def _table(*arrays: ctypes.Array[ctypes.c_double]) -> ctypes.Array[ctypes.c_void_p]:
    """C array of the addresses of arrays, the argument that kernels expect."""
    return (ctypes.c_void_p * len(arrays))(*(ctypes.addressof(array) for array in arrays))


if __name__ == "__main__":
    path, x_file, y_file, *sizes = sys.argv[1:]
    Path(y_file).write_bytes(evaluate(path, Path(x_file).read_bytes(), *map(int, sizes)))
