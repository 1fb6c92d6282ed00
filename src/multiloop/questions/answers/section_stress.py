"""Stress at the outer fibres of a section from its axial force and bending moments."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from multiloop.questions.answers.link_places import without_fibres

if TYPE_CHECKING:
    from multiloop.questions.answers.line_links import LineHistory


def section_stress(link: LineHistory, xi: np.ndarray, wrenches: np.ndarray) -> np.ndarray:
    """The largest normal stress in magnitude (Pa) at places, instants × places.

        |N|/A + |Mz| y/Iz, in space + |My| z/Iy

    Exact at the corners of a rectangle; conservative for round sections in space, since both moments are added as if
    they were largest at one fibre. Derived here.
    """
    section = link.line.section_at
    found: np.ndarray = np.abs(wrenches[..., 3]) / section("A", xi)
    for row, axis, about in ((2, "y", "Iz"),) if link.planar else ((1, "z", "Iy"), (2, "y", "Iz")):
        fibre, inertia = section(axis, xi), section(about, xi)
        if not np.all(fibre > 0) or not np.all(inertia > 0):
            raise without_fibres(link.mechanism, link.name, axis)
        found = found + np.abs(wrenches[..., row]) * fibre / inertia
    return found
