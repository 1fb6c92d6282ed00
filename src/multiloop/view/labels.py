"""Names with the places that they may take: around a point, beside a bar, in the middle of an area."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from multiloop.view.outlines import contains, nearest_on, sides

FAR = 9.0
"""Points between a name and its thing from which a thin line has to lead from one to the other."""

TURNS = np.linspace(0.0, 2 * np.pi, 24, endpoint=False) + np.pi / 4
"""Directions in which a name may stand from a point, the best first."""

SHARES = (0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9)
"""Where along a side of a body its name may stand, the best first."""

NEAR, ASIDE = (3.5, 8.0, 14.0, 24.0, 36.0), (3.0, 9.0, 19.0, 31.0)
"""Gaps between a name and its point, and between a name and a side, the best first."""

FARTHER = 0.6
"""What it costs to stand at the next larger gap."""


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
    owner: str = ""  # the body whose name it is

    @property
    def centres(self) -> np.ndarray:
        """Centres of its places: n×2."""
        return self.places[:, :2]

    def leads(self, centres: np.ndarray) -> np.ndarray:
        """The line from its box at each of several centres (… × 2) to its thing; NaN where it stands close.

        The two ends of each: … × 2 × 2.
        """
        foot = nearest_on(self.thing, centres)
        edge = centres + np.clip(foot - centres, -self.box / 2 - 1, self.box / 2 + 1)
        length = np.linalg.norm(foot - edge, axis=-1, keepdims=True)
        end = foot - self.radius * (foot - edge) / np.maximum(length, 1e-9)
        needed = length > self.radius + FAR
        if len(self.thing) > 2:
            needed &= ~contains(self.thing, centres)[..., None]
        return np.where(needed[..., None], np.stack([edge, end], axis=-2), np.nan)


def around(
    words: str, anchor: np.ndarray, size: float, *, radius: float, gaps: Sequence[float] = NEAR
) -> Label:
    """A name that may stand anywhere around a point, best at the first of the gaps from it."""
    box = extent(words, size)
    ways = np.column_stack([np.cos(TURNS), np.sin(TURNS)])
    reach = radius + np.array(gaps)[:, None, None] + box / 2
    costs = FARTHER * np.arange(len(gaps))[:, None] + 0.02 * np.arange(len(ways))
    places = np.concatenate([anchor + reach * ways, costs[..., None]], axis=2)
    return Label(words, anchor[None], places.reshape(-1, 3), box, radius)


def beside(words: str, ring: np.ndarray, size: float, *, radius: float) -> Label:
    """The name of a body, which may stand beside its lines or in the middle of its area."""
    if len(ring) == 1:
        return around(words, ring[0], size, radius=radius)
    box = extent(words, size)
    places = [np.array([[*ring[:-1].mean(axis=0), 0.0]])] if len(ring) > 2 else []
    shares, gaps = np.array(SHARES)[:, None, None, None], np.array(ASIDE)[:, None, None]
    costs = 0.1 + 0.12 * np.arange(len(SHARES))[:, None, None] + FARTHER * np.arange(len(ASIDE))[:, None]
    for a, b in sides(ring):
        way = b - a
        normal = np.array([-way[1], way[0]]) / (float(np.hypot(*way)) or 1.0)
        reach = radius + gaps + np.abs(normal) @ box / 2
        centres = a + shares * way + reach * np.array([[1.0], [-1.0]]) * normal
        costed = np.broadcast_to(costs[..., None], (*centres.shape[:-1], 1))
        places.append(np.concatenate([centres, costed], axis=-1).reshape(-1, 3))
    return Label(words, ring, np.vstack(places), box, radius, owner=words)


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
