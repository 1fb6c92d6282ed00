"""Interface common to kernels of all backends: names, shapes and default values of inputs and outputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from numbers import Real
from typing import Any, ClassVar

import numpy as np

from multiloop.kernels.signature import Array, Signature


class Face:
    """Base class of kernels: inputs in order or by name, with default values; one output or a tuple of outputs."""

    runs: ClassVar[str]
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

    def completed(self, given: Sequence[Any], named: Mapping[str, Any]) -> list[Any]:
        """A value for each input."""
        return completed(self.signature.name, self.inputs, self.defaults, given, named)

    def numbers(self, given: Sequence[Any], named: Mapping[str, Any]) -> list[np.ndarray]:
        """A value for each input as an array of numbers, in the shape given."""
        values = self.completed(given, named)
        return [as_numbers(self.signature.name, *pair) for pair in zip(self.inputs, values, strict=True)]

    def __repr__(self) -> str:
        takes, gives = (
            ", ".join(f"{array.name} ({array.size})" for array in arrays if array.size)
            for arrays in (self.inputs, self.outputs)
        )
        told = f"of {takes}, giving {gives}" if takes else f"giving {gives}"
        size = "" if self.operations is None else f"{self.operations} operations "
        return f"Kernel '{self.signature.name}' {told}: {size}{self.runs}."


def completed(
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
        told = f"'{wrong[0]}'" if wrong else f"{len(given)} inputs"
        raise TypeError(f"kernel '{kernel}' takes {', '.join(names)}, not {told}")
    values = dict(zip(names, given, strict=False))
    twice = [name for name in named if name in values]
    if twice:
        raise TypeError(f"kernel '{kernel}' is given '{twice[0]}' twice, in order and by name")
    values |= named
    return [values.get(name, defaults.get(name, 0.0)) for name in names]


def as_numbers(kernel: str, array: Array, value: Any) -> np.ndarray:
    """A value as an array of numbers; rejects None and strings, which NumPy would convert to NaN or parse."""
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        raise TypeError(
            f"'{array.name}' of kernel '{kernel}' takes numbers, and some of its entries are masked"
        )
    try:
        found = np.asarray(value)
    except ValueError:  # rows of different lengths
        raise TypeError(f"'{array.name}' of kernel '{kernel}' takes an array of numbers") from None
    if found.dtype.kind not in "fiub":
        entries = found.ravel().tolist()
        wrong = next((entry for entry in entries if not isinstance(entry, Real)), None)
        if wrong is not None or None in entries:
            raise TypeError(f"'{array.name}' of kernel '{kernel}' takes numbers, not {wrong!r:.40}")
    try:
        return found.astype(float, copy=False)
    except OverflowError:
        raise ValueError(f"'{array.name}' of kernel '{kernel}' is given a number beyond all bounds") from None


def require_fit(kernel: str, array: Array, shape: tuple[int, ...], count: int | None = None) -> bool:
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
        raise misfit(kernel, array, shape, count)
    return own


def misfit(kernel: str, array: Array, shape: tuple[int, ...], count: int | None) -> ValueError:
    """Error for a value that does not have the shape of its input."""
    named, size = f"'{array.name}' of kernel '{kernel}'", prod(shape)
    if count is None and size != array.size:
        return ValueError(f"{named} has {array.size} entries, {size} were given")
    whole = (array.rows,) if array.columns == 1 else (array.rows, array.columns)
    wanted = f"{whole}" if count is None else f"{(*whole, count)}, or {whole} for all instances"
    return ValueError(f"{named} has the shape {wanted}; {shape} was given")
