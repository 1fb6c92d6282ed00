"""Arguments and results of kernels (compiled functions) on all backends: names, defaults, shapes, and batches.

A batch evaluates a kernel for many instances, that is for many sets of input values.

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
    """Name and shape of one input or output of a kernel; its entries are stored column by column."""

    name: str
    rows: int
    columns: int

    @property
    def size(self) -> int:
        """Number of entries."""
        return self.rows * self.columns


@dataclass(frozen=True)
class Signature:
    """Name, inputs and outputs of a kernel.

    The C code of a kernel has three functions: `NAME(const double *q, …, double *out_a, …)` computes one instance,
    `NAME_at(double **)` does the same with the addresses of all arguments in one array, and `NAME_batch` computes many
    instances.
    """

    name: str
    inputs: tuple[Array, ...]
    outputs: tuple[Array, ...]

    @property
    def symbol(self) -> str:
        """Name of the function in C: the kernel's name with a prefix, so that it is no reserved word."""
        return f"ml_{self.name}"

    @property
    def arguments(self) -> str:
        """Parameter list of the C function."""
        taken = [f"const double *restrict {array.name}" for array in self.inputs]
        given = [f"double *restrict out_{array.name}" for array in self.outputs]
        return ", ".join([*taken, *given])

    @property
    def call_arguments(self) -> str:
        """Argument list of a call of the C function with variables of the same names."""
        return ", ".join([*(a.name for a in self.inputs), *(f"out_{a.name}" for a in self.outputs)])

    def to_data(self) -> dict[str, object]:
        """The signature as a dictionary of lists, numbers and strings, which can be written as JSON."""
        return {
            "name": self.name,
            "inputs": [[a.name, a.rows, a.columns] for a in self.inputs],
            "outputs": [[a.name, a.rows, a.columns] for a in self.outputs],
        }

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Signature:
        """Create the signature from the dictionary that `to_data` returns."""
        inputs = tuple(Array(*row) for row in data["inputs"])
        return cls(data["name"], inputs, tuple(Array(*row) for row in data["outputs"]))


class KernelInterface:
    """Base class of kernels on all backends.

    Inputs are given in order or by name, and have default values. A call returns one output, or a tuple of outputs.
    """

    backend_text: ClassVar[str]
    """Description of the backend, for `repr`."""

    def __init__(self, signature: Signature, defaults: Mapping[str, np.ndarray] | None = None) -> None:
        self.signature = signature
        self.defaults = {name: np.asarray(value, float) for name, value in (defaults or {}).items()}

    @property
    def inputs(self) -> tuple[Array, ...]:
        """Names and shapes of the inputs, in the order of the arguments."""
        return self.signature.inputs

    @property
    def outputs(self) -> tuple[Array, ...]:
        """Names and shapes of the outputs, in the order of the results."""
        return self.signature.outputs

    @property
    def operations(self) -> int | None:
        """Number of scalar operations of one evaluation, or None if unknown."""
        return None

    def complete_inputs(self, given: Sequence[Any], named: Mapping[str, Any]) -> list[Any]:
        """Values of all inputs in order: arguments given in order or by name, else default values."""
        return complete_arguments(self.signature.name, self.inputs, self.defaults, given, named)

    def input_arrays(self, given: Sequence[Any], named: Mapping[str, Any]) -> list[np.ndarray]:
        """Values of all inputs in order as arrays of floats, which keep the shapes of the arguments."""
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
    """Values of all inputs of a kernel: arguments given in order or by name, else default values, else zero."""
    names = [array.name for array in inputs]
    wrong = [name for name in named if name not in names]
    if wrong or len(given) > len(names):
        details = f" and no input '{wrong[0]}'" if wrong else f", but {len(given)} were given"
        raise TypeError(f"kernel '{kernel}' has the inputs {', '.join(names)}{details}")
    values = dict(zip(names, given, strict=False))
    twice = [name for name in named if name in values]
    if twice:
        raise TypeError(f"kernel '{kernel}' is given '{twice[0]}' twice, in order and by name")
    values |= named
    return [values.get(name, defaults.get(name, 0.0)) for name in names]


def as_numbers(kernel: str, array: Array, value: Any) -> np.ndarray:
    """Convert an input to an array of floats.

    None and strings raise an error, although NumPy would convert them to NaN or parse them.
    """
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        raise TypeError(f"'{array.name}' of kernel '{kernel}' takes numbers, but some entries are masked")
    try:
        found = np.asarray(value)
    except ValueError:  # rows of different lengths
        raise TypeError(
            f"'{array.name}' of kernel '{kernel}' takes an array of numbers, not rows of different lengths"
        ) from None
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
    """Raise an error if the array given for an input has a wrong shape.

    `count` is the number of instances. Returns whether the array has values for each instance (along its last axis).
    A single number is used for all entries; a matrix may be given as a vector of its columns.
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
    """Error that an input has a wrong shape."""
    named, size = f"'{array.name}' of kernel '{kernel}'", prod(shape)
    if count is None and size != array.size:
        return ValueError(f"{named} must have {array.size} entries; {size} were given")
    whole = (array.rows,) if array.columns == 1 else (array.rows, array.columns)
    wanted = f"{whole}" if count is None else f"{(*whole, count)}, or {whole} for all instances"
    return ValueError(f"{named} must have the shape {wanted}; {shape} was given")


OPERATIONS_PER_THREAD = 20_000_000
"""Number of scalar operations for which one more thread is started. They take 2 ms with vector instructions, and
starting a thread takes 0.2 ms."""


def column_major(value: np.ndarray) -> np.ndarray:
    """Entries of an array as a vector, column by column."""
    return np.ravel(value, order="F")


def instance_count(inputs: Sequence[Array], given: Sequence[Any]) -> int:
    """Number of instances in the arguments of a batch; raises an error if they do not all have the same number."""
    counts: set[int] = {
        np.shape(value)[-1]
        for array, value in zip(inputs, given, strict=True)
        if array.size and np.ndim(value) == (2 if array.columns == 1 else 3)
    }
    if not counts:
        raise ValueError(
            "no argument of the batch has values for several instances: give at least one as an array (entries, count)"
        )
    if len(counts) > 1 or 0 in counts:
        raise ValueError(
            f"all arguments of a batch need the same number of instances, at least 1; they have {sorted(counts)}"
        )
    return counts.pop()


def instance_array(
    kernel: str, array: Array, given: np.ndarray, count: int, width: int
) -> tuple[np.ndarray, int]:
    """Values of an input of a batch with one row per entry, and the step in a row from one instance to the next.

    The array is (entries, count) with step 1 if each instance has its own values. If all instances share the values, it
    is (entries, width) with equal numbers in each row, and step 0.
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
    """Arrays (entries, count) into which the results of a batch are written.

    They are views of the caller's arrays `out` if their memory layout permits, else new arrays from `empty`.
    """
    if out is None:
        return [empty((array.size, count)) for array in outputs]
    found = []
    require_out_arrays(outputs, out, count)
    for array, room in zip(outputs, _as_list(out), strict=True):
        entries = _column_major_view(array, room)
        found.append(entries.reshape(-1, count) if entries.flags.c_contiguous else empty((array.size, count)))
    return found


def _as_list(out: Any) -> list[Any]:
    """The caller's result arrays as a list; a single array becomes a list of one."""
    return [out] if hasattr(out, "shape") else list(out)


def require_out_arrays(outputs: Sequence[Array], out: Any, count: int | None = None) -> None:
    """Raise an error if the arrays `out` do not have the shapes and types of the results.

    The results are those of one instance, or of `count` instances.
    """
    given = _as_list(out)
    if len(given) != len(outputs):
        raise ValueError(f"out must contain one array per output, {len(outputs)} in total, not {len(given)}")
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
        raise ValueError(f"out for '{array.name}' must be a float64 array of shape {shape}, not {details}")
    if not getattr(room.flags, "writeable", True):
        raise ValueError(f"out for '{array.name}' cannot be written to")


def _column_major_view(array: Array, result: Any) -> Any:
    """View of a result array whose entries are in the order in which kernels store them, column by column."""
    return result if array.columns == 1 else result.swapaxes(0, 1)


def shape_results(outputs: Sequence[Array], answers: Sequence[Any], count: int, out: Any = None) -> Any:
    """Results of a batch in the shapes that the caller receives.

    Vectors are (entries, count), matrices (rows, columns, count); several results are returned as a tuple. Results that
    were not computed in the memory of the caller's arrays `out` are copied into these.
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
    """Split `count` instances into one range (first, end) per thread, each of whole vectors of `width` instances.

    Without `threads`, the number of threads follows from the number of `operations` per instance.
    """
    if threads is not None and (not isinstance(threads, int | np.integer) or threads < 1):
        raise ValueError(f"threads is {threads!s:.40}: give a number of threads, at least 1")
    workers = int(threads or 0) or max(1, min(processor_count(), count * operations // OPERATIONS_PER_THREAD))
    share = max(-(-count // workers), 1)
    share += -share % width
    return [(k, min(k + share, count)) for k in range(0, count, share)]
