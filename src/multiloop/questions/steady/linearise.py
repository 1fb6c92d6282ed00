"""`linearise`: linear state-space model of a mechanism about an equilibrium or a steady motion."""

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
    """Linear model about an equilibrium or a steady motion.

    `inputs` are efforts by joint name, or parameters of forces; `outputs` are joints, markers ("rod.b") or expressions,
    named by the keys of a mapping. `state` is an Equilibrium, a State, or a start with `rates` as in `forward`; by
    default it is the equilibrium computed from `guess`. Coordinates that rotate steadily are omitted; an error is
    raised if the model depends on them. Drives move as described, or are fixed with `held`.
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
    """The mechanism in a given state with its rates, or else in its equilibrium."""
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
    """Indices of the rates of joints that are inputs or outputs."""
    places = [equations.skeleton.coordinates.get(joint) for joint in joints]
    return [k for own in places if own is not None for k in range(own.v.start, own.v.stop)]


def balanced_pencil(standing: Standing, preferred: Sequence[int] = ()) -> Pencil:
    """Linearised equations about a state; raises an error if it is not steady, or if masses do not determine it."""
    balance = standing.balance
    if not balance.decided:
        raise undecided(balance.mechanism, balance.massless)
    require_balance(standing, "it")
    return steady_pencil(with_named_coordinates(standing, preferred), timed=True)
