"""Checks of bodies: mass, mass centre and physical feasibility of the moments of inertia."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from multiloop.model.bodies import GROUND, NO_INERTIA, Body
from multiloop.model.checks.markers import marker_faults_of
from multiloop.model.checks.numbers import counted, scalar_faults, space, value_of, values_of
from multiloop.model.faults import Fault, suggestion

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism

SLACK = 1e-6
"""Relative tolerance of the triangle inequality, since tabulated inertias have few digits."""

SYMMETRIC = 1e-9
"""Tolerance of symmetry of a tensor, relative to its largest entry."""

IN_SPACE = "three principal moments (xx, yy, zz) or a 3×3 tensor."


def body_faults(mechanism: Mechanism) -> Iterator[Fault]:
    """Errors of mass, mass centre and inertia of all bodies, payloads included."""
    for body in mechanism.all_bodies:
        where = f"body '{body.name}'"
        if body.name == GROUND:
            yield from _ground_faults(where, body)
            continue
        placed = next(marker_faults_of(body, mechanism), None) is None
        further = list(body.further_faults(mechanism.planar)) if body.derived and placed else []
        if further or (body.derived and not placed):  # the data from which its mass is derived are invalid
            yield from further
            continue
        faults = [*_mass_faults(where, body), *_centre_faults(where, body, mechanism)]
        faults += _inertia_faults(where, body, mechanism)
        yield from faults
        if not faults and placed and not body.derived:
            yield from body.further_faults(mechanism.planar)


def _ground_faults(where: str, body: Body) -> Iterator[Fault]:
    for what, entries in (("a mass", [body.mass]), ("an inertia", _entries(body.inertia))):
        given = [entry for entry in entries if value_of(entry) != 0.0]
        if given:
            yield Fault("M10", where, f"has {what} of {given[0]}.", "The ground does not move: leave it out.")


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
        what = f"its mass centre has {counted(count, 'coordinate')} in a {space(mechanism)} mechanism."
        yield Fault("M06", where, what, f"Give {expected}.")


def _inertia_faults(where: str, body: Body, mechanism: Mechanism) -> Iterator[Fault]:
    faults: list[Fault] = []
    entries = _entries(body.inertia)
    if body.inertia_at not in body.marker_names:
        what = f"its inertia is given at '{body.inertia_at}', which is none of its markers."
        faults.append(Fault("M08", where, what, suggestion(body.inertia_at, body.marker_names)))
    elif body.inertia_at != "com" and all(isinstance(entry, float) and entry == 0.0 for entry in entries):
        what = f"has no inertia, yet `inertia_at` is '{body.inertia_at}'."
        faults.append(Fault("M08", where, what, NO_INERTIA))
    faults += [fault for entry in entries for fault in scalar_faults(where, "inertia", entry)]
    shape, number = _shape(body.inertia), value_of(body.inertia)
    if shape == "other":
        what = f"its inertia has {counted(len(entries), 'number')}."
        faults.append(
            Fault("M06", where, what, f"Give {'one number, ' if mechanism.planar else ''}{IN_SPACE}")
        )
    elif shape == "number" and number and not mechanism.planar:
        what = f"its inertia is one number, {number:g}, in a spatial mechanism."
        faults.append(Fault("M06", where, what, f"Give {IN_SPACE}"))
    yield from faults or _possibility_faults(where, body, mechanism.planar)


def _possibility_faults(where: str, body: Body, planar: bool) -> Iterator[Fault]:
    """Errors of moments about the mass centre that no distribution of positive mass has."""
    tensor, centre, mass = inertia_values(body), values_of(body.com), value_of(body.mass)
    at = values_of(body.marker(body.inertia_at).point)
    if tensor is None or centre is None or mass is None or mass < 0 or at is None:
        return  # reported by another check
    if np.abs(tensor - tensor.T).max() > SYMMETRIC * np.abs(tensor).max():
        yield Fault("M04", where, "its inertia tensor is not symmetric.", "Give a symmetric 3×3 tensor.")
        return
    d = np.array(centre) - np.array(at)
    about_com = tensor - mass * (d @ d * np.eye(3) - np.outer(d, d))
    size = max(float(np.abs(tensor).max()), mass * float(d @ d))
    moments = about_com[2:, 2] if planar else np.linalg.eigvalsh(about_com)
    taken = "" if body.inertia_at == "com" else f" (taken there from '{body.inertia_at}')"
    if moments[0] < -SLACK * size:
        yield Fault(
            "M04",
            where,
            f"its inertia about the mass centre{taken} is {moments[0]:g} kg m².",
            "Give a positive inertia, and say with `inertia_at` which point it is about.",
        )
    elif not planar and moments[0] + moments[1] < moments[2] - SLACK * size:
        listed = ", ".join(f"{moment:g}" for moment in moments)
        yield Fault(
            "M04",
            where,
            f"its principal moments{taken} are {listed} kg m²: two add up to less than the third.",
            "No body has such; check the tensor and the point and axes it is given for.",
        )


def inertia_values(body: Body) -> np.ndarray | None:
    """Numerical 3×3 inertia of a body about `inertia_at`, as given; None if it is invalid."""
    entries, shape = [value_of(entry) for entry in _entries(body.inertia)], _shape(body.inertia)
    if shape == "other" or any(entry is None for entry in entries):
        return None
    numbers = np.array(entries, float)
    if shape == "tensor":
        return numbers.reshape(3, 3)
    return np.diag(numbers) if shape == "principal" else np.diag([0.0, 0.0, numbers[0]])


def _entries(inertia: Any) -> list[Any]:
    """All entries of an inertia, row by row."""
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
