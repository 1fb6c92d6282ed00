"""Bar charts for a result with a single instant, each bar with its value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from multiloop.view.colours import GREY, INK
from multiloop.view.labels import plain
from multiloop.view.peaks import number


@dataclass(frozen=True)
class Bar:
    """A named value; `doubtful` ones are drawn as a dashed outline."""

    name: str
    value: float
    colour: str
    doubtful: bool = False


def draw_bars(axes: Any, bars: Sequence[Bar], words: str) -> None:
    """Draw horizontal bars, the first on top, with their values at the ends."""
    for row, bar in enumerate(bars):
        face = "none" if bar.doubtful else bar.colour
        style = (0, (3, 1.5)) if bar.doubtful else "-"
        axes.barh(row, bar.value, 0.62, facecolor=face, edgecolor=bar.colour, linestyle=style, zorder=3)
        axes.annotate(
            number(bar.value),
            (bar.value, row),
            (4 if bar.value >= 0 else -4, 0),
            textcoords="offset points",
            ha="left" if bar.value >= 0 else "right",
            va="center",
            fontsize=8,
            color=INK,
        )
    axes.set_yticks(range(len(bars)), [plain(bar.name) for bar in bars])
    axes.set_ylim(max(len(bars), 1) - 0.5, -0.5)
    low, high = min([0.0, *(bar.value for bar in bars)]), max([0.0, *(bar.value for bar in bars)])
    room = 0.16 * ((high - low) or 1.0)
    axes.set_xlim(low - room * (low < 0), high + room * (high > 0 or low == 0))
    axes.axvline(0.0, color=GREY, lw=0.9, zorder=4)
    axes.grid(visible=False, axis="y")
    axes.set_xlabel(words, fontsize=9, color=INK)
