"""Markers that carry no joint, and points whose path is drawn: a small mark each, with its name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from multiloop.model import GROUND
from multiloop.view.colours import DRIVE, GREY, INK, PAPER, shaded
from multiloop.view.drawing import DRIVE_LEVEL, GROUND_LEVEL, JOINT_LEVEL, Drawing
from multiloop.view.links import draw_arm
from multiloop.view.pieces import across_page, hatched
from multiloop.view.traces import Trace


@dataclass(frozen=True, eq=False)
class Mark:
    """A marker by the name that is written beside it, where it is, and in which colour."""

    words: str
    place: np.ndarray
    colour: str


def draw_markers(drawing: Drawing) -> list[Mark]:
    """A small diamond at every free marker, in the colour of its body; returns them for their names.

    One at a mass centre has the symbol of that already. What lies off the body, here and where loads act, has a thin
    arm that leads to it; a spring that hangs on the ground hangs on a piece of it.
    """
    found, scene = [], drawing.scene
    centres = [scene.point(f"{body.name}.com") for body in scene.mechanism.moving]
    for load in scene.mechanism.loads:
        for marker, other in zip(load.markers, load.markers[::-1], strict=True):
            body, place = marker.partition(".")[0], scene.point(marker)
            if body != GROUND:
                draw_arm(drawing, drawing.shapes[body], place)
            elif other != marker:
                _draw_anchor(drawing, place, scene.point(other))
    for body, name, place in scene.free_markers:
        colour = GREY if body == GROUND else shaded(drawing.colours[body], 0.72)
        if body != GROUND:
            draw_arm(drawing, drawing.shapes[body], place)
        if not scene.among(place, centres):
            drawing.canvas.dot(place, 4.0, PAPER, colour, level=_level(drawing, body), marker="D", width=1.1)
            drawing.obstacles.add_disc(drawing.canvas.page(place), 3.0)
        found.append(Mark(name, place, colour))
    return found


def draw_traces(drawing: Drawing, traces: Sequence[Trace]) -> list[Mark]:
    """Paths as thin dashed lines, each with a dot where its marker is now; returns those that nothing else names."""
    canvas, found = drawing.canvas, []
    free = [place for _, _, place in drawing.scene.free_markers]
    joints = [site.place for site in drawing.scene.sites]
    for trace in traces:
        canvas.line(trace.points, GREY, 1.1, level=GROUND_LEVEL, style=(0, (5, 2)))
        drawing.obstacles.add_line(canvas.page(trace.points), 0.5)
        if trace.marker:
            place = drawing.scene.point(trace.marker)
            canvas.dot(place, 3.6, INK, INK, level=DRIVE_LEVEL)
            drawing.obstacles.add_disc(canvas.page(place), 3.0)
            if not drawing.scene.among(place, [*free, *joints]):
                found.append(Mark(trace.marker, place, GREY))
    return found


def draw_moved_markers(drawing: Drawing) -> list[Mark]:
    """A ring at every marker whose motion is prescribed; returns those that no joint names."""
    found = []
    joints = [site.place for site in drawing.scene.sites]
    for motion in drawing.scene.mechanism.drives:
        if motion.on_marker and motion.of.partition(".")[0] != GROUND:
            place = drawing.scene.point(motion.of)
            drawing.canvas.dot(place, 13.0, "none", DRIVE, level=DRIVE_LEVEL, width=1.6)
            drawing.canvas.dot(place, 4.0, PAPER, INK, level=DRIVE_LEVEL)
            drawing.obstacles.add_disc(drawing.canvas.page(place), 8.0)
            if not drawing.scene.among(place, joints):
                found.append(Mark(motion.of.partition(".")[2], place, DRIVE))
    return found


def _draw_anchor(drawing: Drawing, place: np.ndarray, other: np.ndarray) -> None:
    """A piece of ground across the line to another point; none where a joint stands on the ground already."""
    canvas, way = drawing.canvas, place - other
    far = float(np.linalg.norm(way)) > 6 * canvas.unit
    if far and not drawing.scene.among(place, [site.place for site in drawing.scene.sites]):
        across = 8 * canvas.unit * across_page(canvas, way)
        hatched(canvas, place - across, place + across, way / np.linalg.norm(way), level=GROUND_LEVEL)
        drawing.obstacles.add_line(canvas.page([place - across, place + across]), 1.0, width=8.0)


def _level(drawing: Drawing, body: str) -> float:
    if not drawing.canvas.spatial:
        return JOINT_LEVEL - 0.1
    return drawing.levels[body] + 0.015
