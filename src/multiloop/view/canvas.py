"""Canvas: lines, areas, dots and text at points in space, with sizes in points of the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from multiloop.view.colours import PAPER
from multiloop.view.labels import plain


@dataclass(frozen=True, eq=False)
class Canvas:
    """Axes together with the map from space to the page.

        page = A x + b        (1/72 inch)

    `A` is 2×3. Objects with a higher `level` cover those with a lower one.
    """

    axes: Any
    A: np.ndarray
    b: np.ndarray

    @cached_property
    def unit(self) -> float:
        """Length in metres of one point of the page."""
        return 1.0 / float(np.linalg.norm(self.A[0]))

    @cached_property
    def right(self) -> np.ndarray:
        """The direction in space that runs to the right on the page."""
        way: np.ndarray = self.A[0] * self.unit
        return way

    @cached_property
    def up(self) -> np.ndarray:
        """The direction in space that runs upward on the page."""
        way: np.ndarray = self.A[1] * self.unit
        return way

    @cached_property
    def toward(self) -> np.ndarray:
        """The direction in space that runs towards the reader."""
        return np.cross(self.right, self.up)

    @property
    def spatial(self) -> bool:
        """Whether the axes have depth."""
        return bool(self.axes.name == "3d")

    def page(self, points: Any) -> np.ndarray:
        """Project points in space onto the page."""
        places: np.ndarray = np.asarray(points, float) @ self.A.T + self.b
        return places

    def shifted(self, point: np.ndarray, offset: Sequence[float] | np.ndarray) -> np.ndarray:
        """A point in space, displaced by an offset on the page."""
        return point + self.unit * (offset[0] * self.right + offset[1] * self.up)

    def from_page(self, place: Sequence[float] | np.ndarray, near: np.ndarray) -> np.ndarray:
        """The point in space at a place on the page, at the depth of `near`."""
        return self.shifted(near, np.asarray(place) - self.page(near))

    def line(
        self, points: Any, colour: str, width: float, *, level: float, style: Any = "-", cap: str = "round"
    ) -> None:
        """Draw a line through points; `width` in points of the page."""
        options = {
            "solid_capstyle": cap,
            "dash_capstyle": "butt",
            "solid_joinstyle": "round",
            "clip_on": False,
        }
        self._trace(points, color=colour, lw=width, ls=style, zorder=level, **options)

    def strokes(self, lines: Any, colour: str, width: float, *, level: float) -> None:
        """Draw several thin lines of one style, each between two points."""
        gap = np.full(3, np.nan)
        self.line([point for a, b in lines for point in (a, b, gap)], colour, width, level=level, cap="butt")

    def area(
        self, points: Any, face: str, edge: str, width: float, *, level: float, alpha: float | None = None
    ) -> None:
        """Draw a filled polygon with a rounded edge."""
        look = {
            "facecolor": face,
            "edgecolor": edge,
            "linewidth": width,
            "joinstyle": "round",
            "zorder": level,
        }
        look |= {"alpha": alpha, "clip_on": False}
        if self.spatial:
            from mpl_toolkits.mplot3d.art3d import Poly3DCollection

            self.axes.add_artist(Poly3DCollection([np.asarray(points)], **look))
        else:
            from matplotlib.patches import Polygon

            self.axes.add_artist(Polygon(np.asarray(points)[:, :2], closed=True, **look))

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
        """Draw a mark of a given size on the page."""
        look = {
            "markersize": diameter,
            "markerfacecolor": face,
            "markeredgecolor": edge,
            "markeredgewidth": width,
        }
        self._trace([point], marker=marker, ls="none", zorder=level, clip_on=False, **look)

    def text(
        self, point: np.ndarray, words: str, colour: str, size: float, *, level: float, **style: Any
    ) -> None:
        """Draw text centred at a point, with a white rim around it."""
        from matplotlib.patheffects import withStroke

        rim = [withStroke(linewidth=2.6, foreground=PAPER)]
        style = {"ha": "center", "va": "center", "path_effects": rim, "clip_on": False} | style
        place = point if self.spatial else point[:2]
        self.axes.text(*place, plain(words), color=colour, fontsize=size, zorder=level, **style)

    def _trace(self, points: Any, **look: Any) -> None:
        """Add a line or a mark without updating the limits of the axes, which are set already."""
        columns = np.asarray(points, float).T
        if self.spatial:
            from mpl_toolkits.mplot3d.art3d import Line3D

            self.axes.add_artist(Line3D(*columns, **look))
        else:
            from matplotlib.lines import Line2D

            self.axes.add_artist(Line2D(*columns[:2], **look))
