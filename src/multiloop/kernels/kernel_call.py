"""What every kernel shows its caller, whatever it runs on: names, shapes, defaults, and a sentence about itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from multiloop.kernels.signature import Array, Signature


class Face:
    """Inputs in order or by name, those left out at their defaults; one output or a tuple of them."""

    runs: ClassVar[str]
    """How it runs, in words."""

    def __init__(self, signature: Signature, defaults: Mapping[str, np.ndarray] | None = None) -> None:
        self.signature = signature
        self.defaults = {name: np.asarray(value, float) for name, value in (defaults or {}).items()}

    @property
    def inputs(self) -> tuple[Array, ...]:
        """What it takes, in order."""
        return self.signature.inputs

    @property
    def outputs(self) -> tuple[Array, ...]:
        """What it gives, in order."""
        return self.signature.outputs

    @property
    def operations(self) -> int | None:
        """Scalar operations of one evaluation; None where nobody has counted them."""
        return None

    def completed(self, given: Sequence[Any], named: Mapping[str, Any]) -> list[Any]:
        """A value for every input."""
        return completed(self.signature.name, self.inputs, self.defaults, given, named)

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
    """A value for every input of a kernel: as given in order or by name, at its default, or zero."""
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


def misfit(kernel: str, array: Array, value: np.ndarray) -> ValueError:
    """The error of an argument with another number of entries than its input."""
    return ValueError(
        f"'{array.name}' of kernel '{kernel}' has {array.size} entries, {value.size} were given"
    )
