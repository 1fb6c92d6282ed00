"""Event-driven integration with contact modes: the compiled time loop stops where a contact mode ends, and is restarted
with new modes.

Theory: docs/theory/12-contact.md, section 12.2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from multiloop.analyses.contact_events.contact_modes import (
    NO_FORCES,
    choose_modes,
    require_complementary,
    require_no_penetration,
)
from multiloop.analyses.contact_events.set_valued_forces import SetValuedForces
from multiloop.analyses.contact_events.velocity_jumps import resolve_impact
from multiloop.analyses.errors import analysis_error
from multiloop.analyses.results.histories import Impact
from multiloop.analyses.run_models import RunModel, make_local_choice
from multiloop.kernels.runtime import (
    STOPPED,
    UNFINISHED,
    LoopSettings,
    RunKernels,
    Status,
    TimeLoop,
    event_tolerance,
)
from multiloop.model import ResultWarning, SolveError, unique_warnings

MOST_CHANGES = 1000
"""Largest number of successive changes of contact modes at the same time; more changes end the simulation with an
error."""


class EventDrivenLoop:
    """A sequence of `TimeLoop`s with the interface of a single `TimeLoop`.

    The events of each loop are those of the user, followed by one for every set-valued force, which occurs when the
    mode of this force ends.
    """

    def __init__(
        self,
        run: RunModel,
        system: RunKernels,
        settings: LoopSettings,
        begin: float,
        y: np.ndarray,
        times: np.ndarray,
        ends: Sequence[float],
        until: float,
    ) -> None:
        self.run, self.system, self._ends, self._until = run, system, ends, until
        self.set_valued, self.times = SetValuedForces(run), np.ascontiguousarray(times, float)
        self.samples = np.full((len(times), run.layout.size), np.nan)
        self.controls = np.zeros((len(times), system.controlled))
        self.sample_count, self.events = 0, list[tuple[float, int, np.ndarray]]()
        self.impacts, self.warnings, self.shared = (
            list[Impact](),
            tuple[ResultWarning, ...](),
            dict[str, None](),
        )
        # sets of modes with which forces of loads are statically indeterminate
        self.sharing_modes = set[tuple[float, ...]]()
        self._done = {"steps": 0, "rejected": 0, "evaluations": 0}
        self._again, self._last = 0, -np.inf
        self._least = (1.0, begin, np.array(y))
        self._user_events = len(settings.directions) - len(self.set_valued.names)
        choice = make_local_choice(run.model, y[run.layout["q"]], t=begin)
        y = self.set_valued.with_scales(
            begin, np.array(y, float), choice, until - begin, settings.rtol, settings.longest
        )
        self._settings = replace(settings, pace=self.set_valued.pace(y))
        self._peaks = np.zeros(len(self.set_valued.names))
        require_no_penetration(self.set_valued, begin, y, choice)
        self._loop = self._loop_from(begin, self._switch_modes(begin, y))

    def _loop_from(self, t: float, y: np.ndarray) -> TimeLoop:
        """A `TimeLoop` that starts in state y at time t and covers the remaining output times."""
        return TimeLoop(
            self.system, self._settings, t, y, self.times[self.sample_count :], self._ends, self._until
        )

    def begin(self) -> Status:
        """Project the initial state onto the constraints and evaluate its time derivative.

        The loop detects the end of a contact mode by the sign change of an event function. If a force that holds a
        contact or joint at rest is beyond its limit already in the initial state, even by round-off, its event function
        does not change its sign; the contact modes are then chosen again, until they no longer change.
        """
        status = self._store(self._loop.begin())
        while status == UNFINISHED:
            t, y = self._loop.t, self._loop.y
            beyond = (
                self._loop.event_values[self._user_events : self._user_events + len(self.set_valued.names)]
                <= 0
            )
            ended = np.flatnonzero(beyond & self.set_valued.are_held(y))
            chosen = self._switch_modes(t, y, ended) if ended.size else y
            if self.set_valued.same_modes(chosen, y):
                require_complementary(
                    self.set_valued, t, y, make_local_choice(self.run.model, y[self.run.layout["q"]], t=t)
                )
                return status
            self._loop = self._loop_from(t, chosen)
            status = self._store(self._loop.begin())
        return status

    def advance(self) -> Status:
        """Take some integration steps, at most until a contact mode ends; returns the status of the simulation."""
        status = self._store(self._loop.advance())
        if status != STOPPED or any(
            k < self._user_events and self._settings.stops[k] for _, k, _ in self._current_events
        ):
            return status
        t, y = self._loop.t, self._loop.y
        fallen = np.array(
            [k - self._user_events for _, k, _ in self._current_events if k >= self._user_events], int
        )
        ended = fallen[self.set_valued.are_held(y)[fallen]]
        choice = make_local_choice(self.run.model, y[self.run.layout["q"]], t=t)
        y = self.set_valued.with_paces(t, y, choice, self._settings.longest, peaks=self._loop.peaks)
        self._settings = replace(self._settings, pace=self.set_valued.pace(y))
        y = self._switch_modes(t, y, ended)
        for name, count in self._loop.counts.items():
            self._done[name] += count
        last_loop = self._loop
        self._loop = self._loop_from(t, y)
        return self._record_jumps(last_loop, self.begin())

    def _record_jumps(self, last_loop: TimeLoop, status: Status) -> Status:
        """Record the user's events whose event functions change sign because the modes change; no event is recorded
        twice."""
        t, signs = last_loop.t, np.sign(last_loop.event_values)
        # discarded events lie after the mode change: at the mode change their event functions have the opposite sign
        signs[last_loop.discarded_events] *= -1
        already = {k for time, k, _ in last_loop.events if time >= t - event_tolerance(t)}
        ends = False
        for k in range(self._user_events):
            if k in already:
                # the event is recorded already, and the sign of its event function after the event is not known yet
                self._loop.event_values[k] = 0.0
            elif signs[k] * self._loop.event_values[k] < 0:
                self.events.append((t, k, self._loop.y.copy()))
                ends = ends or bool(self._settings.stops[k])
        return STOPPED if ends and status == UNFINISHED else status

    @property
    def _current_events(self) -> list[tuple[float, int, np.ndarray]]:
        """The events of the current loop at the time reached, each with its time, the index of its event function and
        the state."""
        return [event for event in self._loop.events if event[0] >= self._loop.t]

    def _store(self, status: Status) -> Status:
        """Copy the records of the current loop into those of the whole run; returns the status."""
        found = self._loop.sample_count
        behind = len(self.times) - len(self._loop.times)
        place = slice(self.sample_count, behind + found)
        rows = slice(self.sample_count - behind, found)
        self.samples[place], self.controls[place] = self._loop.samples[rows], self._loop.controls[rows]
        self.sample_count = behind + found
        if self._loop.closest_to_singular[0] < self._least[0]:
            self._least = self._loop.closest_to_singular
        if status != UNFINISHED:
            self.events += [event for event in self._loop.events if event[1] < self._user_events]
        return status

    def _switch_modes(self, t: float, y: np.ndarray, ended: np.ndarray = NO_FORCES) -> np.ndarray:
        """The state after the impacts that occur at time t in the state y, with the contact modes that are valid
        afterwards.

        `ended` are the indices of set-valued forces that held a contact or joint at rest and have reached their limits.
        """
        again = t - self._last <= 8 * np.spacing(abs(t))
        self._again, self._last = (self._again + 1 if again else 0), t
        if self._again > MOST_CHANGES:
            raise self._chattering_error(t)
        choice = make_local_choice(self.run.model, y[self.run.layout["q"]], t=t)
        y, impact = resolve_impact(self.set_valued, t, y, choice, self._peaks)
        if impact is not None:
            self.impacts.append(impact)
        chosen = choose_modes(self.set_valued, t, y, choice, ended)
        self.warnings = unique_warnings([*self.warnings, *chosen.warnings])
        self.shared |= dict.fromkeys(chosen.shared)
        if chosen.undetermined:
            self.sharing_modes.add(tuple(self.set_valued.modes(chosen.y)))
        return chosen.y

    def _chattering_error(self, t: float) -> SolveError:
        what = (
            f"more than {MOST_CHANGES} impacts or changes of contact state follow each other at t "
            f"= {t:.9g} s."
        )
        remedy = "Give the load a smaller restitution, or `speed`, the speed below which it does not rebound."
        return analysis_error(self.run.model.plan.mechanism, "S17", "simulate", what, remedy)

    # the state of the current loop --------------------------------------------------------------------------------

    @property
    def t(self) -> float:
        """The time that the simulation has reached."""
        return self._loop.t

    @property
    def y(self) -> np.ndarray:
        """The state y that the simulation has reached."""
        return self._loop.y

    @property
    def last_control(self) -> np.ndarray:
        """The last value of the control u."""
        return self._loop.last_control

    @property
    def singularity_distance(self) -> float:
        """Distance of the last state from a singular position."""
        return self._loop.singularity_distance

    @property
    def gap(self) -> float:
        """The largest residual of the position constraints before the last projection onto them."""
        return self._loop.gap

    @property
    def rule(self) -> str:
        """Text of the rule by which statically indeterminate forces of loads are distributed; empty if all forces are
        determined."""
        names = " and ".join(f"'{name}'" for name in self.shared)
        return f"{names} share their total force by minimum norm" if names else ""

    @property
    def closest_to_singular(self) -> tuple[float, float, np.ndarray]:
        """The smallest distance from a singular position so far, its time and its state."""
        return self._least

    @property
    def counts(self) -> dict[str, int]:
        """Numbers of steps taken, steps rejected, and evaluations of the time derivative of the state."""
        return {name: count + self._loop.counts[name] for name, count in self._done.items()}
