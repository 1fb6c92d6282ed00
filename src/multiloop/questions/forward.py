"""The function `forward`: accelerations and reactions under given forces, at one instant.

    I v̇ − φ − Jᵀ λ = τ,      J v̇ = γ

The formulation that solves these equations is chosen by `method`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from multiloop.model import Mechanism
from multiloop.model.asking import verb
from multiloop.questions.answers.creeping import creeping_at_rest
from multiloop.questions.answers.doubts import guess_far_off, with_doubts
from multiloop.questions.answers.holding_doubts import beyond_limits
from multiloop.questions.answers.recorder import Recorder
from multiloop.questions.answers.result import Result
from multiloop.questions.answers.state import State, begun, first_values
from multiloop.questions.load_refusals import require_covered_loads, require_distances
from multiloop.questions.remembered import remembered_assembly, remembered_plan
from multiloop.questions.running.choice import choose
from multiloop.questions.running.closer_look import CloserLook
from multiloop.questions.running.forward_model import ForwardModel
from multiloop.questions.running.light_links import digits_lost
from multiloop.questions.running.run_model import RunModel
from multiloop.questions.running.switching.grips import Grips
from multiloop.questions.running.switching.modes import modes_at
from multiloop.questions.running.switching.shared_loads import share
from multiloop.questions.signals.efforts import joints_in
from multiloop.questions.signals.signals import Signals


@verb
def forward(
    mechanism: Mechanism,
    state: State | Mapping[str, Any] | None = None,
    *,
    guess: Mapping[str, Any] | None = None,
    rates: Mapping[str, Any] | None = None,
    efforts: Mapping[str, Any] | None = None,
    method: str = "sslm",
    cuts: Sequence[str] | None = None,
    t: float | None = None,
) -> Result:
    """Forward dynamics at a State, or at a start with rates as in `assemble`.

    Drives stay prescribed and their efforts are computed; all other degrees of freedom accelerate under gravity and the
    given efforts. The Result has this one instant. Drives and efforts are evaluated at the time t; without it at that
    of the State, else at 0.
    """
    begin, start, rates = begun(mechanism, state, rates)
    t = begin if t is None else t
    require_covered_loads(mechanism, [t])
    assembly, found = remembered_assembly(mechanism, start, guess, rates, t)
    plan = remembered_plan(assembly, cuts, joints_in(mechanism, efforts))
    model = ForwardModel(plan, assembly, method, given=efforts or ())
    run = RunModel(model, Signals(model.equations, efforts))
    run.signals.require_covered(t, t)
    q, v = assembly.on(model.equations), model.rates_of(found)
    choice = choose(model, q, t=t)
    require_distances(model.equations, t, q, v, model.p)
    x = np.array(list(first_values(mechanism, state).values()))
    y = run.layout.pack(q=q, v=v, x=x)
    said: tuple[str, ...] = ()
    undetermined = False
    if run.grips:
        chosen = modes_at(run, t, y, choice)
        y, said, undetermined = chosen.y, chosen.said, chosen.undetermined
    look = CloserLook(run)
    y, answer = look.told(t, y, run.answer_at(t, y, choice), choice)
    recorder = Recorder(model.equations, model.plan, model.p)
    state = run.layout.blocks(y)
    reactions = model.reactions(answer, t=t, **state)
    shared = share(Grips(run), t, y, choice, answer, reactions) if undetermined else None
    if shared is not None:
        answer, reactions = shared.answer, shared.wrenches
        said = (*said, *(f"at t = {t:.6g} s {what}" for what in shared.said))
        recorder.shared[0] = shared.forces
    recorder.add(t, state["q"], state["v"], answer.a, answer.tau, reactions, state["x"], answer.following)
    said = (*said, *guess_far_off(assembly), *look.said(), *digits_lost(model, t))
    result = recorder.result(model.used, rule=model.rule)
    return with_doubts(result, (*said, *creeping_at_rest(result), *beyond_limits(result)))
