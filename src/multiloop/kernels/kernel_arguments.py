"""Arguments and results of kernels on any backend: names, defaults, shapes, and arrays of many instances.

Theory: docs/theory/14-compiled-kernels.md, eq. (14.4).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from numbers import Real
from typing import Any, ClassVar

import numpy as np

from multiloop.kernels.codegen.compiler import processor_count


@dataclass(frozen=True)
class Array:
    """One input or output: its name and shape; entries are stored column by column."""

    name: str
    rows: int
    columns: int

    @property
    def size(self) -> int:
        """Number of entries."""
        return self.rows * self.columns


@dataclass(frozen=True)
class Signature:
    """A kernel's name, its inputs and its outputs.

    There are three functions in C: `NAME(const double *q, …, double *out_a, …)` computes one instance,
    `NAME_at(double **)` the same with all addresses in one array, and `NAME_batch` many instances.
    """

    name: str
    inputs: tuple[Array, ...]
    outputs: tuple[Array, ...]

    @property
    def symbol(self) -> str:
        """Name in C, with a prefix that avoids reserved words."""
        return f"ml_{self.name}"

    @property
    def arguments(self) -> str:
        """The parameter list in C."""
        taken = [f"const double *restrict {array.name}" for array in self.inputs]
        given = [f"double *restrict out_{array.name}" for array in self.outputs]
        return ", ".join([*taken, *given])

    @property
    def call_arguments(self) -> str:
        """The argument list of a call in C."""
        return ", ".join([*(a.name for a in self.inputs), *(f"out_{a.name}" for a in self.outputs)])

    def to_data(self) -> dict[str, object]:
        """The signature as plain data for a file."""
        return {
            "name": self.name,
            "inputs": [[a.name, a.rows, a.columns] for a in self.inputs],
            "outputs": [[a.name, a.rows, a.columns] for a in self.outputs],
        }

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Signature:
        """The signature from the data of `to_data`."""
        inputs = tuple(Array(*row) for row in data["inputs"])
        return cls(data["name"], inputs, tuple(Array(*row) for row in data["outputs"]))


class KernelInterface:
    """Base class of kernels: inputs in order or by name, with default values; one output or a tuple of outputs."""

    backend_text: ClassVar[str]
    """Description of the backend, for `repr`."""

    def __init__(self, signature: Signature, defaults: Mapping[str, np.ndarray] | None = None) -> None:
        self.signature = signature
        self.defaults = {name: np.asarray(value, float) for name, value in (defaults or {}).items()}

    @property
    def inputs(self) -> tuple[Array, ...]:
        """Inputs in order."""
        return self.signature.inputs

    @property
    def outputs(self) -> tuple[Array, ...]:
        """Outputs in order."""
        return self.signature.outputs

    @property
    def operations(self) -> int | None:
        """Number of scalar operations of one evaluation, or None if unknown."""
        return None

    def complete_inputs(self, given: Sequence[Any], named: Mapping[str, Any]) -> list[Any]:
        """A value for each input."""
        return complete_arguments(self.signature.name, self.inputs, self.defaults, given, named)

    def input_arrays(self, given: Sequence[Any], named: Mapping[str, Any]) -> list[np.ndarray]:
        """A value for each input as an array of numbers, in the shape given."""
        values = self.complete_inputs(given, named)
        return [as_numbers(self.signature.name, *pair) for pair in zip(self.inputs, values, strict=True)]

    def __repr__(self) -> str:
        takes, gives = (
            ", ".join(f"{array.name} ({array.size})" for array in arrays if array.size)
            for arrays in (self.inputs, self.outputs)
        )
        details = f"of {takes}, giving {gives}" if takes else f"giving {gives}"
        size = "" if self.operations is None else f"{self.operations} operations "
        return f"Kernel '{self.signature.name}' {details}: {size}{self.backend_text}."


def complete_arguments(
    kernel: str,
    inputs: Sequence[Array],
    defaults: Mapping[str, Any],
    given: Sequence[Any],
    named: Mapping[str, Any],
) -> list[Any]:
    """A value for each input of a kernel: as given in order or by name, else its default, else zero."""
    names = [array.name for array in inputs]
    wrong = [name for name in named if name not in names]
    if wrong or len(given) > len(names):
        details = f"'{wrong[0]}'" if wrong else f"{len(given)} inputs"
        raise TypeError(f"kernel '{kernel}' takes {', '.join(names)}, not {details}")
    values = dict(zip(names, given, strict=False))
    twice = [name for name in named if name in values]
    if twice:
        raise TypeError(f"kernel '{kernel}' is given '{twice[0]}' twice, in order and by name")
    values |= named
    return [values.get(name, defaults.get(name, 0.0)) for name in names]


def as_numbers(kernel: str, array: Array, value: Any) -> np.ndarray:
    """A value as an array of numbers; rejects None and strings, which NumPy would convert to NaN or parse."""
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        raise TypeError(f"'{array.name}' of kernel '{kernel}' takes numbers, but some entries are masked")
    try:
        found = np.asarray(value)
    except ValueError:  # rows of different lengths
        raise TypeError(f"'{array.name}' of kernel '{kernel}' takes an array of numbers") from None
    if found.dtype.kind not in "fiub":
        entries = found.ravel().tolist()
        wrong = next((entry for entry in entries if not isinstance(entry, Real)), None)
        if wrong is not None or None in entries:
            remedy = "; give `kernels.pack(state)` for a State" if hasattr(wrong, "positions") else ""
            raise TypeError(f"'{array.name}' of kernel '{kernel}' takes numbers, not {wrong!r:.40}{remedy}")
    try:
        return found.astype(float, copy=False)
    except OverflowError:
        raise ValueError(
            f"'{array.name}' of kernel '{kernel}' has a number that is too large for a float"
        ) from None


def require_shape(kernel: str, array: Array, shape: tuple[int, ...], count: int | None = None) -> bool:
    """Raise an error if a value does not have the shape of its input; return whether it has one value per instance.

    A single number is used for all entries; a matrix may be given as a vector, column by column.
    """
    size = prod(shape)
    whole = (array.rows,) if array.columns == 1 else (array.rows, array.columns)
    own = count is not None and array.size > 0 and len(shape) == len(whole) + 1
    if own:
        fits = shape == (*whole, count)
    elif size == array.size > 0:
        fits = shape == whole or max(shape, default=1) == size
    else:
        fits = size in (1, array.size)
    if not fits:
        raise shape_error(kernel, array, shape, count)
    return own


def shape_error(kernel: str, array: Array, shape: tuple[int, ...], count: int | None) -> ValueError:
    """Error for a value that does not have the shape of its input."""
    named, size = f"'{array.name}' of kernel '{kernel}'", prod(shape)
    if count is None and size != array.size:
        return ValueError(f"{named} has {array.size} entries, {size} were given")
    whole = (array.rows,) if array.columns == 1 else (array.rows, array.columns)
    wanted = f"{whole}" if count is None else f"{(*whole, count)}, or {whole} for all instances"
    return ValueError(f"{named} has the shape {wanted}; {shape} was given")


OPERATIONS_PER_THREAD = 20_000_000
"""Scalar operations that justify a thread: they take 2 ms in vectors, and starting a thread takes 0.2 ms."""


def column_major(value: np.ndarray) -> np.ndarray:
    """Entries of a value column by column."""
    return np.ravel(value, order="F")


def instance_count(inputs: Sequence[Array], given: Sequence[Any]) -> int:
    """Number of instances in the arguments."""
    counts: set[int] = {
        np.shape(value)[-1]
        for array, value in zip(inputs, given, strict=True)
        if array.size and np.ndim(value) == (2 if array.columns == 1 else 3)
    }
    if len(counts) != 1 or 0 in counts:
        raise ValueError(
            f"all arguments of a batch need the same number of instances; they have {sorted(counts) or 'none'}"
        )
    return counts.pop()


def instance_array(
    kernel: str, array: Array, given: np.ndarray, count: int, width: int
) -> tuple[np.ndarray, int]:
    """An input as an array with one row per entry, and the step from one instance to the next.

    (entries, count) with step 1, or (entries, width) of equal numbers with step 0 if all instances share it.
    """
    own = require_shape(kernel, array, given.shape, count)
    if array.size == 0:
        return np.zeros((1, width)), 0
    if own:
        entries = given if array.columns == 1 else given.swapaxes(0, 1).reshape(array.size, count)
    else:
        entries = np.repeat(np.broadcast_to(column_major(given), array.size)[:, None], width, axis=1)
    return np.ascontiguousarray(entries), int(own)


def result_arrays(
    outputs: Sequence[Array], out: Any, count: int, empty: Callable[..., Any] = np.empty
) -> list[Any]:
    """Arrays (entries, count) for the results: those of the caller if their memory layout permits, else new ones."""
    if out is None:
        return [empty((array.size, count)) for array in outputs]
    found = []
    require_out_arrays(outputs, out, count)
    for array, room in zip(outputs, _as_list(out), strict=True):
        entries = _column_major_view(array, room)
        found.append(entries.reshape(-1, count) if entries.flags.c_contiguous else empty((array.size, count)))
    return found


def _as_list(out: Any) -> list[Any]:
    """The caller's arrays as a list, also if a single array is given."""
    return [out] if hasattr(out, "shape") else list(out)


def require_out_arrays(outputs: Sequence[Array], out: Any, count: int | None = None) -> None:
    """Raise an error if arrays do not fit the results of one instance, or of `count` instances."""
    given = _as_list(out)
    if len(given) != len(outputs):
        raise ValueError(f"out must hold {len(outputs)} arrays, one for each output, not {len(given)}")
    for array, room in zip(outputs, given, strict=True):
        _require_out_array(array, room, () if count is None else (count,))


def _require_out_array(array: Array, room: Any, instances: tuple[int, ...]) -> None:
    shape = (array.rows, *instances) if array.columns == 1 else (array.rows, array.columns, *instances)
    masked = isinstance(room, np.ma.MaskedArray)
    if getattr(room, "shape", None) != shape or room.dtype != np.float64 or masked:
        details = (
            f"{room.dtype} of shape {room.shape}" if hasattr(room, "shape") else f"a {type(room).__name__}"
        )
        details = f"a masked {details}" if masked else details
        raise ValueError(f"out for '{array.name}' must be float64 of shape {shape}, not {details}")
    if not getattr(room.flags, "writeable", True):
        raise ValueError(f"out for '{array.name}' cannot be written to")


def _column_major_view(array: Array, room: Any) -> Any:
    """View of a result array with its entries column by column, as kernels store them."""
    return room if array.columns == 1 else room.swapaxes(0, 1)


def shape_results(outputs: Sequence[Array], answers: Sequence[Any], count: int, out: Any = None) -> Any:
    """Results as (entries, count), matrices as (rows, columns, count); a single result without a tuple.

    Results that are not stored in the caller's `out` are copied there.
    """
    found = [
        a if array.columns == 1 else a.reshape(array.columns, array.rows, count).swapaxes(0, 1)
        for array, a in zip(outputs, answers, strict=True)
    ]
    if out is not None:
        for array, room, answer in zip(outputs, _as_list(out), found, strict=True):
            if not _column_major_view(array, room).flags.c_contiguous:
                room[...] = answer
        return out
    return found[0] if len(found) == 1 else tuple(found)


def thread_ranges(count: int, width: int, operations: int, threads: int | None) -> list[tuple[int, int]]:
    """Ranges of instances in whole vectors, one per thread: `threads` of them, else as many as the work justifies."""
    if threads is not None and (not isinstance(threads, int | np.integer) or threads < 1):
        raise ValueError(f"threads is {threads!s:.40}: give a number of threads, at least 1")
    workers = int(threads or 0) or max(1, min(processor_count(), count * operations // OPERATIONS_PER_THREAD))
    share = max(-(-count // workers), 1)
    share += -share % width
    return [(k, min(k + share, count)) for k in range(0, count, share)]
