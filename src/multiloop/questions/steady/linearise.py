"""The verb `linearise`: how does it answer small pushes about an equilibrium or a steady motion?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from multiloop.kinematics.equations import Equations
from multiloop.kinematics.independence import null_space
from multiloop.kinematics.readings import rates_on
from multiloop.model import Expression, Mechanism
from multiloop.model.asking import verb
from multiloop.questions.answers.state import State, begun, first_values
from multiloop.questions.body_feasibility import require_no_input
from multiloop.questions.load_refusals import require_covered_loads
from multiloop.questions.massless_spins import undecided
from multiloop.questions.parameters import one_design
from multiloop.questions.remembered import remembered_assembly, remembered_plan
from multiloop.questions.signals.efforts import joints_in
from multiloop.questions.steady.balance import Balance
from multiloop.questions.steady.coordinates import with_named_coordinates
from multiloop.questions.steady.equilibrium import equilibrium
from multiloop.questions.steady.equilibrium_answer import Equilibrium, state_at
from multiloop.questions.steady.linear_model import LinearModel, linear_model
from multiloop.questions.steady.observed import joints_observed, named_outputs
from multiloop.questions.steady.pencil import Pencil
from multiloop.questions.steady.standing import Place, Standing, scaled_rows
from multiloop.questions.steady.steadiness import require_balance, steady_pencil


@verb
def linearise(
    mechanism: Mechanism,
    state: State | Equilibrium | Mapping[str, Any] | None = None,
    *,
    inputs: Sequence[str] | None = None,
    outputs: Sequence[str | Expression] | Mapping[str, Expression] = (),
    guess: Mapping[str, Any] | None = None,
    rates: Mapping[str, Any] | None = None,
    efforts: Mapping[str, Any] | None = None,
    parameters: Mapping[str, Any] | None = None,
    held: bool = False,
    t: float | None = None,
    cuts: Sequence[str] | None = None,
) -> LinearModel:
    """The linear model about an equilibrium, or about a steady motion, that a State describes.

    `inputs` are efforts by joint name, or parameters of forces; `outputs` are joints, markers ("rod.b") or expressions,
    with names of their own where a mapping has them. The state is an Equilibrium, a State, or a start with `rates` as
    `forward` takes it. Coordinates that turn steadily are left out; where the model would vary as they do, it is
    refused. Without a state the equilibrium that the guess leads to is taken. Drives move as they are described, with
    `held` they stand still.
    """
    mechanism = one_design(mechanism, parameters)
    inputs, observed = list(inputs or ()), named_outputs(mechanism, () if outputs is None else outputs)
    require_no_input(mechanism, inputs)
    keep = joints_observed(inputs, observed, mechanism)
    asked: Any = {"guess": guess, "rates": rates, "t": t, "cuts": cuts}
    standing = standing_at(mechanism, state, efforts, held, keep, tuple(observed.values()), **asked)
    pencil = balanced_pencil(standing, preferred_rates(standing.balance.equations, keep))
    return linear_model(pencil, state_at(standing), inputs, tuple(observed))


def standing_at(
    mechanism: Mechanism,
    state: State | Equilibrium | Mapping[str, Any] | None,
    efforts: Mapping[str, Any] | None,
    held: bool,
    keep: Sequence[str],
    observed: tuple[Any, ...] = (),
    *,
    guess: Mapping[str, Any] | None,
    rates: Mapping[str, Any] | None,
    t: float | None,
    cuts: Sequence[str] | None,
) -> Standing:
    """The mechanism in a state that is given, its rates as they are; in its equilibrium where none is given."""
    if state is None and rates is None:
        state = equilibrium(mechanism, guess=guess, efforts=efforts, held=held, t=t or 0.0, cuts=cuts)
    known = state.state if isinstance(state, Equilibrium) else state
    begin, start, rates = begun(mechanism, known, rates)
    t = begin if t is None else t
    require_covered_loads(mechanism, [t])
    assembly, moving = remembered_assembly(mechanism, start, guess, rates, t, held)
    plan = remembered_plan(assembly, cuts, [*joints_in(mechanism, efforts), *keep])
    balance = Balance(plan, dict(efforts or {}), held, observed)
    balance.signals.require_covered(t, t)
    eq = balance.equations
    x = np.array(list(first_values(mechanism, known).values()))
    place = Place(float(t), assembly.on(eq), x, assembly.p)
    v = rates_on(eq, moving) / eq.chart.scale
    J = scaled_rows(balance, balance.rows(t=place.t, q=place.q, x=place.x, p=place.p))
    B = null_space(J).T
    return Standing(balance, place, B, B @ v)


def preferred_rates(equations: Equations, joints: Sequence[str]) -> list[int]:
    """Places of the rates of joints that a question is about."""
    places = [equations.skeleton.coordinates.get(joint) for joint in joints]
    return [k for own in places if own is not None for k in range(own.v.start, own.v.stop)]


def balanced_pencil(standing: Standing, preferred: Sequence[int] = ()) -> Pencil:
    """Small motions about a state that must be an equilibrium or a steady motion, and decided by masses."""
    balance = standing.balance
    if not balance.decided:
        raise undecided(balance.mechanism, balance.massless)
    require_balance(standing, "it")
    return steady_pencil(with_named_coordinates(standing, preferred), timed=True)
