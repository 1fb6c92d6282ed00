"""The verb `inverse`: what effort must each drive give, and what force does each joint carry, over a known motion?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from multiloop.kinematics.equations import Equations, equations_of
from multiloop.kinematics.path import Drive, Instant, follow
from multiloop.kinematics.rates import linearised
from multiloop.kinematics.singularity import closest_approaches
from multiloop.kinematics.targets import drive_targets
from multiloop.model import Fault, Mechanism, SolveError, period_of
from multiloop.model.names import counted
from multiloop.plan import Plan, efforts_of, plan_at
from multiloop.questions.assembling import chosen_closure
from multiloop.questions.choices import require
from multiloop.questions.efforts import effort_limits, joints_in
from multiloop.questions.loads import METHODS, Loads
from multiloop.questions.motion import SINGULAR, drive_of, singular_position
from multiloop.questions.recorder import Recorder
from multiloop.questions.result import Result
from multiloop.questions.simulate import simulate


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
    `start` and `rates` are those at t = 0. With `exact`, or without a start, they are refused by name.
    """
    require(mechanism, "inverse method", method, METHODS)
    times = instants(mechanism, t, cycle)
    own = start is None and guess is None  # the mechanism's own guess speaks of t = 0
    begin = 0.0 if own else float(times[0])
    assembly = chosen_closure(mechanism, start, guess, begin)
    plan = plan_at(assembly, cuts, joints_in(mechanism))
    if len(efforts_of(mechanism)) < plan.mobility - len(plan.idle):
        if exact or not start or mechanism.actuators or not mechanism.drives:
            raise _under_actuated(mechanism, plan)
        return simulate(
            mechanism,
            until=float(times[-1]),
            start=start,
            guess=guess,
            rates=rates,
            outputs=times.tolist(),
            cuts=cuts,
        )
    spins = tuple(idle.spin for idle in plan.idle)
    equations = equations_of(mechanism, plan.tree, drive_targets(mechanism), spins)
    drive = drive_of(mechanism)
    loads = Loads(plan, equations, assembly.p, method, dict(weights or {}))
    path = follow(equations, assembly.on(equations), [begin, *times.tolist()], drive, assembly.p)[1:]
    _require_whole_motion(equations, path[0], drive, assembly.p)
    loads.require_span(path[0].q)
    recorder = Recorder(equations, plan, assembly.p)
    for instant in path:
        if instant.closeness < SINGULAR:
            raise singular_position(mechanism, instant.t, instant.closeness)
        recorder.add(instant, *loads.solve(instant))
    near = closest_approaches(equations, path, drive, assembly.p)
    rule = "" if loads.over <= 0 else "least efforts: Σ (τ/weight)² is smallest"
    result = recorder.result(loads.used, near, rule)
    over = [
        f"{name} needs {float(np.abs(result[name.partition('.')[0]].effort).max()):.6g}, its limit is {limit:g}"
        for name, limit in effort_limits(mechanism).items()
        if np.abs(result[name.partition(".")[0]].effort).max() > limit
    ]
    return replace(result, status="; ".join(over)) if over else result


def instants(mechanism: Mechanism, t: Any, cycle: int | None) -> np.ndarray:
    """The times asked for."""
    if (t is None) == (cycle is None):
        raise _solve_error(
            mechanism,
            "S02",
            "inverse dynamics",
            "takes either `t` or `cycle`.",
            "Give times, or a number of instants.",
        )
    if t is not None:
        times = np.atleast_1d(np.asarray(t, float))
        if times.size == 0 or not np.isfinite(times).all():
            raise _solve_error(mechanism, "S02", "t", f"is {t!r}.", "Give one or more finite times.")
        return times
    if not isinstance(cycle, int | np.integer) or cycle < 2:
        raise _solve_error(
            mechanism, "S02", "cycle", f"is {cycle!r}.", "Give a whole number of instants, at least 2."
        )
    if not mechanism.drives:
        raise _solve_error(
            mechanism, "S02", "cycle", "there is no drive that could make one.", "Add a Motion, or give t=."
        )
    motion = mechanism.drives[0]
    profile = next(iter(motion.named().values()))
    turns = not motion.on_marker and mechanism.joint(motion.of).turning(mechanism.planar)[:1] == (True,)
    period = period_of(profile, 2 * np.pi if turns else 0.0)
    if period is None:
        raise _solve_error(
            mechanism,
            "S02",
            "cycle",
            f"the drive of '{motion.of}' is not periodic.",
            "Give the times with t=.",
        )
    return np.linspace(0.0, period, int(cycle or 0))


def _require_whole_motion(equations: Equations, at: Instant, drive: Drive, p: np.ndarray) -> None:
    """Refuse freedoms that actuators could move but that no Motion prescribes."""
    linear = linearised(equations, at.q, drive(at.t, 0), p)
    if len(linear.sigma) >= equations.skeleton.rates or linear.freedoms == 0:
        return
    ways = np.abs(linear.open_directions()).max(axis=1, initial=0.0)
    loose = [link.joint.name for link in equations.skeleton.links if ways[link.v].max(initial=0.0) > 1e-6]
    raise _solve_error(
        equations.skeleton.mechanism,
        "S01",
        "inverse dynamics",
        f"{counted(linear.freedoms, 'freedom')} without a prescribed motion: {', '.join(loose)} may move anyhow.",
        "Add a Motion for every freedom, or use `simulate` with known efforts.",
    )


def _under_actuated(mechanism: Mechanism, plan: Plan) -> SolveError:
    """The error of freedoms that nothing drives, with the joints that they move."""
    efforts, freedoms = efforts_of(mechanism), plan.mobility - len(plan.idle)
    assembly = plan.assembly
    locked = equations_of(mechanism, assembly.equations.skeleton.tree, drive_targets(mechanism))
    linear = linearised(locked, assembly.on(locked), np.zeros(locked.s.shape[0]), assembly.p)
    ways = np.abs(linear.open_directions()).max(axis=1, initial=0.0)
    loose = [link.joint.name for link in locked.skeleton.links if ways[link.v].max(initial=0.0) > 1e-6]
    if loose:
        blame = f"nothing drives {', '.join(loose)}"
        remedy = "Drive them, add actuators, or give their start so that they move freely."
    else:
        idle = [motion.of for motion in mechanism.drives if motion.of not in {joint for joint, _ in efforts}]
        blame = f"no actuator supplies what the motion of {', '.join(idle)} needs"
        remedy = "Where there are actuators, only they supply effort: add one for every freedom."
    return _solve_error(
        mechanism,
        "S01",
        "inverse dynamics",
        f"{counted(freedoms, 'freedom')} but {counted(len(efforts), 'effort')}: {blame}.",
        remedy,
    )


def _solve_error(mechanism: Mechanism, code: str, where: str, what: str, remedy: str) -> SolveError:
    return SolveError(f"mechanism '{mechanism.name}'", [Fault(code, where, what, remedy)])
