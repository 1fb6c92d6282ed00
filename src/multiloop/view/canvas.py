"""Canvas: Matplotlib axes with the map from space to the page, and functions that draw lines, areas, dots and text.

Positions are given in metres in the inertial frame; widths and sizes in points of the page (1/72 inch).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np

from multiloop.model import DrawingError, Fault
from multiloop.view.figure import PAPER, blank_figure, page_of
from multiloop.view.label_placement import escape_dollars


@dataclass(frozen=True, eq=False)
class Canvas:
    """Matplotlib axes together with the map from positions x in space (m) to the page (points, 1/72 inch).

        page = A x + b

    `A` is 2 × 3 and `b` has two components. In all drawing functions, an object with a higher `level` covers objects
    with a lower level.
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
        """Unit vector in space that points to the right on the page."""
        way: np.ndarray = self.A[0] * self.unit
        return way

    @cached_property
    def up(self) -> np.ndarray:
        """Unit vector in space that points upward on the page."""
        way: np.ndarray = self.A[1] * self.unit
        return way

    @cached_property
    def toward(self) -> np.ndarray:
        """Unit vector in space that points from the page towards the viewer."""
        return np.cross(self.right, self.up)

    @property
    def spatial(self) -> bool:
        """Whether the axes are three-dimensional."""
        return bool(self.axes.name == "3d")

    def page(self, points: Any) -> np.ndarray:
        """Project points in space (m) onto the page (points)."""
        places: np.ndarray = np.asarray(points, float) @ self.A.T + self.b
        return places

    def shifted(self, point: np.ndarray, offset: Sequence[float] | np.ndarray) -> np.ndarray:
        """A point in space, displaced parallel to the page by an offset (right, up) in points."""
        return point + self.unit * (offset[0] * self.right + offset[1] * self.up)

    def from_page(self, place: Sequence[float] | np.ndarray, near: np.ndarray) -> np.ndarray:
        """The point in space that is projected to a position on the page and has the same depth as the point `near`."""
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
        """Draw several thin straight lines of one style, each given by its two end points."""
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
        """Draw a symbol (by default a circle) at a point; `diameter` and edge `width` are in points of the page."""
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
        """Draw text, centred at a point unless `style` changes this, with a white rim around the letters."""
        from matplotlib.patheffects import withStroke

        rim = [withStroke(linewidth=2.6, foreground=PAPER)]
        style = {"ha": "center", "va": "center", "path_effects": rim, "clip_on": False} | style
        place = point if self.spatial else point[:2]
        self.axes.text(*place, escape_dollars(words), color=colour, fontsize=size, zorder=level, **style)

    def _trace(self, points: Any, **look: Any) -> None:
        """Add a line or a symbol to the axes without changing the limits of the axes."""
        columns = np.asarray(points, float).T
        if self.spatial:
            from mpl_toolkits.mplot3d.art3d import Line3D

            self.axes.add_artist(Line3D(*columns, **look))
        else:
            from matplotlib.lines import Line2D

            self.axes.add_artist(Line2D(*columns[:2], **look))


MARGIN = np.array([[58.0, 66.0], [58.0, 50.0]])
"""Margins of the page for names, in points: (left, bottom) and (right, top)."""

LARGEST, SMALLEST = np.array([560.0, 470.0]), np.array([340.0, 190.0])
"""Largest and smallest page size (width, height), in points."""

AZIMUTHS, ELEVATIONS = range(-75, -14, 10), (20, 28)
"""Azimuths and elevations (degrees) of the viewing directions that are compared for a spatial mechanism."""


def planar_canvas(points: np.ndarray, axes: Any = None, *, room: float = 1.0) -> Canvas:
    """Canvas for a planar mechanism, with x to the right, y upward, and equal scales.

    The page contains `points` (n × 3, m). `room` is a factor on the page size for mechanisms with many bodies.
    """
    low, high = points[:, :2].min(axis=0), points[:, :2].max(axis=0)
    spread = np.maximum(high - low, 0.05 * float((high - low).max()) or 1.0)
    if axes is not None and axes.name == "3d":
        what = "have projection '3d', but a planar mechanism is drawn in 2D axes."
        fault = Fault("V02", "axes", what, "Create the axes without the argument `projection`.")
        raise DrawingError("the picture", [fault])
    if axes is None:
        axes = blank_figure(_page_for(spread, room)).add_axes((0, 0, 1, 1))
    page = np.diff(page_of(axes), axis=0)[0]
    scale = float(((page - MARGIN.sum(axis=0)) / spread).min())
    corner = (low + high) / 2 - (page + MARGIN[0] - MARGIN[1]) / (2 * scale)
    axes.set(xlim=(corner[0], corner[0] + page[0] / scale), ylim=(corner[1], corner[1] + page[1] / scale))
    axes.set_axis_off()
    return Canvas(axes, scale * np.eye(2, 3), page_of(axes)[0] - scale * corner)


def spatial_canvas(
    points: np.ndarray,
    upward: int,
    axes: Any = None,
    *,
    room: float = 1.0,
    motion: np.ndarray | None = None,
) -> Canvas:
    """Canvas for a spatial mechanism in orthographic projection, viewed so that the points overlap least.

    The page contains `points` (n × 3, m) or, if given, the points `motion` in the same view. `upward` is the index of
    the inertial axis that points up; `room` is a factor on the page size for mechanisms with many bodies.
    """
    own = axes is None
    if axes is not None and axes.name != "3d":
        what = f"a spatial mechanism is drawn in axes with projection '3d', not '{axes.name}'."
        fault = Fault("V02", "axes", what, 'Create the axes with projection="3d".')
        raise DrawingError("the picture", [fault])
    if axes is None:
        axes = blank_figure(LARGEST).add_axes((0, 0, 1, 1), projection="3d")
    axes.set_proj_type("ortho")
    axes.computed_zorder = False
    axes.set_axis_off()
    views = [
        {"azim": azimuth, "elev": elevation, "vertical_axis": "xyz"[upward]}
        for azimuth, elevation in product(AZIMUTHS, ELEVATIONS)
    ]
    scores = [_openness(_viewed_from(axes, points, view).page(points)) for view in views]
    view = views[int(np.argmax(scores))]
    points = points if motion is None else motion
    seen = _viewed_from(axes, points, view)
    spread = np.ptp(seen.page(points), axis=0) * seen.unit
    spread = np.maximum(spread, 0.05 * float(spread.max()) or 1.0)
    if own:
        axes.figure.set_size_inches(*_page_for(spread, room) / 72.0)
    return _centred(axes, points, spread)


def _page_for(spread: np.ndarray, room: float) -> np.ndarray:
    """Page size (width, height) in points for a drawing with the width and height `spread` in metres.

    `room` is a factor on the largest page size.
    """
    scale = float(((room * LARGEST - MARGIN.sum(axis=0)) / spread).min())
    page: np.ndarray = np.maximum(scale * spread + MARGIN.sum(axis=0), SMALLEST)
    return page


def _viewed_from(axes: Any, points: np.ndarray, view: dict[str, Any]) -> Canvas:
    axes.view_init(**view)
    return _fitted(axes, (points.min(axis=0) + points.max(axis=0)) / 2, 1.0)


def _centred(axes: Any, points: np.ndarray, spread: np.ndarray) -> Canvas:
    """Canvas with the current viewing angles, scaled and shifted so that the points fill the page.

    `spread` are the width and height (m) of the points in this view.
    """
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    low, high = page_of(axes) + np.array([MARGIN[0], -MARGIN[1]])
    half = _fitted(axes, middle, 1.0).unit ** -1 * float((spread / (high - low)).max())
    canvas = _fitted(axes, middle, half)
    found = canvas.page(points)
    off = (low + high - found.min(axis=0) - found.max(axis=0)) / 2
    return _fitted(axes, canvas.shifted(middle, -off), half)


def _fitted(axes: Any, middle: np.ndarray, half: float) -> Canvas:
    """Set the limits of all three axes to middle ± half (m), and return the resulting canvas."""
    from mpl_toolkits.mplot3d import proj3d

    for centre, name in zip(middle, "xyz", strict=True):
        getattr(axes, f"set_{name}lim")(centre - half, centre + half)
    axes.set_box_aspect((1, 1, 1), zoom=1.6)
    axes.apply_aspect()
    probes = middle + half * np.vstack([np.zeros(3), np.eye(3)])
    x, y, _ = proj3d.proj_transform(*probes.T, axes.get_proj())
    page = axes.transData.transform(np.column_stack([x, y])) * 72.0 / axes.figure.dpi
    A = ((page[1:] - page[0]) / half).T
    return Canvas(axes, A, page[0] - A @ middle)


def _openness(places: np.ndarray) -> float:
    """Measure of how far points are apart on the page: the mean logarithm of their distances.

    Very small distances are replaced by one hundredth of the largest.
    """
    gaps = np.linalg.norm(places[:, None] - places[None], axis=2)[np.triu_indices(len(places), 1)]
    return float(np.log(np.maximum(gaps, 0.01 * gaps.max(initial=1.0))).mean()) if gaps.size else 0.0


def round_number_below(longest: float) -> float:
    """The largest number 1, 2 or 5 times a power of ten that is not larger than `longest`."""
    power = 10.0 ** np.floor(np.log10(longest))
    steps: Sequence[float] = (1.0, 2.0, 5.0)
    return float(max(step * power for step in steps if step * power <= longest))
