"""How do efforts and bearing loads run over the motion: curves, with the largest ones named at their peaks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from multiloop.questions import Result
from multiloop.view.colours import BODIES, DRIVE, GREY, INK, shaded, tinted
from multiloop.view.framing import blank_figure
from multiloop.view.labels import plain
from multiloop.view.mechanism import draw_scene
from multiloop.view.peaks import Curve, name_peaks, scaled
from multiloop.view.scene import Scene

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NAMED, SMALL = 7, 0.2
"""Most joints whose load is drawn strongly and named at its peak; how small against the largest it may be."""


def plot_result(
    result: Result,
    *,
    drawing: bool = False,
    traces: Sequence[str] = (),
    path: str | Path | None = None,
    axes: Sequence[Any] | None = None,
) -> Figure:
    """Plot efforts above and the loads of all joints below.

    They run over time, or over the drive's angle in degrees where a single revolute drive turns. Loads that
    equilibrium alone does not determine are dashed. With `drawing` the mechanism at its first instant stands
    beside them, with the paths of the markers named in `traces`. With `path` the picture is saved. `axes` are
    two matplotlib axes to plot in; without them a figure is made. Nothing is shown on a screen.
    """
    if axes is None:
        axes = _sheet(result, traces) if drawing else _page(result)
    x, words, degrees = _abscissa(result)
    for each in axes:
        _dress(each, x, degrees)
    _plot_efforts(axes[0], result, x)
    _plot_loads(axes[1], result, x)
    axes[0].tick_params(labelbottom=False)
    axes[1].set_xlabel(plain(words), fontsize=9, color=INK)
    figure = axes[0].figure
    if path is not None:
        figure.savefig(path, dpi=200)
    return figure


def _page(result: Result) -> tuple[Any, Any]:
    """Two axes, one above the other, on a page of their own."""
    figure = blank_figure(np.array([540.0, 470.0]))
    upper = figure.add_axes((0.12, 0.57, 0.85, 0.36))
    upper.set_title(plain(result.mechanism.name), loc="left", fontsize=11, fontweight="bold", color=INK)
    return upper, figure.add_axes((0.12, 0.10, 0.85, 0.42), sharex=upper)


def _sheet(result: Result, traces: Sequence[str]) -> tuple[Any, Any]:
    """The same beside a drawing of the mechanism."""
    figure = blank_figure(np.array([1080.0, 540.0]))
    left = figure.add_axes((0.0, 0.0, 0.53, 0.94), projection=None if result.mechanism.planar else "3d")
    paths = [result.marker(reference) for reference in traces]
    draw_scene(Scene(result.mechanism, {body: X[0] for body, X in result.poses.items()}), paths, left)
    figure.text(
        0.012, 0.96, plain(result.mechanism.name), fontsize=12, fontweight="bold", color=INK, va="center"
    )
    upper = figure.add_axes((0.59, 0.58, 0.40, 0.36))
    return upper, figure.add_axes((0.59, 0.09, 0.40, 0.44), sharex=upper)


def _abscissa(result: Result) -> tuple[np.ndarray, str, bool]:
    """The drive's angle in degrees where one revolute drive turns steadily one way, else time."""
    drives, planar = result.mechanism.drives, result.mechanism.planar
    if len(drives) == 1 and not drives[0].on_marker:
        joint = result.mechanism.joint(drives[0].of)
        steps = np.diff(result[joint.name].position, axis=0)
        if joint.turning(planar) == (True,) and steps.size and ((steps > 0).all() or (steps < 0).all()):
            return np.degrees(result[joint.name].position), f"angle of '{joint.name}' (°)", True
    return result.time, "time (s)", False


def _plot_efforts(axes: Any, result: Result, x: np.ndarray) -> None:
    found = _efforts(result)
    largest = max([float(np.abs(values).max()) for _, _, values in found], default=0.0)
    divisor, unit = scaled(largest, " or ".join(sorted({unit for _, unit, _ in found})) or "N m")
    alone = len(found) == 1
    curves = [
        Curve(name, values / divisor, DRIVE if alone else shaded(BODIES[k % len(BODIES)], 0.9), alone)
        for k, (name, _, values) in enumerate(found)
    ]
    for curve in curves:
        axes.plot(x, curve.values, color=curve.colour, lw=1.7, label=plain(curve.name))
    axes.axhline(0.0, color=GREY, lw=0.7)
    axes.set_ylabel(f"effort ({unit})", fontsize=9, color=INK)
    low, high = axes.get_ylim()
    axes.set_ylim(low - 0.05 * (high - low), high + (0.12 if alone else 0.22) * (high - low))
    if alone:
        name_peaks(axes, x, curves, unit)
    elif curves:
        axes.legend(fontsize=8, frameon=False, ncols=min(6, len(curves)), loc="upper right")


def _efforts(result: Result) -> list[tuple[str, str, np.ndarray]]:
    """Name, unit and values of every effort that is not zero throughout."""
    mechanism, found = result.mechanism, []
    driven = {motion.of for motion in mechanism.drives} | {actuator.joint for actuator in mechanism.actuators}
    for name, joint in result.joints.items():
        turns = mechanism.joint(name).turning(mechanism.planar)
        parts = mechanism.joint(name).components(mechanism.planar)
        for k, values in enumerate(np.atleast_2d(joint.effort.T)):
            if name in driven and values.size and np.abs(values).max() > 0:
                unit = "N m" if k < len(turns) and turns[k] else "N"
                found.append((name if len(parts) == 1 else f"{name} ({parts[k]})", unit, values))
    return found


def _plot_loads(axes: Any, result: Result, x: np.ndarray) -> None:
    loads = sorted(result.joints.items(), key=lambda item: -float(item[1].load.max(initial=0.0)))
    largest = float(loads[0][1].load.max(initial=0.0)) if loads else 0.0
    divisor, unit = scaled(largest, "N")
    curves = []
    for rank, (name, joint) in enumerate(loads):
        named = rank < NAMED and joint.load.max(initial=0.0) > SMALL * largest
        colour = shaded(BODIES[rank % len(BODIES)], 0.85) if named else tinted(GREY, 0.6)
        look = {"lw": 1.5 if named else 0.9, "ls": "-" if joint.determined else (0, (4, 2))}
        axes.plot(x, joint.load / divisor, color=colour, zorder=3 - 0.05 * rank, **look)
        curves.append(Curve(name, joint.load / divisor, colour, named))
    axes.set_ylim(0.0, 1.12 * largest / divisor or 1.0)
    axes.set_ylabel(f"load of the joints ({unit})", fontsize=9, color=INK)
    name_peaks(axes, x, curves, unit)


def _dress(axes: Any, x: np.ndarray, degrees: bool) -> None:
    """Plain axes: light grid, no box, eighths or quarters of a turn where the axis is an angle."""
    from matplotlib.ticker import MultipleLocator

    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(GREY)
    axes.grid(True, color="#e4e4e4", lw=0.7)
    axes.set_axisbelow(True)
    axes.tick_params(labelcolor=INK, labelsize=8, color=GREY)
    if len(x) > 1:
        axes.set_xlim(min(x[0], x[-1]), max(x[0], x[-1]))
        if degrees and abs(x[-1] - x[0]) > 120:
            axes.xaxis.set_major_locator(MultipleLocator(45 if abs(x[-1] - x[0]) <= 400 else 90))
