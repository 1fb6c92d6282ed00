"""Plot of a result and measured time histories of the same quantities, one panel for each quantity."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from multiloop.analyses.results.exchange import ComparedColumn, Comparison
from multiloop.view.figure import BODIES, GREY, INK, save_figure, shaded
from multiloop.view.label_placement import escape_dollars
from multiloop.view.plots.page_layout import PageLayout, label_time, style_axes
from multiloop.view.plots.panel_curves import add_legend
from multiloop.view.plots.plot_data import Line, Panel

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LABELS = ("simulated", "measured")


def plot_comparison(comparison: Comparison, *, path: str | Path | None = None) -> Figure:
    """Plot a comparison with measured time histories; the argument is described in `Comparison.plot`."""
    columns = list(comparison.columns.values())
    lines = [Line(one.name, one.name, one.simulated) for one in columns]
    panels = [Panel(line.of, line.label, "", [line]) for line in lines]
    found = PageLayout(comparison.result, panels).axes(None)
    for k, (axes, column) in enumerate(zip(found, columns, strict=True)):
        style_axes(axes, comparison.result.time)
        _draw(axes, column, comparison.result.time, shaded(BODIES[k % len(BODIES)], 0.85))
    label_time(found, "time (s)")
    figure: Figure = found[0].figure
    if path is not None:
        save_figure(figure, path)
    return figure


def _draw(axes: Any, column: ComparedColumn, time: np.ndarray, colour: str) -> None:
    """Draw the simulated curve, the measured points, and a note with the measures of their difference."""
    points: dict[str, Any] = {"ms": 3.2, "mew": 0.8, "mfc": "none", "color": INK, "zorder": 3}
    axes.plot(time, column.curve, color=colour, lw=1.7, label=LABELS[0], zorder=2)
    axes.plot(column.time, column.measured, "o", label=LABELS[1], **points)
    unit = f" ({column.unit})" if column.unit else ""
    axes.set_ylabel(escape_dollars(f"{column.name}{unit}"), fontsize=9, color=INK)
    note = f"RMS difference {column.rms:.3g} {column.unit}".strip()
    note += f", correlation {column.correlation:.4f}" if column.correlation == column.correlation else ""
    axes.set_title(escape_dollars(note), loc="right", fontsize=7.5, color=GREY, pad=4)
    add_legend(axes, LABELS)
