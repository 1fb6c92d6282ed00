"""How do efforts, bearing loads and moments run over the motion: curves, with the largest named at their peaks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from multiloop.questions import Result
from multiloop.view.bars import Bar, draw_bars
from multiloop.view.colours import GREY, INK
from multiloop.view.framing import page_of
from multiloop.view.histories import (
    UNNAMED,
    History,
    effort_panels,
    efforts_of,
    joint_colours,
    loads_of,
    moments_of,
    named,
    positions_of,
)
from multiloop.view.labels import extent, plain
from multiloop.view.panels import Layout, dress, label_time
from multiloop.view.peaks import Curve, name_peaks, scaled
from multiloop.view.saving import save_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DASHED = (0, (4, 2))
PARTS = ("-", (0, (1, 1.2)), (0, (6, 1.5, 1, 1.5)))
"""Strokes that tell the coordinates of one joint apart."""

STROKE = 40.0
"""Points that an entry of a legend takes besides its name."""

CARRIED = {"load": "N", "moment": "N m"}
"""What a joint carries, with its unit."""


def plot_result(
    result: Result,
    *,
    drawing: bool = False,
    traces: str | Sequence[str] = (),
    path: str | Path | None = None,
    axes: Sequence[Any] | None = None,
) -> Figure:
    """Plot efforts above, torques and forces apart, and the loads of all joints below, with the moments if any.

    After `simulate` the free positions stand on top. All run over time, or over the drive's angle in degrees
    where a single revolute drive turns; a result of one instant is drawn as bars. Efforts are those of drives,
    of actuators and of `efforts=`; without any the panel is left out. A joint has one colour everywhere. What
    equilibrium alone does not determine is dashed. With `drawing`, or with `traces`, the mechanism at its first
    instant stands beside them, with the paths of the markers named in `traces`. With `path` the picture is
    saved. `axes` are matplotlib axes to plot in, one for each panel; without them a figure is made. Nothing is
    shown on a screen.
    """
    single = len(result.time) == 1
    shown = {"positions": positions_of(result) and not single, **effort_panels(result), "loads": True}
    shown["moments"] = bool(moments_of(result))
    names = [name for name, present in shown.items() if present]
    paths = [result.marker(name) for name in ([traces] if isinstance(traces, str) else traces)]
    axes = _checked(axes, names, drawing or bool(paths))
    axes = axes or Layout(result, names).axes(paths if drawing or paths else None)
    chosen = dict(zip(names, axes, strict=True))
    (_draw_instant if single else _draw_curves)(result, chosen)
    figure: Figure = axes[0].figure
    if path is not None:
        save_figure(figure, path)
    return figure


def _checked(axes: Sequence[Any] | None, names: Sequence[str], drawing: bool) -> list[Any]:
    """The axes that were given, as many as there are panels; none when a figure is to be made."""
    if axes is None:
        return []
    if drawing:
        raise ValueError("`axes` take the curves only: leave `drawing` and `traces` out, or leave `axes` out")
    found = list(np.ravel(np.asarray(axes, dtype=object)))
    if len(found) != len(names):
        raise ValueError(
            f"{len(found)} axes are given, but the result has {len(names)} "
            f"panel{'s' if len(names) != 1 else ''}: {', '.join(names)}"
        )
    return found


def _draw_curves(result: Result, axes: dict[str, Any]) -> None:
    x, words, degrees = _abscissa(result)
    colours = joint_colours(result)
    for each in axes.values():
        dress(each, x, degrees)
    if "positions" in axes:
        _plot_positions(axes["positions"], positions_of(result), x, colours)
    for panel, efforts in effort_panels(result).items():
        _plot_efforts(axes[panel], efforts, x, colours)
    _plot_carried(axes["loads"], result, "load", loads_of(result), x, colours)
    if "moments" in axes:
        _plot_carried(axes["moments"], result, "moment", moments_of(result), x, colours)
    label_time(list(axes.values()), words)


def _abscissa(result: Result) -> tuple[np.ndarray, str, bool]:
    """The drive's angle in degrees where one revolute drive turns steadily one way, else time."""
    drives, planar = result.mechanism.drives, result.mechanism.planar
    if len(drives) == 1 and not drives[0].on_marker and not positions_of(result):
        joint = result.mechanism.joint(drives[0].of)
        steps = np.diff(result[joint.name].position, axis=0)
        if joint.turning(planar) == (True,) and steps.size and ((steps > 0).all() or (steps < 0).all()):
            return np.degrees(result[joint.name].position), f"angle of '{joint.name}' (°)", True
    return result.time, "time (s)", False


def _plot_positions(axes: Any, found: list[History], x: np.ndarray, colours: dict[str, str]) -> None:
    """Angles in degrees, lengths in metres, and radians where both stand on one axis."""
    lengths = [history.length for history in found]
    unit = "m" if all(lengths) else "rad or m" if any(lengths) else "°"
    factor = 180 / np.pi if unit == "°" else 1.0
    _plot_histories(axes, found, x, colours, factor)
    axes.set_ylabel(f"position ({unit})", fontsize=9, color=INK)


def _plot_efforts(axes: Any, found: list[History], x: np.ndarray, colours: dict[str, str]) -> None:
    divisor, unit = _effort_scale(found)
    curves = _plot_histories(axes, found, x, colours, 1 / divisor, zero=True)
    axes.set_ylabel(f"effort ({unit})", fontsize=9, color=INK)
    if len(curves) == 1:  # its name stands at its peak
        axes.get_legend().remove()
        name_peaks(axes, x, curves, unit)


def _effort_scale(found: list[History]) -> tuple[float, str]:
    largest = max(float(np.abs(history.values).max()) for history in found)
    return scaled(largest, found[0].effort_unit)


def _plot_histories(
    axes: Any,
    found: list[History],
    x: np.ndarray,
    colours: dict[str, str],
    factor: float,
    *,
    zero: bool = False,
) -> list[Curve]:
    """Curves with a legend above them."""
    curves = []
    for history in found:
        colour, style = colours[history.joint], PARTS[history.part % len(PARTS)]
        axes.plot(x, factor * history.values, color=colour, lw=1.7, ls=style, label=plain(history.label))
        curves.append(Curve(history.label, factor * history.values, colour))
    if zero:
        axes.axhline(0.0, color=GREY, lw=0.7)
    low, high = axes.get_ylim()
    columns = _legend_columns(axes, [curve.name for curve in curves])
    rows = -(-len(curves) // columns)
    axes.set_ylim(low - 0.05 * (high - low), high + (0.06 + 0.14 * rows) * (high - low))
    axes.legend(fontsize=8, frameon=False, ncols=columns, loc="upper right")
    return curves


def _legend_columns(axes: Any, names: Sequence[str]) -> int:
    """As many columns as fit beside each other, each as wide as the longest name with its stroke; at most six."""
    width = float(np.diff(page_of(axes)[:, 0])[0])
    widest = max(float(extent(name, 8.0)[0]) for name in names) + STROKE
    return int(np.clip(width // widest, 1, min(6, len(names))))


def _plot_carried(
    axes: Any,
    result: Result,
    what: str,
    carried: dict[str, np.ndarray],
    x: np.ndarray,
    colours: dict[str, str],
) -> None:
    """Loads or moments of the joints, largest first."""
    strong = named(carried)
    largest = max((float(values.max(initial=0.0)) for values in carried.values()), default=0.0)
    divisor, unit = scaled(largest, CARRIED[what])
    curves = []
    for rank, (name, values) in enumerate(carried.items()):
        look: dict[str, Any] = {"color": colours[name], "label": plain(name)}
        look |= {"lw": 1.5 if name in strong else 0.9, "ls": "-" if result[name].determined else DASHED}
        axes.plot(x, values / divisor, zorder=3 - 0.05 * rank, **look)
        curves.append(Curve(name, values / divisor, colours[name], name in strong))
    axes.set_ylim(0.0, 1.12 * largest / divisor or 1.0)
    axes.set_ylabel(f"{what} of the joints ({unit})", fontsize=9, color=INK)
    _explain(axes, result, carried, "dashed", grey=UNNAMED in [colours[name] for name in carried])
    name_peaks(axes, x, curves, unit)


def _draw_instant(result: Result, axes: dict[str, Any]) -> None:
    """Bars of the efforts and of the loads at the only instant; joints without an effort in one grey."""
    told = {history.joint for history in efforts_of(result)}
    colours = {name: hue if name in told else UNNAMED for name, hue in joint_colours(result).items()}
    for each in axes.values():
        dress(each, result.time, False)
    when = f"at t = {result.time[0]:g} s"
    for panel, found in effort_panels(result).items():
        divisor, unit = _effort_scale(found)
        bars = [Bar(h.label, float(h.values[0]) / divisor, colours[h.joint]) for h in found]
        draw_bars(axes[panel], bars, f"effort ({unit})")
    for what, carried in (("load", loads_of(result)), ("moment", moments_of(result))):
        if f"{what}s" not in axes:
            continue
        divisor, unit = scaled(
            max((float(values[0]) for values in carried.values()), default=0.0), CARRIED[what]
        )
        bars = [
            Bar(name, float(values[0]) / divisor, colours[name], not result[name].determined)
            for name, values in carried.items()
        ]
        draw_bars(axes[f"{what}s"], bars, f"{what} of the joints ({unit}), {when}")
        _explain(axes[f"{what}s"], result, carried, "hollow", grey=False)


def _explain(axes: Any, result: Result, carried: Iterable[str], doubtful: str, *, grey: bool) -> None:
    """A line above loads or moments on what dashes and grey mean, where they occur."""
    words = []
    if not all(result[name].determined for name in carried):
        words.append(f"{doubtful}: not determined by equilibrium")
    if grey:
        words.append("grey: not named")
    if words:
        axes.set_title("; ".join(words), loc="right", fontsize=7.5, color=GREY, pad=4)
