"""Deflections, stretches, moments and stresses of a link at sampled places along its centreline.

Deflections are measured across the undeformed centreline, so that axial compression alone is no deflection:

    u = r − r₀,      across |u − (u · t) t|,      along |Φ η · t|      t the direction of the undeformed centreline

Along the centreline only the part linear in η counts: points that approach each other because the link bends are
not stretched. Behind a corner of the centreline u counts as a whole, since bending of the segments before it moves
a segment along itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from multiloop.flexible.lines import Line, looked_places
from multiloop.model import SolveError
from multiloop.questions.answers.link_peaks import Sizes
from multiloop.questions.answers.link_places import without_stretch
from multiloop.questions.answers.link_truncation import PLACES
from multiloop.questions.answers.section_stress import section_stress

if TYPE_CHECKING:
    from multiloop.questions.answers.line_links import LineHistory

LINE_UNITS = {"deflection": "m", "stretch": "m", "moment": "N m", "stress": "Pa"}
"""Units of the quantities whose largest value along a link is reported."""


def across_line(line: Line, eta: np.ndarray) -> np.ndarray:
    """Deflections across the centreline (m), instants × places."""
    xi = looked_places(line, PLACES)
    away, along = line.deflection(eta, xi), line.section_axes(xi)[:, :, 0]
    if not len(line.corners):
        away = away - np.einsum("tni,ni->tn", away, along)[..., None] * along
    found: np.ndarray = np.sqrt(np.einsum("tni,tni->tn", away, away))
    return found


def along_line(line: Line, eta: np.ndarray) -> np.ndarray:
    """Stretches (m), instants × places; zero if the link has no axial modes."""
    xi = looked_places(line, PLACES)
    if not stretches(line):
        return np.zeros((len(eta), len(xi)))
    linear = (line.deflection(eta, xi) - line.deflection(-eta, xi)) / 2
    found: np.ndarray = np.abs(np.einsum("tni,ni->tn", linear, line.section_axes(xi)[:, :, 0]))
    return found


def stretches(line: Line) -> bool:
    """Whether it has axial modes."""
    return any(way == "x" for way, _ in line.beam.modes)


def looked_sizes(link: LineHistory, whats: tuple[str, ...]) -> Sizes:
    """Magnitudes at sampled places (m from `a`), instants × places each, or the error that explains why there
    are none.
    """
    line, xi = link.line, looked_places(link.line, PLACES)
    found: dict[str, np.ndarray | SolveError] = {}
    wrenches = link.wrenches(xi) if {"moment", "stress"} & set(whats) else None
    for what in whats:
        if what == "deflection":
            found[what] = across_line(line, link.eta)
        elif what == "stretch":
            found[what] = (
                along_line(line, link.eta) if stretches(line) else without_stretch(link.mechanism, link.name)
            )
        elif what == "moment" and wrenches is not None:
            found[what] = np.linalg.norm(wrenches[..., 2:3] if link.planar else wrenches[..., 1:3], axis=-1)
        elif wrenches is not None:
            try:
                found[what] = section_stress(link, xi, wrenches)
            except SolveError as error:
                found[what] = error
    return line.length * xi, found
