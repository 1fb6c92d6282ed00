"""Stable inversion of a mechanism with flexible links: efforts, deformation and reactions along prescribed outputs.

The outputs are the coordinates that drives prescribe. The requirements are checked first: as many efforts as outputs,
efforts that can produce the motion, and outputs that begin and end at rest or are periodic.

Source: [devasia_chen_paden], [seifried].
Theory: docs/theory/11-stable-inversion.md, eqs. (11.1)–(11.7).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from multiloop.analyses.errors import analysis_error
from multiloop.analyses.load_checks import require_covered_loads
from multiloop.analyses.prescribed_motion import (
    Settling,
    driven_plan,
    settling_times,
    under_actuation_error,
    undriven_freedoms,
)
from multiloop.analyses.progress import progress_display
from multiloop.analyses.results import Result, over_limit_warnings, with_warnings
from multiloop.analyses.stable_inversion.boundary_value_problem import StableInversionProblem
from multiloop.analyses.stable_inversion.independent_rates import IndependentRates, independent_rates
from multiloop.analyses.stable_inversion.internal_dynamics import InternalDynamics
from multiloop.analyses.stable_inversion.inversion_result import inversion_result
from multiloop.analyses.steady_states import ForceBalance, rate_names
from multiloop.kinematics.assembly import StateValues
from multiloop.model import Mechanism, count_text
from multiloop.plan import Plan

REST_SPEED_PART = 1e-6
"""Fraction of the largest rate of the drives below which a drive counts as at rest."""

REACHED = 1e-9
"""Fraction of the largest singular value of a matrix below which its singular values count as zero in a rank."""


def stable_inverse(
    mechanism: Mechanism,
    times: np.ndarray,
    *,
    cycle: bool,
    settling: Settling,
    start: StateValues | None,
    guess: Mapping[str, Any] | None,
    cuts: Sequence[str] | None,
    progress: bool | None,
) -> Result:
    """Result with efforts, motion and reactions of a mechanism with flexible links along prescribed motions.

    `times` are those of the prescribed motion; the Result begins and ends with the settling times before and after it.
    """
    before, after = settling_times(mechanism, settling, cycle)
    if len(times) < 2 or (np.diff(times) <= 0).any():
        what = "does not increase from the start of the motion to its end."
        raise analysis_error(
            mechanism,
            "S02",
            "t",
            what,
            "Give times in increasing order, the first and last with all drives at rest.",
        )
    begin, end = float(times[0]), float(times[-1])
    plan = driven_plan(mechanism, start, guess, begin if start or guess else 0.0, cuts)
    _require_answerable(plan)
    balance = ForceBalance(plan)
    moving = (-np.inf, np.inf) if cycle else (begin, end)
    found = _independent_at(balance, begin)
    dynamics = InternalDynamics(balance, np.eye(balance.equations.skeleton.rates)[found.relaxing], moving)
    _require_prescribed(dynamics, found.joints, begin, end, cycle)
    corners = sorted({begin, *(t for t in balance.signals.corner_times(begin, end) if begin < t < end), end})
    with progress_display(0.0, 100.0, progress, "%", "inverting") as shown:
        inversion = StableInversionProblem(
            dynamics, corners, before, after, cycle, lambda part: shown(100 * part)
        )
        course = inversion.solve()
    require_covered_loads(mechanism, [float(course.nodes[0]), float(course.nodes[-1])])
    result = inversion_result(inversion, course, times)
    return with_warnings(result, over_limit_warnings(result))


def _require_answerable(plan: Plan) -> None:
    """Raise an error if stable inversion does not support the mechanism.

    All degrees of freedom must be driven; idle rotations and nonholonomic constraints are not supported.
    """
    if undriven_freedoms(plan):
        raise under_actuation_error(plan, "Drive {them}, or add actuators.")
    if plan.idle or plan.rank.rates_alone:
        found = (
            f"'{plan.idle[0].spin.body}' has an idle rotation"
            if plan.idle
            else "a constraint is nonholonomic"
        )
        remedy = "Use `simulate`, or constrain the rotation by another joint."
        raise analysis_error(
            plan.mechanism, "S18", "stable inversion", f"{found}, whose motion is not prescribed.", remedy
        )


def _independent_at(balance: ForceBalance, t: float) -> IndependentRates:
    """The independent rates at the assembled position, the beginning of the motion at time t."""
    eq, assembly = balance.equations, balance.plan.assembly
    return independent_rates(
        eq, assembly.coordinates_on(eq), assembly.p, t, [link.body for link in eq.skeleton.links]
    )


def _require_prescribed(
    dynamics: InternalDynamics, loose: list[int], begin: float, end: float, cycle: bool
) -> None:
    """Raise an error if the requirements of stable inversion are not met.

    They are: a prescribed motion for every degree of freedom of the joints, no more efforts than outputs, efforts that
    can produce the motion (fewer efforts than outputs cannot), and outputs at rest at `begin` and `end` unless the
    motion is a cycle. `loose` are indices of rates of joints that can move while the links keep their shape.
    """
    eq, mechanism = dynamics.equations, dynamics.balance.mechanism
    pushing, outputs = len(dynamics.residual.effort_rates), eq.drives.count
    if pushing > outputs:
        what = (
            f"{count_text(outputs, 'output')} and {count_text(pushing, 'effort')}: the "
            "distribution of the efforts is not determined."
        )
        remedy = (
            "Leave the efforts of as many actuators unspecified as there are outputs, and specify the others."
        )
        raise analysis_error(mechanism, "S18", "stable inversion", what, remedy)
    first = dynamics.at_rest(np.array([begin]), dynamics.balance.plan.assembly.coordinates_on(eq)[None])
    held = eq.skeleton.rates - len(dynamics.S)
    sizes = [np.linalg.svd(part, compute_uv=False) for part in dynamics.constraint_matrices(first)]
    ranks = [int((size > REACHED * size.max(initial=0.0)).sum()) for size in sizes]
    if ranks[0] < held:
        names = ", ".join(f"'{rate_names(eq)[k][0]}'" for k in loose)
        what = (
            f"{count_text(held - ranks[0], 'degree of freedom', 'degrees of freedom')} without a "
            f"prescribed motion: {names} can move freely."
        )
        remedy = (
            "Prescribe a motion for every degree of freedom of the joints, or use `simulate` "
            "with known efforts."
        )
        raise analysis_error(mechanism, "S01", "inverse dynamics", what, remedy)
    if ranks[1] < held:
        names = ", ".join(f"'{target.of}'" for target in eq.targets)
        what = f"the efforts cannot produce the motion of {names} at t = {begin:.6g} s."
        remedy = "Move the actuators to joints that produce it, or prescribe another motion."
        raise analysis_error(mechanism, "S05", "stable inversion", what, remedy, time=begin)
    if not cycle:
        _require_rest(dynamics, begin, end)


def _require_rest(dynamics: InternalDynamics, begin: float, end: float) -> None:
    """Raise an error if an output is not at rest at the times `begin` and `end`."""
    eq = dynamics.equations
    times = np.linspace(begin, end, 201)
    rates = np.abs(dynamics.prescribed(times)[1][:, eq.time_count :])
    size = rates.max(initial=0.0)
    names = [target.of for target in eq.targets for _ in range(len(target.value_lengths()))]
    units = [unit for target in eq.targets for unit in target.rate_units()]
    for k, t in ((0, begin), (-1, end)):
        if size and rates[k].max() > REST_SPEED_PART * size:
            worst = int(np.argmax(rates[k]))
            what = f"'{names[worst]}' moves at t = {t:.6g} s, at {rates[k, worst]:.3g} {units[worst]}."
            remedy = "Begin and end the times with all drives at rest, or give `cycle` for a periodic motion."
            raise analysis_error(eq.skeleton.mechanism, "S18", "stable inversion", what, remedy, time=t)
