"""Symbols of cams and slots: the cam profile, and the flat face, knife edge or roller of the follower."""

from __future__ import annotations

import numpy as np

from multiloop.model import GROUND, Cam, PointOnCurve
from multiloop.model.cam_outline import outline_of
from multiloop.model.contours import Outline
from multiloop.model.markers import value_of
from multiloop.spatial import Pose, numeric
from multiloop.view.colours import GREY, INK, PALE, PAPER, shaded
from multiloop.view.drawing import BODY_LEVEL, GROUND_LEVEL, Drawing
from multiloop.view.scene import Site

POINTS = 180
"""Number of points of a cam profile."""

FACE = 0.8
"""Half the length of a face, in mean radii of its cam."""

EDGE = 0.22
"""Height of the wedge of a knife edge, in mean radii of its cam."""


def cam(drawing: Drawing, site: Site) -> None:
    """Draw the cam profile with a line along its x axis, which shows its rotation, and the follower."""
    canvas = drawing.canvas
    face, edge = drawing.look(site.first) if site.first != GROUND else (PALE, GREY)
    level = drawing.levels[site.first] - 0.02 if canvas.spatial else BODY_LEVEL
    ring, middle = outline_points(site), site.F[:, 3]
    canvas.area(ring, face, edge, 1.8, level=level, alpha=0.45)
    tip = ring[int(np.argmax((ring - middle) @ site.F[:, 0]))]
    canvas.line(
        [middle, middle + ((tip - middle) @ site.F[:, 0]) * site.F[:, 0]], shaded(edge, 0.9), 1.2, level=level
    )
    drawing.obstacles.add_line(canvas.page(np.vstack([ring, ring[:1]])), 0.6)
    _follower(drawing, site)
    touch = touching_point(site)
    canvas.dot(touch, 3.2, INK, INK, level=drawing.joint_level(site))
    drawing.obstacles.add_disc(canvas.page(touch), 3.0)


def slot(drawing: Drawing, site: Site) -> None:
    """Draw the curve as a groove between two thin lines, and the pin in it."""
    canvas, points = drawing.canvas, curve_points(site)
    edge = drawing.look(site.second)[1] if site.second != GROUND else GREY
    level = drawing.levels[site.second] - 0.02 if site.second != GROUND else GROUND_LEVEL
    canvas.line(points, edge, 7.0, level=level)
    canvas.line(points, PAPER, 4.6, level=level + 1e-3)
    canvas.dot(site.F[:, 3], 5.0, PAPER, INK, level=drawing.joint_level(site))
    drawing.obstacles.add_line(canvas.page(points), 1.0, width=7.0)


def _follower(drawing: Drawing, site: Site) -> None:
    """Draw the follower: a line for a flat face, a wedge for a knife edge, a circle for a roller."""
    canvas, pair = drawing.canvas, site.joint
    assert isinstance(pair, Cam)
    colour = drawing.look(site.second)[1] if site.second != GROUND else GREY
    level = drawing.levels[site.second] if site.second != GROUND else GROUND_LEVEL
    shape = follower_points(site)
    if pair.follower == "roller":
        canvas.area(shape, PAPER, colour, 1.6, level=level, alpha=0.8)
        if pair.rolling:
            canvas.line([site.S[:, 3], shape[0]], colour, 1.2, level=level + 1e-3)
    elif pair.flat:
        canvas.line(shape, colour, 2.6, level=level)
    else:
        canvas.area(shape, colour, colour, 1.0, level=level)
    drawing.obstacles.add_line(canvas.page(shape), 1.0)


def extent_of_cam(site: Site) -> list[np.ndarray]:
    """Points that must be on the page, besides the markers."""
    if isinstance(site.joint, Cam):
        return [*outline_points(site)[::6], *follower_points(site)]
    return [*curve_points(site)[::4]]


def outline_points(site: Site) -> np.ndarray:
    """The profile of a cam in its pose, n×3."""
    return _standing(site.F, _outline(site).points)


def curve_points(site: Site) -> np.ndarray:
    """The curve of a slot in its pose, n×3; a closed one returns to its beginning."""
    assert isinstance(site.joint, PointOnCurve)
    contour = site.joint.contour
    points = contour.outline(contour.variable(POINTS), 0.0).points
    closed = getattr(site.joint.curve, "closed", True)
    return _standing(site.S, np.vstack([points, points[:1]]) if closed else points)


def follower_points(site: Site) -> np.ndarray:
    """The ends of a face, the corners of an edge, or points around a roller."""
    pair, (x, y, at) = site.joint, (site.S[:, 0], site.S[:, 1], site.S[:, 3])
    assert isinstance(pair, Cam)
    size = float(np.hypot(*_outline(site).points.T).mean())
    if pair.flat:
        middle = at + ((touching_point(site) - at) @ x) / 2 * x
        reach = max(FACE * size, float(abs((touching_point(site) - at) @ x)))
        return np.array([middle - reach * x, middle + reach * x])
    if pair.follower == "roller":
        turn = np.linspace(0.0, 2 * np.pi, 48)[:, None]
        around: np.ndarray = at + (value_of(pair.roller) or 0.0) * (np.cos(turn) * x + np.sin(turn) * y)
        return around
    n = _contact(site)[1]
    across = np.cross(site.F[:, 2], n)
    return np.array([at, at + EDGE * size * (n + across / 2), at + EDGE * size * (n - across / 2)])


def touching_point(site: Site) -> np.ndarray:
    """The point of contact of a cam and its follower."""
    return _contact(site)[0]


def _contact(site: Site) -> tuple[np.ndarray, np.ndarray]:
    """The point of contact and the normal, in inertial axes."""
    assert isinstance(site.joint, Cam)
    R = site.F[:, :3]
    found = site.joint.contact(Pose(R.T @ site.S[:, :3], R.T @ (site.S[:, 3] - site.F[:, 3])), True)
    return site.F[:, 3] + R @ numeric(found.point), R @ numeric(found.normal)


def _outline(site: Site) -> Outline:
    assert isinstance(site.joint, Cam)
    return outline_of(site.joint, POINTS)


def _standing(frame: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Points of a marker's plane in inertial axes."""
    found: np.ndarray = frame[:, 3] + points @ frame[:, :2].T
    return found
