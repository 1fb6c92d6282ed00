"""Mass, mass centre and inertia of a beam from its line, material and sections."""

from __future__ import annotations

from typing import Any

import numpy as np

from multiloop.model.beam_fields import Masses
from multiloop.model.beam_line import line_corners
from multiloop.model.beam_mass import beam_mass
from multiloop.model.expressions import Scalar
from multiloop.model.markers import Markers, Vector, are_pairs, value_of, vector
from multiloop.model.piece_axes import piece_axes
from multiloop.model.section_course import section_course
from multiloop.model.sections import Section


def beam_properties(
    markers: Markers,
    points: tuple[Vector, ...],
    length: Scalar,
    density: Scalar,
    sections: tuple[Section, Section | None],
    masses: Masses,
) -> dict[str, Any]:
    """Mass, mass centre and inertia, by field; a uniform straight beam has those of a rod plus rotary inertia.

    Empty if a number is invalid, which the checks report.
    """
    if not all(map(_is_number, (length, density, *(mass for _, mass in masses)))) or not value_of(length):
        return {}
    if not all(_is_number(number) for one in sections if one for number in (one.A, one.Iz, one.Iy)):
        return {}
    section = sections[0]
    if not points and sections[1] is None and not masses:
        line = density * section.A
        about = (density * length * section.Iy, density * length * section.Iz)
        turning = line * length**3 / 12
        inertia = (about[0] + about[1], turning + about[0], turning + about[1])
        return {"mass": line * length, "com": vector(length / 2), "inertia": inertia, "inertia_at": "com"}
    corners = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    if points:
        corners = line_corners(points) / float(length)
    axes = np.array([piece_axes(way) for way in np.diff(corners, axis=0)])
    known = {name: marker.point for name, marker in markers} if are_pairs(markers) else {}
    sitting = [((*known[name], 0.0, 0.0)[:3], mass) for name, mass in masses if name in known]
    found = beam_mass(corners, axes, length, density, section_course(*sections), sitting)
    held = [known[name] for name, _ in masses if name in known]
    size = max(len(point) for point in (*points, *held, (0,)))
    return {"mass": found.mass, "com": found.com[:size], "inertia": found.inertia, "inertia_at": "origin"}


def _is_number(value: Any) -> bool:
    return value_of(value) is not None
