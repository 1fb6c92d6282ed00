"""Traced functions: algorithms that were run once on symbols, with named inputs and outputs, and their derivatives.

Theory: docs/theory/14-compiled-kernels.md, eq. (14.1).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from threading import Lock
from typing import Any

import casadi as ca
import numpy as np

from multiloop.symbols.batched_evaluation import BatchFunction
from multiloop.symbols.simplify.simplification import simplify_tape
from multiloop.symbols.tape import Tape

MAX_CSE_OPERATIONS = 20_000
"""Largest number of operations of a function in which common subexpressions are eliminated."""


class Traced:
    """A traced function: the outputs of an algorithm as expressions of symbolic inputs.

    A call takes arrays in the order of `inputs`, or by name, and returns a list of arrays. If inputs are given by name,
    empty inputs may be omitted and unknown names are ignored, so that a caller can pass all quantities of an instant.
    Vectors are returned as one-dimensional arrays, matrices as dense arrays; `sparse` returns the first output as a
    SciPy sparse matrix.
    """

    def __init__(self, name: str, inputs: Mapping[str, Any], outputs: Mapping[str, Any]) -> None:
        self.name = name
        self.inputs = dict(inputs)
        self.outputs = dict(outputs)
        self._function = ca.Function(
            name, list(inputs.values()), [ca.SX(m) for m in outputs.values()], list(inputs), list(outputs)
        )
        self._lock = Lock()

    def __call__(self, *arguments: np.ndarray, **named: Any) -> list[np.ndarray]:
        arguments = self.ordered_arguments(arguments, named)
        with self._lock:  # several mechanisms and several threads may use the same traced function
            trigger, inputs, outputs = self._buffers
            for room, given, shape in zip(inputs, arguments, self._shapes, strict=True):
                value = np.asarray(given, float)
                if value.size != room.size:
                    raise ValueError(
                        f"'{self.name}': an input has the shape {value.shape}, but must have the shape {shape}"
                    )
                room[:] = value if value.ndim == 1 else value.ravel(order="F")
            trigger()
            return [
                room.copy() if columns == 1 else room.reshape(rows, columns, order="F").copy(order="F")
                for room, (rows, columns) in outputs
            ]

    def ordered_arguments(self, arguments: tuple[Any, ...], named: Mapping[str, Any]) -> tuple[Any, ...]:
        """The positional arguments, or else the arguments given by name, in the order of the inputs."""
        if arguments:
            return arguments
        left_out = {name: np.zeros(m.shape) for name, m in self.inputs.items() if not m.numel()}
        return tuple((dict(named) | left_out)[name] for name in self.inputs)

    @cached_property
    def _shapes(self) -> list[tuple[int, int]]:
        return [tuple(symbol.shape) for symbol in self.inputs.values()]

    @cached_property
    def _buffers(self) -> tuple[Any, list[np.ndarray], list[tuple[np.ndarray, tuple[int, int]]]]:
        """CasADi buffers of inputs and outputs, which persist between calls, so that a call takes little more time than
        its operations."""
        made: Any = self._dense.buffer()
        buffer, trigger = made
        inputs = [np.zeros(rows * columns) for rows, columns in self._shapes]
        outputs = [(np.zeros(m.shape[0] * m.shape[1]), m.shape) for m in self.outputs.values()]
        for k, room in enumerate(inputs):
            if room.size:
                buffer.set_arg(k, room.data)
        for k, (room, _) in enumerate(outputs):
            if room.size:
                buffer.set_res(k, room.data)
        self._kept = buffer
        return trigger, inputs, outputs

    @cached_property
    def _dense(self) -> ca.Function:
        """The CasADi function with dense inputs and outputs."""
        symbols = [ca.SX.sym(name, *symbol.shape) for name, symbol in self.inputs.items()]
        return ca.Function(
            self.name, symbols, [ca.densify(answer) for answer in self._function.call(symbols)]
        )

    def evaluate_many(self, *arguments: np.ndarray, **named: Any) -> list[np.ndarray]:
        """Evaluate the function for many instances at once.

        Inputs are (entries, count) or, for matrices, (rows, columns, count); the last axis is omitted if all instances
        share the input. Returns arrays (count, entries) and (count, rows, columns).
        """
        given = [
            _instance_rows(np.asarray(argument, float), rows, columns)
            for argument, (rows, columns) in zip(
                self.ordered_arguments(arguments, named), self._shapes, strict=True
            )
        ]
        count = max(len(lanes) for lanes in given)
        if count == 1:
            return [answer[None] for answer in self(*(lanes[0] for lanes in given))]
        shapes = [m.shape for m in self.outputs.values()]
        answers = [np.empty((count, rows * columns)) for rows, columns in shapes]
        self._batch_function(given, answers)
        return [
            answer if columns == 1 else answer.reshape(count, columns, rows).transpose(0, 2, 1)
            for answer, (rows, columns) in zip(answers, shapes, strict=True)
        ]

    @cached_property
    def _batch_function(self) -> BatchFunction:
        """The function with which `evaluate_many` evaluates many instances.

        Common subexpressions are eliminated, which saves about a fifth of the operations.
        """
        if self._dense.n_instructions() > MAX_CSE_OPERATIONS:
            return BatchFunction(self._dense)
        symbols = self._dense.sx_in()
        return BatchFunction(ca.Function(self.name, symbols, ca.cse(self._dense.call(symbols))))

    def on(self, *arguments: Any, **named: Any) -> dict[str, Any]:
        """Substitute other symbols or expressions for the inputs; returns the output expressions by name."""
        answers = self._function.call(
            [ca.SX(argument) for argument in self.ordered_arguments(arguments, named)]
        )
        return dict(zip(self.outputs, answers, strict=True))

    def with_outputs(self, name: str, *outputs: str) -> Traced:
        """A traced function `name` with only the given outputs, and without empty inputs."""
        inputs = {key: symbol for key, symbol in self.inputs.items() if symbol.shape[0] * symbol.shape[1]}
        return Traced(name, inputs, {key: self.outputs[key] for key in outputs})

    def sparse(self, *arguments: np.ndarray) -> Any:
        """The first output as a SciPy sparse matrix."""
        return self._function.call(arguments)[0].sparse()

    def derivative(self, output: str, with_respect_to: str) -> Traced:
        """The Jacobian of one output with respect to one input, as a function of the same inputs."""
        J = ca.jacobian(ca.SX(self.outputs[output]), self.inputs[with_respect_to])
        return Traced(f"{self.name}_{output}_by_{with_respect_to}", self.inputs, {f"d{output}": J})

    def tape(self, *, as_written: bool = False) -> Tape:
        """The list (tape) of scalar operations of the function, in which equal expressions are computed only once.

        With `as_written`, the order of sums is preserved; otherwise the operations are rearranged and simplified
        further.
        """
        shared = ca.cse([ca.SX(m) for m in self.outputs.values()])
        tape = Tape.of(ca.Function(self.name, list(self.inputs.values()), shared))
        return tape if as_written else simplify_tape(tape)

    def __repr__(self) -> str:
        takes = ", ".join(f"{name} ({m.shape[0]})" for name, m in self.inputs.items())
        gives = ", ".join(f"{name} {m.shape[0]}×{m.shape[1]}" for name, m in self.outputs.items())
        return f"Traced function '{self.name}' of {takes}, giving {gives}."


def _instance_rows(value: np.ndarray, rows: int, columns: int) -> np.ndarray:
    """An input as an array with one row per instance, or a single row for an input that all instances share.

    Each row has the entries in column-major order.
    """
    if not rows * columns:
        return np.zeros((1, 0))
    return np.ascontiguousarray(value.reshape(rows, columns, -1).transpose(2, 1, 0)).reshape(
        -1, rows * columns
    )
