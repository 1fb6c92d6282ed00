"""Plain geometry of outlines: the ring around points, the nearest point of a line, inside or outside."""

from __future__ import annotations

import numpy as np


def step(right: float, up: float) -> np.ndarray:
    """A step over the page."""
    return np.array([right, up])


def ring_around(points: np.ndarray, near: float) -> np.ndarray:
    """The convex ring of points that lie about in a plane; two ends of points in line; or one point.

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
    """The straight pieces of a line through corners, each with its two ends; a single corner is a piece too."""
    return np.stack(
        [corners[:-1] if len(corners) > 1 else corners, corners[1:] if len(corners) > 1 else corners], axis=1
    )


def feet_on(pieces: np.ndarray, points: np.ndarray) -> np.ndarray:
    """The nearest point of each of several pieces (s × 2 × d) to each of several points (… × d): … × s × d."""
    starts, ways = pieces[:, 0], pieces[:, 1] - pieces[:, 0]
    along = ((points[..., None, :] - starts) * ways).sum(axis=-1)
    shares = np.clip(along / np.maximum((ways * ways).sum(axis=-1), 1e-300), 0.0, 1.0)
    feet: np.ndarray = starts + shares[..., None] * ways
    return feet


def nearest_on(corners: np.ndarray, points: np.ndarray) -> np.ndarray:
    """The point of a line through corners that is nearest to each of several points (… × d)."""
    feet = feet_on(sides(corners), points)
    best = np.linalg.norm(feet - points[..., None, :], axis=-1).argmin(axis=-1)
    found: np.ndarray = np.take_along_axis(feet, best[..., None, None], axis=-2)[..., 0, :]
    return found


def contains(corners: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Whether each of several points of the page (… × 2) lies inside a polygon."""
    from matplotlib.path import Path

    inside: np.ndarray = Path(corners).contains_points(points.reshape(-1, 2)).reshape(points.shape[:-1])
    return inside
