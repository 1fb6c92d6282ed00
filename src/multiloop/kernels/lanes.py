"""Arrays of many instances: how they are read, shared, divided between threads and returned."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from multiloop.kernels.compiler import processors
from multiloop.kernels.kernel_call import require_fit
from multiloop.kernels.signature import Array

LEAST = 20_000_000
"""Scalar operations that justify a thread: they take 2 ms in vectors, and starting a thread takes 0.2 ms."""


def flat(value: np.ndarray) -> np.ndarray:
    """Entries of a value column by column."""
    return np.ravel(value, order="F")


def counted_instances(inputs: Sequence[Array], given: Sequence[Any]) -> int:
    """Number of instances in the arguments."""
    counts: set[int] = {
        np.shape(value)[-1]
        for array, value in zip(inputs, given, strict=True)
        if array.size and np.ndim(value) == (2 if array.columns == 1 else 3)
    }
    if len(counts) != 1 or 0 in counts:
        raise ValueError(
            f"a batch needs one number of instances, the arguments have {sorted(counts) or 'none'}"
        )
    return counts.pop()


def lanes(kernel: str, array: Array, given: np.ndarray, count: int, width: int) -> tuple[np.ndarray, int]:
    """An input as an array with one row per entry, and the step from one instance to the next.

    (entries, count) with step 1, or (entries, width) of equal numbers with step 0 if all instances share it.
    """
    own = require_fit(kernel, array, given.shape, count)
    if array.size == 0:
        return np.zeros((1, width)), 0
    if own:
        entries = given if array.columns == 1 else given.swapaxes(0, 1).reshape(array.size, count)
    else:
        entries = np.repeat(np.broadcast_to(flat(given), array.size)[:, None], width, axis=1)
    return np.ascontiguousarray(entries), int(own)


def rooms(outputs: Sequence[Array], out: Any, count: int, empty: Callable[..., Any] = np.empty) -> list[Any]:
    """Arrays (entries, count) for the results: those of the caller if their memory layout permits, else new ones."""
    if out is None:
        return [empty((array.size, count)) for array in outputs]
    found = []
    require_rooms(outputs, out, count)
    for array, room in zip(outputs, _listed(out), strict=True):
        entries = _entries(array, room)
        found.append(entries.reshape(-1, count) if entries.flags.c_contiguous else empty((array.size, count)))
    return found


def _listed(out: Any) -> list[Any]:
    """The caller's arrays as a list, also if there is only one."""
    return [out] if hasattr(out, "shape") else list(out)


def require_rooms(outputs: Sequence[Array], out: Any, count: int | None = None) -> None:
    """Raise an error if arrays do not fit the results of one instance, or of `count` instances."""
    given = _listed(out)
    if len(given) != len(outputs):
        raise ValueError(f"out must hold {len(outputs)} arrays, one for each answer, not {len(given)}")
    for array, room in zip(outputs, given, strict=True):
        _require_room(array, room, () if count is None else (count,))


def _require_room(array: Array, room: Any, instances: tuple[int, ...]) -> None:
    shape = (array.rows, *instances) if array.columns == 1 else (array.rows, array.columns, *instances)
    masked = isinstance(room, np.ma.MaskedArray)
    if getattr(room, "shape", None) != shape or room.dtype != np.float64 or masked:
        told = f"{room.dtype} of shape {room.shape}" if hasattr(room, "shape") else f"a {type(room).__name__}"
        told = f"a masked {told}" if masked else told
        raise ValueError(f"out for '{array.name}' must be float64 of shape {shape}, not {told}")
    if not getattr(room.flags, "writeable", True):
        raise ValueError(f"out for '{array.name}' cannot be written to")


def _entries(array: Array, room: Any) -> Any:
    """View of a result array with its entries column by column, as kernels store them."""
    return room if array.columns == 1 else room.swapaxes(0, 1)


def shaped(outputs: Sequence[Array], answers: Sequence[Any], count: int, out: Any = None) -> Any:
    """Results as (entries, count), matrices as (rows, columns, count); a single result without a tuple.

    Results that are not stored in the caller's `out` are copied there.
    """
    found = [
        a if array.columns == 1 else a.reshape(array.columns, array.rows, count).swapaxes(0, 1)
        for array, a in zip(outputs, answers, strict=True)
    ]
    if out is not None:
        for array, room, answer in zip(outputs, _listed(out), found, strict=True):
            if not _entries(array, room).flags.c_contiguous:
                room[...] = answer
        return out
    return found[0] if len(found) == 1 else tuple(found)


def shares(count: int, width: int, operations: int, threads: int | None) -> list[tuple[int, int]]:
    """Ranges of instances in whole vectors, one per thread: `threads` of them, else as many as the work justifies."""
    if threads is not None and (not isinstance(threads, int | np.integer) or threads < 1):
        raise ValueError(f"threads is {threads!s:.40}: give a number of threads, at least 1")
    workers = int(threads or 0) or max(1, min(processors(), count * operations // LEAST))
    share = max(-(-count // workers), 1)
    share += -share % width
    return [(k, min(k + share, count)) for k in range(0, count, share)]
