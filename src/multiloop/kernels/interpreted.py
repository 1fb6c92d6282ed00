"""The same calls without machine code: CasADi's interpreter, for machines without a compiler and as cross-check."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from multiloop.kernels.build import Recipe, dense
from multiloop.kernels.kernel_call import Face, misfit
from multiloop.kernels.lanes import counted_instances, rooms, shaped


class Interpreted(Face):
    """A traced function called as a `Kernel` is."""

    runs = "by the interpreter"
    width = 1

    def __init__(self, recipe: Recipe, defaults: Mapping[str, np.ndarray] | None = None) -> None:
        self.recipe = recipe
        super().__init__(dense(recipe.traced)[0], defaults)

    @property
    def operations(self) -> int:
        """Scalar operations of one evaluation."""
        return self.recipe.lowered[1].total

    def __call__(self, *arguments: Any, out: Any = None, **named: Any) -> Any:
        """One instance."""
        answers = self.recipe.traced(*self._shaped(self.completed(arguments, named)))
        outputs = zip(self.outputs, answers, strict=True)
        found = [a.reshape(array.rows, array.columns) if array.columns > 1 else a for array, a in outputs]
        if out is not None:
            for room, answer in zip([out] if isinstance(out, np.ndarray) else out, found, strict=True):
                room[...] = answer
            return out
        return found[0] if len(found) == 1 else tuple(found)

    def _shaped(self, given: Sequence[Any]) -> list[np.ndarray]:
        """Vectors and matrices; one number stands for all entries."""
        values = []
        for array, one in zip(self.inputs, given, strict=True):
            value = np.asarray(one, float)
            if value.size not in (1, array.size):
                raise misfit(self.signature.name, array, value)
            value = np.broadcast_to(value, array.size) if value.size == 1 else value
            values.append(value.reshape((array.rows, array.columns), order="F"))
        return values

    def batch(self, *arguments: Any, out: Any = None, threads: int | None = None, **named: Any) -> Any:
        """Many instances, one after another."""
        values = self.completed(arguments, named)
        count = counted_instances(self.inputs, values)
        answers = rooms(self.outputs, out, count)
        for t in range(count):
            one = [
                np.asarray(value)[..., t] if np.ndim(value) > (1 if array.columns == 1 else 2) else value
                for array, value in zip(self.inputs, values, strict=True)
            ]
            for array, room, answer in zip(
                self.outputs, answers, self.recipe.traced(*self._shaped(one)), strict=True
            ):
                room[: array.size, t] = np.ravel(answer, order="F")
        return shaped(self.outputs, answers, count, out)
