"""A simulation without compiled code: SciPy's integrators over the traced functions, as cross-check and fallback.

A Runge–Kutta method of SciPy, explicit or Radau's, integrates the state. After every accepted step positions and rates
are projected onto the constraints; outputs are interpolated and then projected as well. Where singular configurations
are passed, steps end at the outputs instead, because interpolation would use accelerations near the singular
configuration that are not under error control.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from multiloop.kernels.integrators import INTEGRATORS
from multiloop.kernels.run_kernels import limits_of
from multiloop.kernels.tolerances import LOST
from multiloop.model import SolveError
from multiloop.model.interrupts import interruptible, keep_part
from multiloop.questions.answers.doubts import with_doubts
from multiloop.questions.answers.recorder import Recorder
from multiloop.questions.answers.result import Result
from multiloop.questions.load_refusals import without_value
from multiloop.questions.run_errors import gave_up, loops_open, not_finite, ran_away
from multiloop.questions.running.approach import SUSPECT
from multiloop.questions.running.choice import choose, held_by_rows
from multiloop.questions.running.closer_look import CloserLook
from multiloop.questions.running.options import Options
from multiloop.questions.running.progress import advancing
from multiloop.questions.running.run_model import RunModel
from multiloop.questions.running.running_away import AWAY, BLAMED, Deflections
from multiloop.questions.signals.corners import LONGEST
from multiloop.symbols import Traced

BESIDE = 16 * np.finfo(float).eps
"""Relative offset from a corner at which the values before and after it are evaluated: more than its round-off."""

NOTHING = 1e-140
"""Rates below this are set to zero: SciPy divides by their squares, which would underflow."""

STUCK = 200
"""Number of consecutive steps shorter than 1e-9 of the run after which the integration fails."""


class InterpretedRun:
    """One simulation: integrates the state y and projects it onto the constraints."""

    torn = False
    """Whether a span can be interrupted by an exception only."""

    def __init__(self, run: RunModel, how: Options) -> None:
        self.run, self.model, self.layout = run, run.model, run.layout
        self.rtol, self.integrator, self.progress = how.rtol, how.integrator, how.progress
        self._asked: Callable[[], bool] = lambda: False
        self._shown: Callable[[float], None] = lambda t: None
        self.mechanism = run.model.plan.mechanism
        self._smooth, self._nearest = (-np.inf, np.inf), (1.0, 0.0, np.zeros(0))
        self._look, self._links = CloserLook(run), Deflections(run.model.skeleton)
        self._counts = {"steps": 0, "evaluations": 0}

    def over(self, begin: float, until: float, times: np.ndarray, y: np.ndarray) -> Result:
        """Integrate y from `begin` to `until`, recording at the given times; steps end where efforts have corners.

        An interrupted run keeps the instants computed so far.
        """
        model, said = self.model, []
        longest = (LONGEST if self.run.signals.known.unsteady else 1.0) * (until - begin)
        self._choice = choose(model, y[self.layout["q"]], t=begin)
        y = self._projected(begin, y)
        self._prepared(begin, y)
        self._scale_by_start(begin, until, y)
        recorder = Recorder(model.equations, model.plan, model.p)
        waiting = list(times)
        spans = limits_of(begin, until, self._ends(begin, until)).tolist() if until > begin else []
        try:
            with (
                interruptible(at_once=self.torn) as self._asked,
                advancing(begin, until, self.progress) as self._shown,
            ):
                for limit in spans:
                    y = self._piece(recorder, waiting, y, (begin, limit), longest)
                    begin = limit
                y = self._begun(y, (until, until))
                self._record(recorder, waiting, until, lambda t: y)
        except KeyboardInterrupt:
            if not recorder.times:
                raise
            keep_part()
            said.append(f"interrupted after t = {recorder.times[-1]:.9g} s")
        with interruptible() as late:
            result = recorder.result(model.used, rule=model.rule, asked=late)
        if len(result.time) < len(recorder.times) and not said:
            said.append(f"interrupted after t = {result.time[-1]:.9g} s")
        said += [*self._look.approach(*self._nearest), *self._look.said(), *self.run.signals.known.doubts]
        return with_doubts(replace(result, counts=dict(self._counts)), said)

    def _scale_by_start(self, begin: float, until: float, y: np.ndarray) -> None:
        """Set the sizes of the state, and the duration by which times are compared."""
        self._span, sizes = until - begin, self.run.sizes
        rate = self.run.rate_at(begin + self._apart(begin), y, self._choice)
        self._sizes: np.ndarray = sizes.at(sizes.pace(y, rate, self._span) or 1.0, y, rate)

    def _apart(self, *times: float) -> float:
        """Offset from a limit at which the values before and after it are evaluated: more than its round-off."""
        return float(BESIDE * max(self._span, *map(abs, times)))

    def _ends(self, begin: float, until: float) -> list[float]:
        """Times within the run at which steps must end."""
        return self.run.signals.ends(begin, until)

    def _begun(self, y: np.ndarray, span: tuple[float, float]) -> np.ndarray:
        """The state at the beginning of a span; signals are evaluated inside the span only, where they are smooth."""
        begin, until = span
        beside = self._apart(begin, until)
        after, before = begin + beside, until - beside
        self._smooth = (after, before if until - begin > 4 * beside else after)
        return self._projected(self._smooth[0], y, at_once=True)  # the speed of drives may jump here

    def _piece(
        self,
        recorder: Recorder,
        waiting: list[float],
        y: np.ndarray,
        span: tuple[float, float],
        longest: float,
    ) -> np.ndarray:
        """The state at the end of a span over which everything is smooth."""
        begin, until = span
        y = self._begun(y, span)
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
            self._shown(solver.t)
            tiny = tiny + 1 if solver.t - solver.t_old < 1e-9 * longest else 0
            if solver.status == "failed" or tiny > STUCK:
                raise self._gave_up(solver.t, solver.y, *([message.rstrip(".")] if message else []))
            between = None if landing else solver.dense_output()
            solver.y = self._projected(min(solver.t, self._smooth[1]), solver.y)
            self._prepared(solver.t, solver.y)
            solver.f = self._rate(solver.t, solver.y)
            reached = min(solver.t, self._before(until))
            self._record(recorder, waiting, reached, between or (lambda t: solver.y))
        end: np.ndarray = solver.y
        return end

    def _gave_up(self, t: float, y: np.ndarray, *why: str) -> SolveError:
        """The error of an integration that cannot be continued."""
        model = self.model
        self._require_together(t, y, BLAMED)
        held = held_by_rows(model, model.rows_at(y[self.layout["q"]], model.p, t))
        closeness = max(self._choice.closeness, held)
        path = self.run.signals.desired
        return gave_up(self.mechanism, t, closeness, *why, passing=model.passes_singular, path=path)

    def _require_together(self, t: float, y: np.ndarray, limit: float = AWAY) -> None:
        """Refuse a state in which the relative deflection of a link exceeds the limit."""
        found = self._links.first_beyond(np.array([t]), y[None, self.layout["q"]], limit)
        if found is not None:
            raise ran_away(self.mechanism, *found, led=bool(self.model.pushing))

    def _before(self, limit: float) -> float:
        """The time up to which a span is recorded; its end belongs to the next span."""
        return limit - 1e-13 * max(self._span, abs(limit))

    def _prepared(self, t: float, y: np.ndarray) -> None:
        """Update the choice at a position, and keep the position nearest to a singular one."""
        self._require_together(t, y)
        self._choice = choose(self.model, y[self.layout["q"]], before=self._choice, t=t)
        if self._choice.closeness < self._nearest[0]:
            self._nearest = (self._choice.closeness, t, y.copy())

    def _rate(self, t: float, y: np.ndarray) -> np.ndarray:
        """ẏ at a time clipped to the span; raises where it is not finite."""
        if self._asked():
            raise KeyboardInterrupt
        within = min(max(t, self._smooth[0]), self._smooth[1])
        rate = self.run.rate_at(within, y, self._choice)
        self._counts["evaluations"] += 1
        rate[np.abs(rate) < NOTHING] = 0.0
        if not np.isfinite(rate).all():
            self._require_together(t, y, BLAMED)
            if np.isfinite(y).all():
                choose(self.model, y[self.layout["q"]], t=t)  # raises when the position is singular
                self.run.answer_at(within, y, self._choice)  # raises when an effort has no value
            state = self.layout.blocks(y)
            raise without_value(self.model.equations, t, state["q"], state["v"], self.model.p)
        return rate

    @property
    def _closed(self) -> Traced:
        """One Newton step of the positions onto the constraints."""
        return self.run.closed

    def _projected(self, t: float, y: np.ndarray, *, at_once: bool = False) -> np.ndarray:
        """The state with positions and rates projected onto the constraints."""
        found, gap = self.run.projected_at(t, y, self._choice, self._closed, at_once=at_once)
        if gap > LOST or not np.isfinite(found).all():
            self._require_together(t, y, BLAMED)
        if not np.isfinite(found).all():
            raise not_finite(self.mechanism, t)
        if gap > LOST:
            raise loops_open(self.mechanism, t, gap)
        return found

    def _record(self, recorder: Recorder, waiting: list[float], reached: float, between: Any) -> None:
        """Interpolate, project and evaluate the outputs up to the time reached."""
        model = self.model
        while waiting and waiting[0] <= reached + 1e-14 * max(self._span, abs(reached)):
            t = float(waiting.pop(0))
            within = min(max(t, self._smooth[0]), self._smooth[1])
            y = self._projected(within, np.asarray(between(t), float))
            model.require_reach(t, y[self.layout["q"]], model.p)
            self._look.suspicious = self.model.passes_singular or self._choice.closeness < SUSPECT
            y, answer = self._look.told(t, y, self.run.answer_at(t, y, self._choice), self._choice)
            q, v, x = (y[self.layout[name]] for name in ("q", "v", "x"))
            reactions = model.reactions(answer, t=t, **self.layout.blocks(y))
            recorder.add(t, q, v, answer.a, answer.tau, reactions, x, answer.following)
            recorder.works.append(y[self.layout["work"]].tolist())
            recorder.items = self.run.items
