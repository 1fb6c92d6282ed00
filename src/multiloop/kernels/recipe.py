"""How is a traced function come by: traced when it is needed, known by words without tracing it, sent as text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import casadi as ca

from multiloop.kernels.signature import Array, Signature
from multiloop.symbols import Tape, Traced


@dataclass(frozen=True)
class Recipe:
    """How to come by a traced function, and the words that identify it without tracing it.

    Whatever changes the function must change the words. They may say more than they need to: two mechanisms
    that differ in name only are traced both and share one library. Sums stay `as_written` where their order keeps
    digits that rearranged ones would lose.
    """

    trace: Callable[[], Traced]
    words: tuple[str, ...] = ()
    as_written: bool = False

    @cached_property
    def traced(self) -> Traced:
        """The traced function; found when the cache does not hold what is asked for."""
        return self.trace()

    @cached_property
    def lowered(self) -> tuple[Signature, Tape]:
        """Signature and tape, every output dense."""
        return dense(self.traced, as_written=self.as_written)

    def __reduce__(self) -> tuple[Any, ...]:
        """For another process as text, from which it is traced there, where the words are not known."""
        sent = self.trace if isinstance(self.trace, Sent) else Sent.of(self.traced)
        return Recipe, (sent, self.words, self.as_written)


@dataclass(frozen=True)
class Sent:
    """A traced function as CasADi's text."""

    text: str

    @classmethod
    def of(cls, traced: Traced) -> Sent:
        """The text of a function."""
        outputs = [ca.SX(m) for m in traced.outputs.values()]
        inputs = list(traced.inputs.values())
        function = ca.Function(traced.name, inputs, outputs, list(traced.inputs), list(traced.outputs))
        return cls(function.serialize())

    def __call__(self) -> Traced:
        """The function on symbols of its own."""
        function = ca.Function.deserialize(self.text)
        inputs = {
            function.name_in(k): ca.SX.sym(function.name_in(k), *function.size_in(k))
            for k in range(function.n_in())
        }
        outputs = function.call(list(inputs.values()))
        return Traced(function.name(), inputs, dict(zip(function.name_out(), outputs, strict=True)))


def signature_of(traced: Traced) -> Signature:
    """What a traced function takes and gives."""
    return Signature(
        traced.name,
        tuple(Array(name, m.shape[0], m.shape[1]) for name, m in traced.inputs.items()),
        tuple(Array(name, m.shape[0], m.shape[1]) for name, m in traced.outputs.items()),
    )


def dense(traced: Traced, *, as_written: bool = False) -> tuple[Signature, Tape]:
    """Signature and tape of a traced function with every output dense."""
    outputs = {name: ca.densify(ca.SX(m)) for name, m in traced.outputs.items()}
    return signature_of(traced), Traced(traced.name, traced.inputs, outputs).tape(as_written=as_written)
