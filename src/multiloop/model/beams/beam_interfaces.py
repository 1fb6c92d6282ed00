"""Interfaces of a beam: the displacements and rotations of its markers for which constraint modes are computed.

An interface is a marker with all six components ("b"), or a single component of a marker ("b.rz"). The components are
the displacements x, y, z along the axes of the beam and the rotations rx, ry, rz about them. A constraint mode is the
deformation by a unit force or moment at one component while the others are free. A component that the choice of the
body frame makes zero has no constraint mode: if the frame is fixed to the beam at `a`, this holds for all components of
`a`.

The constraint modes of each deformation of the beam are counted separately, for example those of bending in the x–y
plane, in which only y and rz of a straight beam are not zero. Their number is that of the linearly independent
interface components that are not zero in this deformation.

Theory: docs/theory/10-flexible-bodies.md, section 10.5.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from multiloop.model.beams.beam_line import line_corners
from multiloop.model.markers import value_of

if TYPE_CHECKING:
    from multiloop.model.beams.beam import Beam

SECTION_COMPONENTS = ("x", "y", "z", "rx", "ry", "rz")
"""Displacements and rotations of a section, along and about the axes of the beam."""

STRAIGHT_COMPONENTS = {"x": (0,), "y": (1, 5), "z": (2, 4), "twist": (3,)}
"""For each deformation of a straight beam, the indices in SECTION_COMPONENTS of the components that are not zero in
this deformation."""

CRANKED_COMPONENTS = {"y": (0, 1, 5), "z": (2, 3, 4), "space": (0, 1, 2, 3, 4, 5)}
"""For each deformation of a cranked beam, the indices in SECTION_COMPONENTS of the components that are not zero in this
deformation."""

AXIAL_DEFORMATIONS = ("x", "twist")
"""Deformations of a straight beam that move its sections along or about its axis."""


def deformation_components(beam: Beam, deformation: str) -> tuple[int, ...]:
    """Indices in SECTION_COMPONENTS of the displacements and rotations that are not zero in a deformation.

    The result is empty if the beam has no such deformation.
    """
    return (CRANKED_COMPONENTS if beam.through else STRAIGHT_COMPONENTS).get(deformation, ())


def interface_parts(interfaces: tuple[str, ...]) -> Iterator[tuple[str, tuple[int, ...]]]:
    """For every interface, in the given order, the name of its marker and the indices of its components."""
    for entry in interfaces:
        marker, _, component = entry.partition(".")
        yield marker, (SECTION_COMPONENTS.index(component),) if component else tuple(range(6))


def is_interface(beam: Beam, entry: str) -> bool:
    """Whether `entry` names a marker of the beam ("b") or one component of a marker ("b.rz")."""
    marker, dot, component = entry.partition(".")
    return marker in dict(beam.markers) and (component in SECTION_COMPONENTS if dot else True)


def constraint_mode_count(beam: Beam, deformation: str) -> int:
    """The number of constraint modes that the interfaces of a beam have in one deformation.

    Every interface component and every one of the `frame_conditions` is a row of coefficients of the displacements and
    rotations of the markers. The number is the rank of all rows minus the rank of the rows of the frame conditions.
    """
    entries = beam.interfaces if isinstance(beam.interfaces, tuple) else ()
    known = [entry for entry in entries if isinstance(entry, str) and is_interface(beam, entry)]
    places = list(dict.fromkeys(["a", "b", *(marker for marker, _ in interface_parts(tuple(known)))]))
    points = {name: _position_on_line(beam, name) for name in places}
    distinct = list(dict.fromkeys(points.values()))
    of_way = deformation_components(beam, deformation)

    def row(marker: str, direction: np.ndarray) -> np.ndarray:
        found = np.zeros((len(distinct), 6))
        found[distinct.index(points[marker])] = direction
        return found[:, of_way].ravel()

    held = [row(end, direction) for end, direction in frame_conditions(beam)]
    free = [row(marker, np.eye(6)[k]) for marker, parts in interface_parts(tuple(known)) for k in parts]
    return _rank([*held, *free]) - _rank(held)


def frame_conditions(beam: Beam) -> list[tuple[str, np.ndarray]]:
    """The conditions that fix the body frame to the material of the beam; empty for a frame that follows the mean axes.

    Each condition is a pair: an end ("a" or "b"), and six weights; the weighted sum of the displacements and rotations
    of this end is zero.
    """
    unit = np.eye(6)
    if beam.frame == "a":
        return [("a", direction) for direction in unit]
    if beam.frame == "free":
        return []
    along, *across = chord_axes(beam)
    shifts = [("a", direction) for direction in unit[:3]]
    shifts += [("b", np.concatenate([direction, np.zeros(3)])) for direction in across]
    return [*shifts, ("a", np.concatenate([np.zeros(3), along]))]


def chord_axes(beam: Beam) -> np.ndarray:
    """Three orthogonal unit vectors as rows (3×3): the first along the chord from `a` to `b`, the second perpendicular
    to the chord in the x–y plane.

    For a chord along z, the second is the y axis.
    """
    corners = line_corners(beam.through) if beam.through else np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    along = corners[-1] - corners[0]
    along = along / np.linalg.norm(along)
    side = np.cross([0.0, 0.0, 1.0], along)
    side = side / np.linalg.norm(side) if np.linalg.norm(side) > 1e-6 else np.array([0.0, 1.0, 0.0])
    return np.array([along, side, np.cross(along, side)])


def _position_on_line(beam: Beam, marker: str) -> tuple[float, ...]:
    """The position of a marker in m: three coordinates, or for a straight beam x alone, limited to 0 … length."""
    point = tuple(value_of(c) or 0.0 for c in (*beam.marker(marker).point, 0.0, 0.0)[:3])
    if beam.through:
        return point
    return (min(max(point[0], 0.0), value_of(beam.length) or 0.0),)


def _rank(rows: list[np.ndarray]) -> int:
    return int(np.linalg.matrix_rank(np.array(rows))) if rows else 0
