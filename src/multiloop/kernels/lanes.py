"""Many instances side by side: how arrays of them are read, shared, divided and returned."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from multiloop.kernels.compiler import processors
from multiloop.kernels.signature import Array

THREADED = 4096
"""Instances from which a batch is shared among threads."""

LEAST = 1024
"""Instances that are worth a thread."""


def flat(value: np.ndarray) -> np.ndarray:
    """Entries column by column."""
    return np.ravel(value, order="F")


def counted_instances(inputs: Sequence[Array], given: Sequence[Any]) -> int:
    """How many instances the arguments hold."""
    counts = {
        np.shape(value)[-1]
        for array, value in zip(inputs, given, strict=True)
        if array.size and np.ndim(value) == (2 if array.columns == 1 else 3)
    }
    if len(counts) != 1 or 0 in counts:
        raise ValueError(
            f"a batch needs one number of instances, the arguments have {sorted(counts) or 'none'}"
        )
    return counts.pop()


def lanes(array: Array, value: Any, width: int) -> tuple[np.ndarray, int]:
    """An input as rows of lanes, and the step from one instance to the next.

    (entries, count) with step 1, or (entries, width) of equal numbers with step 0 where all instances share it.
    """
    given = np.asarray(value, float)
    if array.size == 0:
        return np.zeros((1, width)), 0
    own = given.ndim == (2 if array.columns == 1 else 3)
    if own and array.columns > 1:
        given = given.swapaxes(0, 1).reshape(array.size, -1)
    if not own:
        entries = np.broadcast_to(given.ravel(), array.size) if given.size == 1 else flat(given)
        given = np.repeat(entries[:, None], width, axis=1)
    if given.shape[0] != array.size:
        raise ValueError(f"'{array.name}' has {array.size} entries, {given.shape[0]} were given")
    return np.ascontiguousarray(given), int(own)


def rooms(outputs: Sequence[Array], out: Any, count: int) -> list[np.ndarray]:
    """Arrays for the answers: the caller's, when they fit, or new ones."""
    if out is None:
        return [np.empty((array.size, count)) for array in outputs]
    given = [out] if isinstance(out, np.ndarray) else list(out)
    for array, room in zip(outputs, given, strict=True):
        if room.size != array.size * count or not room.flags.c_contiguous or room.dtype != np.float64:
            shape = f"({array.size}, {count})"
            raise ValueError(f"out for '{array.name}' must be a contiguous array of doubles of shape {shape}")
    return [room.reshape(-1, count) for room in given]


def shaped(outputs: Sequence[Array], answers: Sequence[np.ndarray], count: int) -> Any:
    """Answers as (entries, count), matrices as (rows, columns, count); a single one by itself."""
    found = [
        a if array.columns == 1 else a.reshape(array.columns, array.rows, count).swapaxes(0, 1)
        for array, a in zip(outputs, answers, strict=True)
    ]
    return found[0] if len(found) == 1 else tuple(found)


def shares(count: int, width: int, threads: int | None) -> list[tuple[int, int]]:
    """Equal shares of the instances in whole vectors, one a thread."""
    if threads is not None and (not isinstance(threads, int) or threads < 1):
        raise ValueError(f"threads is {threads!r}: give a number of threads, at least 1")
    workers = threads or (processors() if count >= THREADED else 1)
    workers = min(workers, count // LEAST + 1)
    share = max(-(-count // workers), 1)
    share += -share % width
    return [(k, min(k + share, count)) for k in range(0, count, share)]
