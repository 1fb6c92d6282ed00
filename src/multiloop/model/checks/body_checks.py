"""Checks of bodies: positions and axes of markers, mass, mass centre and moments of inertia."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from multiloop.model.bodies import GROUND, MISSING_INERTIA_REMEDY, Body
from multiloop.model.checks.value_checks import scalar_faults, space_name, values_of
from multiloop.model.expressions import Expression
from multiloop.model.faults import Fault, count_text, short_repr, suggestion
from multiloop.model.markers import Marker, value_of
from multiloop.model.named_coordinates import looks_like_degrees, radians_remedy
from multiloop.spatial import frame_of_axes

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism

SMALLEST = 1e-100
"""Smallest length of a direction vector that contains expressions; the square of a shorter vector may underflow."""


def marker_faults(mechanism: Mechanism) -> Iterator[Fault]:
    """Errors of positions and directions of all markers."""
    for body in mechanism.bodies:
        yield from marker_faults_of(body, mechanism)


def marker_faults_of(body: Body, mechanism: Mechanism) -> Iterator[Fault]:
    """Errors of positions and directions of the markers of one body."""
    for name, marker in body.markers:
        where = f"body '{body.name}', marker '{name}'"
        yield from _number_faults(where, marker)
        yield from _point_faults(where, marker, mechanism, body.out_of_plane_hint)
        yield from _plane_faults(where, marker) if mechanism.planar else _axis_faults(where, marker)


def _number_faults(where: str, marker: Marker) -> Iterator[Fault]:
    for axis, component in zip("xyz", marker.point, strict=False):
        yield from scalar_faults(where, f"its {axis} coordinate", component)
    yield from scalar_faults(where, "its angle", marker.angle)
    if looks_like_degrees(marker.angle):
        what = f"its angle is {marker.angle:g} rad, which is many turns."
        yield Fault("M06", where, what, radians_remedy(float(marker.angle)))
    for name in ("z", "x"):
        for axis, component in zip("xyz", getattr(marker, name) or (), strict=False):
            yield from scalar_faults(where, f"the {axis} component of its {name} direction", component)


def _point_faults(where: str, marker: Marker, mechanism: Mechanism, beside: str) -> Iterator[Fault]:
    count, expected = len(marker.point), 2 if mechanism.planar else 3
    if count in (1, expected):  # a single number is a distance along x
        return
    also = ", or make the mechanism planar with `planar=True`" if count == 2 else ""
    what = f"has {count_text(count, 'coordinate')} in a {space_name(mechanism)} mechanism."
    yield Fault("M06", where, what, f"Give {expected}{beside if mechanism.planar else also}.")


def _plane_faults(where: str, marker: Marker) -> Iterator[Fault]:
    for name in ("z", "x"):
        if getattr(marker, name) is not None:
            remedy = "Give `angle=` instead: z is normal to the plane."
            yield Fault("M06", where, f"has a {name} direction in a planar mechanism.", remedy)


def _axis_faults(where: str, marker: Marker) -> Iterator[Fault]:
    if isinstance(marker.angle, Expression) or value_of(marker.angle) not in (0.0, None):
        what = f"has an angle, {marker.angle}, in a spatial mechanism."
        yield Fault("M06", where, what, "Give `z=` and, if needed, `x=`.")
    z, x = marker.z if marker.z is not None else (0.0, 0.0, 1.0), marker.x
    short = [(name, given) for name, given in (("z", z), ("x", x)) if given is not None and len(given) != 3]
    for name, given in short:
        what = f"its {name} direction has {count_text(len(given), 'component')} in a spatial mechanism."
        yield Fault("M06", where, what, "Give 3.")
    numbers = [values_of(given) if given is not None else None for given in (z, x)]
    if short or numbers[0] is None or (x is not None and numbers[1] is None):
        return
    for name, way, values in (("z", z, numbers[0]), ("x", x, numbers[1])):
        swept = any(isinstance(component, Expression) for component in way or ())
        if swept and not SMALLEST < max(map(abs, values or ())) < 1 / SMALLEST:
            what = (
                f"its {name} direction is {short_repr(tuple(values or ()))}, too short or too long "
                "for the computation."
            )
            yield Fault("M09", where, what, "Give a vector of length about 1.")
            return
    try:
        frame_of_axes(np.array(numbers[0]), None if x is None else np.array(numbers[1]))
    except ValueError as problem:
        remedy = (
            "Give a direction that is not zero."
            if "zero" in str(problem)
            else "Give an x that is not parallel to z."
        )
        yield Fault("M09", where, f"{problem}.", remedy)


SLACK = 1e-6
"""Tolerance by which principal moments of inertia may violate the triangle inequality (each is at most the sum of the
other two), divided by the largest moment; tabulated inertias have few digits."""

SYMMETRIC = 1e-9
"""Largest allowed difference between symmetric entries of an inertia tensor, divided by its largest entry."""

IN_SPACE = "three principal moments (xx, yy, zz) or a 3×3 tensor."


def body_faults(mechanism: Mechanism) -> Iterator[Fault]:
    """Errors of mass, mass centre and inertia of all bodies, payloads included."""
    for body in mechanism.all_bodies:
        where = f"body '{body.name}'"
        if body.name == GROUND:
            yield from _ground_faults(where, body)
            continue
        placed = next(marker_faults_of(body, mechanism), None) is None
        further = list(body.further_faults(mechanism.planar)) if body.derived_fields and placed else []
        if further or (
            body.derived_fields and not placed
        ):  # the data from which the mass is computed are invalid
            yield from further
            continue
        faults = [*_mass_faults(where, body), *_centre_faults(where, body, mechanism)]
        faults += _inertia_faults(where, body, mechanism)
        yield from faults
        if not faults and placed and not body.derived_fields:
            yield from body.further_faults(mechanism.planar)


def _ground_faults(where: str, body: Body) -> Iterator[Fault]:
    for what, entries in (("a mass", [body.mass]), ("an inertia", _entries(body.inertia))):
        given = [entry for entry in entries if value_of(entry) != 0.0]
        if given:
            yield Fault("M10", where, f"has {what} of {given[0]}.", "Remove it: the ground does not move.")


def _mass_faults(where: str, body: Body) -> Iterator[Fault]:
    yield from scalar_faults(where, "mass", body.mass)
    mass = value_of(body.mass)
    if mass is not None and mass < 0:
        remedy = "Give a positive mass, or 0.0 to declare a massless link."
        yield Fault("M03", where, f"mass is {mass:g} kg.", remedy)


def _centre_faults(where: str, body: Body, mechanism: Mechanism) -> Iterator[Fault]:
    for axis, component in zip("xyz", body.com, strict=False):
        yield from scalar_faults(where, f"the {axis} coordinate of its mass centre", component)
    expected = 2 if mechanism.planar else 3
    count = len(body.com)
    if count not in (1, expected):  # a single number is a distance along x
        what = (
            f"its mass centre has {count_text(count, 'coordinate')} in a {space_name(mechanism)} mechanism."
        )
        yield Fault("M06", where, what, f"Give {expected}.")


def _inertia_faults(where: str, body: Body, mechanism: Mechanism) -> Iterator[Fault]:
    faults: list[Fault] = []
    entries = _entries(body.inertia)
    if body.inertia_at not in body.marker_names:
        what = f"its inertia is given at '{body.inertia_at}', which is not one of its markers."
        faults.append(Fault("M08", where, what, suggestion(body.inertia_at, body.marker_names)))
    elif body.inertia_at != "com" and all(isinstance(entry, float) and entry == 0.0 for entry in entries):
        what = f"has no inertia, yet `inertia_at` is '{body.inertia_at}'."
        faults.append(Fault("M08", where, what, MISSING_INERTIA_REMEDY))
    faults += [fault for entry in entries for fault in scalar_faults(where, "inertia", entry)]
    shape, number = _shape(body.inertia), value_of(body.inertia)
    if shape == "other":
        what = f"its inertia has {count_text(len(entries), 'number')}."
        faults.append(
            Fault("M06", where, what, f"Give {'one number, ' if mechanism.planar else ''}{IN_SPACE}")
        )
    elif shape == "number" and number and not mechanism.planar:
        what = f"its inertia is one number, {number:g}, in a spatial mechanism."
        faults.append(Fault("M06", where, what, f"Give {IN_SPACE}"))
    yield from faults or _feasibility_faults(where, body, mechanism.planar)


def _feasibility_faults(where: str, body: Body, planar: bool) -> Iterator[Fault]:
    """Errors of inertias about the mass centre that no body with positive mass can have."""
    tensor, centre, mass = inertia_values(body), values_of(body.com), value_of(body.mass)
    at = values_of(body.marker(body.inertia_at).point)
    if tensor is None or centre is None or mass is None or mass < 0 or at is None:
        return  # invalid or missing numbers are reported by another check
    if np.abs(tensor - tensor.T).max() > SYMMETRIC * np.abs(tensor).max():
        yield Fault("M04", where, "its inertia tensor is not symmetric.", "Give a symmetric 3×3 tensor.")
        return
    d = np.array(centre) - np.array(at)
    about_com = tensor - mass * (d @ d * np.eye(3) - np.outer(d, d))
    size = max(float(np.abs(tensor).max()), mass * float(d @ d))
    moments = about_com[2:, 2] if planar else np.linalg.eigvalsh(about_com)
    taken = "" if body.inertia_at == "com" else f" (converted from '{body.inertia_at}')"
    if moments[0] < -SLACK * size:
        yield Fault(
            "M04",
            where,
            f"its inertia about the mass centre{taken} is {moments[0]:g} kg m².",
            "Give a positive inertia, and with `inertia_at` the point to which it refers.",
        )
    elif not planar and moments[0] + moments[1] < moments[2] - SLACK * size:
        listed = ", ".join(f"{moment:g}" for moment in moments)
        yield Fault(
            "M04",
            where,
            f"its principal moments{taken} are {listed} kg m²: the sum of two is less than the third.",
            "This is impossible for a body: check the tensor, its reference point and its axes.",
        )


def inertia_values(body: Body) -> np.ndarray | None:
    """Numerical 3×3 inertia of a body about its point `inertia_at` (kg m²); None if the inertia is invalid."""
    entries, shape = [value_of(entry) for entry in _entries(body.inertia)], _shape(body.inertia)
    if shape == "other" or any(entry is None for entry in entries):
        return None
    numbers = np.array(entries, float)
    if shape == "tensor":
        return numbers.reshape(3, 3)
    return np.diag(numbers) if shape == "principal" else np.diag([0.0, 0.0, numbers[0]])


def _entries(inertia: Any) -> list[Any]:
    """All numbers of an inertia in a flat list, row by row."""
    if not isinstance(inertia, tuple):
        return [inertia]
    return [entry for row in inertia for entry in _entries(row)]


def _shape(inertia: Any) -> str:
    if not isinstance(inertia, tuple):
        return "number"
    if len(inertia) == 3 and not any(isinstance(entry, tuple) for entry in inertia):
        return "principal"
    if len(inertia) == 3 and all(isinstance(row, tuple) and len(row) == 3 for row in inertia):
        return "tensor"
    return "other"
