"""Mass centre and moments of inertia of a uniform polygonal plate."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from itertools import pairwise
from operator import add
from typing import Any

from multiloop.model.expressions import Expression, simplified
from multiloop.model.faults import Fault, ModelError
from multiloop.model.markers import Vector, value_of

NO_AREA = 1e-12
"""Twice the area below which a polygon encloses no area, relative to the square of its extent."""

Point = tuple[Any, Any]


def uniform_plate(name: str, corners: Sequence[tuple[str, Vector]], mass: Any) -> tuple[Any, Any]:
    """Mass centre and inertia tensor about it of a thin uniform plate in its x–y plane.

    Invalid corners or an invalid mass give zeros: the checks of the mechanism report them.
    Raises a ModelError if the corners leave the plane or enclose no area.
    """
    values = [[value_of(coordinate) for coordinate in point] for _, point in corners]
    if value_of(mass) is None or any(coordinate is None for point in values for coordinate in point):
        return (0.0,), 0.0
    faults = list(_faults([corner for corner, _ in corners], values))
    if faults:
        raise ModelError(f"body '{name}'", faults)
    centre, tensor = _polygon([_in_plane(point) for _, point in corners], mass)
    in_space = any(len(point) > 2 for _, point in corners)
    return ((*centre, 0.0) if in_space else centre), tensor


def _faults(names: list[str], points: list[list[Any]]) -> Iterator[Fault]:
    outside = [(name, point[2]) for name, point in zip(names, points, strict=True) if any(point[2:])]
    for name, z in outside:
        yield Fault(
            "M04",
            f"corner '{name}'",
            f"stands at z = {z:g} m.",
            "A plate lies in its own x–y plane. Give `com` and `inertia` of any other body.",
        )
    if not outside and not _has_area([_in_plane(point) for point in points]):
        listed = ", ".join(f"'{name}'" for name in names) or "none"
        yield Fault(
            "M04",
            f"its corners ({listed})",
            "enclose no area.",
            "Give three or more that do not lie on one line, or give `com` and `inertia` yourself.",
        )


def _polygon(points: list[Point], mass: Any) -> tuple[Point, tuple[tuple[Any, ...], ...]]:
    """Centroid of a uniform polygon and inertia tensor about it, for either order of the corners.

        2A = Σ cᵢ,   x_C = (1/6A) Σ (xᵢ + xᵢ₊₁) cᵢ,   cᵢ = xᵢ yᵢ₊₁ − xᵢ₊₁ yᵢ,
        ∫x² dA = (1/12) Σ (xᵢ² + xᵢ xᵢ₊₁ + xᵢ₊₁²) cᵢ,
        ∫xy dA = (1/24) Σ (xᵢ yᵢ₊₁ + 2 xᵢ yᵢ + 2 xᵢ₊₁ yᵢ₊₁ + xᵢ₊₁ yᵢ) cᵢ

    Source: the standard formulas for a polygon (Green's theorem).
    Differs: x and y are relative to the first corner, to avoid cancellation for a plate far from its origin.
    """
    start = points[0]
    points = [(x - start[0], y - start[1]) for x, y in points]
    edges = list(zip(points, points[1:] + points[:1], strict=True))
    wedges = [a[0] * b[1] - b[0] * a[1] for a, b in edges]
    doubled_area = _sum(wedges)
    cx, cy = (
        _sum((a[k] + b[k]) * c for (a, b), c in zip(edges, wedges, strict=True)) / (3 * doubled_area)
        for k in (0, 1)
    )
    xx, yy = (
        _sum((a[k] * a[k] + a[k] * b[k] + b[k] * b[k]) * c for (a, b), c in zip(edges, wedges, strict=True))
        / (6 * doubled_area)
        for k in (0, 1)
    )
    xy = _sum(
        (a[0] * b[1] + 2 * a[0] * a[1] + 2 * b[0] * b[1] + b[0] * a[1]) * c
        for (a, b), c in zip(edges, wedges, strict=True)
    ) / (12 * doubled_area)
    about_x, about_y, about_z, product = (
        _short(mass * area)
        for area in (yy - cy * cy, xx - cx * cx, xx + yy - cx * cx - cy * cy, cx * cy - xy)
    )
    return (_short(start[0] + cx), _short(start[1] + cy)), (
        (about_x, product, 0.0),
        (product, about_y, 0.0),
        (0.0, 0.0, about_z),
    )


def _in_plane(point: Iterable[Any]) -> Point:
    x, y, *_ = (*point, 0.0, 0.0)
    return x, y


def _has_area(points: list[Point]) -> bool:
    """Whether the doubled area, relative to the first corner, exceeds round-off."""
    spokes = [(x - points[0][0], y - points[0][1]) for x, y in points]
    doubled_area: float = sum(a[0] * b[1] - b[0] * a[1] for a, b in pairwise(spokes))
    return abs(doubled_area) > NO_AREA * max((x * x + y * y for x, y in spokes), default=0.0)


def _sum(terms: Iterable[Any]) -> Any:
    """The sum, without the initial 0 of `sum`, which would remain in an expression."""
    return reduce(add, terms)


def _short(value: Any) -> Any:
    """An expression without superfluous zeros and ones from the formulas."""
    return simplified(value) if isinstance(value, Expression) else value
