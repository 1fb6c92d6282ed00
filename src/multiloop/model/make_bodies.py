"""Functions that make rigid bodies from few numbers: the ground, rods and plates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from multiloop.model.bodies import GROUND, NO_INERTIA, Body, Inertia, as_tensor
from multiloop.model.brief import brief
from multiloop.model.expressions import Scalar
from multiloop.model.faults import Fault, ModelError
from multiloop.model.keywords import suggests_keywords
from multiloop.model.markers import Vector, are_pairs, as_marker, pairs, scalar, value_of, vector
from multiloop.model.polygons import uniform_plate

ROUND_OFF = 1e-9
"""Relative distance by which a marker `a` or `b` given by the user may differ from the end of a rod."""


def ground(markers: Mapping[str, Any] | None = None, **named: Any) -> Body:
    """The fixed frame with its markers: `ground(A=(0, 0), D=(1.0, 0))`."""
    return Body(GROUND, markers=_together(markers, named))


@suggests_keywords
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

    Without `inertia` it is slender and uniform, with m L²/12 about its centre and zero about its axis; a number is the
    moment of inertia about the axes across it. A number for a further marker is its distance from `a`; `a` and `b` may
    be given at the same points with other axes. Raises a ModelError for an invalid length, or for an end at another
    point.
    """
    length, mass = scalar(length), scalar(mass)
    given = pairs({} if markers is None else markers)
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
        markers=pairs({"a": 0.0, "b": length} | dict(given)) if are_pairs(given) else given,
        outline=("a", "b"),
    )


@suggests_keywords
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

    Corners listed without names are called c1, c2, … By default the mass centre and the moments of inertia are those
    of the polygon; a ModelError is raised if the corners then enclose no area.
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
        markers=_together(named, markers),
        outline=tuple(corner for corner, _ in around),
    )


def length_faults(length: Any) -> Iterator[Fault]:
    """Faults of the length of a straight body."""
    value = value_of(length)
    if value is None or value <= 0:
        said = f"{value:g} m" if value is not None else f"{brief(length)}"
        remedy = "Give a number of metres above zero, or a Parameter that has one."
        yield Fault("M13", "its length", f"is {said}.", remedy)


def _moved_end_faults(given: Any, length: Scalar) -> Iterator[Fault]:
    """Faults of markers `a` and `b` that are not at the ends of a rod, from which mass centre and inertia follow."""
    if not are_pairs(given):
        return
    size = float(value_of(length) or 0.0)
    ends = {"a": np.zeros(3), "b": np.array([size, 0.0, 0.0])}
    for name, place in given:
        point = as_marker(place).point if isinstance(name, str) and name in ends else ()
        values = [value_of(part) for part in point] if isinstance(point, tuple) else []
        if not values or len(values) > 3 or None in values:
            continue  # not a point; the checks report it
        found = np.zeros(3)
        found[: len(values)] = values
        if np.abs(found - ends[name]).max() > ROUND_OFF * size:
            here, there = (f"({', '.join(f'{part:g}' for part in one)}) m" for one in (found, ends[name]))
            what = f"is given at {here}, while its length of {size:g} m puts it at {there}."
            remedy = (
                "Change `length`, from which the mass centre and the inertia follow; or give the point another name. "
                "`a` and `b` may be given anew only to turn their axes."
            )
            yield Fault("M13", f"its marker '{name}'", what, remedy)


def _missing_inertia_faults(inertia: Any, inertia_at: Any) -> Iterator[Fault]:
    """The fault of a uniform body with `inertia_at`: without `inertia` its inertia is about the mass centre."""
    if inertia is None and not (isinstance(inertia_at, str) and inertia_at == "com"):
        yield Fault(
            "M08",
            "its inertia",
            f"is not given, yet `inertia_at` is {brief(inertia_at)}.",
            NO_INERTIA,
        )


def _named_corners(corners: Any) -> Any:
    """Corners with their names; points listed without names are called c1, c2, …"""
    if isinstance(corners, np.ndarray):
        corners = corners.tolist()
    named = not isinstance(corners, list | tuple) or any(
        isinstance(entry, list | tuple) and isinstance((*entry, None)[0], str) for entry in corners
    )
    return pairs(corners) if named else tuple((f"c{k}", point) for k, point in enumerate(corners, 1))


def _together(*groups: Any) -> Any:
    """Several groups of named markers as one; an invalid group is returned as it is, for the checks to report."""
    found = [pairs({} if group is None else group) for group in groups]
    wrong = [group for group in found if not are_pairs(group)]
    return wrong[0] if wrong else tuple(item for group in found for item in group)
