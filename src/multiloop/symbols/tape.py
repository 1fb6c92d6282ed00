"""The tape: the scalar operations of a traced function in the order in which they are carried out, counted."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache, cached_property

import casadi as ca


@dataclass(frozen=True)
class Operation:
    """One scalar operation: what it does, where it reads (registers) and where it writes.

    An input reads (argument, entry), an output writes (result, entry), a constant has its value.
    """

    name: str
    reads: tuple[int, ...]
    writes: tuple[int, ...]
    value: float = 0.0


NOT_WORK = ("input", "output", "const", "parameter")
"""Operations that move numbers without computing."""


@dataclass(frozen=True)
class Tape:
    """Operations in order, and the number of registers they use."""

    operations: tuple[Operation, ...]
    registers: int

    @classmethod
    def of(cls, function: ca.Function) -> Tape:
        """The tape of a CasADi function of SX expressions."""
        names = _names()
        found = []
        for k in range(function.n_instructions()):
            name = names[function.instruction_id(k)]
            value = float(function.instruction_constant(k)) if name == "const" else 0.0
            reads = tuple(function.instruction_input(k))
            writes = tuple(function.instruction_output(k))
            found.append(Operation(name, reads, writes, value))
        return cls(tuple(found), int(function.sz_w()))

    @cached_property
    def counts(self) -> dict[str, int]:
        """How often each operation is carried out, moves and constants left out."""
        return dict(Counter(op.name for op in self.operations if op.name not in NOT_WORK).most_common())

    @property
    def total(self) -> int:
        """All operations that compute something."""
        return sum(self.counts.values())

    def __repr__(self) -> str:
        shown = ", ".join(f"{count} {name}" for name, count in list(self.counts.items())[:6])
        return f"Tape of {self.total} operations ({shown})."


@cache
def _names() -> dict[int, str]:
    """CasADi's operation numbers by name: OP_MUL is "mul"."""
    return {value: name[3:].lower() for name, value in vars(ca).items() if name.startswith("OP_")}
