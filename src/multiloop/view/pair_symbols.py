"""Pairs on paper, in the plane and in space; a new one is one function here and one line in PAIRED."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from multiloop.model import GROUND, Cam, PointOnCurve, Rolling
from multiloop.model.markers import value_of
from multiloop.view.cam_symbols import cam, extent_of_cam, slot
from multiloop.view.colours import GREY, INK, PALE, PAPER, shaded
from multiloop.view.drawing import BODY_LEVEL, GROUND_LEVEL, JOINT_LEVEL, Drawing
from multiloop.view.pieces import hatched
from multiloop.view.scene import Site

DASHES = (0, (4, 2.5))
ROAD = 1.4
"""Radii that the road reaches to either side of a wheel."""


def distance(drawing: Drawing, site: Site) -> None:
    """A thin line between two small rings: it has no mass, and so no body."""
    canvas, ends = drawing.canvas, (site.F[:, 3], site.S[:, 3])
    level = drawing.joint_level(site) if canvas.spatial else JOINT_LEVEL
    canvas.line(ends, INK, 1.4, level=level - 0.01)
    for end in ends:
        canvas.dot(end, 5.0, PAPER, INK, level=level)
        drawing.obstacles.add_disc(canvas.page(end), 4.0)
    drawing.obstacles.add_line(canvas.page([*ends]), 1.0, width=2.0)


def rolling(drawing: Drawing, site: Site) -> None:
    """A wheel with a spoke, so that its turning is seen, on a piece of road."""
    canvas, planar = drawing.canvas, drawing.scene.planar
    face, edge = drawing.look(site.first) if site.first != GROUND else (PALE, GREY)
    level = drawing.levels[site.first] - 0.02 if canvas.spatial else BODY_LEVEL  # in the plane below all bars
    centre, rim = site.F[:, 3], _rim(site)
    _road(drawing, site)
    canvas.area(rim, face, edge, 1.8, level=level, alpha=0.45)
    canvas.line([centre, rim[0]], shaded(edge, 0.9), 1.8, level=level + 1e-3)
    canvas.dot(centre, 4.0, INK, INK, level=drawing.joint_level(site))
    canvas.dot(contact_of(site, planar), 3.2, INK, INK, level=drawing.joint_level(site))
    drawing.obstacles.add_line(canvas.page(np.vstack([rim, rim[:1]])), 0.6)
    drawing.obstacles.add_line(canvas.page([centre, rim[0]]), 1.0)


def _road(drawing: Drawing, site: Site) -> None:
    """A line through the point of contact, hatched where it is the ground; in space a patch of the plane."""
    canvas, planar = drawing.canvas, drawing.scene.planar
    touch, patch = contact_of(site, planar), _patch(site, planar)
    level = drawing.levels[site.second] - 0.03 if site.second != GROUND else GROUND_LEVEL
    if not planar:
        canvas.area(patch, PALE, GREY, 0.9, level=level, alpha=0.7)
    elif site.second == GROUND:
        hatched(canvas, patch[0], patch[1], -site.S[:, 1], level=level)
    else:
        canvas.line(patch, drawing.look(site.second)[1], 1.6, level=level)
    drawing.obstacles.add_line(canvas.page(patch), 1.0, width=8.0 if planar else 1.0)
    drawing.obstacles.add_disc(canvas.page(touch), 3.0)


def _patch(site: Site, planar: bool) -> list[np.ndarray]:
    """The ends of the piece of road in the plane, its corners in space."""
    touch = contact_of(site, planar)
    e1, e2 = (ROAD * _radius(site) * site.S[:, k] for k in (0, 1))
    if planar:
        return [touch - e1, touch + e1]
    return [touch - e1 - e2, touch + e1 - e2, touch + e1 + e2, touch - e1 + e2]


def contact_of(site: Site, planar: bool) -> np.ndarray:
    """Where the rim touches the road: the lowest point of the wheel, seen from the road."""
    axle, n = site.F[:, 2], site.S[:, 1 if planar else 2]
    down = (n @ axle) * axle - n
    lowest: np.ndarray = site.F[:, 3] + _radius(site) * down / max(float(np.linalg.norm(down)), 1e-12)
    return lowest


def extent_of(site: Site, planar: bool) -> list[np.ndarray]:
    """Points that must be on the paper, besides those of its markers."""
    if isinstance(site.joint, Cam | PointOnCurve):
        return extent_of_cam(site)
    if not isinstance(site.joint, Rolling):
        return []
    return [*_rim(site)[::6], *_patch(site, planar)]


def _rim(site: Site) -> np.ndarray:
    """Points around the wheel, the first of them on its x axis."""
    turn = np.linspace(0.0, 2 * np.pi, 72, endpoint=False)[:, None]
    ways = np.cos(turn) * site.F[:, 0] + np.sin(turn) * site.F[:, 1]
    points: np.ndarray = site.F[:, 3] + _radius(site) * ways
    return points


def _radius(site: Site) -> float:
    return value_of(site.joint.radius) or 0.0 if isinstance(site.joint, Rolling) else 0.0


def between_markers(drawing: Drawing, site: Site) -> None:
    """Any pair without a symbol of its own: a thin dashed line between two dots."""
    canvas, ends = drawing.canvas, (site.F[:, 3], site.S[:, 3])
    level = drawing.joint_level(site)
    canvas.line(ends, INK, 1.1, level=level - 0.01, style=DASHES)
    for end in ends:
        canvas.dot(end, 3.6, INK, INK, level=level)
    drawing.obstacles.add_line(canvas.page([*ends]), 1.0, width=2.0)


def draw_tie(drawing: Drawing, places: np.ndarray) -> None:
    """A coupling: a thin dashed line from joint to joint."""
    drawing.canvas.line(places, GREY, 1.1, level=JOINT_LEVEL - 0.02, style=DASHES)
    drawing.obstacles.add_line(drawing.canvas.page(places), 0.8)


PAIRED: dict[str, Callable[[Drawing, Site], None]] = {
    "Cam": cam,
    "Distance": distance,
    "PointOnCurve": slot,
    "Rolling": rolling,
}
