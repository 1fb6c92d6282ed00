"""The functions `assemble` and `branches`: consistent positions and rates of a mechanism, and all its assembly modes.

The positions q satisfy the loop-closure equations Φ(q, t) = 0 and have the values that the drives and `start`
prescribe. The joint rates v satisfy J v = b, with the Jacobian J of Φ and b = −∂Φ/∂t, and have the values that the
drives and the argument `rates` prescribe.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from multiloop.analyses.assembly_modes import choose_assembly_mode, isolated_assembly_modes, plain_tuples
from multiloop.analyses.idle_spins import idle_spins, undetermined_motions, without_spins
from multiloop.analyses.results import State
from multiloop.kinematics import body_poses, joint_motion
from multiloop.kinematics.assembly import (
    Assembly,
    Request,
    StateValues,
    drive_rates,
    find_assembly_modes,
    rate_requests,
    start_conditions,
)
from multiloop.kinematics.conditioning import consistent_rates, independent_blocks, rate_rows, scaled_rows
from multiloop.kinematics.constraints import Target
from multiloop.model import (
    AssemblyError,
    Fault,
    Mechanism,
    Relation,
    count_text,
    initial_states,
    public_function,
    single_design,
)
from multiloop.model.named_coordinates import joint_with_coordinates

RATE_RESIDUAL = 1e-9
"""Largest residual of the rate equations, as a fraction of their largest right-hand side, at which requested rates
count as satisfied; a larger residual raises an error."""


@public_function
def assemble(
    mechanism: Mechanism,
    start: StateValues | None = None,
    *,
    guess: Mapping[str, Any] | None = None,
    rates: Mapping[str, Any] | None = None,
    parameters: Mapping[str, Any] | None = None,
    t: float | None = None,
) -> State:
    """Assemble the mechanism: find positions that close all loops, and consistent rates.

    `start` prescribes values of joints, markers or bodies, in addition to the drives at time `t`. `guess` selects among
    several assembly modes; a guess that places every body selects one by itself. `rates` gives rates of degrees of
    freedom that are not driven; a rate that is not given is zero. Errors are raised for a start that prescribes too
    many or too few coordinates, for several assembly modes without a guess that selects one, and for inconsistent
    rates.

    The guess of the mechanism describes its position at t = 0. At another time, without a `start` or a `guess`, the
    drives are followed from t = 0; if that is impossible, the assembly mode nearest to the guess is chosen.

    `start` is a mapping from joints to coordinates, a State or an Equilibrium; the time and the rates are those of the
    State, unless they are given. `parameters` gives other parameter values by name.
    """
    mechanism = single_design(mechanism, parameters)
    t, held, rates = start_conditions(mechanism, start, rates, t)
    assembly = choose_assembly_mode(mechanism, held, guess, t)
    _require_determined_position(mechanism, assembly)
    return state_of(assembly, _assembled_rates(mechanism, assembly, rates or {}, t), t)


def assemble_with_rates(
    mechanism: Mechanism,
    start: Mapping[str, Any] | None,
    guess: Mapping[str, Any] | None,
    rates: Mapping[str, Any] | None,
    t: float,
    held: bool = False,
) -> tuple[Assembly, dict[str, np.ndarray]]:
    """The Assembly (the position) and the rates of all joints by name; with `held` the rates of the drives are zero."""
    assembly = choose_assembly_mode(mechanism, start, guess, t)
    _require_determined_position(mechanism, assembly)
    v = _assembled_rates(mechanism, assembly, rates or {}, t, held)
    found, _ = joint_motion(assembly.equations, assembly.q, v, np.zeros_like(v), assembly.p)
    return assembly, found


@public_function
def branches(
    mechanism: Mechanism,
    start: StateValues | None = None,
    *,
    parameters: Mapping[str, Any] | None = None,
    t: float | None = None,
) -> tuple[State, ...]:
    """All assembly modes for the drives at time `t` and the joint values prescribed by `start`, one State each.

    Only modes in which no degree of freedom is left undetermined, apart from idle spins, are returned.

    `start` is a mapping from joints to coordinates, a State or an Equilibrium; the time is that of the State, unless it
    is given. `parameters` gives other parameter values by name.
    """
    mechanism = single_design(mechanism, parameters)
    t, held, _ = start_conditions(mechanism, start, t=t)
    found = find_assembly_modes(mechanism, start=held, guess={}, t=t, every=True)
    alone = isolated_assembly_modes(found)
    if not alone:
        _require_determined_position(mechanism, found[0])
    return tuple(state_of(assembly, np.zeros(assembly.equations.skeleton.rates), t) for assembly in alone)


def driven_state(assembly: Assembly, t: float) -> State:
    """The State with the position of an assembly and with the joint rates that follow from its drives.

    The rates are zero if there are no drives, or if the rates of the drives are inconsistent.
    """
    try:
        v = _assembled_rates(assembly.mechanism, assembly, {}, t)
    except AssemblyError:
        v = np.zeros(assembly.equations.skeleton.rates)
    return state_of(assembly, v, t)


def state_of(assembly: Assembly, v: np.ndarray, t: float) -> State:
    """The State with the coordinates of an assembly and the rates v of the joints of its spanning tree."""
    rates, _ = joint_motion(assembly.equations, assembly.q, v, np.zeros_like(v), assembly.p)
    return State(
        mechanism=assembly.mechanism,
        time=t,
        positions=plain_tuples(assembly.coordinates()),
        rates=plain_tuples(rates),
        poses=body_poses(assembly.equations, assembly.q, assembly.p),
        gap=assembly.gap,
        integrals=initial_states(assembly.mechanism, assembly.mechanism.parameters),
        distance=assembly.distance,
        farthest=assembly.farthest,
        missed=assembly.guess_deviations,
        half_turned=assembly.half_turned,
    )


def _require_determined_position(mechanism: Mechanism, assembly: Assembly) -> None:
    """Raise an error if drives and prescribed values leave a degree of freedom undetermined, other than an idle
    spin."""
    if not assembly.degrees_of_freedom:
        return
    open_ways = undetermined_motions(assembly)
    left, movable = open_ways.count, open_ways.joints()
    if not left:
        return
    known = mechanism.joints_by_name
    named = [joint_with_coordinates(known[one], mechanism.planar) if one in known else one for one in movable]
    fault = Fault(
        "K03",
        "start",
        f"start values and drives leave {count_text(left, 'degree of freedom', 'degrees of freedom')} undetermined.",
        f"Prescribe {count_text(left, 'further coordinate')} of these joints, by a start value or a drive: "
        f"{', '.join(named)}.",
    )
    raise AssemblyError(f"mechanism '{mechanism.name}'", [fault], best=plain_tuples(assembly.coordinates()))


def _assembled_rates(
    mechanism: Mechanism, assembly: Assembly, rates: Mapping[str, Any], t: float, held: bool = False
) -> np.ndarray:
    """Joint rates v that satisfy the loop constraints, the drives and the requested `rates`; all other degrees of
    freedom are at rest.

    If the rate of an idle spin (the free rotation of a body about the line through its joints) is not requested, the
    angular velocity ω of the body has no component along the unit vector e of this line, e · ω = 0, as in `inverse`.
    With `held` the rates of the drives are zero.
    """
    driven = drive_rates(mechanism, t)
    if held:
        driven = tuple(replace(request, values=(0.0,) * len(request.values)) for request in driven)
    requests = [*driven, *rate_requests(mechanism, rates)]
    given = len(requests)
    requests += _coordinates_at_rest(assembly, [request.target for request in requests])
    asked = np.array([value for request in requests for value in request.values])
    v, miss = consistent_rates(
        assembly.equations, assembly.q, assembly.s, assembly.p, [r.target for r in requests], asked
    )
    if miss > RATE_RESIDUAL:
        raise AssemblyError(
            f"mechanism '{mechanism.name}'", [_rate_fault(assembly, bool(rates), miss)], gap=miss
        )
    idle = idle_spins(assembly)
    if not idle:
        return v
    eq, requested = assembly.equations, [request.target for request in requests[:given]]
    rows = rate_rows(eq, assembly.q, assembly.p, requested).toarray()
    return without_spins(eq, assembly.q, assembly.p, v, idle, rows)


def _rate_fault(assembly: Assembly, has_requests: bool, residual: float) -> Fault:
    """The fault for contradictory rates.

    The fault names the constraints if these contradict each other by themselves, otherwise the requested rates if there
    are any (`has_requests`), otherwise the drives. `residual` is the residual of the requests, as a fraction of the
    largest requested rate.
    """
    mechanism, nothing = assembly.mechanism, np.zeros(0)
    _, own = consistent_rates(assembly.equations, assembly.q, assembly.s, assembly.p, [], nothing)
    if own > RATE_RESIDUAL:
        what = f"the rates that they prescribe contradict each other (relative residual {own:.3g})."
        named = ", ".join(f"'{pair.name}'" for pair in mechanism.pairs if isinstance(pair, Relation))
        return Fault(
            "K09", "constraints", what, f"Correct the relations that contradict each other: {named}."
        )
    over = f"contradict the loop closure (relative residual {residual:.3g})."
    if has_requests:
        remedy = "Give rates of as many joints as there are degrees of freedom, and omit the dependent ones."
        return Fault("K05", "rates", f"they {over}", remedy)
    moving = ", ".join(dict.fromkeys(motion.of for motion in mechanism.drives))
    return Fault(
        "K09",
        "drives",
        f"the rates of {moving} {over}",
        "Drive no more coordinates than there are degrees of freedom.",
    )


def _coordinates_at_rest(assembly: Assembly, requested: list[Target]) -> list[Request]:
    """Requests of zero rates for the prescribed coordinates whose rates do not follow from the loop constraints and
    from the rates of the targets `requested`."""
    equations, q, s, p = assembly.equations, assembly.q, assembly.s, assembly.p
    at_rest = [still for request in assembly.held for still in _zero_rate_requests(request.target)]
    count = equations.loop_constraints.count + sum(target.row_count() for target in requested)
    rows, _ = scaled_rows(equations, q, s, p, [*requested, *(request.target for request in at_rest)])
    ends = np.cumsum([count, *(len(request.values) for request in at_rest)])
    blocks = [rows[begin:end] for begin, end in pairwise(ends)]
    return [at_rest[k] for k in independent_blocks(rows[:count], blocks)]


def _zero_rate_requests(target: Target) -> list[Request]:
    """One request of a zero rate for every coordinate of a target; an orientation is a single request of three
    rates."""
    found = [Request(Target(target.of, (c,)), (0.0,)) for c in target.components if c != "turn"]
    if "turn" in target.components:
        found.append(Request(Target(target.of, ("turn_x", "turn_y", "turn_z")), (0.0,) * 3))
    return found
