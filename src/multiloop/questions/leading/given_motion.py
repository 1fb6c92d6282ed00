"""Inverse dynamics at one state: efforts and reactions for given (q, v, v̇).

    h(q, v, v̇) = Jᵀ λ + B τ,    J v̇ = γ

The drives of the mechanism do not prescribe the motion here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from multiloop.kinematics.accelerations import consistent_accelerations, read_accelerations
from multiloop.kinematics.course import Instant
from multiloop.kinematics.equations import Equations, equations_of
from multiloop.kinematics.independence import open_directions, singular_values
from multiloop.kinematics.rates import scaled_rows
from multiloop.kinematics.readings import rates_on
from multiloop.kinematics.requests import Request, rate_requests
from multiloop.kinematics.round_off import expected_changes
from multiloop.model import Actuator, Mechanism, SolveError
from multiloop.model.drives import COMPONENTS
from multiloop.model.names import counted, shown
from multiloop.plan import Plan, efforts_of
from multiloop.questions.answers.doubts import with_doubts
from multiloop.questions.answers.recorder import Recorder
from multiloop.questions.answers.result import Result
from multiloop.questions.answers.state import State, begun, first_values
from multiloop.questions.leading.holding_range import with_holding_ranges
from multiloop.questions.leading.loads import LEAST_EFFORTS, Loads
from multiloop.questions.leading.under_actuation import under_actuated, undriven
from multiloop.questions.load_refusals import require_covered_loads, require_untwisted
from multiloop.questions.massless_spins import massless_spins
from multiloop.questions.refusal import refusal
from multiloop.questions.remembered import remembered_assembly, remembered_plan
from multiloop.questions.round_off import Doubt, worst_said
from multiloop.questions.signals.efforts import joints_in

CONTRADICTED = 1e-6
"""Relative residual up to which given accelerations count as consistent."""

MOVES = 1e-6
"""A joint takes part in a direction if its entry is larger than this part of the largest one."""


def inverse_at(
    mechanism: Mechanism,
    state: State | Mapping[str, Any],
    accelerations: Mapping[str, Any],
    *,
    guess: Mapping[str, Any] | None,
    rates: Mapping[str, Any] | None,
    cuts: Sequence[str] | None,
    method: str,
    weights: Mapping[str, float] | None,
    t: float | None,
) -> Result:
    """Efforts and reactions at a state, or at a start with rates, for accelerations of as many joints as degrees
    of freedom.

        h(q, v, v̇) = Jᵀ λ + B τ,    J v̇ = γ

    The drives do not prescribe the motion; efforts are computed where they act.
    """
    requests = rate_requests(mechanism, accelerations, "accelerations")
    still = _without_motions(mechanism, requests)
    begin, start, rates = begun(still, state, rates)
    t = begin if t is None else t
    require_covered_loads(still, [t])
    assembly, found = remembered_assembly(still, start, guess, rates, t)
    plan = remembered_plan(assembly, cuts, joints_in(still))
    if undriven(plan):
        raise under_actuated(
            plan, "Add actuators, or give accelerations of joints, at which efforts then act."
        )
    equations, p = equations_of(still, plan.tree), assembly.p
    q, v = assembly.on(equations), rates_on(equations, found)
    if plan.idle and still.all_loads:
        require_untwisted(equations, massless_spins(equations, plan), q, p)
    a = _accelerations(plan, equations, t, q, v, requests)
    x = np.array(list(first_values(still, state).values()))
    loads = Loads(plan, equations, p, method, weights, x)
    closeness = loads.holding(t, q).closeness
    found_loads = loads.solve(Instant(t, q, v, a, closeness))
    a = found_loads.a
    recorder = Recorder(equations, plan, p)
    recorder.add(t, q, v, a, found_loads.tau, found_loads.wrenches, x, found_loads.following)
    result = recorder.result(loads.used, rule=LEAST_EFFORTS if loads.over > 0 else "")
    result = with_holding_ranges(result, loads, [Instant(t, q, v, a, closeness)])
    return with_doubts(result, _doubts(plan, equations, Instant(t, q, v, a, closeness), requests))


def _doubts(plan: Plan, equations: Equations, at: Instant, requests: Sequence[Request]) -> list[str]:
    """The warning on digits lost to round-off of the lengths, from the closeness of loops and given accelerations.

    The position is given in double precision and is not refined, unlike that of a drive.
    """
    targets = [request.target for request in requests]
    rows, _ = scaled_rows(equations, at.q, equations.own_values(at.t), plan.assembly.p, targets)
    sigma = singular_values(rows)
    held = equations.skeleton.rates - len(plan.idle)
    closeness = np.array([sigma[held - 1] / sigma[0]]) if held and len(sigma) >= held else np.ones(1)
    part = equations.skeleton.round_off * expected_changes(equations, closeness, at.v[None], at.a[None])[0]
    return worst_said([Doubt(at.t, float(part), "rates and accelerations")])


def _without_motions(mechanism: Mechanism, requests: Sequence[Request]) -> Mechanism:
    """The mechanism without its drives; efforts act where they did, else where accelerations are given."""
    if mechanism.actuators:
        return mechanism.without_drives()
    named = (
        (request.target.of, part)
        for request in requests
        for part in request.target.components
        if request.target.of in mechanism.joints_by_name and part in COMPONENTS
    )
    efforts = efforts_of(mechanism) or tuple(named)
    return mechanism.replace(drives=[], actuators=[Actuator(joint, part) for joint, part in efforts])


def _accelerations(
    plan: Plan, equations: Equations, t: float, q: np.ndarray, v: np.ndarray, requests: Sequence[Request]
) -> np.ndarray:
    """Accelerations of the tree's coordinates; too few or contradicting ones raise an error that names them."""
    p, targets = plan.assembly.p, [request.target for request in requests]
    rows, _ = scaled_rows(equations, q, equations.own_values(t), p, targets)
    ways = open_directions(rows)
    left = ways.shape[1] - len(plan.idle)
    if left > 0:
        size = np.abs(ways).max(axis=1, initial=0.0)
        links = equations.skeleton.links
        loose = [link.joint.name for link in links if size[link.v].max(initial=0.0) > MOVES * size.max()]
        what = f"{counted(left, 'freedom')} {'is' if left == 1 else 'are'} left open."
        remedy = f"Give {left} more of: {', '.join(loose)}."
        raise refusal(plan.mechanism, "S15", "accelerations", what, remedy, time=t)
    asked = np.array([value for request in requests for value in request.values])
    a, miss = consistent_accelerations(equations, t, q, v, p, targets, asked)
    if miss > CONTRADICTED:
        raise _contradicting(plan, equations, t, q, v, requests)
    return a


def _contradicting(
    plan: Plan, equations: Equations, t: float, q: np.ndarray, v: np.ndarray, requests: Sequence[Request]
) -> SolveError:
    """The error for the first request that contradicts the loops and the earlier requests, with the value they
    imply.
    """
    p = plan.assembly.p
    a, miss = consistent_accelerations(equations, t, q, v, p, [], np.zeros(0))
    for count, request in enumerate(requests, 1):
        before = a
        targets = [one.target for one in requests[:count]]
        asked = np.array([value for one in requests[:count] for value in one.values])
        a, miss = consistent_accelerations(equations, t, q, v, p, targets, asked)
        if miss > CONTRADICTED:
            made = read_accelerations(equations, q, v, before, p, [request.target])
            what = f"{shown(request.values)} is given, but loops and rates with those before it make it {shown(made)}."
            remedy = "Give accelerations of as many joints as there are freedoms, and leave the dependent ones out."
            return refusal(
                plan.mechanism, "S15", f"acceleration of '{request.target.of}'", what, remedy, time=t
            )
    what = f"they leave a part {miss:.3g} of what holds them unmet."
    return refusal(
        plan.mechanism, "S15", "constraints", what, "Look for relations that contradict each other.", time=t
    )
