"""Kernels evaluated by CasADi's interpreter, for machines without a compiler and for cross-checks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from multiloop.kernels.kernel_call import Face, require_fit
from multiloop.kernels.lanes import counted_instances, require_rooms, rooms, shaped
from multiloop.kernels.recipe import Recipe, signature_of
from multiloop.kernels.signature import Array


class Interpreted(Face):
    """A traced function with the interface of `Kernel`, evaluated by CasADi's interpreter."""

    runs = "by the interpreter"
    width = 1

    def __init__(self, recipe: Recipe, defaults: Mapping[str, np.ndarray] | None = None) -> None:
        self.recipe = recipe
        super().__init__(signature_of(recipe.traced), defaults)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the recipe; another process interprets the same function."""
        return Interpreted, (self.recipe, self.defaults)

    @property
    def operations(self) -> int:
        """Number of scalar operations of one evaluation."""
        return self.recipe.lowered[1].total

    def __call__(self, *arguments: Any, out: Any = None, **named: Any) -> Any:
        """Evaluate one instance."""
        answers = self.recipe.traced(*self._shaped(self.numbers(arguments, named)))
        outputs = zip(self.outputs, answers, strict=True)
        found = [a.reshape(array.rows, array.columns) if array.columns > 1 else a for array, a in outputs]
        if out is not None:
            require_rooms(self.outputs, out)
            for room, answer in zip([out] if isinstance(out, np.ndarray) else out, found, strict=True):
                room[...] = answer
            return out
        return found[0] if len(found) == 1 else tuple(found)

    def batch(self, *arguments: Any, out: Any = None, threads: int | None = None, **named: Any) -> Any:
        """Evaluate many instances, one after another."""
        values = self.numbers(arguments, named)
        count = counted_instances(self.inputs, values)
        answers = rooms(self.outputs, out, count)
        own = [self._fits(array, value, count) for array, value in zip(self.inputs, values, strict=True)]
        for t in range(count):
            one = [value[..., t] if each else value for value, each in zip(values, own, strict=True)]
            found = self.recipe.traced(*self._shaped(one))
            for array, room, answer in zip(self.outputs, answers, found, strict=True):
                room[: array.size, t] = np.ravel(answer, order="F")
        return shaped(self.outputs, answers, count, out)

    def _fits(self, array: Array, value: np.ndarray, count: int | None = None) -> bool:
        return require_fit(self.signature.name, array, value.shape, count)

    def _shaped(self, given: Sequence[np.ndarray]) -> list[np.ndarray]:
        """Inputs as vectors and matrices; a single number is used for all entries."""
        found = []
        for array, value in zip(self.inputs, given, strict=True):
            self._fits(array, value)
            entries = np.broadcast_to(value.ravel(), array.size) if value.size == 1 else value
            found.append(entries.reshape((array.rows, array.columns), order="F"))
        return found
