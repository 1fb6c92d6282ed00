"""Page layout of the panels of a result, with or without a drawing of the mechanism next to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from multiloop.analyses import Result
from multiloop.view.figure import GREY, INK, blank_figure
from multiloop.view.label_placement import escape_dollars
from multiloop.view.mechanism_drawing import draw_scene
from multiloop.view.plots.axis_scales import angle_step
from multiloop.view.plots.plot_data import Diagram, Panel
from multiloop.view.scene import scene_at
from multiloop.view.symbols.marker_symbols import Trace

TICKS = 11
"""Upper limit (exclusive) of the number of tick intervals on an axis of an angle."""

LOW, HIGH, ROUND = 170.0, 197.0, 215.0
"""Heights in points of an ordinary panel (LOW), of a panel of loads or moments, which has the most labels (HIGH), and
of a diagram such as a path or polar diagram (ROUND)."""

TOP, BETWEEN, BOTTOM, BAR = 33.0, 24.0, 47.0, 15.0
"""Heights in points of the space above, between and below the panels, and of each bar in a panel of bars."""

BESIDE = 620.0
"""Largest height of the drawing of the mechanism next to the panels, in points."""

ASIDE, ABOVE = 62.0, 30.0
"""Horizontal gap between two diagrams side by side, and space above each row of diagrams, in points."""


@dataclass(frozen=True, eq=False)
class PageLayout:
    """Page layout of the plots of a result: panels from top to bottom, then diagrams in rows of two."""

    result: Result
    panels: Sequence[Panel | Diagram]

    def axes(self, traces: Sequence[Trace] | None) -> list[Any]:
        """Create the axes of all panels and diagrams on a new page; with `traces`, next to a drawing of the
        mechanism."""
        beside = traces is not None
        heights, between = self._heights()
        rows = self._rows()
        curves = sum(heights) + between * (len(heights) - 1) + BOTTOM if heights else 0.0
        height = TOP + curves + len(rows) * (ABOVE + ROUND + BOTTOM)
        page = np.array([1080.0, max(height, 470.0)] if beside else [540.0, height])
        figure = blank_figure(page)
        left = (0.59 if beside else 0.12) if not self._bars else (0.63 if beside else 0.18)
        if traces is not None:
            self._draw(figure, traces)
        stretch = 1 + (page[1] - height) / max(sum(heights) + len(rows) * ROUND, 1.0)
        found = self._stacked(figure, left, heights, between, stretch)
        top = page[1] - TOP - (sum(heights) * stretch + curves - sum(heights) if heights else 0.0)
        tall = min(stretch * ROUND, max(ROUND, (0.97 - left) * page[0] / 2))
        for row in rows:
            found += self._side_by_side(figure, row, left, top - ABOVE, tall)
            top -= ABOVE + tall + BOTTOM
        if not beside:
            words = escape_dollars(self.result.mechanism.name)
            look: dict[str, Any] = {"fontsize": 11, "fontweight": "bold", "color": INK, "va": "center"}
            figure.text(left, 1 - 0.5 * TOP / page[1], words, **look)
        return found

    @property
    def _bars(self) -> bool:
        return len(self.result.time) == 1

    def _heights(self) -> tuple[list[float], float]:
        """Heights of all panels, except diagrams, and the gap between two panels, in points.

        For panels of bars, the gap has space for the axis and the title of each panel.
        """
        panels = [panel for panel in self.panels if isinstance(panel, Panel)]
        if not self._bars:
            return [HIGH if panel.peaks else LOW for panel in panels], BETWEEN
        return [20.0 + BAR * len(panel.lines) for panel in panels], BETWEEN + 36.0

    def _rows(self) -> list[list[Diagram]]:
        found = [panel for panel in self.panels if isinstance(panel, Diagram)]
        return [found[k : k + 2] for k in range(0, len(found), 2)]

    def _stacked(
        self, figure: Any, left: float, heights: Sequence[float], between: float, stretch: float
    ) -> list[Any]:
        """Create axes from top to bottom, with the given heights times `stretch`; panels of curves share their
        horizontal axis."""
        page = figure.get_size_inches() * 72.0
        found: list[Any] = []
        top = page[1] - TOP
        for k, tall in enumerate(heights):
            box = (left, (top - stretch * tall) / page[1], 0.97 - left, stretch * tall / page[1])
            shared = found[0] if found and not self._bars else None
            found.append(figure.add_axes(box, sharex=shared, label=self.panels[k].name))
            top -= stretch * tall + between
        return found

    def _side_by_side(
        self, figure: Any, row: Sequence[Diagram], left: float, top: float, tall: float
    ) -> list[Any]:
        """Create the axes of the one or two diagrams in a row; a single diagram uses the whole width."""
        page = figure.get_size_inches() * 72.0
        room = (0.97 - left) * page[0]
        wide = (room - ASIDE) / 2 if len(row) > 1 else room
        return [
            figure.add_axes(
                (
                    left + k * (wide + ASIDE) / page[0],
                    (top - tall) / page[1],
                    wide / page[0],
                    tall / page[1],
                ),
                label=diagram.name,
            )
            for k, diagram in enumerate(row)
        ]

    def _draw(self, figure: Any, traces: Sequence[Trace]) -> None:
        """Draw the mechanism at the first instant in the left half of the page."""
        mechanism = self.result.mechanism
        tall = min(0.94, BESIDE / float(figure.get_size_inches()[1] * 72.0))
        box = (0.0, 0.94 - tall, 0.53, tall)
        axes = figure.add_axes(box, projection=None if mechanism.planar else "3d")
        draw_scene(scene_at(self.result.at(float(self.result.time[0]))), traces, axes)
        words = escape_dollars(mechanism.name)
        figure.text(0.012, 0.96, words, fontsize=12, fontweight="bold", color=INK, va="center")


def style_axes(axes: Any, x: np.ndarray | None = None, degrees: bool = False) -> None:
    """Style axes with a light grid and without a box.

    If the horizontal values `x` are angles in `degrees`, ticks are at eighths, quarters or halves of a turn, or at
    whole turns.
    """
    from matplotlib.ticker import MultipleLocator

    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(GREY)
    axes.grid(True, color="#e4e4e4", lw=0.7)
    axes.set_axisbelow(True)
    axes.tick_params(labelcolor=INK, labelsize=8, color=GREY)
    if x is not None and len(x) > 1 and np.ptp(x) > 0:
        axes.set_xlim(x.min(), x.max())
        if degrees and np.ptp(x) > 120:
            axes.xaxis.set_major_locator(MultipleLocator(angle_step(float(np.ptp(x)), TICKS)))


def label_time(axes: Sequence[Any], words: str) -> None:
    """Write the label of the shared horizontal axis below the last panel only."""
    for each in axes[:-1]:
        each.tick_params(labelbottom=False)
    axes[-1].set_xlabel(escape_dollars(words), fontsize=9, color=INK)
