"""Pictures of the mode shapes of a flexible body: deformed and undeformed geometry, with the frequency of each mode."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from multiloop.model import Beam, Solid
from multiloop.view.deformed_bodies import drawn_sections
from multiloop.view.figure import BODIES, GREY, INK, blank_figure, save_figure
from multiloop.view.label_placement import escape_dollars

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from multiloop.flexible.mode_table import ModeTable
    from multiloop.flexible.solids.deformed_mesh import DeformedMesh

LARGEST_DEFLECTION = 0.15
"""Largest drawn deflection of a mode, relative to the largest extent of the body."""

FACE, SIDE = np.array([[1.0, 0, 0], [0, 1, 0]]), np.array([[1.0, 0, 0], [0, 0, 1]])
OBLIQUE = np.array([[0.94, -0.34, 0.0], [0.17, 0.47, 0.87]])
"""Matrices that project x, y and z onto the page (2 × 3) for the front view, the side view and the oblique view."""

ALONG_LINE = ("x", "twist")
"""Directions of deformation along the centreline (stretching) and about it (torsion). Their displacements are drawn
transverse to the centreline, because they would not be visible otherwise."""

WIDE, HIGH, ACROSS = 240.0, 170.0, 3
"""Width and height in points of the picture of one mode, and number of such pictures in a row."""


def draw_shapes(beam: Beam, *, planar: bool = False, path: str | Path | None = None) -> Figure:
    """Draw all mode shapes of a beam with their direction, number and frequency.

    Bending out of the plane x–y is drawn in a side view, or in an oblique view for cranked beams. Stretching and
    twisting are drawn transverse to the centreline: the axial displacement of its points, and the rotation of its
    sections. With `planar`, modes out of the plane are omitted. With `path` the picture is saved.
    """
    from multiloop.flexible.beams.beam_reduction import validated_beam

    drawn = validated_beam(beam, planar)
    return _pictures(drawn.shapes(), partial(_draw_line, drawn), path)


def draw_solid_shapes(solid: Solid, *, planar: bool = False, path: str | Path | None = None) -> Figure:
    """Draw the edges of a solid in every mode shape, in an oblique view, or in the x–y plane if `planar`."""
    table = solid.shapes(planar=planar)
    return _pictures(table, partial(_draw_edges, solid.deformed_mesh(planar), planar), path)


def _pictures(table: ModeTable, draw: Callable[[Any, str, int], None], path: str | Path | None) -> Figure:
    """Figure with a picture of every mode in the table.

    `draw(axes, direction, k)` draws the mode with index k in the table, whose deformation has the given direction.
    """
    rows = -(-len(table.ways) // ACROSS)
    across = min(len(table.ways), ACROSS)
    page = np.array([across * WIDE, rows * HIGH + 26.0])
    figure = blank_figure(page)
    figure.text(
        14 / page[0], 1 - 14 / page[1], escape_dollars(table.name), fontsize=11, fontweight="bold", color=INK
    )
    for k, (direction, number) in enumerate(table.ways):
        row, column = divmod(k, ACROSS)
        low = page[1] - 26.0 - (row + 1) * HIGH
        place = np.array([column * WIDE + 12, low + 8, WIDE - 24, HIGH - 30]) / np.tile(page, 2)
        axes = figure.add_axes(place)
        draw(axes, direction, k)
        axes.set_aspect("equal", adjustable="datalim")
        axes.set_axis_off()
        sideways = ", drawn transversely" if direction in ALONG_LINE else ""
        words = (
            f"{direction} {number + 1}: {table.frequencies[k]:.5g} rad/s, {table.hertz[k]:.5g} Hz{sideways}"
        )
        axes.set_title(words, loc="left", fontsize=8.5, color=INK)
    if path is not None:
        save_figure(figure, path)
    return figure


def _draw_edges(mesh: DeformedMesh, planar: bool, axes: Any, direction: str, k: int) -> None:
    from matplotlib.collections import LineCollection

    edges, seen = (mesh.front_edges, FACE) if planar else (mesh.edges, OBLIQUE)
    rest, away = mesh.points[edges], mesh.modes.node_shapes[edges, :, k]
    away = away * LARGEST_DEFLECTION * np.ptp(mesh.points, axis=0).max() / np.linalg.norm(away, axis=-1).max()
    drawn = ((rest, GREY, 0.8, 1.0), (rest - away, BODIES[0], 1.4, 0.25), (rest + away, BODIES[0], 1.4, 1.0))
    for lines, colour, width, alpha in drawn:
        axes.add_collection(LineCollection(lines @ seen.T, colors=colour, linewidths=width, alpha=alpha))
    axes.autoscale_view()


def _draw_line(beam: Beam, axes: Any, direction: str, k: int) -> None:
    line = beam.centreline()
    xi = np.unique(np.concatenate([drawn_sections(line), np.linspace(0.0, 1.0, 101)]))
    still = np.zeros((1, beam.elastic))
    small = still.copy()
    small[0, k] = 1e-6  # second-order terms are negligible at this amplitude
    rest = line.point(still, xi)[0]
    away = (line.point(small, xi)[0] - rest) / 1e-6
    if direction in ALONG_LINE:
        along = line.rotation(small, xi)[0, :, 0] if direction == "twist" else away[:, 0]
        away = np.outer(along, [0.0, 1.0, 0.0])
    away *= LARGEST_DEFLECTION * np.ptp(rest, axis=0).max() / np.linalg.norm(away, axis=1).max()
    seen = (
        OBLIQUE
        if direction == "space" or (direction == "z" and beam.through)
        else SIDE
        if direction == "z"
        else FACE
    )
    rest, away = rest @ seen.T, away @ seen.T
    axes.plot(*rest.T, color=GREY, lw=0.8, zorder=1)
    for sign, alpha in ((1.0, 1.0), (-1.0, 0.25)):
        axes.plot(*(rest + sign * away).T, color=BODIES[0], lw=1.8, alpha=alpha, zorder=2)
    for name, place in line.places.items():
        if name in ("a", "b") or name in dict(beam.masses):
            nearest = np.abs(xi - place).argmin()
            size = 6.0 if name in dict(beam.masses) else 3.0
            axes.plot(*(rest + away)[nearest], "o", ms=size, color=INK, zorder=3)
