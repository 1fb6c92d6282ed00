"""Recipes of kernels: the function that traces a kernel's expressions, and the keys that identify it in the cache."""

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
    """A function `trace` that traces the expressions of a kernel, and texts `key` that identify the traced function
    without tracing it.

    Every change of the traced function must change the key. Equal functions may have different keys: two mechanisms
    that differ only in their names are both traced, but share one library. With `as_written`, the order of sums is not
    changed, for functions in which reordering would lose accuracy.
    """

    trace: Callable[[], Traced]
    key: tuple[str, ...] = ()
    as_written: bool = False

    @cached_property
    def traced(self) -> Traced:
        """The traced function. It is traced on first use, which is not necessary if its library is cached."""
        return self.trace()

    @cached_property
    def lowered(self) -> tuple[Signature, Tape]:
        """Signature of the kernel and its operation list (tape), with dense outputs."""
        return dense_tape(self.traced, as_written=self.as_written)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the traced function as text, from which another process restores it if the library is not cached."""
        sent = (
            self.trace if isinstance(self.trace, SerializedFunction) else SerializedFunction.of(self.traced)
        )
        return Recipe, (sent, self.key, self.as_written)


@dataclass(frozen=True)
class SerializedFunction:
    """A traced function as text serialised by CasADi; calling this object restores the function."""

    text: str

    @classmethod
    def of(cls, traced: Traced) -> SerializedFunction:
        """Serialise a traced function."""
        outputs = [ca.SX(m) for m in traced.outputs.values()]
        inputs = list(traced.inputs.values())
        function = ca.Function(traced.name, inputs, outputs, list(traced.inputs), list(traced.outputs))
        return cls(function.serialize())

    def __call__(self) -> Traced:
        """Restore the traced function with new symbols."""
        function = ca.Function.deserialize(self.text)
        inputs = {
            function.name_in(k): ca.SX.sym(function.name_in(k), *function.size_in(k))
            for k in range(function.n_in())
        }
        outputs = function.call(list(inputs.values()))
        return Traced(function.name(), inputs, dict(zip(function.name_out(), outputs, strict=True)))


def signature_of(traced: Traced) -> Signature:
    """Signature of a traced function: its name, and names and shapes of its inputs and outputs."""
    return Signature(
        traced.name,
        tuple(Array(name, m.shape[0], m.shape[1]) for name, m in traced.inputs.items()),
        tuple(Array(name, m.shape[0], m.shape[1]) for name, m in traced.outputs.items()),
    )


def dense_tape(traced: Traced, *, as_written: bool = False) -> tuple[Signature, Tape]:
    """Signature and operation list (tape) of a traced function, with dense outputs."""
    outputs = {name: ca.densify(ca.SX(m)) for name, m in traced.outputs.items()}
    return signature_of(traced), Traced(traced.name, traced.inputs, outputs).tape(as_written=as_written)
