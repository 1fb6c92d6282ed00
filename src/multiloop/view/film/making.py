"""Composition of a film from a result: its key instants, its page, and all strands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from multiloop.questions import Result
from multiloop.view.colours import GREY, INK, PAPER
from multiloop.view.drawing import DRIVE_LEVEL, GROUND_LEVEL, TEXT_LEVEL
from multiloop.view.film.arrow_strands import arrow_strands, legend, on_page, scales_of
from multiloop.view.film.arrows import Arrow, arrows_of, driven_joints
from multiloop.view.film.course import Course, course_of
from multiloop.view.film.curve_strands import box_of, curve_strands, dots_on_page, height_of
from multiloop.view.film.curves import Panel
from multiloop.view.film.recording import Recording
from multiloop.view.film.reel import Reel, Strand, moving, resting
from multiloop.view.film.strokes import StrokeCanvas, text_look
from multiloop.view.film.timing import TURN, even_times, instants_of, key_instants, speed_in_words, turned
from multiloop.view.framing import page_of
from multiloop.view.mechanism import paper_for
from multiloop.view.parts import drawn_points

SAMPLES = 48
"""Number of instants to whose points the page is fitted."""

EXACT = 0.35
"""Largest interpolation error between two key instants, in points of the page."""

MOST_LOOKED_AT, MOST_KEYS = 3600, 720
"""Largest numbers of instants examined, and of key instants."""

FREE = np.array([[8.0, 8.0], [-8.0, -36.0]])
"""Margins of the picture that force arrows leave free, in points: left and bottom, right and top."""

ROOM = 0.16
"""Length of the largest force arrow for which the page has space, relative to the extent of the mechanism."""

TRACED = 1500
"""Largest number of points of a path."""


@dataclass(frozen=True, eq=False)
class Wishes:
    """Contents, speed and frame rate of a film."""

    speed: float
    rate: float
    traces: Sequence[str]
    arrows: Sequence[str]
    panels: Sequence[Panel]
    names: bool
    scale: float = 1.0


def reel_of(result: Result, wishes: Wishes, reached: Callable[[float], None]) -> Reel:
    """The film; `reached` is called with the fraction done."""
    times = _instants(result, wishes)
    course = course_of(result, times, driven_joints(result, wishes.arrows), wishes.scale)
    paths = [_path(result, marker) for marker in wishes.traces]
    arrows = arrows_of(result, course, wishes.arrows)
    canvas, page, width = _paper(course, paths, arrows, height_of(wishes.panels))
    scales = scales_of(arrows, canvas, page + FREE)
    seen = [canvas.page(corners) for corners in course.corners.values()]
    seen += [on_page(arrow, canvas, scales)[:, [0, -1]] for arrow in arrows]
    seen.append(dots_on_page(wishes.panels, width, times))
    kept = key_instants(times, np.concatenate(seen, axis=1), EXACT, MOST_KEYS)
    keyed = course.at(kept)
    strands = Recording(keyed, canvas, page).strands(reached, wishes.traces, named=wishes.names)
    strands += arrow_strands(arrows_of(result, keyed, wishes.arrows), canvas, scales)
    strands += legend(arrows, scales, page)
    for marker, path in zip(wishes.traces, paths, strict=True):
        strands += _trace(marker, path, keyed, canvas)
    strands += curve_strands(wishes.panels, width, keyed.times)
    said = f", bending × {wishes.scale:g}" if wishes.scale != 1.0 and course.eta else ""
    strands.append(_clock(keyed.times, speed_in_words(wishes.speed), said, page))
    cursor = None
    if wishes.panels:
        top, bottom = (box_of(wishes.panels, width, k) for k in (0, len(wishes.panels) - 1))
        cursor = (*bottom[:, 0], bottom[0, 1], top[1, 1])
    size = width, float(page[1, 1])
    layers = tuple(dict.fromkeys(strand.layer for strand in strands))
    return Reel(result.mechanism.name, size, keyed.times, wishes.speed, strands, cursor, layers)


def _instants(result: Result, wishes: Wishes) -> np.ndarray:
    """Evenly spaced times: as many as frames or computed instants, and more where a body turns fast."""
    computed, order = instants_of(result)
    frames = (computed[-1] - computed[0]) / wishes.speed * wishes.rate
    turns = turned({body: X[order] for body, X in result.poses.items()}) / TURN
    count = int(min(max(frames, len(computed) - 1, turns), MOST_LOOKED_AT)) + 1
    return even_times(computed, max(count, 2))


def _path(result: Result, marker: str) -> np.ndarray:
    """The path of a marker, n×3."""
    _, order = instants_of(result)
    places = result.marker(marker)[order]
    return np.column_stack([places, np.zeros(len(places))])[:, :3]


def _paper(
    course: Course, paths: Sequence[np.ndarray], arrows: Sequence[Arrow], below: float
) -> tuple[StrokeCanvas, np.ndarray, float]:
    """A page that contains the whole motion above the curves: the canvas, the corners of the picture, and the width."""
    looked_at = np.unique(np.linspace(0, len(course) - 1, SAMPLES).astype(int))
    sampled = course.at(looked_at)
    clouds = [drawn_points(still, sampled.shapes(k)) for k, still in enumerate(sampled.stills)]
    extent = float(np.ptp(np.vstack(clouds), axis=0).max())
    whole = np.vstack([*clouds, *paths, *(tips[looked_at] for tips in _tips(arrows, ROOM * extent))])
    paper = paper_for(course.mechanism, clouds[0], motion=whole)
    low, high = page_of(paper.axes) + np.array([0.0, below])
    canvas = StrokeCanvas(None, paper.A, paper.b + np.array([0.0, below]), not course.mechanism.planar)
    return canvas, np.array([low, high]), float(high[0])


def _tips(arrows: Sequence[Arrow], length: float) -> list[np.ndarray]:
    """Ends of the force arrows, n×3, if the largest has the given length."""
    forces = [arrow for arrow in arrows if not arrow.turning]
    scale = length / max((arrow.largest for arrow in forces), default=1.0)
    return [arrow.at + (-scale if arrow.pushing else scale) * arrow.vector for arrow in forces]


def _trace(marker: str, path: np.ndarray, course: Course, canvas: StrokeCanvas) -> list[Strand]:
    """The whole path of a marker, and a dot at its current position."""
    line = {"colour": GREY, "width": 1.1, "dashes": (), "cap": "butt"}
    dot = {"face": PAPER, "edge": INK, "width": 1.2, "diameter": 5.0, "shape": "disc"}
    step = -(-len(path) // TRACED)
    at = canvas.page(course.path(marker))[:, None]
    return [
        resting("line", "traces", line, canvas.page(np.vstack([path[::step], path[-1:]])), GROUND_LEVEL),
        moving("dot", "traces", dot, at, DRIVE_LEVEL),
    ]


def _clock(times: np.ndarray, speed: str, remark: str, page: np.ndarray) -> Strand:
    """The time at the top right, the speed, which a viewer may change in a browser, and a remark."""
    look = text_look("", INK, 9.0, ha="right") | {
        "before": "t = ",
        "after": f" s, {speed}{remark}",
        "decimals": _decimals(times),
        "clock": True,
        "remark": remark,
    }
    place = np.array([[[page[1, 0] - 10.0, page[1, 1] - 11.0]]])
    return Strand("readout", "mechanism", look, place, np.array([TEXT_LEVEL]), values=times)


def _decimals(times: np.ndarray) -> int:
    """Number of decimals that resolve a hundredth of the duration."""
    return max(0, 2 - int(np.floor(np.log10(times[-1] - times[0]))))
