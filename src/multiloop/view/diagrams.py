"""Diagrams of a result: paths, hodographs and polar diagrams, with equal scales on both axes."""

from __future__ import annotations

from typing import Any

import numpy as np

from multiloop.view.abscissa import Abscissa
from multiloop.view.colours import GREY, INK
from multiloop.view.curves import DASHED, note_of
from multiloop.view.framing import page_of
from multiloop.view.kinds import Diagram
from multiloop.view.kinds.panel import Line
from multiloop.view.labels import Label, around, plain
from multiloop.view.obstacles import Obstacles
from multiloop.view.peaks import GAPS, number, on_page, write_beside
from multiloop.view.placing import place_labels
from multiloop.view.units import Units

TICKS = 5
"""Largest number of intervals along an axis."""

ROOM = 0.14
"""Fraction of the width and height left free on each side of the curves, for labels."""


def draw_diagram(axes: Any, diagram: Diagram, over: Abscissa, colours: dict[str, str], units: Units) -> None:
    """Draw the curves of a diagram.

    A single curve has marks with times or angles along it; several curves are labelled where they start.
    """
    factor, unit = units.scale(diagram.quantity, diagram.largest)
    curves = [factor * line.values for line in diagram.lines]
    axes.locator_params(nbins=TICKS)
    _frame(axes, np.vstack([*curves, np.zeros((int(diagram.origin), 2))]))
    if diagram.origin:
        axes.axhline(0.0, color=GREY, lw=0.8, zorder=1)
        axes.axvline(0.0, color=GREY, lw=0.8, zorder=1)
    for line, points in zip(diagram.lines, curves, strict=True):
        style = DASHED if line.doubtful else "-"
        axes.plot(*points.T, color=colours[line.of], lw=1.5, ls=style, label=plain(line.label), zorder=3)
    axes.set_xlabel(f"{diagram.across} ({unit})", fontsize=9, color=INK)
    axes.set_ylabel(f"{diagram.up} ({unit})", fontsize=9, color=INK)
    _write_title(axes, diagram.words, note_of(diagram, colours, "dashed"))
    _name_points(axes, diagram, curves, over, colours, (factor, unit))


def _write_title(axes: Any, words: str, note: str) -> None:
    """Write the title, and below it the note in small letters."""
    axes.set_title(plain(words), loc="left", fontsize=8.5, color=INK, pad=15 if note else 5)
    if note:
        look = {"textcoords": "offset points", "fontsize": 7.0, "color": GREY, "annotation_clip": False}
        axes.annotate(plain(note), (0, 1), (0, 4), xycoords="axes fraction", **look)


def _frame(axes: Any, points: np.ndarray) -> None:
    """Set limits around all points, with equal scales on both axes."""
    low, high = points.min(axis=0), points.max(axis=0)
    page = np.diff(page_of(axes), axis=0)[0]
    spread = np.maximum(high - low, 0.02 * float((high - low).max()) or 1.0)
    scale = float(((1 - 2 * ROOM) * page / spread).min())
    (left, bottom), (right, top) = ((low + high) / 2 + side * page / (2 * scale) for side in (-1, 1))
    axes.set(xlim=(left, right), ylim=(bottom, top))


def _name_points(
    axes: Any,
    diagram: Diagram,
    curves: list[np.ndarray],
    over: Abscissa,
    colours: dict[str, str],
    scale: tuple[float, str],
) -> None:
    """Label the curves and their marks without covering anything; `scale` is the factor to the unit, and the unit."""
    corners = page_of(axes)
    obstacles = Obstacles(corners + np.array([[4.0], [-4.0]]))
    for points in curves:
        obstacles.add_line(on_page(axes, *points.T)[:: max(1, len(points) // 300)], 2.0)
    if diagram.origin:
        for way in (np.array([1.0, 0.0]), np.array([0.0, 1.0])):
            centre = on_page(axes, np.zeros(1), np.zeros(1))[0]
            obstacles.add_line(np.array([centre - 600 * way, centre + 600 * way]), 0.4)
    spots: list[tuple[Label, np.ndarray, str]] = []
    for line, points in zip(diagram.lines, curves, strict=True):
        for k, words in _marks(diagram, line, over, *scale):
            spot = on_page(axes, *points[k : k + 1].T)[0]
            obstacles.add_disc(spot, 3.0, 1.5)
            spots.append((around(words, spot, 8.0, radius=2.0, gaps=GAPS), points[k], colours[line.of]))
    places = place_labels([label for label, _, _ in spots], obstacles)
    for (label, point, colour), centre in zip(spots, places, strict=True):
        axes.plot(*point, "o", ms=3.5, color=colour, zorder=4)
        place = (centre - corners[0]) / (corners[1] - corners[0])
        led = bool(np.isfinite(label.leads(centre)).all())
        write_beside(axes, label.words, (point[0], point[1]), place, colour, led=led)


def _marks(diagram: Diagram, line: Line, over: Abscissa, factor: float, unit: str) -> list[tuple[int, str]]:
    """Indices of labelled points with their text: the start of each curve, or marks along a single one."""
    if len(diagram.lines) > 1:
        return [(0, line.label)]
    found = dict(over.marks())
    if diagram.origin:
        sizes = factor * (np.linalg.norm(line.values, axis=1) if line.sizes is None else line.sizes)
        peak = int(sizes.argmax())
        found[peak] = f"{number(float(sizes[peak]))} {unit}" + (f", {found[peak]}" if peak in found else "")
    return list(found.items())
