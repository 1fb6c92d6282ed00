"""Pictures of the comparison: time against size, ratios, and work against precision."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

COLOURS = {"multiloop": "#c1272d", "MuJoCo": "#0b6e8f", "Pinocchio": "#3a7d44", "Exudyn": "#8d6a9f"}
MARKS = {"multiloop": "o", "MuJoCo": "s", "Pinocchio": "^", "Exudyn": "D"}


def colour(tool: str) -> str:
    """The colour of a program, for all of its methods."""
    return COLOURS[tool.split(maxsplit=1)[0].rstrip(",")]


def speeds(timings: list[dict[str, Any]], ratios: list[dict[str, Any]]) -> Figure:
    """Time against size above, ratios to the fastest other program below."""
    high = 0.27 * len(ratios) + 1.0
    figure = Figure(figsize=(10.5, 4.4 + high), layout="constrained")
    grid = figure.add_gridspec(2, 2, height_ratios=(4.4, high))
    left = figure.add_subplot(grid[0, 0])
    right = figure.add_subplot(grid[0, 1], sharey=left)
    rows = [row for row in timings if row["question"] == "forward, compiled"]
    _against_size(left, [row for row in rows if row["mechanism"].startswith("ladder")], "windows of a ladder")
    _against_size(right, [row for row in rows if row["mechanism"].startswith("chain")], "links of a chain")
    left.set_ylabel("forward dynamics, µs an evaluation")
    _ratios(figure.add_subplot(grid[1, :]), ratios)
    return figure


def _against_size(ax: Axes, rows: list[dict[str, Any]], what: str) -> None:
    """One evaluation against the number of links, log–log, with quartiles."""
    for tool in dict.fromkeys(row["tool"] for row in rows):
        mine = [row for row in rows if row["tool"] == tool]
        size = [int(row["mechanism"].split()[1]) for row in mine]
        middle, low, high = (np.array([row[key] for row in mine]) for key in ("median", "low", "high"))
        ax.errorbar(
            size,
            middle,
            yerr=[middle - low, high - middle],
            marker=MARKS[tool.split()[0]],
            color=colour(tool),
            linestyle="--" if "lcaba" in tool else "-",
            capsize=2,
            label=tool,
        )
    ax.set(xscale="log", yscale="log", xlabel=what)
    ax.grid(True, which="major", alpha=0.3)
    if rows:
        ax.legend(frameon=False)


def _ratios(ax: Axes, rows: list[dict[str, Any]]) -> None:
    """How many times faster than the fastest other program, with a mark at the required ratio."""
    places = np.arange(len(rows))[::-1]
    ax.barh(places, [row["ratio"] for row in rows], color=COLOURS["multiloop"], alpha=0.75, height=0.65)
    for place, row in zip(places, rows, strict=True):
        if row["wanted"]:
            ax.plot([row["wanted"]] * 2, [place - 0.42, place + 0.42], color="black", linewidth=2)
        ax.text(row["ratio"] * 1.04, place, f"{row['ratio']:.1f}", va="center", fontsize=8)
    ax.set_yticks(places, [f"{row['mechanism']} — {row['question']}" for row in rows], fontsize=8)
    ax.set(xscale="log", xlabel="times faster than the best peer (black: wanted)")
    ax.set_xlim(0.8, 2 * max((max(row["ratio"], row["wanted"]) for row in rows), default=1.0))
    ax.margins(y=0.02)
    ax.grid(True, axis="x", alpha=0.3)


def work_precision(runs: list[dict[str, Any]], allowed: float) -> Figure:
    """Time of the motion against its error, log–log; for each program the Pareto-optimal settings."""
    names = list(dict.fromkeys(row["mechanism"] for row in runs)) or [""]
    figure = Figure(figsize=(4.3 * len(names) + 1.5, 4.4), layout="constrained")
    axes = figure.subplots(1, len(names), sharey=True, squeeze=False)
    styles = {"RK4": "-", "RK45": ":", "DOP853": "--"}
    for ax, name in zip(axes[0], names, strict=True):
        here = [row for row in runs if row["mechanism"] == name and np.isfinite(row["error"])]
        for tool in dict.fromkeys(row["tool"] for row in here):
            front = _front([(row["error"], row["ms"]) for row in here if row["tool"] == tool])
            ax.plot(
                *zip(*front, strict=True),
                marker=MARKS[tool.split()[0]],
                markersize=4,
                color=colour(tool),
                linestyle=styles.get(tool.split()[-1], "-"),
                label=tool,
            )
        ax.axvline(allowed, color="black", linewidth=0.8, alpha=0.6)
        ax.set(xscale="log", yscale="log", xlabel="error after 2 s, rad", title=name)
        ax.set_xlim(1e-1, 1e-11)
        ax.grid(True, which="major", alpha=0.3)
    axes[0, 0].set_ylabel("5 s of motion, ms")
    if runs:
        axes[0, -1].legend(frameon=False, fontsize=8, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return figure


def _front(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """The points that no other point improves in both error and time."""
    found: list[tuple[float, float]] = []
    for error, ms in sorted(points, key=lambda point: point[1]):
        if not found or error < found[-1][0]:
            found.append((error, ms))
    return found
