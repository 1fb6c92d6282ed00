"""Drawn outlines of bodies: bars, plates, the two parts of a telescope, deformed flexible bodies, and points."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from multiloop.model import GROUND
from multiloop.view.deformed_bodies import (
    bracket_feet,
    bracket_markers,
    centreline_of,
    deformed_centreline,
    deformed_nodes,
    mesh_of,
    mesh_outline,
)
from multiloop.view.label_obstacles import convex_outline
from multiloop.view.scene import SLIDING, JointSite, Scene

SAME_POINT = 1e-6
"""Distance below which two points count as coincident, relative to the size of the mechanism."""


@dataclass(frozen=True, eq=False)
class BodyOutline:
    """Outline of a body in the inertial frame: one point, a line of two points, or a closed polygon of more points.

    `points` are points × 3. `width` is the width of a bar relative to the default width: larger for the barrel of a
    telescope, smaller for its rod. For a flexible beam, `points` is a line of many points, and `brackets` (n × 2 × 3)
    are the ends of the lines that connect the beam to joints that are not on its centreline. For a flexible solid,
    `points` is a polygon in the plane or a set of points in space, and `lines` (n × 3 × 3) are the drawn edges, of
    three points each. `is_open` is true if there are more than two points that are not the corners of a polygon.
    """

    body: str
    points: np.ndarray
    width: float = 1.0
    is_open: bool = False
    lines: np.ndarray | None = None
    brackets: np.ndarray | None = None

    @property
    def closed(self) -> bool:
        """Whether the points are the corners of a closed polygon."""
        return len(self.points) > 2 and not self.is_open

    @property
    def ring(self) -> np.ndarray:
        """Points of the outline; for a closed polygon, the first point is repeated at the end."""
        return np.vstack([self.points, self.points[:1]]) if self.closed else self.points


def body_outlines(scene: Scene) -> dict[str, BodyOutline]:
    """Outline of every moving body, by its name."""
    found = {}
    for body in scene.mechanism.moving:
        if body.name in scene.eta and centreline_of(scene.mechanism, body.name) is not None:
            found[body.name] = beam_outline(scene, body.name)
            continue
        if body.name in scene.eta and mesh_of(scene.mechanism, body.name) is not None:
            found[body.name] = solid_outline(scene, body.name)
            continue
        points = _outline(scene, body.name)
        if len(points) == 1:
            points = _along_slides(scene, body.name, points)
        found[body.name] = BodyOutline(body.name, points, _width(scene, body.name, points))
    return found


def beam_outline(scene: Scene, body: str) -> BodyOutline:
    """Outline of a flexible beam: its deformed centreline and its brackets."""
    instant = scene.poses[body][None], scene.eta[body][None]
    line = deformed_centreline(scene.mechanism, body, *instant, scene.scale)[0]
    return BodyOutline(body, line, is_open=True, brackets=bracket_lines(scene, body))


def bracket_lines(scene: Scene, body: str) -> np.ndarray | None:
    """Brackets that connect the centreline of a flexible beam to joints that are not on it, brackets × 2 × 3.

    None if all joints are on the centreline.
    """
    joints = [scene.point(f"{body}.{name}") for name in bracket_markers(scene.mechanism, body)]
    if not joints:
        return None
    instant = scene.poses[body][None], scene.eta[body][None]
    feet = bracket_feet(scene.mechanism, body, *instant, scene.scale)[0]
    return np.stack([feet, np.array(joints)], axis=1)


def solid_outline(scene: Scene, body: str) -> BodyOutline:
    """Outline of a deformed flexible solid."""
    skin = mesh_outline(scene.mechanism, body)
    instant = scene.poses[body][None], scene.eta[body][None]
    around, lines = (
        deformed_nodes(scene.mechanism, body, nodes, *instant, scene.scale)[0]
        for nodes in (skin.around, skin.lines)
    )
    return BodyOutline(body, around, is_open=not scene.planar, lines=lines)


def ground_outline(scene: Scene) -> np.ndarray:
    """Convex polygon through the joints on the ground, points × 3."""
    seats = scene.joint_points(GROUND)
    return convex_outline(np.array(seats), SAME_POINT * scene.size) if seats else np.zeros((0, 3))


def _outline(scene: Scene, body: str) -> np.ndarray:
    """Corners (n × 3) of the polygon through the outline markers of a body, extended so that it contains its joints."""
    named = [scene.point(f"{body}.{marker}") for marker in scene.mechanism.body(body).outline]
    seats = scene.joint_points(body)
    if named and all(_covers(np.array(named), seat, SAME_POINT * scene.size) for seat in seats):
        return np.array(named)
    points = np.array([*named, *seats] or [scene.point(f"{body}.com")])
    return convex_outline(points, SAME_POINT * scene.size)


def _covers(corners: np.ndarray, point: np.ndarray, near: float) -> bool:
    """Whether a point is on or inside the convex outline of `corners`, with the tolerance `near` (m)."""
    before, after = convex_outline(corners, near), convex_outline(np.vstack([corners, point]), near)
    return all(np.linalg.norm(before - corner, axis=1).min() < near for corner in after)


def _along_slides(scene: Scene, body: str, points: np.ndarray) -> np.ndarray:
    """Outline (points × 3) of a body whose joints and outline markers are all at one point, given as `points` (1 × 3).

    If the body has a sliding joint and its mass centre is on the sliding axis, the outline is a bar along this axis.
    The length of the bar follows from the mass centre and is large enough that the bar meets the other body of the
    joint over the whole stroke. If the mass centre is not on the axis, the outline of the first body of the joint is a
    guide along the axis, and that of the second body remains a point, which is drawn as a block. A body without a
    sliding joint also remains a point.
    """
    point, com = points[0], scene.point(f"{body}.com") - points[0]
    for site in _slides(scene, body):
        reach = float(np.linalg.norm(site.slide))
        if site.grounded or reach < SAME_POINT * scene.size:
            continue
        shortest, longest = slide_lengths(scene, site)
        way = site.slide / reach * (1 if site.first == body else -1)
        if com @ way > 0.7 * np.linalg.norm(com) and com @ way > SAME_POINT * scene.size:
            return np.array([point, point + way * min(max(2 * com @ way, 0.55 * longest), shortest)])
        if site.first == body:
            return np.array([point - 1.4 * way * longest, point + 1.4 * way * longest])
    return points


def slide_lengths(scene: Scene, site: JointSite) -> tuple[float, float]:
    """Shortest and longest distance (m) between the two markers of a sliding joint over its stroke.

    If the markers nearly meet during the stroke, the longest distance is returned twice.
    """
    stroke = scene.stroke(site)
    low, high = sorted(map(abs, stroke))
    meet = low < 0.3 * high or stroke[0] * stroke[1] < 0
    return (high if meet else low), high


def _slides(scene: Scene, body: str) -> list[JointSite]:
    return [site for site in scene.sites if site.kind in SLIDING and body in (site.first, site.second)]


def _width(scene: Scene, body: str, points: np.ndarray) -> float:
    """Width of a bar relative to the default: larger for the barrel and smaller for the rod of a telescope."""
    if len(points) != 2:
        return 1.0
    way = (points[1] - points[0]) / np.linalg.norm(points[1] - points[0])
    for site in _slides(scene, body):
        if not site.grounded and abs(way @ site.axis(scene.planar)) > 1 - 1e-6:
            return 1.3 if site.first == body else 0.6
    return 1.0
