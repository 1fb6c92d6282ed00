"""An algorithm run once on symbols: a function with named inputs and outputs that can be asked, counted, derived."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import casadi as ca
import numpy as np

from multiloop.symbols.tape import Tape


class Traced:
    """A traced function. Call it with arrays in the order of `inputs`; it answers with a list of arrays.

    Vectors come back one-dimensional, matrices dense; `sparse` answers the first output as a SciPy matrix.
    """

    def __init__(self, name: str, inputs: Mapping[str, Any], outputs: Mapping[str, Any]) -> None:
        self.name = name
        self.inputs = dict(inputs)
        self.outputs = dict(outputs)
        self._function = ca.Function(
            name, list(inputs.values()), [ca.SX(m) for m in outputs.values()], list(inputs), list(outputs)
        )

    def __call__(self, *arguments: np.ndarray) -> list[np.ndarray]:
        answers = self._function.call(arguments)
        return [_array(answer) for answer in answers]

    def sparse(self, *arguments: np.ndarray) -> Any:
        """The first output as a SciPy sparse matrix."""
        return self._function.call(arguments)[0].sparse()

    def derivative(self, output: str, with_respect_to: str) -> Traced:
        """The Jacobian of one output with respect to one input, as a function of the same inputs."""
        J = ca.jacobian(ca.SX(self.outputs[output]), self.inputs[with_respect_to])
        return Traced(f"{self.name}_{output}_by_{with_respect_to}", self.inputs, {f"d{output}": J})

    def tape(self) -> Tape:
        """Its scalar operations in order, repeated subexpressions computed once."""
        shared = ca.cse([ca.SX(m) for m in self.outputs.values()])
        return Tape.of(ca.Function(self.name, list(self.inputs.values()), shared))

    def __repr__(self) -> str:
        takes = ", ".join(f"{name} ({m.shape[0]})" for name, m in self.inputs.items())
        gives = ", ".join(f"{name} {m.shape[0]}×{m.shape[1]}" for name, m in self.outputs.items())
        return f"Traced function '{self.name}' of {takes}, giving {gives}."


def _array(answer: ca.DM) -> np.ndarray:
    full = answer.full()
    return full[:, 0] if full.shape[1] == 1 else full
