"""Recording of the drawings of all key instants as strokes.

Symbols are those of drawings. Decisions such as the side of a support are made once, at the first instant.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from multiloop.view.annotation import draw_keys
from multiloop.view.drawing import Drawing
from multiloop.view.film.arrows import LOADED as SHOWN_AS_ARROWS
from multiloop.view.film.course import Course, Still
from multiloop.view.film.names import name_strands
from multiloop.view.film.reel import Strand, resting, strands_of
from multiloop.view.film.strokes import Notes, Stroke, StrokeCanvas
from multiloop.view.load_symbols import LOADED
from multiloop.view.obstacles import Obstacles
from multiloop.view.parts import parts_of
from multiloop.view.scene import Site

SWEPT, SAMPLES = 0.2, 16
"""Weight of the ink of a body where it passes later in the film, and number of instants at which that is sampled."""

NAMING = 10
"""Number of instants at which the overlap of labels is evaluated."""


BOTH = ("Spring", "Rope", "Contact")
"""Loads that are drawn in addition to their arrows."""


class NoObstacles(Obstacles):
    """A page on which no ink is recorded."""

    def add_line(self, points: np.ndarray, weight: float = 1.0, *, width: float = 0.0) -> None:
        """Nothing."""

    def add_disc(self, centre: np.ndarray, radius: float, weight: float = 3.0) -> None:
        """Nothing."""


@dataclass(frozen=True, eq=False)
class Frame(Drawing):
    """A drawing of one instant that makes the same decisions as those of all other instants.

    `together` lists the joints that coincide at all instants; `ways` stores the free direction chosen for each part.
    """

    together: dict[str, tuple[str, ...]] = field(kw_only=True)
    ways: dict[str, np.ndarray] = field(kw_only=True)

    def shares(self, site: Site) -> list[Site]:
        """All joints of the same type that coincide at every instant."""
        scene = self.scene
        assert isinstance(scene, Still)
        return [scene.named[name] for name in self.together[site.joint.name]]

    def free_direction(self, place: np.ndarray, reach: float, preferred: np.ndarray) -> np.ndarray:
        """The emptiest direction at the first instant, used at all instants."""
        canvas = self.canvas
        assert isinstance(canvas, StrokeCanvas)
        thing = canvas.notes.thing
        if thing not in self.ways:
            self.ways[thing] = super().free_direction(place, reach, preferred)
        return self.ways[thing]


@dataclass(frozen=True, eq=False)
class Recording:
    """A trajectory drawn on the page of a film; `page` holds the corners of the picture, in points."""

    course: Course
    canvas: StrokeCanvas
    page: np.ndarray
    _ways: dict[str, np.ndarray] = field(default_factory=dict)

    def strands(
        self, reached: Callable[[float], None], traced: Sequence[str], *, named: bool
    ) -> list[Strand]:
        """Bodies, joints and springs at all key instants, with their names and those of traced markers.

        The title, the axes and the scale bar do not move. `reached` is called with the fraction done.
        """
        count = len(self.course)
        looked_at = np.unique(np.linspace(0, count - 1, NAMING).astype(int)) if named or traced else [0]
        frames, pages = [], {}
        for k in range(count):
            frame = self._frame(k, self._paper(k) if k in looked_at else NoObstacles(np.zeros((2, 2))))
            frames.append(_drawn(frame))
            if k in looked_at:
                pages[k] = frame.obstacles
            reached((k + 1) / count)
        found = strands_of(frames)
        first = self._frame(0, pages[0])
        draw_keys(first, titled=True)
        found += [
            resting(s.kind, "mechanism", dict(s.look), s.points, s.level) for s in _notes(first).strokes
        ]
        return found + name_strands(self.course, first, pages, traced, parts=named)

    def _frame(self, k: int, obstacles: Obstacles) -> Frame:
        course = self.course
        canvas = StrokeCanvas(None, self.canvas.A, self.canvas.b, self.canvas.deep, Notes())
        scene, shapes = course.stills[k], course.shapes(k)
        return Frame(scene, canvas, shapes, obstacles, together=course.together, ways=self._ways)

    def _paper(self, k: int) -> Obstacles:
        """A page with the text that all pages have; the first also with some ink wherever bodies pass later."""
        (left, low), (right, high) = self.page
        obstacles = Obstacles(self.page + np.array([[4.0], [-4.0]]))
        rows = [
            (left, high - 10),
            (right - 150, high - 11),
            (right - 110, high - 30),
            (left, low + 12),
            (right - 150, low + 14),
        ]
        for begin, height in rows:
            line = np.array([[begin, height], [begin + 150, height]])
            obstacles.add_line(line, 1.5, width=14.0)
        for n in np.unique(np.linspace(0, len(self.course) - 1, SAMPLES).astype(int)) if k == 0 else ():
            for shape in self.course.shapes(int(n)).values():
                obstacles.add_line(self.canvas.page(shape.ring), SWEPT)
        return obstacles


def _drawn(frame: Frame) -> list[Stroke]:
    """The strokes of one instant; loads that are shown as arrows have no symbol, except those in `BOTH`."""
    notes = _notes(frame)
    for thing, draw in parts_of(frame):
        notes.thing = thing
        draw()
    for load in frame.scene.mechanism.all_loads:
        kind = type(load).__name__
        if kind in LOADED and (kind not in SHOWN_AS_ARROWS or kind in BOTH):
            notes.thing = f"load {load.name}"
            LOADED[kind](frame, load)
    notes.thing = ""
    return notes.strokes


def _notes(frame: Frame) -> Notes:
    assert isinstance(frame.canvas, StrokeCanvas)
    return frame.canvas.notes
