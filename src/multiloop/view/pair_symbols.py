"""Symbols of pairs, in the plane and in space; a new one is one function here and one line in `PAIRED`."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from multiloop.model import Cam, Coupling, Gearing, PointOnCurve
from multiloop.view.cam_symbols import cam, extent_of_cam, slot
from multiloop.view.colours import GREY, INK, PAPER
from multiloop.view.drawing import JOINT_LEVEL, Drawing
from multiloop.view.gear_symbols import line_to_name
from multiloop.view.rolling_symbols import ball, contact_of, extent_of_wheel, rolling, skate
from multiloop.view.scene import Scene, Site

DASHES = (0, (4, 2.5))


def distance(drawing: Drawing, site: Site) -> None:
    """Draw a thin line between two small rings; a distance has no mass and hence no body."""
    canvas, ends = drawing.canvas, (site.F[:, 3], site.S[:, 3])
    level = drawing.joint_level(site) if canvas.spatial else JOINT_LEVEL
    canvas.line(ends, INK, 1.4, level=level - 0.01)
    for end in ends:
        canvas.dot(end, 5.0, PAPER, INK, level=level)
        drawing.obstacles.add_disc(canvas.page(end), 4.0)
    drawing.obstacles.add_line(canvas.page([*ends]), 1.0, width=2.0)


def between_markers(drawing: Drawing, site: Site) -> None:
    """Draw a pair without a specific symbol as a thin dashed line between two dots."""
    canvas, ends = drawing.canvas, (site.F[:, 3], site.S[:, 3])
    level = drawing.joint_level(site)
    canvas.line(ends, INK, 1.1, level=level - 0.01, style=DASHES)
    for end in ends:
        canvas.dot(end, 3.6, INK, INK, level=level)
    drawing.obstacles.add_line(canvas.page([*ends]), 1.0, width=2.0)


def draw_tie(drawing: Drawing, places: np.ndarray) -> None:
    """Draw a coupling as a thin dashed line from joint to joint."""
    drawing.canvas.line(places, GREY, 1.1, level=JOINT_LEVEL - 0.02, style=DASHES)
    drawing.obstacles.add_line(drawing.canvas.page(places), 0.8)


def tie_places(scene: Scene, coupling: Coupling) -> np.ndarray:
    """The line next to which a coupling is labelled, from joint to joint; for gears the point where the teeth mesh."""
    return line_to_name(scene, coupling) if isinstance(coupling, Gearing) else dict(scene.ties)[coupling.name]


def extent_of(site: Site, planar: bool) -> list[np.ndarray]:
    """Points that must be on the page, besides the markers of the pair."""
    if isinstance(site.joint, Cam | PointOnCurve):
        return extent_of_cam(site)
    return extent_of_wheel(site, planar)


PAIRED: dict[str, Callable[[Drawing, Site], None]] = {
    "Cam": cam,
    "Distance": distance,
    "PointOnCurve": slot,
    "Rolling": rolling,
    "RollingBall": ball,
    "Skate": skate,
}

__all__ = ["PAIRED", "between_markers", "contact_of", "distance", "draw_tie", "extent_of", "tie_places"]
