"""Stable inversion of a mechanism with flexible links: arguments, requirements, solution and result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from multiloop.kinematics.targets import Target
from multiloop.model import Mechanism
from multiloop.model.brief import brief
from multiloop.model.expressions.expression import finite_number
from multiloop.model.names import counted
from multiloop.plan import Plan
from multiloop.questions.answers.doubts import with_doubts
from multiloop.questions.answers.result import Result
from multiloop.questions.inversion.bent_answer import bent_result
from multiloop.questions.inversion.independent_shapes import IndependentRates, independent_rates
from multiloop.questions.inversion.internal_dynamics import InternalDynamics
from multiloop.questions.inversion.stable_inversion import StableInversion
from multiloop.questions.leading.driven import driven_plan
from multiloop.questions.leading.loads import METHODS
from multiloop.questions.leading.under_actuation import under_actuated, undriven
from multiloop.questions.limits import over_limits
from multiloop.questions.load_refusals import require_covered_loads
from multiloop.questions.refusal import refusal
from multiloop.questions.running.progress import advancing
from multiloop.questions.steady.balance import Balance
from multiloop.questions.steady.coordinates import rate_names

KINDS = ("stable",)
"""Choices of `elastic` for inverse dynamics of flexible links."""

RESTING = 1e-6
"""Rates of drives at rest are less than this part of their largest rate."""

REACHED = 1e-9
"""Singular values below this part of the largest count as zero."""

Settling = float | Sequence[float] | None
"""Seconds before and after the motion: one number for both, two numbers, or None for the computed settling time."""


def asks_for_bending(mechanism: Mechanism, elastic: Any, settling: Any) -> bool:
    """Whether inverse dynamics of flexible links is requested and the mechanism has any."""
    if elastic is not None and not (isinstance(elastic, str) and elastic in KINDS):
        remedy = 'Give elastic="stable", the motion that stays bounded; without it links must be rigid.'
        raise refusal(mechanism, "S02", "elastic", f"is {brief(elastic)}.", remedy)
    if settling is not None and elastic is None:
        what = "is given, but links that settle are not asked for."
        raise refusal(mechanism, "S02", "settling", what, 'Leave it out, or give elastic="stable" too.')
    return elastic is not None and any(body.elastic for body in mechanism.all_bodies)


def only_motion(mechanism: Mechanism, method: str, designs: Any, **given: Any) -> None:
    """Refuse arguments that are not supported with flexible links."""
    if designs is not None:
        what = "are arrays, and how links bend is solved design by design."
        raise refusal(mechanism, "S14", "parameters", what, "Ask design by design.")
    asked = [name for name, value in given.items() if value is not None]
    asked += [] if method == METHODS[0] else ["method"]
    if asked:
        what = 'cannot be chosen with elastic="stable".'
        raise refusal(mechanism, "S02", f"`{asked[0]}`", what, "Leave it out.")


def stable_inverse(
    mechanism: Mechanism,
    times: np.ndarray,
    *,
    cycle: bool,
    settling: Settling,
    start: Mapping[str, Any] | None,
    guess: Mapping[str, Any] | None,
    cuts: Sequence[str] | None,
    progress: bool | None,
) -> Result:
    """Efforts, motion and reactions of a mechanism with flexible links whose outputs follow the drives."""
    before, after = _seconds(mechanism, settling, cycle)
    if len(times) < 2 or (np.diff(times) <= 0).any():
        what = "does not rise from the beginning of the motion to its end."
        raise refusal(mechanism, "S02", "t", what, "Give times in rising order, from rest to rest.")
    begin, end = float(times[0]), float(times[-1])
    plan = driven_plan(mechanism, start, guess, begin if start or guess else 0.0, cuts)
    _require_answerable(plan)
    balance = Balance(plan)
    resting = (-np.inf, np.inf) if cycle else (begin, end)
    found = _independent_at(balance, begin)
    dynamics = InternalDynamics(balance, np.eye(balance.equations.skeleton.rates)[found.relaxing], resting)
    _require_led(dynamics, found.joints, begin, end, cycle)
    corners = sorted({begin, *(t for t in balance.signals.ends(begin, end) if begin < t < end), end})
    with advancing(0.0, 100.0, progress, "%", "inverting") as shown:
        inversion = StableInversion(dynamics, corners, before, after, cycle, lambda part: shown(100 * part))
        course = inversion.solve()
    require_covered_loads(mechanism, [float(course.nodes[0]), float(course.nodes[-1])])
    result = bent_result(inversion, course, times)
    return with_doubts(result, over_limits(result))


def _seconds(mechanism: Mechanism, settling: Any, cycle: bool) -> tuple[float | None, float | None]:
    """Settling times before and after the motion."""
    if settling is None:
        return None, None
    if cycle:
        what = "is given with a cycle, which repeats itself and never settles."
        raise refusal(mechanism, "S02", "settling", what, "Leave one of them out.")
    given = list(settling) if isinstance(settling, list | tuple | np.ndarray) else [settling, settling]
    numbers = [finite_number(one) for one in given]
    if len(numbers) != 2 or any(one is None or one < 0 for one in numbers):
        remedy = "Give seconds, settling=0.2, or those before and after, settling=(0.2, 0.4)."
        raise refusal(mechanism, "S02", "settling", f"is {brief(settling)}.", remedy)
    return numbers[0], numbers[1]


def _require_answerable(plan: Plan) -> None:
    """Refuse undriven degrees of freedom, and mechanisms for which stable inversion is not supported."""
    if undriven(plan):
        raise under_actuated(plan, "Drive {them}, or add actuators.")
    if plan.idle or plan.rank.rates_alone:
        found = f"'{plan.idle[0].spin.body}' spins idly" if plan.idle else "a pair holds rates alone"
        remedy = "Ask `simulate`, or hold the spin by another joint."
        raise refusal(
            plan.mechanism, "S18", "stable inversion", f"{found}, which nothing prescribes.", remedy
        )


def _independent_at(balance: Balance, t: float) -> IndependentRates:
    """The independent rates at the beginning of the motion."""
    eq, assembly = balance.equations, balance.plan.assembly
    return independent_rates(eq, assembly.on(eq), assembly.p, t, [link.body for link in eq.skeleton.links])


def _require_led(dynamics: InternalDynamics, loose: list[int], begin: float, end: float, cycle: bool) -> None:
    """Refuse undriven degrees of freedom, more efforts than outputs, ineffective efforts, and outputs that are
    not at rest.

    `loose` are indices of rates of joints that move while links keep their shape.
    """
    eq, mechanism = dynamics.equations, dynamics.balance.mechanism
    pushing, outputs = len(dynamics.residual.pushing), eq.drives.count
    if pushing > outputs:
        what = f"{counted(outputs, 'output')} and {counted(pushing, 'effort')}: how they share in it is left open."
        remedy = "Take as many actuators without effort as outputs; give the others an effort."
        raise refusal(mechanism, "S18", "stable inversion", what, remedy)
    first = dynamics.at_rest(np.array([begin]), dynamics.balance.plan.assembly.on(eq)[None])
    held = eq.skeleton.rates - len(dynamics.S)
    sizes = [np.linalg.svd(part, compute_uv=False) for part in dynamics.held_at(first)]
    ranks = [int((size > REACHED * size.max(initial=0.0)).sum()) for size in sizes]
    if ranks[0] < held:
        names = ", ".join(f"'{rate_names(eq)[k][0]}'" for k in loose)
        what = f"{counted(held - ranks[0], 'freedom')} without a prescribed motion: {names} may move anyhow."
        remedy = (
            "Prescribe as many motions as the joints are free to do, or use `simulate` with known efforts."
        )
        raise refusal(mechanism, "S01", "inverse dynamics", what, remedy)
    if ranks[1] < held:
        names = ", ".join(f"'{target.of}'" for target in eq.targets)
        what = f"the efforts cannot produce the motion of {names} at t = {begin:.6g} s."
        remedy = "Put actuators where they move it, or prescribe something that they reach."
        raise refusal(mechanism, "S05", "stable inversion", what, remedy, time=begin)
    if not cycle:
        _require_rest(dynamics, begin, end)


def _require_rest(dynamics: InternalDynamics, begin: float, end: float) -> None:
    """Refuse outputs that do not begin and end at rest."""
    eq = dynamics.equations
    times = np.linspace(begin, end, 201)
    rates = np.abs(dynamics.prescribed(times)[1][:, eq.times :])
    size = rates.max(initial=0.0)
    names = [target.of for target in eq.targets for _ in range(len(target.value_lengths()))]
    units = [unit for target in eq.targets for unit in _rate_units(target)]
    for k, t in ((0, begin), (-1, end)):
        if size and rates[k].max() > RESTING * size:
            worst = int(np.argmax(rates[k]))
            what = f"'{names[worst]}' moves at t = {t:.6g} s, at {rates[k, worst]:.3g} {units[worst]}."
            remedy = "Ask from before it begins until after it has come to rest, or for a `cycle` that repeats itself."
            raise refusal(eq.skeleton.mechanism, "S18", "stable inversion", what, remedy, time=t)


def _rate_units(target: Target) -> list[str]:
    """Units of the rates of prescribed values; the four numbers of an orientation have the unit 1/s."""
    turns = "turn" in target.components
    return ["m/s" if length else "1/s" if turns else "rad/s" for length in target.value_lengths()]
