"""Geometry of polylines and polygons: convex outline of points, nearest points, and containment."""

from __future__ import annotations

import numpy as np


def step(right: float, up: float) -> np.ndarray:
    """A vector on the page."""
    return np.array([right, up])


def ring_around(points: np.ndarray, near: float) -> np.ndarray:
    """The convex hull of points that lie approximately in a plane; two ends of collinear points; or one point.

    Points nearer than `near` to each other count as one.
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


def sides(corners: np.ndarray) -> np.ndarray:
    """The segments of a polyline, each with its two ends; a single corner is a segment of length zero."""
    return np.stack(
        [corners[:-1] if len(corners) > 1 else corners, corners[1:] if len(corners) > 1 else corners], axis=1
    )


def feet_on(pieces: np.ndarray, points: np.ndarray) -> np.ndarray:
    """The nearest point on each of several segments (s × 2 × d) to each of several points (… × d): … × s × d."""
    starts, ways = pieces[:, 0], pieces[:, 1] - pieces[:, 0]
    along = ((points[..., None, :] - starts) * ways).sum(axis=-1)
    shares = np.clip(along / np.maximum((ways * ways).sum(axis=-1), 1e-300), 0.0, 1.0)
    feet: np.ndarray = starts + shares[..., None] * ways
    return feet


def nearest_on(corners: np.ndarray, points: np.ndarray) -> np.ndarray:
    """The point on a polyline that is nearest to each of several points (… × d)."""
    feet = feet_on(sides(corners), points)
    best = np.linalg.norm(feet - points[..., None, :], axis=-1).argmin(axis=-1)
    found: np.ndarray = np.take_along_axis(feet, best[..., None, None], axis=-2)[..., 0, :]
    return found


def contains(corners: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Whether each of several points of the page (… × 2) is inside a polygon."""
    from matplotlib.path import Path

    inside: np.ndarray = Path(corners).contains_points(points.reshape(-1, 2)).reshape(points.shape[:-1])
    return inside
