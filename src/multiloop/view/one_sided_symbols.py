"""Symbols of unilateral loads: ropes, contacts with a plane, freewheels, and backlash."""

from __future__ import annotations

import numpy as np

from multiloop.model import Backlash, Contact, Freewheel, Rope
from multiloop.model.drives import COMPONENTS
from multiloop.model.markers import value_of
from multiloop.view.colours import LOAD, PAPER, tinted
from multiloop.view.drawing import DRIVE_LEVEL, Drawing
from multiloop.view.pieces import across_page, turning_arrow

LEVEL = DRIVE_LEVEL - 0.3
"""Over bodies and joints, under drives."""

WIDTH = 1.3
"""Width of lines, in points."""


def rope(drawing: Drawing, load: Rope) -> np.ndarray:
    """Draw a line, straight where the rope is taut and sagging where it is slack; returns its middle."""
    canvas = drawing.canvas
    a, b = drawing.scene.point(load.first), drawing.scene.point(load.second)
    apart, length = float(np.linalg.norm(b - a)), drawing.scene.value(load.length) or 0.0
    share = np.linspace(0.0, 1.0, 41)[:, None]
    sag = np.sqrt(max(0.0, 3 / 8 * apart * (length - apart))) if length > apart else 0.0
    down = -canvas.up if not canvas.spatial else np.array([0.0, 0.0, -1.0])
    line = a + share * (b - a) + 4 * sag * share * (1 - share) * down
    canvas.line(line, LOAD, WIDTH, level=LEVEL)
    for end in (a, b):
        canvas.dot(end, 4.0, PAPER, LOAD, level=LEVEL + 0.01, width=1.1)
    drawing.obstacles.add_line(canvas.page(line), 1.5, width=3.0)
    middle: np.ndarray = line[20]
    return middle


def contact(drawing: Drawing, load: Contact) -> np.ndarray:
    """Draw a hatched line for the plane, and the ball if it has a radius; returns the point of contact."""
    canvas, scene = drawing.canvas, drawing.scene
    middle, foot = scene.point(load.first), scene.point(load.second)
    R = scene.frame(load.second)[:, :3]
    n, along = (R[:, 1], R[:, 0]) if scene.planar else (R[:, 2], R[:, 0])
    below: np.ndarray = middle - n * float(np.dot(n, middle - foot))
    ends = [below - 16 * canvas.unit * along, below + 16 * canvas.unit * along]
    canvas.line(ends, LOAD, 1.6 * WIDTH, level=LEVEL)
    for share in np.linspace(0.05, 0.95, 7):
        start = ends[0] + share * (ends[1] - ends[0])
        canvas.line([start, start - canvas.unit * (4 * n + 3 * along)], LOAD, 0.6 * WIDTH, level=LEVEL)
    radius = value_of(load.radius) or 0.0
    if radius:
        turn = np.linspace(0.0, 2 * np.pi, 61)[:, None]
        circle = middle + radius * (np.cos(turn) * along + np.sin(turn) * n)
        canvas.line(circle, LOAD, WIDTH, level=LEVEL)
    else:
        canvas.dot(middle, 4.0, LOAD, LOAD, level=LEVEL + 0.01)
    drawing.obstacles.add_line(canvas.page(ends), 2.0, width=6.0)
    return below


def freewheel(drawing: Drawing, load: Freewheel) -> np.ndarray:
    """Draw a ratchet about the axis with an arrow in the free direction; returns the point of the joint."""
    canvas = drawing.canvas
    site = next(site for site in drawing.scene.sites if site.joint.name == load.joint)
    names = [name for name in site.joint.components(drawing.scene.planar) if name in COMPONENTS]
    axis, way = site.axis(drawing.scene.planar), 1 if load.free == "forward" else -1
    e1 = across_page(canvas, axis) if canvas.spatial else canvas.right
    if (load.component or names[0]) in ("slide", "x", "y", "z"):
        beside = site.place + 11 * canvas.unit * across_page(canvas, axis)
        for k in range(3):
            foot = beside + 7 * (k - 1) * canvas.unit * axis
            tooth = [foot, foot + canvas.unit * (6 * way * axis + 4 * across_page(canvas, axis))]
            canvas.line(tooth, LOAD, WIDTH, level=LEVEL)
        return site.place
    e2 = np.cross(axis, e1) if canvas.spatial else canvas.up
    turn = np.repeat(np.linspace(0.0, 2 * np.pi, 9), 2)[1:-1]
    radius = np.tile([9.0, 12.5], 8) if way < 0 else np.tile([12.5, 9.0], 8)
    ring = site.place + canvas.unit * radius[:, None] * (
        np.cos(turn)[:, None] * e1 + np.sin(turn)[:, None] * e2
    )
    canvas.line(np.vstack([ring, ring[:1]]), LOAD, WIDTH, level=LEVEL)
    turning_arrow(canvas, site.place, (e1, e2), np.pi / 2, way, level=LEVEL, radius=16.0, colour=LOAD)
    drawing.obstacles.add_disc(canvas.page(site.place), 18.0)
    return site.place


def backlash(drawing: Drawing, load: Backlash) -> np.ndarray:
    """Draw a tooth in a wider gap next to every joint at which it acts; returns the point at the first joint."""
    canvas, places = drawing.canvas, []
    for site in (site for site in drawing.scene.sites if site.joint.name in load.joints):
        axis = site.axis(drawing.scene.planar)
        out = across_page(canvas, axis) if canvas.spatial else canvas.up
        along = np.cross(axis, out) if canvas.spatial else canvas.right
        foot, u = site.place + 9 * canvas.unit * out, canvas.unit
        for side in (-1.0, 1.0):
            flank = [foot + u * (x * side * along + y * out) for x, y in ((11, 0), (5, 0), (4, 9))]
            canvas.line(flank, LOAD, 1.6 * WIDTH, level=LEVEL)
        tooth = [foot + u * (x * along + y * out) for x, y in ((-2.6, 11), (-1.2, 2), (1.2, 2), (2.6, 11))]
        canvas.area(np.array(tooth), tinted(LOAD, 0.5), LOAD, WIDTH, level=LEVEL)
        drawing.obstacles.add_disc(canvas.page(foot), 11.0)
        places.append(foot)
    return places[0]
