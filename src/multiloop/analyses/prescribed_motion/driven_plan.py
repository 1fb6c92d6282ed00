"""Plan of a mechanism along its drives, and the degrees of freedom that neither a drive nor an actuator moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from multiloop.analyses.analysis_cache import cached_assembly_mode, cached_plan
from multiloop.analyses.errors import analysis_error
from multiloop.analyses.signals import joints_in_efforts
from multiloop.kinematics import equations_of
from multiloop.kinematics.assembly import StateValues, drive_of, held_coordinates
from multiloop.kinematics.conditioning import linearise_rows
from multiloop.kinematics.constraints import drive_targets
from multiloop.model import Mechanism, SolveError
from multiloop.model.message_formatting import count_text
from multiloop.plan import Plan, unknown_efforts


def driven_plan(
    mechanism: Mechanism,
    start: StateValues | None,
    guess: Mapping[str, Any] | None,
    t: float,
    cuts: Sequence[str] | None = None,
) -> Plan:
    """The plan at the assembly mode that the drives at time t, the start and the guess select."""
    assembly = cached_assembly_mode(mechanism, held_coordinates(mechanism, start), guess, t)
    return cached_plan(assembly, cuts, joints_in_efforts(mechanism))


def undriven_freedoms(plan: Plan) -> int:
    """Number of degrees of freedom, apart from idle ones, without an effort.

    Degrees of freedom that exist at a singular position only are not counted: constraints are redundant there.
    """
    led = len(plan.idle) + len(unknown_efforts(plan.mechanism)) + plan.rank.special
    return max(0, plan.mobility - led)


def under_actuation_error(plan: Plan, remedy: str) -> SolveError:
    """The error for undriven degrees of freedom, with the joints that they move and the remedy."""
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
    them = "them" if few == len(loose) else "one of them" if few == 1 else f"{few} of them"
    return analysis_error(mechanism, "S01", "inverse dynamics", what, remedy.format(them=them))
