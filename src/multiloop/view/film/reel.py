"""Vector data of a film: strokes on the page, and strands, each a stroke with its points over the key instants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from multiloop.analyses import Result
from multiloop.view.canvas import Canvas, round_number_below

Look = tuple[tuple[str, Any], ...]
"""Colours, widths and text of a stroke by name; its properties that do not change while its points move."""

ROUND, FINE = 16, 0.15
"""Smallest number of corners of a round area, and its largest error in points of the page."""


SHAPES = {"o": "disc", "s": "square", "D": "diamond"}
"""Shapes of dots, by Matplotlib marker."""


@dataclass(frozen=True, eq=False)
class Stroke:
    """One line, area, dot or text; `thing` is the object that it belongs to, `points` are n×2 on the page."""

    thing: str
    kind: str
    look: Look
    points: np.ndarray
    level: float


@dataclass(eq=False)
class StrokeRecord:
    """Strokes in drawing order, and the object that is being drawn."""

    thing: str = ""
    strokes: list[Stroke] = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class StrokeCanvas(Canvas):
    """A canvas that records strokes; `deep` for spatial mechanisms."""

    deep: bool = False
    notes: StrokeRecord = field(default_factory=StrokeRecord)

    @property
    def spatial(self) -> bool:
        """Whether it has depth."""
        return self.deep

    def line(
        self, points: Any, colour: str, width: float, *, level: float, style: Any = "-", cap: str = "round"
    ) -> None:
        """Record a line through points."""
        dashes = () if style == "-" else tuple(width * float(dash) for dash in style[1])
        self._note("line", points, level, colour=colour, width=width, dashes=dashes, cap=cap)

    def strokes(self, lines: Any, colour: str, width: float, *, level: float) -> None:
        """Record several thin lines, with two successive points for each."""
        ends = [point for line in lines for point in line]
        self._note("strokes", ends, level, colour=colour, width=width)

    def area(
        self, points: Any, face: str, edge: str, width: float, *, level: float, alpha: float | None = None
    ) -> None:
        """Record a filled polygon; round ones with no more corners than are visible."""
        corners = self.page(points)
        if len(corners) > 2 * ROUND:
            radius = float(np.ptp(corners, axis=0).max()) / 2
            needed = np.pi / np.arccos(max(1 - FINE / max(radius, FINE), 0.0))
            corners = corners[:: max(1, int(len(corners) / max(needed, ROUND)))]
        look = {"face": face, "edge": edge, "width": width, "alpha": 1.0 if alpha is None else alpha}
        self._put("area", corners, level, look)

    def dot(
        self,
        point: np.ndarray,
        diameter: float,
        face: str,
        edge: str,
        *,
        level: float,
        marker: Any = "o",
        width: float = 1.3,
    ) -> None:
        """Record a disc, a square, a diamond, or two quarters of a disc."""
        shape = SHAPES.get(marker, "quarters") if isinstance(marker, str) else "quarters"
        look = {"face": face, "edge": edge, "width": width, "diameter": diameter, "shape": shape}
        self._note("dot", [point], level, **look)

    def text(
        self, point: np.ndarray, words: str, colour: str, size: float, *, level: float, **style: Any
    ) -> None:
        """Record a text at a point."""
        self._put("text", self.page([point]), level, text_style(words, colour, size, **style))

    def _note(self, kind: str, points: Sequence[Any], level: float, **look: Any) -> None:
        self._put(kind, self.page(points), level, look)

    def _put(self, kind: str, page: np.ndarray, level: float, look: dict[str, Any]) -> None:
        notes = self.notes
        notes.strokes.append(Stroke(notes.thing, kind, tuple(look.items()), page, level))


def text_style(words: str, colour: str, size: float, **style: Any) -> dict[str, Any]:
    """The style of a text: `ha` is "left", "center" or "right", `style` "italic", `weight` "bold"."""
    return {
        "words": words,
        "colour": colour,
        "size": size,
        "anchor": style.get("ha", "center"),
        "italic": style.get("style") == "italic",
        "bold": style.get("weight") == "bold",
    }


STILL_TOLERANCE = 0.02
"""Largest displacement in points of the page for which a stroke counts as at rest."""


@dataclass(frozen=True, eq=False)
class Strand:
    """One stroke over K key instants; between two of them its points are interpolated linearly.

    `points` are K×n×2, or 1×n×2 at rest, `levels` K or 1; `shown` is the mask of key instants at which it is visible,
    None for all. A "readout" displays a number: `values` over the key instants, between the texts of its style. `layer`
    is a group that a viewer may hide: "mechanism", "names", "traces", "bearings", "efforts", "loads", "curves".
    """

    kind: str
    layer: str
    look: Mapping[str, Any]
    points: np.ndarray
    levels: np.ndarray
    shown: np.ndarray | None = None
    values: np.ndarray | None = None

    @property
    def rests(self) -> bool:
        """Whether it does not move."""
        return len(self.points) == 1


@dataclass(frozen=True, eq=False)
class Reel:
    """A film: its page in points, its key instants, and its strands.

    `cursor` holds the left and the right end of the time axis on the page and its lower and upper edge, None without
    curves. `speed` is seconds of motion in a second of film.
    """

    name: str
    page: tuple[float, float]
    times: np.ndarray
    speed: float
    strands: Sequence[Strand]
    cursor: tuple[float, float, float, float] | None = None
    layers: tuple[str, ...] = field(default=())

    @property
    def orders(self) -> list[tuple[int, np.ndarray]]:
        """Drawing orders of the strands, each with the key instant from which it is valid."""
        levels = np.array([np.broadcast_to(strand.levels, len(self.times)) for strand in self.strands])
        found: list[tuple[int, np.ndarray]] = []
        for k, order in enumerate(np.argsort(levels, axis=0, kind="stable").T):
            if not found or (order != found[-1][1]).any():
                found.append((k, order))
        return found


def still_strand(kind: str, layer: str, look: Mapping[str, Any], points: Any, level: float) -> Strand:
    """A strand that does not move."""
    return Strand(kind, layer, look, np.asarray(points, float).reshape(1, -1, 2), np.array([level]))


def moving_strand(kind: str, layer: str, look: Mapping[str, Any], points: np.ndarray, level: float) -> Strand:
    """A strand with points over the key instants, K×n×2."""
    return Strand(kind, layer, look, _without_repetition(points), np.array([level]))


def join_strokes(frames: Sequence[Sequence[Stroke]], layer: str = "mechanism") -> list[Strand]:
    """Strands from the strokes of the drawings of all key instants.

    An object that is drawn differently at some instants, such as a spring too short to be seen, has a set of strands
    for each variant, of which one is shown at a time.
    """
    ways: dict[tuple[str, Any], dict[int, list[Stroke]]] = {}
    for k, strokes in enumerate(frames):
        for thing, drawn in _by_thing(strokes).items():
            signature = tuple((stroke.kind, stroke.look, len(stroke.points)) for stroke in drawn)
            ways.setdefault((thing, signature), {})[k] = drawn
    found = []
    for drawings in ways.values():
        there = np.array(list(drawings))
        nearest = there[np.abs(there[:, None] - np.arange(len(frames))).argmin(axis=0)]
        shown = None if len(there) == len(frames) else np.isin(np.arange(len(frames)), there)
        for n, first in enumerate(drawings[int(there[0])]):
            points = np.array([drawings[int(k)][n].points for k in nearest])
            levels = np.array([drawings[int(k)][n].level for k in nearest])
            level = levels[:1] if np.ptp(levels) == 0 else levels
            found.append(
                Strand(first.kind, layer, dict(first.look), _without_repetition(points), level, shown)
            )
    return found


def _by_thing(strokes: Sequence[Stroke]) -> dict[str, list[Stroke]]:
    things: dict[str, list[Stroke]] = {}
    for stroke in strokes:
        things.setdefault(stroke.thing, []).append(stroke)
    return things


def _without_repetition(points: np.ndarray) -> np.ndarray:
    """Points over the key instants; those of a stroke at rest are kept once."""
    return points[:1] if float(np.ptp(points, axis=0).max(initial=0.0)) < STILL_TOLERANCE else points


SHORT, LONG = 1.0, 60.0
"""Shortest and longest duration in seconds of a motion that is shown in real time by default."""

TURN = np.radians(6.0)
"""Largest rotation of a body between two examined instants."""

FEW = 5
"""Largest number of instants for which the motion between them is interpolated linearly."""


def default_speed(duration: float) -> float:
    """Real time from one second to a minute; shorter motions last two to five seconds, longer ones up to a minute.

    Speeds are 1, 2 or 5 times a power of ten, or the reciprocal of it.
    """
    if duration < SHORT:
        return round_number_below(duration / 2)
    return 1.0 if duration <= LONG else 1 / round_number_below(LONG / duration)


def speed_in_words(speed: float) -> str:
    """The speed of a film as text."""
    if abs(speed - 1) < 1e-9:
        return "real time"
    return f"{1 / speed:.4g} times slower" if speed < 1 else f"{speed:.4g} times faster"


def instants_of(result: Result) -> tuple[np.ndarray, np.ndarray]:
    """The times of a result in ascending order without duplicates, and their indices in it."""
    times, places = np.unique(result.time, return_index=True)
    return times, places


def even_times(times: np.ndarray, count: int) -> np.ndarray:
    """Evenly spaced instants from the first to the last; the computed ones themselves where they are evenly spaced."""
    even = np.linspace(times[0], times[-1], count)
    same = len(times) == count and np.allclose(times, even, rtol=0, atol=1e-9 * np.ptp(times))
    return times if same else even


def largest_turning(poses: Mapping[str, np.ndarray]) -> float:
    """The largest total rotation of a body, summed over all intervals; poses are n×3×4."""
    largest = 0.0
    for X in poses.values():
        R = X[:, :, :3]
        cosines = (np.einsum("tij,tij->t", R[1:], R[:-1]) - 1) / 2
        largest = max(largest, float(np.arccos(np.clip(cosines, -1, 1)).sum()))
    return largest


def interpolate_smoothly(times: np.ndarray, values: np.ndarray, asked: np.ndarray) -> np.ndarray:
    """Values at other times by Akima interpolation, which is smooth without overshoot; along the first axis."""
    if asked is times:
        return values
    if len(times) <= FEW:
        return interpolate_linearly(times, values, asked)
    from scipy.interpolate import Akima1DInterpolator

    curve: np.ndarray = Akima1DInterpolator(times, values, axis=0)(np.clip(asked, times[0], times[-1]))
    return curve


def interpolate_linearly(times: np.ndarray, values: np.ndarray, asked: np.ndarray) -> np.ndarray:
    """Values at other times by linear interpolation along the first axis."""
    if asked is times:
        return values
    k = np.clip(np.searchsorted(times, asked, side="right") - 1, 0, len(times) - 2)
    share = ((asked - times[k]) / (times[k + 1] - times[k])).reshape(-1, *[1] * (values.ndim - 1))
    found: np.ndarray = (1 - share) * values[k] + share * values[k + 1]
    return found


def interpolate_poses(times: np.ndarray, poses: np.ndarray, asked: np.ndarray) -> np.ndarray:
    """Poses [R | p] at other times, n×3×4; interpolated rotations are projected onto the nearest orthogonal matrix.

    R ← U Vᵀ,   U Σ Vᵀ = R
    """
    if asked is times:
        return poses
    found = interpolate_smoothly(times, poses, asked)
    U, _, Vt = np.linalg.svd(found[:, :, :3])
    return np.concatenate([U @ Vt, found[:, :, 3:]], axis=2)


def key_instants(times: np.ndarray, places: np.ndarray, tolerance: float, most: int) -> np.ndarray:
    """A small set of instants between which linear interpolation of all points is within the tolerance.

    `places` are n×m×2 on the page. Where more than `most` would be needed, the tolerance is increased.
    """
    while True:
        kept = _split_at_worst(times, places, tolerance)
        if len(kept) <= most:
            return kept
        tolerance *= 2


def _split_at_worst(times: np.ndarray, places: np.ndarray, tolerance: float) -> np.ndarray:
    """Split intervals at the instant of the largest error until all errors are within the tolerance."""
    kept, open_ = {0, len(times) - 1}, [(0, len(times) - 1)]
    while open_:
        i, j = open_.pop()
        if j - i < 2:
            continue
        share = ((times[i + 1 : j] - times[i]) / (times[j] - times[i]))[:, None, None]
        straight = (1 - share) * places[i] + share * places[j]
        off = np.abs(places[i + 1 : j] - straight).max(axis=(1, 2), initial=0.0)
        worst = i + 1 + int(off.argmax())
        if off.max() > tolerance:
            kept.add(worst)
            open_ += [(i, worst), (worst, j)]
    return np.array(sorted(kept))
