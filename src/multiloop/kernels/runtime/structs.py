"""Order of the entries of the state of a simulation, and the C structs that Python and the compiled time loop share.

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
"""Names of the inputs of every kernel that the compiled time loop calls, in this order: time, coordinates, rates,
further states, controls, values of tables, matrices that select independent constraint rows and independent rates,
penalty weights, and parameters."""

OUTPUTS = 4
"""Largest number of outputs of a kernel. In the array of addresses, outputs follow the inputs."""


class Status(IntEnum):
    """Reason why the compiled time loop returned to Python."""

    FINISHED = 0
    UNFINISHED = 1
    SINGULAR = 2
    OPEN = 3
    STUCK = 4
    NOT_FINITE = 5
    STOPPED = 6
    CONTROL_FAILED = 7


class Method(IntEnum):
    """Integration methods of the compiled time loop; the C function `embedded_step` takes a step of EMBEDDED, etc."""

    EMBEDDED = 0
    CLASSICAL = 1
    ROSENBROCK = 2
    ADDITIVE = 3


class Move(IntEnum):
    """Codes of operations that only copy values, in an operation list (tape) that is passed to C.

    Codes of arithmetic operations are 0, 1, 2, …; they are assigned in `runtime_library`.
    """

    INPUT = -1
    OUTPUT = -2
    CONSTANT = -3


class Fields(NamedTuple):
    """Fields of a C struct that have a common type, and the comment for the C header."""

    type: str
    names: str
    comment: str


STRUCTS: dict[str, tuple[Fields, ...]] = {
    "Table": (
        Fields("long", "pieces degree periodic", "a piecewise polynomial of time"),
        Fields("const double *", "breaks coefficients", "piece k begins at breaks[k]; highest power first"),
    ),
    "Tableau": (
        Fields(
            "long", "stages extra powers uses_last", "an explicit Runge-Kutta method with an error estimate"
        ),
        Fields("double", "exponent", "power of the error in the control of the step size"),
        Fields(
            "const double *",
            "A B C error3 error5",
            "coefficients of the method and of its error estimates; error5 may be null",
        ),
        Fields("const double *", "A_extra C_extra D", "coefficients of dense output"),
    ),
    "Step": (
        Fields(
            "long",
            "operation to first second",
            "registers of the result and operands; an input is (array, entry)",
        ),
        Fields("double", "value", "value of a constant"),
    ),
    "Loop": (
        Fields("long", "nq nv nx nw nu", "numbers of entries of q, v, x, work and u"),
        Fields(
            "long",
            "rows rank solved rechoose choices",
            "numbers of constraint rows, independent rows, rows in the equations of motion; whether independent rows "
            "or rates, and whether rates, are selected anew during the run",
        ),
        Fields(
            "const long *",
            "group group_end",
            "group of each constraint row; number of independent rows up to the end of each group",
        ),
        Fields("Kernel", "rate", "-> q', v', x', power"),
        Fields(
            "Kernel",
            "project_positions project_velocities",
            "-> q, gap; -> v, [1 / pivot, size] of each row, work of the correction",
        ),
        Fields("Kernel", "matrix", "-> scaled constraint Jacobian J"),
        Fields("Kernel", "slope", "-> df/d[q, v, x], df/dt, df/dz of the rate f"),
        Fields(
            "Kernel", "stiffness", "-> dv'/d eta, dv'/d eta' due to stiffness and damping of flexible bodies"
        ),
        Fields("long", "stiff plain", "numbers of elastic coordinates, and of coordinates with q' = v"),
        Fields(
            "const long *", "stiff_q stiff_v plain_q plain_v", "indices of these coordinates in q and in v"
        ),
        Fields("Kernel", "events", "-> values whose zeros are events"),
        Fields(
            "double **",
            "inputs",
            "addresses of inputs and outputs, used by all kernels; t, q, v, x and outputs are set at every call",
        ),
        Fields("const double *", "row_scale rate_weights", ""),
        Fields("Table *", "tables", ""),
        Fields("long", "table_count", ""),
        Fields(
            "Outside", "control", "-> u: at every evaluation (sample = 0), or constant between sample times"
        ),
        Fields("Outside", "projector", "-> y, gap: if not null, replaces both projections"),
        Fields(
            "long", "at_once", "whether drives may change their speed at the time of the current projection"
        ),
        Fields(
            "Outside",
            "chooser",
            "-> distance from singularity; stores the selected coordinates in the inputs",
        ),
        Fields("double", "sample", ""),
        Fields("long", "method", "integration method, see enum Method"),
        Fields("Tableau *", "tableau", ""),
        Fields("double", "rtol fixed_step longest singular open", ""),
        Fields("const double *", "atol", "absolute tolerances; set by Python after `begin`, as is the pace"),
        Fields("double", "pace", "characteristic rate of the run, in 1/s (tolerances.py)"),
        Fields(
            "const double *", "rate_units", "units of the state entries that contribute to the pace, else 0"
        ),
        Fields("double *", "peaks", "of these entries, the largest |v| / unit at the end of a step so far"),
        Fields("const long *", "growth", "powers of the pace with which tolerances grow"),
        Fields("const double *", "ends times", "times at which steps must end; times of the outputs"),
        Fields("long", "end_count output_count event_count event_room", ""),
        Fields(
            "const long *",
            "event_direction event_stops",
            "sign changes that count: rising 1, falling -1, both 0; whether the event ends the run",
        ),
        Fields("double", "t begun h", "current time, initial time, and length of the next step to try"),
        Fields(
            "double", "singularity_distance gap", "distance from singularity and residual of the constraints"
        ),
        Fields("double *", "sizes", "squared size of each constraint row, its largest value so far"),
        Fields("double", "least least_at", "smallest distance from singularity so far, and its time"),
        Fields(
            "double",
            "h_before shrink_before",
            "length of the last step; its ratio to the length of a step of unit error, 0 if unknown",
        ),
        Fields(
            "double *",
            "y f least_y",
            "the state, its rate, and the state with the smallest distance from singularity",
        ),
        Fields("long", "next_end next_output next_sample", ""),
        Fields("long", "steps rejected evaluations tiny", ""),
        Fields("double *", "outputs controls", "states y and controls u at the output times, one row each"),
        Fields("double *", "event_log", "one row per event: time, number of the event, state y"),
        Fields("long", "events_found", ""),
        Fields("double *", "event_values", "values of the event functions at t"),
        Fields("double *", "room", "working memory of `room_needed` doubles"),
    ),
}

PythonCallback = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_double, *[ctypes.POINTER(ctypes.c_double)] * 2)
"""C type of Python callbacks (t, y, result), which write to the array `result` and return a non-zero value on
failure."""

CTYPES = {"long": ctypes.c_long, "double": ctypes.c_double}
"""ctypes types of the C types `long` and `double`; all other fields are addresses."""


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
    """Text of the C header `structs.h`, with assertions that C and Python use the same struct sizes."""
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
        lines.append(
            f'_Static_assert(sizeof({name}) == {size}, "the size of {name} differs in Python and C");'
        )
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
    """Order of the entries of the state y = [q, v, x, work] of a simulation.

    The blocks are coordinates q, rates v, further states x, and the work done by drives and efforts; the fields are
    their sizes, and `layout["v"]` is the slice of the block v. The projection onto the constraints changes q, v and the
    work, but not x. The first entry of `work` is the total work; the others are the energies of single loads, drives or
    bodies, which are integrated without error control.
    """

    q: int
    v: int
    x: int = 0
    work: int = 1

    @classmethod
    def of(cls, skeleton: Skeleton) -> StateLayout:
        """The order of the state for the coordinates and states of a mechanism's spanning tree."""
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
        """Split a state, or an array of states along its last axis, into blocks by name; the blocks are views."""
        return {name: y[..., place] for name, place in self._places.items()}

    def pack(self, **values: Any) -> np.ndarray:
        """Assemble a state vector from its blocks; omitted blocks are zero."""
        y = np.zeros(self.size)
        for name, value in values.items():
            y[self[name]] = value
        return y
