"""The function `inverse`: drive efforts and joint reactions along a prescribed motion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, overload

import numpy as np

from multiloop.kinematics.targets import drive_targets
from multiloop.model import AssemblyError, Mechanism
from multiloop.model.asking import verb
from multiloop.model.interrupts import hurry, interruptible
from multiloop.plan import Plan, efforts_of
from multiloop.questions.answers.doubts import guess_far_off, with_doubts
from multiloop.questions.answers.heat import with_heat
from multiloop.questions.answers.passing_through import passes_through
from multiloop.questions.answers.recorder import Recorder
from multiloop.questions.answers.repetition import not_repeating
from multiloop.questions.answers.result import Result
from multiloop.questions.answers.state import State
from multiloop.questions.batch import batch
from multiloop.questions.choices import require
from multiloop.questions.designs import Designs
from multiloop.questions.inversion.leading_links import asks_for_bending, only_motion, stable_inverse
from multiloop.questions.leading.driven import DrivenMotion, driven_plan
from multiloop.questions.leading.given_motion import inverse_at
from multiloop.questions.leading.holding_range import with_holding_ranges
from multiloop.questions.leading.instants import instants
from multiloop.questions.leading.inverse_refusals import require_free_motion, require_plain, state_alone
from multiloop.questions.leading.loads import LEAST_EFFORTS, METHODS
from multiloop.questions.leading.unbounded import without_bound
from multiloop.questions.leading.under_actuation import under_actuated, undriven
from multiloop.questions.leading.unfollowed_spins import with_held_spins
from multiloop.questions.limits import over_limits
from multiloop.questions.load_refusals import require_covered_loads
from multiloop.questions.parameters import described
from multiloop.questions.refusal import INVERSE, refusal, require_rigid
from multiloop.questions.round_off import driven_doubts, worst_said
from multiloop.questions.running.progress import advancing
from multiloop.questions.running.pushing import found_efforts, pushes_elsewhere
from multiloop.questions.signals.corners import profile_corners
from multiloop.questions.simulate import simulate

READING = 0.25
"""Seconds after Ctrl-C during which solved instants are still evaluated."""


@overload
def inverse(mechanism: Mechanism, *, parameters: Mapping[str, np.ndarray], **asked: Any) -> Designs: ...


@overload
def inverse(
    mechanism: Mechanism, *, parameters: Mapping[str, float] | None = ..., **asked: Any
) -> Result: ...


@verb  # type: ignore[misc]  # the overloads state which argument decides the return type
def inverse(
    mechanism: Mechanism,
    *,
    parameters: Mapping[str, Any] | None = None,
    t: float | Sequence[float] | np.ndarray | None = None,
    cycle: int | None = None,
    turns: float | None = None,
    guess: Mapping[str, Any] | None = None,
    start: Mapping[str, Any] | None = None,
    cuts: Sequence[str] | None = None,
    method: str = "subsystem",
    weights: Mapping[str, float] | None = None,
    rates: Mapping[str, Any] | None = None,
    state: State | Mapping[str, Any] | None = None,
    accelerations: Mapping[str, Any] | None = None,
    exact: bool = False,
    elastic: str | None = None,
    settling: float | Sequence[float] | None = None,
    progress: bool | None = None,
) -> Result | Designs:
    """Inverse dynamics along the mechanism's drives.

    Give times `t`, or `cycle`: the number of instants, evenly spaced from 0 to the common period of drives, known
    efforts and loads, both ends included; with `turns`, over this number of turns of the first drive. The result has
    the effort of every drive and the force and moment in every joint. With more efforts than degrees of freedom the
    minimum-norm efforts are given, each divided by its weight (1 where not given). A `start` or `guess` given here
    holds at the first of the times; the mechanism's own guess holds at t = 0.

    Degrees of freedom that are not driven move freely while the drives follow their motion, as in `simulate`: their
    `start` and `rates` are those at t = 0, the times increase from there, and neither `method` nor `weights` can be
    chosen. With `exact`, or without a start, an error names them. Where a pair constrains rates only, as a wheel that
    rolls without slip, more than one instant is computed in the same way.

    With a `state` and `accelerations` of as many joints as there are degrees of freedom this one instant is solved, and
    the drives are not prescribed; efforts act where the drives do. The state is a State, or a start with `rates` as in
    `forward`.

    Mechanisms with flexible links take elastic="stable": efforts and deformation such that the outputs follow the
    drives (stable inversion). The motion goes from rest to rest; the result begins before it and ends after it, by the
    time in which the links settle or by `settling` seconds. With `cycle` the motion is periodic.

    `parameters` gives other values by name; with arrays all designs are computed, as by `batch`. Ctrl-C keeps the
    instants that are solved. A long analysis shows its `progress` on a terminal.
    """
    mechanism, designs = described(mechanism, parameters)
    if asks_for_bending(mechanism, elastic, settling):
        choices = {"weights": weights, "rates": rates, "state": state, "accelerations": accelerations}
        only_motion(mechanism, method, designs, **choices)
        found: Any = {
            "settling": settling,
            "start": start,
            "guess": guess,
            "cuts": cuts,
            "progress": progress,
        }
        when = instants(mechanism, t, cycle, turns)
        return stable_inverse(mechanism, when, cycle=cycle is not None, **found)
    require_rigid(mechanism, INVERSE)
    if designs is not None:
        given = {"state": state, "accelerations": accelerations, "exact": exact or None}
        require_plain(mechanism, method, weights=weights, rates=rates, cuts=cuts, **given)
        asked_at: Any = {"t": t, "cycle": cycle, "turns": turns, "start": start, "guess": guess}
        return batch(mechanism, designs, **asked_at, keep="all", progress=progress)
    require(mechanism, "inverse method", method, METHODS)
    if state is not None or accelerations is not None:
        known = state_alone(mechanism, state, t, cycle=cycle, turns=turns, start=start, exact=exact or None)
        asked: Any = {"guess": guess, "rates": rates, "cuts": cuts, "weights": weights, "t": t}
        result = inverse_at(mechanism, known, accelerations or {}, method=method, **asked)
        return with_doubts(result, [*over_limits(result), *passes_through(result)])
    times, whole = instants(mechanism, t, cycle, turns), cycle is not None and turns is None
    own = start is None and guess is None  # the mechanism's own guess holds at t = 0
    begin = 0.0 if own else float(times[0])
    plan = _plan_at(mechanism, start, guess, begin, cuts)
    if undriven(plan):
        may_move = bool(mechanism.drives) and not _acted_on_elsewhere(mechanism)
        if exact or not start or not may_move:
            raise under_actuated(plan, _remedy(bool(mechanism.drives), may_move, exact))
        why = "freedoms that nothing drives are solved forward in time"
        require_free_motion(mechanism, times, method, weights, why)
        return _moved(
            mechanism, times, whole, start=start, guess=guess, rates=rates, cuts=cuts, progress=progress
        )
    if rates:
        what = "every freedom is driven, and its rate with it."
        raise refusal(mechanism, "S02", "rates", what, "Leave them out, or take a drive away.")
    if plan.rank.rates_alone and times.tolist() != [begin]:
        why = "a pair that holds rates alone is followed forward in time"
        require_free_motion(mechanism, times, method, weights, why)
        return _moved(mechanism, times, whole, start=start, guess=guess, cuts=cuts, progress=progress)
    result = _followed(DrivenMotion(plan, begin, method, weights), times, whole, progress)
    asked = {"start": start, "guess": guess, "cuts": cuts, "method": method, "weights": weights}
    result = replace(result, followed=FollowedMotion(mechanism, asked))
    return with_doubts(result, guess_far_off(plan.assembly))


@dataclass(frozen=True, eq=False)
class FollowedMotion:
    """A motion that the drives prescribe completely, which can be evaluated at other times than the requested ones."""

    mechanism: Mechanism
    asked: Mapping[str, Any]

    def __call__(self, times: np.ndarray) -> Result:
        """Inverse dynamics at these times, the first of which is the first requested time."""
        found: Result = inverse(self.mechanism, t=times, **self.asked, progress=False)
        if len(found.time) < len(times):
            raise KeyboardInterrupt
        return found

    def corners(self, begin: float, until: float) -> list[float]:
        """Times between at which the prescribed motions are not smooth."""
        found = profile_corners(self.mechanism, begin, until, self.mechanism.parameters)
        return sorted(t for t in found if begin < t < until)


def _moved(mechanism: Mechanism, times: np.ndarray, whole: bool, **asked: Any) -> Result:
    """The result at the given times of a motion that is integrated from t = 0."""
    result = simulate(mechanism, until=float(times[-1]), outputs=times.tolist(), **asked)
    return with_doubts(result, _not_round(result, times, whole))


def _not_round(result: Result, times: np.ndarray, whole: bool) -> list[str]:
    """Warnings that a whole cycle does not end as it began."""
    return not_repeating(result) if whole and len(result.time) == len(times) else []


def _plan_at(
    mechanism: Mechanism,
    start: Mapping[str, Any] | None,
    guess: Mapping[str, Any] | None,
    begin: float,
    cuts: Sequence[str] | None,
) -> Plan:
    """The plan at the start of the motion.

    With undriven degrees of freedom a start holds at t = 0, and the loops may not close with it at a later time.
    """
    try:
        return driven_plan(mechanism, start, guess, begin, cuts)
    except AssemblyError:
        if start and begin > 0:
            with suppress(AssemblyError):
                plan = driven_plan(mechanism, start, guess, 0.0, cuts)
                if undriven(plan):
                    return plan
        raise


def _followed(motion: DrivenMotion, times: np.ndarray, whole: bool, progress: bool | None) -> Result:
    """The result at the given times of a driven motion, with its warnings.

    An interruption keeps the instants that are solved.
    """
    require_covered_loads(motion.plan.mechanism, times.tolist())
    count = len(times)
    with advancing(0.0, float(count), progress, "instants", "solving") as shown:
        course = motion.along(times.tolist(), lambda done: shown(done / 2))
        found = motion.solve_all(course, lambda done: shown((count + done) / 2))
    with interruptible() as asked:
        course = course.part(slice(len(found.a)))
        recorder = Recorder(motion.equations, motion.plan, motion.p)
        parts = (found.a, found.tau, found.wrenches, None, found.following)
        recorder.fill(course.t, course.q, course.v, *parts)
        late = hurry()
        rule = LEAST_EFFORTS if motion.loads.over > 0 else ""
        result = recorder.result(motion.loads.used, rule=rule, asked=lambda: asked() or late() > READING)
        course = course.part(slice(len(result.time)))
        near = motion.approaches(course)
        result = replace(result, singularities=near)
        result = with_holding_ranges(with_heat(result), motion.loads, course)
        result, spinning = with_held_spins(result, motion, course, found.a[: len(course)])
        said = [
            *over_limits(result),
            *passes_through(result),
            *without_bound(motion, course, near),
            *spinning,
        ]
        said += [*_not_round(result, times, whole), *worst_said(driven_doubts(motion, course))]
    if len(result.time) < count:
        said.append(f"interrupted after {len(result.time)} of {count} instants")
    return with_doubts(result, said)


def _acted_on_elsewhere(mechanism: Mechanism) -> bool:
    """Whether there are actuators, but too few to produce the prescribed motion: only they supply effort then."""
    known_only = bool(mechanism.actuators) and not efforts_of(mechanism)
    rows = sum(target.rows() for target in drive_targets(mechanism))
    return known_only or (pushes_elsewhere(mechanism) and len(found_efforts(mechanism)) < rows)


def _remedy(driven: bool, may_move: bool, exact: bool) -> str:
    """The remedy for undriven degrees of freedom.

    {them} stands for as many joints as there are such degrees of freedom.
    """
    if not may_move:
        if not driven:
            return "Drive {them}, add actuators, or ask `simulate`, where it moves freely."
        freely = "with actuators at the driven joints the others can move freely from a start"
        return f"Drive {{them}}, or add actuators; {freely}."
    if exact:
        return "Drive {them} or add actuators; without `exact` they move freely from a start."
    return "Drive {them}, add actuators, or give their start so that they move freely."
