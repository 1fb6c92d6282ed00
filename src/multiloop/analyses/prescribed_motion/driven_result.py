"""Result of inverse dynamics along a driven motion, with its warnings.

Warnings concern loads that grow without bound at singular positions, bodies that would start to spin about the line
through their joints, and digits lost to round-off. At a singular position the constraint Jacobian loses rank, and the
reactions along the lost direction grow without bound unless no force acts along this direction. The loads at instants
close to the singular position show whether they grow.

Theory: docs/theory/08-singular-configurations.md, eqs. (8.3), (8.5).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from multiloop.analyses.idle_spins import spin_motions, spin_rates
from multiloop.analyses.load_checks import require_covered_loads
from multiloop.analyses.prescribed_motion.driven_motion import DrivenMotion
from multiloop.analyses.prescribed_motion.inverse_solver import MINIMUM_NORM_EFFORTS
from multiloop.analyses.prescribed_motion.stiction_range import with_effort_ranges
from multiloop.analyses.progress import progress_display
from multiloop.analyses.results import (
    InstantSolution,
    Recorder,
    Result,
    RoundOffEstimate,
    interruption_warning,
    over_limit_warnings,
    penetration_warnings,
    repetition_warnings,
    rest_friction_warnings,
    round_off_warnings,
    with_warnings,
)
from multiloop.analyses.results.histories import LoadHistory
from multiloop.dynamics.outputs import HEAT
from multiloop.kinematics.continuation import (
    NEAR_SINGULAR,
    Instant,
    Singularity,
    Trajectory,
    expected_round_off,
    most_affected_instants,
)
from multiloop.model import MultiloopError, ResultWarning, interruptible, partial_result_clock
from multiloop.plan import IdleMotion

READOUT_TIME = 0.25
"""Seconds after Ctrl-C during which results at the solved instants are still evaluated."""


def cycle_warnings(result: Result, times: np.ndarray, whole: bool) -> list[ResultWarning]:
    """The warning that a motion does not repeat; only if `whole` states that the times span a whole cycle, and if the
    result contains all of them."""
    return repetition_warnings(result) if whole and len(result.time) == len(times) else []


def driven_result(motion: DrivenMotion, times: np.ndarray, whole: bool, progress: bool | None) -> Result:
    """The result at the given times of a driven motion, with its warnings.

    `whole` states that the times span a whole cycle, whose repetition is checked. An interruption keeps the instants
    that are solved.
    """
    require_covered_loads(motion.plan.mechanism, times.tolist())
    count = len(times)
    with progress_display(0.0, float(count), progress, "instants", "solving") as shown:
        course = motion.trajectory_at(times.tolist(), lambda done: shown(done / 2))
        found = motion.solve_all(course, lambda done: shown((count + done) / 2))
    with interruptible() as asked:
        course = course.subset(slice(len(found.a)))
        recorder = Recorder(motion.equations, motion.plan, motion.p)
        forces = {"lam": found.lam, "dependent_force_rows": found.dependent_force_rows}
        recorder.add_many(course.t, course.q, course.v, found.a, found.tau, **forces)
        late = partial_result_clock()
        rule = MINIMUM_NORM_EFFORTS if motion.loads.over > 0 else ""
        result = recorder.result(
            motion.loads.method_used, rule=rule, interrupted=lambda: asked() or late() > READOUT_TIME
        )
        course = course.subset(slice(len(result.time)))
        near = motion.approaches(course)
        result = replace(result, singularities=near)
        loaded = bool(result.loads)
        if loaded:
            result = with_effort_ranges(with_heat(result), motion.loads, course)
        result, spinning = with_spin_rule(result, motion, course, found.a[: len(course)])
        said = [
            *over_limit_warnings(result),
            *(penetration_warnings(result) if loaded else ()),
            *(rest_friction_warnings(result) if loaded else ()),
            *unbounded_load_warnings(motion, course, near),
            *spinning,
        ]
        said += [
            *cycle_warnings(result, times, whole),
            *round_off_warnings(motion.plan.mechanism, round_off_estimates(motion, course)),
        ]
    if len(result.time) < count:
        text = f"interrupted after {len(result.time)} of {count} instants"
        said.append(interruption_warning(result.mechanism, text, float(result.time[-1])))
    return with_warnings(result, said)


POLE_DISTANCE = 1e-5
"""Distance from singularity below which the motion is taken to pass through the singular position itself: the search
for the smallest distance is not more accurate."""

COMPARED_DISTANCE = (1e-3, 1e-4)
"""The two distances from singularity at which loads are compared: if loads grow without bound, a tenth of the distance
gives ten times the load."""

UNBOUNDED_GROWTH = 1.1
"""Ratio of the loads at the smaller and the larger of the compared distances above which the loads are taken to be
unbounded; bounded loads change by parts in a thousand."""


def unbounded_load_warnings(
    motion: DrivenMotion, course: Trajectory, near: Sequence[Singularity]
) -> tuple[ResultWarning, ...]:
    """The warning that lists singular positions at which loads are unbounded; empty if there are none."""
    times = [
        s.time for s in near if s.singularity_distance < POLE_DISTANCE and _is_unbounded(motion, course, s)
    ]
    if not times:
        return ()
    listed = ", ".join(f"{t:.4g}" for t in times)
    text = f"loads near t = {listed} s are unbounded: singular configuration{'s' if len(times) > 1 else ''}"
    return (ResultWarning("W43", motion.plan.mechanism.name, text, time=float(times[0])),)


def _is_unbounded(motion: DrivenMotion, course: Trajectory, singular: Singularity) -> bool:
    """Whether the loads increase towards the singular position `singular`.

    The loads are compared at two distances from singularity (`COMPARED_DISTANCE`), which near the singular position are
    proportional to the differences in time.
    """
    at = course[int(np.abs(course.t - singular.time).argmin())]
    slope = (at.t - singular.time) / motion.singularity_distance(at)
    try:
        far, close = (
            _largest_load(motion, motion.advance_to(singular.time + slope * c, at)) for c in COMPARED_DISTANCE
        )
    except MultiloopError:  # the motion cannot be followed there: the loads are assumed to be unbounded
        return True
    return close > UNBOUNDED_GROWTH * far


def _largest_load(motion: DrivenMotion, instant: Instant) -> float:
    found = motion.solve(instant)
    tau, wrenches = found.tau, found.wrenches
    return float(max(np.abs(tau).max(initial=0.0), np.abs(wrenches).max(initial=0.0)))


ROUND_OFF = 1e-9
"""Moments about the line of an idle spin are round-off below this fraction of the moments at the joints of the body."""


def accelerating_spins(
    motion: DrivenMotion, course: Trajectory, a: np.ndarray, result: Result
) -> list[tuple[IdleMotion, float, float]]:
    """Idle spins whose accelerations `a` differ from those that follow from the rule e · ω = 0, each with the largest
    difference (rad/s²) and its time.

        Δ = e · (α − α_rule)

    e is the unit vector of the line of the spin, ω and α are the angular velocity and acceleration of the body, and
    α_rule is its angular acceleration in `course`, the motion with e · ω = 0. A spin with the inertia I_e about the
    line is not reported if the moment I_e Δ is round-off compared with the moments in the joints of the body.
    """
    eq, idle = motion.equations, motion.plan.idle
    if not idle:
        return []
    spins = [one.spin for one in idle]
    kept = course.subset(slice(len(a)))
    extra = np.array(
        [spin_rates(eq, at.q, motion.p, own - at.a, spins) for at, own in zip(kept, a, strict=True)]
    )
    found = []
    for one, Z, along in zip(idle, _spin_inertia(motion, kept, idle), extra.T, strict=True):
        moments = Z * np.abs(along[: len(result.time)])
        if moments.max(initial=0.0) > ROUND_OFF * _largest_joint_moment(motion, one, result):
            k = int(np.abs(along).argmax())
            found.append((one, float(abs(along[k])), float(kept.t[k])))
    return found


def _spin_inertia(motion: DrivenMotion, course: Trajectory, idle: tuple[IdleMotion, ...]) -> list[float]:
    """Inertia about the line of every idle spin (kg m²) at the first instant; it is constant if a single body spins."""
    eq, q = motion.equations, course[0].q
    twists = eq.tree_functions.twists(q, motion.p, spin_motions(eq, q, motion.p, idle))
    masses = eq.tree_functions.mass_matrices(q, motion.p)
    return [
        float(sum(twists[k][:, i] @ M @ twists[k][:, i] for k, M in enumerate(masses)))
        for i in range(len(idle))
    ]


def _largest_joint_moment(motion: DrivenMotion, idle: IdleMotion, result: Result) -> float:
    """The largest moment at the outer joints of a group of bodies with an idle spin, over all instants.

    Joint forces count as moments after multiplication by the characteristic length.
    """
    length = motion.equations.skeleton.characteristic_length
    joints = [result[name] for name in idle.joints]
    return max(float(max(length * one.load.max(), one.moment_size.max())) for one in joints)


def with_spin_rule(
    result: Result, motion: DrivenMotion, course: Trajectory, a: np.ndarray
) -> tuple[Result, list[ResultWarning]]:
    """The result with a text in its attribute `rule` that names the bodies assumed not to spin about their axes, e · ω
    = 0, and one warning for every such body that would start to spin."""
    found = accelerating_spins(motion, course, a, result)
    names = " and ".join(f"'{body}'" for one, _, _ in found for body in one.bodies)
    held = [f"no spin: {names} does not rotate about its axis, e · ω = 0"] if found else []
    said = [
        ResultWarning(
            "W46",
            one.spin.body,
            f"'{one.spin.body}' would start to spin about its axis with up to {most:.3g} rad/s² "
            f"(t = {t:.6g} s): the efforts assume that it does not rotate about this axis; `simulate` "
            "computes its actual motion",
            most,
            "rad/s²",
            t,
        )
        for one, most, t in found
    ]
    return replace(result, rule="; ".join(filter(None, [result.rule, *held]))), said


def round_off_estimates(motion: DrivenMotion, course: Trajectory) -> list[RoundOffEstimate]:
    """Round-off estimates of a driven motion near singular positions, at the few instants where the largest are
    expected.
    """
    singularity_distance = motion.least_distance(course)
    near = np.flatnonzero(singularity_distance < NEAR_SINGULAR)
    expected = expected_round_off(
        motion.equations, singularity_distance[near], course.v[near], course.a[near]
    )
    return [
        _round_off_at(motion, course[k], float(singularity_distance[k]))
        for k in near[most_affected_instants(expected)].tolist()
    ]


def _round_off_at(motion: DrivenMotion, at: Instant, singularity_distance: float) -> RoundOffEstimate:
    """Round-off estimate at an instant: the relative change of its solution if the loops are opened by the round-off of
    lengths."""
    try:
        both = [(one, motion.solve(one)) for one in (at, motion.displaced(at))]
        found, as_good = (InstantSolution(one.v, loads.a, loads.tau, loads.wrenches) for one, loads in both)
    except MultiloopError:  # the instant cannot be solved with loops opened by round-off
        return RoundOffEstimate(at.t, np.inf, "")
    return found.round_off_from(motion.equations, at.t, as_good, singularity_distance)


def with_heat(result: Result) -> Result:
    """The result with the heat −∫ power dt of all loads that report it, by Simpson's rule from the first instant on.

    A simulation integrates the heat with its own steps; a prescribed motion is known at its instants only.
    """
    found = {name: _load_with_heat(load, result.time) for name, load in result.loads.items()}
    heat = {f"{name}.{HEAT}": load.values[HEAT] for name, load in found.items() if load.heats}
    if not heat:
        return result
    recorded = None if result.recorded is None else result.recorded.with_states(heat)
    return replace(result, loads=found, recorded=recorded, integrals={**result.integrals, **heat})


def _load_with_heat(load: LoadHistory, t: np.ndarray) -> LoadHistory:
    if not load.heats or len(t) < 2:
        return load
    # imported only here, since the import takes 0.2 s
    from scipy.integrate import cumulative_simpson, cumulative_trapezoid

    rising = len(t) > 2 and bool((np.diff(t) > 0).all())
    rule = cumulative_simpson if rising else cumulative_trapezoid
    return replace(load, values={**load.values, "heat": -rule(load.power, x=t, initial=0.0)})
