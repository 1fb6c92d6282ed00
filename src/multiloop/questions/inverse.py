"""The verb `inverse`: what effort must each drive give, and what force does each joint carry, over a known motion?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from multiloop.kinematics.singularity import closest_approaches
from multiloop.model import Expression, Mechanism, period_of
from multiloop.questions.choices import require
from multiloop.questions.driven import DrivenMotion, driven_plan, unanswerable, under_actuated, undriven
from multiloop.questions.efforts import effort_limits
from multiloop.questions.loads import METHODS
from multiloop.questions.recorder import Recorder
from multiloop.questions.result import Result
from multiloop.questions.simulate import simulate
from multiloop.questions.unbounded import without_bound


def inverse(
    mechanism: Mechanism,
    *,
    t: float | Sequence[float] | np.ndarray | None = None,
    cycle: int | None = None,
    guess: Mapping[str, Any] | None = None,
    start: Mapping[str, Any] | None = None,
    cuts: Sequence[str] | None = None,
    method: str = "subsystem",
    weights: Mapping[str, float] | None = None,
    rates: Mapping[str, Any] | None = None,
    exact: bool = False,
) -> Result:
    """Inverse dynamics along the mechanism's drives.

    Give times `t`, or `cycle`: that many instants, evenly spaced over one turn of the first drive, both ends
    included. The result holds the effort of every drive and force and moment in every joint. With more
    efforts than freedoms the least are given, each divided by its weight (1 where none is named). A `start`
    or `guess` given here is for the first of the times; the mechanism's own guess is for t = 0.

    Freedoms that nothing drives move freely while the drives do what they must, as in `simulate`: their
    `start` and `rates` are those at t = 0, the times rise from there, and there is neither a `method` to choose
    nor an effort to weigh. With `exact`, or without a start, they are refused by name.
    """
    require(mechanism, "inverse method", method, METHODS)
    times = instants(mechanism, t, cycle)
    own = start is None and guess is None  # the mechanism's own guess speaks of t = 0
    begin = 0.0 if own else float(times[0])
    plan = driven_plan(mechanism, start, guess, begin, cuts)
    if undriven(plan):
        may_move = bool(mechanism.drives) and not mechanism.actuators
        if exact or not start or not may_move:
            raise under_actuated(plan, _remedy(may_move, exact))
        _require_free_motion(mechanism, times, method, weights)
        asked: dict[str, Any] = {"start": start, "guess": guess, "rates": rates, "cuts": cuts}
        return simulate(mechanism, until=float(times[-1]), outputs=times.tolist(), **asked)
    if rates:
        what = "every freedom is driven, and its rate with it."
        raise unanswerable(mechanism, "S02", "rates", what, "Leave them out, or take a drive away.")
    return _followed(DrivenMotion(plan, begin, method, weights), times)


def _followed(motion: DrivenMotion, times: np.ndarray) -> Result:
    """Everything at the given times of a motion, and what there is to be said about it."""
    path = motion.along(times.tolist())
    recorder = Recorder(motion.equations, motion.plan, motion.p)
    for instant in path:
        recorder.add(instant.t, instant.q, instant.v, *motion.solve(instant))
    near = closest_approaches(motion.equations, path, motion.drive, motion.p)
    rule = "" if motion.loads.over <= 0 else "least efforts: Σ (τ/weight)² is smallest"
    result = recorder.result(motion.loads.used, near, rule)
    doubts = [*_over_limits(result), *without_bound(motion, path, near)]
    return replace(result, status="; ".join(doubts)) if doubts else result


def _over_limits(result: Result) -> list[str]:
    """The actuators that would have to give more than they can."""
    found = []
    for name, limit in effort_limits(result.mechanism).items():
        needed = float(np.abs(result.effort_along(name)).max())
        if needed > limit:
            found.append(f"{name} needs {needed:.6g}, its limit is {limit:g}")
    return found


def _remedy(may_move: bool, exact: bool) -> str:
    """What to do about freedoms that nothing drives."""
    if not may_move:
        return "Drive them, or add actuators."
    if exact:
        return "Drive them or add actuators; without `exact` they move freely from a start."
    return "Drive them, add actuators, or give their start so that they move freely."


def _require_free_motion(
    mechanism: Mechanism, times: np.ndarray, method: str, weights: Mapping[str, float] | None
) -> None:
    """Refuse what cannot be asked of freedoms that are solved forward in time."""
    why = "freedoms that nothing drives are solved forward in time"
    if times[0] < 0 or (np.diff(times) <= 0).any():
        what = f"the times do not rise from 0, but {why}."
        raise unanswerable(mechanism, "S02", "t", what, "Give times in rising order, none of them negative.")
    if method != METHODS[0]:
        remedy = "Leave it out, or drive every freedom."
        raise unanswerable(mechanism, "S02", f"method '{method}'", f"cannot be used: {why}.", remedy)
    if weights:
        what = "there is no choice among efforts: there are fewer than freedoms."
        raise unanswerable(mechanism, "S02", "weights", what, "Leave them out.")


def instants(mechanism: Mechanism, t: Any, cycle: int | None) -> np.ndarray:
    """The times asked for."""
    if (t is None) == (cycle is None):
        what, remedy = "takes either `t` or `cycle`.", "Give times, or a number of instants."
        raise unanswerable(mechanism, "S02", "inverse dynamics", what, remedy)
    if t is None:
        return _cycle(mechanism, cycle)
    try:
        times = np.atleast_1d(np.asarray(t, float))
    except (TypeError, ValueError):
        times = np.zeros(0)
    if times.size == 0 or times.ndim > 1 or not np.isfinite(times).all():
        said = f"has the shape {times.shape}." if times.ndim > 1 else f"is {t!r:.60}."
        raise unanswerable(mechanism, "S02", "t", said, "Give one finite time, or a plain list of them.")
    return times


def _cycle(mechanism: Mechanism, cycle: int | None) -> np.ndarray:
    """Instants over one turn of the first drive."""
    if not isinstance(cycle, int | np.integer) or isinstance(cycle, bool) or cycle < 2:
        remedy = "Give a whole number of instants, at least 2."
        raise unanswerable(mechanism, "S02", "cycle", f"is {cycle!r:.60}.", remedy)
    if not mechanism.drives:
        what = "there is no drive that could make one."
        raise unanswerable(mechanism, "S02", "cycle", what, "Add a Motion, or give t=.")
    motion = mechanism.drives[0]
    profile = next(iter(motion.named().values()))
    turns = not motion.on_marker and mechanism.joint(motion.of).turning(mechanism.planar)[:1] == (True,)
    period = period_of(profile, 2 * np.pi if turns else 0.0)
    if period is None:
        what, remedy = f"the drive of '{motion.of}' is not periodic.", "Give the times with t=."
        if not isinstance(profile, Expression):
            what = f"the drive of '{motion.of}' stands still at {profile:g}."
            remedy = f"Give the times with t=; for a speed write constant_speed({profile:g})."
        raise unanswerable(mechanism, "S02", "cycle", what, remedy)
    return np.linspace(0.0, period, int(cycle))
