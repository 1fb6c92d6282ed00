"""Symbols of joints of spatial mechanisms.

The symbol of a new joint is one function in this module and one line in `SPATIAL_SYMBOLS`.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from multiloop.model import GROUND
from multiloop.view.body_outlines import slide_lengths
from multiloop.view.drawing import Drawing, arrow_colour
from multiloop.view.figure import INK, PALE, PAPER
from multiloop.view.scene import JointSite
from multiloop.view.symbols.primitives import (
    draw_disc,
    draw_ground_plate,
    draw_straight_arrow,
    draw_turning_arrow,
)


def revolute(drawing: Drawing, site: JointSite) -> None:
    """Draw a revolute joint as a short tube along its axis, with a centre line that extends beyond the tube."""
    axis = site.axis(planar=False)
    _draw_support(drawing, site, axis, 9.0)
    _draw_centre_line(drawing, site.place, axis, 15.0, drawing.joint_level(site))
    _draw_tube(drawing, site.place, axis, 8.0, 8.0, PAPER, drawing.joint_level(site))
    _draw_drive_arrow(drawing, site, axis)


def cylindrical(drawing: Drawing, site: JointSite) -> None:
    """Draw a cylindrical joint as a long tube on a shaft along the axis of the joint."""
    axis = site.axis(planar=False)
    level = drawing.joint_level(site)
    _draw_support(drawing, site, axis, 14.0)
    _draw_shaft(drawing, site, level)
    _draw_tube(drawing, site.place, axis, 13.0, 8.0, PAPER, level)
    _draw_drive_arrow(drawing, site, axis)


def helical(drawing: Drawing, site: JointSite) -> None:
    """Draw a helical joint as a tube on a shaft, with inclined lines across the tube that represent a thread."""
    cylindrical(drawing, site)
    canvas, axis, level = drawing.canvas, site.axis(planar=False), drawing.joint_level(site) + 0.004
    across = np.cross(canvas.toward, axis)
    across = across / max(float(np.linalg.norm(across)), 1e-9)
    for share in (-0.6, -0.2, 0.2, 0.6):
        foot = site.place + share * 13.0 * canvas.unit * axis
        slope = canvas.unit * (3.2 * across + 2.0 * axis)
        canvas.line([foot - slope, foot + slope], INK, 0.9, level=level, cap="butt")


def prismatic(drawing: Drawing, site: JointSite) -> None:
    """Draw a prismatic joint as a dark sleeve between the two parts of a telescope, or as a block on a guide."""
    canvas, axis, level = drawing.canvas, site.axis(planar=False), drawing.joint_level(site)
    telescope = site.second != GROUND and drawing.outlines[site.second].width < 1.0
    place = site.place
    if telescope:
        shortest, longest = slide_lengths(drawing.scene, site)
        share = min(0.55 * longest, shortest) / max(float(np.linalg.norm(site.slide)), 1e-12)
        place = site.F[:, 3] + share * site.slide
        _draw_tube(drawing, place, axis, 5.0, 7.0, INK, level)
    else:
        _draw_support(drawing, site, upward_axis(drawing), 8.0)
        _draw_shaft(drawing, site, level)
        _draw_tube(
            drawing, place, axis, 11.0, 11.0, drawing.face_and_edge(drawing.moving_body(site))[0], level
        )
    drawing.obstacles.add_disc(canvas.page(place), 7.0)
    if site.sense:
        across = np.cross(canvas.toward, axis)
        middle = place + 11 * canvas.unit * across / max(float(np.linalg.norm(across)), 1e-9)
        d = site.arrow * 13 * canvas.unit * axis
        draw_straight_arrow(
            canvas, middle - d, middle + d, arrow_colour(site), level=drawing.joint_level(site) + 0.01
        )
        drawing.obstacles.add_line(canvas.page([middle - d, middle + d]), 2.0)


def spherical(drawing: Drawing, site: JointSite) -> None:
    """Draw a spherical joint as a filled ball with a highlight."""
    level = drawing.joint_level(site)
    _draw_support(drawing, site, upward_axis(drawing), 7.0)
    drawing.canvas.dot(site.place, 9.5, "#5a5a5a", INK, level=level, width=1.2)
    drawing.canvas.dot(
        drawing.canvas.shifted(site.place, (-1.3, 1.5)), 2.4, PAPER, PAPER, level=level + 0.001, width=0.0
    )
    drawing.obstacles.add_disc(drawing.canvas.page(site.place), 6.0)


def universal(drawing: Drawing, site: JointSite) -> None:
    """Draw a universal joint as a cross whose arms are along the two axes of the joint."""
    canvas, level = drawing.canvas, drawing.joint_level(site)
    _draw_support(drawing, site, upward_axis(drawing), 8.0)
    for arm in (site.F[:, 2], site.S[:, 0]):
        ends = [site.place - 9 * canvas.unit * arm, site.place + 9 * canvas.unit * arm]
        canvas.line(ends, INK, 4.6, level=level)
        canvas.line(ends, PALE, 2.4, level=level + 0.002)
    drawing.obstacles.add_disc(canvas.page(site.place), 8.0)


def planar(drawing: Drawing, site: JointSite) -> None:
    """Draw a planar joint as a dot on a disc of the first body; joints in the same plane share one disc."""
    canvas = drawing.canvas
    tables = [
        other for other in drawing.scene.sites if other.kind == "Planar" and np.allclose(other.F, site.F)
    ]
    if tables[0] is site:
        reach = max(float(np.linalg.norm(other.slide)) for other in tables) / canvas.unit + 14
        level = drawing.levels[site.first] - 0.5
        draw_disc(
            canvas,
            site.F[:, 3],
            site.F[:, 2],
            reach,
            drawing.face_and_edge(site.first)[0],
            level=level,
            alpha=0.6,
        )
    canvas.dot(site.place, 5.0, INK, INK, level=drawing.joint_level(site))
    drawing.obstacles.add_disc(canvas.page(site.place), 8.0)


def fixed(drawing: Drawing, site: JointSite) -> None:
    """Draw a fixed joint as a small filled square."""
    drawing.canvas.dot(site.place, 6.0, INK, INK, level=drawing.joint_level(site), marker="s")
    drawing.obstacles.add_disc(drawing.canvas.page(site.place), 5.0)


def draw_nothing(drawing: Drawing, site: JointSite) -> None:
    """Draw nothing, because a joint without constraints has no symbol."""


def upward_axis(drawing: Drawing) -> np.ndarray:
    """Unit vector of the inertial axis that points most nearly upward on the page."""
    axis: np.ndarray = np.eye(3)[int(np.argmax(drawing.canvas.up))]
    return axis


def _draw_tube(
    drawing: Drawing, centre: np.ndarray, axis: np.ndarray, half: float, width: float, face: str, level: float
) -> None:
    """Draw a round tube along an axis, with half its length and its width in points of the page.

    The end that faces the viewer covers the rest of the tube.
    """
    canvas = drawing.canvas
    d = half * canvas.unit * axis * (1 if axis @ canvas.toward > 0 else -1)
    ends = centre - d, centre + d
    draw_disc(canvas, ends[0], axis, width / 2, face, level=level)
    canvas.line(ends, INK, width + 2.2, level=level + 0.001, cap="butt")
    canvas.line(ends, face, width, level=level + 0.002, cap="butt")
    draw_disc(canvas, ends[1], axis, width / 2, face, level=level + 0.003)
    drawing.obstacles.add_line(canvas.page(ends), 2.0, width=width)


def _draw_centre_line(
    drawing: Drawing, centre: np.ndarray, axis: np.ndarray, half: float, level: float
) -> None:
    d = half * drawing.canvas.unit * axis
    drawing.canvas.line([centre - d, centre + d], INK, 0.9, level=level - 0.001, cap="butt")
    drawing.obstacles.add_line(drawing.canvas.page([centre - d, centre + d]))


def _draw_shaft(drawing: Drawing, site: JointSite, level: float) -> None:
    """Draw the line on which the tube of a joint slides; it is slightly longer than the stroke."""
    axis, end = site.axis(planar=False), 20 * drawing.canvas.unit
    low, high = drawing.scene.stroke(site)
    line = [site.F[:, 3] + (min(low, 0.0) - end) * axis, site.F[:, 3] + (max(high, 0.0) + end) * axis]
    drawing.canvas.line(line, drawing.face_and_edge(site.first)[1], 2.0, level=level - 0.001, cap="butt")
    drawing.obstacles.add_line(drawing.canvas.page(line))


def _draw_support(drawing: Drawing, site: JointSite, normal: np.ndarray, gap: float) -> None:
    """Draw a piece of ground next to a joint on the ground, on the side that is below or away from the viewer.

    The piece is perpendicular to the unit vector `normal`, at the distance `gap` from the joint in points of the page.
    """
    if not site.grounded:
        return
    canvas = drawing.canvas
    side = normal if normal @ (canvas.toward + canvas.up) < 0 else -normal
    draw_ground_plate(canvas, site.place + gap * canvas.unit * side, side, level=drawing.levels[GROUND] + 0.1)
    drawing.obstacles.add_disc(canvas.page(site.place + gap * canvas.unit * side), 12.0, 1.0)


def _draw_drive_arrow(drawing: Drawing, site: JointSite, axis: np.ndarray) -> None:
    """Draw an arc with an arrow about the axis of a joint, if the joint is driven."""
    if site.sense:
        canvas = drawing.canvas
        e1 = site.F[:, 0]
        toward = canvas.toward - (canvas.toward @ axis) * axis
        e2 = np.cross(axis, e1)
        middle = float(np.arctan2(toward @ e2, toward @ e1))
        centre = site.place + 13 * canvas.unit * axis * (1 if axis @ (canvas.toward + canvas.up) > 0 else -1)
        arc = draw_turning_arrow(
            canvas,
            centre,
            (e1, e2),
            middle,
            site.arrow,
            level=drawing.joint_level(site) + 0.01,
            radius=13.0,
            colour=arrow_colour(site),
        )
        drawing.obstacles.add_line(canvas.page(arc), 2.0)


SPATIAL_SYMBOLS: dict[str, Callable[[Drawing, JointSite], None]] = {
    "Revolute": revolute,
    "Prismatic": prismatic,
    "Cylindrical": cylindrical,
    "Universal": universal,
    "Spherical": spherical,
    "Planar": planar,
    "Helical": helical,
    "Fixed": fixed,
    "Free": draw_nothing,
}
