"""A simulation by the compiled time loop, whose recorded states become a Result."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from multiloop.kernels.loop import (
    FINISHED,
    OPEN,
    SINGULAR,
    STOPPED,
    STUCK,
    UNFINISHED,
    TimeLoop,
)
from multiloop.kernels.run_kernels import Control, Settings
from multiloop.kernels.structs import Status
from multiloop.kernels.tolerances import SINGULAR_BELOW
from multiloop.model import SolveError
from multiloop.model.interrupts import interruptible, keep_part
from multiloop.questions.answers.doubts import with_doubts
from multiloop.questions.answers.result import Result
from multiloop.questions.load_refusals import without_value
from multiloop.questions.run_errors import (
    PASSED,
    gave_up,
    loops_open,
    ran_away,
)
from multiloop.questions.running.approach import BESIDE, SUSPECT
from multiloop.questions.running.choice import Choice, choose, held_by_rows, lost_direction
from multiloop.questions.running.closer_look import CloserLook
from multiloop.questions.running.loop_kernels import loop_kernels
from multiloop.questions.running.options import Options
from multiloop.questions.running.progress import advancing
from multiloop.questions.running.recording import recorded
from multiloop.questions.running.run_model import RunModel
from multiloop.questions.running.running_away import BLAMED, Deflections
from multiloop.questions.running.runs import Ensemble, Relax, Runs
from multiloop.questions.running.switching.switched_loop import SwitchedLoop
from multiloop.questions.signals.corners import LONGEST

BEHIND = (1e-9, 1e-6)
"""Offsets after the last step, relative to its time, at which efforts are checked for missing values."""

FALLS = -1
"""Events of guards are located at zero crossings with falling values."""


@dataclass(frozen=True, eq=False)
class CompiledRun:
    """One simulation by the compiled loop."""

    run: RunModel
    how: Options

    def over(self, begin: float, until: float, times: np.ndarray, y: np.ndarray) -> Result:
        """Integrate y from `begin` to `until`, recording at `times`; an interrupted run keeps the instants computed."""
        events, settings = self.how.events, self._settings(until - begin)
        ends = self.run.signals.ends(begin, until)
        if self.run.model.passes_singular:  # accelerations inside a step have no error control there
            ends = [*ends, *times.tolist()]
        choice = choose(self.run.model, y[self.run.layout["q"]], t=begin)
        system = loop_kernels(self.run, choice, self.how.integrator)
        with interruptible() as asked:
            if system.control is not None:
                system = replace(system, control=_until(asked, system.control))
            loop = self._loop(system, settings, begin, y, times, ends, until)
            status, interrupted = self._carried(loop, (begin, until), asked)
            self._require_together(loop, status)
            if status not in (FINISHED, UNFINISHED, STOPPED):
                raise self._failure(status, loop)
            if interrupted and not loop.recorded:
                raise KeyboardInterrupt
            look = CloserLook(self.run, loop.nearest[0] < BESIDE) if loop.nearest[0] < SUSPECT else None
            result = self._result(loop, status, look, (lambda: False) if interrupted else asked, choice)
        found = {
            name: tuple(t for t, k, _ in loop.events if k == number) for number, name in enumerate(events)
        }
        unread = len(result.time) < loop.recorded
        ended = float(result.time[-1]) if unread else loop.t if interrupted else None
        said = self._said(loop, status, ended)
        if look is not None:
            said += [*look.approach(*loop.nearest), *look.said()]
        if isinstance(loop, SwitchedLoop):
            rule = "; ".join(filter(None, (result.rule, loop.rule)))
            said, result = [*said, *loop.said], replace(result, impacts=tuple(loop.impacts), rule=rule)
        return with_doubts(replace(result, events=found, counts=loop.counts), said)

    def _loop(self, *given: Any) -> TimeLoop | SwitchedLoop:
        """The time loop; with set-valued forces, the one that switches contact modes."""
        return SwitchedLoop(self.run, *given) if self.run.grips else TimeLoop(*given)

    def _carried(
        self, loop: TimeLoop | SwitchedLoop, span: tuple[float, float], asked: Callable[[], bool]
    ) -> tuple[Status, bool]:
        """The last status of the loop, and whether it was interrupted before its end."""
        status = loop.begin()
        try:
            with advancing(*span, self.how.progress) as shown:
                while status == UNFINISHED and not asked():
                    status = loop.advance()
                    shown(loop.t)
        except KeyboardInterrupt:
            keep_part()
            return UNFINISHED, True
        return status, status == UNFINISHED

    def _settings(self, span: float) -> Settings:
        """Settings of the time loop for a run over `span` seconds."""
        how = self.how
        watchful, grips = bool(how.events) or self.run.signals.known.unsteady, self.run.grips
        return Settings(
            how.integrator,
            how.rtol,
            self.run.sizes,
            how.step or 0.0,
            how.sample,
            0.0 if self.run.model.passes_singular else SINGULAR_BELOW,
            longest=LONGEST * span if watchful or grips else np.inf,
            directions=[0] * len(how.events) + [FALLS] * grips,
            stops=[*(name in how.stop for name in how.events), *[True] * grips],
        )

    def many(
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
        """The same run for many designs; without `integrals`, integrals start at the initial values of each design."""
        ensemble = Ensemble(self.run, self._settings(until - begin), times, until, self.how.progress)
        return ensemble.over(values, begin, start, rates, integrals, relax)

    def _result(
        self,
        loop: TimeLoop | SwitchedLoop,
        status: Status,
        look: CloserLook | None,
        asked: Callable[[], bool],
        begun: Choice,
    ) -> Result:
        """The recorded states with accelerations, efforts and reactions; a stopping event is the last of them.

        When `asked` returns True, evaluation ends with the states evaluated so far.
        """
        times, states, u = (part[: loop.recorded] for part in (loop.times, loop.outputs, loop.controls))
        if status == STOPPED and (not len(times) or times[-1] < loop.t):
            times, states = np.append(times, loop.t), np.vstack([states, loop.y])
            u = np.vstack([u, self._in_force(loop)])
        sharing = loop.sharing if isinstance(loop, SwitchedLoop) else frozenset()
        return recorded(self.run, times, states, u, look=look, asked=asked, begun=begun, sharing=sharing)

    def _in_force(self, loop: TimeLoop | SwitchedLoop) -> np.ndarray:
        """u at the time reached: the held value of a sampled controller, or a new evaluation."""
        control = loop.system.control
        if control is None or self.how.sample:
            return loop.held
        return np.array(control(loop.t, loop.y), float)

    def _said(self, loop: TimeLoop | SwitchedLoop, status: Status, ended: float | None) -> list[str]:
        """Warnings of a run; `ended` is the time at which it was interrupted, None if it was not."""
        said = []
        if ended is not None:
            said.append(f"interrupted at t = {ended:.9g} s")
        if status == STOPPED:
            said.append(f"stopped by an event at t = {loop.t:.9g} s")
        return [*said, *self.run.signals.known.doubts]

    def _require_together(self, loop: TimeLoop | SwitchedLoop, status: Status) -> None:
        """Refuse a run with a link deflected by its own length, or by much where the run ends too early."""
        model, q, done = self.run.model, self.run.layout["q"], loop.recorded
        links = Deflections(model.skeleton)
        found = links.first_beyond(loop.times[:done], loop.outputs[:done, q])
        if found is None and status not in (FINISHED, UNFINISHED, STOPPED):
            found = links.first_beyond(np.array([loop.t]), loop.y[None, q], BLAMED)
        if found is not None:
            raise ran_away(model.plan.mechanism, *found, led=bool(model.pushing))

    def _require_efforts(self, loop: TimeLoop | SwitchedLoop) -> None:
        """Refuse, by name, an effort without a value just after the time at which steps became too short."""
        layout = self.run.layout
        if self.how.control is not None:
            return
        choice = choose(self.run.model, loop.y[layout["q"]], t=loop.t)
        for beside in BEHIND:
            self.run.answer_at(loop.t + beside * max(1.0, abs(loop.t)), loop.y, choice)

    def _failure(self, status: Status, loop: TimeLoop | SwitchedLoop) -> SolveError:
        """The error of a run that could not be continued, with its time."""
        model, passing = self.run.model, self.run.model.passes_singular
        mechanism, state = model.plan.mechanism, self.run.layout.blocks(loop.y)
        if status == SINGULAR:
            return lost_direction(model, loop.closeness, loop.t, state["q"], model.p)
        if status == OPEN:
            return loops_open(mechanism, loop.t, loop.gap)
        if status == STUCK:
            self._require_efforts(loop)
            held = held_by_rows(model, model.rows_at(state["q"], model.p, loop.t))
            path = self.run.signals.desired
            return gave_up(mechanism, loop.t, max(loop.closeness, held), passing=passing, path=path)
        if loop.closeness < PASSED and not passing:
            return lost_direction(model, loop.closeness, loop.t, state["q"], model.p)
        return without_value(model.equations, loop.t, state["q"], state["v"], model.p)


def _until(asked: Callable[[], bool], control: Control) -> Control:
    """A controller that ends the run at its next call once an interruption is requested."""

    def held(t: float, y: np.ndarray) -> Sequence[float]:
        if asked():
            raise KeyboardInterrupt
        return control(t, y)

    return held
