"""Checks of markers: number of coordinates, and directions of axes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from multiloop.model.addresses import in_degrees, radians_remedy
from multiloop.model.brief import brief
from multiloop.model.checks.numbers import counted, scalar_faults, space, value_of, values_of
from multiloop.model.expressions import Expression
from multiloop.model.faults import Fault
from multiloop.model.markers import Marker
from multiloop.spatial import frame_of_axes

if TYPE_CHECKING:
    from multiloop.model.bodies import Body
    from multiloop.model.mechanism import Mechanism


SMALLEST = 1e-100
"""Smallest length of a direction with symbolic components, whose square does not underflow."""


def marker_faults(mechanism: Mechanism) -> Iterator[Fault]:
    """Errors of positions and directions of all markers."""
    for body in mechanism.bodies:
        yield from marker_faults_of(body, mechanism)


def marker_faults_of(body: Body, mechanism: Mechanism) -> Iterator[Fault]:
    """Errors of positions and directions of the markers of one body."""
    for name, marker in body.markers:
        where = f"body '{body.name}', marker '{name}'"
        yield from _number_faults(where, marker)
        yield from _point_faults(where, marker, mechanism, body.beside_plane)
        yield from _plane_faults(where, marker) if mechanism.planar else _axis_faults(where, marker)


def _number_faults(where: str, marker: Marker) -> Iterator[Fault]:
    for axis, component in zip("xyz", marker.point, strict=False):
        yield from scalar_faults(where, f"its {axis} coordinate", component)
    yield from scalar_faults(where, "its angle", marker.angle)
    if in_degrees(marker.angle):
        what = f"its angle is {marker.angle:g} rad, many turns."
        yield Fault("M06", where, what, radians_remedy(float(marker.angle)))
    for name in ("z", "x"):
        for axis, component in zip("xyz", getattr(marker, name) or (), strict=False):
            yield from scalar_faults(where, f"the {axis} component of its {name} direction", component)


def _point_faults(where: str, marker: Marker, mechanism: Mechanism, beside: str) -> Iterator[Fault]:
    count, expected = len(marker.point), 2 if mechanism.planar else 3
    if count in (1, expected):  # a single number is a distance along x
        return
    also = ", or make the mechanism planar with `planar=True`" if count == 2 else ""
    what = f"has {counted(count, 'coordinate')} in a {space(mechanism)} mechanism."
    yield Fault("M06", where, what, f"Give {expected}{beside if mechanism.planar else also}.")


def _plane_faults(where: str, marker: Marker) -> Iterator[Fault]:
    for name in ("z", "x"):
        if getattr(marker, name) is not None:
            remedy = "Give `angle=` instead: z is across the plane."
            yield Fault("M06", where, f"has a {name} direction in a planar mechanism.", remedy)


def _axis_faults(where: str, marker: Marker) -> Iterator[Fault]:
    if isinstance(marker.angle, Expression) or value_of(marker.angle) not in (0.0, None):
        what = f"has an angle, {marker.angle}, in a spatial mechanism."
        yield Fault("M06", where, what, "Give `z=` and, if it matters, `x=`.")
    z, x = marker.z if marker.z is not None else (0.0, 0.0, 1.0), marker.x
    short = [(name, given) for name, given in (("z", z), ("x", x)) if given is not None and len(given) != 3]
    for name, given in short:
        what = f"its {name} direction has {counted(len(given), 'component')} in a spatial mechanism."
        yield Fault("M06", where, what, "Give 3.")
    numbers = [values_of(given) if given is not None else None for given in (z, x)]
    if short or numbers[0] is None or (x is not None and numbers[1] is None):
        return
    for name, way, values in (("z", z, numbers[0]), ("x", x, numbers[1])):
        swept = any(isinstance(component, Expression) for component in way or ())
        if swept and not SMALLEST < max(map(abs, values or ())) < 1 / SMALLEST:
            what = f"its {name} direction is {brief(tuple(values or ()))}, too short or too long to be computed with."
            yield Fault("M09", where, what, "Give a direction of a length about 1.")
            return
    try:
        frame_of_axes(np.array(numbers[0]), None if x is None else np.array(numbers[1]))
    except ValueError as problem:
        remedy = "Give a direction that is not zero." if "zero" in str(problem) else "Give an x across z."
        yield Fault("M09", where, f"{problem}.", remedy)
