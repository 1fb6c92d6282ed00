"""Layout of the state of a run, and the structs that Python and C share.

Theory: docs/theory/07-time-integration.md, eq. (7.1).
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from multiloop.kernels.runtime.tolerances import CLOSE, CLOSED, ROUNDS
from multiloop.kinematics.tree import Skeleton

INPUTS = ("t", "q", "v", "x", "u", "z", "basis", "choice", "c", "p")
"""The inputs of every kernel of a loop, in this order."""

OUTPUTS = 4
"""Largest number of outputs of a kernel; their addresses follow those of the inputs."""


class Status(IntEnum):
    """Reason why the loop returned."""

    FINISHED = 0
    UNFINISHED = 1
    SINGULAR = 2
    OPEN = 3
    STUCK = 4
    NOT_FINITE = 5
    STOPPED = 6
    CONTROL_FAILED = 7


class Method(IntEnum):
    """Integration methods of the loop; `embedded_step` takes a step of EMBEDDED, and so on."""

    EMBEDDED = 0
    CLASSICAL = 1
    ROSENBROCK = 2
    ADDITIVE = 3


class Move(IntEnum):
    """Steps of a tape that copy values; arithmetic operations are numbered from 0 (see `runtime_library`)."""

    INPUT = -1
    OUTPUT = -2
    CONSTANT = -3


class Fields(NamedTuple):
    """Fields of a struct with one C type, and a comment."""

    type: str
    names: str
    comment: str


STRUCTS: dict[str, tuple[Fields, ...]] = {
    "Table": (
        Fields("long", "pieces degree periodic", "a piecewise polynomial of time"),
        Fields(
            "const double *", "breaks coefficients", "piece k holds from breaks[k] on; highest power first"
        ),
    ),
    "Tableau": (
        Fields(
            "long", "stages extra powers uses_last", "an explicit Runge-Kutta method with an error estimate"
        ),
        Fields("double", "exponent", "of the step size in the error"),
        Fields(
            "const double *", "A B C error3 error5", "the estimate has one or two parts: error5 may be null"
        ),
        Fields("const double *", "A_extra C_extra D", "of the curve inside a step"),
    ),
    "Step": (
        Fields(
            "long", "operation to first second", "of an evaluated tape: registers; an input is (array, entry)"
        ),
        Fields("double", "value", "of a constant"),
    ),
    "Loop": (
        Fields("long", "nq nv nx nw nu", "sizes of q, v, x, work, u"),
        Fields(
            "long", "rows rank solved rechoose choices", "of the constraints; what is chosen anew on the way"
        ),
        Fields(
            "const long *", "group group_end", "of every row; independent rows up to the end of each group"
        ),
        Fields("Kernel", "rate", "-> q', v', x', power"),
        Fields(
            "Kernel",
            "project_positions project_velocities",
            "-> q, gap; -> v, [1 / pivot, size] of the rows, work",
        ),
        Fields("Kernel", "matrix", "-> scaled J"),
        Fields("Kernel", "slope", "-> df/d[q, v, x], df/dt, df/dz"),
        Fields("Kernel", "stiffness", "-> dv'/d eta, dv'/d eta' by the stiffness and damping of links"),
        Fields("long", "stiff plain", "elastic coordinates, and coordinates that are their own rates"),
        Fields("const long *", "stiff_q stiff_v plain_q plain_v", "their places in q and in v"),
        Fields("Kernel", "events", "-> values whose zeros are events"),
        Fields(
            "double **",
            "inputs",
            "addresses shared by all kernels; t, q, v, x and outputs are set at every call",
        ),
        Fields("const double *", "row_scale rate_weights", ""),
        Fields("Table *", "tables", ""),
        Fields("long", "table_count", ""),
        Fields("Outside", "control", "-> u: at every evaluation (sample 0), or held over samples"),
        Fields("Outside", "projector", "-> y, gap: in place of both projections, where it is given"),
        Fields("long", "at_once", "whether what is prescribed may change its speed there"),
        Fields(
            "Outside", "chooser", "-> distance from singularity: puts what it chooses into the inputs itself"
        ),
        Fields("double", "sample", ""),
        Fields("long", "method", "how to integrate"),
        Fields("Tableau *", "tableau", ""),
        Fields("double", "rtol fixed_step longest singular open", ""),
        Fields("const double *", "atol", "known from `begin` on, as is the pace"),
        Fields("double", "pace", "the run's characteristic rate, in 1/s (absolute_tolerances.py)"),
        Fields("const double *", "rate_units", "of the entries that count for it, else 0"),
        Fields("double *", "peaks", "of these entries, the largest |v| / unit at the end of a step so far"),
        Fields("const long *", "growth", "powers of the pace with which tolerances grow"),
        Fields("const double *", "ends times", "where steps must end, where outputs are wanted"),
        Fields("long", "end_count output_count event_count event_room", ""),
        Fields("const long *", "event_direction event_stops", "-1, 0 or 1, and whether the run stops there"),
        Fields("double", "t begun h", "the time, the first one, and the step to try"),
        Fields("double", "singularity_distance gap", "of the rows"),
        Fields("double *", "sizes", "squared, of every row the largest so far"),
        Fields("double", "least least_at", "the smallest distance from singularity so far"),
        Fields(
            "double", "h_before shrink_before", "of the last step; h / (the length of unit error), 0 unknown"
        ),
        Fields(
            "double *",
            "y f least_y",
            "the state, its rate, and the state where the distance from singularity was least",
        ),
        Fields("long", "next_end next_output next_sample", ""),
        Fields("long", "steps rejected evaluations tiny", ""),
        Fields("double *", "outputs controls", "rows of y, and of the u in force"),
        Fields("double *", "event_log", "time and number, then y"),
        Fields("long", "events_found", ""),
        Fields("double *", "event_values", "values of the events at t"),
        Fields("double *", "room", "working memory, `room_needed` doubles"),
    ),
}

PythonCallback = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_double, *[ctypes.POINTER(ctypes.c_double)] * 2)
"""A Python function of (t, y), which writes its result to a third address. It returns a non-zero value on failure."""

CTYPES = {"long": ctypes.c_long, "double": ctypes.c_double}
"""C types by name; all other types are addresses."""


def _ctypes_structure(name: str) -> Any:
    fields = [
        (each, CTYPES.get(entry.type, ctypes.c_void_p))
        for entry in STRUCTS[name]
        for each in entry.names.split()
    ]
    return type(name, (ctypes.Structure,), {"_fields_": fields})


_STRUCTURES = {name: _ctypes_structure(name) for name in STRUCTS}
TableStruct, TableauStruct, StepStruct, LoopStruct = _STRUCTURES.values()


def structs_header() -> str:
    """Text of `structs.h`, with assertions that C and Python use the same struct sizes."""
    steps = [f"{method.name.lower()}_step" for method in Method]
    lines = [
        f"enum {{ INPUTS = {len(INPUTS)} }};",
        f"enum Input {{ {', '.join(f'AT_{name.upper()}' for name in INPUTS)} }};",
        *(_enumeration(kind) for kind in (Status, Method, Move)),
        f"enum {{ ROUNDS = {ROUNDS} }};",
        f"static const double CLOSE = {CLOSE}, CLOSED = {CLOSED};",
    ]
    for name, fields in STRUCTS.items():
        size = ctypes.sizeof(_STRUCTURES[name])
        lines += ["typedef struct {", *map(_declaration, fields), f"}} {name};"]
        lines.append(f'_Static_assert(sizeof({name}) == {size}, "Python and C lay {name} out differently");')
    lines += [f"int {step}(Loop *loop, double limit, double *h);" for step in steps]
    lines.append(f"#define STEPS {{{', '.join(steps)}}}")
    return "\n".join([*lines, ""])


def _enumeration(kind: type[IntEnum]) -> str:
    return f"enum {kind.__name__} {{ {', '.join(f'{entry.name} = {entry.value}' for entry in kind)} }};"


def _declaration(fields: Fields) -> str:
    kind, _, stars = fields.type.rpartition(" ") if fields.type.endswith("*") else (fields.type, "", "")
    names = ", ".join(f"{stars}{name}" for name in fields.names.split())
    comment = f" /* {fields.comment} */" if fields.comment else ""
    return f"    {kind} {names};{comment}"


@dataclass(frozen=True)
class StateLayout:
    """y = [q, v, x, work]: coordinates, rates, further states, and the work done by drives and efforts.

    q, v, x and work are the sizes of the blocks; `layout["v"]` is the slice of a block. q and v are projected onto the
    constraints, which changes the work; x is not. The first entry of `work` is the total work, the others are the
    energies of single items, which are integrated without error control.
    """

    q: int
    v: int
    x: int = 0
    work: int = 1

    @classmethod
    def of(cls, skeleton: Skeleton) -> StateLayout:
        """The layout for the tree of a mechanism."""
        return cls(skeleton.positions, skeleton.rates, len(skeleton.states))

    @cached_property
    def _places(self) -> dict[str, slice]:
        found, at = {}, 0
        for name, size in (("q", self.q), ("v", self.v), ("x", self.x), ("work", self.work)):
            found[name] = slice(at, at + size)
            at += size
        return found

    def __getitem__(self, block: str) -> slice:
        return self._places[block]

    @property
    def size(self) -> int:
        """Number of entries of the state."""
        return self.q + self.v + self.x + self.work

    def blocks(self, y: Any) -> dict[str, Any]:
        """Blocks by name of one state, or of many with entries along the last axis; views, not copies."""
        return {name: y[..., place] for name, place in self._places.items()}

    def pack(self, **values: Any) -> np.ndarray:
        """A state from its blocks; omitted blocks are zero."""
        y = np.zeros(self.size)
        for name, value in values.items():
            y[self[name]] = value
        return y
