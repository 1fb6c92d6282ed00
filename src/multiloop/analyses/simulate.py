"""The function `simulate`: integrate the motion of a mechanism under drives, efforts, control laws and loads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast, overload

import numpy as np

from multiloop.analyses.analysis_cache import cached_assembly, cached_plan
from multiloop.analyses.errors import analysis_error
from multiloop.analyses.load_checks import require_covered_loads, require_spring_lengths
from multiloop.analyses.prescribed_motion import RequiredEfforts
from multiloop.analyses.results import (
    Result,
    State,
    at_limit_warnings,
    energy_warnings,
    guess_warnings,
    initial_state_values,
    over_limit_warnings,
    with_warnings,
)
from multiloop.analyses.run_models import (
    ForwardModel,
    RunModel,
    cached_model,
    cached_run,
    light_link_warnings,
)
from multiloop.analyses.signals import Controller, Signals, joints_in_efforts, require_readable
from multiloop.analyses.simulation import (
    BdfRun,
    CompiledRun,
    ControlledMechanism,
    InterpretedRun,
    RunOptions,
    Runs,
    delay_in_samples,
    require_continuous_drives,
    require_usable_efforts,
    run_instants,
    sampled_run,
    sampling_times,
    select_instants,
    stopping_events,
)
from multiloop.kernels import COMPILER_REMEDY, UnbuiltError, compiler_available, warn_interpreted
from multiloop.kernels.runtime import COMPILED_LOOP, SUNDIALS, StateLayout
from multiloop.kinematics.assembly import StateValues, named_state, start_conditions
from multiloop.model import (
    ControlLaw,
    Expression,
    Mechanism,
    accept_earlier_arguments,
    apply_parameters,
    public_function,
)


@overload
def simulate(
    mechanism: Mechanism, *, until: float, parameters: Mapping[str, np.ndarray], **asked: Any
) -> Runs: ...


@overload
def simulate(
    mechanism: Mechanism, *, until: float, parameters: Mapping[str, float] | None = ..., **asked: Any
) -> Result: ...


@accept_earlier_arguments(outputs="samples")  # type: ignore[misc]  # the overloads state which argument decides
@public_function
def simulate(
    mechanism: Mechanism,
    *,
    until: float,
    parameters: Mapping[str, Any] | None = None,
    start: StateValues | str | None = None,
    guess: Mapping[str, Any] | None = None,
    rates: Mapping[str, Any] | None = None,
    efforts: Mapping[str, Any] | None = None,
    control: Controller | ControlLaw | None = None,
    sample: float = 0.0,
    delay: float = 0.0,
    events: Mapping[str, Expression] | None = None,
    stop: str | Sequence[str] = (),
    samples: int | Sequence[float] = 501,
    rtol: float = 1e-10,
    method: str = "sslm",
    integrator: str = "dop853",
    step: float | None = None,
    cuts: Sequence[str] | None = None,
    target: str = "c",
    progress: bool | None = None,
) -> Result | Runs:
    """Motion from t = 0, or from the time of a State, to `until`.

    `start`, where the motion begins, is a mapping from joints to coordinates, a State or an Equilibrium; the time and
    the rates are those of the State, unless `rates` are given. Flexible links start undeformed. With start="relaxed"
    they start deformed by the forces at that instant, in static or steady equilibrium; start={"A": 1.0, "eta":
    "relaxed"} also prescribes the coordinate of a joint; the key "coupler.eta" in place of "eta" relaxes one link only.

    Drives of the mechanism are prescribed; every other degree of freedom moves freely under gravity, loads and the
    given `efforts` (by joint name: a number, an expression, or the Result of another analysis).

    `control` is a law such as `PD` or `ComputedTorque`, whose efforts replace the drives and track their motion; or a
    function (t, positions, rates), or (t, positions, rates, integrals), → efforts by joint name, which is slower since
    it is Python. The law is evaluated with the equations of motion, or every `sample` seconds and held constant in
    between; its efforts take effect after a `delay`, a whole number of samples. `events` are named expressions whose
    zeros are located; those named in `stop` end the run.

    Integrators: `dop853`, `rk45` (adaptive, explicit), `implicit` (adaptive, for stiff springs), `imex` (adaptive, for
    flexible links), `rk4` (fixed `step`), `gear` (SUNDIALS' backward differentiation formulas, for comparison).
    `samples` is the number of recorded instants, or their times. `parameters` gives other parameter values by name;
    with arrays all designs are integrated, each with its own status. The run is compiled to machine code;
    target="interpreter" integrates with SciPy instead. Ctrl-C keeps the instants computed so far. A long run shows its
    `progress` on a terminal.
    """
    mechanism, designs = apply_parameters(mechanism, parameters)
    start = named_state(start)
    law = ControlledMechanism.of(mechanism, control) if isinstance(control, ControlLaw) else None
    if law is not None:
        mechanism, efforts = law.plant, law.all_efforts(efforts)
        start = law.start(guess) if start is None else start
        control = control if sample else None
    stopping, many = stopping_events(mechanism, stop), designs is not None
    watched, switches = dict(events or {}), any(load.modes for load in mechanism.all_loads)
    how = RunOptions(integrator, rtol, step, control, sample, watched, stopping, target, progress, switches)
    asked: dict[str, Any] = {"until": until, "start": start, "guess": guess, "rates": rates}
    relaxing = None
    if start is not None:
        from multiloop.analyses.stable_inversion import relaxed_start  # links are relaxed on request only

        start, rates, relaxing = relaxed_start(mechanism, start, guess, rates, efforts, law or control)
    begin, held, rates = start_conditions(mechanism, start, rates)
    times = run_instants(mechanism, begin, until, samples)
    how.require_usable(mechanism, begin, float(until), many)
    held_for = delay_in_samples(mechanism, delay, sample)
    loaded = bool(mechanism.all_loads)
    if loaded:
        require_covered_loads(mechanism, [begin, float(until)])
    efforts = _compilable_efforts(mechanism, efforts, begin, float(until))
    assembly, rates_found = cached_assembly(mechanism, held, guess, rates, begin)
    far = guess_warnings(assembly)
    reading = {**(efforts or {}), **{f"event {name}": event for name, event in watched.items()}}
    plan = cached_plan(assembly, cuts, joints_in_efforts(mechanism, reading))
    model = cached_model(plan, method, tuple(efforts or ()))
    require_continuous_drives(model, begin, float(until))
    for name, event in watched.items():
        require_readable(model.equations, f"event '{name}'", event)
    how.require_supported(mechanism, method, many, singular=model.passes_singular)
    if not model.skeleton.rates and how.needs_compiled_code(many):
        what = "the mechanism has no degrees of freedom: control, events and parameter sweeps do not apply."
        raise analysis_error(
            mechanism, "S08", "simulate", what, "Omit control, events and arrays of parameters."
        )
    looks = sampling_times(begin, times) if control is None else times
    integrals = initial_state_values(mechanism, start) if model.skeleton.states else {}
    y = _initial_state(model, rates_found, integrals)
    acting: dict[str, Any] = {"events": watched, "at": (begin, y), "sample": sample, "delay": held_for}
    if law is not None:
        law.require_reachable(model, begin, y)
    if control is None:
        run = cached_run(model, efforts, watched)
    elif law is not None:
        run = sampled_run(
            cached_run(model, efforts, {}), tuple(law.efforts), law.other_efforts(efforts), **acting
        )
    else:
        run = RunModel(model, Signals(model.equations, efforts, cast(Controller, control), **acting))
    y = run.layout.pack(
        **{name: part for name, part in run.signals.layout.blocks(y).items() if name != "work"}
    )
    if loaded:
        require_spring_lengths(model.equations, begin, y[run.layout["q"]], y[run.layout["v"]], model.p)
    span, said = (
        (begin, float(until)),
        [*far, *(light_link_warnings(model, begin) if not many else ())],
    )

    startup = None
    if model.skeleton.is_flexible and control is None and law is None:
        from multiloop.analyses.stable_inversion import startup_transient  # only flexible links need it

        startup = startup_transient(mechanism, asked["start"], guess, asked["rates"], efforts, float(until))

    def finished(found: Result) -> Result:
        for name in run.signals.outputs_of_events:
            found.output(name)  # raises an error where the output is not defined: its event would be NaN
        if startup is not None:
            found = replace(found, startup=startup.of(found))
        found = with_warnings(
            found, [*said, *at_limit_warnings(found), *over_limit_warnings(found), *energy_warnings(found)]
        )
        result = select_instants(found, times)
        return result if law is None else law.result_of(result)

    if _runs_interpreted(model, how) and not how.needs_compiled_code(many):
        return finished(_interpreted_run(run, how).integrate(*span, looks, y))
    require_usable_efforts(
        mechanism, run.signals.known.python_efforts, control is not None, sample, integrator
    )
    compiled = CompiledRun(run, how)
    try:
        if designs is not None:
            kept = integrals if isinstance(start, State) else None
            begun_at: tuple[Any, ...] = (held, rates or {}, kept)
            if relaxing is not None:  # relax every design from its own undeformed position
                begun_at = (relaxing.start, relaxing.rates, None, relaxing.relaxation(plan).relax_designs)
            runs = compiled.integrate_designs(designs, *span, times, *begun_at)
            asked |= {"efforts": efforts, "cuts": cuts, "samples": samples, "rtol": rtol}
            asked |= {"method": method, "integrator": integrator, "step": step}
            return replace(runs, asked=asked, startup=None if startup is None else startup.of)
        return finished(compiled.integrate(*span, looks, y))
    except UnbuiltError as error:
        if how.needs_compiled_code(many):
            what = f"{how.compiled_code_clause(mechanism, many)}, and {error}."
            raise analysis_error(mechanism, "S08", "simulate", what, COMPILER_REMEDY) from None
        warn_interpreted(str(error))
        return finished(_interpreted_run(run, how).integrate(*span, looks, y))


def _compilable_efforts(
    mechanism: Mechanism, efforts: Mapping[str, Any] | None, begin: float, until: float
) -> Mapping[str, Any] | None:
    """The argument `efforts`, in which efforts that inverse dynamics computes (`RequiredEfforts`) are replaced by
    piecewise polynomials of time if the mechanism has flexible bodies, whose simulation needs many steps."""
    if not efforts or not any(body.elastic for body in mechanism.all_bodies):
        return efforts
    return {
        name: value.curve(name, begin, until) if isinstance(value, RequiredEfforts) else value
        for name, value in efforts.items()
    }


def _initial_state(
    model: ForwardModel, rates: Mapping[str, np.ndarray], integrals: Mapping[str, float]
) -> np.ndarray:
    """The state vector [q, v, x, work] at the start, with the initial values `integrals` as x and zero work."""
    q, x = model.plan.assembly.coordinates_on(model.equations), list(integrals.values())
    return StateLayout.of(model.skeleton).pack(q=q, v=model.rates_of(rates), x=x)


def _runs_interpreted(model: ForwardModel, how: RunOptions) -> bool:
    """Whether the equations are integrated in Python, because this is requested or because compiled code is
    unavailable or unsuitable."""
    asked = how.target == "interpreter" or COMPILED_LOOP not in how.carriers
    return asked or model.passes_singular or not model.skeleton.rates or not compiler_available()


def _interpreted_run(run: RunModel, how: RunOptions) -> InterpretedRun:
    """The run with SciPy's integrators, or with SUNDIALS."""
    return (BdfRun if SUNDIALS in how.carriers else InterpretedRun)(run, how)
