"""Panels of a result: curves over the motion, or bars for a single instant, with one colour for each object."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from multiloop.questions import Result
from multiloop.view.bars import Bar, draw_bars
from multiloop.view.colours import BODIES, GREY, INK, UNNAMED, shaded
from multiloop.view.framing import page_of
from multiloop.view.histories import joint_colours
from multiloop.view.kinds import Panel
from multiloop.view.kinds.panel import Drawable, Line
from multiloop.view.labels import extent, plain
from multiloop.view.peaks import Curve, name_peaks
from multiloop.view.units import Units

DASHED = (0, (4, 2))
PARTS = ("-", (0, (1, 1.2)), (0, (6, 1.5, 1, 1.5)))
"""Line styles that distinguish the coordinates or components of one joint."""

FEW = 3
"""Largest number of grey curves that are named in a note."""

STROKE = 40.0
"""Width of a legend entry besides its name, in points."""


def line_colours(result: Result, panels: Sequence[Drawable], *, bars: bool = False) -> dict[str, str]:
    """One colour for every labelled object, those of the joints first; pale grey for the rest.

    Bars are labelled by name, so that a colour only connects several panels: an object in a single panel is grey.
    """
    lines = [line for panel in panels for line in panel.lines]
    colours = dict.fromkeys((line.of for line in lines), UNNAMED) | joint_colours(result)
    taken = len(set(colours.values()) - {UNNAMED})
    more = dict.fromkeys(line.of for line in lines if line.strong and colours[line.of] == UNNAMED)
    colours |= {name: shaded(BODIES[(taken + k) % len(BODIES)], 0.85) for k, name in enumerate(more)}
    if bars:
        panels_of = Counter(name for panel in panels for name in {line.of for line in panel.lines})
        colours |= {name: UNNAMED for name, count in panels_of.items() if count < 2}
    return colours


def draw_curves(axes: Any, panel: Panel, x: np.ndarray, colours: dict[str, str], units: Units) -> None:
    """Draw the curves of a panel, labelled at their peaks or in a legend."""
    factor, unit = units.scale(panel.quantity, panel.largest)
    curves = []
    for rank, line in enumerate(panel.lines):
        look: dict[str, Any] = {"color": colours[line.of], "label": plain(line.label), "ls": _stroke(line)}
        look |= {"lw": 0.9 if not line.strong else 1.5 if panel.peaks else 1.7, "zorder": 3 - 0.05 * rank}
        axes.plot(x, factor * line.values, **look)
        curves.append(Curve(line.label, factor * line.values, colours[line.of], line.strong))
    axes.set_ylabel(f"{plain(panel.words)} ({unit})", fontsize=9, color=INK)
    write_note(axes, panel, colours, "dashed")
    if panel.zero:
        axes.axhline(0.0, color=GREY, lw=0.7)
    if panel.peaks:
        axes.set_ylim(0.0, 1.12 * factor * panel.largest or 1.0)
    else:
        add_legend(axes, [line.label for line in panel.lines], named=panel.zero and len(curves) == 1)
    if panel.peaks or (panel.zero and len(curves) == 1):
        name_peaks(axes, x, curves, unit)


def _stroke(line: Line) -> Any:
    return DASHED if line.doubtful else PARTS[line.part % len(PARTS)]


def add_legend(axes: Any, labels: Sequence[str], *, named: bool = False) -> None:
    """Add space above the curves and a legend; no legend where the only curve is labelled at its peak (`named`)."""
    low, high = axes.get_ylim()
    columns = _legend_columns(axes, labels)
    rows = -(-len(labels) // columns)
    axes.set_ylim(low - 0.05 * (high - low), high + (0.06 + 0.14 * rows) * (high - low))
    if not named:
        axes.legend(fontsize=8, frameon=False, ncols=columns, loc="upper right")


def _legend_columns(axes: Any, names: Sequence[str]) -> int:
    """Number of legend columns that fit side by side, each as wide as the longest entry; at most six."""
    width = float(np.diff(page_of(axes)[:, 0])[0])
    widest = max(float(extent(name, 8.0)[0]) for name in names) + STROKE
    return int(np.clip(width // widest, 1, min(6, len(names))))


def draw_instant(axes: Any, panel: Panel, colours: dict[str, str], units: Units, when: str) -> None:
    """Draw the values at the only instant as bars."""
    factor, unit = units.scale(panel.quantity, panel.largest)
    bars = [
        Bar(line.label, factor * float(line.values[0]), colours[line.of], line.doubtful)
        for line in panel.lines
    ]
    draw_bars(axes, bars, f"{plain(panel.words)} ({unit}){when}")
    write_note(axes, panel, {}, "hollow")


def write_note(axes: Any, panel: Drawable, colours: dict[str, str], doubtful: str) -> None:
    """Write the note of a panel at its top right."""
    words = note_of(panel, colours, doubtful)
    if words:
        axes.set_title(plain(words), loc="right", fontsize=7.5, color=GREY, pad=4)


def note_of(panel: Drawable, colours: dict[str, str], doubtful: str) -> str:
    """The note of a panel, with the meaning of dashes and grey where they occur."""
    words = [panel.note] if panel.note else []
    if any(line.doubtful for line in panel.lines):
        words.append(f"{doubtful}: not determined by equilibrium")
    grey = [line.label for line in panel.lines if colours.get(line.of) == UNNAMED]
    if grey:
        words.append(f"grey: {', '.join(grey) if len(grey) <= FEW else 'not named'}")
    return "; ".join(words)
