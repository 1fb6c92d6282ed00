"""Plots of positions, velocities and accelerations, and of energies and powers."""

from __future__ import annotations

from functools import partial

import numpy as np

from multiloop.analyses import Result
from multiloop.analyses.results.extremes import ROUND_OFF, noise_floor
from multiloop.view.plots.joint_histories import (
    CoordinateHistory,
    along_coordinates,
    coordinate_histories,
    free_positions,
)
from multiloop.view.plots.plot_data import MOST_SHOWN, Line, Panel, Selection

QUANTITIES = {
    "position": ("angle", "length"),
    "rate": ("angular speed", "speed"),
    "acceleration": ("angular acceleration", "acceleration"),
}
"""Quantities of angles and of slides."""

STEADY = 1e-9
"""Relative change of a speed below which it counts as constant."""


def _motion(result: Result, chosen: Selection, *, name: str, words: str, what: str) -> list[Panel]:
    joints, note = _shown_joints(result, chosen, what)
    found = [history for joint in joints for history in _histories(result, joint, what)]
    if what == "position" and chosen.joints is None:
        found = free_positions(result) or found
    floors, panels = _floors(result, what), []
    for length in (False, True):
        lines = [Line(h.joint, h.label, h.values, h.part) for h in found if h.length == length]
        if lines:
            both = len({history.length for history in found}) > 1
            title = f"{name}: {'slides' if length else 'angles'}" if both else name
            quantity = QUANTITIES[what][length]
            panels.append(Panel(title, words, quantity, lines, floors[length], note))
    return panels


def _histories(result: Result, joint: str, what: str) -> list[CoordinateHistory]:
    return (
        coordinate_histories(result, joint) if what == "position" else along_coordinates(result, joint, what)
    )


def _shown_joints(result: Result, chosen: Selection, what: str) -> tuple[list[str], str]:
    """The selected joints, those that move freely, or all that move; if there are too many, those that vary most.

    Rotors, which turn many times as far as their joints, are shown only where they are selected.
    """
    if chosen.joints is not None:
        return list(chosen.joints), ""
    free = list(dict.fromkeys(history.joint for history in free_positions(result)))
    if free:
        return free, ""
    rotors = {rotor.joint.name for rotor in result.mechanism.rotors}
    placed = [name for name, joint in result.joints.items() if joint.position.size and name not in rotors]
    moving = [name for name in placed if np.ptp(result[name].position, axis=0).any()] or placed
    if len(moving) <= MOST_SHOWN:
        return moving, ""
    ranked = sorted(moving, key=lambda name: (_steady(result, name), -_variation(result, name, what)))
    shown = [name for name in moving if name in ranked[:MOST_SHOWN]]
    return shown, f"{len(shown)} of {len(moving)} moving joints, those that vary most"


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


SUM, POTENTIAL, WORK = "sum", "potential energy", "work done on it"

FROM_START = f"{POTENTIAL}, 0 at the start"
"""Label of the potential energy over a motion; only its changes are meaningful."""


def energy(result: Result, _: Selection) -> list[Panel]:
    """All energies in one panel; the sum minus the work is constant."""
    moving = len(result.time) > 1
    potential = result.potential_energy - result.potential_energy[0] * moving
    curves = {
        "kinetic energy": result.kinetic_energy,
        POTENTIAL: potential,
        SUM: result.kinetic_energy + potential,
    }
    if result.work is not None:
        curves[WORK] = result.work
    labels = {POTENTIAL: FROM_START} if moving else {}
    lines = [
        Line(name, labels.get(name, name), values, 2 if name == SUM else 0) for name, values in curves.items()
    ]
    floor = ROUND_OFF * max(line.largest for line in lines)
    lines = [line for line in lines if line.of != WORK or line.largest > floor]
    return [Panel("energy", "energy", "energy", lines, floor, whole=True)]


def power(result: Result, chosen: Selection) -> list[Panel]:
    """The power of each supplier, and the sum where there are several; springs store energy and are not included."""
    suppliers = {name: joint.power for name, joint in result.joints.items()}
    if chosen.joints is None:
        suppliers |= {name: load.power for name, load in result.loads.items()}
        suppliers |= {name: coupling.power for name, coupling in result.couplings.items()}
        suppliers = {name: values for name, values in suppliers.items() if np.any(values)}
    else:
        suppliers = {name: suppliers[name] for name in chosen.joints}
    if not suppliers:
        return []
    lines = [Line(name, name, values) for name, values in suppliers.items()]
    if len(lines) > 1 and chosen.joints is None:
        lines.append(Line(SUM, SUM, result.power, 2))
    return [Panel("power", "power", "power", lines, _floor(result, lines), zero=True)]


def _floor(result: Result, lines: list[Line]) -> float:
    """Round-off level: that of moments times the fastest rate, or that of the largest power."""
    fastest = max(
        (float(np.abs(joint.rate).max(initial=0.0)) for joint in result.joints.values()), default=0.0
    )
    return max(noise_floor(result)["N m"] * fastest, ROUND_OFF * max(line.largest for line in lines))
