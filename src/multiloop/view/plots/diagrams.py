"""Diagrams of a result: paths, hodographs and polar diagrams in a plane, and profiles along flexible bodies."""

from __future__ import annotations

from typing import Any

import numpy as np

from multiloop.view.figure import GREY, INK, page_of
from multiloop.view.label_obstacles import Obstacles
from multiloop.view.label_placement import Label, escape_dollars, label_around, place_labels
from multiloop.view.plots.axis_scales import Abscissa, Units
from multiloop.view.plots.panel_curves import (
    COMPONENT_DASHES,
    DASHED,
    PEAK_GAPS,
    format_number,
    panel_note,
    to_page,
    write_label,
)
from multiloop.view.plots.plot_data import Diagram, Line, Profile

TICKS = 5
"""Largest number of tick intervals on each axis of a diagram."""

MARGIN_SHARE = 0.14
"""Width of the empty margin around the curves of a diagram, for labels, relative to the width and height of the
axes."""


def draw_diagram(axes: Any, diagram: Diagram, over: Abscissa, colours: dict[str, str], units: Units) -> None:
    """Draw the curves of a diagram.

    A single curve has marks at some times or angles; several curves are labelled at their starting points.
    """
    factor, unit = units.scale(diagram.quantity, diagram.largest)
    curves = [factor * line.values for line in diagram.lines]
    axes.locator_params(nbins=TICKS)
    _frame(axes, np.vstack([*curves, np.zeros((int(diagram.origin), 2))]))
    if diagram.origin:
        axes.axhline(0.0, color=GREY, lw=0.8, zorder=1)
        axes.axvline(0.0, color=GREY, lw=0.8, zorder=1)
    for line, points in zip(diagram.lines, curves, strict=True):
        style = DASHED if line.undetermined else "-"
        axes.plot(
            *points.T, color=colours[line.of], lw=1.5, ls=style, label=escape_dollars(line.label), zorder=3
        )
    axes.set_xlabel(f"{diagram.across} ({unit})", fontsize=9, color=INK)
    axes.set_ylabel(f"{diagram.up} ({unit})", fontsize=9, color=INK)
    _write_title(axes, diagram.title, panel_note(diagram, colours, "dashed"))
    _name_points(axes, diagram, curves, over, colours, (factor, unit))


def _write_title(axes: Any, words: str, note: str) -> None:
    """Write the title of a diagram, and a note in small letters below it."""
    axes.set_title(escape_dollars(words), loc="left", fontsize=8.5, color=INK, pad=15 if note else 5)
    if note:
        look = {"textcoords": "offset points", "fontsize": 7.0, "color": GREY, "annotation_clip": False}
        axes.annotate(escape_dollars(note), (0, 1), (0, 4), xycoords="axes fraction", **look)


def _frame(axes: Any, points: np.ndarray) -> None:
    """Set the limits of the axes so that they contain all points, with equal scales on both axes."""
    low, high = points.min(axis=0), points.max(axis=0)
    page = np.diff(page_of(axes), axis=0)[0]
    spread = np.maximum(high - low, 0.02 * float((high - low).max()) or 1.0)
    scale = float(((1 - 2 * MARGIN_SHARE) * page / spread).min())
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
    """Label the curves and their marks, avoiding overlap with curves and other labels.

    `scale` is the factor from SI units to the unit of the axes, and this unit.
    """
    corners = page_of(axes)
    obstacles = Obstacles(corners + np.array([[4.0], [-4.0]]))
    for points in curves:
        obstacles.add_line(to_page(axes, *points.T)[:: max(1, len(points) // 300)], 2.0)
    if diagram.origin:
        for way in (np.array([1.0, 0.0]), np.array([0.0, 1.0])):
            centre = to_page(axes, np.zeros(1), np.zeros(1))[0]
            obstacles.add_line(np.array([centre - 600 * way, centre + 600 * way]), 0.4)
    spots: list[tuple[Label, np.ndarray, str]] = []
    for line, points in zip(diagram.lines, curves, strict=True):
        for k, words in _marks(diagram, line, over, *scale):
            spot = to_page(axes, *points[k : k + 1].T)[0]
            obstacles.add_disc(spot, 3.0, 1.5)
            spots.append(
                (label_around(words, spot, 8.0, radius=2.0, gaps=PEAK_GAPS), points[k], colours[line.of])
            )
    places = place_labels([label for label, _, _ in spots], obstacles)
    for (label, point, colour), centre in zip(spots, places, strict=True):
        axes.plot(*point, "o", ms=3.5, color=colour, zorder=4)
        place = (centre - corners[0]) / (corners[1] - corners[0])
        led = bool(np.isfinite(label.leader_lines(centre)).all())
        write_label(axes, label.words, (point[0], point[1]), place, colour, led=led)


def _marks(diagram: Diagram, line: Line, over: Abscissa, factor: float, unit: str) -> list[tuple[int, str]]:
    """Indices of the labelled points of a curve with their texts: its start, or marks if it is the only curve."""
    if len(diagram.lines) > 1:
        return [(0, line.label)]
    found = dict(over.marks())
    if diagram.origin:
        sizes = factor * (np.linalg.norm(line.values, axis=1) if line.sizes is None else line.sizes)
        peak = int(sizes.argmax())
        found[peak] = f"{format_number(float(sizes[peak]))} {unit}" + (
            f", {found[peak]}" if peak in found else ""
        )
    return list(found.items())


MODAL_DASHES = (DASHED, (0, (7, 2, 1, 2)))
"""Line styles of the components of the bending moment that is computed from the mode shapes."""

PROFILE_TICKS = 5
"""Largest number of tick intervals on each axis of a profile."""


def draw_profile(axes: Any, profile: Profile, colours: dict[str, str], units: Units) -> None:
    """Draw curves over the position along a flexible body, and mark and label the largest value."""
    across, across_unit = units.scale("length")
    factor, unit = units.scale(profile.quantity, profile.largest)
    s, low, high = profile.bounds
    colour = colours[profile.lines[0].of]
    axes.fill_between(across * s, factor * low, factor * high, color=colour, alpha=0.14, lw=0, zorder=1)
    axes.axhline(0.0, color=GREY, lw=0.7, zorder=2)
    for line in profile.lines:
        styles = MODAL_DASHES if line.undetermined else COMPONENT_DASHES
        style = styles[line.part % len(styles)]
        look = {
            "color": INK if line.undetermined else colour,
            "lw": 0.9 if line.undetermined else 1.7,
            "ls": style,
        }
        place, value = line.values.T
        axes.plot(across * place, factor * value, label=escape_dollars(line.label), zorder=3, **look)
    _mark_largest(axes, profile, (across, factor), unit, colour)
    axes.set_xlim(across * s[0], across * s[-1])
    axes.margins(y=0.18)
    axes.locator_params(nbins=PROFILE_TICKS)
    if min(float(low.min()), *(float(line.values[:, 1].min()) for line in profile.lines)) >= 0.0:
        axes.set_ylim(bottom=0.0)
    axes.set_xlabel(f"distance from 'a' ({across_unit})", fontsize=9, color=INK)
    axes.set_ylabel(f"{profile.up} ({unit})", fontsize=9, color=INK)
    axes.set_title(escape_dollars(profile.title), loc="left", fontsize=8.5, color=INK, pad=15)
    look = {"textcoords": "offset points", "fontsize": 7.0, "color": GREY, "annotation_clip": False}
    axes.annotate(escape_dollars(profile.note), (0, 1), (0, 4), xycoords="axes fraction", **look)
    if len(profile.lines) > 1:
        axes.legend(fontsize=7.5, frameon=False, loc="best")


def _mark_largest(axes: Any, profile: Profile, scale: tuple[float, float], unit: str, colour: str) -> None:
    """Mark the largest value of a profile with a dot, and write the value next to it.

    `scale` are the factors from SI units to the units of the horizontal and the vertical axis, and `unit` is the name
    of the unit of the vertical axis.
    """
    solid = [line for line in profile.lines if not line.undetermined]
    line = max(solid, key=lambda one: float(np.abs(one.values[:, 1]).max()))
    k = int(np.abs(line.values[:, 1]).argmax())
    place, value = line.values[k] * np.array(scale)
    axes.plot(place, value, "o", ms=3.5, color=colour, zorder=4)
    right = place > scale[0] * 0.6 * profile.bounds[0][-1]
    look = {
        "textcoords": "offset points",
        "fontsize": 8.0,
        "color": colour,
        "ha": "right" if right else "left",
    }
    axes.annotate(
        f"{format_number(float(value))} {unit}",
        (place, value),
        (-6 if right else 6, 6 if value >= 0 else -12),
        **look,
    )
