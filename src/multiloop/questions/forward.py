"""The verb `forward`: what accelerations and reactions follow from given forces, at one instant?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from multiloop.model import Mechanism
from multiloop.model.asking import verb
from multiloop.plan import plan_at
from multiloop.questions.answers.recorder import Recorder
from multiloop.questions.answers.result import Result
from multiloop.questions.answers.state import State, begun
from multiloop.questions.assembling import assembled_with_rates
from multiloop.questions.load_refusals import require_covered_loads, require_distances
from multiloop.questions.running.collocation import require_collocated
from multiloop.questions.running.efforts import joints_in
from multiloop.questions.running.motion import Motions


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
    """Forward dynamics at a State, or at a start with rates as `assemble` takes them.

    Prescribed motions stay prescribed, their efforts are found; all other freedoms accelerate under gravity
    and the given efforts. The Result holds the one instant. It is at the time t, without one at that of the
    State, else at 0; drives and efforts are taken then.
    """
    require_collocated(mechanism, efforts or ())
    begin, start, rates = begun(mechanism, state, rates)
    t = begin if t is None else t
    require_covered_loads(mechanism, [t])
    assembly, found = assembled_with_rates(mechanism, start, guess, rates, t)
    motions = Motions(plan_at(assembly, cuts, joints_in(mechanism, efforts)), assembly, method, efforts)
    q, v = assembly.on(motions.equations), motions.rates_of(found)
    motions.prepare(q, t)
    require_distances(motions.equations, t, q, v, motions.p)
    answer = motions.answer(t, q, v)
    motions.require_met(t, q, v, answer)
    recorder = Recorder(motions.equations, motions.plan, motions.p)
    recorder.add(t, q, v, answer.a, answer.tau, motions.reactions(t, q, v, answer))
    return recorder.result(motions.used)
