"""Plots of positions, speeds and accelerations of joint coordinates, with separate panels for angles and slides."""

from __future__ import annotations

from functools import partial

import numpy as np

from multiloop.questions import Result
from multiloop.questions.answers.extremes import ROUND_OFF
from multiloop.view.histories import History, along, coordinates, positions_of
from multiloop.view.kinds.chosen import MOST, Chosen
from multiloop.view.kinds.panel import Line, Panel

QUANTITIES = {
    "position": ("angle", "length"),
    "rate": ("angular speed", "speed"),
    "acceleration": ("angular acceleration", "acceleration"),
}
"""Quantities of angles and of slides."""

STEADY = 1e-9
"""Relative change of a speed below which it counts as constant."""


def _motion(result: Result, chosen: Chosen, *, name: str, words: str, what: str) -> list[Panel]:
    joints, note = _shown_joints(result, chosen, what)
    found = [history for joint in joints for history in _histories(result, joint, what)]
    if what == "position" and chosen.joints is None:
        found = positions_of(result) or found
    floors, panels = _floors(result, what), []
    for length in (False, True):
        lines = [Line(h.joint, h.label, h.values, h.part) for h in found if h.length == length]
        if lines:
            both = len({history.length for history in found}) > 1
            title = f"{name}: {'slides' if length else 'angles'}" if both else name
            quantity = QUANTITIES[what][length]
            panels.append(Panel(title, words, quantity, lines, floors[length], note))
    return panels


def _histories(result: Result, joint: str, what: str) -> list[History]:
    return coordinates(result, joint) if what == "position" else along(result, joint, what)


def _shown_joints(result: Result, chosen: Chosen, what: str) -> tuple[list[str], str]:
    """The selected joints, those that move freely, or all that move; if there are too many, those that vary most.

    Rotors, which turn many times as far as their joints, are shown only where they are selected.
    """
    if chosen.joints is not None:
        return list(chosen.joints), ""
    free = list(dict.fromkeys(history.joint for history in positions_of(result)))
    if free:
        return free, ""
    rotors = {rotor.joint.name for rotor in result.mechanism.rotors}
    placed = [name for name, joint in result.joints.items() if joint.position.size and name not in rotors]
    moving = [name for name in placed if np.ptp(result[name].position, axis=0).any()] or placed
    if len(moving) <= MOST:
        return moving, ""
    ranked = sorted(moving, key=lambda name: (_steady(result, name), -_variation(result, name, what)))
    shown = [name for name in moving if name in ranked[:MOST]]
    return shown, f"{len(shown)} of {len(moving)} joints that move, those that vary most"


def _steady(result: Result, joint: str) -> bool:
    """Whether a joint moves at constant speed, so that its curves are straight lines."""
    rate = result[joint].rate
    return bool(np.ptp(rate, axis=0).max() <= STEADY * np.abs(rate).max())


def _variation(result: Result, joint: str, what: str) -> float:
    """The largest range of the coordinates of a joint; slides are divided by the characteristic length."""
    ranges = [(np.ptp(history.values), history.length) for history in _histories(result, joint, what)]
    return max(
        (float(found) / (result.plan.length if length else 1.0) for found, length in ranges), default=0.0
    )


def _floors(result: Result, what: str) -> tuple[float, float]:
    """Round-off of angles and of slides: a fraction of the largest values, converted by the characteristic length."""
    fastest = [0.0, 0.0]
    for joint in result.joints:
        for history in _histories(result, joint, what):
            fastest[history.length] = max(fastest[history.length], float(np.abs(history.values).max()))
    angle, slide, size = *fastest, result.plan.length
    return ROUND_OFF * max(angle, slide / size), ROUND_OFF * max(slide, angle * size)


positions = partial(_motion, name="positions", words="position", what="position")
speeds = partial(_motion, name="speeds", words="speed", what="rate")
accelerations = partial(_motion, name="accelerations", words="acceleration", what="acceleration")
