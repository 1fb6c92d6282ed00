"""Symbols of pairs and couplings in planar and spatial drawings: cams, slots, rolling contacts, skates, distances.

The symbol of a new pair is one function in this module and one line in `PAIR_SYMBOLS`. User-defined joints and pairs
are drawn as a dashed line between their markers.
"""

from __future__ import annotations

from collections.abc import Callable

import casadi as ca
import numpy as np

from multiloop.kinematics.tree import resolve_parameters
from multiloop.model import (
    GROUND,
    Cam,
    Coupling,
    Gearing,
    PointOnCurve,
    RollingBall,
    RollingContact,
    Skate,
    nominal_value,
    value_of,
)
from multiloop.model.cams import ProfilePoints
from multiloop.model.cams.cam import cam_profile
from multiloop.spatial import Pose, numeric
from multiloop.view.drawing import BODY_LEVEL, GROUND_LEVEL, JOINT_LEVEL, Drawing
from multiloop.view.figure import GREY, INK, PALE, PAPER, shaded
from multiloop.view.scene import JointSite, Scene
from multiloop.view.symbols.gear_symbols import gearing_label_line
from multiloop.view.symbols.primitives import draw_hatching

POINTS = 180
"""Number of points through which a cam profile is drawn."""

FACE = 0.8
"""Half the drawn length of a flat-faced follower, as a multiple of the mean radius of the cam."""

EDGE = 0.22
"""Drawn height of the wedge of a knife-edge follower, as a multiple of the mean radius of the cam."""


def cam(drawing: Drawing, site: JointSite) -> None:
    """Draw the cam profile with a line along its x axis, which shows its rotation, and the follower."""
    canvas = drawing.canvas
    face, edge = drawing.face_and_edge(site.first) if site.first != GROUND else (PALE, GREY)
    level = drawing.levels[site.first] - 0.02 if canvas.spatial else BODY_LEVEL
    ring, middle = outline_points(site), site.F[:, 3]
    canvas.area(ring, face, edge, 1.8, level=level, alpha=0.45)
    tip = ring[int(np.argmax((ring - middle) @ site.F[:, 0]))]
    canvas.line(
        [middle, middle + ((tip - middle) @ site.F[:, 0]) * site.F[:, 0]], shaded(edge, 0.9), 1.2, level=level
    )
    drawing.obstacles.add_line(canvas.page(np.vstack([ring, ring[:1]])), 0.6)
    _draw_follower(drawing, site)
    touch = contact_point(site)
    canvas.dot(touch, 3.2, INK, INK, level=drawing.joint_level(site))
    drawing.obstacles.add_disc(canvas.page(touch), 3.0)


def slot(drawing: Drawing, site: JointSite) -> None:
    """Draw the curve as a groove between two thin lines, and the pin in it."""
    canvas, points = drawing.canvas, curve_points(site)
    edge = drawing.face_and_edge(site.second)[1] if site.second != GROUND else GREY
    level = drawing.levels[site.second] - 0.02 if site.second != GROUND else GROUND_LEVEL
    canvas.line(points, edge, 7.0, level=level)
    canvas.line(points, PAPER, 4.6, level=level + 1e-3)
    canvas.dot(site.F[:, 3], 5.0, PAPER, INK, level=drawing.joint_level(site))
    drawing.obstacles.add_line(canvas.page(points), 1.0, width=7.0)


def _draw_follower(drawing: Drawing, site: JointSite) -> None:
    """Draw the follower: a line for a flat face, a wedge for a knife edge, a circle for a roller."""
    canvas, pair = drawing.canvas, site.joint
    assert isinstance(pair, Cam)
    colour = drawing.face_and_edge(site.second)[1] if site.second != GROUND else GREY
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


def extent_of_cam(site: JointSite) -> list[np.ndarray]:
    """Points of a cam and its follower, or of a slot, that must be inside the page."""
    if isinstance(site.joint, Cam):
        return [*outline_points(site)[::6], *follower_points(site)]
    return [*curve_points(site)[::4]]


def outline_points(site: JointSite) -> np.ndarray:
    """Points of the profile of a cam in the inertial frame, n × 3."""
    return _in_inertial_axes(site.F, _outline(site).points)


def curve_points(site: JointSite) -> np.ndarray:
    """Points of the curve of a slot in the inertial frame, n × 3; for a closed curve the first point is repeated."""
    assert isinstance(site.joint, PointOnCurve)
    contour = site.joint.contour
    points = contour.outline(contour.variable(POINTS), 0.0).points
    closed = getattr(site.joint.curve, "closed", True)
    return _in_inertial_axes(site.S, np.vstack([points, points[:1]]) if closed else points)


def follower_points(site: JointSite) -> np.ndarray:
    """Points of a cam follower in the inertial frame.

    They are the ends of a flat face, the corners of a knife edge, or points around a roller.
    """
    pair, (x, y, at) = site.joint, (site.S[:, 0], site.S[:, 1], site.S[:, 3])
    assert isinstance(pair, Cam)
    size = float(np.hypot(*_outline(site).points.T).mean())
    if pair.flat:
        middle = at + ((contact_point(site) - at) @ x) / 2 * x
        reach = max(FACE * size, float(abs((contact_point(site) - at) @ x)))
        return np.array([middle - reach * x, middle + reach * x])
    if pair.follower == "roller":
        turn = np.linspace(0.0, 2 * np.pi, 48)[:, None]
        around: np.ndarray = at + (value_of(pair.roller) or 0.0) * (np.cos(turn) * x + np.sin(turn) * y)
        return around
    n = _contact(site)[1]
    across = np.cross(site.F[:, 2], n)
    return np.array([at, at + EDGE * size * (n + across / 2), at + EDGE * size * (n - across / 2)])


def contact_point(site: JointSite) -> np.ndarray:
    """Point of contact of a cam and its follower in the inertial frame."""
    return _contact(site)[0]


def _contact(site: JointSite) -> tuple[np.ndarray, np.ndarray]:
    """Point of contact of a cam and its follower, and the normal there, in the inertial frame."""
    assert isinstance(site.joint, Cam)
    R = site.F[:, :3]
    found = site.joint.contact(Pose(R.T @ site.S[:, :3], R.T @ (site.S[:, 3] - site.F[:, 3])), True)
    return site.F[:, 3] + R @ numeric(found.point), R @ numeric(found.normal)


def _outline(site: JointSite) -> ProfilePoints:
    assert isinstance(site.joint, Cam)
    return cam_profile(site.joint, POINTS)


def _in_inertial_axes(frame: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Transform points (n × 2) of the x–y plane of a marker frame to the inertial frame, n × 3."""
    found: np.ndarray = frame[:, 3] + points @ frame[:, :2].T
    return found


ROAD = 1.4
"""Half the drawn length of the surface on which a wheel rolls, as a multiple of the radius of the wheel."""

GREAT = ((0, 1), (1, 2), (2, 0))
"""Pairs of marker axes that span the three great circles of a ball; the first pair spans the circle of a wheel."""

BLADE = 11.0
"""Half the drawn length of the blade of a skate, in points of the page."""


def rolling(drawing: Drawing, site: JointSite) -> None:
    """Draw a wheel with a spoke, which shows its rotation, and a part of the surface on which it rolls."""
    _draw_road(drawing, site)
    canvas, centre, rim = drawing.canvas, site.F[:, 3], _circle(site, 0, 1)
    face, edge, level = _look(drawing, site)
    canvas.area(rim, face, edge, 1.8, level=level, alpha=0.45)
    canvas.line([centre, rim[0]], shaded(edge, 0.9), 1.8, level=level + 1e-3)
    _draw_points(drawing, site)
    drawing.obstacles.add_line(canvas.page(np.vstack([rim, rim[:1]])), 0.6)
    drawing.obstacles.add_line(canvas.page([centre, rim[0]]), 1.0)


def ball(drawing: Drawing, site: JointSite) -> None:
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


def skate(drawing: Drawing, site: JointSite) -> None:
    """Draw the blade of a skate with a raised front, and a line across it, in the direction without motion."""
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


def _look(drawing: Drawing, site: JointSite) -> tuple[str, str, float]:
    """Area colour, edge colour and drawing level of a rolling body; in the plane the level is below all bars."""
    face, edge = drawing.face_and_edge(site.first) if site.first != GROUND else (PALE, GREY)
    return face, edge, drawing.levels[site.first] - 0.02 if drawing.canvas.spatial else BODY_LEVEL


def _draw_points(drawing: Drawing, site: JointSite) -> None:
    """Draw dots at the centre of a rolling body and at its point of contact."""
    for point, size in ((site.F[:, 3], 4.0), (contact_of(site, drawing.scene.planar), 3.2)):
        drawing.canvas.dot(point, size, INK, INK, level=drawing.joint_level(site))


def _draw_road(drawing: Drawing, site: JointSite) -> None:
    """Draw the surface on which a body rolls, near the point of contact.

    In the plane it is a line, hatched if the surface belongs to the ground; in space it is a rectangle.
    """
    canvas, planar = drawing.canvas, drawing.scene.planar
    touch, patch = contact_of(site, planar), _patch(site, planar)
    level = drawing.levels[site.second] - 0.03 if site.second != GROUND else GROUND_LEVEL
    if not planar:
        seen_above = float((site.F[:, 3] - touch) @ canvas.toward) >= 0.0
        wheel = _look(drawing, site)[2]
        level = min(level, wheel - 0.01) if seen_above else max(level, wheel + 0.01)
        canvas.area(patch, PALE, GREY, 0.9, level=level, alpha=0.7)
    elif site.second == GROUND:
        draw_hatching(canvas, patch[0], patch[1], -site.S[:, 1], level=level)
    else:
        canvas.line(patch, drawing.face_and_edge(site.second)[1], 1.6, level=level)
    drawing.obstacles.add_line(canvas.page(patch), 1.0, width=8.0 if planar else 1.0)
    drawing.obstacles.add_disc(canvas.page(touch), 3.0)


def _patch(site: JointSite, planar: bool) -> list[np.ndarray]:
    """Points of the drawn part of the surface on which a body rolls: its ends in the plane, its corners in space."""
    touch = contact_of(site, planar)
    e1, e2 = (ROAD * _radius(site) * site.S[:, k] for k in (0, 1))
    if planar:
        return [touch - e1, touch + e1]
    return [touch - e1 - e2, touch + e1 - e2, touch + e1 + e2, touch - e1 + e2]


def contact_of(site: JointSite, planar: bool) -> np.ndarray:
    """Point of contact of a rolling body in the inertial frame, or its centre if the point is not unique.

    For a skate it is the point of contact of the blade.
    """
    pair, F, S = site.joint, *(Pose(ca.DM(frame[:, :3]), ca.DM(frame[:, 3])) for frame in (site.F, site.S))
    if not isinstance(pair, RollingContact):
        return site.F[:, 3] if isinstance(pair, Skate) else site.place
    touch = numeric(F.point(ca.DM(resolve_parameters(pair, nominal_value).contact(F.inverse() @ S, planar))))
    return touch if np.isfinite(touch).all() else site.F[:, 3]


def extent_of_wheel(site: JointSite, planar: bool) -> list[np.ndarray]:
    """Points of a rolling body and its surface that must be inside the page; empty for other pairs."""
    if not isinstance(site.joint, RollingContact):
        return []
    ball = isinstance(site.joint, RollingBall) and not planar
    rims = [_circle(site, *axes) for axes in (GREAT if ball else GREAT[:1])]
    return [*np.vstack(rims)[::6], *_patch(site, planar)]


def _circle(site: JointSite, first: int, second: int) -> np.ndarray:
    """Points on the circle of a wheel or ball in the plane of two marker axes, starting on the first axis."""
    turn = np.linspace(0.0, 2 * np.pi, 72, endpoint=False)[:, None]
    ways = np.cos(turn) * site.F[:, first] + np.sin(turn) * site.F[:, second]
    points: np.ndarray = site.F[:, 3] + _radius(site) * ways
    return points


def _radius(site: JointSite) -> float:
    return value_of(site.joint.radius) or 0.0 if isinstance(site.joint, RollingContact) else 0.0


DASHES = (0, (4, 2.5))


def distance(drawing: Drawing, site: JointSite) -> None:
    """Draw a distance constraint (a massless rod) as a thin line between two small rings."""
    canvas, ends = drawing.canvas, (site.F[:, 3], site.S[:, 3])
    level = drawing.joint_level(site) if canvas.spatial else JOINT_LEVEL
    canvas.line(ends, INK, 1.4, level=level - 0.01)
    for end in ends:
        canvas.dot(end, 5.0, PAPER, INK, level=level)
        drawing.obstacles.add_disc(canvas.page(end), 4.0)
    drawing.obstacles.add_line(canvas.page([*ends]), 1.0, width=2.0)


def between_markers(drawing: Drawing, site: JointSite) -> None:
    """Draw a pair that has no specific symbol as a thin dashed line between dots at its two markers."""
    canvas, ends = drawing.canvas, (site.F[:, 3], site.S[:, 3])
    level = drawing.joint_level(site)
    canvas.line(ends, INK, 1.1, level=level - 0.01, style=DASHES)
    for end in ends:
        canvas.dot(end, 3.6, INK, INK, level=level)
    drawing.obstacles.add_line(canvas.page([*ends]), 1.0, width=2.0)


def draw_user_joint(drawing: Drawing, site: JointSite) -> None:
    """Draw a user-defined joint as a hollow diamond at each of its markers, with a dashed line between them."""
    canvas, ends = drawing.canvas, (site.F[:, 3], site.S[:, 3])
    level = drawing.joint_level(site)
    canvas.line(ends, INK, 1.1, level=level - 0.01, style=DASHES)
    for end in ends:
        canvas.dot(end, 8.0, PAPER, INK, level=level, marker="D")
        drawing.obstacles.add_disc(canvas.page(end), 6.0)
    drawing.obstacles.add_line(canvas.page([*ends]), 1.0, width=2.0)


def draw_coupling(drawing: Drawing, places: np.ndarray) -> None:
    """Draw a coupling as a thin dashed line through the positions of the coupled joints."""
    drawing.canvas.line(places, GREY, 1.1, level=JOINT_LEVEL - 0.02, style=DASHES)
    drawing.obstacles.add_line(drawing.canvas.page(places), 0.8)


def coupling_line(scene: Scene, coupling: Coupling) -> np.ndarray:
    """Line through the coupled joints, next to which the name of a coupling is placed.

    For gears it is the single point at which the teeth mesh.
    """
    return (
        gearing_label_line(scene, coupling)
        if isinstance(coupling, Gearing)
        else dict(scene.coupling_lines)[coupling.name]
    )


def pair_extent(site: JointSite, planar: bool) -> list[np.ndarray]:
    """Points of a pair, in addition to its markers, that must be inside the page."""
    if isinstance(site.joint, Cam | PointOnCurve):
        return extent_of_cam(site)
    return extent_of_wheel(site, planar)


PAIR_SYMBOLS: dict[str, Callable[[Drawing, JointSite], None]] = {
    "Cam": cam,
    "Distance": distance,
    "PointOnCurve": slot,
    "Rolling": rolling,
    "RollingBall": ball,
    "Skate": skate,
}
