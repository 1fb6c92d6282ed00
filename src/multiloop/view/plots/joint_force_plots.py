"""Plots of forces at joints: efforts, magnitudes of loads and moments, force components, polar load diagrams."""

from __future__ import annotations

import numpy as np

from multiloop.analyses import Result
from multiloop.analyses.results import noise_floor
from multiloop.model import body_of
from multiloop.view.plots.joint_histories import (
    along_coordinates,
    effort_panels,
    joint_loads,
    joint_moments,
    largest_named,
)
from multiloop.view.plots.motion_plots import widest_plane
from multiloop.view.plots.plot_data import Diagram, Line, Panel, Selection


def efforts(result: Result, chosen: Selection) -> list[Panel]:
    """Panels of efforts: one panel if all have the same unit, otherwise one for torques and one for forces."""
    found = effort_panels(result, chosen.joints)
    if not found:
        found = {"efforts": [h for name in result.joints for h in along_coordinates(result, name, "effort")]}
        found["efforts"] = [history for history in found["efforts"] if history.values.any()]
    floor = noise_floor(result)
    return [
        Panel(
            panel,
            "effort",
            "force" if histories[0].length else "moment",
            [Line(history.joint, history.label, history.values, history.part) for history in histories],
            floor[histories[0].effort_unit],
            zero=True,
        )
        for panel, histories in found.items()
        if histories
    ]


def loads(result: Result, chosen: Selection) -> list[Panel]:
    """Panel with the magnitude of the force in every joint, the largest first."""
    return _carried(result, chosen, "loads", "force", joint_loads(result), noise_floor(result)["N"])


def moments(result: Result, chosen: Selection) -> list[Panel]:
    """Panel with the magnitude of the moment in every joint that transmits a moment, the largest first."""
    return _carried(result, chosen, "moments", "moment", joint_moments(result), noise_floor(result)["N m"])


def _carried(
    result: Result, chosen: Selection, name: str, quantity: str, carried: dict[str, np.ndarray], floor: float
) -> list[Panel]:
    wanted = {joint: values for joint, values in carried.items() if joint in (chosen.joints or carried)}
    strong = wanted if chosen.joints else largest_named(carried)
    lines = [
        Line(joint, joint, values, is_named=joint in strong, undetermined=not result[joint].determined)
        for joint, values in wanted.items()
    ]
    if not lines:
        return []
    return [Panel(name, f"{name[:-1]} of the joints", quantity, lines, floor, peaks=True)]


MOST_JOINTS = 4
"""Number of joints, those with the largest forces, that are shown if the user does not select joints."""


def forces(result: Result, chosen: Selection) -> list[Panel]:
    """Panels, one for each joint, with the components of the force of the first body on the second body."""
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
        rest = ""  # only the first panel has this note
    return panels


def largest_joints(result: Result, chosen: Selection) -> tuple[tuple[str, ...], str]:
    """Names of the joints to be shown, and a note that is empty unless joints are omitted.

    They are the selected joints or, without a selection, the joints with the largest forces.
    """
    if chosen.joints is not None:
        return chosen.joints, ""
    ranked = tuple(joint_loads(result))
    rest = f"the {MOST_JOINTS} largest of {len(ranked)}" if len(ranked) > MOST_JOINTS else ""
    return ranked[:MOST_JOINTS], rest


def polar(result: Result, chosen: Selection) -> list[Diagram]:
    """Polar diagrams of joint forces, one for each joint.

    Components are along the axes of the body `chosen.frame`, by default of the second body of the joint. The force is
    the force on the second body, or on the first body if components are along the axes of the first.
    """
    floor, found = noise_floor(result)["N"], []
    joints, rest = largest_joints(result, chosen)
    for name in joints:
        joint = result[name]
        first, second = body_of(joint.first), body_of(joint.second)
        frame = chosen.frame or second
        on, sign = (first, -1.0) if frame == first else (second, 1.0)
        points, (across, up), hidden = widest_plane(sign * joint.force_in(frame), "force", "N")
        whose = "in its axes" if frame == on else f"in axes of '{frame}'"
        line = Line(name, name, points, undetermined=not joint.determined, sizes=joint.load)
        title, note = f"{name}: force on '{on}', {whose}", "; ".join(part for part in (hidden, rest) if part)
        found.append(Diagram(f"polar {name}", title, "force", [line], floor, note, across, up, origin=True))
        rest = ""  # only the first diagram has this note
    return found
