"""Symbols of markers that carry no joint, and of markers whose path is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from multiloop.model import GROUND, Load, Motion
from multiloop.view.colours import DRIVE, GREY, INK, PAPER, shaded
from multiloop.view.drawing import DRIVE_LEVEL, GROUND_LEVEL, JOINT_LEVEL, Drawing
from multiloop.view.links import draw_arm
from multiloop.view.pieces import across_page, hatched
from multiloop.view.traces import Trace


@dataclass(frozen=True, eq=False)
class Mark:
    """A marker `of` "body.marker" with its label, its position, and the colour of the label."""

    of: str
    words: str
    place: np.ndarray
    colour: str


def marks_of(drawing: Drawing) -> list[Mark]:
    """Markers to be labelled: those without a joint, and those with a prescribed motion that no joint names."""
    scene = drawing.scene
    found = [
        Mark(f"{body}.{name}", name, place, _colour(drawing, body))
        for body, name, place in scene.free_markers
    ]
    joints = [site.place for site in scene.sites]
    for motion in scene.mechanism.drives:
        if motion.on_marker and not scene.among(scene.point(motion.of), joints):
            found.append(Mark(motion.of, motion.of.partition(".")[2], scene.point(motion.of), DRIVE))
    return found


def draw_marker(drawing: Drawing, body: str, place: np.ndarray) -> None:
    """Draw a small diamond in the colour of its body, connected by a thin line where it is off the body.

    A marker at the mass centre has no symbol, because the mass centre has one.
    """
    if body != GROUND:
        draw_arm(drawing, drawing.shapes[body], place)
    if body == GROUND or not drawing.scene.among(place, [drawing.scene.point(f"{body}.com")]):
        level = drawing.levels[body] + 0.015 if drawing.canvas.spatial else JOINT_LEVEL - 0.1
        drawing.canvas.dot(place, 4.0, PAPER, _colour(drawing, body), level=level, marker="D", width=1.1)
        drawing.obstacles.add_disc(drawing.canvas.page(place), 3.0)


def draw_hold(drawing: Drawing, load: Load) -> None:
    """Draw the attachments of a load: a thin line to a body, or a piece of ground at the end of a spring."""
    for marker, other in zip(load.markers, load.markers[::-1], strict=True):
        body, place = marker.partition(".")[0], drawing.scene.point(marker)
        if body != GROUND:
            draw_arm(drawing, drawing.shapes[body], place)
        elif other != marker:
            _draw_anchor(drawing, place, drawing.scene.point(other))


def draw_moved_marker(drawing: Drawing, motion: Motion) -> None:
    """Draw a ring at a marker whose motion is prescribed."""
    place = drawing.scene.point(motion.of)
    drawing.canvas.dot(place, 13.0, "none", DRIVE, level=DRIVE_LEVEL, width=1.6)
    drawing.canvas.dot(place, 4.0, PAPER, INK, level=DRIVE_LEVEL)
    drawing.obstacles.add_disc(drawing.canvas.page(place), 8.0)


def draw_traces(drawing: Drawing, traces: Sequence[Trace]) -> list[Mark]:
    """Draw paths as thin dashed lines with a dot at the marker; returns the markers that have no other label."""
    canvas, found = drawing.canvas, []
    free = [place for _, _, place in drawing.scene.free_markers]
    joints = [site.place for site in drawing.scene.sites]
    for trace in traces:
        dashes = (1, 2) if trace.dotted else (5, 2)
        canvas.line(trace.points, GREY, 1.1, level=GROUND_LEVEL, style=(0, dashes))
        drawing.obstacles.add_line(canvas.page(trace.points), 0.5)
        if trace.marker:
            place = drawing.scene.point(trace.marker)
            canvas.dot(place, 3.6, INK, INK, level=DRIVE_LEVEL)
            drawing.obstacles.add_disc(canvas.page(place), 3.0)
            if not drawing.scene.among(place, [*free, *joints]):
                found.append(Mark(trace.marker, trace.marker, place, GREY))
    return found


def _draw_anchor(drawing: Drawing, place: np.ndarray, other: np.ndarray) -> None:
    """Draw a piece of ground across the line to another point, unless a joint is on the ground there."""
    canvas, way = drawing.canvas, place - other
    far = float(np.linalg.norm(way)) > 6 * canvas.unit
    if far and not drawing.scene.among(place, [site.place for site in drawing.scene.sites]):
        across = 11 * canvas.unit * across_page(canvas, way)
        hatched(canvas, place - across, place + across, way / np.linalg.norm(way), level=GROUND_LEVEL)
        drawing.obstacles.add_line(canvas.page([place - across, place + across]), 1.0, width=8.0)


def _colour(drawing: Drawing, body: str) -> str:
    return GREY if body == GROUND else shaded(drawing.colours[body], 0.72)
