"""The function `forward`: accelerations and reactions under given forces, at one instant.

    I v̇ − φ − Jᵀ λ = τ,      J v̇ = γ

I is the mass matrix of the spanning tree, v̇ are the joint accelerations, φ the sum of the applied forces and of the
inertia forces that are quadratic in the rates, λ the multipliers of the loop constraints with the Jacobian J, γ the
right-hand side of these constraints for accelerations, and τ the efforts. The argument `method` selects the formulation
by which these equations are solved.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from multiloop.analyses.analysis_cache import cached_assembly, cached_plan
from multiloop.analyses.contact_events import SetValuedForces, modes_at, share_forces
from multiloop.analyses.load_checks import require_covered_loads, require_spring_lengths
from multiloop.analyses.results import (
    Recorder,
    Result,
    guess_warnings,
    initial_state_values,
    over_limit_warnings,
    smooth_friction_warnings,
    stiction_limit_warnings,
    with_warnings,
)
from multiloop.analyses.run_models import (
    ForwardModel,
    RunModel,
    SingularityCheck,
    light_link_warnings,
    make_local_choice,
)
from multiloop.analyses.signals import Signals, joints_in_efforts
from multiloop.kinematics.assembly import StateValues, start_conditions
from multiloop.model import Mechanism, ResultWarning, public_function, single_design


@public_function
def forward(
    mechanism: Mechanism,
    state: StateValues | None = None,
    *,
    guess: Mapping[str, Any] | None = None,
    rates: Mapping[str, Any] | None = None,
    efforts: Mapping[str, Any] | None = None,
    parameters: Mapping[str, Any] | None = None,
    method: str = "sslm",
    cuts: Sequence[str] | None = None,
    t: float | None = None,
) -> Result:
    """Forward dynamics at a state: accelerations, joint reactions and the efforts of the drives.

    Drives stay prescribed and their efforts are computed; all other degrees of freedom accelerate under gravity and the
    given efforts. The Result has one instant. Drives and efforts are evaluated at the time t.

    `state`, at which the function is evaluated, is a mapping from joints to coordinates, a State or an Equilibrium;
    the time and the rates are those of the State, unless they are given. `parameters` gives other parameter values by
    name.
    """
    mechanism = single_design(mechanism, parameters)
    t, start, rates = start_conditions(mechanism, state, rates, t)
    require_covered_loads(mechanism, [t])
    assembly, found = cached_assembly(mechanism, start, guess, rates, t)
    plan = cached_plan(assembly, cuts, joints_in_efforts(mechanism, efforts))
    model = ForwardModel(plan, assembly, method, given=efforts or ())
    run = RunModel(model, Signals(model.equations, efforts))
    run.signals.require_covered(t, t)
    q, v = assembly.coordinates_on(model.equations), model.rates_of(found)
    choice = make_local_choice(model, q, t=t)
    require_spring_lengths(model.equations, t, q, v, model.p)
    x = np.array(list(initial_state_values(mechanism, state).values()))
    y = run.layout.pack(q=q, v=v, x=x)
    said: tuple[ResultWarning, ...] = ()
    undetermined = False
    if run.set_valued_count:
        chosen = modes_at(run, t, y, choice)
        y, said, undetermined = chosen.y, chosen.warnings, chosen.undetermined
    look = SingularityCheck(run)
    y, answer = look.refine(t, y, run.solve_at(t, y, choice), choice)
    recorder = Recorder(model.equations, model.plan, model.p)
    at = run.layout.blocks(y)
    reported = model.reported_forces(answer, t=t, **at)
    reactions = model.reactions(answer, t=t, **at) if undetermined else None
    shared = (
        None if reactions is None else share_forces(SetValuedForces(run), t, y, choice, answer, reactions)
    )
    if shared is not None:
        answer, reported = shared.answer, {"wrenches": shared.wrenches}
        said = (*said, *(replace(one, text=f"at t = {t:.6g} s {one}", time=t) for one in shared.warnings))
        recorder.shared[0] = shared.forces
    rows = answer.dependent_force_rows
    recorder.add(t, at["q"], at["v"], answer.a, answer.tau, at["x"], rows, **reported)
    said = (*said, *guess_warnings(assembly), *look.warnings(), *light_link_warnings(model, t))
    result = recorder.result(model.method_used, rule=model.effort_rule)
    said = (*said, *over_limit_warnings(result), *smooth_friction_warnings(result))
    return with_warnings(result, (*said, *stiction_limit_warnings(result)))
