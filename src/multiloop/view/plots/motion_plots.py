"""Plots of positions, velocities and accelerations, paths and hodographs of markers, and of energies and powers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from multiloop.analyses import Result
from multiloop.analyses.results import ROUND_OFF, noise_floor
from multiloop.model import GROUND, body_of
from multiloop.view.plots.joint_histories import (
    CoordinateHistory,
    along_coordinates,
    coordinate_histories,
    free_positions,
)
from multiloop.view.plots.plot_data import MOST_SHOWN, Diagram, Line, Panel, Selection

QUANTITIES = {
    "position": ("angle", "length"),
    "rate": ("angular speed", "speed"),
    "acceleration": ("angular acceleration", "acceleration"),
}
"""For positions, rates and accelerations: the quantity on the axis for rotations, and the one for sliding
displacements."""

STEADY = 1e-9
"""Largest change of a speed, relative to its largest value, for which it counts as constant."""


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
    """Names of the joints that are shown, and a note if some moving joints are omitted.

    They are the selected joints; without a selection, the joints that no drive determines; and if there are none, all
    moving joints, or if these are many, those that vary most. Rotors, which rotate many times as far as the joints that
    they drive, are shown only if they are selected.
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
    """Whether a joint moves at constant speed, so that the curve of its coordinate is a straight line."""
    rate = result[joint].rate
    return bool(np.ptp(rate, axis=0).max() <= STEADY * np.abs(rate).max())


def _variation(result: Result, joint: str, what: str) -> float:
    """Largest range (maximum minus minimum over time) of the quantity `what` among the coordinates of a joint.

    Lengths are divided by the characteristic length of the mechanism.
    """
    ranges = [(np.ptp(history.values), history.length) for history in _histories(result, joint, what)]
    return max(
        (float(found) / (result.plan.length if length else 1.0) for found, length in ranges), default=0.0
    )


def _floors(result: Result, what: str) -> tuple[float, float]:
    """Magnitudes below which a quantity counts as round-off, for angles and for sliding displacements.

    Each is a fraction of the largest value over all joints; the characteristic length converts between angles and
    displacements. `what` is "position", "rate" or "acceleration".
    """
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
"""Label of the potential energy during a motion, of which only changes are meaningful."""


def energy(result: Result, _: Selection) -> list[Panel]:
    """Panel with kinetic energy, potential energy, their sum, and the work done; the sum minus the work is constant."""
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
    return [Panel("energy", "energy", "energy", lines, floor, keeps_zero_lines=True)]


def power(result: Result, chosen: Selection) -> list[Panel]:
    """Panel with the power of each drive, actuator, load and coupling, and their sum if there are several.

    Springs are not included, because they store energy.
    """
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
    """Power below which a value counts as round-off.

    It is the round-off of moments times the fastest rate, or a fraction of the largest power if that is larger.
    """
    fastest = max(
        (float(np.abs(joint.rate).max(initial=0.0)) for joint in result.joints.values()), default=0.0
    )
    return max(noise_floor(result)["N m"] * fastest, ROUND_OFF * max(line.largest for line in lines))


SMALL = 1e-3
"""The note of a plane diagram of points in space states the range of the omitted coordinate if it is larger than this,
relative to the largest range of the three coordinates."""


def widest_plane(points: np.ndarray, words: str, unit: str) -> tuple[np.ndarray, tuple[str, str], str]:
    """Project points in space onto the coordinate plane in which their ranges are largest.

    Returns the points (n × 2), the labels of the two axes, and a note on the omitted coordinate. Points with two
    coordinates are unchanged. `words` is the name of a vector in the labels, empty for positions.
    """
    names = [f"{words} along {axis}" if words else axis for axis in "xyz"]
    if points.shape[1] == 2:
        return points, (names[0], names[1]), ""
    spreads = np.ptp(np.vstack([points, np.zeros(3)]) if words else points, axis=0)
    hidden = int(np.argmin(spreads))
    kept = [k for k in range(3) if k != hidden]
    note = ""
    if spreads[hidden] > SMALL * spreads.max():
        note = f"seen along {'xyz'[hidden]}, range {spreads[hidden]:.3g} {unit}"
    return points[:, kept], (names[kept[0]], names[kept[1]]), note


STILL = 1e-9
"""Largest displacement of a point that counts as being at rest, relative to the characteristic length."""


def paths(result: Result, chosen: Selection) -> list[Diagram]:
    """Diagram of the paths of markers in the inertial frame."""
    return _of_markers(result, chosen, "paths", "length", result.marker, ("", "m"))


def hodograph(result: Result, chosen: Selection) -> list[Diagram]:
    """Diagram of the hodographs of markers, the curves of their velocity vectors drawn from one origin."""
    return _of_markers(result, chosen, "hodograph", "speed", result.velocity, ("velocity", "m/s"))


def _of_markers(
    result: Result,
    chosen: Selection,
    name: str,
    quantity: str,
    read: Callable[[str], np.ndarray],
    words: tuple[str, str],
) -> list[Diagram]:
    """One diagram with the curves of all markers; in space, projected along the axis with the smallest range.

    `name` is the name of the plot, and `quantity` the quantity on its axes by which their unit is selected. `read`
    returns the points of the curve of a marker; `words` are the name of the vector in axis labels and its SI unit.
    """
    markers, note = (list(chosen.markers), "") if chosen.markers else moving_points(result)
    if not markers:
        return []
    points = [read(marker) for marker in markers]
    flat, (across, up), hidden = widest_plane(np.vstack(points), *words)
    parts = np.split(flat, len(markers))
    lines = [Line(marker, marker, part) for marker, part in zip(markers, parts, strict=True)]
    which = markers[0] if len(markers) == 1 else "markers"
    title = f"{'velocity' if name == 'hodograph' else 'path' if len(markers) == 1 else 'paths'} of {which}"
    note = "; ".join(part for part in (note, hidden) if part)
    origin = name == "hodograph"
    return [Diagram(name, title, quantity, lines, 0.0, note, across, up, origin=origin)]


def moving_points(result: Result) -> tuple[list[str], str]:
    """Names of moving markers at joints and free ends of bodies, and a note if some are omitted.

    If there are many such markers, those whose paths have the largest extents are returned.
    """
    found: dict[str, np.ndarray] = {}
    for reference in (*_at_joints(result), *_ends(result)):
        path = result.marker(reference)
        if np.ptp(path, axis=0).max(initial=0.0) > STILL * result.plan.length and not any(
            np.allclose(path, other) for other in found.values()
        ):
            found[reference] = path
    widest = sorted(found, key=lambda reference: -float(np.ptp(found[reference], axis=0).max()))[:MOST_SHOWN]
    kept = [reference for reference in found if reference in widest]
    return kept, "" if len(kept) == len(found) else f"{len(kept)} of {len(found)} moving points"


def _at_joints(result: Result) -> list[str]:
    """For every joint, the name of its marker on a moving body."""
    joints = result.joints.values()
    return [joint.first if body_of(joint.second) == GROUND else joint.second for joint in joints]


def _ends(result: Result) -> list[str]:
    """Names of the outline markers of all bodies except barrels and rods of struts, whose ends are hidden."""
    bodies = [body for body in result.mechanism.moving if "/" not in body.name]
    return [f"{body.name}.{marker}" for body in bodies for marker in body.outline]
