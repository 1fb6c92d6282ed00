"""Ink on a page that labels should not cover, and functions for polylines and polygons."""

from __future__ import annotations

import numpy as np


def page_vector(right: float, up: float) -> np.ndarray:
    """A vector on the page from its components to the right and upward."""
    return np.array([right, up])


def convex_outline(points: np.ndarray, near: float) -> np.ndarray:
    """Corners of the convex hull of points that are approximately in a plane.

    For collinear points the two ends are returned, for coincident points one point. Distances below `near` are
    neglected.
    """
    centre = points.mean(axis=0)
    _, spread, axes = np.linalg.svd(points - centre, full_matrices=True)
    spread = np.append(spread, [0.0, 0.0, 0.0])
    if spread[0] < near:
        return points[:1]
    flat = (points - centre) @ axes[:2].T
    if spread[1] < near:
        return points[[int(flat[:, 0].argmin()), int(flat[:, 0].argmax())]]
    from scipy.spatial import ConvexHull

    corners: np.ndarray = points[ConvexHull(flat).vertices]
    return corners


def segments(corners: np.ndarray) -> np.ndarray:
    """Segments of a polyline as their two ends, segments × 2 × dimensions; one corner gives a segment of length
    zero."""
    return np.stack(
        [corners[:-1] if len(corners) > 1 else corners, corners[1:] if len(corners) > 1 else corners], axis=1
    )


def nearest_on_segments(pieces: np.ndarray, points: np.ndarray) -> np.ndarray:
    """The point of each segment that is nearest to each of several points.

    `pieces` are segments × 2 × dimensions, `points` … × dimensions; the result is … × segments × dimensions.
    """
    starts, ways = pieces[:, 0], pieces[:, 1] - pieces[:, 0]
    along = ((points[..., None, :] - starts) * ways).sum(axis=-1)
    shares = np.clip(along / np.maximum((ways * ways).sum(axis=-1), 1e-300), 0.0, 1.0)
    feet: np.ndarray = starts + shares[..., None] * ways
    return feet


def nearest_on(corners: np.ndarray, points: np.ndarray) -> np.ndarray:
    """The point of a polyline that is nearest to each of several points (… × dimensions)."""
    feet = nearest_on_segments(segments(corners), points)
    best = np.linalg.norm(feet - points[..., None, :], axis=-1).argmin(axis=-1)
    found: np.ndarray = np.take_along_axis(feet, best[..., None, None], axis=-2)[..., 0, :]
    return found


def contains(corners: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Whether each of several points of the page (… × 2) is inside a polygon."""
    from matplotlib.path import Path

    inside: np.ndarray = Path(corners).contains_points(points.reshape(-1, 2)).reshape(points.shape[:-1])
    return inside


STEP = 3.0
"""Distance between the spots of ink that represent a drawn line, in points of the page."""

DISC = 17.0
"""Amount of ink of a disc of weight one, in spots of ink of weight one."""

RIM = 24
"""Width of the strip around the page in which ink is also recorded, in points of the page."""


class Obstacles:
    """The amount of ink on a page that labels should not cover, in cells of one square point.

    Every drawn line, disc or label is represented by spots of ink, each with a weight. `page` are the lower left and
    the upper right corner of the page, in points.
    """

    def __init__(self, page: np.ndarray) -> None:
        self.page = page
        self.corner = np.floor(page[0]) - RIM
        self.ink = np.zeros(np.ceil(page[1] - self.corner).astype(int) + RIM)
        self._sums: np.ndarray | None = None

    def add_line(self, points: np.ndarray, weight: float = 1.0, *, width: float = 0.0) -> None:
        """Add the ink of a line through points of the page; for a line of some `width`, also along both its edges."""
        spots, normals = _along(points)
        for shift in (0.0, width / 2, -width / 2) if width else (0.0,):
            self._add(spots + shift * normals, weight)

    def add_disc(self, centre: np.ndarray, radius: float, weight: float = 3.0) -> None:
        """Add the ink of a disc on the page."""
        across = np.arange(-radius, radius + 0.5)
        spots = np.stack(np.meshgrid(across, across), axis=-1).reshape(-1, 2)
        spots = spots[np.hypot(*spots.T) < radius + 0.5]
        self._add(centre + spots, weight * DISC / len(spots))

    def ink_near(self, centre: np.ndarray, reach: float) -> float:
        """Amount of ink within the distance `reach` of the point `centre` of the page, both in points."""
        low, high = (self._edges(centre + side * reach) for side in (-1, 1))
        window = self.ink[low[0] : high[0], low[1] : high[1]]
        x, y = (self.corner[k] + np.arange(low[k], high[k]) + 0.5 - centre[k] for k in (0, 1))
        return float(window[np.hypot(x[:, None], y) < reach].sum())

    def covered(self, centres: np.ndarray, box: np.ndarray) -> np.ndarray:
        """Amount of ink that a box of given width and height covers, for several centres of the box (… × 2).

        S(x, y) = Σ ink left of x and below y
        covered = S(right, top) − S(left, top) − S(right, bottom) + S(left, bottom)
        """
        if self._sums is None:
            self._sums = np.zeros(np.add(self.ink.shape, 1))
            self.ink.cumsum(axis=0).cumsum(axis=1, out=self._sums[1:, 1:])
        (left, low), (right, high) = (
            np.moveaxis(self._edges(centres + side * box / 2), -1, 0) for side in (-1, 1)
        )
        S = self._sums
        ink: np.ndarray = S[right, high] - S[left, high] - S[right, low] + S[left, low]
        return ink

    def overhang(self, centres: np.ndarray, box: np.ndarray) -> np.ndarray:
        """Distance in points by which a box extends beyond the page, for several centres of the box."""
        low, high = centres - box / 2, centres + box / 2
        out: np.ndarray = (np.maximum(self.page[0] - low, 0) + np.maximum(high - self.page[1], 0)).sum(
            axis=-1
        )
        return out

    def _add(self, points: np.ndarray, weight: float) -> None:
        cells = np.floor(points - self.corner)
        on_page = ((cells >= 0) & (cells < self.ink.shape)).all(axis=1)
        np.add.at(self.ink, tuple(cells[on_page].astype(int).T), weight)
        self._sums = None

    def _edges(self, places: np.ndarray) -> np.ndarray:
        """Indices of the cell edges that are nearest to positions on the page."""
        edges: np.ndarray = np.clip(np.floor(places - self.corner + 0.5), 0, self.ink.shape).astype(int)
        return edges


def _along(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Positions of spots along a line through points, at most `STEP` apart, and unit normals of the line there."""
    pieces = segments(points)
    ways = pieces[:, 1] - pieces[:, 0]
    lengths = np.hypot(*ways.T)
    reached = np.concatenate([[0.0], lengths.cumsum()])
    s = np.linspace(0.0, reached[-1], int(np.ceil(reached[-1] / STEP)) + 1)
    piece = np.clip(np.searchsorted(reached, s, side="right") - 1, 0, len(ways) - 1)
    units = ways / np.maximum(lengths, 1e-9)[:, None]
    spots = pieces[piece, 0] + (s - reached[piece])[:, None] * units[piece]
    return spots, np.column_stack([-units[piece, 1], units[piece, 0]])
