"""Symbols of rolling wheels, balls and skates, to scale, on a piece of the surface on which they roll or glide."""

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
"""Half length of the drawn surface, in radii of the wheel."""

GREAT = ((0, 1), (1, 2), (2, 0))
"""Pairs of marker axes that span the great circles of a ball; a wheel has the first."""

BLADE = 11.0
"""Half length of a blade, in points of the page."""


def rolling(drawing: Drawing, site: Site) -> None:
    """Draw a wheel with a spoke, which shows its rotation, on a piece of the surface."""
    _draw_road(drawing, site)
    canvas, centre, rim = drawing.canvas, site.F[:, 3], _circle(site, 0, 1)
    face, edge, level = _look(drawing, site)
    canvas.area(rim, face, edge, 1.8, level=level, alpha=0.45)
    canvas.line([centre, rim[0]], shaded(edge, 0.9), 1.8, level=level + 1e-3)
    _draw_points(drawing, site)
    drawing.obstacles.add_line(canvas.page(np.vstack([rim, rim[:1]])), 0.6)
    drawing.obstacles.add_line(canvas.page([centre, rim[0]]), 1.0)


def ball(drawing: Drawing, site: Site) -> None:
    """Draw a ball by three of its great circles, which show its rotation; in the plane a wheel."""
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
    """Draw a blade with a curved front, and a line across it, in the direction of no motion."""
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
    """Face colour, edge colour and drawing level of the rolling body; in the plane below all bars."""
    face, edge = drawing.look(site.first) if site.first != GROUND else (PALE, GREY)
    return face, edge, drawing.levels[site.first] - 0.02 if drawing.canvas.spatial else BODY_LEVEL


def _draw_points(drawing: Drawing, site: Site) -> None:
    """Draw dots at the centre and at the point of contact."""
    for point, size in ((site.F[:, 3], 4.0), (contact_of(site, drawing.scene.planar), 3.2)):
        drawing.canvas.dot(point, size, INK, INK, level=drawing.joint_level(site))


def _draw_road(drawing: Drawing, site: Site) -> None:
    """Draw the surface: a line through the point of contact, hatched for the ground; in space a patch of the plane."""
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
    """The ends of the drawn surface in the plane, its corners in space."""
    touch = contact_of(site, planar)
    e1, e2 = (ROAD * _radius(site) * site.S[:, k] for k in (0, 1))
    if planar:
        return [touch - e1, touch + e1]
    return [touch - e1 - e2, touch + e1 - e2, touch + e1 + e2, touch - e1 + e2]


def contact_of(site: Site, planar: bool) -> np.ndarray:
    """The point of contact, or the centre where it is not unique; the point of a skate."""
    pair, F, S = site.joint, *(Pose(ca.DM(frame[:, :3]), ca.DM(frame[:, 3])) for frame in (site.F, site.S))
    if not isinstance(pair, RollingContact):
        return site.F[:, 3] if isinstance(pair, Skate) else site.place
    touch = numeric(F.point(ca.DM(resolved(pair, at_values).contact(F.inverse() @ S, planar))))
    return touch if np.isfinite(touch).all() else site.F[:, 3]


def extent_of_wheel(site: Site, planar: bool) -> list[np.ndarray]:
    """Points that must be on the page, besides the markers of the pair."""
    if not isinstance(site.joint, RollingContact):
        return []
    ball = isinstance(site.joint, RollingBall) and not planar
    rims = [_circle(site, *axes) for axes in (GREAT if ball else GREAT[:1])]
    return [*np.vstack(rims)[::6], *_patch(site, planar)]


def _circle(site: Site, first: int, second: int) -> np.ndarray:
    """Points on the circle of a wheel or ball in the plane of two marker axes, starting on the first axis."""
    turn = np.linspace(0.0, 2 * np.pi, 72, endpoint=False)[:, None]
    ways = np.cos(turn) * site.F[:, first] + np.sin(turn) * site.F[:, second]
    points: np.ndarray = site.F[:, 3] + _radius(site) * ways
    return points


def _radius(site: Site) -> float:
    return value_of(site.joint.radius) or 0.0 if isinstance(site.joint, RollingContact) else 0.0
