"""Python interface of the compiled time loop: it fills the C struct `Loop` and calls the library.

The struct contains the addresses of the mechanism's compiled functions (kernels). Each call returns after a number of
steps, so that progress can be shown and a run can be interrupted without loss of results.

Theory: docs/theory/07-time-integration.md, section 7.6.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from multiloop.kernels.kernel import Kernel
from multiloop.kernels.runtime.integrators import INTEGRATORS, Tableau
from multiloop.kernels.runtime.runtime_library import load_runtime
from multiloop.kernels.runtime.structs import (
    INPUTS,
    OUTPUTS,
    LoopStruct,
    PythonCallback,
    StateLayout,
    Status,
    TableauStruct,
    TableStruct,
)
from multiloop.kernels.runtime.tolerances import OPEN_LIMIT, StateScales
from multiloop.kinematics.conditioning import RowGroups

FINISHED, UNFINISHED, SINGULAR, OPEN, STUCK, NOT_FINITE, STOPPED, CONTROL_FAILED = Status
"""Statuses that `TimeLoop.advance` returns, see `Status`."""

FIRST_CALL_STEPS, MOST_CALL_STEPS = 32, 2048
LONGEST_CALL = 0.05
"""Duration (s) of a call of the C code above which the next call takes fewer steps. `FIRST_CALL_STEPS` is the number of
steps of the first call, `MOST_CALL_STEPS` the largest number. C code does not react to Ctrl-C, but Python does between
two calls."""


def event_tolerance(t: float) -> float:
    """Largest difference (s) between the computed times of two events near time t that count as simultaneous."""
    return 64 * float(np.spacing(abs(t)))


class TimeLoop:
    """One simulation: call `begin`, then `advance` until it is finished, and read `samples` and `events`."""

    def __init__(
        self,
        system: RunKernels,
        settings: LoopSettings,
        begin: float,
        y: np.ndarray,
        times: np.ndarray,
        ends: Sequence[float],
        until: float | None = None,
    ) -> None:
        """Prepare a run that starts at time `begin` in state y and records samples at `times`.

        `ends` are times at which steps must end; the run ends at `until`, or else at the last of `times`.
        """
        self.system, self.settings = system, settings
        self.times = np.ascontiguousarray(times, float)
        self.error: BaseException | None = None
        self.events: list[tuple[float, int, np.ndarray]] = []
        self._references: list[Any] = []
        layout, n = system.layout, system.layout.size
        self.y = np.array(y, float)
        self.samples = np.full((len(times), n), np.nan)
        self.controls = np.zeros((len(times), system.controlled))
        self.inputs = {name: np.zeros(1) for name in INPUTS}
        self.inputs |= {name: np.array(np.ravel(v, order="F"), float) for name, v in system.given.items()}
        self.inputs["u"] = np.zeros(max(system.controlled, 1))
        self.inputs["z"] = np.zeros(max(len(system.tables), 1))
        events, integrator = len(settings.directions), INTEGRATORS[settings.integrator]
        room = 256 * (events + 1)
        self._log, self._least = np.zeros((room, n + 2)), np.zeros(n)
        self.event_values, self.discarded_events = np.zeros(max(events, 1)), list[int]()
        self._rate, self._atol, self._growth = np.zeros(n), np.zeros(n), np.zeros(n, np.int_)
        self.peaks = np.zeros(n)  # largest value so far of each rate divided by its unit (1/s)
        limits = self._limits = step_limits(begin, float(times[-1]) if until is None else until, ends)
        self._loop = LoopStruct(
            nq=layout.q,
            nv=layout.v,
            nx=layout.x,
            nw=layout.work,
            nu=system.controlled,
            rows=len(system.row_scale),
            rank=system.rank,
            solved=system.solved,
            group=self._array(system.grouping.group_of),
            group_end=self._array(np.array(system.grouping.cumulative_ranks, np.int_)),
            rechoose=int(system.matrix is not None),
            choices=int(system.choices),
            stiff=len(system.places.stiff_q) if system.stiffness is not None else 0,
            plain=len(system.places.plain_q),
            **{name: self._array(np.array(x, np.int_)) for name, x in vars(system.places).items()},
            inputs=self._pointers([self.inputs[name] for name in INPUTS]),
            row_scale=self._array(system.row_scale),
            rate_weights=self._array(system.rate_weights),
            sizes=self._array(np.array(system.sizes)),
            tables=self._tables(system.tables),
            table_count=len(system.tables),
            sample=settings.sample,
            method=integrator.method,
            rtol=settings.rtol,
            fixed_step=settings.step,
            longest=settings.longest,
            singular=settings.singular,
            open=settings.open,
            atol=self._array(self._atol),
            pace=1.0,
            rate_units=self._array(settings.sizes.rate_units),
            peaks=self._array(self.peaks),
            growth=self._array(self._growth),
            ends=self._array(limits),
            end_count=len(limits),
            times=self._array(self.times),
            output_count=len(times),
            event_count=events,
            event_room=room,
            event_direction=self._array(np.array(settings.directions, np.int_)),
            event_stops=self._array(np.array(settings.stops, np.int_)),
            t=begin,
            begun=begin,
            next_sample=int(np.floor(begin / settings.sample + 1e-9)) if settings.sample else 0,
            singularity_distance=1.0,
            least=1.0,
            y=self._array(self.y),
            f=self._array(self._rate),
            least_y=self._array(self._least),
            outputs=self._array(self.samples),
            controls=self._array(self.controls),
            event_log=self._array(self._log),
            event_values=self._array(self.event_values),
        )
        for name in (
            "rate",
            "project_positions",
            "project_velocities",
            "matrix",
            "slope",
            "stiffness",
            "events",
        ):
            kernel = getattr(system, name)
            if kernel is not None:
                setattr(self._loop, name, kernel.address)
        if integrator.tableau is not None:
            self._loop.tableau = self._tableau(integrator.tableau())
        if system.control is not None:
            self._loop.control = self._callback(system.control, system.controlled)
        if system.projector is not None:
            self._loop.projector = self._callback(self._project, n + 1)
        if system.chooser is not None:
            self._loop.chooser = self._callback(self._choose, 1)
        self._library, self._steps_per_call = load_runtime(), FIRST_CALL_STEPS
        self._loop.room = self._array(np.zeros(self._library.room_needed(ctypes.byref(self._loop))))

    def begin(self) -> Status:
        """Project the initial state onto the constraints, evaluate its time derivative, and set the tolerances."""
        status = self._check_status(self._library.begin(ctypes.byref(self._loop)))
        sizes, span = self.settings.sizes, float(self._limits[-1]) - self.t
        # 1/s if nothing moves and the duration is unknown
        pace = self.settings.pace or sizes.characteristic_rate(self.y, self._rate, span) or 1.0
        self._atol[:] = self.settings.rtol * sizes.scales(pace, self.y, self._rate)
        self._growth[:] = sizes.growth(pace)
        self._loop.pace = pace
        return status

    def advance(self) -> Status:
        """Take a number of integration steps; the call lasts at most about `LONGEST_CALL` seconds."""
        begin = time.monotonic()
        status = self._library.advance(ctypes.byref(self._loop), self._steps_per_call)
        seconds = time.monotonic() - begin
        self._steps_per_call = (
            max(self._steps_per_call // 2, 1)
            if seconds > LONGEST_CALL
            else min(2 * self._steps_per_call, MOST_CALL_STEPS)
        )
        found, last = self._log[: self._loop.events_found], self.t + event_tolerance(self.t)
        self.discarded_events = []  # numbers of the events that lie after the event that ended the run
        for row in found[np.argsort(found[:, 0], kind="stable")]:
            if status != STOPPED or row[0] <= last:
                self.events.append((float(row[0]), int(row[1]), row[2:].copy()))
            else:
                self.discarded_events.append(int(row[1]))
        self._loop.events_found = 0
        return self._check_status(status)

    def _check_status(self, status: int) -> Status:
        """Return the status, or raise the error that occurred in a Python callback."""
        if self.error is not None:
            raise self.error
        return Status(status)

    @property
    def t(self) -> float:
        """Current time (s)."""
        return float(self._loop.t)

    @property
    def characteristic_rate(self) -> float:
        """Characteristic rate (1/s) of the run up to the current time, from which tolerances follow."""
        return float(self._loop.pace)

    @property
    def last_control(self) -> np.ndarray:
        """Values of the control u at its last evaluation."""
        return self.inputs["u"][: self.system.controlled].copy()

    @property
    def sample_count(self) -> int:
        """Number of samples recorded so far."""
        return int(self._loop.next_output)

    @property
    def singularity_distance(self) -> float:
        """Distance of the last state from a singular configuration (dimensionless)."""
        return float(self._loop.singularity_distance)

    @property
    def closest_to_singular(self) -> tuple[float, float, np.ndarray]:
        """Smallest distance from singularity so far, at the end of a step or at a sample, with its time and state."""
        return float(self._loop.least), float(self._loop.least_at), self._least.copy()

    @property
    def gap(self) -> float:
        """Largest residual of the position constraints, relative to the size of the mechanism, at the last
        projection."""
        return float(self._loop.gap)

    @property
    def counts(self) -> dict[str, int]:
        """Numbers of steps taken, steps rejected, and evaluations of the state's time derivative."""
        return {name: int(getattr(self._loop, name)) for name in ("steps", "rejected", "evaluations")}

    # arrays and structs to which the struct Loop points, kept alive in `_references` ----------------------

    def _array(self, values: np.ndarray) -> int:
        array = np.ascontiguousarray(values) if values.size else np.zeros(1)
        self._references.append(array)
        return int(array.ctypes.data)

    def _pointers(self, arrays: Sequence[np.ndarray]) -> int:
        table = (ctypes.c_void_p * (len(arrays) + OUTPUTS))(*[self._array(array) for array in arrays])
        self._references.append(table)
        return ctypes.addressof(table)

    def _tables(self, curves: Sequence[tuple[np.ndarray, np.ndarray, bool]]) -> int:
        rows = (TableStruct * max(len(curves), 1))()
        for row, (breaks, coefficients, periodic) in zip(rows, curves, strict=False):
            row.pieces, row.degree, row.periodic = len(breaks) - 1, len(coefficients) - 1, int(periodic)
            row.breaks = self._array(np.array(breaks, float))
            row.coefficients = self._array(np.array(coefficients, float))
        self._references.append(rows)
        return ctypes.addressof(rows)

    def _tableau(self, tableau: Tableau) -> int:
        struct = TableauStruct(
            stages=tableau.stages,
            extra=tableau.extra,
            powers=tableau.powers,
            uses_last=int(tableau.uses_last),
            exponent=tableau.exponent,
        )
        for name in ("A", "B", "C", "error3", "error5", "A_extra", "C_extra", "D"):
            value = getattr(tableau, name)
            setattr(struct, name, None if value is None else self._array(np.ascontiguousarray(value, float)))
        self._references.append(struct)
        return ctypes.addressof(struct)

    def _project(self, t: float, y: np.ndarray) -> Sequence[float]:
        assert self.system.projector is not None
        return self.system.projector(t, y, bool(self._loop.at_once))

    def _choose(self, t: float, y: np.ndarray) -> Sequence[float]:
        """Select independent coordinates, store them in the inputs, and return the distance from singularity."""
        assert self.system.chooser is not None
        given, singularity_distance = self.system.chooser(t, y)
        for name, value in given.items():
            self.inputs[name][:] = np.ravel(value, order="F")
        return [singularity_distance]

    def _callback(self, function: Callable[..., Sequence[float]], count: int) -> int:
        """Address of a C callback that calls a Python function of (t, y) with `count` results.

        An error that the function raises is stored in `error`, because it cannot pass through C code.
        """
        n = self.system.layout.size

        def called(t: float, y: Any, found: Any) -> int:
            try:
                values = function(t, np.array(y[:n]))
                for k in range(count):
                    found[k] = values[k]
            except BaseException as error:
                self.error = error
                return 1
            return 0

        kept = PythonCallback(called)
        self._references.append(kept)
        return int(ctypes.cast(kept, ctypes.c_void_p).value or 0)


Control = Callable[[float, np.ndarray], Sequence[float]]
"""Type of control functions (t, y) → u, the controlled efforts at time t in the state y."""

Projector = Callable[[float, np.ndarray, bool], Sequence[float]]
"""Type of projection functions (t, y, whether a drive may change its speed at t) → entries of the state projected onto
the constraints, followed by the largest remaining residual."""

Chooser = Callable[[float, np.ndarray], tuple[dict[str, np.ndarray], float]]
"""Type of functions (t, y) → kernel inputs that select independent coordinates, and the distance from singularity."""


NO_PLACES = np.zeros(0, np.int_)


@dataclass(frozen=True, eq=False)
class CoordinatePlaces:
    """Indices in q and v of elastic coordinates (`stiff`), and of all coordinates with q̇ = v (`plain`)."""

    stiff_q: np.ndarray = field(default_factory=lambda: NO_PLACES)
    stiff_v: np.ndarray = field(default_factory=lambda: NO_PLACES)
    plain_q: np.ndarray = field(default_factory=lambda: NO_PLACES)
    plain_v: np.ndarray = field(default_factory=lambda: NO_PLACES)


@dataclass(frozen=True, eq=False)
class RunKernels:
    """Compiled functions (kernels) of a mechanism with common inputs, and the data that the time loop needs.

    rate → q̇, v̇, ẋ, power; project_positions → q, largest residual of the position constraints; project_velocities →
    v, for each constraint row the reciprocal of its pivot (`row_pivots`) and its squared norm, work of the correction;
    matrix → constraint Jacobian with lengths divided by the characteristic length (only if independent constraint rows
    or coordinates are selected during the run); slope → ∂f/∂[q v x], ∂f/∂t, ∂f/∂z of the rate f, with the values z of
    tables (implicit method); stiffness → ∂v̇/∂η, ∂v̇/∂η̇ due to flexible bodies with elastic coordinates η (additive
    method); events → values of the event functions.
    """

    layout: StateLayout
    rate: Kernel
    project_positions: Kernel | None  # None if `projector` is given, which then replaces both projections
    project_velocities: Kernel | None
    given: dict[str, np.ndarray]  # inputs that change only when independent rows or rates are selected anew
    rank: int = 0
    solved: int = 0  # number of independent constraint rows in the equations of motion
    grouping: RowGroups = RowGroups((), ())  # noqa: RUF009 (frozen)
    sizes: np.ndarray = field(default_factory=lambda: np.zeros(0))  # initial squared norms of constraint rows
    rate_weights: np.ndarray = field(
        default_factory=lambda: np.zeros(0)
    )  # weights for the selection of independent rates
    row_scale: np.ndarray = field(default_factory=lambda: np.zeros(0))
    choices: bool = False
    matrix: Kernel | None = None
    slope: Kernel | None = None
    stiffness: Kernel | None = None
    places: CoordinatePlaces = field(default_factory=CoordinatePlaces)
    events: Kernel | None = None
    tables: Sequence[tuple[np.ndarray, np.ndarray, bool]] = ()
    controlled: int = 0
    control: Control | None = None
    projector: Projector | None = None
    chooser: Chooser | None = None  # if given, replaces the selection of coordinates by pivoting


@dataclass(frozen=True, eq=False)
class LoopSettings:
    """Settings of the time integration: method, tolerances, step lengths, limits and events.

    `rtol` is the relative tolerance. `directions` are the sign changes of each event function that count (1 rising, −1
    falling, 0 both), and `stops` states for each event whether it ends the run.
    """

    integrator: str
    rtol: float
    sizes: StateScales  # data from which the absolute tolerances follow
    step: float = 0.0  # constant step of rk4 (s)
    sample: float = 0.0  # sample time of the control (s); 0 for a continuous control
    singular: float = 0.0  # distance from singularity below which the run ends
    open: float = OPEN_LIMIT  # residual of the loops, divided by the mechanism's size, at which the run ends
    longest: float = np.inf  # longest step (s)
    directions: Sequence[int] = ()
    stops: Sequence[bool] = ()
    pace: float = 0.0  # characteristic rate ν if it is known; 0 if it is computed at the start of the run


def step_limits(begin: float, finish: float, ends: Sequence[float]) -> np.ndarray:
    """Times from `begin` to `finish` at which steps must end, in order; the last is `finish`, the end of the run.

    Times that differ only by round-off are merged.
    """
    apart = 1e-12 * max(abs(begin), abs(finish), finish - begin)
    found = [finish]
    for end in sorted((end for end in ends if begin + apart < end), reverse=True):
        if end < found[-1] - apart:
            found.append(end)
    return np.array(found[::-1])
