"""State of a drawing in progress: scene, canvas, body outlines, and the ink that labels must avoid."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from multiloop.model import GROUND
from multiloop.view.body_outlines import BodyOutline
from multiloop.view.canvas import Canvas
from multiloop.view.figure import DRIVE, LOAD, colours_of, shaded, tinted
from multiloop.view.label_obstacles import Obstacles
from multiloop.view.scene import JointSite, Scene

GROUND_LEVEL, BODY_LEVEL, JOINT_LEVEL, DRIVE_LEVEL, TEXT_LEVEL = 1.0, 2.0, 4.0, 5.0, 6.0


@dataclass(frozen=True, eq=False)
class Drawing:
    """A drawing in progress: the scene, the canvas, the outlines of the bodies, and the obstacles for labels so far."""

    scene: Scene
    canvas: Canvas
    outlines: Mapping[str, BodyOutline]
    obstacles: Obstacles

    @cached_property
    def colours(self) -> dict[str, str]:
        """Colour of each body, by its name."""
        return colours_of(body.name for body in self.scene.mechanism.all_bodies)

    def face_and_edge(self, body: str) -> tuple[str, str]:
        """Colours of the area and the edge of a body."""
        colour = self.colours[body]
        return tinted(colour, 0.55), shaded(colour, 0.85)

    @cached_property
    def bar_width(self) -> float:
        """Width on the page of a body that is drawn as a bar, in points."""
        crowded = len(self.outlines) > 14
        return (4.5 if crowded else 5.5) if self.canvas.spatial else (5.0 if crowded else 8.0)

    @cached_property
    def levels(self) -> dict[str, float]:
        """Drawing level of each body and of the ground; bodies with a higher level cover those with a lower level.

        In the plane short bars cover long ones; in space, bodies near the viewer cover distant ones.
        """
        names = list(self.outlines)
        if self.canvas.spatial:
            depth = {
                name: float((shape.points @ self.canvas.toward).mean())
                for name, shape in self.outlines.items()
            }
            names.sort(key=lambda name: depth[name])
        else:
            names.sort(key=lambda name: _height(self.outlines[name]))
        found = {name: BODY_LEVEL + (k + 1) / (len(names) + 1) for k, name in enumerate(names)}
        return found | {GROUND: GROUND_LEVEL}

    def joint_level(self, site: JointSite) -> float:
        """Drawing level of a joint, above its two bodies in space and above all bodies in the plane."""
        if not self.canvas.spatial:
            return JOINT_LEVEL
        return max(self.levels[site.first], self.levels[site.second], BODY_LEVEL) + 0.02

    def moving_body(self, site: JointSite) -> str:
        """Name of the body whose colour is used for a joint: its second body, or its first if that is the ground."""
        return site.first if site.second == GROUND else site.second

    def coincident_joints(self, site: JointSite) -> list[JointSite]:
        """All joints of the same type that are drawn at the same point as this one, including itself."""
        gaps = np.linalg.norm(self._places - site.place, axis=1)
        near = np.flatnonzero(gaps < 1e-6 * self.scene.size)
        return [other for other in (self.scene.sites[k] for k in near) if other.kind == site.kind]

    @cached_property
    def _places(self) -> np.ndarray:
        return np.array([site.place for site in self.scene.sites])

    def free_direction(self, place: np.ndarray, reach: float, preferred: np.ndarray) -> np.ndarray:
        """Unit vector on the page that points from `place` to the side with the least ink.

        The candidates are the unit vector `preferred`, its opposite, and the two vectors perpendicular to it. `place`
        is a point in space, and `reach` the distance from it, in points of the page, at which ink is sampled. If the
        amounts of ink are about equal, `preferred` is returned.
        """
        turn = np.array([[0.0, -1.0], [1.0, 0.0]])
        ways: list[np.ndarray] = [preferred, turn @ preferred, -(turn @ preferred), -preferred]
        centre = self.canvas.page(place)
        crowds = [self.obstacles.ink_near(centre + reach * way, 0.65 * reach) for way in ways]
        return ways[int(np.argmin(np.add(crowds, (0.0, 1.5, 1.5, 1.0))))]


def arrow_colour(site: JointSite) -> str:
    """Colour of the arrow at a driven joint: that of loads if the torque or force of the drive is known, otherwise that
    of drives."""
    return LOAD if site.effort_known else DRIVE


def _height(shape: BodyOutline) -> tuple[bool, bool, float]:
    """Sort key of a body by its drawing level, the lowest first.

    Plates are below bars, bars below rods of telescopes, and among these, long bodies below short bodies.
    """
    return shape.width < 1.0, not shape.closed, -float(np.linalg.norm(np.ptp(shape.points, axis=0)))
