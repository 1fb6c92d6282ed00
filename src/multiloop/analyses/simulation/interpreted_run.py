"""A simulation without compiled code: SciPy's integrators applied to the traced functions, as cross-check and fallback.

A Runge–Kutta method of SciPy, explicit or Radau's, integrates the state. After every accepted step positions and rates
are projected onto the constraints; outputs are interpolated and then projected as well. With a method that passes
through singular configurations, steps end at the output times instead, because interpolation would use accelerations
near the singular configuration that are not under error control.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from multiloop.analyses.errors import (
    integration_error,
    large_deflection_error,
    not_finite_error,
    open_loops_error,
)
from multiloop.analyses.load_checks import undefined_force_error
from multiloop.analyses.progress import progress_display
from multiloop.analyses.results import Recorder, Result, interruption_warning, with_warnings
from multiloop.analyses.run_models import (
    DEFLECTION_LIMIT,
    SUSPECT_DISTANCE,
    SUSPICIOUS_DEFLECTION,
    RelativeDeflections,
    RunModel,
    SingularityCheck,
    geometric_distance,
    make_local_choice,
)
from multiloop.analyses.signals import LONGEST
from multiloop.analyses.simulation.run_options import RunOptions
from multiloop.kernels.runtime import INTEGRATORS, OPEN_LIMIT, step_limits
from multiloop.model import ResultWarning, SolveError, accept_partial_result, interruptible
from multiloop.symbols import Traced

CORNER_OFFSET = 16 * np.finfo(float).eps
"""Offset from a corner of a signal at which the values before and after the corner are evaluated, relative to the time:
more than the round-off of time."""

ZERO_RATE = 1e-140
"""Time derivatives of the state below this are set to zero: SciPy divides by their squares, which would underflow."""

MOST_TINY_STEPS = 200
"""Number of consecutive steps shorter than 1e-9 of the simulated time after which the integration fails."""


class InterpretedRun:
    """One simulation by SciPy, which integrates the state y and projects it onto the constraints after every step."""

    interrupts_at_once = False
    """Whether Ctrl-C must raise KeyboardInterrupt at once, because the integration over a span does not check for
    it."""

    def __init__(self, run: RunModel, how: RunOptions) -> None:
        self.run, self.model, self.layout = run, run.model, run.layout
        self.rtol, self.integrator, self.progress = how.rtol, how.integrator, how.progress
        self._interrupted: Callable[[], bool] = lambda: False
        self._show_progress: Callable[[float], None] = lambda t: None
        self.mechanism = run.model.plan.mechanism
        self._smooth_span, self._nearest = (-np.inf, np.inf), (1.0, 0.0, np.zeros(0))
        self._singularity_check, self._links = SingularityCheck(run), RelativeDeflections(run.model.skeleton)
        self._counts = {"steps": 0, "evaluations": 0}

    def integrate(self, begin: float, until: float, times: np.ndarray, y: np.ndarray) -> Result:
        """Integrate y from `begin` to `until`, recording at the given times; steps end where efforts have corners.

        An interrupted run keeps the instants computed so far.
        """
        model, messages = self.model, list[ResultWarning]()
        longest = (LONGEST if self.run.signals.known.varies_in_time else 1.0) * (until - begin)
        self._choice = make_local_choice(model, y[self.layout["q"]], t=begin)
        y = self._project(begin, y)
        self._update_choice(begin, y)
        self._scale_by_start(begin, until, y)
        recorder = Recorder(model.equations, model.plan, model.p)
        waiting = list(times)
        spans = step_limits(begin, until, self._ends(begin, until)).tolist() if until > begin else []
        try:
            with (
                interruptible(at_once=self.interrupts_at_once) as self._interrupted,
                progress_display(begin, until, self.progress) as self._show_progress,
            ):
                for limit in spans:
                    y = self._integrate_span(recorder, waiting, y, (begin, limit), longest)
                    begin = limit
                y = self._start_of_span(y, (until, until))
                self._record(recorder, waiting, until, lambda t: y)
        except KeyboardInterrupt:
            if not recorder.times:
                raise
            accept_partial_result()
            messages.append(self._interruption_warning(recorder.times[-1]))
        with interruptible() as late:
            result = recorder.result(model.method_used, rule=model.effort_rule, interrupted=late)
        if len(result.time) < len(recorder.times) and not messages:
            messages.append(self._interruption_warning(float(result.time[-1])))
        messages += [
            *self._singularity_check.approach_warnings(*self._nearest),
            *self._singularity_check.warnings(),
            *self.run.signals.known.warnings,
        ]
        return with_warnings(replace(result, counts=dict(self._counts)), messages)

    def _interruption_warning(self, t: float) -> ResultWarning:
        return interruption_warning(self.mechanism, f"interrupted after t = {t:.9g} s", t)

    def _scale_by_start(self, begin: float, until: float, y: np.ndarray) -> None:
        """Set the scales of the state for the error control, and the duration relative to which times are compared."""
        self._span, sizes = until - begin, self.run.sizes
        rate = self.run.rate_at(begin + self._offset(begin), y, self._choice)
        self._sizes: np.ndarray = sizes.scales(sizes.characteristic_rate(y, rate, self._span) or 1.0, y, rate)

    def _offset(self, *times: float) -> float:
        """Offset in seconds from the end of a span at which values before and after this end are evaluated: more than
        the round-off of time."""
        return float(CORNER_OFFSET * max(self._span, *map(abs, times)))

    def _ends(self, begin: float, until: float) -> list[float]:
        """Times between `begin` and `until` at which steps must end."""
        return self.run.signals.corner_times(begin, until)

    def _start_of_span(self, y: np.ndarray, span: tuple[float, float]) -> np.ndarray:
        """The state at the beginning of a span; signals are evaluated inside the span only, where they are smooth."""
        begin, until = span
        beside = self._offset(begin, until)
        after, before = begin + beside, until - beside
        self._smooth_span = (after, before if until - begin > 4 * beside else after)
        return self._project(self._smooth_span[0], y, at_once=True)  # the speed of drives may jump here

    def _integrate_span(
        self,
        recorder: Recorder,
        waiting: list[float],
        y: np.ndarray,
        span: tuple[float, float],
        longest: float,
    ) -> np.ndarray:
        """The state at the end of a time span within which all signals are smooth.

        `waiting` are the output times that have not been recorded, `longest` is the longest step.
        """
        begin, until = span
        y = self._start_of_span(y, span)
        self._record(recorder, waiting, begin, lambda t: y)
        tolerance = {"rtol": max(self.rtol, 3e-14), "atol": self.rtol * self._sizes, "max_step": longest}
        from scipy import integrate  # takes a fifth of a second to import

        solver = getattr(integrate, INTEGRATORS[self.integrator].scipy)(
            self._rate, begin, y, until, **tolerance
        )
        tiny = 0
        landing = self.model.passes_singular
        while solver.t < until:
            if landing:
                bound = waiting[0] if waiting and waiting[0] < until else until
                solver.t_bound, solver.status = bound, "running"
            message = solver.step()
            self._counts["steps"] += 1
            self._show_progress(solver.t)
            tiny = tiny + 1 if solver.t - solver.t_old < 1e-9 * longest else 0
            if solver.status == "failed" or tiny > MOST_TINY_STEPS:
                raise self._integration_error(solver.t, solver.y, *([message.rstrip(".")] if message else []))
            between = None if landing else solver.dense_output()
            solver.y = self._project(min(solver.t, self._smooth_span[1]), solver.y)
            self._update_choice(solver.t, solver.y)
            solver.f = self._rate(solver.t, solver.y)
            reached = min(solver.t, self._end_of_records(until))
            self._record(recorder, waiting, reached, between or (lambda t: solver.y))
        end: np.ndarray = solver.y
        return end

    def _integration_error(self, t: float, y: np.ndarray, *why: str) -> SolveError:
        """The error for an integration that cannot be continued beyond the time t and the state y; `why` are texts of
        the cause."""
        model = self.model
        self._require_small_deflections(t, y, SUSPICIOUS_DEFLECTION)
        held = geometric_distance(model, model.scaled_jacobian(y[self.layout["q"]], model.p, t))
        singularity_distance = max(self._choice.singularity_distance, held)
        path = self.run.signals.desired
        return integration_error(
            self.mechanism, t, singularity_distance, *why, passing=model.passes_singular, path=path
        )

    def _require_small_deflections(self, t: float, y: np.ndarray, limit: float = DEFLECTION_LIMIT) -> None:
        """Raise an error for a state in which the deflection of a link relative to its length exceeds the limit."""
        found = self._links.first_beyond(np.array([t]), y[None, self.layout["q"]], limit)
        if found is not None:
            raise large_deflection_error(self.mechanism, *found, is_servo=bool(self.model.servo_rates))

    def _end_of_records(self, limit: float) -> float:
        """The time up to which states are recorded in a span that ends at `limit`: slightly earlier, since the end
        itself is recorded with the next span."""
        return limit - 1e-13 * max(self._span, abs(limit))

    def _update_choice(self, t: float, y: np.ndarray) -> None:
        """Update the `LocalChoice` for the position of the state y, and store the state with the smallest distance from
        a singular position."""
        self._require_small_deflections(t, y)
        self._choice = make_local_choice(self.model, y[self.layout["q"]], before=self._choice, t=t)
        if self._choice.singularity_distance < self._nearest[0]:
            self._nearest = (self._choice.singularity_distance, t, y.copy())

    def _rate(self, t: float, y: np.ndarray) -> np.ndarray:
        """Time derivative ẏ of the state, at the time clipped to the current span; raises an error if it is not
        finite."""
        if self._interrupted():
            raise KeyboardInterrupt
        within = min(max(t, self._smooth_span[0]), self._smooth_span[1])
        rate = self.run.rate_at(within, y, self._choice)
        self._counts["evaluations"] += 1
        rate[np.abs(rate) < ZERO_RATE] = 0.0
        if not np.isfinite(rate).all():
            self._require_small_deflections(t, y, SUSPICIOUS_DEFLECTION)
            if np.isfinite(y).all():
                make_local_choice(
                    self.model, y[self.layout["q"]], t=t
                )  # raises an error if the position is singular
                self.run.solve_at(within, y, self._choice)  # raises an error if an effort is undefined
            state = self.layout.blocks(y)
            raise undefined_force_error(self.model.equations, t, state["q"], state["v"], self.model.p)
        return rate

    @property
    def _position_step(self) -> Traced:
        """Traced function of one Newton step of the positions onto the constraints."""
        return self.run.position_projection

    def _project(self, t: float, y: np.ndarray, *, at_once: bool = False) -> np.ndarray:
        """The state y with positions and rates projected onto the constraints; `at_once` states that the speed of a
        drive may jump at time t."""
        found, gap = self.run.project_at(t, y, self._choice, self._position_step, at_once=at_once)
        if gap > OPEN_LIMIT or not np.isfinite(found).all():
            self._require_small_deflections(t, y, SUSPICIOUS_DEFLECTION)
        if not np.isfinite(found).all():
            raise not_finite_error(self.mechanism, t)
        if gap > OPEN_LIMIT:
            raise open_loops_error(self.mechanism, t, gap)
        return found

    def _record(self, recorder: Recorder, waiting: list[float], reached: float, between: Any) -> None:
        """Record the state at all output times in `waiting` up to the time `reached`.

        The states are interpolated by the function `between` and projected onto the constraints.
        """
        model = self.model
        while waiting and waiting[0] <= reached + 1e-14 * max(self._span, abs(reached)):
            t = float(waiting.pop(0))
            within = min(max(t, self._smooth_span[0]), self._smooth_span[1])
            y = self._project(within, np.asarray(between(t), float))
            model.require_reachable(t, y[self.layout["q"]], model.p)
            self._singularity_check.may_be_singular = (
                self.model.passes_singular or self._choice.singularity_distance < SUSPECT_DISTANCE
            )
            y, answer = self._singularity_check.refine(
                t, y, self.run.solve_at(t, y, self._choice), self._choice
            )
            q, v, x = (y[self.layout[name]] for name in ("q", "v", "x"))
            reported = model.reported_forces(answer, t=t, **self.layout.blocks(y))
            recorder.add(t, q, v, answer.a, answer.tau, x, answer.dependent_force_rows, **reported)
            recorder.works.append(y[self.layout["work"]].tolist())
            recorder.items = self.run.items
