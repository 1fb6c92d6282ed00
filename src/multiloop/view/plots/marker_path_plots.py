"""Diagrams of markers: their paths, and hodographs of their velocities."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from multiloop.analyses import Result
from multiloop.model import GROUND
from multiloop.model.markers import body_of
from multiloop.view.plots.plot_data import MOST_SHOWN, Diagram, Line, Selection

SMALL = 1e-3
"""Range of the omitted coordinate, relative to the largest, below which it is not mentioned in the note."""


def widest_plane(points: np.ndarray, words: str, unit: str) -> tuple[np.ndarray, tuple[str, str], str]:
    """Points in the plane, the labels of its axes, and a note on the omitted coordinate.

    Points with two coordinates are unchanged.
    """
    names = [f"{words} along {axis}" if words else axis for axis in "xyz"]
    if points.shape[1] == 2:
        return points, (names[0], names[1]), ""
    spreads = np.ptp(np.vstack([points, np.zeros(3)]) if words else points, axis=0)
    hidden = int(np.argmin(spreads))
    kept = [k for k in range(3) if k != hidden]
    note = ""
    if spreads[hidden] > SMALL * spreads.max():
        note = f"seen along {'xyz'[hidden]}, over which it runs {spreads[hidden]:.3g} {unit}"
    return points[:, kept], (names[kept[0]], names[kept[1]]), note


STILL = 1e-9
"""Displacement relative to the characteristic length below which a point counts as at rest."""


def paths(result: Result, chosen: Selection) -> list[Diagram]:
    """Paths of markers in the inertial frame."""
    return _of_markers(result, chosen, "paths", "length", result.marker, ("", "m"))


def hodograph(result: Result, chosen: Selection) -> list[Diagram]:
    """Hodographs of markers: velocity vectors drawn from one origin."""
    return _of_markers(result, chosen, "hodograph", "speed", result.velocity, ("velocity", "m/s"))


def _of_markers(
    result: Result,
    chosen: Selection,
    name: str,
    quantity: str,
    read: Callable[[str], np.ndarray],
    words: tuple[str, str],
) -> list[Diagram]:
    """All markers in one diagram; in space projected along the axis of the smallest range."""
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
    """Moving markers at joints and free ends, those with the longest paths, and a note on those left out."""
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
    """One marker of every joint, on a moving body."""
    joints = result.joints.values()
    return [joint.first if body_of(joint.second) == GROUND else joint.second for joint in joints]


def _ends(result: Result) -> list[str]:
    """Outline markers of all bodies except barrels and rods of struts, whose ends are hidden."""
    bodies = [body for body in result.mechanism.moving if "/" not in body.name]
    return [f"{body.name}.{marker}" for body in bodies for marker in body.outline]
