"""Event-driven integration with contact modes: the compiled loop stops where a mode ends and restarts in new modes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from multiloop.kernels.loop import STOPPED, UNFINISHED, TimeLoop, located
from multiloop.kernels.run_kernels import RunKernels, Settings
from multiloop.kernels.structs import Status
from multiloop.model import SolveError
from multiloop.questions.answers.impact import Impact
from multiloop.questions.refusal import refusal
from multiloop.questions.running.choice import choose
from multiloop.questions.running.run_model import RunModel
from multiloop.questions.running.switching.grips import Grips
from multiloop.questions.running.switching.impacts import impact_at
from multiloop.questions.running.switching.modes import (
    NONE,
    choose_modes,
    require_apart,
    require_complementary,
)

MOST = 1000
"""Largest number of mode changes at the same time; with more, a run cannot be continued."""


class SwitchedLoop:
    """A sequence of `TimeLoop`s with the interface of one.

    Its last events, one for every set-valued force, signal that a mode has ended.
    """

    def __init__(
        self,
        run: RunModel,
        system: RunKernels,
        settings: Settings,
        begin: float,
        y: np.ndarray,
        times: np.ndarray,
        ends: Sequence[float],
        until: float,
    ) -> None:
        self.run, self.system, self._ends, self._until = run, system, ends, until
        self.grips, self.times = Grips(run), np.ascontiguousarray(times, float)
        self.outputs = np.full((len(times), run.layout.size), np.nan)
        self.controls = np.zeros((len(times), system.controlled))
        self.recorded, self.events = 0, list[tuple[float, int, np.ndarray]]()
        self.impacts, self.said, self.shared = list[Impact](), list[str](), dict[str, None]()
        self.sharing = set[tuple[float, ...]]()  # modes in which forces of loads are not determined
        self._done = {"steps": 0, "rejected": 0, "evaluations": 0}
        self._again, self._last = 0, -np.inf
        self._least = (1.0, begin, np.array(y))
        self._own = len(settings.directions) - len(self.grips.names)
        choice = choose(run.model, y[run.layout["q"]], t=begin)
        y = self.grips.scaled(
            begin, np.array(y, float), choice, until - begin, settings.rtol, settings.longest
        )
        self._settings = replace(settings, pace=self.grips.pace(y))
        self._peaks = np.zeros(len(self.grips.names))
        require_apart(self.grips, begin, y, choice)
        self._loop = self._from(begin, self._switched(begin, y))

    def _from(self, t: float, y: np.ndarray) -> TimeLoop:
        """A loop that starts in a state and covers the remaining times."""
        return TimeLoop(
            self.system, self._settings, t, y, self.times[self.recorded :], self._ends, self._until
        )

    def begin(self) -> Status:
        """Project the start and evaluate the first rate.

        The guard of a holding force that is beyond its limit there, if only by round-off, would not cross zero again.
        In this case modes are chosen again until they do not change any more.
        """
        status = self._kept(self._loop.begin())
        while status == UNFINISHED:
            t, y = self._loop.t, self._loop.y
            beyond = self._loop.watched[self._own : self._own + len(self.grips.names)] <= 0
            ended = np.flatnonzero(beyond & self.grips.are_held(y))
            chosen = self._switched(t, y, ended) if ended.size else y
            if self.grips.same_modes(chosen, y):
                require_complementary(self.grips, t, y, choose(self.run.model, y[self.run.layout["q"]], t=t))
                return status
            self._loop = self._from(t, chosen)
            status = self._kept(self._loop.begin())
        return status

    def advance(self) -> Status:
        """Take some steps, at most up to the end of a mode."""
        status = self._kept(self._loop.advance())
        if status != STOPPED or any(k < self._own and self._settings.stops[k] for _, k, _ in self._now):
            return status
        t, y = self._loop.t, self._loop.y
        fallen = np.array([k - self._own for _, k, _ in self._now if k >= self._own], int)
        ended = fallen[self.grips.are_held(y)[fallen]]
        choice = choose(self.run.model, y[self.run.layout["q"]], t=t)
        y = self.grips.at_pace(t, y, choice, self._settings.longest, peaks=self._loop.peaks)
        self._settings = replace(self._settings, pace=self.grips.pace(y))
        y = self._switched(t, y, ended)
        for name, count in self._loop.counts.items():
            self._done[name] += count
        left = self._loop
        self._loop = self._from(t, y)
        return self._passed(left, self.begin())

    def _passed(self, left: TimeLoop, status: Status) -> Status:
        """Record the events whose values jumped through zero at the change of modes; no zero is recorded twice."""
        t, signs = left.t, np.sign(left.watched)
        signs[left.beyond] *= -1  # they would have changed sign later in that step
        already = {k for time, k, _ in left.events if time >= t - located(t)}
        ends = False
        for k in range(self._own):
            if k in already:
                self._loop.watched[k] = 0.0  # its sign after the event is not known yet
            elif signs[k] * self._loop.watched[k] < 0:
                self.events.append((t, k, self._loop.y.copy()))
                ends = ends or bool(self._settings.stops[k])
        return STOPPED if ends and status == UNFINISHED else status

    @property
    def _now(self) -> list[tuple[float, int, np.ndarray]]:
        """The events at the current time."""
        return [event for event in self._loop.events if event[0] >= self._loop.t]

    def _kept(self, status: Status) -> Status:
        """Copy the records of the current loop into those of the whole run; returns the status."""
        found = self._loop.recorded
        behind = len(self.times) - len(self._loop.times)
        place = slice(self.recorded, behind + found)
        rows = slice(self.recorded - behind, found)
        self.outputs[place], self.controls[place] = self._loop.outputs[rows], self._loop.controls[rows]
        self.recorded = behind + found
        if self._loop.nearest[0] < self._least[0]:
            self._least = self._loop.nearest
        if status != UNFINISHED:
            self.events += [event for event in self._loop.events if event[1] < self._own]
        return status

    def _switched(self, t: float, y: np.ndarray, ended: np.ndarray = NONE) -> np.ndarray:
        """The state after impacts, with the modes from now on; `ended` are the set-valued forces that held until now
        and have reached their limits."""
        again = t - self._last <= 8 * np.spacing(abs(t))
        self._again, self._last = (self._again + 1 if again else 0), t
        if self._again > MOST:
            raise self._never_ends(t)
        choice = choose(self.run.model, y[self.run.layout["q"]], t=t)
        y, impact = impact_at(self.grips, t, y, choice, self._peaks)
        if impact is not None:
            self.impacts.append(impact)
        chosen = choose_modes(self.grips, t, y, choice, ended)
        self.said += [word for word in chosen.said if word not in self.said]
        self.shared |= dict.fromkeys(chosen.shared)
        if chosen.undetermined:
            self.sharing.add(tuple(self.grips.modes(chosen.y)))
        return chosen.y

    def _never_ends(self, t: float) -> SolveError:
        what = f"more than {MOST} impacts or changes between holding and letting go follow each other at t = {t:.9g} s."
        remedy = "Give a speed= below which nothing bounces, or a smaller restitution."
        return refusal(self.run.model.plan.mechanism, "S17", "simulate", what, remedy)

    # the state of the current loop --------------------------------------------------------------------------------

    @property
    def t(self) -> float:
        """The time reached."""
        return self._loop.t

    @property
    def y(self) -> np.ndarray:
        """The state reached."""
        return self._loop.y

    @property
    def held(self) -> np.ndarray:
        """The last value of u."""
        return self._loop.held

    @property
    def closeness(self) -> float:
        """Closeness of the last state to a singular position."""
        return self._loop.closeness

    @property
    def gap(self) -> float:
        """The largest open row before the last projection."""
        return self._loop.gap

    @property
    def rule(self) -> str:
        """Rule by which indeterminate holding forces are shared; empty where all are determined."""
        names = " and ".join(f"'{name}'" for name in self.shared)
        return f"{names} share what they hold together by minimum norm" if names else ""

    @property
    def nearest(self) -> tuple[float, float, np.ndarray]:
        """The smallest closeness to a singular position so far, its time and its state."""
        return self._least

    @property
    def counts(self) -> dict[str, int]:
        """Steps taken, steps rejected, evaluations of the rate."""
        return {name: count + self._loop.counts[name] for name, count in self._done.items()}
