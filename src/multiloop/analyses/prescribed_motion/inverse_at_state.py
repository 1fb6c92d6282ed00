"""Inverse dynamics at one state: efforts and reactions for given (q, v, v̇).

    h(q, v, v̇) = Jᵀ λ + B τ,    J v̇ = γ

h are the generalized forces that the motion requires in the spanning tree, λ the multipliers of the loop constraints
with the Jacobian J, γ the right-hand side of these constraints for accelerations, and τ the efforts, which act along
the columns of B. The drives of the mechanism do not prescribe the motion here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from multiloop.analyses.analysis_cache import cached_assembly, cached_plan
from multiloop.analyses.errors import analysis_error
from multiloop.analyses.idle_spins import massless_spins, require_no_spin_moment
from multiloop.analyses.load_checks import require_covered_loads
from multiloop.analyses.prescribed_motion.driven_plan import under_actuation_error, undriven_freedoms
from multiloop.analyses.prescribed_motion.inverse_solver import MINIMUM_NORM_EFFORTS, InverseSolver
from multiloop.analyses.prescribed_motion.stiction_range import with_effort_ranges
from multiloop.analyses.results import (
    Recorder,
    Result,
    RoundOffEstimate,
    initial_state_values,
    rest_friction_warnings,
    round_off_warnings,
    with_warnings,
)
from multiloop.analyses.signals import joints_in_efforts
from multiloop.kinematics import Equations, equations_of, tree_rates
from multiloop.kinematics.assembly import Request, StateValues, rate_requests, start_conditions
from multiloop.kinematics.conditioning import (
    consistent_accelerations,
    scaled_rows,
    singular_values,
    sparse_null_space,
    target_accelerations,
)
from multiloop.kinematics.continuation import Instant, expected_round_off
from multiloop.model import (
    MOTION_COMPONENTS,
    Actuator,
    Mechanism,
    ResultWarning,
    SolveError,
    coordinate_text,
    count_text,
)
from multiloop.plan import Plan, unknown_efforts

ACCELERATION_RESIDUAL = 1e-6
"""Largest residual of the constraints on accelerations, as a fraction of their largest right-hand side, at which given
accelerations count as consistent; a larger residual raises an error."""

MOVES = 1e-6
"""A joint takes part in an undetermined motion if its rate exceeds this fraction of the largest rate of the motion."""


def inverse_at_state(
    mechanism: Mechanism,
    state: StateValues,
    accelerations: Mapping[str, Any],
    *,
    guess: Mapping[str, Any] | None,
    rates: Mapping[str, Any] | None,
    cuts: Sequence[str] | None,
    method: str,
    weights: Mapping[str, float] | None,
    t: float | None,
) -> Result:
    """Efforts and reactions at a state, for given accelerations of as many coordinates as there are degrees of freedom.

        h(q, v, v̇) = Jᵀ λ + B τ,    J v̇ = γ

    h are the generalized forces that the motion requires, λ the multipliers of the loop constraints with the Jacobian
    J, γ the right-hand side of these constraints for accelerations, and τ the efforts, which act along the columns of
    B.

    The drives do not prescribe the motion; the efforts act at the actuators. Without actuators they act at the driven
    joints or, if there are none, at the joints whose accelerations are given.
    """
    requests = rate_requests(mechanism, accelerations, "accelerations")
    still = _without_motions(mechanism, requests)
    t, start, rates = start_conditions(still, state, rates, t)
    require_covered_loads(still, [t])
    assembly, found = cached_assembly(still, start, guess, rates, t)
    plan = cached_plan(assembly, cuts, joints_in_efforts(still))
    if undriven_freedoms(plan):
        raise under_actuation_error(
            plan, "Add actuators, or give accelerations of joints; efforts then act at these joints."
        )
    equations, p = equations_of(still, plan.tree), assembly.p
    q, v = assembly.coordinates_on(equations), tree_rates(equations, found)
    if plan.idle and still.all_loads:
        require_no_spin_moment(equations, massless_spins(equations, plan), q, p)
    a = _consistent_accelerations(plan, equations, t, q, v, requests)
    x = np.array(list(initial_state_values(still, state).values()))
    loads = InverseSolver(plan, equations, p, method, weights, x)
    singularity_distance = loads.constraint_svd(t, q).singularity_distance
    found_loads = loads.solve(Instant(t, q, v, a, singularity_distance))
    a = found_loads.a
    recorder = Recorder(equations, plan, p)
    forces = {"lam": found_loads.lam, "dependent_force_rows": found_loads.dependent_force_rows}
    recorder.add(t, q, v, a, found_loads.tau, x, **forces)
    result = recorder.result(loads.method_used, rule=MINIMUM_NORM_EFFORTS if loads.over > 0 else "")
    result = with_effort_ranges(result, loads, [Instant(t, q, v, a, singularity_distance)])
    lost_digits = _round_off_warnings(plan, equations, Instant(t, q, v, a, singularity_distance), requests)
    return with_warnings(result, [*rest_friction_warnings(result), *lost_digits])


def _round_off_warnings(
    plan: Plan, equations: Equations, at: Instant, requests: Sequence[Request]
) -> list[ResultWarning]:
    """The warning on digits that are lost because of the round-off of lengths.

    The number of lost digits is estimated from the distance from singularity of the loop constraints and the given
    accelerations together. The position is given in double precision and cannot be refined, unlike a position that
    drives prescribe.
    """
    targets = [request.target for request in requests]
    rows, _ = scaled_rows(equations, at.q, equations.time_values(at.t), plan.assembly.p, targets)
    sigma = singular_values(rows)
    held = equations.skeleton.rates - len(plan.idle)
    singularity_distance = (
        np.array([sigma[held - 1] / sigma[0]]) if held and len(sigma) >= held else np.ones(1)
    )
    part = (
        equations.skeleton.round_off
        * expected_round_off(equations, singularity_distance, at.v[None], at.a[None])[0]
    )
    estimate = RoundOffEstimate(at.t, float(part), "rates and accelerations")
    return round_off_warnings(plan.mechanism, [estimate])


def _without_motions(mechanism: Mechanism, requests: Sequence[Request]) -> Mechanism:
    """The mechanism without its drives; if it has no actuators, they are added at the driven joints or, if no joint is
    driven, at the joints whose accelerations are given."""
    if mechanism.actuators:
        return mechanism.without_drives()
    named = (
        (request.target.of, part)
        for request in requests
        for part in request.target.components
        if request.target.of in mechanism.joints_by_name and part in MOTION_COMPONENTS
    )
    efforts = unknown_efforts(mechanism) or tuple(named)
    return mechanism.replace(drives=[], actuators=[Actuator(joint, part) for joint, part in efforts])


def _consistent_accelerations(
    plan: Plan, equations: Equations, t: float, q: np.ndarray, v: np.ndarray, requests: Sequence[Request]
) -> np.ndarray:
    """Accelerations of the spanning tree's coordinates; an error is raised if the given accelerations are too few or
    contradict each other."""
    p, targets = plan.assembly.p, [request.target for request in requests]
    rows, _ = scaled_rows(equations, q, equations.time_values(t), p, targets)
    ways = sparse_null_space(rows)
    left = ways.shape[1] - len(plan.idle)
    if left > 0:
        size = np.abs(ways).max(axis=1, initial=0.0)
        links = equations.skeleton.links
        loose = [link.joint.name for link in links if size[link.v].max(initial=0.0) > MOVES * size.max()]
        what = (
            "the given values leave "
            f"{count_text(left, 'degree of freedom', 'degrees of freedom')} undetermined."
        )
        remedy = f"Give {count_text(left, 'more acceleration')} at these joints: {', '.join(loose)}."
        raise analysis_error(plan.mechanism, "S15", "accelerations", what, remedy, time=t)
    asked = np.array([value for request in requests for value in request.values])
    a, miss = consistent_accelerations(equations, t, q, v, p, targets, asked)
    if miss > ACCELERATION_RESIDUAL:
        raise _contradiction_error(plan, equations, t, q, v, requests)
    return a


def _contradiction_error(
    plan: Plan, equations: Equations, t: float, q: np.ndarray, v: np.ndarray, requests: Sequence[Request]
) -> SolveError:
    """The error for the first given acceleration that contradicts the loops and the accelerations given before it.

    The error states the value that the loops and these accelerations require.
    """
    p = plan.assembly.p
    a, miss = consistent_accelerations(equations, t, q, v, p, [], np.zeros(0))
    for count, request in enumerate(requests, 1):
        before = a
        targets = [one.target for one in requests[:count]]
        asked = np.array([value for one in requests[:count] for value in one.values])
        a, miss = consistent_accelerations(equations, t, q, v, p, targets, asked)
        if miss > ACCELERATION_RESIDUAL:
            made = target_accelerations(equations, q, v, before, p, [request.target])
            what = (
                f"{coordinate_text(request.values)} is given, but the loops, the rates and the "
                f"accelerations given before this one require {coordinate_text(made)}."
            )
            remedy = (
                "Give accelerations of as many joints as there are degrees of freedom, and omit the "
                "dependent ones."
            )
            return analysis_error(
                plan.mechanism, "S15", f"acceleration of '{request.target.of}'", what, remedy, time=t
            )
    what = f"no accelerations satisfy all constraints (relative residual {miss:.3g})."
    return analysis_error(
        plan.mechanism,
        "S15",
        "constraints",
        what,
        "Correct the relations that contradict each other.",
        time=t,
    )
