"""The verb `assemble`: the mechanism put together at a start, with consistent rates; and `branches`, every way to do it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from multiloop.kinematics.assembly import Assembly, closures, drive_values
from multiloop.kinematics.equations import equations_of
from multiloop.kinematics.rates import linearised
from multiloop.kinematics.requests import Request, rate_requests
from multiloop.kinematics.targets import Target
from multiloop.model import AssemblyError, Fault, Mechanism
from multiloop.plan import Plan, analyse
from multiloop.questions.places import body_poses
from multiloop.questions.state import State

CONSISTENT = 1e-9
"""Rates may miss the constraints by this part of their size."""


def assemble(
    mechanism: Mechanism,
    start: Mapping[str, Any] | None = None,
    *,
    guess: Mapping[str, Any] | None = None,
    rates: Mapping[str, Any] | None = None,
    t: float = 0.0,
) -> State:
    """Put the mechanism together.

    `start` holds joints, markers or bodies at values, together with the drives at time t; `guess` chooses
    among several closures; `rates` are those of the freedoms that are not driven (zero where not given).
    Too much or too little held, several closures, and inconsistent rates are errors that say which.
    """
    assembly = chosen_closure(mechanism, start, guess, t)
    _all_freedoms_held(mechanism, assembly)
    v = _consistent_rates(mechanism, assembly, rates or {}, t)
    return state_of(assembly, v, t)


def branches(
    mechanism: Mechanism, start: Mapping[str, Any] | None = None, *, t: float = 0.0
) -> tuple[State, ...]:
    """Every closure found with the drives at time t and the held start: one State each."""
    found = closures(mechanism, start=start, guess={}, t=t, every=True)
    return tuple(state_of(assembly, np.zeros(assembly.equations.skeleton.rates), t) for assembly in found)


def chosen_closure(
    mechanism: Mechanism, start: Mapping[str, Any] | None, guess: Mapping[str, Any] | None, t: float
) -> Assembly:
    """The one closure that the start and the guess single out; several and nothing that chooses is an error."""
    found = closures(mechanism, start=start, guess=guess, t=t)
    chooses = bool(guess if guess is not None else mechanism.guess)
    if len(found) > 1 and (not chooses or found[1].distance < found[0].distance * (1 + 1e-6) + 1e-9):
        if linear_freedoms(found[0]) == 0:
            raise _ambiguous(mechanism, found)
    return found[0]


def linear_freedoms(assembly: Assembly) -> int:
    """Freedoms that the loops and what is held leave open at the assembled position."""
    return linearised(assembly.equations, assembly.q, assembly.s, assembly.p).freedoms


def state_of(assembly: Assembly, v: np.ndarray, t: float) -> State:
    """A State from coordinates of the assembly's tree."""
    equations = assembly.equations
    positions = assembly.coordinates()
    rates = joint_rates(assembly, v)
    return State(
        mechanism=assembly.mechanism,
        time=t,
        positions={name: tuple(map(float, q)) for name, q in positions.items()},
        rates=rates,
        poses=body_poses(equations, assembly.q, assembly.p),
        gap=assembly.gap,
    )


def joint_rates(assembly: Assembly, v: np.ndarray) -> dict[str, tuple[float, ...]]:
    """v of every joint, cut ones from the relative twist of their markers."""
    from multiloop.questions.cutjoints import all_joint_rates

    return {
        name: tuple(map(float, rate))
        for name, rate in all_joint_rates(assembly.equations, assembly.q, v, assembly.p).items()
    }


def _ambiguous(mechanism: Mechanism, found: list[Assembly]) -> AssemblyError:
    choices = [{name: tuple(map(float, q)) for name, q in a.coordinates().items()} for a in found]
    varying = [name for name in choices[0] if any(not np.allclose(c[name], choices[0][name], atol=1e-6) for c in choices)]
    lines = []
    for number, choice in enumerate(choices[:8], 1):
        values = ", ".join(f"{name} = {_shown(choice[name])}" for name in varying[:4])
        lines.append(f"({number}) {values}")
    more = f" and {len(choices) - 8} more" if len(choices) > 8 else ""
    example = {varying[0]: tuple(round(x, 3) for x in choices[0][varying[0]])} if varying else {}
    fault = Fault(
        "K02",
        "assembly",
        f"{len(choices)} closures meet what is held: " + "; ".join(lines) + more + ".",
        f"Choose one with a guess, e.g. guess={_example(example)}.",
    )
    return AssemblyError(f"mechanism '{mechanism.name}'", [fault], choices=choices)


def _all_freedoms_held(mechanism: Mechanism, assembly: Assembly) -> None:
    linear = linearised(assembly.equations, assembly.q, assembly.s, assembly.p)
    if linear.freedoms == 0:
        return
    plan: Plan = analyse(mechanism, start=assembly.coordinates())
    left = linear.freedoms - len(plan.idle)
    if left <= 0:
        return
    ways = np.abs(linear.open_directions()).max(axis=1)
    movable = [
        link.joint.name
        for link in assembly.equations.skeleton.links
        if ways[link.v].max(initial=0.0) > 1e-6 * ways.max(initial=1.0)
    ]
    fault = Fault(
        "K03",
        "start",
        f"{left} freedom{'s are' if left > 1 else ' is'} left open.",
        f"Hold {left} of: {', '.join(movable)}.",
    )
    raise AssemblyError(f"mechanism '{mechanism.name}'", [fault], best=_named(assembly))


def _consistent_rates(
    mechanism: Mechanism, assembly: Assembly, rates: Mapping[str, Any], t: float
) -> np.ndarray:
    """Rates that meet the loops, the drives and what is asked; held joints that are not asked stand still."""
    driven = {motion.of for motion in mechanism.drives}
    asked = rate_requests(mechanism, rates)
    tree = assembly.equations.skeleton.tree
    in_tree = {branch.joint for branch in tree.branches}
    requests = [*drive_values(mechanism, t, 1), *(r for r in asked if r.target.on_marker or r.target.of in in_tree)]
    named = {request.target.of for request in requests}
    for request in assembly.held:
        if request.target.of not in named and request.target.of not in driven and not asked:
            requests.append(Request(request.target, (0.0,) * request.target.rows()))
    equations = equations_of(mechanism, tree, tuple(_positional(r.target) for r in requests))
    s = np.zeros(sum(r.target.values() for r in map(_as_positional, requests)))
    linear = linearised(equations, assembly.q, _filled(equations, assembly, s), assembly.p)
    right = np.concatenate([np.zeros(equations.skeleton.rows), [x for r in requests for x in r.values]])
    v = linear.solve(right)
    misses = np.abs(linear.miss(v, right, assembly.q, _filled(equations, assembly, s), assembly.p))
    if misses.max(initial=0.0) > CONSISTENT * max(1.0, float(np.abs(right).max(initial=0.0))):
        fault = Fault(
            "K05",
            "rates",
            f"they contradict the loops: {misses.max():.3g} stays over.",
            "Give rates of as many joints as there are freedoms, or leave the dependent ones out.",
        )
        raise AssemblyError(f"mechanism '{mechanism.name}'", [fault], gap=float(misses.max()))
    return v


def _positional(target: Target) -> Target:
    return target


def _as_positional(request: Request) -> Request:
    return request


def _filled(equations: Any, assembly: Assembly, s: np.ndarray) -> np.ndarray:
    return s


def _named(assembly: Assembly) -> dict[str, tuple[float, ...]]:
    return {name: tuple(map(float, q)) for name, q in assembly.coordinates().items()}


def _shown(values: tuple[float, ...]) -> str:
    numbers = [f"{value:.4g}" for value in values]
    return numbers[0] if len(numbers) == 1 else "(" + ", ".join(numbers) + ")"


def _example(choice: Mapping[str, tuple[float, ...]]) -> str:
    return "{" + ", ".join(f'"{name}": {_shown(values)}' for name, values in choice.items()) + "}"
