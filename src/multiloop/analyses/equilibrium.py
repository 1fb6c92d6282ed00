"""The function `equilibrium`: static equilibrium or steady motion of a mechanism, its joint reactions and its
stability."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, overload

import numpy as np

from multiloop.analyses.analysis_cache import cached_assembly, cached_assembly_mode, cached_plan
from multiloop.analyses.load_checks import require_covered_loads
from multiloop.analyses.results import initial_state_values
from multiloop.analyses.signals import joints_in_efforts
from multiloop.analyses.steady_states import (
    Branch,
    Configuration,
    Equilibrium,
    ForceBalance,
    SteadyState,
    continuation_range,
    equilibrium_of,
    follow_branch,
    initial_configuration,
    scaled_rows,
    solve_equilibrium,
)
from multiloop.kinematics import tree_rates
from multiloop.kinematics.assembly import StateValues, rate_requests, start_conditions
from multiloop.kinematics.conditioning import null_space
from multiloop.model import Mechanism, public_function, single_design


@overload
def equilibrium(mechanism: Mechanism, *, along: Mapping[str, Sequence[float]], **asked: Any) -> Branch: ...


@overload
def equilibrium(mechanism: Mechanism, *, along: None = ..., **asked: Any) -> Equilibrium: ...


@public_function  # type: ignore[misc]  # the overloads name the argument that decides on the type of the result
def equilibrium(
    mechanism: Mechanism,
    *,
    guess: Mapping[str, Any] | None = None,
    start: StateValues | None = None,
    rates: Mapping[str, Any] | None = None,
    efforts: Mapping[str, Any] | None = None,
    parameters: Mapping[str, Any] | None = None,
    held: bool = False,
    t: float | None = None,
    cuts: Sequence[str] | None = None,
    along: Mapping[str, Sequence[float]] | None = None,
) -> Equilibrium | Branch:
    """Position in which all forces are in equilibrium, computed from the position that `start` or `guess` describes.

    Drives have their positions at time t. If they move, they must rotate the mechanism steadily, like the spindle of a
    governor, and all other coordinates are at rest; with `held` the drives are fixed. `rates` gives rates of degrees of
    freedom that move steadily without a drive. Loads, `efforts` and drives are evaluated at time t.

    `start`, where the search begins, is a mapping from joints to coordinates, a State or an Equilibrium; the time is
    that of the State, unless it is given. `parameters` gives other parameter values by name.

    `along={"P": (0, 500)}` follows the equilibrium at P = 0 as the parameter changes, past fold points, until it leaves
    the range, and returns a Branch.
    """
    name, begin, end = continuation_range(mechanism, along) if along is not None else ("", 0.0, 0.0)
    parameters = {**(parameters or {}), name: begin} if name else parameters
    mechanism = single_design(mechanism, parameters, "Give numbers, or vary one of them with along={...}.")
    t, near, _ = start_conditions(mechanism, start, t=t)
    require_covered_loads(mechanism, [t])
    assembly = cached_assembly_mode(mechanism, near, guess, t)
    plan = cached_plan(assembly, cuts, joints_in_efforts(mechanism, efforts))
    balance = ForceBalance(plan, dict(efforts or {}), held)
    balance.signals.require_covered(t, t)
    requests = rate_requests(mechanism, rates or {})
    found = solve_equilibrium(balance, initial_configuration(balance, t), requests)
    first = equilibrium_of(found)
    return follow_branch(found, first, requests, name, begin, end) if name else first


def given_steady_state(
    mechanism: Mechanism,
    state: StateValues | None,
    efforts: Mapping[str, Any] | None,
    held: bool,
    keep: Sequence[str],
    observed: tuple[Any, ...] = (),
    *,
    guess: Mapping[str, Any] | None,
    rates: Mapping[str, Any] | None,
    t: float | None,
    cuts: Sequence[str] | None,
) -> SteadyState:
    """The steady state with the positions and rates of `state`; without `state` and `rates`, the computed
    equilibrium.

    With `held` the drives are fixed. `keep` names joints that must belong to the spanning tree, `observed` are
    additional expressions to be evaluated, such as outputs of a linear model.
    """
    if state is None and rates is None:
        state = equilibrium(mechanism, guess=guess, efforts=efforts, held=held, t=t, cuts=cuts)
    t, start, rates = start_conditions(mechanism, state, rates, t)
    require_covered_loads(mechanism, [t])
    assembly, moving = cached_assembly(mechanism, start, guess, rates, t, held)
    plan = cached_plan(assembly, cuts, [*joints_in_efforts(mechanism, efforts), *keep])
    balance = ForceBalance(plan, dict(efforts or {}), held, observed)
    balance.signals.require_covered(t, t)
    eq = balance.equations
    x = np.array(list(initial_state_values(mechanism, state).values()))
    place = Configuration(float(t), assembly.coordinates_on(eq), x, assembly.p)
    v = tree_rates(eq, moving) / eq.chart.rate_units
    J = scaled_rows(balance, balance.rows(t=place.t, q=place.q, x=place.x, p=place.p))
    B = null_space(J).T
    return SteadyState(balance, place, B, B @ v)
