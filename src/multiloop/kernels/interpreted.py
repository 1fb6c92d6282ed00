"""The same calls without machine code: CasADi's interpreter, for machines without a compiler and as cross-check."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from multiloop.kernels.build import Recipe, dense
from multiloop.kernels.lanes import counted_instances, rooms, shaped
from multiloop.kernels.signature import Array, Signature


class Interpreted:
    """A traced function called as a `Kernel` is."""

    width = 1

    def __init__(self, recipe: Recipe, defaults: Mapping[str, np.ndarray] | None = None) -> None:
        self.recipe = recipe
        self.signature: Signature = dense(recipe.traced)[0]
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
    def operations(self) -> int:
        """Scalar operations of one evaluation."""
        return self.recipe.lowered[1].total

    def __call__(self, *arguments: Any, out: Any = None, **named: Any) -> Any:
        """One instance."""
        answers = self.recipe.traced(*self._shaped(arguments, named))
        outputs = zip(self.outputs, answers, strict=True)
        found = [a.reshape(array.rows, array.columns) if array.columns > 1 else a for array, a in outputs]
        if out is not None:
            for room, answer in zip([out] if isinstance(out, np.ndarray) else out, found, strict=True):
                room[...] = answer
            return out
        return found[0] if len(found) == 1 else tuple(found)

    def _shaped(self, arguments: Sequence[Any], named: Mapping[str, Any]) -> list[np.ndarray]:
        given = dict(zip([array.name for array in self.inputs], arguments, strict=False)) | dict(named)
        values = []
        for array in self.inputs:
            value = np.asarray(given.get(array.name, self.defaults.get(array.name, 0.0)), float)
            value = np.broadcast_to(value, array.size) if value.size == 1 else value
            values.append(value.reshape((array.rows, array.columns), order="F"))
        return values

    def batch(self, *arguments: Any, out: Any = None, threads: int | None = None, **named: Any) -> Any:
        """Many instances, one after another."""
        given = dict(zip([array.name for array in self.inputs], arguments, strict=False)) | dict(named)
        values = [given.get(array.name, self.defaults.get(array.name, 0.0)) for array in self.inputs]
        count = counted_instances(self.inputs, values)
        answers = rooms(self.outputs, out, count)
        for t in range(count):
            one = [
                np.asarray(value)[..., t] if np.ndim(value) > (1 if array.columns == 1 else 2) else value
                for array, value in zip(self.inputs, values, strict=True)
            ]
            for array, room, answer in zip(
                self.outputs, answers, self.recipe.traced(*self._shaped(one, {})), strict=True
            ):
                room[: array.size, t] = np.ravel(answer, order="F")
        return shaped(self.outputs, answers, count)

    def __repr__(self) -> str:
        takes = ", ".join(f"{array.name} ({array.size})" for array in self.inputs if array.size)
        gives = ", ".join(f"{array.name} ({array.size})" for array in self.outputs if array.size)
        return f"Kernel '{self.signature.name}' of {takes}, giving {gives}: interpreted, {self.operations} operations."
