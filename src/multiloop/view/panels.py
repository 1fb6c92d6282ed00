"""Where the panels of a result stand on the page, alone or beside a drawing of the mechanism."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from multiloop.questions import Result
from multiloop.view.colours import GREY, INK
from multiloop.view.framing import blank_figure
from multiloop.view.histories import effort_panels, moments_of
from multiloop.view.labels import plain
from multiloop.view.mechanism import draw_scene
from multiloop.view.scene import Scene

HEIGHTS = {
    "positions": 170.0,
    "efforts": 170.0,
    "torques": 170.0,
    "forces": 170.0,
    "loads": 197.0,
    "moments": 197.0,
}
"""Of the panels, in points; those of the loads and moments have most to name."""

TOP, BETWEEN, BOTTOM, BAR = 33.0, 24.0, 47.0, 15.0
"""Points above, between and below the panels, and for each bar where there are bars."""


@dataclass(frozen=True, eq=False)
class Layout:
    """The panels of a result from top to bottom."""

    result: Result
    names: Sequence[str]

    def axes(self, paths: Sequence[np.ndarray] | None) -> list[Any]:
        """Axes for the panels, on a page of their own or, with `paths`, beside a drawing."""
        beside = paths is not None
        heights, between = self._heights()
        height = TOP + sum(heights) + between * (len(heights) - 1) + BOTTOM
        page = np.array([1080.0, max(height, 470.0)] if beside else [540.0, height])
        figure = blank_figure(page)
        left = (0.59 if beside else 0.12) if not self._bars else (0.63 if beside else 0.18)
        if paths is not None:
            self._draw(figure, paths)
        found: list[Any] = []
        stretch = (page[1] - height + sum(heights)) / sum(heights)
        top = page[1] - TOP
        for k, tall in enumerate(heights):
            box = (left, (top - stretch * tall) / page[1], 0.97 - left, stretch * tall / page[1])
            shared = found[0] if found and not self._bars else None
            found.append(figure.add_axes(box, sharex=shared, label=self.names[k]))
            top -= stretch * tall + between
        if not beside:
            figure.text(
                left,
                1 - 0.5 * TOP / page[1],
                plain(self.result.mechanism.name),
                fontsize=11,
                fontweight="bold",
                color=INK,
                va="center",
            )
        return found

    @property
    def _bars(self) -> bool:
        return len(self.result.time) == 1

    def _heights(self) -> tuple[list[float], float]:
        """Of every panel, and the gap between them; bars want a line each and their own axis below."""
        if not self._bars:
            return [HEIGHTS[name] for name in self.names], BETWEEN
        rows = {panel: len(efforts) for panel, efforts in effort_panels(self.result).items()}
        rows["moments"] = len(moments_of(self.result))
        return [20.0 + BAR * rows.get(name, len(self.result.joints)) for name in self.names], BETWEEN + 36.0

    def _draw(self, figure: Any, paths: Sequence[np.ndarray]) -> None:
        """The mechanism at the first instant on the left half."""
        mechanism = self.result.mechanism
        axes = figure.add_axes((0.0, 0.0, 0.53, 0.94), projection=None if mechanism.planar else "3d")
        poses = {body: X[0] for body, X in self.result.poses.items()}
        eta = {body: link.eta[0] for body, link in self.result.links.items()}
        draw_scene(Scene(mechanism, poses, eta=eta), paths, axes)
        words = plain(mechanism.name)
        figure.text(0.012, 0.96, words, fontsize=12, fontweight="bold", color=INK, va="center")


def dress(axes: Any, x: np.ndarray, degrees: bool) -> None:
    """Plain axes: light grid, no box, eighths or quarters of a turn where the axis is an angle."""
    from matplotlib.ticker import MultipleLocator

    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(GREY)
    axes.grid(True, color="#e4e4e4", lw=0.7)
    axes.set_axisbelow(True)
    axes.tick_params(labelcolor=INK, labelsize=8, color=GREY)
    if len(x) > 1:
        axes.set_xlim(min(x[0], x[-1]), max(x[0], x[-1]))
        if degrees and abs(x[-1] - x[0]) > 120:
            axes.xaxis.set_major_locator(MultipleLocator(45 if abs(x[-1] - x[0]) <= 400 else 90))


def label_time(axes: Sequence[Any], words: str) -> None:
    """What the panels run over, written below the last one only."""
    for each in axes[:-1]:
        each.tick_params(labelbottom=False)
    axes[-1].set_xlabel(plain(words), fontsize=9, color=INK)
