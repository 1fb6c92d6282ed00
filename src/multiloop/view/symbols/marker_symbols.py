"""Symbols of markers, bodies and the ground, attachments of loads, and paths of markers with their labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from multiloop.model import GROUND, DrawingError, Load, Mechanism, Motion, short_repr, value_of
from multiloop.view.body_outlines import BodyOutline, ground_outline
from multiloop.view.drawing import DRIVE_LEVEL, GROUND_LEVEL, JOINT_LEVEL, Drawing
from multiloop.view.figure import DRIVE, GREY, INK, PALE, PAPER, drawing_error, shaded
from multiloop.view.label_obstacles import contains, nearest_on
from multiloop.view.symbols.primitives import across_page, draw_hatching, draw_mass_centre

Traces = Sequence[Any] | Mapping[str, Any]
"""Type of paths to be drawn: arrays of points, or arrays of points by the names of markers."""


@dataclass(frozen=True, eq=False)
class Trace:
    """A path to be drawn, as points × 3 in the inertial frame.

    `marker` is the marker "body.marker" that moves along the path, empty if unknown. The line is drawn dotted if
    `dotted` is true, otherwise dashed.
    """

    points: np.ndarray
    marker: str = ""
    dotted: bool = False


def traces_of(mechanism: Mechanism, given: Traces) -> list[Trace]:
    """Paths to be drawn, from arrays of points or from arrays of points by the names of markers."""
    if isinstance(given, str):
        raise _name_without_path(mechanism, given)
    if isinstance(given, Mapping):
        for marker in given:
            mechanism.marker(marker)  # raises an error if the marker does not exist
        return [Trace(_as_points(mechanism, points, f"trace of '{m}'"), m) for m, points in given.items()]
    return [Trace(_as_points(mechanism, points, f"trace {k}")) for k, points in enumerate(given, start=1)]


def _name_without_path(mechanism: Mechanism, name: str) -> DrawingError:
    """Error that the name of a marker is given without a path, which a drawing of one configuration cannot compute."""
    what = f"'{name}' is given without a path, and a drawing of one configuration cannot compute the path of a marker."
    remedy = f'Give its path, traces={{"{name}": result.marker("{name}")}}, or use `Result.plot`, which computes it.'
    return drawing_error(mechanism, "V03", "traces", what, remedy)


def _as_points(mechanism: Mechanism, points: Any, where: str) -> np.ndarray:
    """Convert an array of points (n × 2 or n × 3) to n × 3; raise an error for other values."""
    if isinstance(points, str):
        raise _name_without_path(mechanism, points)
    try:
        found = np.asarray(points, float)
    except (TypeError, ValueError):
        what = f"is {short_repr(points)}, which is not an array of numbers."
        raise drawing_error(
            mechanism,
            "V03",
            where,
            what,
            "Give an array of shape (points, 2) or (points, 3), with at least one point.",
        ) from None
    if found.ndim != 2 or found.shape[1] not in (2, 3) or not len(found):
        what = f"has shape {found.shape}."
        raise drawing_error(
            mechanism,
            "V03",
            where,
            what,
            "Give an array of shape (points, 2) or (points, 3), with at least one point.",
        )
    bad = np.flatnonzero(~np.isfinite(found).all(axis=1))
    if bad.size:
        what = (
            f"has NaN or infinite coordinates at {len(bad)} of {len(found)} points, first at index {bad[0]}."
        )
        raise drawing_error(
            mechanism,
            "V03",
            where,
            what,
            "Leave out these points, or give the parts of the path between them as separate traces.",
        )
    return np.column_stack([found, np.zeros(len(found))]) if found.shape[1] == 2 else found


@dataclass(frozen=True, eq=False)
class NamedMarker:
    """A marker to be labelled: its name `of` ("body.marker"), the text, its position, and the colour of the text."""

    of: str
    words: str
    place: np.ndarray
    colour: str


def named_markers(drawing: Drawing) -> list[NamedMarker]:
    """Markers to be labelled: markers without a joint or load, and markers whose motion is prescribed."""
    scene = drawing.scene
    found = [
        NamedMarker(f"{body}.{name}", name, place, _colour(drawing, body))
        for body, name, place in scene.free_markers
    ]
    joints = [site.place for site in scene.sites]
    for motion in scene.mechanism.drives:
        if motion.on_marker and not scene.contains_point(scene.point(motion.of), joints):
            found.append(NamedMarker(motion.of, motion.of.partition(".")[2], scene.point(motion.of), DRIVE))
    return found


def draw_marker(drawing: Drawing, body: str, place: np.ndarray) -> None:
    """Draw a marker as a small diamond in the colour of its body.

    A thin line connects it to the body if it is outside the drawn outline. A marker at the mass centre is not drawn,
    because the mass centre has a symbol.
    """
    if body != GROUND:
        draw_offset_line(drawing, drawing.outlines[body], place)
    if body == GROUND or not drawing.scene.contains_point(place, [drawing.scene.point(f"{body}.com")]):
        level = drawing.levels[body] + 0.015 if drawing.canvas.spatial else JOINT_LEVEL - 0.1
        drawing.canvas.dot(place, 4.0, PAPER, _colour(drawing, body), level=level, marker="D", width=1.1)
        drawing.obstacles.add_disc(drawing.canvas.page(place), 3.0)


def draw_load_attachments(drawing: Drawing, load: Load) -> None:
    """Draw the attachments of a load: thin lines to the outlines of bodies, or a piece of ground at a spring's end."""
    for marker, other in zip(load.markers, load.markers[::-1], strict=True):
        body, place = marker.partition(".")[0], drawing.scene.point(marker)
        if body != GROUND:
            draw_offset_line(drawing, drawing.outlines[body], place)
        elif other != marker:
            _draw_anchor(drawing, place, drawing.scene.point(other))


def draw_moved_marker(drawing: Drawing, motion: Motion) -> None:
    """Draw a ring at a marker whose motion is prescribed."""
    place = drawing.scene.point(motion.of)
    drawing.canvas.dot(place, 13.0, "none", DRIVE, level=DRIVE_LEVEL, width=1.6)
    drawing.canvas.dot(place, 4.0, PAPER, INK, level=DRIVE_LEVEL)
    drawing.obstacles.add_disc(drawing.canvas.page(place), 8.0)


def draw_traces(drawing: Drawing, traces: Sequence[Trace]) -> list[NamedMarker]:
    """Draw paths as thin dashed lines with a dot at the marker of each path; returns the markers still to be labelled.

    A marker at a joint or at a labelled marker is not returned.
    """
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
            if not drawing.scene.contains_point(place, [*free, *joints]):
                found.append(NamedMarker(trace.marker, trace.marker, place, GREY))
    return found


def _draw_anchor(drawing: Drawing, place: np.ndarray, other: np.ndarray) -> None:
    """Draw a piece of ground at `place`, perpendicular to the line to the point `other`, unless a joint is at
    `place`."""
    canvas, direction = drawing.canvas, place - other
    far = float(np.linalg.norm(direction)) > 6 * canvas.unit
    if far and not drawing.scene.contains_point(place, [site.place for site in drawing.scene.sites]):
        across = 11 * canvas.unit * across_page(canvas, direction)
        draw_hatching(
            canvas, place - across, place + across, direction / np.linalg.norm(direction), level=GROUND_LEVEL
        )
        drawing.obstacles.add_line(canvas.page([place - across, place + across]), 1.0, width=8.0)


def _colour(drawing: Drawing, body: str) -> str:
    return GREY if body == GROUND else shaded(drawing.colours[body], 0.72)


BRACKET = 0.6
"""Drawn width of a bracket relative to the width of its bar."""


def draw_body(drawing: Drawing, shape: BodyOutline) -> None:
    """Draw a body as a bar, plate or solid, with its mass centre."""
    if shape.lines is not None:
        _draw_solid(drawing, shape)
    elif shape.closed:
        _draw_plate(drawing, shape)
    elif len(shape.points) > 1:
        _draw_bar(drawing, shape)
        _draw_brackets(drawing, shape)
    drawing.obstacles.add_line(drawing.canvas.page(shape.ring), width=drawing.bar_width * shape.width)
    if value_of(drawing.scene.mechanism.body(shape.body).mass):
        _draw_mass_centre(drawing, shape)


def _draw_bar(drawing: Drawing, shape: BodyOutline) -> None:
    canvas, level = drawing.canvas, drawing.levels[shape.body]
    face, edge = drawing.face_and_edge(shape.body)
    width = drawing.bar_width * shape.width
    points = shape.points
    cap = "round" if shape.width == 1.0 else "butt"
    # a white rim along the bar shows which of two crossing bars is in front; the ends have none
    rim = min(0.45, 28 / float(np.linalg.norm(canvas.page(points[-1]) - canvas.page(points[0])) + 1e-9))
    if shape.width >= 1.0:
        canvas.line(_shortened(points, rim), PAPER, width + 4.5, level=level, cap="butt")
    canvas.line(points, edge, width + 2, level=level + 1e-4, cap=cap)
    canvas.line(points, face, width, level=level + 2e-4, cap=cap)


def _draw_brackets(drawing: Drawing, shape: BodyOutline) -> None:
    """Draw the brackets between the centreline of a flexible beam and joints that are not on it.

    No edges are drawn where the brackets meet the bar of the beam.
    """
    canvas, level = drawing.canvas, drawing.levels[shape.body]
    face, edge = drawing.face_and_edge(shape.body)
    for arm in () if shape.brackets is None else shape.brackets:
        canvas.line(arm, edge, BRACKET * drawing.bar_width + 2, level=level + 0.5e-4)
        canvas.line(arm, face, BRACKET * drawing.bar_width, level=level + 1.5e-4)
        drawing.obstacles.add_line(canvas.page(arm), width=BRACKET * drawing.bar_width)


def _shortened(points: np.ndarray, rim: float) -> np.ndarray:
    """A line shortened at both ends by the fraction `rim`; the number of points is kept, as films require."""
    steps = np.linalg.norm(np.diff(points, axis=0), axis=1)
    share = np.append(0.0, np.cumsum(steps)) / max(float(steps.sum()), 1e-300)
    kept = np.clip(share, rim, 1 - rim)
    return np.column_stack([np.interp(kept, share, column) for column in points.T])


def _draw_plate(drawing: Drawing, shape: BodyOutline) -> None:
    canvas, level = drawing.canvas, drawing.levels[shape.body]
    face, edge = drawing.face_and_edge(shape.body)
    if canvas.spatial:
        canvas.area(shape.points, face, edge, 1.6, level=level, alpha=0.85)
    else:
        canvas.area(shape.points, edge, edge, drawing.bar_width + 2, level=level)
        canvas.area(shape.points, face, face, drawing.bar_width, level=level + 2e-4)


def _draw_solid(drawing: Drawing, shape: BodyOutline) -> None:
    """Draw a flexible solid: in the plane as a filled outline with the edges of holes, in space as its edges."""
    canvas, level = drawing.canvas, drawing.levels[shape.body]
    face, edge = drawing.face_and_edge(shape.body)
    if not canvas.spatial:
        canvas.area(shape.points, face, edge, 1.4, level=level)
    assert shape.lines is not None
    pieces = [(a, b) for line in shape.lines for a, b in pairwise(line)]
    if pieces:
        canvas.strokes(pieces, edge, 1.4, level=level + 2e-4)


def _draw_mass_centre(drawing: Drawing, shape: BodyOutline) -> None:
    """Draw the mass centre of a body, connected to the body by a thin line if it is outside the drawn outline."""
    canvas, level = drawing.canvas, drawing.levels[shape.body]
    com = drawing.scene.point(f"{shape.body}.com")
    draw_offset_line(drawing, shape, com)
    draw_mass_centre(canvas, com, level=level + (0.01 if canvas.spatial else 1.0))
    drawing.obstacles.add_disc(canvas.page(com), 4.0, 1.0)


def draw_offset_line(drawing: Drawing, shape: BodyOutline, place: np.ndarray) -> None:
    """Draw a thin line from the outline of a body to one of its points, if that is outside the outline."""
    canvas = drawing.canvas
    foot = nearest_on(shape.ring, place)
    inside = shape.closed and contains(canvas.page(shape.points), canvas.page(place))
    if np.linalg.norm(place - foot) > 4 * canvas.unit and not inside:
        edge, level = drawing.face_and_edge(shape.body)[1], drawing.levels[shape.body]
        canvas.line([foot, place], edge, 1.3, level=level)
        drawing.obstacles.add_line(canvas.page([foot, place]))


def draw_ground(drawing: Drawing) -> None:
    """Draw the ground of a spatial mechanism as a pale area through the joints on the ground."""
    points = ground_outline(drawing.scene)
    if len(points) > 2:
        drawing.canvas.area(points, PALE, PALE, 6.0, level=GROUND_LEVEL)
    elif len(points) == 2:
        drawing.canvas.line(points, GREY, 1.0, level=GROUND_LEVEL, style=(0, (5, 4)))
    if len(points) > 1:
        drawing.obstacles.add_line(drawing.canvas.page(points), 0.3)
