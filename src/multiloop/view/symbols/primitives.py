"""Elements of technical drawings: hatching, arrows, pins, sliding blocks, discs and mass centres."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from multiloop.view.canvas import Canvas
from multiloop.view.figure import DRIVE, GREY, INK, PALE, PAPER


def draw_hatching(canvas: Canvas, a: np.ndarray, b: np.ndarray, away: np.ndarray, *, level: float) -> None:
    """Draw a line that represents the ground, hatched on the side of the unit vector `away`."""
    u, direction = canvas.unit, (b - a) / np.linalg.norm(b - a)
    canvas.line([a, b], GREY, 1.4, level=level, cap="butt")
    count = max(2, round(float(np.linalg.norm(b - a)) / (4.6 * u)))
    feet = a + (np.arange(count)[:, None] + 0.75) / count * (b - a)
    canvas.strokes(
        [(foot, foot + 4.6 * u * (away - 0.9 * direction)) for foot in feet], GREY, 0.9, level=level
    )


def draw_block(
    canvas: Canvas,
    centre: np.ndarray,
    direction: np.ndarray,
    across: np.ndarray,
    size: tuple[float, float],
    look: tuple[str, str],
    *,
    level: float,
) -> None:
    """Draw a rectangle with its length along `direction` and its height along `across`, both unit vectors.

    `size` are its length and height in points of the page, and `look` the colours of its area and its edge.
    """
    d, h = direction * size[0] / 2 * canvas.unit, across * size[1] / 2 * canvas.unit
    canvas.area([centre - d - h, centre + d - h, centre + d + h, centre - d + h], *look, 1.2, level=level)


def draw_pin(canvas: Canvas, centre: np.ndarray, *, several: bool, level: float) -> None:
    """Draw a pin in end view as a circle, with a dot inside if it joins more than two bodies (`several`)."""
    canvas.dot(centre, 9.0, PAPER, INK, level=level, width=1.4)
    if several:
        canvas.dot(centre, 4.0, INK, INK, level=level + 0.01, width=0.5)


def draw_mass_centre(canvas: Canvas, centre: np.ndarray, *, level: float) -> None:
    """Draw a mass centre as a quartered circle."""
    canvas.dot(centre, 6.6, PAPER, INK, level=level, width=0.8)
    canvas.dot(centre, 6.6, INK, INK, level=level + 0.001, marker=_quarters(), width=0.0)


def draw_turning_arrow(
    canvas: Canvas,
    centre: np.ndarray,
    axes: tuple[np.ndarray, np.ndarray],
    middle: float,
    sense: int,
    *,
    level: float,
    radius: float = 15.0,
    colour: str = DRIVE,
) -> np.ndarray:
    """Draw an arrow along an arc of 220° in the plane of two unit vectors `axes`; returns the points of the arc.

    `middle` is the angle (rad) of the middle of the arc from the first axis; `sense` is +1 or −1 for the direction of
    rotation, and `radius` is in points of the page.
    """
    e1, e2 = axes
    angles = middle + sense * np.radians(np.linspace(-110, 110, 45))
    r = radius * canvas.unit
    arc: np.ndarray = centre + r * (np.cos(angles)[:, None] * e1 + np.sin(angles)[:, None] * e2)
    canvas.line(arc[:-4], colour, 1.6, level=level, cap="butt")
    outward = np.cos(angles[-5]) * e1 + np.sin(angles[-5]) * e2
    along = sense * (np.cos(angles[-5]) * e2 - np.sin(angles[-5]) * e1)
    draw_arrow_head(canvas, arc[-5], along, outward, colour, level=level)
    return arc


def draw_straight_arrow(
    canvas: Canvas,
    a: np.ndarray,
    b: np.ndarray,
    colour: str,
    *,
    level: float,
    width: float = 1.6,
    head: float = 1.0,
) -> None:
    """Draw a straight arrow from point `a` to point `b`; `head` is a factor on the size of its head."""
    direction = (b - a) / np.linalg.norm(b - a)
    across = across_page(canvas, direction)
    foot = b - 7.5 * head * canvas.unit * direction
    canvas.line([a, foot + canvas.unit * direction], colour, width, level=level, cap="butt")
    draw_arrow_head(canvas, foot, head * direction, head * across, colour, level=level)


def draw_arrow_head(
    canvas: Canvas, foot: np.ndarray, along: np.ndarray, across: np.ndarray, colour: str, *, level: float
) -> None:
    """Draw the head of an arrow as a slim triangle, from the middle of its base `foot` in the direction `along`."""
    u = canvas.unit
    canvas.area(
        [foot + 3 * u * across, foot + 7.5 * u * along, foot - 3 * u * across],
        colour,
        colour,
        0.3,
        level=level,
    )


def draw_disc(
    canvas: Canvas,
    centre: np.ndarray,
    normal: np.ndarray,
    radius: float,
    face: str,
    *,
    level: float,
    alpha: float | None = None,
) -> None:
    """Draw a disc in space perpendicular to the unit vector `normal`, with its radius in points of the page."""
    e1 = np.cross(normal, np.eye(3)[int(np.abs(normal).argmin())])
    e1 = e1 / np.linalg.norm(e1)
    e2 = np.cross(normal, e1)
    turn = np.linspace(0.0, 2 * np.pi, 48, endpoint=False)[:, None]
    rim = centre + radius * canvas.unit * (np.cos(turn) * e1 + np.sin(turn) * e2)
    canvas.area(rim, face, INK, 1.1, level=level, alpha=alpha)


def draw_ground_plate(canvas: Canvas, centre: np.ndarray, normal: np.ndarray, *, level: float) -> None:
    """Draw the ground in space as a small hatched square perpendicular to the unit vector `normal`."""
    hint = canvas.right - (canvas.right @ normal) * normal
    if np.linalg.norm(hint) < 0.2:
        hint = canvas.up - (canvas.up @ normal) * normal
    e1 = hint / np.linalg.norm(hint) * 13 * canvas.unit
    e2 = np.cross(normal, e1)
    canvas.area(
        [centre - e1 - e2, centre + e1 - e2, centre + e1 + e2, centre - e1 + e2], PALE, GREY, 0.9, level=level
    )
    feet = centre + np.linspace(-0.75, 0.75, 4)[:, None] * e1
    canvas.strokes([(foot - 0.9 * e2, foot + 0.9 * e2) for foot in feet], GREY, 0.6, level=level)


def across_page(canvas: Canvas, direction: np.ndarray) -> np.ndarray:
    """Unit vector in space that is perpendicular to the vector `direction` and parallel to the page.

    If `direction` is perpendicular to the page, the upward direction of the page is returned.
    """
    across = np.cross(canvas.toward, direction)
    if np.linalg.norm(across) < 1e-6:
        across = canvas.up
    unit: np.ndarray = across / np.linalg.norm(across)
    return unit


@cache
def _quarters() -> Any:
    """Matplotlib path of two opposite quarters of a disc, used in the symbol of a mass centre."""
    from matplotlib.path import Path

    first, second = Path.wedge(0, 90), Path.wedge(180, 270)
    return Path.make_compound_path(first, second)
