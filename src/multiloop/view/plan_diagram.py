"""Picture of a plan: graph of the spanning tree, block patterns of the matrices J and Ī, and order of solution.

J is the constraint Jacobian and Ī = J I⁻¹ Jᵀ, with I the joint-space inertia matrix.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from multiloop.model import GROUND
from multiloop.plan import Plan, Stage
from multiloop.view.canvas import Canvas
from multiloop.view.figure import (
    BODIES,
    DRIVE,
    GREY,
    INK,
    PALE,
    PAPER,
    blank_figure,
    save_figure,
    shaded,
    tinted,
)
from multiloop.view.label_obstacles import Obstacles, page_vector
from multiloop.view.label_placement import Label, label_around, place_labels, text_extent
from multiloop.view.symbols.primitives import draw_hatching

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MARGIN, HEAD, BETWEEN = 22.0, 46.0, 40.0
"""Sizes in points: margin around the picture, height of the heading, and gap between the graph and the patterns."""


def draw_plan(plan: Plan, *, path: str | Path | None = None) -> Figure:
    """Draw a plan as graph, block patterns and order of solution; the arguments are described in `Plan.draw`."""
    layout, blocks = graph_layout(plan), Blocks(plan)
    inner = np.array([layout.size[0] + BETWEEN + blocks.size[0], max(layout.size[1] + 10, blocks.size[1])])
    page = inner + page_vector(2 * MARGIN, 2 * MARGIN + HEAD)
    figure = blank_figure(page)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, page[0]), ylim=(0, page[1]))
    axes.set_axis_off()
    canvas = Canvas(axes, np.eye(2, 3), np.zeros(2))
    top = page[1] - MARGIN
    title = np.array([MARGIN, top - 4, 0.0])
    canvas.text(title, f"Plan of '{plan.mechanism.name}'", INK, 12, level=5.0, ha="left", weight="bold")
    canvas.text(title - np.array([0.0, 17.0, 0.0]), _findings(plan), GREY, 9, level=5.0, ha="left")
    below = top - HEAD
    draw_graph(canvas, plan, layout, np.array([MARGIN, below - layout.size[1]]))
    blocks.draw(canvas, np.array([MARGIN + layout.size[0] + BETWEEN, below]))
    if path is not None:
        save_figure(figure, path)
    return figure


def _findings(plan: Plan) -> str:
    """Text on mobility, redundant constraints, idle degrees of freedom, loops and subsystems of a plan, in one line.

    The Grübler–Kutzbach count is written only as "count", so that the line fits into a narrow picture.
    """
    found = [f"mobility {plan.mobility}" + (f" (count {plan.count})" if plan.mobility != plan.count else "")]
    if plan.redundant:
        found.append(f"{plan.redundant} redundant constraint{'s' if plan.redundant != 1 else ''}")
    if plan.idle:
        found.append(f"{len(plan.idle)} idle degree{'s' if len(plan.idle) != 1 else ''} of freedom")
    found.append(f"{len(plan.tree.loops)} loop{'s' if len(plan.tree.loops) != 1 else ''}")
    found.append(f"{len(plan.tree.subsystems)} subsystem{'s' if len(plan.tree.subsystems) != 1 else ''}")
    return ", ".join(found)


STAGE_ROW = 20.0
SLATE = "#55677a"
LONGEST = 46
"""Largest number of characters in a list of unknowns; longer lists are cut off."""


class Blocks:
    """The right-hand part of the picture of a plan: block patterns of two matrices, and the order of solution below.

    The matrices are the constraint Jacobian J and Ī = J I⁻¹ Jᵀ, with the joint-space inertia matrix I.
    """

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        tree = plan.tree
        self.colours = subsystem_colours(plan)
        self.loops = [f"{number}  {loop.cut}" for number, loop in enumerate(tree.loops, start=1)]
        self.columns = [subsystem.name for subsystem in tree.subsystems]
        widest = max(len(self.loops), len(self.columns), 1)
        self.cell = float(np.clip(190.0 / widest, 9.0, 24.0))
        self.names = max([text_extent(name, 8)[0] for name in self.loops], default=0.0) + 10
        self.stages = [_sentence(stage) for stage in plan.determinacy.stages]

    @property
    def size(self) -> np.ndarray:
        """Width and height of this part of the picture, in points."""
        patterns = self.names + self.cell * len(self.columns) + 34 + self.cell * len(self.loops)
        words = max([text_extent(line, 8.5)[0] for line in self.stages], default=0.0) + 26 + self._chips()
        height = 40 + self.cell * len(self.loops) + 44 + STAGE_ROW * max(len(self.stages), 1)
        return np.array([max(patterns, words, 200.0), height])

    def _chips(self) -> float:
        return max([_chip_width(stage.subsystems) for stage in self.plan.determinacy.stages], default=0.0)

    def draw(self, canvas: Canvas, top: np.ndarray) -> None:
        """Draw this part of the picture with its upper left corner at `top`."""
        left = top + page_vector(self.names, -36.0)
        plan = self.plan
        if self.loops:
            faces = [tinted(self.colours[name], 0.75) for name in self.columns]
            self._pattern(canvas, left, plan.jacobian_pattern, self.columns, faces, "J")
            for k, name in enumerate(self.loops):
                place = left + page_vector(-6.0, -self.cell * (k + 0.5))
                _words(canvas, place, name, INK, 8, ha="right")
            right = left + page_vector(self.cell * len(self.columns) + 34, 0.0)
            numbers = [str(k + 1) for k in range(len(self.loops))]
            faces = [tinted(SLATE, 0.75)] * len(numbers)
            self._pattern(canvas, right, plan.gicm_pattern, numbers, faces, "Ī = J I⁻¹ Jᵀ")
        below = 36.0 + self.cell * len(self.loops) + 30.0 if self.loops else 8.0
        self._draw_stages(canvas, top - page_vector(0.0, below))

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
        _words(canvas, corner + page_vector(0.0, 28.0), title, INK, 9.5, ha="left", weight="bold")
        for column, name in enumerate(columns):
            _words(canvas, corner + page_vector(c * (column + 0.5), 8.0), name, GREY, 8 if c > 14 else 6)
        for row, filled in enumerate(pattern):
            for column, there in enumerate(filled):
                low = corner + page_vector(c * column, -c * (row + 1))
                corners = [low, low + page_vector(c, 0), low + page_vector(c, c), low + page_vector(0, c)]
                square = np.array([(*point, 0.0) for point in corners])
                canvas.area(square, faces[column] if there else "#ffffff", PALE, 1.0, level=2.0 + 0.1 * there)

    def _draw_stages(self, canvas: Canvas, top: np.ndarray) -> None:
        _words(canvas, top, "Order of solution (inverse dynamics)", INK, 9.5, ha="left", weight="bold")
        for k, (stage, words) in enumerate(zip(self.plan.determinacy.stages, self.stages, strict=True)):
            line = top - page_vector(0.0, STAGE_ROW * (k + 1))
            _words(canvas, line, f"{k + 1}", GREY, 8.5, ha="left", weight="bold")
            x = 14.0
            for name, colour in _chips(stage.subsystems, self.colours):
                width = text_extent(name, 8)[0] + 8
                self._chip(canvas, line + page_vector(x + width / 2, 0.0), name, width, colour)
                x += width + 4
            _words(canvas, line + page_vector(x + 4, 0.0), words, INK, 8.5, ha="left")

    def _chip(self, canvas: Canvas, centre: np.ndarray, name: str, width: float, colour: str) -> None:
        d = np.array([width / 2 - 3, 4.0])
        corners = np.array([(*(centre + d * s), 0.0) for s in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
        canvas.area(corners, tinted(colour, 0.45), tinted(colour, 0.45), 6.0, level=2.0)
        _words(canvas, centre, name, shaded(colour, 0.55), 8, path_effects=[])


def _chips(names: Sequence[str], colours: dict[str, str]) -> list[tuple[str, str]]:
    """Text and colour of one coloured box for each subsystem, or of a single box for more than four subsystems."""
    if len(names) > 4:
        return [(f"{names[0]} – {names[-1]}", SLATE)]
    return [(name, colours[name]) for name in names]


def _chip_width(names: Sequence[str]) -> float:
    return float(
        20 + sum(text_extent(name, 8)[0] + 12 for name, _ in _chips(names, dict.fromkeys(names, SLATE)))
    )


def _sentence(stage: Stage) -> str:
    """Text on the number and names of the unknowns in one stage of the order of solution."""
    count = f"{stage.count} unknown{'s' if stage.count != 1 else ''}"
    if not stage.determinate:
        count += f", {stage.equations} equation{'s' if stage.equations != 1 else ''}"
    if not stage.unknowns:
        return count
    listed = ", ".join(stage.unknowns)
    return f"{count}: {listed if len(listed) <= LONGEST else listed[: LONGEST - 1].rstrip(', ') + ' …'}"


def _words(canvas: Canvas, place: np.ndarray, words: str, colour: str, size: float, **style: object) -> None:
    canvas.text(np.array([*place, 0.0]), words, colour, size, level=5.0, **style)


ROW = 64.0
"""Vertical distance between the boxes of a body and its child in the tree, in points."""

GAP = 30.0
"""Smallest horizontal gap between the boxes of two bodies, in points."""

BOX = 22.0
"""Height of the box of a body, in points."""

ABOVE = 84.0
"""Height in points of the space above the uppermost boxes, for the curves of cut joints and the subsystems'
numerals."""


@dataclass(frozen=True, eq=False)
class GraphLayout:
    """Positions in the graph of a plan, in points, with the ground at height 0.

    `centres` and `widths` are those of the boxes of bodies, `bands` the left and right ends of the background of each
    subsystem, `size` the width and height of the graph, and `font` the font size.
    """

    centres: dict[str, np.ndarray]
    widths: dict[str, float]
    bands: dict[str, tuple[float, float]]
    size: np.ndarray
    font: float


def graph_layout(plan: Plan) -> GraphLayout:
    """Compute the positions of bodies in the graph: leaves of the tree in successive columns, other bodies in the
    middle of the columns of their children."""
    tree = plan.tree
    font = 9.0 if len(tree.branches) <= 16 else 7.5
    widths = {branch.body: text_extent(branch.body, font)[0] + 16.0 for branch in tree.branches}
    names = [text_extent(branch.joint, font - 1)[0] + 12.0 for branch in tree.branches]
    column = max([*widths.values(), *names], default=40.0) + GAP
    columns: dict[str, float] = {}
    bands: dict[str, tuple[float, float]] = {}
    taken = 0.0
    for subsystem in tree.subsystems:
        first = taken
        for body in subsystem.bodies:
            if not tree.children(body):
                columns[body] = taken
                taken += 1.0
        bands[subsystem.name] = (first * column + 4.0, taken * column - 4.0)
    for branch in reversed(tree.branches):
        if branch.body not in columns:
            columns[branch.body] = float(np.mean([columns[child] for child in tree.children(branch.body)]))
    depths = {body: len(tree.path(body)) for body in columns}
    centres = {body: np.array([(columns[body] + 0.5) * column, ROW * depths[body]]) for body in columns}
    height = ROW * max(depths.values(), default=1) + ABOVE
    return GraphLayout(centres, widths, bands, np.array([max(taken, 1.0) * column, height]), font)


APART = 18.0
"""Vertical distance between the curves of two cut joints that connect the same bodies, in points."""

LABEL_SHARES = (0.5, 0.42, 0.58, 0.34, 0.66)
"""Positions along the line of a tree joint at which its name may be placed (0 to 1), the preferred position first."""


def subsystem_colours(plan: Plan) -> dict[str, str]:
    """Colour of each subsystem, by its name."""
    return {subsystem.name: BODIES[k % len(BODIES)] for k, subsystem in enumerate(plan.tree.subsystems)}


def draw_graph(canvas: Canvas, plan: Plan, layout: GraphLayout, corner: np.ndarray) -> None:
    """Draw the graph of a plan with its lower left corner at the point `corner` of the page."""
    origin = corner + page_vector(0.0, 22.0)
    page = np.array([corner - 6, corner + layout.size + 6])
    drawn = _Graph(canvas, plan, layout, origin, Obstacles(page))
    drawn.bands()
    drawn.ground()
    drawn.tree()
    curves = drawn.cuts()
    drawn.names()
    drawn.numbers(curves)
    drawn.names()


class _Graph:
    """A graph of a plan while it is drawn; names are collected and placed after all lines are drawn."""

    def __init__(
        self, canvas: Canvas, plan: Plan, layout: GraphLayout, origin: np.ndarray, obstacles: Obstacles
    ) -> None:
        self.canvas, self.plan, self.layout = canvas, plan, layout
        self.origin, self.obstacles = origin, obstacles
        self.colours = subsystem_colours(plan)
        self.waiting: list[tuple[Label, str]] = []
        self.landings: list[float] = []
        self.joined: Counter[tuple[str, str]] = Counter()

    def place(self, body: str) -> np.ndarray:
        """Position on the page of the centre of a body's box."""
        centre: np.ndarray = self.origin + self.layout.centres[body]
        return centre

    def bands(self) -> None:
        """Draw a pale background for every subsystem, with the name of the subsystem (a Roman numeral) at its top."""
        for name, (left, right) in self.layout.bands.items():
            low, high = self.origin[1] + 12, self.origin[1] + self.layout.size[1] - 26
            x0, x1 = self.origin[0] + left, self.origin[0] + right
            corners = [(x0, low), (x1, low), (x1, high), (x0, high)]
            pale = tinted(self.colours[name], 0.10)
            self.canvas.area(np.array([(*c, 0.0) for c in corners]), pale, pale, 6.0, level=0.5)
            top = np.array([(x0 + x1) / 2, high - 9])
            self.words(top, name, shaded(self.colours[name], 0.7), 11, weight="bold")
            self.obstacles.add_disc(top, 9.0)

    def ground(self) -> None:
        """Draw the ground as a hatched line."""
        a, b = self.origin + page_vector(4.0, 0.0), self.origin + page_vector(self.layout.size[0] - 4.0, 0.0)
        draw_hatching(self.canvas, _flat(a), _flat(b), np.array([0.0, -1.0, 0.0]), level=2.0)
        self.obstacles.add_line(np.array([a, b]), 1.0, width=8.0)
        self.words(a + page_vector(2.0, -13.0), GROUND, GREY, self.layout.font, ha="left")

    def tree(self) -> None:
        """Draw the bodies as boxes and the joints of the tree as lines."""
        for branch in self.plan.tree.branches:
            end = self.place(branch.body)
            start = (
                self.place(branch.parent) if branch.parent != GROUND else np.array([end[0], self.origin[1]])
            )
            self.canvas.line(np.array([_flat(start), _flat(end)]), INK, 1.8, level=2.5)
            self.obstacles.add_line(np.array([start, end]), 1.0)
            self._name_beside(branch.joint, start, end)
        for branch in self.plan.tree.branches:
            self._box(branch.body)

    def _name_beside(self, name: str, start: np.ndarray, end: np.ndarray) -> None:
        """Add the label of a tree joint, whose line is from `start` to `end`, to the labels that are placed later."""
        box, side = text_extent(name, self.layout.font - 1), -1 if end[0] < start[0] - 1 else 1
        places = [
            [
                *(start + share * (end - start) + page_vector(way * (5.0 + box[0] / 2), 0.0)),
                0.15 * k + 0.3 * turned,
            ]
            for k, share in enumerate(LABEL_SHARES)
            for turned, way in enumerate((side, -side))
        ]
        self.waiting.append((Label(name, np.array([start, end]), np.array(places), box, 1.0), INK))

    def _box(self, body: str) -> None:
        colour = self.colours[self.plan.tree.subsystem_of(body).name]
        centre, d = self.place(body), np.array([self.layout.widths[body] / 2 - 5, BOX / 2 - 5])
        corners = np.array([_flat(centre + d * s) for s in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
        edge, face = shaded(colour, 0.8), tinted(colour, 0.45)
        self.canvas.area(corners, edge, edge, 12.0, level=3.0)
        self.canvas.area(corners, face, face, 9.6, level=3.1)
        self.words(centre, body, INK, self.layout.font, path_effects=[])
        self.obstacles.add_line(
            np.array([centre - page_vector(d[0], 0), centre + page_vector(d[0], 0)]), 3.0, width=BOX
        )

    def cuts(self) -> list[np.ndarray]:
        """Draw a dashed curve for every cut joint, and return the curves."""
        curves = []
        for loop in self.plan.tree.loops:
            edge = self.plan.tree.edge(loop.cut)
            curve = self._curve(edge.first, edge.second)
            self.canvas.line(np.array([_flat(p) for p in curve]), DRIVE, 1.5, level=2.8, style=(0, (4, 2.5)))
            self.obstacles.add_line(curve, 0.7)
            curves.append(curve)
        return curves

    def numbers(self, curves: Sequence[np.ndarray]) -> None:
        """Draw, on the curve of each cut joint, the number of the loop that it closes."""
        for number, (loop, curve) in enumerate(zip(self.plan.tree.loops, curves, strict=True), start=1):
            middle = self._free_spot(curve)
            self.canvas.dot(_flat(middle), 14.0, PAPER, DRIVE, level=3.5, width=1.2)
            self.words(middle, str(number), DRIVE, 8, path_effects=[], weight="bold")
            self.obstacles.add_disc(middle, 7.0)
            self.waiting.append((label_around(loop.cut, middle, self.layout.font - 1, radius=7.0), DRIVE))

    def _free_spot(self, curve: np.ndarray) -> np.ndarray:
        """A point on a curve at which its number can be drawn: near the middle and away from other ink."""
        shares = np.linspace(0.2, 0.8, 25)
        spots: list[np.ndarray] = [curve[round(share * (len(curve) - 1))] for share in shares]
        crowds = [
            self.obstacles.ink_near(spot, 9.0) + 3 * abs(share - 0.5)
            for spot, share in zip(spots, shares, strict=True)
        ]
        return spots[int(np.argmin(crowds))]

    def _curve(self, first: str, second: str) -> np.ndarray:
        """Curve of a cut joint from the box of one body to that of another, or down to the ground."""
        if GROUND in (first, second):
            body = second if first == GROUND else first
            centre = self.place(body)
            start = centre + page_vector(self.layout.widths[body] / 2, 0.0)
            landing = start[0] + 6.0
            while any(abs(landing - other) < 8 for other in self.landings):
                landing += 8.0
            self.landings.append(landing)
            end = np.array([landing, self.origin[1]])
            return _quadratic_curve(start, start + page_vector(16.0, -0.4 * (start[1] - end[1])), end)
        a, b = self.place(first), self.place(second)
        if abs(a[0] - b[0]) < 1.0:
            reach = max(self.layout.widths[first], self.layout.widths[second]) / 2
            a, b = (
                a + page_vector(self.layout.widths[first] / 2, 0),
                b + page_vector(self.layout.widths[second] / 2, 0),
            )
            return _quadratic_curve(a, np.array([a[0] + reach, (a[1] + b[1]) / 2]), b)
        left, right = (first, second) if a[0] < b[0] else (second, first)
        start = self.place(left) + page_vector(self.layout.widths[left] / 2, 0.0)
        end = self.place(right) - page_vector(self.layout.widths[right] / 2, 0.0)
        far = end[0] - start[0] > 1.2 * self.layout.size[0] / max(len(self.layout.bands), 1)
        lift = (0.9 if far else 0.45) * ROW if abs(start[1] - end[1]) < 1 or far else 0.0
        lift += APART * self.joined[left, right]  # curves between the same two bodies are stacked
        self.joined[left, right] += 1
        return _quadratic_curve(start, (start + end) / 2 + page_vector(0.0, lift), end)

    def names(self) -> None:
        """Place and draw all collected names of joints, and mark their areas as covered."""
        labels = [label for label, _ in self.waiting]
        for (label, colour), centre in zip(self.waiting, place_labels(labels, self.obstacles), strict=True):
            self.words(centre, label.words, colour, self.layout.font - 1)
            half = page_vector(label.box[0] / 2, 0.0)
            self.obstacles.add_line(np.array([centre - half, centre + half]), 2.0, width=label.box[1])
        self.waiting.clear()

    def words(self, place: np.ndarray, words: str, colour: str, size: float, **style: object) -> None:
        """Draw text centred at a point of the page."""
        self.canvas.text(_flat(place), words, colour, size, level=5.0, **style)


def _quadratic_curve(start: np.ndarray, control: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Points of a quadratic Bézier curve from `start` to `end` with the control point `control`, 41 × 2."""
    s = np.linspace(0.0, 1.0, 41)[:, None]
    curve: np.ndarray = (1 - s) ** 2 * start + 2 * s * (1 - s) * control + s**2 * end
    return curve


def _flat(place: np.ndarray) -> np.ndarray:
    return np.array([place[0], place[1], 0.0])
