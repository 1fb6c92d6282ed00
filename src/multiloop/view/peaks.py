"""Labels at the peaks of curves, with name and value, placed such that they cover as little as possible."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from multiloop.view.colours import PAPER
from multiloop.view.framing import page_of
from multiloop.view.labels import around, plain
from multiloop.view.obstacles import Obstacles
from multiloop.view.placing import place_labels

GAPS = (2.5, 6.0, 12.0, 20.0, 32.0, 48.0, 66.0, 88.0, 114.0)
"""Possible distances of a label from its peak, in points."""


@dataclass(frozen=True, eq=False)
class Curve:
    """Values of a curve with a name and a colour; if `named`, it is labelled at its largest magnitude."""

    name: str
    values: np.ndarray
    colour: str
    named: bool = True


def name_peaks(axes: Any, x: np.ndarray, curves: Sequence[Curve], unit: str) -> None:
    """Mark and label the peak of every named curve with its name and value; axis limits must be set before."""
    corners = page_of(axes)
    obstacles = Obstacles(corners + np.array([[4.0], [0.0]]))
    labels, shown = [], []
    for curve in curves:
        page = on_page(axes, x, curve.values)
        step = max(1, len(page) // 200)
        obstacles.add_line(page[::step], 2.0 if curve.named else 0.8)
    for curve in curves:
        if curve.named and curve.values.size:
            k = int(np.abs(curve.values).argmax())
            words = f"{curve.name} {number(float(curve.values[k]))} {unit}"
            peak = on_page(axes, x[k : k + 1], curve.values[k : k + 1])[0]
            obstacles.add_disc(peak, 3.0, 1.5)
            labels.append(around(words, peak, 8.0, radius=2.0, gaps=GAPS))
            shown.append((curve, x[k], curve.values[k]))
    for (curve, x_k, y_k), label, centre in zip(shown, labels, place_labels(labels, obstacles), strict=True):
        axes.plot([x_k], [y_k], "o", ms=3.5, color=curve.colour, zorder=4)
        place = (centre - corners[0]) / (corners[1] - corners[0])
        write_beside(
            axes,
            label.words,
            (x_k, y_k),
            place,
            curve.colour,
            led=bool(np.isfinite(label.leads(centre)).all()),
        )


def number(value: float) -> str:
    """A number with four significant digits, without an exponent, and with a true minus sign."""
    digits = max(0, 3 - int(np.floor(np.log10(abs(value))))) if value else 0
    return f"{value:.{min(digits, 6)}f}".replace("-", "−")


def on_page(axes: Any, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Points of a curve in page coordinates."""
    low, high = page_of(axes)
    (x0, x1), (y0, y1) = axes.get_xlim(), axes.get_ylim()
    places: np.ndarray = low + (high - low) * np.column_stack(
        [(x - x0) / ((x1 - x0) or 1.0), (y - y0) / ((y1 - y0) or 1.0)]
    )
    return places


def write_beside(
    axes: Any, words: str, peak: tuple[float, float], place: np.ndarray, colour: str, *, led: bool
) -> None:
    """Write a label at a position in axes coordinates, with a leader line to the peak if `led`."""
    from matplotlib.patheffects import withStroke

    text = axes.annotate(
        plain(words),
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
