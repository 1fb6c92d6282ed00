"""A canvas that records strokes in points of the page instead of drawing them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from multiloop.view.canvas import Canvas

Look = tuple[tuple[str, Any], ...]
"""Colours, widths and text of a stroke by name; its properties that do not change while its points move."""

ROUND, FINE = 16, 0.15
"""Smallest number of corners of a round area, and its largest error in points of the page."""


SHAPES = {"o": "disc", "s": "square", "D": "diamond"}
"""Shapes of dots, by Matplotlib marker."""


@dataclass(frozen=True, eq=False)
class Stroke:
    """One line, area, dot or text; `thing` is the object that it belongs to, `points` are n×2 on the page."""

    thing: str
    kind: str
    look: Look
    points: np.ndarray
    level: float


@dataclass(eq=False)
class Notes:
    """Strokes in drawing order, and the object that is being drawn."""

    thing: str = ""
    strokes: list[Stroke] = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class StrokeCanvas(Canvas):
    """A canvas that records strokes; `deep` for spatial mechanisms."""

    deep: bool = False
    notes: Notes = field(default_factory=Notes)

    @property
    def spatial(self) -> bool:
        """Whether it has depth."""
        return self.deep

    def line(
        self, points: Any, colour: str, width: float, *, level: float, style: Any = "-", cap: str = "round"
    ) -> None:
        """Record a line through points."""
        dashes = () if style == "-" else tuple(width * float(dash) for dash in style[1])
        self._note("line", points, level, colour=colour, width=width, dashes=dashes, cap=cap)

    def strokes(self, lines: Any, colour: str, width: float, *, level: float) -> None:
        """Record several thin lines, with two successive points for each."""
        ends = [point for line in lines for point in line]
        self._note("strokes", ends, level, colour=colour, width=width)

    def area(
        self, points: Any, face: str, edge: str, width: float, *, level: float, alpha: float | None = None
    ) -> None:
        """Record a filled polygon; round ones with no more corners than are visible."""
        corners = self.page(points)
        if len(corners) > 2 * ROUND:
            radius = float(np.ptp(corners, axis=0).max()) / 2
            needed = np.pi / np.arccos(max(1 - FINE / max(radius, FINE), 0.0))
            corners = corners[:: max(1, int(len(corners) / max(needed, ROUND)))]
        look = {"face": face, "edge": edge, "width": width, "alpha": 1.0 if alpha is None else alpha}
        self._put("area", corners, level, look)

    def dot(
        self,
        point: np.ndarray,
        diameter: float,
        face: str,
        edge: str,
        *,
        level: float,
        marker: Any = "o",
        width: float = 1.3,
    ) -> None:
        """Record a disc, a square, a diamond, or two quarters of a disc."""
        shape = SHAPES.get(marker, "quarters") if isinstance(marker, str) else "quarters"
        look = {"face": face, "edge": edge, "width": width, "diameter": diameter, "shape": shape}
        self._note("dot", [point], level, **look)

    def text(
        self, point: np.ndarray, words: str, colour: str, size: float, *, level: float, **style: Any
    ) -> None:
        """Record a text at a point."""
        self._put("text", self.page([point]), level, text_look(words, colour, size, **style))

    def _note(self, kind: str, points: Sequence[Any], level: float, **look: Any) -> None:
        self._put(kind, self.page(points), level, look)

    def _put(self, kind: str, page: np.ndarray, level: float, look: dict[str, Any]) -> None:
        notes = self.notes
        notes.strokes.append(Stroke(notes.thing, kind, tuple(look.items()), page, level))


def text_look(words: str, colour: str, size: float, **style: Any) -> dict[str, Any]:
    """The style of a text: `ha` is "left", "center" or "right", `style` "italic", `weight` "bold"."""
    return {
        "words": words,
        "colour": colour,
        "size": size,
        "anchor": style.get("ha", "center"),
        "italic": style.get("style") == "italic",
        "bold": style.get("weight") == "bold",
    }
