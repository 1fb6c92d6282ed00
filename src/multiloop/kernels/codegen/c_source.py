"""C source of a traced function: its operations, in parts that are compiled in parallel, and loops over instances.

Every value is computed once. The sines and cosines of joint angles and of their sums are computed together at the
beginning of a kernel by vector functions. If they were computed one at a time, they would take longer than all products
of the kernel.

Theory: docs/theory/14-compiled-kernels.md, eq. (14.4).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isfinite, isnan

from multiloop.kernels.codegen.dialects import Dialect, scalar_dialect, vector_dialect
from multiloop.kernels.kernel_arguments import Signature
from multiloop.symbols import Operation, Tape

FEWEST_ANGLES = 2
"""Smallest number of angles for which computing their sines and cosines together is faster than one by one."""

PADDING = 8
"""Number of doubles in the widest vector; the number of angles is rounded up to a multiple of it."""

ANGLE_OPERATIONS = ("input", "const", "add", "sub", "neg", "twice", "assign")
"""Operations in expressions of angles whose sines and cosines may be computed together."""


@dataclass(frozen=True)
class SineBatch:
    """Sines and cosines that are computed together, in a working array w of all angles, all sines, and all cosines.

    `steps` are the operations that compute the angles: the position of each in the operation list (tape), the operation
    itself, and the positions of the operations that compute its operands. `angles` are the positions of the operations
    whose values are the angles. `slots` maps the position of a sine or cosine operation to the entry of w that contains
    its value.
    """

    steps: tuple[tuple[int, Operation, tuple[int, ...]], ...] = ()
    angles: tuple[int, ...] = ()
    slots: dict[int, int] = field(default_factory=dict)

    @property
    def padded_count(self) -> int:
        """Number of angles, rounded up to whole vectors."""
        return -(-len(self.angles) // PADDING) * PADDING

    @classmethod
    def of(cls, tape: Tape) -> SineBatch:
        """Find the sines and cosines in an operation list (tape) whose angles are sums of inputs and constants."""
        made: dict[int, int] = {}  # position of the operation that computed the angle in each register
        early: dict[int, tuple[Operation, tuple[int, ...]]] = {}
        number: dict[int, int] = {}
        asked: list[tuple[int, str, int]] = []
        for at, operation in enumerate(tape.operations):
            if operation.name == "output":
                continue
            plain = operation.name in ("input", "const")
            reads = () if plain else tuple(made.get(register, -1) for register in operation.reads)
            if operation.name in ("sin", "cos") and reads[0] >= 0:
                asked.append((at, operation.name, number.setdefault(reads[0], len(number))))
            made.pop(operation.writes[0], None)
            if operation.name in ANGLE_OPERATIONS and all(place >= 0 for place in reads):
                made[operation.writes[0]] = at
                early[at] = (operation, reads)
        if len(number) < FEWEST_ANGLES:
            return cls()
        found = cls(_angle_steps(early, list(number)), tuple(number))
        after = {"sin": found.padded_count, "cos": 2 * found.padded_count}
        return cls(found.steps, found.angles, {at: after[name] + angle for at, name, angle in asked})


def _angle_steps(
    early: dict[int, tuple[Operation, tuple[int, ...]]], angles: list[int]
) -> tuple[tuple[int, Operation, tuple[int, ...]], ...]:
    """The operations that compute the angles, in the order of the operation list, each with its position.

    `early` contains, by position, the operations that are permitted in angles, with the positions of their operands;
    `angles` are the positions of the operations whose values are the angles.
    """
    wanted, waiting = set(angles), list(angles)
    while waiting:
        for place in early[waiting.pop()][1]:
            if place not in wanted:
                wanted.add(place)
                waiting.append(place)
    return tuple((at, *early[at]) for at in sorted(wanted))


LARGEST_FUNCTION = 4000
"""Largest number of operations of a kernel that is written as one C function. A longer kernel is divided into parts;
passing values between parts takes about a tenth of its time."""

PART_SIZE = 800
"""Number of operations in each part of a divided kernel. With longer parts, the compilation time grows faster than
linearly."""


def kernel_functions(signature: Signature, tape: Tape, dialect: Dialect) -> list[str]:
    """C source of a kernel in pieces that can be compiled separately; the last piece contains the kernel's function.

    Scalar:  void NAME(const double *q, …, double *out_a, …)
    Vector:  void NAME_wide(const long *stride, const double *q, …), with entry k of array i at [k * stride[i]]
    """
    turns = SineBatch.of(tape) if dialect.batches_sines else SineBatch()
    writer = _Writer(signature, dialect, turns)
    part = PART_SIZE if len(tape.operations) > LARGEST_FUNCTION else LARGEST_FUNCTION
    starts = range(0, max(len(tape.operations), 1), part)
    parts = [tape.operations[k : k + part] for k in starts]
    divided = len(parts) > 1
    room = 3 * turns.padded_count + (tape.registers + 1 if divided else 0)
    head = [writer.function_head(signature.symbol)]
    head += [f"    {dialect.real} w[{room}];"] if room else []
    head += writer.sine_lines()
    if not divided:
        return ["\n".join([*head, *writer.body(parts[0], 0), "}", ""])]
    pieces, declared, called = [], [], []
    for number, (start, operations, keep) in enumerate(
        zip(starts, parts, _read_by_later_parts(parts), strict=True)
    ):
        name = f"{signature.symbol}_part{number}"
        opening = writer.function_head(name, part=True)
        pieces.append("\n".join([opening, *writer.body(operations, start, keep), "}", ""]))
        declared.append(opening.removesuffix(" {") + ";")
        called.append(f"    {writer.call(name)}")
    return [*pieces, "\n".join([*declared, *head, *called, "}", ""])]


@dataclass(frozen=True)
class _Writer:
    """Writer of the operations of one kernel in one dialect."""

    signature: Signature
    dialect: Dialect
    sines: SineBatch

    def sine_lines(self) -> list[str]:
        """Lines of C that compute the angles, and their sines and cosines together."""
        room = self.sines.padded_count
        if not room:
            return []
        lines = []
        for at, operation, reads in self.sines.steps:
            text = self._text(operation, [f"a{place}" for place in reads])
            lines.append(f"    const {self.dialect.real} a{at} = {text};")
        lines += [f"    w[{k}] = a{at};" for k, at in enumerate(self.sines.angles)]
        lines += [f"    w[{k}] = 0;" for k in range(len(self.sines.angles), room)]
        return [*lines, f"    sines_and_cosines({room}, w, w + {room}, w + {2 * room});"]

    def _text(self, operation: Operation, values: Sequence[str]) -> str:
        """C expression of an operation on its operands."""
        if operation.name == "input":
            return self.place(*operation.reads)
        if operation.name == "const":
            return self.dialect.constant.format(_c_number(operation.value))
        return self.dialect.form(operation.name).format(*values)

    def body(
        self, operations: Sequence[Operation], start: int, keep: frozenset[int] = frozenset()
    ) -> list[str]:
        """Lines of C, one per operation of a part that begins at position `start` of the operation list.

        Registers that earlier parts computed are read from the working array w; the registers `keep`, which later parts
        read, are stored there.
        """
        first, found = 3 * self.sines.padded_count, self.sines.slots
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

    def function_head(self, name: str, *, part: bool = False) -> str:
        """First line of a C function; parts of a kernel also take the working array w, and are not exported."""
        leading = "" if self.dialect.width == 1 else "const long *restrict stride, "
        work = f", {self.dialect.real} *restrict w" if part else ""
        seen = self.dialect.part_linkage if part else self.dialect.linkage
        return f"{seen}void {self._symbol(name)}({leading}{self.signature.arguments}{work}) {{"

    def call(self, name: str) -> str:
        """C expression that calls the part `name` of a divided kernel."""
        leading = "" if self.dialect.width == 1 else "stride, "
        return f"{self._symbol(name)}({leading}{self.signature.call_arguments}, w);"

    def _symbol(self, name: str) -> str:
        return name if self.dialect.width == 1 else f"{name}_wide"

    def place(self, argument: int, entry: int, *, out: bool = False) -> str:
        """C expression of an entry of the input array with the index `argument`, or with `out` of the output array."""
        arrays = self.signature.outputs if out else self.signature.inputs
        name = f"out_{arrays[argument].name}" if out else arrays[argument].name
        if self.dialect.width == 1:
            return f"{name}[{entry}]"
        number = argument + len(self.signature.inputs) if out else argument
        return f"*({'U' if out else 'const U'} *)({name} + {entry} * stride[{number}])"


def _c_number(value: float) -> str:
    """A number in C notation."""
    if isnan(value):
        return "NAN"
    return repr(value) if isfinite(value) else "INFINITY" if value > 0 else "-INFINITY"


def _read_by_later_parts(parts: Sequence[Sequence[Operation]]) -> list[frozenset[int]]:
    """For each part of a divided kernel, the registers that later parts read before they are overwritten."""
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


def pointer_call_source(signature: Signature) -> str:
    """C source of `void NAME_at(double **a)`, the kernel with the addresses of all arrays in one array, inputs
    first."""
    count = len(signature.inputs) + len(signature.outputs)
    taken = ", ".join(f"a[{k}]" for k in range(count))
    return f"void {signature.symbol}_at(double **a) {{ {signature.symbol}({taken}); }}\n"


def batch_loop_source(signature: Signature, width: int) -> str:
    """C source of `void NAME_batch(long from, long to, const long *stride, const long *step, double **a)`.

    It evaluates the instances from `from` up to, not including, `to`. Entry k of array i of instance t is
    a[i][k * stride[i] + t * step[i]]: step 1 for arrays with one column per instance, step 0 for arrays that all
    instances share (these are repeated `width` times, with stride `width`). Instances that do not fill a vector are
    computed one by one.
    """
    arrays = [*signature.inputs, *signature.outputs]
    numbers = range(len(arrays))
    lines = [
        f"void {signature.symbol}_batch(long from, long to, const long *stride, const long *step, double **a) {{",
        "    long t = from;",
    ]
    if width > 1:
        moved = ", ".join(f"a[{k}] + t * step[{k}]" for k in numbers)
        lines.append(f"    for (; t + {width} <= to; t += {width}) {signature.symbol}_wide(stride, {moved});")
    lines.append("    for (; t < to; t++) {")
    lines += [f"        double one{k}[{max(array.size, 1)}];" for k, array in enumerate(arrays)]
    for k, array in enumerate(signature.inputs):
        lines.append(
            f"        for (long k = 0; k < {array.size}; k++) one{k}[k] = a[{k}][k * stride[{k}] + t * step[{k}]];"
        )
    lines.append(f"        {signature.symbol}({', '.join(f'one{k}' for k in numbers)});")
    for k, array in enumerate(signature.outputs, len(signature.inputs)):
        lines.append(
            f"        for (long k = 0; k < {array.size}; k++) a[{k}][k * stride[{k}] + t * step[{k}]] = one{k}[k];"
        )
    return "\n".join([*lines, "    }", "}", ""])


def single_kernel_source(signature: Signature, tape: Tape, width: int) -> tuple[str, ...]:
    """C source of a kernel for one instance at a time; sines and cosines are computed in vectors of `width` doubles."""
    dialect = scalar_dialect(width)
    pieces = kernel_functions(signature, tape, dialect)
    pieces[-1] += pointer_call_source(signature)
    return tuple(dialect.head + piece for piece in pieces)


def batch_kernel_source(signature: Signature, tape: Tape, width: int) -> tuple[str, ...]:
    """C source of a kernel for many instances: vectors of `width` instances, and remaining instances one by one."""
    plain = scalar_dialect()
    single = [plain.head + piece for piece in kernel_functions(signature, tape, plain)]
    declared = f"void {signature.symbol}({signature.arguments});\n"
    wide = vector_dialect(width) if width > 1 else plain
    pieces = kernel_functions(signature, tape, wide) if width > 1 else [""]
    pieces[-1] = declared + pieces[-1] + batch_loop_source(signature, width)
    return (*single, *(wide.head + piece for piece in pieces))
