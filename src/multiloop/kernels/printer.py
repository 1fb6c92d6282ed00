"""C source of a traced function: its operation list, each value computed once, in parts that compile in parallel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite, isnan

from multiloop.kernels.dialects import Dialect
from multiloop.kernels.signature import Signature
from multiloop.kernels.trig_batching import Turns
from multiloop.symbols import Operation, Tape

WHOLE = 4000
"""Operations up to which a kernel is one C function: passing values between parts costs a tenth of its time."""

PART = 800
"""Operations in one C function of a longer kernel; compilation time grows faster than linearly beyond."""


def printed(signature: Signature, tape: Tape, dialect: Dialect) -> list[str]:
    """C source of a kernel, in pieces that may be compiled separately; the last contains the function itself.

    Scalar:  void NAME(const double *q, …, double *out_a, …)
    Vector:  void NAME_wide(const long *stride, const double *q, …), entry k of array i at [k * stride[i]]
    """
    turns = Turns.of(tape) if dialect.together else Turns()
    writer = _Writer(signature, dialect, turns)
    part = PART if len(tape.operations) > WHOLE else WHOLE
    starts = range(0, max(len(tape.operations), 1), part)
    parts = [tape.operations[k : k + part] for k in starts]
    divided = len(parts) > 1
    room = 3 * turns.room + (tape.registers + 1 if divided else 0)
    head = [writer.opening(signature.symbol)]
    head += [f"    {dialect.real} w[{room}];"] if room else []
    head += writer.turning()
    if not divided:
        return ["\n".join([*head, *writer.body(parts[0], 0), "}", ""])]
    pieces, declared, called = [], [], []
    for number, (start, operations, keep) in enumerate(zip(starts, parts, _used_later(parts), strict=True)):
        name = f"{signature.symbol}_part{number}"
        opening = writer.opening(name, part=True)
        pieces.append("\n".join([opening, *writer.body(operations, start, keep), "}", ""]))
        declared.append(opening.removesuffix(" {") + ";")
        called.append(f"    {writer.call(name)}")
    return [*pieces, "\n".join([*declared, *head, *called, "}", ""])]


@dataclass(frozen=True)
class _Writer:
    """Writes the operations of one kernel in one dialect."""

    signature: Signature
    dialect: Dialect
    turns: Turns

    def turning(self) -> list[str]:
        """Lines that compute sines and cosines together."""
        room = self.turns.room
        if not room:
            return []
        lines = []
        for at, operation, reads in self.turns.steps:
            text = self._text(operation, [f"a{place}" for place in reads])
            lines.append(f"    const {self.dialect.real} a{at} = {text};")
        lines += [f"    w[{k}] = a{at};" for k, at in enumerate(self.turns.angles)]
        lines += [f"    w[{k}] = 0;" for k in range(len(self.turns.angles), room)]
        return [*lines, f"    sines_and_cosines({room}, w, w + {room}, w + {2 * room});"]

    def _text(self, operation: Operation, values: Sequence[str]) -> str:
        """An operation as an expression of its operands."""
        if operation.name == "input":
            return self.place(*operation.reads)
        if operation.name == "const":
            return self.dialect.constant.format(_number(operation.value))
        return self.dialect.form(operation.name).format(*values)

    def body(
        self, operations: Sequence[Operation], start: int, keep: frozenset[int] = frozenset()
    ) -> list[str]:
        """One line per operation; registers from earlier parts are read from w, those for later parts stored there."""
        first, found = 3 * self.turns.room, self.turns.slots
        lines: list[str] = []
        names: dict[int, str] = {}
        for at, operation in enumerate(operations, start):
            reads = [] if operation.name in ("input", "const") else operation.reads
            values = [names.get(register, f"w[{first + register}]") for register in reads]
            if operation.name == "output":
                lines.append(f"    {self.place(*operation.writes, out=True)} = {values[0]};")
                continue
            text = f"w[{found[at]}]" if at in found else self._text(operation, values)
            names[operation.writes[0]] = f"x{at}"
            lines.append(f"    const {self.dialect.real} x{at} = {text};")
        return [*lines, *(f"    w[{first + r}] = {names[r]};" for r in sorted(keep) if r in names)]

    def opening(self, name: str, *, part: bool = False) -> str:
        """Head of a C function; parts have the working array w as an argument and are not exported."""
        leading = "" if self.dialect.width == 1 else "const long *restrict stride, "
        work = f", {self.dialect.real} *restrict w" if part else ""
        seen = self.dialect.part_linkage if part else self.dialect.linkage
        return f"{seen}void {self._symbol(name)}({leading}{self.signature.arguments}{work}) {{"

    def call(self, name: str) -> str:
        """The call of a part."""
        leading = "" if self.dialect.width == 1 else "stride, "
        return f"{self._symbol(name)}({leading}{self.signature.passed}, w);"

    def _symbol(self, name: str) -> str:
        return name if self.dialect.width == 1 else f"{name}_wide"

    def place(self, argument: int, entry: int, *, out: bool = False) -> str:
        """C expression of an entry of an array."""
        arrays = self.signature.outputs if out else self.signature.inputs
        name = f"out_{arrays[argument].name}" if out else arrays[argument].name
        if self.dialect.width == 1:
            return f"{name}[{entry}]"
        number = argument + len(self.signature.inputs) if out else argument
        return f"*({'U' if out else 'const U'} *)({name} + {entry} * stride[{number}])"


def _number(value: float) -> str:
    """A constant in C notation."""
    if isnan(value):
        return "NAN"
    return repr(value) if isfinite(value) else "INFINITY" if value > 0 else "-INFINITY"


def _used_later(parts: Sequence[Sequence[Operation]]) -> list[frozenset[int]]:
    """For each part, the registers that a later part reads before it overwrites them."""
    found: list[frozenset[int]] = []
    wanted: set[int] = set()
    for operations in reversed(parts):
        found.append(frozenset(wanted))
        for operation in reversed(operations):
            if operation.name != "output":
                wanted.discard(operation.writes[0])
            if operation.name not in ("input", "const"):
                wanted |= set(operation.reads)
    return found[::-1]
