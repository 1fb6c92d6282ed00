"""Freedoms that nothing drives: how many there are, and what to say of them."""

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
    """How many freedoms, idle ones apart, have no effort that could lead them.

    Beside a singular position constraints repeat each other, and what they leave open there is none elsewhere.
    """
    led = len(plan.idle) + len(efforts_of(plan.mechanism)) + plan.rank.special
    return max(0, plan.mobility - led)


def under_actuated(plan: Plan, remedy: str) -> SolveError:
    """The error of freedoms that nothing drives, with the joints that they move and what to do about these."""
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
