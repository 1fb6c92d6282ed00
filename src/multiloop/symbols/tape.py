"""Tapes: lists of the scalar operations of traced functions, in order, and the counts of the operations.

Theory: docs/theory/14-compiled-kernels.md, section 14.2.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache, cached_property

import casadi as ca


@dataclass(frozen=True)
class Operation:
    """One scalar operation: its name, the registers that it reads, and the registers that it writes.

    An "input" operation reads (argument, entry) instead of registers, an "output" operation writes (result, entry), and
    a "const" operation has a value.
    """

    name: str
    reads: tuple[int, ...]
    writes: tuple[int, ...]
    value: float = 0.0


MOVES = ("input", "output", "const", "parameter")
"""Names of the operations that copy numbers without computing."""


@dataclass(frozen=True)
class Tape:
    """List of the scalar operations of a function, in order, and the number of registers that they use."""

    operations: tuple[Operation, ...]
    registers: int

    @classmethod
    def of(cls, function: ca.Function) -> Tape:
        """The operation list of a CasADi function of SX expressions."""
        names = _operation_names()
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
        """Number of operations by name, without inputs, outputs and constants."""
        return dict(Counter(op.name for op in self.operations if op.name not in MOVES).most_common())

    @property
    def total(self) -> int:
        """Number of operations, without inputs, outputs and constants."""
        return sum(self.counts.values())

    def __repr__(self) -> str:
        shown = ", ".join(f"{count} {name}" for name, count in list(self.counts.items())[:6])
        return f"Tape of {self.total} operations ({shown})."


@cache
def _operation_names() -> dict[int, str]:
    """Names of CasADi's operations by their numbers, e.g. "mul" for the number OP_MUL."""
    return {value: name[3:].lower() for name, value in vars(ca).items() if name.startswith("OP_")}
