"""Degrees of freedom that neither a drive nor an actuator moves, and the error that names them."""

from __future__ import annotations

import numpy as np

from multiloop.kinematics.equations import equations_of
from multiloop.kinematics.prescribed import drive_of
from multiloop.kinematics.rates import linearised
from multiloop.kinematics.targets import drive_targets
from multiloop.model import SolveError
from multiloop.model.names import counted
from multiloop.plan import Plan, efforts_of
from multiloop.questions.refusal import refusal


def undriven(plan: Plan) -> int:
    """Number of degrees of freedom, apart from idle ones, without an effort.

    Degrees of freedom that exist at a singular position only are not counted: constraints are redundant there.
    """
    led = len(plan.idle) + len(efforts_of(plan.mechanism)) + plan.rank.special
    return max(0, plan.mobility - led)


def under_actuated(plan: Plan, remedy: str) -> SolveError:
    """The error for undriven degrees of freedom, with the joints that they move and the remedy."""
    mechanism, assembly = plan.mechanism, plan.assembly
    efforts, freedoms = efforts_of(mechanism), plan.mobility - len(plan.idle)
    locked = equations_of(mechanism, assembly.equations.skeleton.tree, drive_targets(mechanism))
    linear = linearised(locked, assembly.on(locked), drive_of(locked)(assembly.t, 0), assembly.p)
    ways = np.abs(linear.open_directions()).max(axis=1, initial=0.0)
    loose = [link.joint.name for link in locked.skeleton.links if ways[link.v].max(initial=0.0) > 1e-6]
    blame = f"nothing drives {', '.join(loose)}"
    if not loose:
        idle = [motion.of for motion in mechanism.drives if motion.of not in {joint for joint, _ in efforts}]
        blame = f"no actuator supplies what the motion of {', '.join(idle)} needs"
        remedy = "Where there are actuators, only they supply effort: add one for every freedom."
    what = f"{counted(freedoms, 'freedom')} but {counted(len(efforts), 'effort')}: {blame}."
    few = min(freedoms - len(efforts), len(loose))
    them = "them" if few == len(loose) else "one of them" if few == 1 else f"{few} of them"
    return refusal(mechanism, "S01", "inverse dynamics", what, remedy.format(them=them))
