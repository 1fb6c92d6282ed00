"""Wheels, balls and skates on paper: as large as they are, on a piece of what they roll or glide on."""

from __future__ import annotations

import casadi as ca
import numpy as np

from multiloop.kinematics.skeleton import resolved
from multiloop.model import GROUND, RollingBall, RollingContact, Skate
from multiloop.model.geometry import at_values
from multiloop.model.markers import value_of
from multiloop.spatial import Pose, numeric
from multiloop.view.colours import GREY, INK, PALE, shaded
from multiloop.view.drawing import BODY_LEVEL, GROUND_LEVEL, Drawing
from multiloop.view.pieces import hatched
from multiloop.view.scene import Site

ROAD = 1.4
"""Radii that the road reaches to either side of a wheel."""

GREAT = ((0, 1), (1, 2), (2, 0))
"""The axes of a marker between which the great circles of a ball lie; a wheel has the first."""

BLADE = 11.0
"""Points of the page that a blade reaches to either side of its point."""


def rolling(drawing: Drawing, site: Site) -> None:
    """A wheel with a spoke, so that its turning is seen, on a piece of road."""
    _draw_road(drawing, site)
    canvas, centre, rim = drawing.canvas, site.F[:, 3], _circle(site, 0, 1)
    face, edge, level = _look(drawing, site)
    canvas.area(rim, face, edge, 1.8, level=level, alpha=0.45)
    canvas.line([centre, rim[0]], shaded(edge, 0.9), 1.8, level=level + 1e-3)
    _draw_points(drawing, site)
    drawing.obstacles.add_line(canvas.page(np.vstack([rim, rim[:1]])), 0.6)
    drawing.obstacles.add_line(canvas.page([centre, rim[0]]), 1.0)


def ball(drawing: Drawing, site: Site) -> None:
    """A ball by three of its great circles, so that its turning is seen; in the plane a wheel."""
    if drawing.scene.planar:
        rolling(drawing, site)
        return
    _draw_road(drawing, site)
    face, edge, level = _look(drawing, site)
    for first, second in GREAT:
        rim = _circle(site, first, second)
        drawing.canvas.area(rim, face, edge, 1.3, level=level, alpha=0.3)
        drawing.obstacles.add_line(drawing.canvas.page(np.vstack([rim, rim[:1]])), 0.6)
    _draw_points(drawing, site)


def skate(drawing: Drawing, site: Site) -> None:
    """A blade, bent up at its front, and a stroke to either side, where it cannot go."""
    canvas, point, planar = drawing.canvas, site.F[:, 3], drawing.scene.planar
    ahead, up = site.F[:, 0], site.F[:, 1] if planar else site.S[:, 2]
    reach = BLADE * canvas.unit
    level = drawing.joint_level(site)
    tip = point + reach * ahead
    blade = [point - reach * ahead, tip, tip + 0.35 * reach * (ahead + (0.0 if planar else 1.0) * up)]
    canvas.line(blade, INK, 2.6, level=level)
    across = np.cross(ahead, site.S[:, 2])
    canvas.line([point - 0.45 * reach * across, point + 0.45 * reach * across], INK, 1.1, level=level)
    drawing.obstacles.add_line(canvas.page(np.array(blade)), 1.0, width=3.0)


def _look(drawing: Drawing, site: Site) -> tuple[str, str, float]:
    """Face, edge and level of what rolls; in the plane it is below all bars."""
    face, edge = drawing.look(site.first) if site.first != GROUND else (PALE, GREY)
    return face, edge, drawing.levels[site.first] - 0.02 if drawing.canvas.spatial else BODY_LEVEL


def _draw_points(drawing: Drawing, site: Site) -> None:
    """Dots in the middle and where it touches."""
    for point, size in ((site.F[:, 3], 4.0), (contact_of(site, drawing.scene.planar), 3.2)):
        drawing.canvas.dot(point, size, INK, INK, level=drawing.joint_level(site))


def _draw_road(drawing: Drawing, site: Site) -> None:
    """A line through the point of contact, hatched where it is the ground; in space a patch of the plane."""
    canvas, planar = drawing.canvas, drawing.scene.planar
    touch, patch = contact_of(site, planar), _patch(site, planar)
    level = drawing.levels[site.second] - 0.03 if site.second != GROUND else GROUND_LEVEL
    if not planar:
        seen_above = float((site.F[:, 3] - touch) @ canvas.toward) >= 0.0
        wheel = _look(drawing, site)[2]
        level = min(level, wheel - 0.01) if seen_above else max(level, wheel + 0.01)
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
    """Where it touches the road, or its middle where no point is the lowest; of a skate its point."""
    pair, F, S = site.joint, *(Pose(ca.DM(frame[:, :3]), ca.DM(frame[:, 3])) for frame in (site.F, site.S))
    if not isinstance(pair, RollingContact):
        return site.F[:, 3] if isinstance(pair, Skate) else site.place
    touch = numeric(F.point(ca.DM(resolved(pair, at_values).contact(F.inverse() @ S, planar))))
    return touch if np.isfinite(touch).all() else site.F[:, 3]


def extent_of_wheel(site: Site, planar: bool) -> list[np.ndarray]:
    """Points that must be on the paper, besides those of its markers."""
    if not isinstance(site.joint, RollingContact):
        return []
    ball = isinstance(site.joint, RollingBall) and not planar
    rims = [_circle(site, *axes) for axes in (GREAT if ball else GREAT[:1])]
    return [*np.vstack(rims)[::6], *_patch(site, planar)]


def _circle(site: Site, first: int, second: int) -> np.ndarray:
    """Points around the wheel, or around the ball, in the plane of two axes of its marker, the first of them on one."""
    turn = np.linspace(0.0, 2 * np.pi, 72, endpoint=False)[:, None]
    ways = np.cos(turn) * site.F[:, first] + np.sin(turn) * site.F[:, second]
    points: np.ndarray = site.F[:, 3] + _radius(site) * ways
    return points


def _radius(site: Site) -> float:
    return value_of(site.joint.radius) or 0.0 if isinstance(site.joint, RollingContact) else 0.0
