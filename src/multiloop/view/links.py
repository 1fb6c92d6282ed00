"""Symbols of bodies: bars with rounded ends, plates, solids, and their mass centres."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from multiloop.model.markers import value_of
from multiloop.view.colours import GREY, PALE, PAPER
from multiloop.view.drawing import GROUND_LEVEL, Drawing
from multiloop.view.outlines import contains, nearest_on
from multiloop.view.pieces import mass_centre
from multiloop.view.shapes import Shape, ground_shape

BRACKET = 0.6
"""Width of a bracket relative to that of its bar."""


def draw_body(drawing: Drawing, shape: Shape) -> None:
    """Draw a body as a bar, plate or solid, with its mass centre."""
    if shape.lines is not None:
        _draw_solid(drawing, shape)
    elif shape.closed:
        _draw_plate(drawing, shape)
    elif len(shape.points) > 1:
        _draw_bar(drawing, shape)
        _draw_brackets(drawing, shape)
    drawing.obstacles.add_line(drawing.canvas.page(shape.ring), width=drawing.bar * shape.width)
    if value_of(drawing.scene.mechanism.body(shape.body).mass):
        _draw_mass_centre(drawing, shape)


def _draw_bar(drawing: Drawing, shape: Shape) -> None:
    canvas, level = drawing.canvas, drawing.levels[shape.body]
    face, edge = drawing.look(shape.body)
    width = drawing.bar * shape.width
    points = shape.points
    cap = "round" if shape.width == 1.0 else "butt"
    # a white rim, except at the ends, shows which of two crossing bars is in front
    rim = min(0.45, 28 / float(np.linalg.norm(canvas.page(points[-1]) - canvas.page(points[0])) + 1e-9))
    if shape.width >= 1.0:
        canvas.line(_shortened(points, rim), PAPER, width + 4.5, level=level, cap="butt")
    canvas.line(points, edge, width + 2, level=level + 1e-4, cap=cap)
    canvas.line(points, face, width, level=level + 2e-4, cap=cap)


def _draw_brackets(drawing: Drawing, shape: Shape) -> None:
    """Draw the brackets that carry joints off the centreline of a flexible link, merged with its bar."""
    canvas, level = drawing.canvas, drawing.levels[shape.body]
    face, edge = drawing.look(shape.body)
    for arm in () if shape.arms is None else shape.arms:
        canvas.line(arm, edge, BRACKET * drawing.bar + 2, level=level + 0.5e-4)
        canvas.line(arm, face, BRACKET * drawing.bar, level=level + 1.5e-4)
        drawing.obstacles.add_line(canvas.page(arm), width=BRACKET * drawing.bar)


def _shortened(points: np.ndarray, rim: float) -> np.ndarray:
    """A line shortened at both ends; it keeps its number of points, which a film requires."""
    steps = np.linalg.norm(np.diff(points, axis=0), axis=1)
    share = np.append(0.0, np.cumsum(steps)) / max(float(steps.sum()), 1e-300)
    kept = np.clip(share, rim, 1 - rim)
    return np.column_stack([np.interp(kept, share, column) for column in points.T])


def _draw_plate(drawing: Drawing, shape: Shape) -> None:
    canvas, level = drawing.canvas, drawing.levels[shape.body]
    face, edge = drawing.look(shape.body)
    if canvas.spatial:
        canvas.area(shape.points, face, edge, 1.6, level=level, alpha=0.85)
    else:
        canvas.area(shape.points, edge, edge, drawing.bar + 2, level=level)
        canvas.area(shape.points, face, face, drawing.bar, level=level + 2e-4)


def _draw_solid(drawing: Drawing, shape: Shape) -> None:
    """Draw a solid: in the plane its filled outline with holes, in space its edges."""
    canvas, level = drawing.canvas, drawing.levels[shape.body]
    face, edge = drawing.look(shape.body)
    if not canvas.spatial:
        canvas.area(shape.points, face, edge, 1.4, level=level)
    assert shape.lines is not None
    pieces = [(a, b) for line in shape.lines for a, b in pairwise(line)]
    if pieces:
        canvas.strokes(pieces, edge, 1.4, level=level + 2e-4)


def _draw_mass_centre(drawing: Drawing, shape: Shape) -> None:
    """Draw the mass centre, connected by a thin line where it is off the body."""
    canvas, level = drawing.canvas, drawing.levels[shape.body]
    com = drawing.scene.point(f"{shape.body}.com")
    draw_arm(drawing, shape, com)
    mass_centre(canvas, com, level=level + (0.01 if canvas.spatial else 1.0))
    drawing.obstacles.add_disc(canvas.page(com), 4.0, 1.0)


def draw_arm(drawing: Drawing, shape: Shape, place: np.ndarray) -> None:
    """Draw a thin line from a body to one of its points that is off the drawn outline."""
    canvas = drawing.canvas
    foot = nearest_on(shape.ring, place)
    inside = shape.closed and contains(canvas.page(shape.points), canvas.page(place))
    if np.linalg.norm(place - foot) > 4 * canvas.unit and not inside:
        edge, level = drawing.look(shape.body)[1], drawing.levels[shape.body]
        canvas.line([foot, place], edge, 1.3, level=level)
        drawing.obstacles.add_line(canvas.page([foot, place]))


def draw_base(drawing: Drawing) -> None:
    """Draw the ground of a spatial mechanism as a pale area through its joints."""
    points = ground_shape(drawing.scene)
    if len(points) > 2:
        drawing.canvas.area(points, PALE, PALE, 6.0, level=GROUND_LEVEL)
    elif len(points) == 2:
        drawing.canvas.line(points, GREY, 1.0, level=GROUND_LEVEL, style=(0, (5, 4)))
    if len(points) > 1:
        drawing.obstacles.add_line(drawing.canvas.page(points), 0.3)
