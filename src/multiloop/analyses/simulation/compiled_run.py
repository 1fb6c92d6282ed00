"""A simulation by the compiled time loop; a Result is computed from the recorded states."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from multiloop.analyses.contact_events import EventDrivenLoop
from multiloop.analyses.errors import (
    SINGULAR_DISTANCE,
    integration_error,
    large_deflection_error,
    open_loops_error,
)
from multiloop.analyses.load_checks import undefined_force_error
from multiloop.analyses.progress import progress_display
from multiloop.analyses.results import Result, interruption_warning, with_warnings
from multiloop.analyses.run_models import (
    ROUND_OFF_DISTANCE,
    SUSPECT_DISTANCE,
    SUSPICIOUS_DEFLECTION,
    LocalChoice,
    RelativeDeflections,
    RunModel,
    SingularityCheck,
    first_choice,
    geometric_distance,
    loop_kernels,
    make_local_choice,
    singularity_error,
)
from multiloop.analyses.signals import LONGEST
from multiloop.analyses.simulation.ensemble import Ensemble, Relax
from multiloop.analyses.simulation.run_options import RunOptions
from multiloop.analyses.simulation.run_result import build_result
from multiloop.analyses.simulation.runs import Runs
from multiloop.kernels.runtime import (
    FINISHED,
    OPEN,
    SINGULAR,
    SINGULAR_LIMIT,
    STOPPED,
    STUCK,
    UNFINISHED,
    Control,
    LoopSettings,
    Status,
    TimeLoop,
)
from multiloop.model import ResultWarning, SolveError, accept_partial_result, interruptible

BEYOND_LAST_STEP = (1e-9, 1e-6)
"""Offsets after the time of the last step, relative to this time, at which efforts are checked for undefined values."""

FALLING = -1
"""Direction of zero crossings at which event functions of contact modes are located: falling values."""


@dataclass(frozen=True, eq=False)
class CompiledRun:
    """One simulation by the compiled time loop."""

    run: RunModel
    options: RunOptions

    def integrate(self, begin: float, until: float, times: np.ndarray, y: np.ndarray) -> Result:
        """Integrate y from `begin` to `until`, recording at `times`; an interrupted run keeps the instants computed."""
        events, settings = self.options.events, self._settings(until - begin)
        ends = self.run.signals.corner_times(begin, until)
        if (
            self.run.model.passes_singular
        ):  # near singular positions, interpolation within a step has no error control
            ends = [*ends, *times.tolist()]
        choice = first_choice(self.run.model, y[self.run.layout["q"]], begin)
        system = loop_kernels(self.run, choice, self.options.integrator)
        with interruptible() as interrupted:
            if system.control is not None:
                system = replace(system, control=_interruptible_control(interrupted, system.control))
            loop = self._loop(system, settings, begin, y, times, ends, until)
            status, stopped_early = self._advance(loop, (begin, until), interrupted)
            self._require_small_deflections(loop, status)
            if status not in (FINISHED, UNFINISHED, STOPPED):
                raise self._failure(status, loop)
            if stopped_early and not loop.sample_count:
                raise KeyboardInterrupt
            singularity_check = (
                SingularityCheck(self.run, loop.closest_to_singular[0] < ROUND_OFF_DISTANCE)
                if loop.closest_to_singular[0] < SUSPECT_DISTANCE
                else None
            )
            ending = (lambda: False) if stopped_early else interrupted
            result = self._result(loop, status, singularity_check, ending, choice)
        found = {
            name: tuple(t for t, k, _ in loop.events if k == number) for number, name in enumerate(events)
        }
        unread = len(result.time) < loop.sample_count
        ended = float(result.time[-1]) if unread else loop.t if stopped_early else None
        messages = self._warnings(loop, status, ended)
        if singularity_check is not None:
            messages += [
                *singularity_check.approach_warnings(*loop.closest_to_singular),
                *singularity_check.warnings(),
            ]
        if isinstance(loop, EventDrivenLoop):
            rule = "; ".join(filter(None, (result.rule, loop.rule)))
            messages, result = (
                [*messages, *loop.warnings],
                replace(result, impacts=tuple(loop.impacts), rule=rule),
            )
        return with_warnings(replace(result, events=found, counts=loop.counts), messages)

    def _loop(self, *given: Any) -> TimeLoop | EventDrivenLoop:
        """The time loop; for mechanisms with set-valued forces, an `EventDrivenLoop`, which changes contact modes."""
        return EventDrivenLoop(self.run, *given) if self.run.set_valued_count else TimeLoop(*given)

    def _advance(
        self, loop: TimeLoop | EventDrivenLoop, span: tuple[float, float], interrupted: Callable[[], bool]
    ) -> tuple[Status, bool]:
        """Advance the time loop over the whole time span; returns its last status, and whether it was interrupted
        before the end."""
        status = loop.begin()
        try:
            with progress_display(*span, self.options.progress) as shown:
                while status == UNFINISHED and not interrupted():
                    status = loop.advance()
                    shown(loop.t)
        except KeyboardInterrupt:
            accept_partial_result()
            return UNFINISHED, True
        return status, status == UNFINISHED

    def _settings(self, span: float) -> LoopSettings:
        """Settings of the time loop for a run over `span` seconds."""
        how = self.options
        watchful, set_valued = (
            bool(how.events) or self.run.signals.known.varies_in_time,
            self.run.set_valued_count,
        )
        return LoopSettings(
            how.integrator,
            how.rtol,
            self.run.sizes,
            how.step or 0.0,
            how.sample,
            0.0 if self.run.model.passes_singular else SINGULAR_LIMIT,
            longest=LONGEST * span if watchful or set_valued else np.inf,
            directions=[0] * len(how.events) + [FALLING] * set_valued,
            stops=[*(name in how.stop for name in how.events), *[True] * set_valued],
        )

    def integrate_designs(
        self,
        values: Mapping[str, np.ndarray],
        begin: float,
        until: float,
        times: np.ndarray,
        start: Mapping[str, Any],
        rates: Mapping[str, Any],
        integrals: Mapping[str, float] | None,
        relax: Relax | None = None,
    ) -> Runs:
        """The simulation of many designs; without `integrals`, state variables start at the initial values of each
        design."""
        ensemble = Ensemble(self.run, self._settings(until - begin), times, until, self.options.progress)
        return ensemble.integrate(values, begin, start, rates, integrals, relax)

    def _result(
        self,
        loop: TimeLoop | EventDrivenLoop,
        status: Status,
        singularity_check: SingularityCheck | None,
        interrupted: Callable[[], bool],
        first_choice: LocalChoice,
    ) -> Result:
        """The Result with accelerations, efforts and reactions of the recorded states, and of the state at a stopping
        event.

        When `interrupted` returns True, the evaluation ends, and the Result has the states evaluated so far.
        """
        times, states, u = (part[: loop.sample_count] for part in (loop.times, loop.samples, loop.controls))
        if status == STOPPED and (not len(times) or times[-1] < loop.t):
            times, states = np.append(times, loop.t), np.vstack([states, loop.y])
            u = np.vstack([u, self._control_at_end(loop)])
        sharing = loop.sharing_modes if isinstance(loop, EventDrivenLoop) else frozenset()
        return build_result(
            self.run,
            times,
            states,
            u,
            singularity_check=singularity_check,
            interrupted=interrupted,
            first_choice=first_choice,
            sharing_modes=sharing,
        )

    def _control_at_end(self, loop: TimeLoop | EventDrivenLoop) -> np.ndarray:
        """Value of the control u at the time reached: the last value of a sampled controller, or a new evaluation of a
        continuous one."""
        control = loop.system.control
        if control is None or self.options.sample:
            return loop.last_control
        return np.array(control(loop.t, loop.y), float)

    def _warnings(
        self, loop: TimeLoop | EventDrivenLoop, status: Status, ended: float | None
    ) -> list[ResultWarning]:
        """Warnings of the simulation; `ended` is the time of an interruption, or None."""
        mechanism, messages = self.run.model.plan.mechanism, list[ResultWarning]()
        if ended is not None:
            messages.append(interruption_warning(mechanism, f"interrupted at t = {ended:.9g} s", ended))
        if status == STOPPED:
            names = list(self.options.events)
            named = [names[k] for _, k, _ in loop.events if k < len(names) and names[k] in self.options.stop]
            stopping = " and ".join(f"'{name}'" for name in dict.fromkeys(named))
            text, place = (
                f"stopped by event {stopping} at t = {loop.t:.9g} s",
                ", ".join(dict.fromkeys(named)),
            )
            messages.append(ResultWarning("W33", place, text, time=float(loop.t)))
        return [*messages, *self.run.signals.known.warnings]

    def _require_small_deflections(self, loop: TimeLoop | EventDrivenLoop, status: Status) -> None:
        """Raise an error if a link is deflected by its own length or, in a simulation that cannot be continued, by more
        than the fraction `SUSPICIOUS_DEFLECTION` of it."""
        model, q, done = self.run.model, self.run.layout["q"], loop.sample_count
        if not model.skeleton.is_flexible:
            return
        links = RelativeDeflections(model.skeleton)
        found = links.first_beyond(loop.times[:done], loop.samples[:done, q])
        if found is None and status not in (FINISHED, UNFINISHED, STOPPED):
            found = links.first_beyond(np.array([loop.t]), loop.y[None, q], SUSPICIOUS_DEFLECTION)
        if found is not None:
            raise large_deflection_error(model.plan.mechanism, *found, is_servo=bool(model.servo_rates))

    def _require_finite_efforts(self, loop: TimeLoop | EventDrivenLoop) -> None:
        """Raise an error that names an effort whose value is undefined just after the last step; used if steps became
        too short."""
        layout = self.run.layout
        if self.options.control is not None:
            return
        choice = make_local_choice(self.run.model, loop.y[layout["q"]], t=loop.t)
        for beside in BEYOND_LAST_STEP:
            self.run.solve_at(loop.t + beside * max(1.0, abs(loop.t)), loop.y, choice)

    def _failure(self, status: Status, loop: TimeLoop | EventDrivenLoop) -> SolveError:
        """The error for a simulation that could not be continued, with the time at which it stopped."""
        model, passing = self.run.model, self.run.model.passes_singular
        mechanism, state = model.plan.mechanism, self.run.layout.blocks(loop.y)
        if status == SINGULAR:
            return singularity_error(model, loop.singularity_distance, loop.t, state["q"], model.p)
        if status == OPEN:
            return open_loops_error(mechanism, loop.t, loop.gap)
        if status == STUCK:
            self._require_finite_efforts(loop)
            held = geometric_distance(model, model.scaled_jacobian(state["q"], model.p, loop.t))
            path = self.run.signals.desired
            return integration_error(
                mechanism, loop.t, max(loop.singularity_distance, held), passing=passing, path=path
            )
        if loop.singularity_distance < SINGULAR_DISTANCE and not passing:
            return singularity_error(model, loop.singularity_distance, loop.t, state["q"], model.p)
        return undefined_force_error(model.equations, loop.t, state["q"], state["v"], model.p)


def _interruptible_control(interrupted: Callable[[], bool], control: Control) -> Control:
    """The controller with a check: its next call after a requested interruption ends the simulation."""

    def held(t: float, y: np.ndarray) -> Sequence[float]:
        if interrupted():
            raise KeyboardInterrupt
        return control(t, y)

    return held
