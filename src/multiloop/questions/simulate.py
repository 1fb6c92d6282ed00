"""The function `simulate`: integrate the motion of a mechanism under drives, efforts, control laws and loads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast, overload

import numpy as np

from multiloop.kernels import REMEDY, UnbuiltError, compiler_found, say_interpreted
from multiloop.kernels.integrators import LOOP, SUNDIALS
from multiloop.kernels.state_layout import StateLayout
from multiloop.model import Expression, Mechanism
from multiloop.model.asking import verb
from multiloop.model.control import ControlLaw
from multiloop.questions.answers.doubts import energy_lost, guess_far_off, with_doubts
from multiloop.questions.answers.result import Result
from multiloop.questions.answers.state import State, begun, first_values
from multiloop.questions.answers.thinning import often_enough, thinned
from multiloop.questions.inversion.relaxing import relaxed_start
from multiloop.questions.inversion.startup_transient import startup_transient
from multiloop.questions.leading.required import RequiredEfforts
from multiloop.questions.limits import at_limits, over_limits
from multiloop.questions.load_refusals import require_covered_loads, require_distances
from multiloop.questions.parameters import described
from multiloop.questions.refusal import refusal
from multiloop.questions.remembered import remembered_assembly, remembered_plan
from multiloop.questions.running.compiled_run import CompiledRun
from multiloop.questions.running.controlled import Controlled
from multiloop.questions.running.forward_model import ForwardModel
from multiloop.questions.running.gear_run import GearRun
from multiloop.questions.running.interpreted_run import InterpretedRun
from multiloop.questions.running.jumps import require_steady
from multiloop.questions.running.light_links import digits_lost
from multiloop.questions.running.options import Options, require_honoured, run_instants, stopping_events
from multiloop.questions.running.remembered_runs import remembered_model, remembered_run
from multiloop.questions.running.run_model import RunModel
from multiloop.questions.running.runs import Runs
from multiloop.questions.running.sampling import delay_in_samples, sampled
from multiloop.questions.signals.controllers import Controller
from multiloop.questions.signals.efforts import joints_in, require_readable
from multiloop.questions.signals.signals import Signals


@overload
def simulate(
    mechanism: Mechanism, *, until: float, parameters: Mapping[str, np.ndarray], **asked: Any
) -> Runs: ...


@overload
def simulate(
    mechanism: Mechanism, *, until: float, parameters: Mapping[str, float] | None = ..., **asked: Any
) -> Result: ...


@verb  # type: ignore[misc]  # the overloads state which argument decides the return type
def simulate(
    mechanism: Mechanism,
    *,
    until: float,
    parameters: Mapping[str, Any] | None = None,
    start: Mapping[str, Any] | State | str | None = None,
    guess: Mapping[str, Any] | None = None,
    rates: Mapping[str, Any] | None = None,
    efforts: Mapping[str, Any] | None = None,
    control: Controller | ControlLaw | None = None,
    sample: float = 0.0,
    delay: float = 0.0,
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

    Flexible links start undeformed. With start="relaxed" they start deformed by the forces at that instant, in static
    or steady equilibrium; start={"A": 1.0, "eta": "relaxed"} also prescribes joints, "coupler.eta" relaxes one link.

    Drives of the mechanism are prescribed; every other degree of freedom moves freely under gravity, loads and the
    given `efforts` (by joint name: a number, an expression, or the Result of another analysis).

    `control` is a law such as `PD` or `ComputedTorque`, which replaces the drives by efforts that track them; or a
    function (t, positions, rates), or (t, positions, rates, integrals), → efforts by joint name, which is slower since
    it is Python. It is evaluated at every evaluation of the equations, or with `sample` at this interval in seconds and
    constant in between; its efforts take effect after a `delay`, a whole number of samples. `events` are named
    expressions whose zeros are located; those named in `stop` end the run.

    Integrators: `dop853`, `rk45` (adaptive, explicit), `implicit` (adaptive, for stiff springs), `imex` (adaptive, for
    flexible links), `rk4` (fixed `step`), `gear` (SUNDIALS' backward differentiation formulas, for comparison).
    `parameters` gives other values by name; arrays integrate all designs, each with its own status. The run is compiled
    to machine code; target="interpreter" integrates with SciPy instead. Ctrl-C keeps the instants computed so far. A
    long run shows its `progress` on a terminal.
    """
    mechanism, designs = described(mechanism, parameters)
    law = Controlled.of(mechanism, control) if isinstance(control, ControlLaw) else None
    if law is not None:
        mechanism, efforts = law.plant, law.joined(efforts)
        start = law.start(guess) if start is None else start
        control = control if sample else None
    stopping, many = stopping_events(mechanism, stop), designs is not None
    watched, switches = dict(events or {}), any(load.modes for load in mechanism.all_loads)
    how = Options(integrator, rtol, step, control, sample, watched, stopping, target, progress, switches)
    asked: dict[str, Any] = {"until": until, "start": start, "guess": guess, "rates": rates}
    start, rates, relaxing = relaxed_start(mechanism, start, guess, rates, efforts, law or control)
    begin, held, rates = begun(mechanism, start, rates)
    times = run_instants(mechanism, begin, until, outputs)
    how.require_usable(mechanism, begin, float(until), many)
    held_for = delay_in_samples(mechanism, delay, sample)
    require_covered_loads(mechanism, [begin, float(until)])
    efforts = _without_python(mechanism, efforts, begin, float(until))
    assembly, rates_found = remembered_assembly(mechanism, held, guess, rates, begin)
    far = guess_far_off(assembly)
    reading = {**(efforts or {}), **{f"event {name}": event for name, event in watched.items()}}
    plan = remembered_plan(assembly, cuts, joints_in(mechanism, reading))
    model = remembered_model(plan, method, tuple(efforts or ()))
    require_steady(model, begin, float(until))
    for name, event in watched.items():
        require_readable(model.equations, f"event '{name}'", event)
    how.require_carried(mechanism, method, many, singular=model.passes_singular)
    if not model.skeleton.rates and how.special(many):
        what = "nothing can move: there is nothing to control, to watch or to sweep."
        raise refusal(mechanism, "S08", "simulate", what, "Ask for a plain run.")
    looks = often_enough(begin, times) if control is None else times
    integrals = first_values(mechanism, start)
    y = _first_state(model, rates_found, integrals)
    acting: dict[str, Any] = {"events": watched, "at": (begin, y), "delay": held_for}
    if law is not None:
        law.require_reached(model, begin, y)
    if control is None:
        run = remembered_run(model, efforts, watched)
    elif law is not None:
        run = sampled(remembered_run(model, efforts, {}), tuple(law.efforts), law.others(efforts), **acting)
    else:
        run = RunModel(model, Signals(model.equations, efforts, cast(Controller, control), **acting))
    y = run.layout.pack(
        **{name: part for name, part in run.signals.layout.blocks(y).items() if name != "work"}
    )
    require_distances(model.equations, begin, y[run.layout["q"]], y[run.layout["v"]], model.p)
    span, said = (
        (begin, float(until)),
        [*far, *(digits_lost(model, begin) if not many else ())],
    )

    startup = None
    if control is None and law is None:
        startup = startup_transient(mechanism, asked["start"], guess, asked["rates"], efforts, float(until))

    def finished(found: Result) -> Result:
        if startup is not None:
            found = replace(found, startup=startup.of(found))
        result = thinned(found, times)
        result = with_doubts(result, [*said, *at_limits(result), *over_limits(result), *energy_lost(result)])
        return result if law is None else law.result_of(result)

    if _interpreted(model, how) and not how.special(many):
        return finished(_without_code(run, how).over(*span, looks, y))
    require_honoured(mechanism, run.signals.known.exact, control is not None, sample, integrator)
    compiled = CompiledRun(run, how)
    try:
        if designs is not None:
            kept = integrals if isinstance(start, State) else None
            begun_at: tuple[Any, ...] = (held, rates or {}, kept)
            if relaxing is not None:  # every design separately, from its undeformed position
                begun_at = (relaxing.start, relaxing.rates, None, relaxing.along(plan).of_all)
            runs = compiled.many(designs, *span, times, *begun_at)
            asked |= {"efforts": efforts, "cuts": cuts, "outputs": outputs, "rtol": rtol}
            asked |= {"method": method, "integrator": integrator, "step": step}
            return replace(runs, asked=asked, startup=None if startup is None else startup.of)
        return finished(compiled.over(*span, looks, y))
    except UnbuiltError as error:
        if how.special(many):
            what = f"{how.needs_code(mechanism, many)}, and {error}."
            raise refusal(mechanism, "S08", "simulate", what, REMEDY) from None
        say_interpreted(str(error))
        return finished(_without_code(run, how).over(*span, looks, y))


def _without_python(
    mechanism: Mechanism, efforts: Mapping[str, Any] | None, begin: float, until: float
) -> Mapping[str, Any] | None:
    """The efforts with RequiredEfforts as piecewise polynomials where bodies are flexible, which take many steps."""
    if not efforts or not any(body.elastic for body in mechanism.all_bodies):
        return efforts
    return {
        name: value.curve(name, begin, until) if isinstance(value, RequiredEfforts) else value
        for name, value in efforts.items()
    }


def _first_state(
    model: ForwardModel, rates: Mapping[str, np.ndarray], integrals: Mapping[str, float]
) -> np.ndarray:
    """The state vector at the start, with zero work."""
    q, x = model.plan.assembly.on(model.equations), list(integrals.values())
    return StateLayout.of(model.skeleton).pack(q=q, v=model.rates_of(rates), x=x)


def _interpreted(model: ForwardModel, how: Options) -> bool:
    """Whether the run is interpreted, where both are possible."""
    asked = how.target == "interpreter" or LOOP not in how.carriers
    return asked or model.passes_singular or not model.skeleton.rates or not compiler_found()


def _without_code(run: RunModel, how: Options) -> InterpretedRun:
    """The run with SciPy's integrators, or with SUNDIALS."""
    return (GearRun if SUNDIALS in how.carriers else InterpretedRun)(run, how)
