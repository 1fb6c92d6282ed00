"""Names with the places that they may take: around a point, beside a bar, in the middle of an area."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from multiloop.view.outlines import contains, nearest_on, sides

CORNERS = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])

FAR = 9.0
"""Points between a name and its thing from which a thin line has to lead from one to the other."""

TURNS = np.linspace(0.0, 2 * np.pi, 24, endpoint=False) + np.pi / 4
"""Directions in which a name may stand from a point, the best first."""

SHARES = (0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9)
"""Where along a side of a body its name may stand, the best first."""

NEAR = (3.5, 5.5, 8.0, 11.0, 14.0, 19.0, 24.0, 30.0, 36.0, 44.0)
"""Gaps between a name and its point, in points, the best first."""

ASIDE = (3.0, 5.5, 9.0, 14.0, 19.0, 25.0, 31.0, 40.0)
"""Gaps between a name and a side, in points, the best first."""

FARTHER = 0.07
"""What it costs to stand a point farther off than at best."""

SHORT = 8.0
"""Points of a line that is no more than a point to stand beside."""

END = 0.2
"""Share of a bar at either end where no line from its name arrives: there are its joints."""


@dataclass(frozen=True, eq=False)
class Label:
    """A name with the places it may take.

    `thing` is what it belongs to, a line through page points; `places` are centres of its box, each with what
    it costs to stand there.
    """

    words: str
    thing: np.ndarray
    places: np.ndarray  # n×3: x, y, cost
    box: np.ndarray  # width, height
    radius: float  # how far the thing reaches around its line
    room: float = 0.0  # what stands around the thing, such as the arrow of a drive
    kind: str = ""  # of the thing: names are mistaken for those of other things of their kind

    @property
    def centres(self) -> np.ndarray:
        """Centres of its places: n×2."""
        return self.places[:, :2]

    def gaps(self, centres: np.ndarray, box: np.ndarray) -> np.ndarray:
        """How far a box, at each of several centres (… × 2), is from the thing; 0 inside its area."""
        corners = centres[..., None, :] + CORNERS * box / 2
        to_corners = np.linalg.norm(nearest_on(self.thing, corners) - corners, axis=-1)
        away = np.maximum(np.abs(self.thing - centres[..., None, :]) - box / 2, 0.0)
        gaps = np.minimum(to_corners.min(axis=-1), np.linalg.norm(away, axis=-1).min(axis=-1))
        return np.where(self._inside(centres), 0.0, gaps)

    def leads(self, centres: np.ndarray) -> np.ndarray:
        """The line from its box at each of several centres (… × 2) to its thing; NaN where it stands close.

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
    """A name that may stand anywhere around a point, best at the first of the gaps from it."""
    box = extent(words, size)
    ways = np.column_stack([np.cos(TURNS), np.sin(TURNS)])
    reach = radius + room + np.array(gaps)[:, None, None] + box / 2
    costs = FARTHER * (np.array(gaps)[:, None] - gaps[0]) + 0.02 * np.arange(len(ways))
    places = np.concatenate([anchor + reach * ways, costs[..., None]], axis=2)
    return Label(words, anchor[None], places.reshape(-1, 3), box, radius, room, kind)


def beside(words: str, ring: np.ndarray, size: float, *, radius: float, kind: str = "") -> Label:
    """The name of a body, which may stand beside its lines or in the middle of its area."""
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
    """Places in the middle of an area, then below and above it, as far as they lie inside."""
    lines = np.array([0.0, -1.0, 1.0, -2.0, 2.0])
    middle = ring[:-1].mean(axis=0)
    places = np.column_stack([np.full(5, middle[0]), middle[1] + 1.5 * box[1] * lines, 0.04 * np.arange(5)])
    inside: np.ndarray = places[contains(ring, places[:, :2]) | (lines == 0.0)]
    return inside


def extent(words: str, size: float) -> np.ndarray:
    """Width and height of words on the page, in points."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    width, _, _ = text_to_path.get_text_width_height_descent(
        words or " ", FontProperties(size=size), ismath=False
    )
    return np.array([width, 0.95 * size])


def plain(words: str) -> str:
    """Words as matplotlib takes them literally: a dollar sign begins no formula."""
    return words.replace("$", r"\$")
