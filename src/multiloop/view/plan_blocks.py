"""Block patterns of J and Ī as squares, and the order of solution of a plan as text."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from multiloop.plan import Plan
from multiloop.plan.determinacy import Stage
from multiloop.view.canvas import Canvas
from multiloop.view.colours import GREY, INK, PALE, shaded, tinted
from multiloop.view.labels import extent
from multiloop.view.outlines import step
from multiloop.view.plan_graph import subsystem_colours

STAGE_ROW = 20.0
SLATE = "#55677a"
LONGEST = 46
"""Largest number of characters of a list of unknowns."""


class Blocks:
    """The right-hand part of a plan's picture: patterns of J and Ī side by side, the stages below."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        tree = plan.tree
        self.colours = subsystem_colours(plan)
        self.loops = [f"{number}  {loop.cut}" for number, loop in enumerate(tree.loops, start=1)]
        self.columns = [subsystem.name for subsystem in tree.subsystems]
        widest = max(len(self.loops), len(self.columns), 1)
        self.cell = float(np.clip(190.0 / widest, 9.0, 24.0))
        self.names = max([extent(name, 8)[0] for name in self.loops], default=0.0) + 10
        self.stages = [_sentence(stage) for stage in plan.determinacy.stages]

    @property
    def size(self) -> np.ndarray:
        """Width and height in points."""
        patterns = self.names + self.cell * len(self.columns) + 34 + self.cell * len(self.loops)
        words = max([extent(line, 8.5)[0] for line in self.stages], default=0.0) + 26 + self._chips()
        height = 40 + self.cell * len(self.loops) + 44 + STAGE_ROW * max(len(self.stages), 1)
        return np.array([max(patterns, words, 200.0), height])

    def _chips(self) -> float:
        return max([_chip_width(stage.subsystems) for stage in self.plan.determinacy.stages], default=0.0)

    def draw(self, canvas: Canvas, top: np.ndarray) -> None:
        """Draw everything below and to the right of the upper left corner `top`."""
        left = top + step(self.names, -36.0)
        plan = self.plan
        if self.loops:
            faces = [tinted(self.colours[name], 0.75) for name in self.columns]
            self._pattern(canvas, left, plan.jacobian_pattern, self.columns, faces, "J")
            for k, name in enumerate(self.loops):
                place = left + step(-6.0, -self.cell * (k + 0.5))
                _words(canvas, place, name, INK, 8, ha="right")
            right = left + step(self.cell * len(self.columns) + 34, 0.0)
            numbers = [str(k + 1) for k in range(len(self.loops))]
            faces = [tinted(SLATE, 0.75)] * len(numbers)
            self._pattern(canvas, right, plan.gicm_pattern, numbers, faces, "Ī = J I⁻¹ Jᵀ")
        below = 36.0 + self.cell * len(self.loops) + 30.0 if self.loops else 8.0
        self._draw_stages(canvas, top - step(0.0, below))

    def _pattern(
        self,
        canvas: Canvas,
        corner: np.ndarray,
        pattern: Sequence[Sequence[bool]],
        columns: Sequence[str],
        faces: Sequence[str],
        title: str,
    ) -> None:
        c = self.cell
        _words(canvas, corner + step(0.0, 28.0), title, INK, 9.5, ha="left", weight="bold")
        for column, name in enumerate(columns):
            _words(canvas, corner + step(c * (column + 0.5), 8.0), name, GREY, 8 if c > 14 else 6)
        for row, filled in enumerate(pattern):
            for column, there in enumerate(filled):
                low = corner + step(c * column, -c * (row + 1))
                corners = [low, low + step(c, 0), low + step(c, c), low + step(0, c)]
                square = np.array([(*point, 0.0) for point in corners])
                canvas.area(square, faces[column] if there else "#ffffff", PALE, 1.0, level=2.0 + 0.1 * there)

    def _draw_stages(self, canvas: Canvas, top: np.ndarray) -> None:
        _words(canvas, top, "Order of solution (inverse dynamics)", INK, 9.5, ha="left", weight="bold")
        for k, (stage, words) in enumerate(zip(self.plan.determinacy.stages, self.stages, strict=True)):
            line = top - step(0.0, STAGE_ROW * (k + 1))
            _words(canvas, line, f"{k + 1}", GREY, 8.5, ha="left", weight="bold")
            x = 14.0
            for name, colour in _chips(stage.subsystems, self.colours):
                width = extent(name, 8)[0] + 8
                self._chip(canvas, line + step(x + width / 2, 0.0), name, width, colour)
                x += width + 4
            _words(canvas, line + step(x + 4, 0.0), words, INK, 8.5, ha="left")

    def _chip(self, canvas: Canvas, centre: np.ndarray, name: str, width: float, colour: str) -> None:
        d = np.array([width / 2 - 3, 4.0])
        corners = np.array([(*(centre + d * s), 0.0) for s in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
        canvas.area(corners, tinted(colour, 0.45), tinted(colour, 0.45), 6.0, level=2.0)
        _words(canvas, centre, name, shaded(colour, 0.55), 8, path_effects=[])


def _chips(names: Sequence[str], colours: dict[str, str]) -> list[tuple[str, str]]:
    """Text and colour of one chip for each subsystem, or of a single one for many subsystems."""
    if len(names) > 4:
        return [(f"{names[0]} – {names[-1]}", SLATE)]
    return [(name, colours[name]) for name in names]


def _chip_width(names: Sequence[str]) -> float:
    return float(20 + sum(extent(name, 8)[0] + 12 for name, _ in _chips(names, dict.fromkeys(names, SLATE))))


def _sentence(stage: Stage) -> str:
    """The number and names of the unknowns of a stage, as text."""
    count = f"{stage.count} unknown{'s' if stage.count != 1 else ''}"
    if not stage.determinate:
        count += f", {stage.equations} equation{'s' if stage.equations != 1 else ''}"
    if not stage.unknowns:
        return count
    listed = ", ".join(stage.unknowns)
    return f"{count}: {listed if len(listed) <= LONGEST else listed[: LONGEST - 1].rstrip(', ') + ' …'}"


def _words(canvas: Canvas, place: np.ndarray, words: str, colour: str, size: float, **style: object) -> None:
    canvas.text(np.array([*place, 0.0]), words, colour, size, level=5.0, **style)
