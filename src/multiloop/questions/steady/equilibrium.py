"""`equilibrium`: static equilibrium or steady motion of a mechanism, its joint reactions and its stability."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, overload

from multiloop.kinematics.requests import rate_requests
from multiloop.model import Mechanism
from multiloop.model.asking import verb
from multiloop.questions.answers.state import State
from multiloop.questions.load_refusals import require_covered_loads
from multiloop.questions.parameters import one_design
from multiloop.questions.remembered import remembered_closure, remembered_plan
from multiloop.questions.signals.efforts import joints_in
from multiloop.questions.steady.balance import Balance
from multiloop.questions.steady.branch import Branch, follow_branch, range_along
from multiloop.questions.steady.equilibrium_answer import Equilibrium, answer_of
from multiloop.questions.steady.placing import first_place
from multiloop.questions.steady.search import balanced


@overload
def equilibrium(mechanism: Mechanism, *, along: Mapping[str, Sequence[float]], **asked: Any) -> Branch: ...


@overload
def equilibrium(mechanism: Mechanism, *, along: None = ..., **asked: Any) -> Equilibrium: ...


@verb  # type: ignore[misc]  # the overloads name the argument that decides on the type of the result
def equilibrium(
    mechanism: Mechanism,
    *,
    guess: Mapping[str, Any] | None = None,
    start: Mapping[str, Any] | State | None = None,
    rates: Mapping[str, Any] | None = None,
    efforts: Mapping[str, Any] | None = None,
    parameters: Mapping[str, Any] | None = None,
    held: bool = False,
    t: float = 0.0,
    cuts: Sequence[str] | None = None,
    along: Mapping[str, Sequence[float]] | None = None,
) -> Equilibrium | Branch:
    """Position in which all forces are in equilibrium, computed from the position that `start` or `guess` describes.

    Drives have their positions at time t. If they move, they must rotate the mechanism steadily, like the spindle of a
    governor, and all other coordinates are at rest; with `held` the drives are fixed. `rates` are those of degrees of
    freedom that move steadily without a drive. Loads, `efforts` and drives are evaluated at t.

    `along={"P": (0, 500)}` follows the equilibrium at P = 0 as the parameter changes, past fold points, until it leaves
    the range, and returns a Branch.
    """
    name, begin, end = range_along(mechanism, along) if along is not None else ("", 0.0, 0.0)
    parameters = {**(parameters or {}), name: begin} if name else parameters
    mechanism = one_design(mechanism, parameters, "Give numbers, or follow one, along={...}.")
    require_covered_loads(mechanism, [t])
    near = start.positions if isinstance(start, State) else start
    assembly = remembered_closure(mechanism, near, guess, t)
    plan = remembered_plan(assembly, cuts, joints_in(mechanism, efforts))
    balance = Balance(plan, dict(efforts or {}), held)
    balance.signals.require_covered(t, t)
    requests = rate_requests(mechanism, rates or {})
    found = balanced(balance, first_place(balance, t), requests)
    first = answer_of(found)
    return follow_branch(found, first, requests, name, begin, end) if name else first
