"""The functions `assemble` and `branches`: positions and rates that satisfy all constraints, and all assembly modes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from multiloop.kinematics.assembly import NEAR, Assembly, closures
from multiloop.kinematics.independence import independent_blocks
from multiloop.kinematics.prescribed import drive_rates
from multiloop.kinematics.rates import consistent_rates, rate_rows, scaled_rows
from multiloop.kinematics.readings import body_poses, joint_motion
from multiloop.kinematics.requests import Request, rate_requests
from multiloop.kinematics.targets import Target
from multiloop.model import AssemblyError, Fault, Mechanism, Relation
from multiloop.model.addresses import joint_with_coordinates
from multiloop.model.asking import verb
from multiloop.model.names import counted
from multiloop.model.own_states import start_values
from multiloop.questions.ambiguity import ambiguous, plain_tuples
from multiloop.questions.answers.state import State
from multiloop.questions.idle_spins import idle_spins, left_open, without_spins

MISSED = 1e-9
"""Relative residual up to which requested rates count as met."""


@verb
def assemble(
    mechanism: Mechanism,
    start: Mapping[str, Any] | None = None,
    *,
    guess: Mapping[str, Any] | None = None,
    rates: Mapping[str, Any] | None = None,
    t: float = 0.0,
) -> State:
    """Assemble the mechanism: find positions that close all loops, and consistent rates.

    `start` prescribes values of joints, markers or bodies, in addition to the drives at time `t`. `guess` selects among
    several assembly modes; a guess that places every body selects one by itself. `rates` are those of degrees of
    freedom that are not driven (zero where not given). Errors are raised for a start that prescribes too much or too
    little, for several assembly modes without a guess that selects one, and for inconsistent rates.
    """
    assembly = chosen_closure(mechanism, start, guess, t)
    _require_all_held(mechanism, assembly)
    return state_of(assembly, _rates(mechanism, assembly, rates or {}, t), t)


def assembled_with_rates(
    mechanism: Mechanism,
    start: Mapping[str, Any] | None,
    guess: Mapping[str, Any] | None,
    rates: Mapping[str, Any] | None,
    t: float,
    held: bool = False,
) -> tuple[Assembly, dict[str, np.ndarray]]:
    """The assembly and the rates of all joints by name, for other analyses; with `held` the drives are at rest."""
    assembly = chosen_closure(mechanism, start, guess, t)
    _require_all_held(mechanism, assembly)
    v = _rates(mechanism, assembly, rates or {}, t, held)
    found, _ = joint_motion(assembly.equations, assembly.q, v, np.zeros_like(v), assembly.p)
    return assembly, found


@verb
def branches(
    mechanism: Mechanism, start: Mapping[str, Any] | None = None, *, t: float = 0.0
) -> tuple[State, ...]:
    """All assembly modes with the drives at time `t` and the held values of `start`, one State each.

    Only modes in which no degree of freedom is left undetermined, apart from idle spins, are returned.
    """
    found = closures(mechanism, start=start, guess={}, t=t, every=True)
    alone = standing_alone(found)
    if not alone:
        _require_all_held(mechanism, found[0])
    return tuple(state_of(assembly, np.zeros(assembly.equations.skeleton.rates), t) for assembly in alone)


def chosen_closure(
    mechanism: Mechanism, start: Mapping[str, Any] | None, guess: Mapping[str, Any] | None, t: float
) -> Assembly:
    """The assembly mode that start and guess select; an error is raised if several remain."""
    return chosen_among(closures(mechanism, start=start, guess=guess, t=t), start, t)


def chosen_among(found: Sequence[Assembly], start: Mapping[str, Any] | None, t: float) -> Assembly:
    """The assembly mode selected among those that were found, which are sorted by their distance from the guess.

    Of assembly modes that have all joints at the same positions, the one nearest to the zero pose is taken.
    """
    tied = [other for other in found if other.weighed <= found[0].weighed * (1 + 1e-6) + 1e-9]
    alone = _with_places_of_their_own(standing_alone(tied)) if len(tied) > 1 else tied
    if len(alone) > 1:
        raise ambiguous(found[0].mechanism, start, t, alone, found)
    return (alone or found)[0]


def _with_places_of_their_own(found: Sequence[Assembly]) -> list[Assembly]:
    """Assembly modes that differ in the positions of joints; each lists the joints in which equivalent ones differ.

    Planar mechanisms have no rotation about a joint's own line, so that all their assembly modes differ.
    """
    if not found or found[0].mechanism.planar:
        return list(found)
    kinds: list[list[Assembly]] = []
    for one in found:
        same = [k for k in kinds if np.abs(k[0].places - one.places).max(initial=0.0) < NEAR]
        if same:
            same[0].append(one)
        else:
            kinds.append([one])
    return [_nearest_to_zero_pose(kind) for kind in kinds]


def _nearest_to_zero_pose(alike: Sequence[Assembly]) -> Assembly:
    chosen = min(alike, key=lambda one: one.from_zero_pose)
    own, planar = chosen.coordinates(), chosen.mechanism.planar
    differing = {name for one in alike if one is not chosen for name in chosen.differing(one)}
    turned = [
        name
        for name, joint in chosen.mechanism.joints_by_name.items()
        if joint.freedoms(planar) == len(own[name]) and name in differing
    ]
    return replace(chosen, half_turned=tuple(turned)) if turned else chosen


def driven_state(assembly: Assembly, t: float) -> State:
    """The State with the rates of the drives; at rest if there are no drives, or if their rates are inconsistent."""
    try:
        v = _rates(assembly.mechanism, assembly, {}, t)
    except AssemblyError:
        v = np.zeros(assembly.equations.skeleton.rates)
    return state_of(assembly, v, t)


def state_of(assembly: Assembly, v: np.ndarray, t: float) -> State:
    """A State from coordinates and rates of the assembly's tree."""
    rates, _ = joint_motion(assembly.equations, assembly.q, v, np.zeros_like(v), assembly.p)
    return State(
        mechanism=assembly.mechanism,
        time=t,
        positions=plain_tuples(assembly.coordinates()),
        rates=plain_tuples(rates),
        poses=body_poses(assembly.equations, assembly.q, assembly.p),
        gap=assembly.gap,
        integrals=start_values(assembly.mechanism, assembly.mechanism.parameters),
        distance=assembly.distance,
        farthest=assembly.farthest,
        missed=assembly.missed,
        half_turned=assembly.half_turned,
    )


def standing_alone(found: Sequence[Assembly]) -> list[Assembly]:
    """Assembly modes in which no degree of freedom is undetermined apart from idle spins.

    A folded linkage may have more.
    """
    least = min(assembly.freedoms for assembly in found)
    alone = [assembly for assembly in found if assembly.freedoms == least]
    return alone if least == 0 or not left_open(alone[0]).count else []


def _require_all_held(mechanism: Mechanism, assembly: Assembly) -> None:
    """Refuse a start that leaves a degree of freedom undetermined which is not an idle spin."""
    if not assembly.freedoms:
        return
    open_ways = left_open(assembly)
    left, movable = open_ways.count, open_ways.joints()
    if not left:
        return
    known = mechanism.joints_by_name
    named = [joint_with_coordinates(known[one], mechanism.planar) if one in known else one for one in movable]
    fault = Fault(
        "K03",
        "start",
        f"{counted(left, 'freedom')} {'is' if left == 1 else 'are'} left open.",
        f"Hold {left} more of: {', '.join(named)}.",
    )
    raise AssemblyError(f"mechanism '{mechanism.name}'", [fault], best=plain_tuples(assembly.coordinates()))


def _rates(
    mechanism: Mechanism, assembly: Assembly, rates: Mapping[str, Any], t: float, held: bool = False
) -> np.ndarray:
    """Rates that satisfy loops, drives and requested rates; degrees of freedom without a request are at rest.

    An idle spin without a requested rate does not turn about its line, as in `inverse`. With `held` the drives are at
    rest.
    """
    driven = drive_rates(mechanism, t)
    if held:
        driven = tuple(replace(request, values=(0.0,) * len(request.values)) for request in driven)
    requests = [*driven, *rate_requests(mechanism, rates)]
    given = len(requests)
    requests += _standing_still(assembly, [request.target for request in requests])
    asked = np.array([value for request in requests for value in request.values])
    v, miss = consistent_rates(
        assembly.equations, assembly.q, assembly.s, assembly.p, [r.target for r in requests], asked
    )
    if miss > MISSED:
        raise AssemblyError(
            f"mechanism '{mechanism.name}'", [_rate_fault(assembly, bool(rates), miss)], gap=miss
        )
    idle = idle_spins(assembly)
    if not idle:
        return v
    eq, spoken = assembly.equations, [request.target for request in requests[:given]]
    rows = rate_rows(eq, assembly.q, assembly.p, spoken).toarray()
    return without_spins(eq, assembly.q, assembly.p, v, idle, rows)


def _rate_fault(assembly: Assembly, asked: bool, miss: float) -> Fault:
    """The fault of contradicting rates: of the constraints, of the drives, or of the requested rates."""
    mechanism, nothing = assembly.mechanism, np.zeros(0)
    _, own = consistent_rates(assembly.equations, assembly.q, assembly.s, assembly.p, [], nothing)
    if own > MISSED:
        what = f"the rates that they ask for contradict each other: a part {own:.3g} of them stays over."
        named = ", ".join(f"'{pair.name}'" for pair in mechanism.pairs if isinstance(pair, Relation))
        return Fault("K09", "constraints", what, f"Look for relations that contradict each other: {named}.")
    over = f"contradict the loops: a part {miss:.3g} of them stays over."
    if asked:
        remedy = "Give rates of as many joints as there are freedoms, and leave the dependent ones out."
        return Fault("K05", "rates", f"they {over}", remedy)
    moving = ", ".join(dict.fromkeys(motion.of for motion in mechanism.drives))
    return Fault("K09", "drives", f"the rates of {moving} {over}", "Drive no more than the freedoms.")


def _standing_still(assembly: Assembly, spoken: list[Target]) -> list[Request]:
    """Requests for held coordinates at rest, as far as loops and the rates of the targets `spoken` leave them
    independent.
    """
    equations, q, s, p = assembly.equations, assembly.q, assembly.s, assembly.p
    standing = [still for request in assembly.held for still in _at_rest(request.target)]
    count = equations.own.count + sum(target.rows() for target in spoken)
    rows, _ = scaled_rows(equations, q, s, p, [*spoken, *(request.target for request in standing)])
    ends = np.cumsum([count, *(len(request.values) for request in standing)])
    blocks = [rows[begin:end] for begin, end in pairwise(ends)]
    return [standing[k] for k in independent_blocks(rows[:count], blocks)]


def _at_rest(target: Target) -> list[Request]:
    """Requests for zero rates of a target's coordinates, one by one; an orientation is one request."""
    found = [Request(Target(target.of, (c,)), (0.0,)) for c in target.components if c != "turn"]
    if "turn" in target.components:
        found.append(Request(Target(target.of, ("turn_x", "turn_y", "turn_z")), (0.0,) * 3))
    return found
