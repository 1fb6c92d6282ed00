"""The drawings of all key instants, noted down: the drawing's own symbols, with what it decides decided once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from multiloop.view.annotation import draw_keys, draw_names
from multiloop.view.drawing import Drawing
from multiloop.view.film.arrows import LOADED as SHOWN_AS_ARROWS
from multiloop.view.film.course import Course, Still
from multiloop.view.film.reel import Strand, moving, resting, strands_of
from multiloop.view.film.strokes import Notes, Stroke, StrokeCanvas
from multiloop.view.load_symbols import LOADED
from multiloop.view.obstacles import Obstacles
from multiloop.view.parts import parts_of
from multiloop.view.scene import Site

SWEPT, SAMPLES = 0.2, 16
"""Ink of a body where it passes later in the film, and at how many instants that is looked at."""


class NoObstacles(Obstacles):
    """A page whose ink nobody asks for."""

    def add_line(self, points: np.ndarray, weight: float = 1.0, *, width: float = 0.0) -> None:
        """Nothing."""

    def add_disc(self, centre: np.ndarray, radius: float, weight: float = 3.0) -> None:
        """Nothing."""


@dataclass(frozen=True, eq=False)
class Frame(Drawing):
    """A drawing of one instant which decides as those of all others do.

    `together` tells which joints lie in one place all along; `ways` remembers on which side of a joint there is room.
    """

    together: dict[str, tuple[str, ...]] = field(kw_only=True)
    ways: dict[str, np.ndarray] = field(kw_only=True)

    def shares(self, site: Site) -> list[Site]:
        """All joints of the same kind that lie at the same place at every instant."""
        scene = self.scene
        assert isinstance(scene, Still)
        return [scene.named[name] for name in self.together[site.joint.name]]

    def free_direction(self, place: np.ndarray, reach: float, preferred: np.ndarray) -> np.ndarray:
        """The emptiest direction at the first instant, and then the same."""
        canvas = self.canvas
        assert isinstance(canvas, StrokeCanvas)
        thing = canvas.notes.thing
        if thing not in self.ways:
            self.ways[thing] = super().free_direction(place, reach, preferred)
        return self.ways[thing]


@dataclass(frozen=True, eq=False)
class Recording:
    """A course on the page of a film: lower left and upper right corner of the picture, in points."""

    course: Course
    canvas: StrokeCanvas
    page: np.ndarray
    _ways: dict[str, np.ndarray] = field(default_factory=dict)

    def mechanism(self, reached: Callable[[float], None]) -> list[Strand]:
        """Bodies, joints and springs at all key instants; `reached` is told how many are done."""
        frames = []
        for k in range(len(self.course)):
            obstacles = self._inked() if k == 0 else NoObstacles(np.zeros((2, 2)))
            frames.append(_drawn(self._frame(k, obstacles)))
            reached(k + 1)
        return strands_of(frames)

    def words(self, *, named: bool) -> list[Strand]:
        """The mechanism's name, axes and scale, which rest, and the names of its parts, which go along with them."""
        obstacles = self._inked()
        frame = self._frame(0, obstacles)
        _drawn(frame)
        notes = _notes(frame)
        notes.strokes.clear()
        draw_keys(frame, titled=True)
        for height in (self.page[1, 1] - 11, self.page[1, 1] - 25, self.page[0, 1] + 14):  # clock and legends
            line = np.array([[self.page[1, 0] - 150, height], [self.page[1, 0], height]])
            obstacles.add_line(line, 1.5, width=10.0)
        found = [resting(s.kind, "mechanism", dict(s.look), s.points, s.level) for s in notes.strokes]
        if named:
            notes.strokes.clear()
            loads = {load.name: self._load_anchors(load.name) for load in self.course.mechanism.loads}
            draw_names(frame, [(name, path[0]) for name, path in loads.items()])
            found += [self._carried(stroke) for stroke in notes.strokes if stroke.kind == "text"]
        return found

    def _frame(self, k: int, obstacles: Obstacles) -> Frame:
        canvas = StrokeCanvas(None, self.canvas.A, self.canvas.b, self.canvas.deep, Notes())
        course = self.course
        together = course.together
        return Frame(
            course.stills[k], canvas, course.shapes(k), obstacles, together=together, ways=self._ways
        )

    def _inked(self) -> Obstacles:
        """A page on which the bodies have left a little ink wherever they pass."""
        obstacles = Obstacles(self.page + np.array([[4.0], [-4.0]]))
        for k in np.unique(np.linspace(0, len(self.course) - 1, SAMPLES).astype(int)):
            for shape in self.course.shapes(int(k)).values():
                obstacles.add_line(self.canvas.page(shape.ring), SWEPT)
        return obstacles

    def _carried(self, stroke: Stroke) -> Strand:
        """A name that keeps its distance from the middle of its thing; one of nothing known rests."""
        look = dict(stroke.look)
        path = self._anchors(look["words"], italic=look["italic"])
        if path is None:
            return resting("text", "names", look, stroke.points, stroke.level)
        anchors = self.canvas.page(path)[:, None]
        return moving("text", "names", look, anchors + (stroke.points - anchors[0]), stroke.level)

    def _anchors(self, words: str, *, italic: bool) -> np.ndarray | None:
        """The path of what a name stands beside, n×3: slanted names are of bodies, others of joints, loads and ties."""
        course = self.course
        if italic:
            return course.corners[words].mean(axis=1) if words in course.corners else None
        names = {site.joint.name.split("/")[0]: site.joint.name for site in course.first.sites}
        for name in (words, words.split(", ")[0]):
            if name in names:
                return course.places(names[name])
        if words in {load.name for load in course.mechanism.loads}:
            return self._load_anchors(words)
        ties = [dict(still.ties) for still in course.stills]
        return np.array([tie[words].mean(axis=0) for tie in ties]) if words in ties[0] else None

    def _load_anchors(self, name: str) -> np.ndarray:
        """The middle of a load's markers, or the joint at which it acts."""
        load = next(load for load in self.course.mechanism.loads if load.name == name)
        if load.markers:
            return np.mean([self.course.path(marker) for marker in load.markers], axis=0)
        return self.course.places(load.coordinates[0][0])


def _drawn(frame: Frame) -> list[Stroke]:
    """The strokes of one instant; loads that are shown as arrows have no symbol, but a spring has both."""
    notes = _notes(frame)
    for thing, draw in parts_of(frame):
        notes.thing = thing
        draw()
    for load in frame.scene.mechanism.loads:
        kind = type(load).__name__
        if kind in LOADED and (kind not in SHOWN_AS_ARROWS or kind == "Spring"):
            notes.thing = f"load {load.name}"
            LOADED[kind](frame, load)
    notes.thing = ""
    return notes.strokes


def _notes(frame: Frame) -> Notes:
    assert isinstance(frame.canvas, StrokeCanvas)
    return frame.canvas.notes
