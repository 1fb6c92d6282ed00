"""How far does a mechanism deviate from a desired motion when the computed efforts are applied open loop?

The scraper and the 3-RRR are released on a desired motion under the torques of inverse dynamics: exact ones, computed
at every instant at which the integrator evaluates them, and tables of them. No feedback corrects the motion, so that
deviations grow at the rate of the mechanism's own instability.

Source: [koul], §5, Figs. 7–8: 5 s, torques 0.01 s apart; the paper prints no numbers.
"""

from __future__ import annotations

import time
from itertools import pairwise
from typing import Any

import numpy as np
from laws.open_loop_runs import FORCED, GRID, deviation_of, exact_efforts, forced_run, tabled_efforts
from matplotlib.figure import Figure

import multiloop as ml

SECONDS, RTOL = 5.0, 1e-12
ALLOWED = 1e-7
"""Deviation in rad of exact torques in the first second."""

LEFT = 0.1
"""Deviation in rad from which a motion is no longer the desired one."""

TABLES = (("cubic", 0.02), ("cubic", 0.01), ("cubic", 0.005), ("linear", 0.02), ("linear", 0.01))
ORDER = {"cubic": 4, "linear": 2}
"""Power of the step in the error of a curve through points of a smooth function."""


def measure() -> list[dict[str, Any]]:
    """One row for each mechanism and kind of torque, the wider of two tables before the narrower."""
    rows = []
    for name in FORCED:
        rows.append(_row(name, "exact", 0.0))
        rows += [_row(name, kind, step) for kind, step in TABLES]
    return rows


def table(rows: list[dict[str, Any]]) -> str:
    """The rows as text, with the observed order of each pair of tables."""
    seconds = range(1, round(SECONDS) + 1)
    lines = [
        f"forced runs of {SECONDS:g} s, open loop, rtol = {RTOL:g}: largest deviation of any joint in rad"
    ]
    for name in dict.fromkeys(row["mechanism"] for row in rows):
        own = [row for row in rows if row["mechanism"] == name]
        lines += ["", f"{name:<22}" + "".join(f"{f'{k} s':>10}" for k in seconds) + f"{'growth':>12}  remark"]
        for row in own:
            cells = [f"{x:>10.1e}" for x in row["by_second"]] + [f"{'':>10}"] * (
                len(seconds) - len(row["by_second"])
            )
            lines.append(
                f"  {row['torque']:<20}" + "".join(cells) + f"  exp({row['growth']:.2f} t)  {row['remark']}"
            )
        for wide, narrow in pairwise(own):
            if wide["kind"] == narrow["kind"]:
                lines.append(_order_line(wide, narrow))
        first = own[0]["by_second"][0]
        lines.append(f"  exact torque, first second: {first:.1e} rad, allowed {ALLOWED:g}")
    return "\n".join(lines)


def figure(rows: list[dict[str, Any]]) -> Figure:
    """Deviation over time, one logarithmic panel for each mechanism, with the growth under the exact torque."""
    names = list(dict.fromkeys(row["mechanism"] for row in rows))
    page = Figure(figsize=(12, 5.6), layout="constrained")
    for axes, name in zip(page.subplots(1, len(names), sharey=True), names, strict=True):
        for row in (row for row in rows if row["mechanism"] == name):
            style = {"exact": "-", "cubic": "--", "linear": ":"}[row["kind"]]
            label = f"{row['torque']}: {row['growth']:.1f}/s"
            worst = np.maximum.accumulate(row["deviation"][1:])
            axes.semilogy(row["time"][1:], np.maximum(worst, 1e-15), style, label=label)
        axes.axhline(LEFT, color="0.6", linewidth=0.8)
        axes.text(0.05, 25, "above the line: left the desired motion", color="0.4", fontsize=8)
        axes.set(title=name, xlabel="time (s)", xlim=(0, SECONDS), ylim=(1e-15, 1e2))
        axes.grid(True, which="major", alpha=0.3)
        axes.legend(title="torque: growth rate", loc="upper center", bbox_to_anchor=(0.5, -0.12), ncols=3)
    page.axes[0].set_ylabel("largest deviation of any joint so far (rad)")
    page.suptitle(f"Computed torques played back open loop, rtol = {RTOL:g}")
    return page


def _row(name: str, kind: str, step: float) -> dict[str, Any]:
    efforts = exact_efforts(name) if kind == "exact" else tabled_efforts(name, SECONDS, step, kind)
    began = time.perf_counter()
    run, remark = _run_until_stopped(name, efforts)
    deviation = deviation_of(name, run)
    gone = deviation.time[deviation.largest > LEFT]
    if gone.size:
        remark = f"left the motion at {gone[0]:.2f} s{'; ' if remark else ''}{remark}"
    return {
        "mechanism": name,
        "kind": kind,
        "step": step,
        "torque": "exact" if kind == "exact" else f"{kind}, {1000 * step:g} ms",
        "by_second": [deviation.until(k) for k in range(1, int(deviation.time[-1] + 1e-9) + 1)],
        "growth": deviation.growth_rate,
        "drift": run.energy_drift,
        "remark": remark,
        "seconds": round(time.perf_counter() - began, 1),
        "time": deviation.time.tolist(),
        "deviation": deviation.largest.tolist(),
    }


def _run_until_stopped(name: str, efforts: dict[str, Any]) -> tuple[ml.Result, str]:
    """The run, or its part before it stops, and the reason why it stopped."""
    try:
        return forced_run(name, efforts, until=SECONDS, rtol=RTOL), ""
    except ml.SolveError as error:
        if error.time is None:
            raise
        before = GRID * np.floor((error.time - 1e-3) / GRID)
        return forced_run(
            name, efforts, until=before, rtol=RTOL
        ), f"stopped at {error.time:.3f} s: {error.faults[0].code}"


def _order_line(wide: dict[str, Any], narrow: dict[str, Any]) -> str:
    """The power of the step with which the deviation falls, second by second, while it is small."""
    found = [
        f"{np.log2(a / b) / np.log2(wide['step'] / narrow['step']):>10.2f}" if a < LEFT else f"{'–':>10}"
        for a, b in zip(wide["by_second"], narrow["by_second"], strict=False)
    ]
    label = f"order {1000 * wide['step']:g} to {1000 * narrow['step']:g} ms"
    return f"  {label:<20}" + "".join(found) + f"  expected {ORDER[wide['kind']]}"
