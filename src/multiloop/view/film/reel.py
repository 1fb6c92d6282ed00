"""Vector data of a film: strokes (drawing elements) on the page, and strands (strokes that move over time).

The points of a strand are stored at key instants and interpolated between them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from multiloop.analyses import Result
from multiloop.view.canvas import Canvas, round_number_below

Look = tuple[tuple[str, Any], ...]
"""Type of the properties of a stroke that do not change while its points move: colours, widths and text, by name."""

ROUND, FINE = 16, 0.15
"""Smallest number of corners of the polygon that represents a round area, and its largest deviation from the exact
shape in points of the page."""


SHAPES = {"o": "disc", "s": "square", "D": "diamond"}
"""Names of the shapes of dots, by Matplotlib's marker symbols."""


@dataclass(frozen=True, eq=False)
class Stroke:
    """One drawing element (line, area, dot or text) at one instant.

    `thing` names the part of the mechanism to which the stroke belongs, and `kind` is the type of element. `points` are
    its points on the page (n × 2), `look` its other properties, e.g. colours, and `level` its drawing level.
    """

    thing: str
    kind: str
    look: Look
    points: np.ndarray
    level: float


@dataclass(eq=False)
class StrokeRecord:
    """List of strokes in drawing order, and the name of the part of the mechanism that is being drawn."""

    thing: str = ""
    strokes: list[Stroke] = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class StrokeCanvas(Canvas):
    """A canvas that records strokes instead of drawing them; `deep` is true for spatial mechanisms."""

    deep: bool = False
    notes: StrokeRecord = field(default_factory=StrokeRecord)

    @property
    def spatial(self) -> bool:
        """Whether a spatial mechanism is drawn."""
        return self.deep

    def line(
        self, points: Any, colour: str, width: float, *, level: float, style: Any = "-", cap: str = "round"
    ) -> None:
        """Record a line through points."""
        dashes = () if style == "-" else tuple(width * float(dash) for dash in style[1])
        self._note("line", points, level, colour=colour, width=width, dashes=dashes, cap=cap)

    def strokes(self, lines: Any, colour: str, width: float, *, level: float) -> None:
        """Record several thin straight lines; each line has two successive points."""
        ends = [point for line in lines for point in line]
        self._note("strokes", ends, level, colour=colour, width=width)

    def area(
        self, points: Any, face: str, edge: str, width: float, *, level: float, alpha: float | None = None
    ) -> None:
        """Record a filled polygon; one with very many corners is recorded with fewer, without a visible difference."""
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
        """Record a dot as a disc, a square, a diamond, or two quarters of a disc."""
        shape = SHAPES.get(marker, "quarters") if isinstance(marker, str) else "quarters"
        look = {"face": face, "edge": edge, "width": width, "diameter": diameter, "shape": shape}
        self._note("dot", [point], level, **look)

    def text(
        self, point: np.ndarray, words: str, colour: str, size: float, *, level: float, **style: Any
    ) -> None:
        """Record a text at a point in space."""
        self._put("text", self.page([point]), level, text_style(words, colour, size, **style))

    def _note(self, kind: str, points: Sequence[Any], level: float, **look: Any) -> None:
        self._put(kind, self.page(points), level, look)

    def _put(self, kind: str, page: np.ndarray, level: float, look: dict[str, Any]) -> None:
        notes = self.notes
        notes.strokes.append(Stroke(notes.thing, kind, tuple(look.items()), page, level))


def text_style(words: str, colour: str, size: float, **style: Any) -> dict[str, Any]:
    """Properties of a text stroke, from Matplotlib's arguments `ha`, `style` ("italic") and `weight` ("bold")."""
    return {
        "words": words,
        "colour": colour,
        "size": size,
        "anchor": style.get("ha", "center"),
        "italic": style.get("style") == "italic",
        "bold": style.get("weight") == "bold",
    }


STILL_TOLERANCE = 0.02
"""Largest displacement, in points of the page, of a stroke that counts as being at rest during the whole film."""


@dataclass(frozen=True, eq=False)
class Strand:
    """A drawing element over the key instants of a film; between key instants its points are interpolated linearly.

    `points` are instants × points × 2, with one instant if the element is at rest; `levels` are the drawing levels at
    all instants, or one level. `shown` states for each key instant whether the element is visible; None means always.
    An element of kind "readout" displays a number: `values` over the key instants, between two texts in its `look`.
    `layer` is a group of elements that a viewer may hide: "mechanism", "names", "traces", "bearings", "efforts",
    "loads" or "curves".
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
        """Whether the drawing element does not move during the film."""
        return len(self.points) == 1


@dataclass(frozen=True, eq=False)
class Reel:
    """Vector data of a film: size of the page in points, key instants (s), and strands (moving drawing elements).

    `cursor` are the left and right ends of the time axis of the curves on the page, and the lower and upper edges of
    the curves; None without curves. `speed` is the time of the motion, in seconds, that is shown in one second of film.
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
        """Orders in which the strands are drawn, each with the index of the key instant from which it is valid."""
        levels = np.array([np.broadcast_to(strand.levels, len(self.times)) for strand in self.strands])
        found: list[tuple[int, np.ndarray]] = []
        for k, order in enumerate(np.argsort(levels, axis=0, kind="stable").T):
            if not found or (order != found[-1][1]).any():
                found.append((k, order))
        return found


def still_strand(kind: str, layer: str, look: Mapping[str, Any], points: Any, level: float) -> Strand:
    """A drawing element that does not move during the film."""
    return Strand(kind, layer, look, np.asarray(points, float).reshape(1, -1, 2), np.array([level]))


def moving_strand(kind: str, layer: str, look: Mapping[str, Any], points: np.ndarray, level: float) -> Strand:
    """A drawing element with points at all key instants, instants × points × 2."""
    return Strand(kind, layer, look, _without_repetition(points), np.array([level]))


def join_strokes(frames: Sequence[Sequence[Stroke]], layer: str = "mechanism") -> list[Strand]:
    """Join the strokes of the drawings of all key instants to strands, which are drawing elements over time.

    A part that is drawn differently at some instants, such as a spring that is too short to be visible, has a set of
    strands for each variant, and one of these sets is shown at a time.
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
    """Points at all key instants, or at one instant if they are at rest."""
    return points[:1] if float(np.ptp(points, axis=0).max(initial=0.0)) < STILL_TOLERANCE else points


SHORT, LONG = 1.0, 60.0
"""Shortest and longest duration (s) of motions that are shown in real time by default."""

TURN = np.radians(6.0)
"""Largest rotation of a body (rad) between two neighbouring instants from which the key instants are selected."""

FEW = 5
"""Largest number of computed instants for which motion is interpolated linearly instead of smoothly."""


def default_speed(duration: float) -> float:
    """Default speed of a film of a motion, in seconds of motion per second of film.

    Motions of one second to one minute are shown in real time. Films of shorter motions last two to five seconds, films
    of longer motions up to a minute. Speeds are 1, 2 or 5 times a power of ten, or the reciprocal of such a number.
    """
    if duration < SHORT:
        return round_number_below(duration / 2)
    return 1.0 if duration <= LONG else 1 / round_number_below(LONG / duration)


def speed_in_words(speed: float) -> str:
    """Text on the speed of a film, e.g. "10 times slower"."""
    if abs(speed - 1) < 1e-9:
        return "real time"
    return f"{1 / speed:.4g} times slower" if speed < 1 else f"{speed:.4g} times faster"


def instants_of(result: Result) -> tuple[np.ndarray, np.ndarray]:
    """Times of a result in ascending order without duplicates, and their indices in the arrays of the result."""
    times, places = np.unique(result.time, return_index=True)
    return times, places


def even_times(times: np.ndarray, count: int) -> np.ndarray:
    """`count` evenly spaced instants from the first to the last of `times`.

    The array `times` itself is returned if it already consists of these instants.
    """
    even = np.linspace(times[0], times[-1], count)
    same = len(times) == count and np.allclose(times, even, rtol=0, atol=1e-9 * np.ptp(times))
    return times if same else even


def largest_turning(poses: Mapping[str, np.ndarray]) -> float:
    """Largest total rotation (rad) of a body, summed over all time intervals; poses are instants × 3 × 4."""
    largest = 0.0
    for X in poses.values():
        R = X[:, :, :3]
        cosines = (np.einsum("tij,tij->t", R[1:], R[:-1]) - 1) / 2
        largest = max(largest, float(np.arccos(np.clip(cosines, -1, 1)).sum()))
    return largest


def interpolate_smoothly(times: np.ndarray, values: np.ndarray, instants: np.ndarray) -> np.ndarray:
    """Values at `instants` by Akima interpolation along the first axis, which is smooth without overshoot."""
    if instants is times:
        return values
    if len(times) <= FEW:
        return interpolate_linearly(times, values, instants)
    from scipy.interpolate import Akima1DInterpolator

    curve: np.ndarray = Akima1DInterpolator(times, values, axis=0)(np.clip(instants, times[0], times[-1]))
    return curve


def interpolate_linearly(times: np.ndarray, values: np.ndarray, instants: np.ndarray) -> np.ndarray:
    """Values at `instants` by linear interpolation along the first axis."""
    if instants is times:
        return values
    k = np.clip(np.searchsorted(times, instants, side="right") - 1, 0, len(times) - 2)
    share = ((instants - times[k]) / (times[k + 1] - times[k])).reshape(-1, *[1] * (values.ndim - 1))
    found: np.ndarray = (1 - share) * values[k] + share * values[k + 1]
    return found


def interpolate_poses(times: np.ndarray, poses: np.ndarray, instants: np.ndarray) -> np.ndarray:
    """Poses [R | p] interpolated at `instants`, instants × 3 × 4.

    Interpolated rotation matrices are replaced by the nearest orthogonal matrix, R ← U Vᵀ, with the singular
    value decomposition R = U Σ Vᵀ.
    """
    if instants is times:
        return poses
    found = interpolate_smoothly(times, poses, instants)
    U, _, Vt = np.linalg.svd(found[:, :, :3])
    return np.concatenate([U @ Vt, found[:, :, 3:]], axis=2)


def key_instants(times: np.ndarray, places: np.ndarray, tolerance: float, most: int) -> np.ndarray:
    """Indices of a small set of instants between which linear interpolation of all points is sufficiently accurate.

    `places` are points on the page, instants × points × 2; `tolerance` is the largest error in points of the page. If
    more than `most` instants would be needed, the tolerance is increased.
    """
    while True:
        kept = _split_at_worst(times, places, tolerance)
        if len(kept) <= most:
            return kept
        tolerance *= 2


def _split_at_worst(times: np.ndarray, places: np.ndarray, tolerance: float) -> np.ndarray:
    """Indices of instants between which the `places` can be interpolated linearly with errors up to `tolerance`, found
    by splitting intervals at the largest interpolation error until it is small enough."""
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
