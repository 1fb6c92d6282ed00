"""Composition of a film: selection of instants, page, and the drawing elements of mechanism, arrows, paths and
curves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from multiloop.analyses import Result
from multiloop.view.annotation import draw_title_and_scale
from multiloop.view.drawing import DRIVE_LEVEL, GROUND_LEVEL, TEXT_LEVEL, Drawing
from multiloop.view.figure import GREY, INK, PAPER, page_of
from multiloop.view.film.arrows import (
    LOAD_ARROWS as SHOWN_AS_ARROWS,
    Arrow,
    arrow_legend,
    arrow_on_page,
    arrow_strands,
    arrows_of,
    driven_joints,
    scales_of,
)
from multiloop.view.film.film_curves import FilmPanel, box_of, curve_strands, dots_on_page, height_of
from multiloop.view.film.film_labels import label_strands
from multiloop.view.film.reel import (
    TURN,
    Reel,
    Strand,
    Stroke,
    StrokeCanvas,
    StrokeRecord,
    even_times,
    instants_of,
    join_strokes,
    key_instants,
    largest_turning,
    moving_strand,
    speed_in_words,
    still_strand,
    text_style,
)
from multiloop.view.film.trajectory import Trajectory, TrajectoryScene, trajectory_of
from multiloop.view.label_obstacles import Obstacles
from multiloop.view.mechanism_drawing import canvas_for
from multiloop.view.scene import JointSite, built_in_type_name
from multiloop.view.symbols.load_symbols import LOAD_SYMBOLS
from multiloop.view.symbols.parts import drawn_parts, drawn_points

SAMPLES = 48
"""Number of instants whose points are used to determine the scale of the page."""

KEY_TOLERANCE = 0.35
"""Largest error of points that are interpolated between two key instants, in points of the page."""

MOST_INSTANTS, MOST_KEYS = 3600, 720
"""Largest number of instants from which key instants are selected, and largest number of key instants."""

PAGE_MARGINS = np.array([[8.0, 8.0], [-8.0, -36.0]])
"""Margins of the picture that force arrows do not reach, in points: (left, bottom) and (right, top)."""

ARROW_SHARE = 0.16
"""Length of the largest force arrow for which space is reserved on the page, relative to the extent of the
mechanism."""

TRACED = 1500
"""Largest number of points with which the path of a marker is drawn."""


@dataclass(frozen=True, eq=False)
class FilmOptions:
    """Content, speed and frame rate of a film, as requested by the user.

    `speed` is the time of the motion (s) that is shown in one second of film, `rate` the number of frames per second,
    and `scale` the magnification of deflections. `traces` are the markers whose paths are drawn, `arrows` the groups,
    joints and loads that have arrows, `panels` the curves; `names` is true if parts are labelled.
    """

    speed: float
    rate: float
    traces: Sequence[str]
    arrows: Sequence[str]
    panels: Sequence[FilmPanel]
    names: bool
    scale: float = 1.0


def compose_reel(result: Result, options: FilmOptions, report_progress: Callable[[float], None]) -> Reel:
    """Compose the vector data of a film of a result; `report_progress` is called with the fraction done."""
    times = _instants(result, options)
    trajectory = trajectory_of(result, times, driven_joints(result, options.arrows), options.scale)
    paths = [_path(result, marker) for marker in options.traces]
    arrows = arrows_of(result, trajectory, options.arrows)
    canvas, page, width = _page_canvas(trajectory, paths, arrows, height_of(options.panels))
    scales = scales_of(arrows, canvas, page + PAGE_MARGINS)
    seen = [canvas.page(corners) for corners in trajectory.corners.values()]
    seen += [arrow_on_page(arrow, canvas, scales)[:, [0, -1]] for arrow in arrows]
    seen.append(dots_on_page(options.panels, width, times))
    kept = key_instants(times, np.concatenate(seen, axis=1), KEY_TOLERANCE, MOST_KEYS)
    keyed = trajectory.at_instants(kept)
    strands = FrameRecorder(keyed, canvas, page).strands(report_progress, options.traces, named=options.names)
    strands += arrow_strands(arrows_of(result, keyed, options.arrows), canvas, scales)
    strands += arrow_legend(arrows, scales, page)
    for marker, path in zip(options.traces, paths, strict=True):
        strands += _trace(marker, path, keyed, canvas)
    strands += curve_strands(options.panels, width, keyed.times)
    remark = f", deformation × {options.scale:g}" if options.scale != 1.0 and trajectory.eta else ""
    strands.append(_clock(keyed.times, speed_in_words(options.speed), remark, page))
    cursor = None
    if options.panels:
        top, bottom = (box_of(options.panels, width, k) for k in (0, len(options.panels) - 1))
        cursor = (*bottom[:, 0], bottom[0, 1], top[1, 1])
    size = width, float(page[1, 1])
    layers = tuple(dict.fromkeys(strand.layer for strand in strands))
    return Reel(result.mechanism.name, size, keyed.times, options.speed, strands, cursor, layers)


def _instants(result: Result, options: FilmOptions) -> np.ndarray:
    """Evenly spaced times of a film from which key instants are selected.

    Their number is at least that of the frames and that of the computed instants, and so large that no body rotates by
    more than `TURN` between neighbouring times, but at most `MOST_INSTANTS`.
    """
    computed, order = instants_of(result)
    frames = (computed[-1] - computed[0]) / options.speed * options.rate
    turns = largest_turning({body: X[order] for body, X in result.poses.items()}) / TURN
    count = int(min(max(frames, len(computed) - 1, turns), MOST_INSTANTS)) + 1
    return even_times(computed, max(count, 2))


def _path(result: Result, marker: str) -> np.ndarray:
    """Path of a marker during the motion of a result, instants × 3."""
    _, order = instants_of(result)
    places = result.marker(marker)[order]
    return np.column_stack([places, np.zeros(len(places))])[:, :3]


def _page_canvas(
    trajectory: Trajectory, paths: Sequence[np.ndarray], arrows: Sequence[Arrow], below: float
) -> tuple[StrokeCanvas, np.ndarray, float]:
    """Canvas whose page contains the whole motion above the curves, which need the height `below` in points.

    Returns the canvas, the lower left and upper right corners of the picture, and the width of the page in points.
    """
    recorded = np.unique(np.linspace(0, len(trajectory) - 1, SAMPLES).astype(int))
    sampled = trajectory.at_instants(recorded)
    clouds = [drawn_points(still, sampled.outlines(k)) for k, still in enumerate(sampled.scenes)]
    extent = float(np.ptp(np.vstack(clouds), axis=0).max())
    whole = np.vstack(
        [*clouds, *paths, *(tips[recorded] for tips in _arrow_tips(arrows, ARROW_SHARE * extent))]
    )
    paper = canvas_for(trajectory.mechanism, clouds[0], motion=whole)
    low, high = page_of(paper.axes) + np.array([0.0, below])
    canvas = StrokeCanvas(None, paper.A, paper.b + np.array([0.0, below]), not trajectory.mechanism.planar)
    return canvas, np.array([low, high]), float(high[0])


def _arrow_tips(arrows: Sequence[Arrow], length: float) -> list[np.ndarray]:
    """End points of the force arrows (each instants × 3, in metres), if the largest arrow has the given length (m)."""
    forces = [arrow for arrow in arrows if not arrow.turning]
    scale = length / max((arrow.largest for arrow in forces), default=1.0)
    return [arrow.at + (-scale if arrow.pushing else scale) * arrow.vector for arrow in forces]


def _trace(marker: str, path: np.ndarray, trajectory: Trajectory, canvas: StrokeCanvas) -> list[Strand]:
    """Drawing elements of the path of a marker: the whole path, and a dot at the current position."""
    line = {"colour": GREY, "width": 1.1, "dashes": (), "cap": "butt"}
    dot = {"face": PAPER, "edge": INK, "width": 1.2, "diameter": 5.0, "shape": "disc"}
    step = -(-len(path) // TRACED)
    at = canvas.page(trajectory.path(marker))[:, None]
    return [
        still_strand("line", "traces", line, canvas.page(np.vstack([path[::step], path[-1:]])), GROUND_LEVEL),
        moving_strand("dot", "traces", dot, at, DRIVE_LEVEL),
    ]


def _clock(times: np.ndarray, speed: str, remark: str, page: np.ndarray) -> Strand:
    """Text at the top right with the current time, the speed (which a viewer can change in a browser) and a remark."""
    look = text_style("", INK, 9.0, ha="right") | {
        "before": "t = ",
        "after": f" s, {speed}{remark}",
        "decimals": _decimals(times),
        "clock": True,
        "remark": remark,
    }
    place = np.array([[[page[1, 0] - 10.0, page[1, 1] - 11.0]]])
    return Strand("readout", "mechanism", look, place, np.array([TEXT_LEVEL]), values=times)


def _decimals(times: np.ndarray) -> int:
    """Number of decimals with which times are shown, so that a hundredth of the duration is resolved."""
    return max(0, 2 - int(np.floor(np.log10(times[-1] - times[0]))))


SWEPT_INK, RECORDED_SAMPLES = 0.2, 16
"""Weight with which labels of the first instant avoid the positions that bodies have later in the film, and number of
instants at which these positions are sampled."""

LABEL_SAMPLES = 10
"""Number of instants at which the overlap of labels is evaluated."""


DRAWN_WITH_ARROWS = ("Spring", "Rope", "Contact", "Load")
"""Types of loads whose symbols are drawn in addition to their force arrows."""


class NoObstacles(Obstacles):
    """Replacement of `Obstacles` that records no ink, for instants at which no labels are placed."""

    def add_line(self, points: np.ndarray, weight: float = 1.0, *, width: float = 0.0) -> None:
        """Do nothing."""

    def add_disc(self, centre: np.ndarray, radius: float, weight: float = 3.0) -> None:
        """Do nothing."""


@dataclass(frozen=True, eq=False)
class FrameDrawing(Drawing):
    """Drawing of one instant of a film, in which symbols have the same form and orientation as at all other instants.

    `coincident` are for each joint the joints that coincide with it at all instants; `free_directions` stores the
    direction in which the symbol of each part is drawn.
    """

    coincident: dict[str, tuple[str, ...]] = field(kw_only=True)
    free_directions: dict[str, np.ndarray] = field(kw_only=True)

    def coincident_joints(self, site: JointSite) -> list[JointSite]:
        """All joints of the same type that coincide with this one at every instant, including itself."""
        scene = self.scene
        assert isinstance(scene, TrajectoryScene)
        return [scene.sites_by_name[name] for name in self.coincident[site.joint.name]]

    def free_direction(self, place: np.ndarray, reach: float, preferred: np.ndarray) -> np.ndarray:
        """Unit vector on the page that points from `place` to the side with the least ink.

        It is determined at the first instant and is the same at all instants; see `Drawing.free_direction`.
        """
        canvas = self.canvas
        assert isinstance(canvas, StrokeCanvas)
        thing = canvas.notes.thing
        if thing not in self.free_directions:
            self.free_directions[thing] = super().free_direction(place, reach, preferred)
        return self.free_directions[thing]


@dataclass(frozen=True, eq=False)
class FrameRecorder:
    """Draws a mechanism at all instants of a trajectory and joins the drawings to strands (drawing elements over time).

    `page` are the lower left and upper right corners of the picture in points.
    """

    trajectory: Trajectory
    canvas: StrokeCanvas
    page: np.ndarray
    _ways: dict[str, np.ndarray] = field(default_factory=dict)

    def strands(
        self, report_progress: Callable[[float], None], traced: Sequence[str], *, named: bool
    ) -> list[Strand]:
        """Drawing elements of bodies, joints and loads over all key instants, with names if `named`.

        Names of traced markers, the title, the axes and the scale bar are always included. `report_progress` is called
        with the fraction done.
        """
        count = len(self.trajectory)
        recorded = np.unique(np.linspace(0, count - 1, LABEL_SAMPLES).astype(int)) if named or traced else [0]
        frames, pages = [], {}
        for k in range(count):
            frame = self._frame(k, self._page_ink(k) if k in recorded else NoObstacles(np.zeros((2, 2))))
            frames.append(_draw_frame(frame))
            if k in recorded:
                pages[k] = frame.obstacles
            report_progress((k + 1) / count)
        found = join_strokes(frames)
        first = self._frame(0, pages[0])
        draw_title_and_scale(first, titled=True)
        found += [
            still_strand(s.kind, "mechanism", dict(s.look), s.points, s.level) for s in _notes(first).strokes
        ]
        return found + label_strands(self.trajectory, first, pages, traced, parts=named)

    def _frame(self, k: int, obstacles: Obstacles) -> FrameDrawing:
        trajectory = self.trajectory
        canvas = StrokeCanvas(None, self.canvas.A, self.canvas.b, self.canvas.deep, StrokeRecord())
        scene, shapes = trajectory.scenes[k], trajectory.outlines(k)
        return FrameDrawing(
            scene,
            canvas,
            shapes,
            obstacles,
            coincident=trajectory.coincident_joints,
            free_directions=self._ways,
        )

    def _page_ink(self, k: int) -> Obstacles:
        """Areas of the title, legend, clock and scale bar, as obstacles for the labels at instant k.

        For the first instant, the positions that bodies have later in the film are added with a small weight.
        """
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
        for n in (
            np.unique(np.linspace(0, len(self.trajectory) - 1, RECORDED_SAMPLES).astype(int))
            if k == 0
            else ()
        ):
            for shape in self.trajectory.outlines(int(n)).values():
                obstacles.add_line(self.canvas.page(shape.ring), SWEPT_INK)
        return obstacles


def _draw_frame(frame: FrameDrawing) -> list[Stroke]:
    """Draw one instant and return its strokes.

    Loads that are shown as arrows have no symbol, except the types in `DRAWN_WITH_ARROWS`.
    """
    notes = _notes(frame)
    for thing, draw in drawn_parts(frame):
        notes.thing = thing
        draw()
    for load in frame.scene.mechanism.all_loads:
        kind = built_in_type_name(load)
        if kind in LOAD_SYMBOLS and (kind not in SHOWN_AS_ARROWS or kind in DRAWN_WITH_ARROWS):
            notes.thing = f"load {load.name}"
            LOAD_SYMBOLS[kind](frame, load)
    notes.thing = ""
    return notes.strokes


def _notes(frame: FrameDrawing) -> StrokeRecord:
    assert isinstance(frame.canvas, StrokeCanvas)
    return frame.canvas.notes
