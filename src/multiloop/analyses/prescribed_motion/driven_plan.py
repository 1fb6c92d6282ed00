"""Plan of a mechanism that is moved by its drives, and the degrees of freedom that neither a drive nor an actuator
moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from multiloop.analyses.analysis_cache import cached_assembly_mode, cached_plan
from multiloop.analyses.errors import analysis_error
from multiloop.analyses.signals import joints_in_efforts
from multiloop.kinematics import equations_of
from multiloop.kinematics.assembly import (
    StateValues,
    drive_of,
    find_assembly_modes,
    held_coordinates,
    start_conditions,
)
from multiloop.kinematics.conditioning import linearise_rows
from multiloop.kinematics.constraints import drive_targets
from multiloop.model import AssemblyError, Mechanism, SolveError, count_text, is_elastic_name
from multiloop.plan import Plan, unknown_efforts

MOST_DEVIATIONS = 3
"""Largest number of guessed values that a message lists because the position deviates from them."""


def driven_plan(
    mechanism: Mechanism,
    start: StateValues | None,
    guess: Mapping[str, Any] | None,
    t: float,
    cuts: Sequence[str] | None = None,
) -> Plan:
    """The plan at the assembly mode that the drives at time t, `start` and `guess` select."""
    assembly = cached_assembly_mode(mechanism, held_coordinates(mechanism, start), guess, t)
    return cached_plan(assembly, cuts, joints_in_efforts(mechanism))


def undriven_freedoms(plan: Plan) -> int:
    """Number of degrees of freedom, apart from idle ones, for which there is no unknown effort.

    Degrees of freedom that exist at a singular position only are not counted: constraints are redundant at this
    position.
    """
    led = len(plan.idle) + len(unknown_efforts(plan.mechanism)) + plan.rank.special
    return max(0, plan.mobility - led)


def _guess_remedy(plan: Plan) -> str:
    """Text of the remedy if the position deviates from the guess and has more degrees of freedom than other assembly
    modes have, as a folded linkage does.

    Empty if the guess is met, if `start` prescribes values, or if no other assembly mode has fewer degrees of freedom.
    """
    mechanism, assembly = plan.mechanism, plan.assembly
    drives = drive_targets(mechanism)
    held = [request.target for request in assembly.held if not is_elastic_name(request.target.components[0])]
    if not assembly.guess_deviations or any(target not in drives for target in held):
        return ""
    try:
        others = find_assembly_modes(mechanism, guess={}, t=assembly.t)
    except AssemblyError:
        return ""
    more = assembly.degrees_of_freedom - min(other.degrees_of_freedom for other in others)
    if more <= 0:
        return ""
    missed = ", ".join(map(str, assembly.guess_deviations[:MOST_DEVIATIONS]))
    return (
        f"The position found deviates from the guess ({missed}) and has {more} more "
        f"degree{'s'[: more > 1]} of freedom than other assembly modes: give a guess nearer to the intended position."
    )


def under_actuation_error(plan: Plan, remedy: str) -> SolveError:
    """The error for undriven degrees of freedom, with the names of the joints that move along them, and the remedy."""
    mechanism, assembly = plan.mechanism, plan.assembly
    efforts, freedoms = unknown_efforts(mechanism), plan.mobility - len(plan.idle)
    locked = equations_of(mechanism, assembly.equations.skeleton.tree, drive_targets(mechanism))
    linear = linearise_rows(
        locked, assembly.coordinates_on(locked), drive_of(locked)(assembly.t, 0), assembly.p
    )
    ways = np.abs(linear.null_space()).max(axis=1, initial=0.0)
    loose = [link.joint.name for link in locked.skeleton.links if ways[link.v].max(initial=0.0) > 1e-6]
    blame = f"nothing drives {', '.join(loose)}"
    if not loose:
        idle = [motion.of for motion in mechanism.drives if motion.of not in {joint for joint, _ in efforts}]
        blame = f"no actuator supplies the effort that the motion of {', '.join(idle)} requires"
        remedy = (
            "If a mechanism has actuators, only they supply efforts: add one for every degree of freedom."
        )
    what = (
        f"{count_text(freedoms, 'degree of freedom', 'degrees of freedom')} but "
        f"{count_text(len(efforts), 'effort')}: {blame}."
    )
    few = min(freedoms - len(efforts), len(loose))
    them = (
        ("it" if few == 1 else "them")
        if few == len(loose)
        else "one of them"
        if few == 1
        else f"{few} of them"
    )
    return analysis_error(
        mechanism, "S01", "inverse dynamics", what, _guess_remedy(plan) or remedy.format(them=them)
    )


def driven_plan_at_start(
    mechanism: Mechanism,
    start: StateValues | None,
    guess: Mapping[str, Any] | None,
    begin: float,
    cuts: Sequence[str] | None,
) -> Plan:
    """The plan at the time `begin`, at which the motion starts, or at the earlier time to which `start` refers.

    This earlier time is t = 0, or the time of a State. The plan at this time is returned if the loops cannot be closed
    at `begin` with the values in `start`, and if there are undriven degrees of freedom.
    """
    try:
        return driven_plan(mechanism, start, guess, begin, cuts)
    except AssemblyError:
        earlier = start_conditions(mechanism, start)[0]
        if start and begin > earlier:
            with suppress(AssemblyError):
                plan = driven_plan(mechanism, start, guess, earlier, cuts)
                if undriven_freedoms(plan):
                    return plan
        raise


def lacks_actuators(mechanism: Mechanism) -> bool:
    """Whether there are actuators, but too few to produce the prescribed motion: if a mechanism has actuators, only
    these supply efforts."""
    from multiloop.analyses.run_models import (
        has_servo_constraints,
        solved_efforts,
    )  # not needed without actuators

    known_only = bool(mechanism.actuators) and not unknown_efforts(mechanism)
    rows = sum(target.row_count() for target in drive_targets(mechanism))
    return known_only or (has_servo_constraints(mechanism) and len(solved_efforts(mechanism)) < rows)


def under_actuation_remedy(driven: bool, may_move: bool, exact: bool) -> str:
    """Text of the remedy for undriven degrees of freedom.

    `driven` states whether the mechanism has drives, `may_move` whether undriven degrees of freedom could be integrated
    forward in time, and `exact` whether the argument `exact` of `inverse` forbids this.
    In the text, {them} is later replaced by the number of joints to drive, one for every undriven degree of freedom.
    """
    if not may_move:
        if not driven:
            return "Drive {them}, add actuators, or use `simulate` for a free motion."
        freely = "with actuators at the driven joints the other joints can move freely from the state `start`"
        return f"Drive {{them}}, or add actuators; {freely}."
    if exact:
        return "Drive {them} or add actuators; without `exact` the undriven joints move freely from the state `start`."
    return "Drive {them}, add actuators, or give a `start` for a free motion."
