"""Recipes of kernels: how a kernel's function is traced, and the keys under which its library is cached."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import casadi as ca

from multiloop.kernels.kernel_arguments import Array, Signature
from multiloop.symbols import Tape, Traced


@dataclass(frozen=True)
class Recipe:
    """A function that returns a traced function, and keys that identify the result without tracing.

    Every change of the function must change the keys. They may contain more than necessary: two mechanisms that differ
    only in their names are both traced, and share one library. With `as_written` the order of sums is not changed,
    where reordering would lose accuracy.
    """

    trace: Callable[[], Traced]
    key: tuple[str, ...] = ()
    as_written: bool = False

    @cached_property
    def traced(self) -> Traced:
        """The traced function; traced on first use, which is not needed if the cache has the library."""
        return self.trace()

    @cached_property
    def lowered(self) -> tuple[Signature, Tape]:
        """Signature and tape, with dense outputs."""
        return dense_tape(self.traced, as_written=self.as_written)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the function as text, from which another process restores it if its cache lacks the library."""
        sent = (
            self.trace if isinstance(self.trace, SerializedFunction) else SerializedFunction.of(self.traced)
        )
        return Recipe, (sent, self.key, self.as_written)


@dataclass(frozen=True)
class SerializedFunction:
    """A traced function, serialised by CasADi."""

    text: str

    @classmethod
    def of(cls, traced: Traced) -> SerializedFunction:
        """Serialise a function."""
        outputs = [ca.SX(m) for m in traced.outputs.values()]
        inputs = list(traced.inputs.values())
        function = ca.Function(traced.name, inputs, outputs, list(traced.inputs), list(traced.outputs))
        return cls(function.serialize())

    def __call__(self) -> Traced:
        """The function, restored on new symbols."""
        function = ca.Function.deserialize(self.text)
        inputs = {
            function.name_in(k): ca.SX.sym(function.name_in(k), *function.size_in(k))
            for k in range(function.n_in())
        }
        outputs = function.call(list(inputs.values()))
        return Traced(function.name(), inputs, dict(zip(function.name_out(), outputs, strict=True)))


def signature_of(traced: Traced) -> Signature:
    """Inputs and outputs of a traced function."""
    return Signature(
        traced.name,
        tuple(Array(name, m.shape[0], m.shape[1]) for name, m in traced.inputs.items()),
        tuple(Array(name, m.shape[0], m.shape[1]) for name, m in traced.outputs.items()),
    )


def dense_tape(traced: Traced, *, as_written: bool = False) -> tuple[Signature, Tape]:
    """Signature and tape of a traced function, with dense outputs."""
    outputs = {name: ca.densify(ca.SX(m)) for name, m in traced.outputs.items()}
    return signature_of(traced), Traced(traced.name, traced.inputs, outputs).tape(as_written=as_written)
