"""The verb `simulate`: how does it move when it is let go, or driven, or both?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, overload

import numpy as np

from multiloop.kernels import UnbuiltError, compiler_found, say_interpreted
from multiloop.model import Expression, Fault, Mechanism, SolveError
from multiloop.plan import plan_at
from multiloop.questions.assembling import assembled_with_rates
from multiloop.questions.choices import require
from multiloop.questions.collocation import require_collocated
from multiloop.questions.compiled_run import CompiledRun
from multiloop.questions.efforts import joints_in, require_readable
from multiloop.questions.interpreted_run import INTEGRATORS, InterpretedRun
from multiloop.questions.jumps import require_steady
from multiloop.questions.motion import Motions
from multiloop.questions.parameters import described
from multiloop.questions.result import Result
from multiloop.questions.runs import Runs
from multiloop.questions.signals import Controller, Signals
from multiloop.questions.state import State, begun
from multiloop.questions.thinning import often_enough, thinned

COMPILED = ("dop853", "rk45", "rk4", "implicit")
TARGETS = ("c", "interpreter")


@overload
def simulate(
    mechanism: Mechanism, *, until: float, parameters: Mapping[str, np.ndarray], **asked: Any
) -> Runs: ...


@overload
def simulate(
    mechanism: Mechanism, *, until: float, parameters: Mapping[str, float] | None = ..., **asked: Any
) -> Result: ...


def simulate(  # type: ignore[misc]  # the overloads name what decides the kind of answer
    mechanism: Mechanism,
    *,
    until: float,
    parameters: Mapping[str, Any] | None = None,
    start: Mapping[str, Any] | State | None = None,
    guess: Mapping[str, Any] | None = None,
    rates: Mapping[str, Any] | None = None,
    efforts: Mapping[str, Any] | None = None,
    control: Controller | None = None,
    sample: float = 0.0,
    events: Mapping[str, Expression] | None = None,
    stop: str | Sequence[str] = (),
    outputs: int | Sequence[float] = 501,
    rtol: float = 1e-10,
    method: str = "sslm",
    integrator: str = "dop853",
    step: float | None = None,
    cuts: Sequence[str] | None = None,
    target: str = "c",
    progress: bool | None = None,
) -> Result | Runs:
    """Motion from t = 0, or from a State and its time, to `until`.

    Motions of the mechanism are prescribed; every other freedom moves freely under gravity and the given
    `efforts` (by joint name: a number, an expression, or the Result of another question).

    `control` is a function (t, positions, rates) → efforts by joint name, asked at every evaluation, or with
    `sample` only every so many seconds and held in between; being Python it is slower than an expression.
    `events` are named expressions whose zeros are located; those named in `stop` end the run.

    Integrators: `dop853`, `rk45` (adaptive, explicit), `implicit` (adaptive, for stiff springs), `rk4` (fixed
    `step`). `parameters` gives other values by name; arrays of them make a run of every design, each with its own
    status. The run is compiled to machine code; target="interpreter" integrates with SciPy instead. Ctrl-C
    keeps what was computed. A long run shows its `progress` on a terminal.
    """
    mechanism, designs = described(mechanism, parameters)
    require(mechanism, "integrator", integrator, COMPILED)
    require(mechanism, "target", target, TARGETS)
    if control is None:
        require_collocated(mechanism, efforts or ())
    begin, held, rates = begun(mechanism, start, rates)
    times = _instants(mechanism, begin, until, outputs)
    _require_numbers(mechanism, rtol, integrator, step)
    assembly, rates_found = assembled_with_rates(mechanism, held, guess, rates, begin)
    reading = {**(efforts or {}), **{f"event {name}": event for name, event in (events or {}).items()}}
    plan = plan_at(assembly, cuts, joints_in(mechanism, reading))
    motions = Motions(plan, assembly, method, efforts)
    require_steady(motions, begin, float(times[-1]))
    q, v = assembly.on(motions.equations), motions.rates_of(rates_found)
    for name, event in (events or {}).items():
        require_readable(motions.equations, f"event '{name}'", event)
    looks = often_enough(begin, times) if control is None else times
    special = control is not None or events or designs or integrator not in INTEGRATORS
    plain = target == "interpreter" or motions.passes_singular or not motions.skeleton.rates
    if (plain or not compiler_found()) and not special:
        return thinned(InterpretedRun(motions, rtol, integrator).over(begin, looks, q, v), times)
    outside = integrator != "implicit"
    signals = Signals(motions.equations, efforts, control, outside, dict(events or {}))
    run = CompiledRun(
        motions,
        signals,
        integrator,
        rtol,
        step or 0.0,
        sample,
        dict(events or {}),
        [stop] if isinstance(stop, str) else stop,
        progress,
    )
    try:
        if designs is not None:
            return run.many(designs, begin, times, held, rates or {})
        return thinned(run.over(begin, looks, q, v), times)
    except UnbuiltError as error:
        if special:
            raise _needs_machine_code(mechanism, error) from None
        say_interpreted(str(error))
        return thinned(InterpretedRun(motions, rtol, integrator).over(begin, looks, q, v), times)


def _instants(mechanism: Mechanism, begin: float, until: Any, outputs: Any) -> np.ndarray:
    """The times to record: evenly spaced, or as given."""
    if not isinstance(until, int | float | np.number) or not np.isfinite(until) or until < begin:
        raise _refused(
            mechanism, "until", f"is {until!r}.", f"Give an end of the run in seconds, not before {begin:g}."
        )
    if isinstance(outputs, int | np.integer) and not isinstance(outputs, bool):
        if outputs < 1:
            raise _refused(
                mechanism, "outputs", f"is {outputs}.", "Give the number of instants to record, or times."
            )
        return (
            np.unique(np.linspace(begin, float(until), int(outputs)))
            if outputs > 1
            else np.array([float(until)])
        )
    try:
        times = np.asarray(outputs, float)
    except (TypeError, ValueError):
        times = np.zeros((0, 0))
    if times.ndim != 1 or not len(times) or not np.isfinite(times).all():
        raise _refused(
            mechanism, "outputs", f"is {outputs!r}.", "Give a whole number of instants, or a list of times."
        )
    if (np.diff(times) <= 0).any() or times[0] < begin or times[-1] > until:
        what = f"{outputs!r} do not rise from {begin:g} to until = {until:g} s."
        raise _refused(mechanism, "outputs", what, "Give times in rising order within the run.")
    return times


def _require_numbers(mechanism: Mechanism, rtol: Any, integrator: str, step: Any) -> None:
    """Refuse tolerances and steps that are none."""
    if not isinstance(rtol, int | float | np.number) or not 0 < rtol < 1:
        raise _refused(
            mechanism, "rtol", f"is {rtol!r}.", "Give a relative tolerance between 1e-13 and 1e-2."
        )
    if integrator == "rk4" and (not isinstance(step, int | float | np.number) or not step > 0):
        raise _refused(
            mechanism, "step", f"is {step!r}.", "rk4 has a fixed step: give it in seconds, step=1e-3."
        )


def _refused(mechanism: Mechanism, where: str, what: str, remedy: str) -> SolveError:
    return SolveError(f"mechanism '{mechanism.name}'", [Fault("S09", where, what, remedy)])


def _needs_machine_code(mechanism: Mechanism, error: UnbuiltError) -> SolveError:
    """The error of a run that SciPy cannot stand in for."""
    what = f"control, events, many designs, rk4 and implicit need machine code: {error}."
    remedy = "Install gcc or clang, or `pip install multiloop[compiler]`."
    return SolveError(f"mechanism '{mechanism.name}'", [Fault("S08", "simulate", what, remedy)])
