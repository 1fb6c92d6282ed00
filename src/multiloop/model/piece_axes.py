"""Axes of the straight pieces of a cranked beam."""

from __future__ import annotations

import numpy as np


def piece_axes(way: np.ndarray) -> np.ndarray:
    """Axes of a piece as columns: x along it, z nearest to the body's z; for a piece along z, y is the body's y."""
    x = way / np.linalg.norm(way)
    y = np.cross([0.0, 0.0, 1.0], x)
    y = y / np.linalg.norm(y) if np.linalg.norm(y) > 1e-6 else np.array([0.0, 1.0, 0.0])
    found = np.column_stack([x, y, np.cross(x, y)])
    return np.where(np.abs(found) > 1e-15, found, 0.0)
