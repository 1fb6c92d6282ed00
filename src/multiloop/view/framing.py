"""Size of the page and viewing direction: axes that fit what is drawn."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from multiloop.model import DrawingError, Fault
from multiloop.view.canvas import Canvas

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MARGIN = np.array([[58.0, 66.0], [58.0, 50.0]])
"""Margins for names, in points: left and bottom, right and top."""

LARGEST, SMALLEST = np.array([560.0, 470.0]), np.array([340.0, 190.0])
"""Largest and smallest page, in points."""

AZIMUTHS, ELEVATIONS = range(-75, -14, 10), (20, 28)
"""Viewing angles that are tried, in degrees."""


def blank_figure(page: np.ndarray) -> Figure:
    """A figure of a size given in points, without a window."""
    from multiloop.view.notebook_display import Picture

    return Picture(figsize=tuple(page / 72.0), dpi=100)


def page_of(axes: Any) -> np.ndarray:
    """Lower left and upper right corner of the axes in the figure, in points."""
    box = axes.get_position(original=True)
    size = axes.figure.get_size_inches() * 72.0
    corners: np.ndarray = np.array([box.min, box.max]) * size
    return corners


def flat_canvas(points: np.ndarray, axes: Any = None, *, room: float = 1.0) -> Canvas:
    """A canvas for a planar mechanism: x to the right, y up, equal scales.

    `room` enlarges the page for mechanisms with many parts.
    """
    low, high = points[:, :2].min(axis=0), points[:, :2].max(axis=0)
    spread = np.maximum(high - low, 0.05 * float((high - low).max()) or 1.0)
    if axes is not None and axes.name == "3d":
        what = "have projection '3d', and a plane mechanism is drawn in plain axes."
        fault = Fault("V02", "axes", what, "Leave `projection` out.")
        raise DrawingError("the picture", [fault])
    if axes is None:
        axes = blank_figure(_page_for(spread, room)).add_axes((0, 0, 1, 1))
    page = np.diff(page_of(axes), axis=0)[0]
    scale = float(((page - MARGIN.sum(axis=0)) / spread).min())
    corner = (low + high) / 2 - (page + MARGIN[0] - MARGIN[1]) / (2 * scale)
    axes.set(xlim=(corner[0], corner[0] + page[0] / scale), ylim=(corner[1], corner[1] + page[1] / scale))
    axes.set_axis_off()
    return Canvas(axes, scale * np.eye(2, 3), page_of(axes)[0] - scale * corner)


def space_canvas(
    points: np.ndarray,
    upward: int,
    axes: Any = None,
    *,
    room: float = 1.0,
    motion: np.ndarray | None = None,
) -> Canvas:
    """A canvas for a spatial mechanism in orthographic projection, in the view in which joints overlap least.

    `upward` is the number of the axis that points up; `room` enlarges the page for mechanisms with many parts.
    With `motion` the page is fitted to these points instead, in the same view.
    """
    own = axes is None
    if axes is not None and axes.name != "3d":
        what = f"a mechanism in space is drawn in axes with projection '3d', not '{axes.name}'."
        fault = Fault("V02", "axes", what, 'Make them with projection="3d".')
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
    scores = [_openness(_seen(axes, points, view).page(points)) for view in views]
    view = views[int(np.argmax(scores))]
    points = points if motion is None else motion
    seen = _seen(axes, points, view)
    spread = np.ptp(seen.page(points), axis=0) * seen.unit
    spread = np.maximum(spread, 0.05 * float(spread.max()) or 1.0)
    if own:
        axes.figure.set_size_inches(*_page_for(spread, room) / 72.0)
    return _centred(axes, points, spread)


def _page_for(spread: np.ndarray, room: float) -> np.ndarray:
    """Page size for a drawing of the given width and height in metres."""
    scale = float(((room * LARGEST - MARGIN.sum(axis=0)) / spread).min())
    page: np.ndarray = np.maximum(scale * spread + MARGIN.sum(axis=0), SMALLEST)
    return page


def _seen(axes: Any, points: np.ndarray, view: dict[str, Any]) -> Canvas:
    axes.view_init(**view)
    return _fitted(axes, (points.min(axis=0) + points.max(axis=0)) / 2, 1.0)


def _centred(axes: Any, points: np.ndarray, spread: np.ndarray) -> Canvas:
    """The current view, scaled and shifted so that the points fill the page."""
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    low, high = page_of(axes) + np.array([MARGIN[0], -MARGIN[1]])
    half = _fitted(axes, middle, 1.0).unit ** -1 * float((spread / (high - low)).max())
    canvas = _fitted(axes, middle, half)
    found = canvas.page(points)
    off = (low + high - found.min(axis=0) - found.max(axis=0)) / 2
    return _fitted(axes, canvas.shifted(middle, -off), half)


def _fitted(axes: Any, middle: np.ndarray, half: float) -> Canvas:
    """Set the limits of the axes to middle ± half, and return the resulting canvas."""
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
    """Measure of the separation of points: the mean logarithm of their distances, bounded below for coincident ones."""
    gaps = np.linalg.norm(places[:, None] - places[None], axis=2)[np.triu_indices(len(places), 1)]
    return float(np.log(np.maximum(gaps, 0.01 * gaps.max(initial=1.0))).mean()) if gaps.size else 0.0
