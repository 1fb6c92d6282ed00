"""The centreline of a beam: its length, markers, axes of its straight pieces, and checks of its points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from multiloop.model.expressions import Scalar
from multiloop.model.faults import Fault, short_repr
from multiloop.model.markers import Vector, value_of, vector

COINCIDENCE = 1e-9
"""Distance below which two points coincide, divided by the length of the beam or the size of the solid."""

VALID_POINTS = "Give at least two points of plain numbers, [(0, 0), (0.3, 0), (0.3, 0.2)]."


def as_points(value: Any) -> Any:
    """Convert the points of a centreline to a tuple of tuples, empty for a straight beam; invalid points are
    unchanged."""
    value = value.tolist() if isinstance(value, np.ndarray | np.generic) else () if value is None else value
    return tuple(vector(point) for point in value) if isinstance(value, list | tuple) else value


def line_faults(where: str, through: Any) -> Iterator[Fault]:
    """Faults of the argument `through` of a beam: the points through which its centreline goes."""
    fine = isinstance(through, list | tuple | np.ndarray) and len(through) >= 2
    points = [vector(point) for point in through] if fine else []
    for point in points:
        fine &= 1 <= len(point) <= 3 and all(isinstance(c, float) and value_of(c) is not None for c in point)
    if not fine:
        yield Fault("M15", where, f"goes through {short_repr(through)}.", VALID_POINTS)
        return
    corners = line_corners(tuple(points))
    steps = np.linalg.norm(np.diff(corners, axis=0), axis=1)
    if (
        steps.min() <= COINCIDENCE * steps.sum()
        or np.linalg.norm(corners[-1] - corners[0]) <= COINCIDENCE * steps.sum()
    ):
        what = "has two neighbouring points, or both ends, at the same position."
        yield Fault("M15", where, what, "Give distinct points; a closed ring cannot be one beam.")


def line_corners(points: tuple[Vector, ...]) -> np.ndarray:
    """The points of a centreline as an array (points × 3), with 0 for missing coordinates."""
    return np.array([[value_of(c) or 0.0 for c in (*point, 0.0, 0.0)[:3]] for point in points])


def line_length(points: tuple[Vector, ...]) -> float:
    """The length of a centreline, the sum over its straight pieces."""
    steps = np.diff(line_corners(points), axis=0)
    return float(np.linalg.norm(steps, axis=1).sum())


def line_markers(points: tuple[Vector, ...], length: Scalar) -> dict[str, Vector]:
    """The positions of the markers on a centreline: a, the corners c1, c2, …, and b.

    `points` is empty for a straight beam, whose end b is at the distance `length`.
    """
    if not points:
        return {"a": (0.0,), "b": (length,)}
    names = ["a", *(f"c{k}" for k in range(1, len(points) - 1)), "b"]
    return dict(zip(names, points, strict=True))


def leaves_line(points: Sequence[Vector], length: Scalar) -> bool:
    """Whether any of the points is not on the centreline of a straight beam, from 0 to `length` on the x axis."""
    most = value_of(length) or 0.0
    for point in points:
        x, *across = (*point, 0.0, 0.0)[:3]
        beyond = not -COINCIDENCE * most <= (value_of(x) or 0.0) <= (1 + COINCIDENCE) * most
        if beyond or any(c != 0.0 for c in across):
            return True
    return False


def leaves_plane(points: tuple[Vector, ...]) -> bool:
    """Whether any point of a centreline is not in the x–y plane of the body."""
    return any(value_of((*point, 0.0, 0.0)[2]) for point in points)


def point_along(points: tuple[Vector, ...], distance: float) -> tuple[float, ...]:
    """The point of a centreline at a given distance (m) along it from its beginning."""
    corners = line_corners(points)
    steps = np.linalg.norm(np.diff(corners, axis=0), axis=1)
    ends = np.concatenate([[0.0], np.cumsum(steps)])
    size = max(len(point) for point in points)
    return tuple(float(np.interp(distance, ends, corners[:, k])) for k in range(size))


def piece_axes(direction: np.ndarray) -> np.ndarray:
    """Axes of a straight piece in the given direction, as the columns of a 3×3 matrix in the body's axes.

    x is along the piece, y in the body's x–y plane, and z perpendicular to both; for a piece along z, y is the body's
    y.
    """
    x = direction / np.linalg.norm(direction)
    y = np.cross([0.0, 0.0, 1.0], x)
    y = y / np.linalg.norm(y) if np.linalg.norm(y) > 1e-6 else np.array([0.0, 1.0, 0.0])
    found = np.column_stack([x, y, np.cross(x, y)])
    return np.where(np.abs(found) > 1e-15, found, 0.0)
