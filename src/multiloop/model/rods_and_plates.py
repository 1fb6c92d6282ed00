"""Ground, rods and plates: rigid bodies whose mass properties follow from a few dimensions.

Mass centre and inertia of a uniform plate are computed from the polygon of its corners by Green's theorem.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import pairwise
from operator import add
from typing import Any

import numpy as np

from multiloop.model.bodies import GROUND, MISSING_INERTIA_REMEDY, Body, Inertia, as_tensor
from multiloop.model.expressions import Expression, Scalar, simplify
from multiloop.model.faults import Fault, ModelError, short_repr
from multiloop.model.markers import Vector, are_pairs, as_marker, as_pairs, scalar, value_of, vector
from multiloop.model.synonyms import suggest_keywords

ROUND_OFF = 1e-9
"""Largest distance of a user's marker `a` or `b` from the end of a rod, divided by the length of the rod."""


def ground(markers: Mapping[str, Any] | None = None, **named: Any) -> Body:
    """The ground, a body fixed in the inertial frame, with its markers: `ground(A=(0, 0), D=(1.0, 0))`."""
    return Body(GROUND, markers=_merge_markers(markers, named))


@suggest_keywords
def rod(
    name: str,
    *,
    length: Scalar,
    mass: Scalar,
    inertia: Inertia | None = None,
    com: Scalar | Vector | None = None,
    inertia_at: str = "com",
    markers: Mapping[str, Any] | None = None,
) -> Body:
    """A straight link along x from marker `a` (its origin) to marker `b`.

    Without `inertia` the link is slender and uniform, with the moment of inertia m L²/12 about axes through its centre
    perpendicular to the link and zero about its own axis; if `inertia` is a number, it replaces m L²/12. The mass
    centre `com` is by default the middle, and `inertia_at` names the point to which a given `inertia` refers. A number
    for a further marker is its distance from `a`. `markers` may contain `a` and `b` at the ends of the link with other
    axes. Raises a ModelError for an invalid length, or for `a` or `b` at another point.
    """
    length, mass = scalar(length), scalar(mass)
    given = as_pairs({} if markers is None else markers)
    faults = [*length_faults(length), *_missing_inertia_faults(inertia, inertia_at)]
    faults += [] if faults else _moved_end_faults(given, length)
    if faults:
        raise ModelError(f"body '{name}'", faults)
    if inertia is None:
        inertia = mass * length * length / 12 if value_of(mass) is not None else 0.0
    across = as_tensor(inertia)
    return Body(
        name,
        mass=mass,
        com=vector(length / 2 if com is None else com),
        inertia=across if isinstance(across, tuple) else (0.0, across, across),
        inertia_at=inertia_at,
        markers=as_pairs({"a": 0.0, "b": length} | dict(given)) if are_pairs(given) else given,
        outline=("a", "b"),
    )


@suggest_keywords
def plate(
    name: str,
    *,
    corners: Mapping[str, Any] | Sequence[Any] | np.ndarray,
    mass: Scalar,
    com: Vector | None = None,
    inertia: Inertia | None = None,
    inertia_at: str = "com",
    markers: Mapping[str, Any] | None = None,
) -> Body:
    """A thin uniform plate in its own x–y plane whose corners, in order, are markers.

    Corners listed without names are named c1, c2, … By default the mass centre `com` and the moments of inertia follow
    from the polygon of the corners; `inertia_at` names the point to which a given `inertia` refers. A ModelError is
    raised if this polygon has no area.
    """
    faults = list(_missing_inertia_faults(inertia, inertia_at))
    if faults:
        raise ModelError(f"body '{name}'", faults)
    named = _named_corners(corners)
    around = tuple(named) if are_pairs(named) else ()
    if com is None or inertia is None:
        points = [(corner, as_marker(value).point) for corner, value in around]
        centre, tensor = uniform_plate(name, points, scalar(mass))
        com = centre if com is None else com
        inertia = tensor if inertia is None else inertia
    return Body(
        name,
        mass=mass,
        com=vector(com),
        inertia=inertia,
        inertia_at=inertia_at,
        markers=_merge_markers(named, markers),
        outline=tuple(corner for corner, _ in around),
    )


def length_faults(length: Any) -> Iterator[Fault]:
    """Faults of the length of a straight body."""
    value = value_of(length)
    if value is None or value <= 0:
        said = f"{value:g} m" if value is not None else f"{short_repr(length)}"
        remedy = "Give a number of metres above zero, or a Parameter that has one."
        yield Fault("M13", "its length", f"is {said}.", remedy)


def _moved_end_faults(given: Any, length: Scalar) -> Iterator[Fault]:
    """Faults of markers `a` and `b` that are not at the ends of a rod, between which its mass is distributed."""
    if not are_pairs(given):
        return
    size = float(value_of(length) or 0.0)
    ends = {"a": np.zeros(3), "b": np.array([size, 0.0, 0.0])}
    for name, place in given:
        point = as_marker(place).point if isinstance(name, str) and name in ends else ()
        values = [value_of(part) for part in point] if isinstance(point, tuple) else []
        if not values or len(values) > 3 or None in values:
            continue  # the checks of the mechanism report values that are no points
        found = np.zeros(3)
        found[: len(values)] = values
        if np.abs(found - ends[name]).max() > ROUND_OFF * size:
            here, there = (f"({', '.join(f'{part:g}' for part in one)}) m" for one in (found, ends[name]))
            what = f"is given at {here}, but with its length of {size:g} m it is at {there}."
            remedy = (
                "Change `length`, which defines mass centre and inertia, or give the point another name. "
                "Redefine `a` and `b` only to rotate their axes."
            )
            yield Fault("M13", f"its marker '{name}'", what, remedy)


def _missing_inertia_faults(inertia: Any, inertia_at: Any) -> Iterator[Fault]:
    """The fault of a body with `inertia_at` but no `inertia`: a computed inertia is always about the mass centre."""
    if inertia is None and not (isinstance(inertia_at, str) and inertia_at == "com"):
        yield Fault(
            "M08",
            "its inertia",
            f"is missing, but `inertia_at` is {short_repr(inertia_at)}.",
            MISSING_INERTIA_REMEDY,
        )


def _named_corners(corners: Any) -> Any:
    """Pairs of name and corner; corners listed without names are named c1, c2, …"""
    if isinstance(corners, np.ndarray):
        corners = corners.tolist()
    named = not isinstance(corners, list | tuple) or any(
        isinstance(entry, list | tuple) and isinstance((*entry, None)[0], str) for entry in corners
    )
    return as_pairs(corners) if named else tuple((f"c{k}", point) for k, point in enumerate(corners, 1))


def _merge_markers(*groups: Any) -> Any:
    """Merge several groups of named markers; an invalid group is returned unchanged, since the checks report it."""
    found = [as_pairs({} if group is None else group) for group in groups]
    wrong = [group for group in found if not are_pairs(group)]
    return wrong[0] if wrong else tuple(item for group in found for item in group)


NO_AREA = 1e-12
"""Twice the area of a polygon, divided by the square of its extent, below which the area counts as zero."""

Point = tuple[Any, Any]


def uniform_plate(name: str, corners: Sequence[tuple[str, Vector]], mass: Any) -> tuple[Any, Any]:
    """Mass centre of a thin uniform plate in its x–y plane, and inertia tensor about the mass centre.

    For invalid corners or an invalid mass, which the checks of the mechanism report, both are zero. Raises a ModelError
    if the corners leave the plane or enclose no area.
    """
    values = [[value_of(coordinate) for coordinate in point] for _, point in corners]
    if value_of(mass) is None or any(coordinate is None for point in values for coordinate in point):
        return (0.0,), 0.0
    faults = list(_corner_faults([corner for corner, _ in corners], values))
    if faults:
        raise ModelError(f"body '{name}'", faults)
    centre, tensor = _polygon_inertia([_in_plane(point) for _, point in corners], mass)
    in_space = any(len(point) > 2 for _, point in corners)
    return ((*centre, 0.0) if in_space else centre), tensor


def _corner_faults(names: list[str], points: list[list[Any]]) -> Iterator[Fault]:
    outside = [(name, point[2]) for name, point in zip(names, points, strict=True) if any(point[2:])]
    for name, z in outside:
        yield Fault(
            "M04",
            f"corner '{name}'",
            f"has z = {z:g} m.",
            "Put all corners in the x–y plane, z = 0, or use a Body with `com` and `inertia`.",
        )
    if not outside and not _has_area([_in_plane(point) for point in points]):
        listed = ", ".join(f"'{name}'" for name in names) or "none"
        yield Fault(
            "M04",
            f"its corners ({listed})",
            "enclose no area.",
            "Give three or more that do not lie on one line, or give `com` and `inertia` yourself.",
        )


def _polygon_inertia(points: list[Point], mass: Any) -> tuple[Point, tuple[tuple[Any, ...], ...]]:
    """Centroid C of a uniform polygon of area A and inertia tensor about C, for corners (xᵢ, yᵢ) in either sense.

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
        _simplify(mass * area)
        for area in (yy - cy * cy, xx - cx * cx, xx + yy - cx * cx - cy * cy, cx * cy - xy)
    )
    return (_simplify(start[0] + cx), _simplify(start[1] + cy)), (
        (about_x, product, 0.0),
        (product, about_y, 0.0),
        (0.0, 0.0, about_z),
    )


def _in_plane(point: Iterable[Any]) -> Point:
    x, y, *_ = (*point, 0.0, 0.0)
    return x, y


def _has_area(points: list[Point]) -> bool:
    """Whether a polygon encloses an area that exceeds round-off."""
    spokes = [(x - points[0][0], y - points[0][1]) for x, y in points]
    doubled_area: float = sum(a[0] * b[1] - b[0] * a[1] for a, b in pairwise(spokes))
    return abs(doubled_area) > NO_AREA * max((x * x + y * y for x, y in spokes), default=0.0)


def _sum(terms: Iterable[Any]) -> Any:
    """The sum of terms, without the initial 0 of Python's `sum`, which would remain in an expression."""
    return reduce(add, terms)


def _simplify(value: Any) -> Any:
    """Simplify a value if it is an expression, to remove superfluous zeros and ones."""
    return simplify(value) if isinstance(value, Expression) else value
