"""Plain geometry of outlines: the ring around points, the nearest point of a line, inside or outside."""

from __future__ import annotations

from itertools import pairwise

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


def nearest_on(line: np.ndarray, point: np.ndarray) -> np.ndarray:
    """The point of a line through corners that is nearest to another point."""
    best: np.ndarray = line[0]
    for a, b in pairwise(line):
        share = np.clip((point - a) @ (b - a) / max(float((b - a) @ (b - a)), 1e-300), 0.0, 1.0)
        foot = a + share * (b - a)
        if np.linalg.norm(point - foot) < np.linalg.norm(point - best):
            best = foot
    return best


def contains(corners: np.ndarray, point: np.ndarray) -> bool:
    """Whether a point of the page lies inside a polygon."""
    from matplotlib.path import Path

    return bool(Path(corners).contains_point((float(point[0]), float(point[1]))))
