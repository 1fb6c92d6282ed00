"""Panels of a result: curves over time or a joint coordinate with labelled peaks, or bars for a single instant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from multiloop.analyses import Result
from multiloop.view.figure import BODIES, GREY, INK, PAPER, UNNAMED, page_of, shaded
from multiloop.view.label_obstacles import Obstacles
from multiloop.view.label_placement import escape_dollars, label_around, place_labels, text_extent
from multiloop.view.plots.axis_scales import Units
from multiloop.view.plots.joint_histories import joint_colours
from multiloop.view.plots.plot_data import Drawable, Line, Panel

PEAK_GAPS = (2.5, 6.0, 12.0, 20.0, 32.0, 48.0, 66.0, 88.0, 114.0)
"""Distances that are tried between a label and the peak of its curve, in points of the page."""


@dataclass(frozen=True, eq=False)
class LabelledCurve:
    """A plotted curve; if `named`, it is labelled at its largest magnitude."""

    name: str
    values: np.ndarray
    colour: str
    named: bool = True


def label_peaks(axes: Any, x: np.ndarray, curves: Sequence[LabelledCurve], unit: str) -> None:
    """Mark the peak of every named curve, and label it with the name of the curve and the value.

    The limits of the axes must be set before.
    """
    corners = page_of(axes)
    obstacles = Obstacles(corners + np.array([[4.0], [0.0]]))
    labels, shown = [], []
    for curve in curves:
        page = to_page(axes, x, curve.values)
        step = max(1, len(page) // 200)
        obstacles.add_line(page[::step], 2.0 if curve.named else 0.8)
    for curve in curves:
        if curve.named and curve.values.size:
            k = int(np.abs(curve.values).argmax())
            words = f"{curve.name} {format_number(float(curve.values[k]))} {unit}"
            peak = to_page(axes, x[k : k + 1], curve.values[k : k + 1])[0]
            obstacles.add_disc(peak, 3.0, 1.5)
            labels.append(label_around(words, peak, 8.0, radius=2.0, gaps=PEAK_GAPS))
            shown.append((curve, x[k], curve.values[k]))
    for (curve, x_k, y_k), label, centre in zip(shown, labels, place_labels(labels, obstacles), strict=True):
        axes.plot([x_k], [y_k], "o", ms=3.5, color=curve.colour, zorder=4)
        place = (centre - corners[0]) / (corners[1] - corners[0])
        write_label(
            axes,
            label.words,
            (x_k, y_k),
            place,
            curve.colour,
            led=bool(np.isfinite(label.leader_lines(centre)).all()),
        )


def format_number(value: float) -> str:
    """A number with four significant digits, without an exponent, and with a true minus sign."""
    digits = max(0, 3 - int(np.floor(np.log10(abs(value))))) if value else 0
    return f"{value:.{min(digits, 6)}f}".replace("-", "−")


def to_page(axes: Any, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Positions of the points of a curve on the page, in points, n × 2."""
    low, high = page_of(axes)
    (x0, x1), (y0, y1) = axes.get_xlim(), axes.get_ylim()
    places: np.ndarray = low + (high - low) * np.column_stack(
        [(x - x0) / ((x1 - x0) or 1.0), (y - y0) / ((y1 - y0) or 1.0)]
    )
    return places


def write_label(
    axes: Any, words: str, peak: tuple[float, float], place: np.ndarray, colour: str, *, led: bool
) -> None:
    """Write a label at a position in axes coordinates (0 to 1), with a leader line to the peak if `led`."""
    from matplotlib.patheffects import withStroke

    text = axes.annotate(
        escape_dollars(words),
        peak,
        tuple(place),
        textcoords="axes fraction",
        ha="center",
        va="center",
        fontsize=8,
        color=colour,
        zorder=5,
        arrowprops={"arrowstyle": "-", "lw": 0.5, "color": colour, "shrinkA": 0, "shrinkB": 2.5}
        if led
        else None,
    )
    text.set_path_effects([withStroke(linewidth=2.2, foreground=PAPER)])


@dataclass(frozen=True)
class Bar:
    """A named value that is drawn as a bar; if `doubtful`, as a dashed outline without filling."""

    name: str
    value: float
    colour: str
    doubtful: bool = False


def draw_bars(axes: Any, bars: Sequence[Bar], words: str) -> None:
    """Draw horizontal bars, the first at the top, with their values at the ends; `words` is the label of the axis."""
    for row, bar in enumerate(bars):
        face = "none" if bar.doubtful else bar.colour
        style = (0, (3, 1.5)) if bar.doubtful else "-"
        axes.barh(row, bar.value, 0.62, facecolor=face, edgecolor=bar.colour, linestyle=style, zorder=3)
        axes.annotate(
            format_number(bar.value),
            (bar.value, row),
            (4 if bar.value >= 0 else -4, 0),
            textcoords="offset points",
            ha="left" if bar.value >= 0 else "right",
            va="center",
            fontsize=8,
            color=INK,
        )
    axes.set_yticks(range(len(bars)), [escape_dollars(bar.name) for bar in bars])
    axes.set_ylim(max(len(bars), 1) - 0.5, -0.5)
    low, high = min([0.0, *(bar.value for bar in bars)]), max([0.0, *(bar.value for bar in bars)])
    room = 0.16 * ((high - low) or 1.0)
    axes.set_xlim(low - room * (low < 0), high + room * (high > 0 or low == 0))
    axes.axvline(0.0, color=GREY, lw=0.9, zorder=4)
    axes.grid(visible=False, axis="y")
    axes.set_xlabel(words, fontsize=9, color=INK)


DASHED = (0, (4, 2))
COMPONENT_DASHES = ("-", (0, (1, 1.2)), (0, (6, 1.5, 1, 1.5)))
"""Line styles that distinguish the coordinates or components of one joint."""

MOST_GREY_NAMES = 3
"""Largest number of grey curves whose names are listed in a note."""

LEGEND_STROKE = 40.0
"""Width of a legend entry in addition to the width of its text, in points of the page."""


def line_colours(result: Result, panels: Sequence[Drawable], *, bars: bool = False) -> dict[str, str]:
    """Colour of every object (joint, marker or sum) with lines in the panels; pale grey for objects without a label.

    Joints have the same colours as in other plots. With `bars`, which are labelled by name, an object has a colour only
    if it occurs in several panels.
    """
    lines = [line for panel in panels for line in panel.lines]
    colours = dict.fromkeys((line.of for line in lines), UNNAMED) | joint_colours(result)
    taken = len(set(colours.values()) - {UNNAMED})
    more = dict.fromkeys(line.of for line in lines if line.is_named and colours[line.of] == UNNAMED)
    colours |= {name: shaded(BODIES[(taken + k) % len(BODIES)], 0.85) for k, name in enumerate(more)}
    if bars:
        panels_of = Counter(name for panel in panels for name in {line.of for line in panel.lines})
        colours |= {name: UNNAMED for name, count in panels_of.items() if count < 2}
    return colours


def draw_curves(axes: Any, panel: Panel, x: np.ndarray, colours: dict[str, str], units: Units) -> None:
    """Draw the curves of a panel over the values `x`, labelled at their peaks or in a legend."""
    factor, unit = units.scale(panel.quantity, panel.largest)
    curves = []
    for rank, line in enumerate(panel.lines):
        look: dict[str, Any] = {
            "color": colours[line.of],
            "label": escape_dollars(line.label),
            "ls": _stroke(line),
        }
        look |= {"lw": 0.9 if not line.is_named else 1.5 if panel.peaks else 1.7, "zorder": 3 - 0.05 * rank}
        axes.plot(x, factor * line.values, **look)
        curves.append(LabelledCurve(line.label, factor * line.values, colours[line.of], line.is_named))
    axes.set_ylabel(_with_unit(panel.title, unit), fontsize=9, color=INK)
    write_note(axes, panel, colours, "dashed")
    if panel.zero:
        axes.axhline(0.0, color=GREY, lw=0.7)
    if panel.peaks:
        axes.set_ylim(0.0, 1.12 * factor * panel.largest or 1.0)
    else:
        add_legend(axes, [line.label for line in panel.lines], named=panel.zero and len(curves) == 1)
    if panel.peaks or (panel.zero and len(curves) == 1):
        label_peaks(axes, x, curves, unit)


def _stroke(line: Line) -> Any:
    return DASHED if line.undetermined else COMPONENT_DASHES[line.part % len(COMPONENT_DASHES)]


def add_legend(axes: Any, labels: Sequence[str], *, named: bool = False) -> None:
    """Add space above the curves and a legend; if `named`, only the space, because the only curve has a label."""
    low, high = axes.get_ylim()
    columns = _legend_columns(axes, labels)
    rows = -(-len(labels) // columns)
    axes.set_ylim(low - 0.05 * (high - low), high + (0.06 + 0.14 * rows) * (high - low))
    if not named:
        axes.legend(fontsize=8, frameon=False, ncols=columns, loc="upper right")


def _legend_columns(axes: Any, names: Sequence[str]) -> int:
    """Number of legend columns that fit side by side, at most six; each is as wide as the widest entry."""
    width = float(np.diff(page_of(axes)[:, 0])[0])
    widest = max(float(text_extent(name, 8.0)[0]) for name in names) + LEGEND_STROKE
    return int(np.clip(width // widest, 1, min(6, len(names))))


def draw_bars_at_instant(axes: Any, panel: Panel, colours: dict[str, str], units: Units, when: str) -> None:
    """Draw the values of a panel at a single instant as bars; `when` is added to the label of the axis."""
    factor, unit = units.scale(panel.quantity, panel.largest)
    bars = [
        Bar(line.label, factor * float(line.values[0]), colours[line.of], line.undetermined)
        for line in panel.lines
    ]
    draw_bars(axes, bars, _with_unit(panel.title, unit) + when)
    write_note(axes, panel, {}, "hollow")


def write_note(axes: Any, panel: Drawable, colours: dict[str, str], doubtful: str) -> None:
    """Write the note of a panel at its top right corner; `doubtful` describes how undetermined values are drawn."""
    words = panel_note(panel, colours, doubtful)
    if words:
        axes.set_title(escape_dollars(words), loc="right", fontsize=7.5, color=GREY, pad=4)


def panel_note(panel: Drawable, colours: dict[str, str], doubtful: str) -> str:
    """Note of a panel, including the meaning of dashed or hollow and of grey drawing, if these occur."""
    words = [panel.note] if panel.note else []
    if any(line.undetermined for line in panel.lines):
        words.append(f"{doubtful}: not determined by equilibrium")
    grey = [line.label for line in panel.lines if colours.get(line.of) == UNNAMED]
    if grey:
        words.append(f"grey: {', '.join(grey) if len(grey) <= MOST_GREY_NAMES else 'unlabelled'}")
    return "; ".join(words)


def _with_unit(title: str, unit: str) -> str:
    """The label of an axis: the title of a panel and its unit, if it has one."""
    return f"{escape_dollars(title)} ({unit})" if unit else escape_dollars(title)
