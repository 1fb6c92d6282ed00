"""Labels with their candidate places: around a point, next to a bar, or in the middle of an area."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from multiloop.view.outlines import contains, nearest_on, sides

CORNERS = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])

FAR = 9.0
"""Distance between a label and its object from which a leader line is needed, in points."""

TURNS = np.linspace(0.0, 2 * np.pi, 24, endpoint=False) + np.pi / 4
"""Directions from a point in which its label may be placed, the best first."""

SHARES = (0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9)
"""Positions along a side of a body at which its label may be placed, the best first."""

NEAR = (3.5, 5.5, 8.0, 11.0, 14.0, 19.0, 24.0, 30.0, 36.0, 44.0)
"""Gaps between a label and its point, in points, the best first."""

ASIDE = (3.0, 5.5, 9.0, 14.0, 19.0, 25.0, 31.0, 40.0)
"""Gaps between a label and a side, in points, the best first."""

FARTHER = 0.07
"""Cost of each point of distance beyond the smallest gap."""

SHORT = 8.0
"""Length below which a line is treated as a point, in points."""

END = 0.2
"""Fraction of a bar at either end at which no leader line ends, because its joints are there."""


@dataclass(frozen=True, eq=False)
class Label:
    """A label with its candidate places.

    `thing` is the object that it labels, a line through points of the page; `places` are centres of its box, each with
    a cost.
    """

    words: str
    thing: np.ndarray
    places: np.ndarray  # n×3: x, y, cost
    box: np.ndarray  # width, height
    radius: float  # half width of the object around its line
    room: float = 0.0  # space taken around the object, such as by the arrow of a drive
    kind: str = ""  # of the object: labels may be mistaken for those of other objects of the same kind

    @property
    def centres(self) -> np.ndarray:
        """Centres of its candidate places, n×2."""
        return self.places[:, :2]

    def gaps(self, centres: np.ndarray, box: np.ndarray) -> np.ndarray:
        """Distances of a box, at each of several centres (… × 2), from the object; 0 inside its area."""
        corners = centres[..., None, :] + CORNERS * box / 2
        to_corners = np.linalg.norm(nearest_on(self.thing, corners) - corners, axis=-1)
        away = np.maximum(np.abs(self.thing - centres[..., None, :]) - box / 2, 0.0)
        gaps = np.minimum(to_corners.min(axis=-1), np.linalg.norm(away, axis=-1).min(axis=-1))
        return np.where(self._inside(centres), 0.0, gaps)

    def leads(self, centres: np.ndarray) -> np.ndarray:
        """Leader lines from its box, at each of several centres (… × 2), to its object; NaN where none is needed.

        The two ends of each: … × 2 × 2.
        """
        foot, edge = nearest_on(self.thing, centres), self.box / 2 + 1.0
        start = centres + np.clip(foot - centres, -edge, edge)
        length = np.linalg.norm(foot - start, axis=-1, keepdims=True)
        end = foot - self.radius * (foot - start) / np.maximum(length, 1e-9)
        needed = self.gaps(centres, self.box) > self.radius + self.room + FAR
        return np.where(needed[..., None, None], np.stack([start, end], axis=-2), np.nan)

    def _inside(self, centres: np.ndarray) -> np.ndarray:
        return contains(self.thing, centres) if len(self.thing) > 2 else np.zeros(centres.shape[:-1], bool)


def around(
    words: str,
    anchor: np.ndarray,
    size: float,
    *,
    radius: float,
    room: float = 0.0,
    gaps: Sequence[float] = NEAR,
    kind: str = "",
) -> Label:
    """A label that may be placed anywhere around a point, preferably at the first of the gaps."""
    box = extent(words, size)
    ways = np.column_stack([np.cos(TURNS), np.sin(TURNS)])
    reach = radius + room + np.array(gaps)[:, None, None] + box / 2
    costs = FARTHER * (np.array(gaps)[:, None] - gaps[0]) + 0.02 * np.arange(len(ways))
    places = np.concatenate([anchor + reach * ways, costs[..., None]], axis=2)
    return Label(words, anchor[None], places.reshape(-1, 3), box, radius, room, kind)


def beside(words: str, ring: np.ndarray, size: float, *, radius: float, kind: str = "") -> Label:
    """The label of a body, which may be placed next to its sides or in the middle of its area."""
    if np.ptp(ring, axis=0).max() < SHORT:
        return around(words, ring[0], size, radius=max(radius, SHORT / 2), kind=kind)
    box = extent(words, size)
    places = [_within(ring, box)] if len(ring) > 2 else []
    shares, gaps = np.array(SHARES)[:, None, None, None], np.array(ASIDE)[:, None, None]
    costs = 0.1 + 0.12 * np.arange(len(SHARES))[:, None, None] + FARTHER * (gaps[..., 0] - ASIDE[0])
    for a, b in sides(ring):
        way = b - a
        normal = np.array([-way[1], way[0]]) / (float(np.hypot(*way)) or 1.0)
        reach = radius + gaps + np.abs(normal) @ box / 2
        centres = a + shares * way + reach * np.array([[1.0], [-1.0]]) * normal
        costed = np.broadcast_to(costs[..., None], (*centres.shape[:-1], 1))
        places.append(np.concatenate([centres, costed], axis=-1).reshape(-1, 3))
    thing = ring if len(ring) > 2 else ring + END * (ring[::-1] - ring)
    return Label(words, thing, np.vstack(places), box, radius, kind=kind)


def _within(ring: np.ndarray, box: np.ndarray) -> np.ndarray:
    """Places in the middle of an area, then below and above it, if they are inside."""
    lines = np.array([0.0, -1.0, 1.0, -2.0, 2.0])
    middle = ring[:-1].mean(axis=0)
    places = np.column_stack([np.full(5, middle[0]), middle[1] + 1.5 * box[1] * lines, 0.04 * np.arange(5)])
    inside: np.ndarray = places[contains(ring, places[:, :2]) | (lines == 0.0)]
    return inside


def extent(words: str, size: float) -> np.ndarray:
    """Width and height of a text on the page, in points."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    width, _, _ = text_to_path.get_text_width_height_descent(
        words or " ", FontProperties(size=size), ismath=False
    )
    return np.array([width, 0.95 * size])


def plain(words: str) -> str:
    """Text with escaped dollar signs, so that Matplotlib does not read formulas."""
    return words.replace("$", r"\$")
