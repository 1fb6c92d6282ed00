"""How large is the picture and from where is it seen: axes made to fit what is drawn."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from multiloop.view.canvas import Canvas

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MARGIN = np.array([[56.0, 50.0], [56.0, 56.0]])
"""Points left free for names: left and bottom, right and top."""

LARGEST, SMALLEST = np.array([560.0, 470.0]), np.array([340.0, 250.0])
"""Largest and smallest page, in points."""

AZIMUTHS, ELEVATIONS = range(-85, 0, 10), (16, 24, 32)
"""Views that are tried, in degrees."""


def blank_figure(page: np.ndarray) -> Figure:
    """A figure of a size given in points, without any window."""
    from matplotlib.figure import Figure

    return Figure(figsize=tuple(page / 72.0), dpi=100)


def flat_canvas(points: np.ndarray, axes: Any = None) -> Canvas:
    """Paper for a plane mechanism: x to the right, y up, the same scale both ways."""
    low, high = points[:, :2].min(axis=0), points[:, :2].max(axis=0)
    spread = np.maximum(high - low, 0.05 * float((high - low).max()) + 1e-12)
    if axes is None:
        scale = float(((LARGEST - MARGIN.sum(axis=0)) / spread).min())
        page = np.maximum(scale * spread + MARGIN.sum(axis=0), SMALLEST)
        axes = blank_figure(page).add_axes((0, 0, 1, 1))
    else:
        page = _page_of(axes)
        scale = float(((page - MARGIN.sum(axis=0)) / spread).min())
    corner = (low + high) / 2 - (page + MARGIN[0] - MARGIN[1]) / (2 * scale)
    axes.set(xlim=(corner[0], corner[0] + page[0] / scale), ylim=(corner[1], corner[1] + page[1] / scale))
    axes.set_axis_off()
    return Canvas(axes, scale * np.eye(2, 3), -scale * corner)


def space_canvas(points: np.ndarray, upward: int, axes: Any = None) -> Canvas:
    """Paper for a mechanism in space, seen from afar, from where its joints hide each other least.

    `upward` is the number of the axis that points up.
    """
    if axes is None:
        axes = blank_figure(LARGEST).add_axes((0, 0, 1, 1), projection="3d")
    axes.set_proj_type("ortho")
    axes.computed_zorder = False
    axes.set_axis_off()
    vertical = "xyz"[upward]
    views = list(product(AZIMUTHS, ELEVATIONS))
    scores = []
    for azimuth, elevation in views:
        axes.view_init(elev=elevation, azim=azimuth, vertical_axis=vertical)
        scores.append(_openness(_fitted(axes, points, 1.0).page(points)))
    azimuth, elevation = views[int(np.argmax(scores))]
    axes.view_init(elev=elevation, azim=azimuth, vertical_axis=vertical)
    near = _fitted(axes, points, 1.0)
    spread = np.ptp(near.page(points), axis=0)
    room = _page_of(axes) - MARGIN.sum(axis=0)
    half = float((spread / room).max())
    canvas = _fitted(axes, points, half)
    wanted = _page_of(axes) / 2 + (MARGIN[0] - MARGIN[1]) / 2
    found = canvas.page(points)
    off = wanted - (found.min(axis=0) + found.max(axis=0)) / 2
    return _fitted(axes, points - canvas.unit * (off[0] * canvas.right + off[1] * canvas.up), half)


def _fitted(axes: Any, points: np.ndarray, half: float) -> Canvas:
    """The axes around the points' middle, `half` wide each way, and the map they make."""
    from mpl_toolkits.mplot3d import proj3d

    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    for centre, name in zip(middle, "xyz", strict=True):
        getattr(axes, f"set_{name}lim")(centre - half, centre + half)
    axes.set_box_aspect((1, 1, 1), zoom=1.6)
    axes.apply_aspect()
    probes = middle + half * np.vstack([np.zeros(3), np.eye(3)])
    x, y, _ = proj3d.proj_transform(*probes.T, axes.get_proj())
    page = axes.transData.transform(np.column_stack([x, y])) * 72.0 / axes.figure.dpi
    page = page - axes.bbox.min * 72.0 / axes.figure.dpi
    A = ((page[1:] - page[0]) / half).T
    return Canvas(axes, A, page[0] - A @ middle)


def _openness(places: np.ndarray) -> float:
    """How well points lie apart: the mean logarithm of their distances, shared places left out."""
    gaps = np.linalg.norm(places[:, None] - places[None], axis=2)[np.triu_indices(len(places), 1)]
    return float(np.log(np.maximum(gaps, 0.01 * gaps.max(initial=1.0))).mean()) if gaps.size else 0.0


def _page_of(axes: Any) -> np.ndarray:
    """Width and height of the axes in points."""
    axes.apply_aspect()
    return axes.get_window_extent().size * 72.0 / axes.figure.dpi
