"""Graph of a plan: bodies as boxes, tree joints as solid lines, cut joints as dashed lines with their loop numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from multiloop.model import GROUND
from multiloop.plan import Plan
from multiloop.view.canvas import Canvas
from multiloop.view.colours import BODIES, DRIVE, GREY, INK, PAPER, shaded, tinted
from multiloop.view.labels import Label, around, extent
from multiloop.view.obstacles import Obstacles
from multiloop.view.outlines import step
from multiloop.view.pieces import hatched
from multiloop.view.placing import place_labels
from multiloop.view.plan_layout import BOX, ROW, Layout

APART = 18.0
"""Distance between the curves of two cut joints between the same bodies, in points."""

BESIDE = (0.5, 0.42, 0.58, 0.34, 0.66)
"""Positions along its line at which the name of a tree joint may be placed, the best first."""


def subsystem_colours(plan: Plan) -> dict[str, str]:
    """The colour of each subsystem."""
    return {subsystem.name: BODIES[k % len(BODIES)] for k, subsystem in enumerate(plan.tree.subsystems)}


def draw_graph(canvas: Canvas, plan: Plan, layout: Layout, corner: np.ndarray) -> None:
    """Draw the whole graph with its lower left corner at a point of the page."""
    origin = corner + step(0.0, 22.0)
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
    """State of the drawing of a graph; names are placed after all lines."""

    def __init__(
        self, canvas: Canvas, plan: Plan, layout: Layout, origin: np.ndarray, obstacles: Obstacles
    ) -> None:
        self.canvas, self.plan, self.layout = canvas, plan, layout
        self.origin, self.obstacles = origin, obstacles
        self.colours = subsystem_colours(plan)
        self.waiting: list[tuple[Label, str]] = []
        self.landings: list[float] = []
        self.joined: Counter[tuple[str, str]] = Counter()

    def place(self, body: str) -> np.ndarray:
        """The centre of a body's box."""
        centre: np.ndarray = self.origin + self.layout.centres[body]
        return centre

    def bands(self) -> None:
        """Draw a pale background for every subsystem, with its Roman numeral on top."""
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
        a, b = self.origin + step(4.0, 0.0), self.origin + step(self.layout.size[0] - 4.0, 0.0)
        hatched(self.canvas, _flat(a), _flat(b), np.array([0.0, -1.0, 0.0]), level=2.0)
        self.obstacles.add_line(np.array([a, b]), 1.0, width=8.0)
        self.words(a + step(2.0, -13.0), GROUND, GREY, self.layout.font, ha="left")

    def tree(self) -> None:
        """Draw the boxes of the bodies and the joints of the tree."""
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
        """Add the label of a tree joint, to be placed next to its line and clear of cut joints and other names."""
        box, side = extent(name, self.layout.font - 1), -1 if end[0] < start[0] - 1 else 1
        places = [
            [*(start + share * (end - start) + step(way * (5.0 + box[0] / 2), 0.0)), 0.15 * k + 0.3 * turned]
            for k, share in enumerate(BESIDE)
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
        self.obstacles.add_line(np.array([centre - step(d[0], 0), centre + step(d[0], 0)]), 3.0, width=BOX)

    def cuts(self) -> list[np.ndarray]:
        """Draw a dashed curve for every cut joint; returns the curves."""
        curves = []
        for loop in self.plan.tree.loops:
            edge = self.plan.tree.edge(loop.cut)
            curve = self._curve(edge.first, edge.second)
            self.canvas.line(np.array([_flat(p) for p in curve]), DRIVE, 1.5, level=2.8, style=(0, (4, 2.5)))
            self.obstacles.add_line(curve, 0.7)
            curves.append(curve)
        return curves

    def numbers(self, curves: Sequence[np.ndarray]) -> None:
        """Draw the number of the loop that each cut joint closes."""
        for number, (loop, curve) in enumerate(zip(self.plan.tree.loops, curves, strict=True), start=1):
            middle = self._free_spot(curve)
            self.canvas.dot(_flat(middle), 14.0, PAPER, DRIVE, level=3.5, width=1.2)
            self.words(middle, str(number), DRIVE, 8, path_effects=[], weight="bold")
            self.obstacles.add_disc(middle, 7.0)
            self.waiting.append((around(loop.cut, middle, self.layout.font - 1, radius=7.0), DRIVE))

    def _free_spot(self, curve: np.ndarray) -> np.ndarray:
        """A point on a curve for its number, near the middle and clear of boxes, names and other numbers."""
        shares = np.linspace(0.2, 0.8, 25)
        spots: list[np.ndarray] = [curve[round(share * (len(curve) - 1))] for share in shares]
        crowds = [
            self.obstacles.crowd(spot, 9.0) + 3 * abs(share - 0.5)
            for spot, share in zip(spots, shares, strict=True)
        ]
        return spots[int(np.argmin(crowds))]

    def _curve(self, first: str, second: str) -> np.ndarray:
        """A curve from box to box, or from a box down to the ground next to its branch."""
        if GROUND in (first, second):
            body = second if first == GROUND else first
            centre = self.place(body)
            start = centre + step(self.layout.widths[body] / 2, 0.0)
            landing = start[0] + 6.0
            while any(abs(landing - other) < 8 for other in self.landings):
                landing += 8.0
            self.landings.append(landing)
            end = np.array([landing, self.origin[1]])
            return _bow(start, start + step(16.0, -0.4 * (start[1] - end[1])), end)
        a, b = self.place(first), self.place(second)
        if abs(a[0] - b[0]) < 1.0:
            reach = max(self.layout.widths[first], self.layout.widths[second]) / 2
            a, b = a + step(self.layout.widths[first] / 2, 0), b + step(self.layout.widths[second] / 2, 0)
            return _bow(a, np.array([a[0] + reach, (a[1] + b[1]) / 2]), b)
        left, right = (first, second) if a[0] < b[0] else (second, first)
        start = self.place(left) + step(self.layout.widths[left] / 2, 0.0)
        end = self.place(right) - step(self.layout.widths[right] / 2, 0.0)
        far = end[0] - start[0] > 1.2 * self.layout.size[0] / max(len(self.layout.bands), 1)
        lift = (0.9 if far else 0.45) * ROW if abs(start[1] - end[1]) < 1 or far else 0.0
        lift += APART * self.joined[left, right]  # curves between the same two bodies are stacked
        self.joined[left, right] += 1
        return _bow(start, (start + end) / 2 + step(0.0, lift), end)

    def names(self) -> None:
        """Place and draw all pending names of joints, and mark their areas as covered."""
        labels = [label for label, _ in self.waiting]
        for (label, colour), centre in zip(self.waiting, place_labels(labels, self.obstacles), strict=True):
            self.words(centre, label.words, colour, self.layout.font - 1)
            half = step(label.box[0] / 2, 0.0)
            self.obstacles.add_line(np.array([centre - half, centre + half]), 2.0, width=label.box[1])
        self.waiting.clear()

    def words(self, place: np.ndarray, words: str, colour: str, size: float, **style: object) -> None:
        """Draw text at a point of the page."""
        self.canvas.text(_flat(place), words, colour, size, level=5.0, **style)


def _bow(start: np.ndarray, control: np.ndarray, end: np.ndarray) -> np.ndarray:
    """A quadratic Bézier curve from start to end."""
    s = np.linspace(0.0, 1.0, 41)[:, None]
    curve: np.ndarray = (1 - s) ** 2 * start + 2 * s * (1 - s) * control + s**2 * end
    return curve


def _flat(place: np.ndarray) -> np.ndarray:
    return np.array([place[0], place[1], 0.0])
