"""How do efforts and bearing loads run over the motion: curves, with the largest ones named at their peaks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from multiloop.questions import Result
from multiloop.view.colours import BODIES, DRIVE, GREY, INK, PAPER, shaded, tinted
from multiloop.view.framing import blank_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NAMED = 7
"""Joints whose load is drawn strongly and named at its peak."""


def plot_result(result: Result, *, path: str | Path | None = None, axes: Sequence[Any] | None = None) -> Figure:
    """Plot efforts above and the loads of all joints below.

    They run over time, or over the drive's angle in degrees where a single revolute drive turns. Loads that
    equilibrium alone does not determine are dashed. With `path` the picture is saved. `axes` are two
    matplotlib axes to draw in; without them a figure is made. Nothing is shown on a screen.
    """
    if axes is None:
        figure = blank_figure(np.array([540.0, 470.0]))
        grid = figure.add_gridspec(2, 1, height_ratios=(2, 3), hspace=0.12, left=0.12, right=0.97, top=0.92, bottom=0.1)
        upper = figure.add_subplot(grid[0])
        axes = (upper, figure.add_subplot(grid[1], sharex=upper))
        upper.set_title(result.mechanism.name, loc="left", fontsize=11, fontweight="bold", color=INK)
    x, words, degrees = _abscissa(result)
    _plot_efforts(axes[0], result, x)
    _plot_loads(axes[1], result, x)
    for each in axes:
        _dress(each, x, degrees)
    axes[0].tick_params(labelbottom=False)
    axes[1].set_xlabel(words, fontsize=9, color=INK)
    figure = axes[0].figure
    if path is not None:
        figure.savefig(path, dpi=200)
    return figure


def _abscissa(result: Result) -> tuple[np.ndarray, str, bool]:
    """The drive's angle in degrees where one revolute drive goes round or steadily one way, else time."""
    drives, planar = result.mechanism.drives, result.mechanism.planar
    if len(drives) == 1 and not drives[0].on_marker:
        joint = result.mechanism.joint(drives[0].of)
        steps = np.diff(np.atleast_1d(result[joint.name].position), axis=0)
        if joint.turning(planar) == (True,) and steps.size and ((steps > 0).all() or (steps < 0).all()):
            return np.degrees(result[joint.name].position), f"angle of '{joint.name}' (°)", True
    return result.time, "time (s)", False


def _plot_efforts(axes: Any, result: Result, x: np.ndarray) -> None:
    curves = _efforts(result)
    units = sorted({unit for _, unit, _ in curves}) or ["N m"]
    for k, (name, _, values) in enumerate(curves):
        colour = DRIVE if len(curves) == 1 else shaded(BODIES[k % len(BODIES)], 0.9)
        axes.plot(x, values, color=colour, lw=1.6, label=name)
    axes.axhline(0.0, color=GREY, lw=0.7)
    axes.set_ylabel(f"effort ({', '.join(units)})".replace("N m", "N·m"), fontsize=9, color=INK)
    axes.margins(y=0.16)
    if len(curves) == 1:
        _name_peak(axes, x, curves[0][2], f"{curves[0][0]}: ", curves[0][1].replace("N m", "N·m"), DRIVE)
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
    loads = sorted(result.joints.items(), key=lambda item: -float(item[1].load.max()))
    taken: list[tuple[float, float]] = []
    for rank, (name, joint) in reversed(list(enumerate(loads))):
        strong = rank < NAMED
        colour = shaded(BODIES[rank % len(BODIES)], 0.9) if strong else tinted(GREY, 0.6)
        style = "-" if joint.determined else (0, (4, 2))
        axes.plot(x, joint.load, color=colour, lw=1.5 if strong else 0.9, ls=style, zorder=3 - 0.1 * rank)
    axes.set_ylim(0.0, 1.12 * float(loads[0][1].load.max() if loads else 1.0) or 1.0)
    axes.set_ylabel("load of the joints (N)", fontsize=9, color=INK)
    for rank, (name, joint) in enumerate(loads[:NAMED]):
        _name_load(axes, x, joint.load, name, shaded(BODIES[rank % len(BODIES)], 0.75), taken)


def _name_peak(axes: Any, x: np.ndarray, values: np.ndarray, words: str, unit: str, colour: str) -> None:
    """The number at the largest magnitude."""
    k = int(np.abs(values).argmax())
    axes.plot([x[k]], [values[k]], "o", ms=4, color=colour)
    side = "left" if x[k] < (x[0] + x[-1]) / 2 else "right"
    shift = 7 if side == "left" else -7
    axes.annotate(
        f"{words}{values[k]:.4g} {unit}", (x[k], values[k]), (shift, 3), textcoords="offset points", ha=side, fontsize=8, color=colour
    )


def _name_load(
    axes: Any, x: np.ndarray, load: np.ndarray, name: str, colour: str, taken: list[tuple[float, float]]
) -> None:
    """The joint's name at its peak, moved aside until it stands free of the names before it."""
    k = int(load.argmax())
    width, height = abs(float(x[-1] - x[0])) or 1.0, axes.get_ylim()[1]
    place = np.array([(x[k] - min(x[0], x[-1])) / width, load[k] / height])
    axes.plot([x[k]], [load[k]], "o", ms=3.5, color=colour, zorder=4)
    words = f"{name} {load[k]:.4g}"
    reach = 0.0125 * len(words)
    options = [(side * (0.02 + reach / 2), lift) for lift in (0.0, 0.05, -0.05, 0.1, -0.1, 0.15, -0.15, 0.2, 0.25) for side in (1, -1)]
    for dx, dy in options:
        spot = (place[0] + dx, place[1] + dy)
        inside = reach / 2 < spot[0] < 1 - reach / 2 and 0.03 < spot[1] < 0.98
        if inside and all(abs(spot[0] - u) > reach or abs(spot[1] - v) > 0.052 for u, v in taken):
            break
    taken.append(spot)
    arrow = {"arrowstyle": "-", "lw": 0.6, "color": colour, "shrinkA": 0, "shrinkB": 2}
    text = axes.annotate(
        words, (x[k], load[k]), spot, textcoords="axes fraction", ha="center", va="center", fontsize=8, color=colour,
        arrowprops=arrow if abs(dy) > 0.01 else None, zorder=5,
    )
    from matplotlib.patheffects import withStroke

    text.set_path_effects([withStroke(linewidth=2.2, foreground=PAPER)])


def _dress(axes: Any, x: np.ndarray, degrees: bool) -> None:
    """Plain axes: light grid, no box, whole quarters of a turn where the axis is an angle."""
    from matplotlib.ticker import MultipleLocator

    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(GREY)
    axes.grid(True, color="#e4e4e4", lw=0.7)
    axes.set_axisbelow(True)
    axes.tick_params(colors=INK, labelsize=8, color=GREY)
    if len(x) > 1:
        axes.set_xlim(min(x[0], x[-1]), max(x[0], x[-1]))
        if degrees and abs(x[-1] - x[0]) > 120:
            axes.xaxis.set_major_locator(MultipleLocator(45 if abs(x[-1] - x[0]) <= 400 else 90))
