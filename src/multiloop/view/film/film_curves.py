"""Curves below the picture of a film: selection, axes, displayed values, and the time cursor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from multiloop.analyses import Result
from multiloop.analyses.results import output_curves, outputs_of_result
from multiloop.model import UnknownNameError, suggestion
from multiloop.view.drawing import TEXT_LEVEL
from multiloop.view.figure import BODIES, GREY, INK, LOAD, PAPER, UNNAMED, drawing_error, shaded
from multiloop.view.film.reel import (
    Strand,
    instants_of,
    interpolate_linearly,
    moving_strand,
    still_strand,
    text_style,
)
from multiloop.view.label_placement import text_extent
from multiloop.view.plots.axis_scales import Units
from multiloop.view.plots.joint_histories import (
    free_positions,
    joint_colours,
    joint_loads,
    largest_named,
    nonzero_efforts,
)
from multiloop.view.plots.panel_curves import COMPONENT_DASHES

CURVE_KINDS = ("efforts", "positions", "loads")
"""Groups of curves that can be requested by one name."""

QUANTITIES = {"N": "force", "N m": "moment", "rad": "angle"}
"""Quantities whose values are converted for display, by SI unit: angles to degrees, large forces and moments to kN and
kN m."""

Dashes = tuple[float, ...]


@dataclass(frozen=True, eq=False)
class FilmCurve:
    """A curve of a film: `values` of a quantity at the instants of a result, in the given unit, with name and line
    style.

    `what` is the quantity, e.g. "effort".
    """

    name: str
    what: str
    unit: str
    values: np.ndarray
    colour: str
    dashes: Dashes = ()


@dataclass(frozen=True, eq=False)
class FilmPanel:
    """A panel of a film: curves of one quantity and unit over time."""

    label: str
    unit: str
    times: np.ndarray
    curves: Sequence[FilmCurve]


def film_panels(result: Result, show: str | Sequence[str] | None) -> list[FilmPanel]:
    """Panels of the requested curves, with one panel for each quantity and unit; empty if `show` is an empty list.

    `show` contains "efforts", "positions" or "loads", or names such as "C.load", "A.position" or "gas.force". By
    default the efforts are shown; if there are none, the positions that are not driven; and if there are none, the
    loads.
    """
    if show is None:
        found = next((curves for kind in CURVE_KINDS if (curves := _of_kind(result, kind))), [])
    else:
        asked = [show] if isinstance(show, str) else show
        found = [curve for name in asked for curve in _curves_named(result, name)]
    times, order = instants_of(result)
    panels: dict[tuple[str, str], list[FilmCurve]] = {}
    for curve in found:
        panels.setdefault((curve.what, curve.unit), []).append(curve)
    return [_panel(times, order, curves) for curves in panels.values()]


def _panel(times: np.ndarray, order: np.ndarray, curves: Sequence[FilmCurve]) -> FilmPanel:
    """A panel of curves of one quantity and unit, with angles in degrees and large forces in kN.

    `order` are the indices of the instants `times` in the arrays of the result.
    """
    what, unit = curves[0].what, curves[0].unit
    largest = max(float(np.abs(curve.values).max(initial=0.0)) for curve in curves)
    factor, shown_unit = Units().scale(QUANTITIES[unit], largest) if unit in QUANTITIES else (1.0, unit)
    ready = [
        FilmCurve(c.name, c.what, shown_unit, factor * c.values[order], c.colour, c.dashes) for c in curves
    ]
    return FilmPanel(f"{what} ({shown_unit})" if shown_unit else what, shown_unit, times, ready)


def _curves_named(result: Result, name: str) -> list[FilmCurve]:
    """Curves that a name requests; raises an error if there are none."""
    found = _of_kind(result, name) if name in CURVE_KINDS else _of_name(result, name)
    if found:
        return found
    others = [kind for kind in CURVE_KINDS if _of_kind(result, kind)]
    remedy = f"Choose among: {', '.join(others)}." if others else 'Name curves, e.g. show="A.position".'
    raise drawing_error(result.mechanism, "V01", f"show '{name}'", f"there are no {name} to show.", remedy)


def _of_kind(result: Result, kind: str) -> list[FilmCurve]:
    colours = joint_colours(result)
    if kind == "efforts":
        return [
            FilmCurve(h.label, "effort", h.effort_unit, h.values, colours[h.joint], _dashes(h.part))
            for h in nonzero_efforts(result)
        ]
    if kind == "positions":
        return [
            FilmCurve(
                h.label, "position", "m" if h.length else "rad", h.values, colours[h.joint], _dashes(h.part)
            )
            for h in free_positions(result)
        ]
    if kind == "loads":
        carried = joint_loads(result)
        return [FilmCurve(name, "load", "N", carried[name], colours[name]) for name in largest_named(carried)]
    return []


def _of_name(result: Result, name: str) -> list[FilmCurve]:
    """Curves of an output, requested by a name such as "C.load", "A.rate" or "gas.force"."""
    if not isinstance(name, str) or "." not in name:
        known = (*CURVE_KINDS, *outputs_of_result(result))
        raise UnknownNameError(result.mechanism.name, "curve", str(name), suggestion(name, known))
    curves = output_curves(result, name)
    if not all(np.isfinite(one.values).all() for one in curves):
        what = "is infinite at some instants, which a film cannot show."
        raise drawing_error(result.mechanism, "V01", f"show '{name}'", what, "Plot it with `result.plot`.")
    return [
        FilmCurve(
            one.label,
            one.output.quantity.removesuffix("_size"),
            one.unit,
            one.values,
            _colour(result, one.output.owner),
            _dashes(one.part),
        )
        for one in curves
    ]


def _colour(result: Result, owner: str) -> str:
    """Colour of the curves of a joint, load or other owner; curves requested by name are not grey."""
    if owner not in result.joints:
        return LOAD
    colour = joint_colours(result)[owner]
    return (
        shaded(BODIES[list(result.joints).index(owner) % len(BODIES)], 0.85) if colour == UNNAMED else colour
    )


def _dashes(part: int) -> Dashes:
    style = COMPONENT_DASHES[part % len(COMPONENT_DASHES)]
    return () if isinstance(style, str) else tuple(style[1])


HEIGHT, BETWEEN, BELOW, ABOVE = 84.0, 22.0, 34.0, 18.0
"""Heights in points: of a panel, of the gap between two panels, of the time axis below the last panel, and of the space
above the first panel."""

LEFT, RIGHT, HEAD = 54.0, 16.0, 11.0
"""Margins in points to the left and right of the panels, and distance from the top of a panel to the middle of the text
above it."""

GRID, WIDTH = "#e4e4e4", 1.6
"""Colour of the grid, and width of a curve in points."""

AXES_LEVEL, CURVE_LEVEL, CURSOR_LEVEL = 0.1, 0.5, 0.8

MOST, DIGITS = 900, 4
"""Largest number of points with which a curve is drawn, and number of digits with which its largest values are
shown."""


def height_of(panels: Sequence[FilmPanel]) -> float:
    """Total height of all panels of a film in points; 0 without panels."""
    return ABOVE + len(panels) * (HEIGHT + BETWEEN) - BETWEEN + BELOW if panels else 0.0


def box_of(panels: Sequence[FilmPanel], width: float, k: int) -> np.ndarray:
    """Lower left and upper right corner of panel k on the page; the first panel is on top."""
    low = BELOW + (len(panels) - 1 - k) * (HEIGHT + BETWEEN)
    return np.array([[LEFT, low], [width - RIGHT, low + HEIGHT]])


def curve_strands(panels: Sequence[FilmPanel], width: float, times: np.ndarray) -> list[Strand]:
    """Drawing elements of all panels; `times` are the key instants of the film."""
    found: list[Strand] = []
    for k, panel in enumerate(panels):
        box, limits = box_of(panels, width, k), _limits(panel)
        found += _axes(panel, box, limits, last=k == len(panels) - 1)
        for curve in panel.curves:
            line = _on_page(panel, box, limits, *_thinned(panel.times, curve.values))
            dashes = tuple(WIDTH * dash for dash in curve.dashes)
            look = {"colour": curve.colour, "width": WIDTH, "dashes": dashes, "cap": "butt"}
            found.append(still_strand("line", "curves", look, line, CURVE_LEVEL))
        found += _readouts(panel, box, times)
        found += _cursor(panel, box, limits, times)
    return found


def dots_on_page(panels: Sequence[FilmPanel], width: float, times: np.ndarray) -> np.ndarray:
    """Points on the page of all curves at the given times, times × curves × 2."""
    found = [
        _on_page(panel, box_of(panels, width, k), _limits(panel), times, _at(panel, curve, times))
        for k, panel in enumerate(panels)
        for curve in panel.curves
    ]
    return np.stack(found, axis=1) if found else np.zeros((len(times), 0, 2))


def _axes(panel: FilmPanel, box: np.ndarray, limits: tuple[float, float], *, last: bool) -> list[Strand]:
    """Drawing elements of the axes of a panel: grid, values at the ticks, and labels.

    The time axis is labelled only in the `last` panel.
    """
    (left, low), (right, high) = box
    across, up = _ticks(float(panel.times[0]), float(panel.times[-1]), 9), _ticks(*limits, 4)
    x = _on_page(panel, box, limits, across, np.full(len(across), limits[0]))[:, 0]
    y = _on_page(panel, box, limits, np.full(len(up), panel.times[0]), up)[:, 1]
    grid = [end for at in x for end in ((at, low), (at, high))]
    grid += [end for at in y for end in ((left, at), (right, at))]
    frame = [(left, high), (left, low), (right, low)]
    line = {"dashes": (), "cap": "butt"}
    found = [
        still_strand("strokes", "curves", {"colour": GRID, "width": 0.7}, grid, AXES_LEVEL),
        still_strand("line", "curves", {"colour": GREY, "width": 0.9, **line}, frame, AXES_LEVEL + 0.1),
        _words(panel.label, (8.0, high + HEAD), ha="left"),
    ]
    found += [_words(_tick(v, up), (left - 5, at), ha="right") for v, at in zip(up, y, strict=True)]
    if last:
        found += [_words(_tick(v, across), (at, low - 9)) for v, at in zip(across, x, strict=True)]
        found.append(_words("time (s)", ((left + right) / 2, low - 23)))
    return found


def _readouts(panel: FilmPanel, box: np.ndarray, times: np.ndarray) -> list[Strand]:
    """Texts with the name and current value of each curve in a row above the panel, as many as fit."""
    found: list[Strand] = []
    right = float(box[1, 0])
    start = 14.0 + float(text_extent(panel.label, 8.0)[0])
    largest = max(abs(limit) for limit in _limits(panel))
    decimals = max(0, DIGITS - 1 - int(np.floor(np.log10(largest))))
    for curve in reversed(panel.curves):
        width = float(text_extent(f"{curve.name}: −0000.0", 8.0)[0]) + 8
        if right - width < start:
            break
        look = text_style("", curve.colour, 8.0, ha="right")
        look |= {"before": f"{curve.name}: ", "after": "", "decimals": decimals}
        points = np.array([[[right, box[1, 1] + HEAD]]])
        values = _at(panel, curve, times)
        found.append(Strand("readout", "curves", look, points, np.array([TEXT_LEVEL]), values=values))
        right -= width
    return found


def _cursor(
    panel: FilmPanel, box: np.ndarray, limits: tuple[float, float], times: np.ndarray
) -> list[Strand]:
    """Drawing elements of the time cursor: a vertical line at the current time, and a dot on every curve."""
    ends = [_on_page(panel, box, limits, times, np.full(len(times), limit)) for limit in limits]
    look = {"colour": INK, "width": 1.0, "dashes": (), "cap": "butt"}
    found = [moving_strand("line", "curves", look, np.stack(ends, axis=1), CURSOR_LEVEL)]
    for curve in panel.curves:
        at = _on_page(panel, box, limits, times, _at(panel, curve, times))
        dot = {"face": curve.colour, "edge": PAPER, "width": 0.8, "diameter": 5.5, "shape": "disc"}
        found.append(moving_strand("dot", "curves", dot, at[:, None], CURSOR_LEVEL + 0.1))
    return found


def _at(panel: FilmPanel, curve: FilmCurve, times: np.ndarray) -> np.ndarray:
    return interpolate_linearly(panel.times, curve.values, times)


def _on_page(
    panel: FilmPanel, box: np.ndarray, limits: tuple[float, float], times: np.ndarray, values: np.ndarray
) -> np.ndarray:
    """Positions on the page (points, n × 2) at which a panel shows the given `values` at the given `times`.

    `box` are the lower left and upper right corner of the panel on the page, and `limits` the values at its lower and
    upper edge.
    """
    begin, end = panel.times[0], panel.times[-1]
    shares = np.column_stack(
        [(times - begin) / (end - begin), (values - limits[0]) / (limits[1] - limits[0])]
    )
    places: np.ndarray = box[0] + shares * (box[1] - box[0])
    return places


def _limits(panel: FilmPanel) -> tuple[float, float]:
    """Limits of the vertical axis of a panel: smallest and largest value, including zero, with a small margin."""
    low = min(0.0, *(float(curve.values.min()) for curve in panel.curves))
    high = max(0.0, *(float(curve.values.max()) for curve in panel.curves))
    room = 0.06 * (high - low) or 1.0
    return low - room * (low < 0), high + room * (high > 0 or low == high)


def _ticks(low: float, high: float, most: int) -> np.ndarray:
    """Round numbers between two limits at which ticks are drawn, about `most` of them."""
    from matplotlib.ticker import MaxNLocator

    ticks = np.asarray(MaxNLocator(nbins=most, steps=[1, 2, 2.5, 5, 10]).tick_values(low, high))
    slack = 1e-9 * (high - low)
    found: np.ndarray = ticks[(ticks >= low - slack) & (ticks <= high + slack)]
    return found


def _tick(value: float, ticks: np.ndarray) -> str:
    """Text of a tick value, with as many digits as distinguish neighbouring ticks, and a true minus sign."""
    step = float(np.diff(ticks).min()) if len(ticks) > 1 else abs(value) or 1.0
    digits = max(0, -int(np.floor(np.log10(step) + 1e-9)))
    if abs(round(step, digits) - step) > 1e-6 * step:  # e.g. 0.25 needs one more digit than 0.2
        digits += 1
    return f"{0.0 if abs(value) < 1e-9 * step else value:.{digits}f}".replace("-", "−")


def _thinned(times: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Points of a curve; a long curve is reduced to its ends and its smallest and largest values in short intervals."""
    if len(times) <= MOST:
        return times, values
    parts = np.array_split(np.arange(len(times)), MOST // 2)
    kept = np.unique(
        [k for part in parts for k in (part[values[part].argmin()], part[values[part].argmax()])]
    )
    kept = np.unique([0, *kept, len(times) - 1])
    return times[kept], values[kept]


def _words(words: str, place: Any, **style: Any) -> Strand:
    return still_strand("text", "curves", text_style(words, INK, 8.0, **style), place, TEXT_LEVEL)
