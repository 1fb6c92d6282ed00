"""Plots of the components of joint forces, a panel for each joint, in inertial axes or in those of a body."""

from __future__ import annotations

from multiloop.questions import Result
from multiloop.questions.answers.extremes import noise_floor
from multiloop.view.histories import loads_of
from multiloop.view.kinds.chosen import Chosen
from multiloop.view.kinds.panel import Line, Panel

LARGEST = 4
"""Number of joints shown without a selection."""


def forces(result: Result, chosen: Chosen) -> list[Panel]:
    """Force of the first body on the second, along x, y and in space z."""
    floor, panels = noise_floor(result)["N"], []
    joints, rest = largest_joints(result, chosen)
    for name in joints:
        joint = result[name]
        force = joint.force_in(chosen.frame) if chosen.frame else joint.force
        axes = f"axes of '{chosen.frame}'" if chosen.frame else ""
        doubt = "" if joint.determined else "not determined by equilibrium"
        lines = [
            Line(name, f"{name}, {axis}", values, part)
            for part, (axis, values) in enumerate(zip("xyz", force.T, strict=False))
        ]
        note = "; ".join(part for part in (axes, doubt, rest) if part)
        panels.append(Panel(f"forces {name}", f"force at {name}", "force", lines, floor, note, zero=True))
        rest = ""  # the note is written once
    return panels


def largest_joints(result: Result, chosen: Chosen) -> tuple[tuple[str, ...], str]:
    """The selected joints, or those with the largest loads and a note on the others."""
    if chosen.joints is not None:
        return chosen.joints, ""
    ranked = tuple(loads_of(result))
    rest = f"the {LARGEST} largest of {len(ranked)}" if len(ranked) > LARGEST else ""
    return ranked[:LARGEST], rest
