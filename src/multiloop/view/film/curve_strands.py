"""Curves on the page of a film: axes, ticks, names with current values, and a moving time cursor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from multiloop.view.colours import GREY, INK, PAPER
from multiloop.view.drawing import TEXT_LEVEL
from multiloop.view.film.curves import Curve, Panel
from multiloop.view.film.reel import Strand, moving, resting
from multiloop.view.film.strokes import text_look
from multiloop.view.film.timing import straight_between
from multiloop.view.labels import extent

HEIGHT, BETWEEN, BELOW, ABOVE = 84.0, 22.0, 34.0, 18.0
"""Points of a panel, between two panels, below the last for the time axis, and above the first."""

LEFT, RIGHT, HEAD = 54.0, 16.0, 11.0
"""Points to the left and right of the panels, and from the top of a panel to the middle of the text above it."""

GRID, WIDTH = "#e4e4e4", 1.6
"""The colour of the grid; the width of a curve, in points."""

AXES_LEVEL, CURVE_LEVEL, CURSOR_LEVEL = 0.1, 0.5, 0.8

MOST, DIGITS = 900, 4
"""Largest number of points of a curve; number of digits of the largest values."""


def height_of(panels: Sequence[Panel]) -> float:
    """Height of all panels in points."""
    return ABOVE + len(panels) * (HEIGHT + BETWEEN) - BETWEEN + BELOW if panels else 0.0


def box_of(panels: Sequence[Panel], width: float, k: int) -> np.ndarray:
    """Lower left and upper right corner of panel k on the page; the first panel is on top."""
    low = BELOW + (len(panels) - 1 - k) * (HEIGHT + BETWEEN)
    return np.array([[LEFT, low], [width - RIGHT, low + HEIGHT]])


def curve_strands(panels: Sequence[Panel], width: float, times: np.ndarray) -> list[Strand]:
    """All strands of the panels; `times` are the key instants of the film."""
    found: list[Strand] = []
    for k, panel in enumerate(panels):
        box, limits = box_of(panels, width, k), _limits(panel)
        found += _axes(panel, box, limits, last=k == len(panels) - 1)
        for curve in panel.curves:
            line = _on_page(panel, box, limits, *_thinned(panel.times, curve.values))
            dashes = tuple(WIDTH * dash for dash in curve.dashes)
            look = {"colour": curve.colour, "width": WIDTH, "dashes": dashes, "cap": "butt"}
            found.append(resting("line", "curves", look, line, CURVE_LEVEL))
        found += _readouts(panel, box, times)
        found += _cursor(panel, box, limits, times)
    return found


def dots_on_page(panels: Sequence[Panel], width: float, times: np.ndarray) -> np.ndarray:
    """Points of all curves at some times on the page, n×curves×2."""
    found = [
        _on_page(panel, box_of(panels, width, k), _limits(panel), times, _at(panel, curve, times))
        for k, panel in enumerate(panels)
        for curve in panel.curves
    ]
    return np.stack(found, axis=1) if found else np.zeros((len(times), 0, 2))


def _axes(panel: Panel, box: np.ndarray, limits: tuple[float, float], *, last: bool) -> list[Strand]:
    """Grid, ticks with their values, and the labels of the axes."""
    (left, low), (right, high) = box
    across, up = _ticks(float(panel.times[0]), float(panel.times[-1]), 9), _ticks(*limits, 4)
    x = _on_page(panel, box, limits, across, np.full(len(across), limits[0]))[:, 0]
    y = _on_page(panel, box, limits, np.full(len(up), panel.times[0]), up)[:, 1]
    grid = [end for at in x for end in ((at, low), (at, high))]
    grid += [end for at in y for end in ((left, at), (right, at))]
    frame = [(left, high), (left, low), (right, low)]
    line = {"dashes": (), "cap": "butt"}
    found = [
        resting("strokes", "curves", {"colour": GRID, "width": 0.7}, grid, AXES_LEVEL),
        resting("line", "curves", {"colour": GREY, "width": 0.9, **line}, frame, AXES_LEVEL + 0.1),
        _words(panel.label, (8.0, high + HEAD), ha="left"),
    ]
    found += [_words(_tick(v, up), (left - 5, at), ha="right") for v, at in zip(up, y, strict=True)]
    if last:
        found += [_words(_tick(v, across), (at, low - 9)) for v, at in zip(across, x, strict=True)]
        found.append(_words("time (s)", ((left + right) / 2, low - 23)))
    return found


def _readouts(panel: Panel, box: np.ndarray, times: np.ndarray) -> list[Strand]:
    """Name and value of every curve in its colour, in a row above the panel, as many as fit."""
    found: list[Strand] = []
    right = float(box[1, 0])
    start = 14.0 + float(extent(panel.label, 8.0)[0])
    largest = max(abs(limit) for limit in _limits(panel))
    decimals = max(0, DIGITS - 1 - int(np.floor(np.log10(largest))))
    for curve in reversed(panel.curves):
        width = float(extent(f"{curve.name}: −0000.0", 8.0)[0]) + 8
        if right - width < start:
            break
        look = text_look("", curve.colour, 8.0, ha="right")
        look |= {"before": f"{curve.name}: ", "after": "", "decimals": decimals}
        points = np.array([[[right, box[1, 1] + HEAD]]])
        values = _at(panel, curve, times)
        found.append(Strand("readout", "curves", look, points, np.array([TEXT_LEVEL]), values=values))
        right -= width
    return found


def _cursor(panel: Panel, box: np.ndarray, limits: tuple[float, float], times: np.ndarray) -> list[Strand]:
    """A vertical line at the current time, and a dot on every curve."""
    ends = [_on_page(panel, box, limits, times, np.full(len(times), limit)) for limit in limits]
    look = {"colour": INK, "width": 1.0, "dashes": (), "cap": "butt"}
    found = [moving("line", "curves", look, np.stack(ends, axis=1), CURSOR_LEVEL)]
    for curve in panel.curves:
        at = _on_page(panel, box, limits, times, _at(panel, curve, times))
        dot = {"face": curve.colour, "edge": PAPER, "width": 0.8, "diameter": 5.5, "shape": "disc"}
        found.append(moving("dot", "curves", dot, at[:, None], CURSOR_LEVEL + 0.1))
    return found


def _at(panel: Panel, curve: Curve, times: np.ndarray) -> np.ndarray:
    return straight_between(panel.times, curve.values, times)


def _on_page(
    panel: Panel, box: np.ndarray, limits: tuple[float, float], times: np.ndarray, values: np.ndarray
) -> np.ndarray:
    """Points of the page, n×2."""
    begin, end = panel.times[0], panel.times[-1]
    shares = np.column_stack(
        [(times - begin) / (end - begin), (values - limits[0]) / (limits[1] - limits[0])]
    )
    places: np.ndarray = box[0] + shares * (box[1] - box[0])
    return places


def _limits(panel: Panel) -> tuple[float, float]:
    """Limits from the smallest to the largest value, including zero, with a small margin."""
    low = min(0.0, *(float(curve.values.min()) for curve in panel.curves))
    high = max(0.0, *(float(curve.values.max()) for curve in panel.curves))
    room = 0.06 * (high - low) or 1.0
    return low - room * (low < 0), high + room * (high > 0 or low == high)


def _ticks(low: float, high: float, most: int) -> np.ndarray:
    """Round numbers within limits."""
    from matplotlib.ticker import MaxNLocator

    ticks = np.asarray(MaxNLocator(nbins=most, steps=[1, 2, 2.5, 5, 10]).tick_values(low, high))
    slack = 1e-9 * (high - low)
    found: np.ndarray = ticks[(ticks >= low - slack) & (ticks <= high + slack)]
    return found


def _tick(value: float, ticks: np.ndarray) -> str:
    """The value of a tick with as many digits as distinguish it from the next, and a true minus sign."""
    step = float(np.diff(ticks).min()) if len(ticks) > 1 else abs(value) or 1.0
    digits = max(0, -int(np.floor(np.log10(step) + 1e-9)))
    if abs(round(step, digits) - step) > 1e-6 * step:  # 0.25 has one more than 0.2
        digits += 1
    return f"{0.0 if abs(value) < 1e-9 * step else value:.{digits}f}".replace("-", "−")


def _thinned(times: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A long curve reduced to the smallest and largest values in many short intervals, and its ends."""
    if len(times) <= MOST:
        return times, values
    parts = np.array_split(np.arange(len(times)), MOST // 2)
    kept = np.unique(
        [k for part in parts for k in (part[values[part].argmin()], part[values[part].argmax()])]
    )
    kept = np.unique([0, *kept, len(times) - 1])
    return times[kept], values[kept]


def _words(words: str, place: Any, **style: Any) -> Strand:
    return resting("text", "curves", text_look(words, INK, 8.0, **style), place, TEXT_LEVEL)
