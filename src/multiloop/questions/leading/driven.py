"""Motion of a mechanism along its drives, and efforts and reactions at its instants.

Positions, rates and accelerations satisfy Φ(q, t) = 0, J v = b and J v̇ = γ with the rows of loops and drives.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from multiloop.kernels.tolerances import SINGULAR_BELOW
from multiloop.kinematics.course import Course, Instant
from multiloop.kinematics.equations import equations_of
from multiloop.kinematics.newton import close
from multiloop.kinematics.path import advance, instant_at
from multiloop.kinematics.rates import linearised
from multiloop.kinematics.round_off import displaced, sharpened
from multiloop.kinematics.singularity import NEAR, Nearness, Singularity, closest_approaches, driving
from multiloop.kinematics.targets import drive_targets
from multiloop.model import Mechanism
from multiloop.model.interrupts import hurry, keep_part
from multiloop.model.names import counted
from multiloop.plan import Plan
from multiloop.questions.leading.loads import Loads
from multiloop.questions.leading.loads_found import LoadsFound
from multiloop.questions.leading.repeating import TURNS, drives_period, periods_on
from multiloop.questions.leading.side_by_side import CLEAR, SideBySide, side_by_side
from multiloop.questions.leading.traced_drive import TracedDrive, driven_signals
from multiloop.questions.leading.under_actuation import under_actuated, undriven
from multiloop.questions.load_refusals import require_untwisted
from multiloop.questions.massless_spins import massless_spins
from multiloop.questions.refusal import refusal
from multiloop.questions.remembered import remembered_closure, remembered_plan
from multiloop.questions.run_errors import singular_position
from multiloop.questions.signals.efforts import joints_in

BLOCK = 512
"""Instants that are computed at once …"""

LEAST = 16
"""… and their number after a block that failed."""

FEW = 12
"""Fewer instants than this are computed one by one."""

SOLVING = 0.25
"""Seconds after Ctrl-C during which found instants are still solved."""

PARTS = ("a", "tau", "wrenches", "following")
"""Arrays of the solution at every instant."""


def driven_plan(
    mechanism: Mechanism,
    start: Mapping[str, Any] | None,
    guess: Mapping[str, Any] | None,
    t: float,
    cuts: Sequence[str] | None = None,
) -> Plan:
    """The plan at the assembly mode that the drives at time t, the start and the guess select."""
    return remembered_plan(remembered_closure(mechanism, start, guess, t), cuts, joints_in(mechanism))


class DrivenMotion:
    """One mechanism moved by its drives: equations along its plan, and efforts and reactions at any instant.

    `plan` belongs to a position closed at the time `begin`. Degrees of freedom without an effort raise an error at
    once, those without a prescribed motion at the first instant that is solved; singular positions and efforts that do
    not reach every degree of freedom raise an error at the instant concerned.
    """

    def __init__(
        self, plan: Plan, begin: float, method: str, weights: Mapping[str, float] | None = None
    ) -> None:
        mechanism = plan.mechanism
        if undriven(plan):
            raise under_actuated(plan, "Drive {them}, or add actuators.")
        spins = tuple(idle.spin for idle in plan.idle)
        self.plan, self.p, self.begin = plan, plan.assembly.p, begin
        self.equations = equations_of(mechanism, plan.tree, drive_targets(mechanism), spins)
        if plan.idle and mechanism.all_loads:
            q = plan.assembly.on(self.equations)
            require_untwisted(self.equations, massless_spins(self.equations, plan), q, self.p)
        self.drive = TracedDrive(driven_signals(self.equations), self.p)
        self.loads = Loads(plan, self.equations, self.p, method, weights)
        self._examined = False

    def along(self, times: Sequence[float], told: Callable[[int], None] = lambda count: None) -> Course:
        """Instants at the given times, followed from the assembly; the callback receives the number of instants found.

        An interruption keeps the instants found so far.
        """
        asked, parts = np.asarray(times, float), [Course.of([self._first])]
        done, size = 0, BLOCK if len(asked) >= FEW else 1
        try:
            while done < len(asked):
                block, at = asked[done : done + size], parts[-1][-1]
                found = self._ahead(at, block) if size > 1 else Course.of([])
                if size > 1:
                    size = min(2 * size, BLOCK) if len(found) == len(block) else LEAST
                parts.append(found if len(found) else Course.of([self.at(float(block[0]), at)]))
                done += len(parts[-1])
                told(done)
        except KeyboardInterrupt:
            if not done:
                raise
            keep_part()
        return self._without_round_off(Course.joined(parts[1:]))

    def _without_round_off(self, course: Course) -> Course:
        """The same instants, with those near singular positions recomputed in extended precision."""
        near = np.flatnonzero(course.closeness < NEAR).tolist()
        found = sharpened(self.equations, [course[k] for k in near], self.drive, self.p)
        for k, at in zip(near, found, strict=True):
            course.put(k, at)
        return course

    @property
    def _first(self) -> Instant:
        """The instant at the beginning."""
        eq, s = self.equations, self.drive(self.begin, 0)
        closed = close(eq, self.plan.assembly.on(eq), s, self.p)
        return instant_at(eq, self.begin, closed.q, self.drive, self.p)

    def _ahead(self, at: Instant, times: np.ndarray) -> Course:
        """As many of the times as can be computed at once; a gap of several periods ends the block."""
        far = np.abs(np.diff(times, prepend=at.t)) > TURNS * drives_period(self.plan.mechanism)
        times = times[: np.argmax(far)] if far.any() else times
        if self._side_by_side is None or not self._side_by_side.covers(at.t, times):
            return Course.of([])
        found = self._side_by_side.ahead(at, times, self.p)
        for k in np.flatnonzero(found.closeness < CLEAR).tolist():
            found.put(k, self._by_singular_values(found[k]))
        return found

    def _by_singular_values(self, at: Instant) -> Instant:
        """The same instant by singular values, which lose fewer digits near singular positions."""
        closed = close(self.equations, at.q, self.drive(at.t, 0), self.p, limit=12)
        return instant_at(self.equations, at.t, closed.q, self.drive, self.p)

    @cached_property
    def _side_by_side(self) -> SideBySide | None:
        """Computation of many instants at once, if loops and drives determine every rate and no row is redundant."""
        plan, eq = self.plan, self.equations
        if plan.idle or plan.redundant or plan.rank.rates_alone or eq.rows.count != eq.skeleton.rates:
            return None
        return side_by_side(plan, self.loads.method)

    def at(self, t: float, before: Instant) -> Instant:
        """The instant at time t, followed from another one, which may be later."""
        nearer = periods_on(self.equations, before, t, self.drive, self.p) or before
        instant = advance(self.equations, nearer, t, self.drive, self.p)
        return sharpened(self.equations, [instant], self.drive, self.p)[0]

    def displaced(self, at: Instant) -> Instant:
        """The instant with the loops open by round-off."""
        given = [self.drive(at.t, order) for order in range(3)]
        count = linearised(self.equations, at.q, given[0], self.p).expected
        q, v, a = displaced(self.equations, (at.q, at.v, at.a), given, self.p, count)
        return replace(at, q=q, v=v, a=a)

    def forces_at(self, t: float, before: Instant) -> tuple[Instant, np.ndarray]:
        """The instant at time t and the forces along every rate there, for successive calls."""
        found = self._ahead(before, np.array([t]))
        if not len(found):
            at = self.at(t, before)
            return at, self.solve(at).tau
        solve = self._solved if self._side_by_side and self._side_by_side.loads_together else self._one_by_one
        return found[0], solve(found).tau[0]

    def approaches(self, course: Course) -> tuple[Singularity, ...]:
        """Closest approaches to singular positions along instants of the motion."""
        watched = replace(course, closeness=self.watched(course))
        return closest_approaches(self.equations, watched, self.drive, self.p, self._nearness)

    def watched(self, course: Course) -> np.ndarray:
        """The least closeness of all criteria at every instant."""
        if not self.loads.watches:
            return course.closeness
        return np.array([self.closeness(instant) for instant in course])

    def closeness(self, instant: Instant) -> float:
        """The least closeness of all criteria."""
        return min(
            instant.closeness, *(near.closeness for near in self.loads.nearness(instant.t, instant.q)), 1.0
        )

    def _nearness(self, t: float, q: np.ndarray) -> Nearness:
        """Closeness of a closed position to one where a joint rate or a force grows without bound."""
        by_drives = driving(self.equations, self.drive, self.p)(t, q)
        return min([by_drives, *self.loads.nearness(t, q)], key=lambda near: near.closeness)

    def solve(self, instant: Instant) -> LoadsFound:
        """Efforts and reactions at one instant."""
        if instant.closeness < SINGULAR_BELOW:
            raise singular_position(self.plan.mechanism, instant.t, instant.closeness)
        if not self._examined:
            self._require_whole_motion(instant)
            self._examined = True
        return self.loads.solve(instant)

    def solve_all(self, course: Course, told: Callable[[int], None] = lambda count: None) -> LoadsFound:
        """Efforts and reactions of many instants, one row each; an interruption keeps the instants solved so far.

        After an interruption of the search for instants, as many are solved as time allows.
        """
        parts: list[LoadsFound] = []
        done, size, late = 0, BLOCK if self._together(course) else 1, hurry()
        try:
            while done < len(course) and not (done and late() > SOLVING):
                block = course.part(slice(done, done + size))
                parts.append(self._solved(block) if size > 1 else self._one_by_one(block))
                done += len(block)
                told(done)
        except KeyboardInterrupt:
            if not done:
                raise
            keep_part()
        return _joined(parts, np.concatenate)

    def _together(self, course: Course) -> bool:
        """Whether the loads of all instants can be computed at once."""
        many = self._side_by_side
        if many is None or len(course) < FEW:
            return False
        return many.loads_together and many.covers(self.begin, course.t)

    def _one_by_one(self, course: Course) -> LoadsFound:
        """Loads of instants one after another."""
        return _joined([self.solve(instant) for instant in course], np.array)

    def _solved(self, course: Course) -> LoadsFound:
        """Loads of many instants at once.

        Uncertain instants are solved one by one, which raises the appropriate errors.
        """
        assert self._side_by_side is not None
        found, doubtful = self._side_by_side.loads(course, self.p)
        for k in np.flatnonzero(doubtful | (course.closeness < CLEAR)).tolist():
            one = self.solve(course[k])
            for name in PARTS:
                getattr(found, name)[k] = getattr(one, name)
        return found

    def _require_whole_motion(self, at: Instant) -> None:
        """Refuse degrees of freedom that actuators could move but that no Motion prescribes."""
        linear = linearised(self.equations, at.q, self.drive(at.t, 0), self.p)
        if len(linear.sigma) >= self.equations.skeleton.rates or linear.freedoms == 0:
            return
        ways = np.abs(linear.open_directions()).max(axis=1, initial=0.0)
        links = self.equations.skeleton.links
        loose = [link.joint.name for link in links if ways[link.v].max(initial=0.0) > 1e-6]
        raise refusal(
            self.plan.mechanism,
            "S01",
            "inverse dynamics",
            f"{counted(linear.freedoms, 'freedom')} without a prescribed motion: {', '.join(loose)} may move anyhow.",
            "Add a Motion for every freedom, or use `simulate` with known efforts.",
        )


def _joined(parts: Sequence[LoadsFound], join: Callable[[list[np.ndarray]], np.ndarray]) -> LoadsFound:
    """Join the solutions of successive instants."""
    return LoadsFound(*(join([getattr(part, name) for part in parts]) for name in PARTS))
