"""Symbols of joints of planar mechanisms, as in textbooks.

The symbol of a new joint is one function in this module and one line in `PLANAR_SYMBOLS`.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from multiloop.model import GROUND
from multiloop.view.drawing import DRIVE_LEVEL, GROUND_LEVEL, Drawing, arrow_colour
from multiloop.view.figure import GREY, INK, PALE
from multiloop.view.scene import JointSite
from multiloop.view.symbols.primitives import (
    draw_block,
    draw_hatching,
    draw_pin,
    draw_straight_arrow,
    draw_turning_arrow,
)

DOWN = np.array([0.0, -1.0])

WALL = 14.0
"""Length of the drawn wall on either side of a body that is fixed to the ground, in points of the page."""

ALONG = 0.9
"""Cosine of the largest angle between a body that is fixed to the ground and an axis of its fixed joint for which the
wall is drawn perpendicular to this axis. For larger angles, the wall is perpendicular to the body."""

SLOT = 20.0
"""Length by which a slot extends beyond the extreme positions of its block's centre, in points of the page."""


def revolute(drawing: Drawing, site: JointSite) -> None:
    """Draw a revolute joint as a pin in end view; on the ground with a hatched support."""
    canvas, shared = drawing.canvas, drawing.coincident_joints(site)
    if shared[0] is not site:
        return
    driven = next((other for other in shared if other.sense), None)
    opening = np.array([0.0, 1.0])
    if any(other.grounded for other in shared):
        opening = -_draw_foot(drawing, site)
    elif driven:
        opening = drawing.free_direction(site.place, 14.0, opening)
    draw_pin(canvas, site.place, several=len(shared) > 1, level=drawing.joint_level(site))
    drawing.obstacles.add_disc(canvas.page(site.place), 6.0)
    if driven:
        middle = float(np.arctan2(opening[1], opening[0]))
        arc = draw_turning_arrow(
            canvas,
            site.place,
            (canvas.right, canvas.up),
            middle,
            driven.arrow,
            level=DRIVE_LEVEL,
            colour=arrow_colour(driven),
        )
        drawing.obstacles.add_line(canvas.page(arc), 2.0)


def _draw_foot(drawing: Drawing, site: JointSite) -> np.ndarray:
    """Draw the triangular support of a pin on the ground, on the side with least ink; returns its direction."""
    canvas = drawing.canvas
    direction = drawing.free_direction(site.place, 15.0, DOWN)
    side = np.array([-direction[1], direction[0]])
    apex, base = site.place, canvas.shifted(site.place, 16 * direction)
    left, right = canvas.shifted(base, -9 * side), canvas.shifted(base, 9 * side)
    canvas.area([apex, left, right], PALE, GREY, 1.4, level=GROUND_LEVEL)
    ends = canvas.shifted(base, -14 * side), canvas.shifted(base, 14 * side)
    draw_hatching(canvas, *ends, canvas.shifted(np.zeros(3), direction) / canvas.unit, level=GROUND_LEVEL)
    drawing.obstacles.add_line(canvas.page([*ends]), 2.0)
    drawing.obstacles.add_disc(canvas.page(canvas.shifted(base, 2 * direction)), 7.0, 2.0)
    return direction


def prismatic(drawing: Drawing, site: JointSite) -> None:
    """Draw a prismatic joint as a block along its axis; on the ground with a hatched guide."""
    canvas, direction = drawing.canvas, site.axis(planar=True)
    across = np.array([-direction[1], direction[0], 0.0])
    narrow = drawing.outlines[site.second].width < 1.0 if site.second != GROUND else False
    size = (11.0, 5.5) if narrow else (24.0, 15.0)
    level = drawing.joint_level(site) - 0.5
    if site.grounded:
        ends, side = guide_line(drawing, site)
        draw_hatching(canvas, *ends, side, level=GROUND_LEVEL)
        drawing.obstacles.add_line(canvas.page([*ends]), 2.0, width=12.0)
    elif not any(_lies_along(drawing.outlines[body].points, direction) for body in (site.first, site.second)):
        _draw_slot(drawing, site, direction, across)
    look = (INK, INK) if narrow else drawing.face_and_edge(drawing.moving_body(site))
    draw_block(canvas, site.place, direction, across, size, look, level=level)
    half = size[0] / 2 * canvas.unit * direction
    drawing.obstacles.add_line(canvas.page([site.place - half, site.place + half]), 2.0, width=size[1])
    if site.sense:
        away = -guide_line(drawing, site)[1] if site.grounded else across
        middle, d = site.place + 14 * canvas.unit * away, site.arrow * 16 * canvas.unit * direction
        draw_straight_arrow(canvas, middle - d, middle + d, arrow_colour(site), level=DRIVE_LEVEL)
        drawing.obstacles.add_line(canvas.page([middle - d, middle + d]), 2.0, width=7.0)


def _lies_along(corners: np.ndarray, direction: np.ndarray) -> bool:
    """Whether a body is drawn as a bar in the sliding `direction` (unit vector), so that no slot has to be drawn."""
    if len(corners) != 2:
        return False
    bar = corners[1] - corners[0]
    return bool(np.linalg.norm(np.cross(bar, direction)) < 1e-6 * np.linalg.norm(bar))


def _draw_slot(drawing: Drawing, site: JointSite, direction: np.ndarray, across: np.ndarray) -> None:
    """Draw the two edges of a slot in the first body in which the second body slides, as long as the stroke."""
    canvas, (low, high) = drawing.canvas, drawing.scene.stroke(site)
    reach = SLOT * canvas.unit
    ends = [site.F[:, 3] + x * direction for x in (min(low, 0.0) - reach, max(high, 0.0) + reach)]
    for side in (-1.0, 1.0):
        edge = [end + side * 9.5 * canvas.unit * across for end in ends]
        canvas.line(edge, drawing.face_and_edge(site.first)[1], 1.4, level=drawing.joint_level(site) - 0.6)
        drawing.obstacles.add_line(canvas.page(edge), 2.0, width=2.0)


def guide_line(drawing: Drawing, site: JointSite) -> tuple[tuple[np.ndarray, np.ndarray], np.ndarray]:
    """The two ends of the guide of a prismatic joint on the ground, and the unit vector to its hatched side.

    If the guide belongs to the ground, it is as long as the stroke.
    """
    unit, direction = drawing.canvas.unit, site.axis(planar=True)
    across = np.array([-direction[1], direction[0], 0.0])
    side = across if across[1] < -1e-9 or (abs(across[1]) < 1e-9 and across[0] > 0) else -across
    foot = site.place + 8.5 * unit * side
    moving = np.subtract(drawing.scene.stroke(site), site.slide @ direction) * (site.first == GROUND)
    return (foot + (moving[0] - 30 * unit) * direction, foot + (moving[1] + 30 * unit) * direction), side


def fixed(drawing: Drawing, site: JointSite) -> None:
    """Draw a fixed joint as a small filled square; on the ground with a hatched wall."""
    if site.grounded:
        _draw_wall(drawing, site)
    drawing.canvas.dot(site.place, 6.0, INK, INK, level=drawing.joint_level(site), marker="s")
    drawing.obstacles.add_disc(drawing.canvas.page(site.place), 5.0)


def _draw_wall(drawing: Drawing, site: JointSite) -> None:
    """Draw a hatched wall perpendicular to the body that is fixed to the ground."""
    canvas, shape = drawing.canvas, drawing.outlines.get(drawing.moving_body(site))
    direction = np.array([0.0, 1.0, 0.0]) if shape is None else _inward(shape.points, site.place)
    axes = np.array([sign * site.F[:, k] for k in (0, 1) for sign in (1.0, -1.0)])
    if (
        axes @ direction
    ).max() > ALONG:  # an axis of the joint, so that the wall does not rotate as the body deforms
        direction = axes[int((axes @ direction).argmax())]
    across = WALL * canvas.unit * np.array([-direction[1], direction[0], 0.0])
    ends = site.place - across, site.place + across
    draw_hatching(canvas, *ends, -direction, level=GROUND_LEVEL)
    drawing.obstacles.add_line(canvas.page([*ends]), 2.0, width=8.0)


def _inward(corners: np.ndarray, place: np.ndarray) -> np.ndarray:
    """Unit vector that points from a joint at `place` into the body with the outline `corners`.

    It is along the bar if the joint is at the end of a bar, and otherwise points towards the mean of the corners. For a
    body that is drawn as a point, it points upward.
    """
    k = int(np.linalg.norm(corners - place, axis=1).argmin())
    ahead = {0: 1, len(corners) - 1: len(corners) - 2}.get(k) if len(corners) > 1 else None
    direction = (corners.mean(axis=0) if ahead is None else corners[ahead]) - place
    size = float(np.linalg.norm(direction))
    return direction / size if size > 0 else np.array([0.0, 1.0, 0.0])


def draw_nothing(drawing: Drawing, site: JointSite) -> None:
    """Draw nothing, because a joint without constraints has no symbol."""


PLANAR_SYMBOLS: dict[str, Callable[[Drawing, JointSite], None]] = {
    "Revolute": revolute,
    "Prismatic": prismatic,
    "Fixed": fixed,
    "Planar": draw_nothing,
    "Free": draw_nothing,
}
