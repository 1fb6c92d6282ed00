"""Projection of points in space onto the coordinate plane in which they vary most."""

from __future__ import annotations

import numpy as np

SMALL = 1e-3
"""Range of the omitted coordinate, relative to the largest, below which it is not mentioned in the note."""


def widest_plane(points: np.ndarray, words: str, unit: str) -> tuple[np.ndarray, tuple[str, str], str]:
    """Points in the plane, the labels of its axes, and a note on the omitted coordinate.

    Points with two coordinates are unchanged.
    """
    names = [f"{words} along {axis}" if words else axis for axis in "xyz"]
    if points.shape[1] == 2:
        return points, (names[0], names[1]), ""
    spreads = np.ptp(np.vstack([points, np.zeros(3)]) if words else points, axis=0)
    hidden = int(np.argmin(spreads))
    kept = [k for k in range(3) if k != hidden]
    note = ""
    if spreads[hidden] > SMALL * spreads.max():
        note = f"seen along {'xyz'[hidden]}, over which it runs {spreads[hidden]:.3g} {unit}"
    return points[:, kept], (names[kept[0]], names[kept[1]]), note
