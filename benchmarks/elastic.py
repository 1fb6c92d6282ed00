"""How accurate and how fast are flexible links? A slider-crank, a four-bar and a spin-up are compared with Exudyn.

The beams of Exudyn are exact at any deflection; its finest run is the reference for both programs. For each program the
fastest setting is reported whose curves stay within 1 % of the peak at all times. Our time is that of the whole call of
`simulate`, with compiled code and with the reactions at all samples; the time of Exudyn is that of its solver alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

import multiloop as ml
from benchmarks.peers import require_peers
from benchmarks.peers.machine import described
from benchmarks.peers.text import as_text, grid

CLOSE, ROUNDS = 0.01, 3
"""The error, as a part of the peak, up to which settings count as equally accurate; the number of runs, the fastest of
which counts."""

MODES, RTOLS = (1, 2, 3), (1e-3, 1e-4, 1e-6)
WANTED = 5.0
"""The required ratio of the times of the other program and of multiloop."""


@dataclass(frozen=True)
class Case:
    """One comparison: how it is run in each program, and with which settings."""

    ours: Callable[[Any], ml.Mechanism]
    read: Callable[[ml.Result], dict[str, np.ndarray]]
    there: Callable[..., Any]
    until: float
    every: float
    meshes: tuple[int, ...]
    steps: tuple[float, ...]
    finest: tuple[int, float]


def cases() -> dict[str, Case]:
    """All three."""
    from published.elastic.linkages import cantilever, four_bar, lag_of, sag_of, slider_crank

    from benchmarks.peers.elastic_linkages import cantilever_there, four_bar_there, slider_crank_there

    def sags(*links: str) -> Callable[[ml.Result], dict[str, np.ndarray]]:
        return lambda run: {link: sag_of(run, link) for link in links}

    return {
        "slider-crank": Case(
            slider_crank,
            sags("rod"),
            slider_crank_there,
            0.1,
            1e-4,
            (2, 4, 8),
            (4e-4, 2e-4, 1e-4, 5e-5),
            (16, 5e-6),
        ),
        "four-bar": Case(
            four_bar,
            sags("coupler", "follower"),
            four_bar_there,
            0.6,
            5e-4,
            (2, 4, 8),
            (2e-3, 1e-3, 5e-4, 2e-4),
            (16, 2e-5),
        ),
        "spin-up": Case(
            cantilever,
            lambda run: {"across": lag_of(run)[1]},
            cantilever_there,
            20.0,
            0.05,
            (8, 16),
            (0.02, 0.01),
            (64, 2e-3),
        ),
    }


def measure() -> dict[str, Any]:
    """Peaks, errors and seconds of every setting."""
    require_peers()
    found: dict[str, Any] = {"machine": described(), "rows": [], "peaks": []}
    for name, case in cases().items():
        times, known, _ = case.there(*case.finest, case.every / 10, case.until)
        for link, curve in known.items():
            if link != "along":
                k = int(np.abs(curve).argmax())
                found["peaks"].append(
                    {"case": name, "link": link, "peak": float(curve[k]), "t": float(times[k])}
                )
        for row in [*_ours(case), *_theirs(case)]:
            instants, curves = row.pop("time"), row.pop("curves")
            row["error"] = max(
                np.abs(curves[link] - np.interp(instants, times, known[link])).max()
                / np.abs(known[link]).max()
                for link in curves
                if link != "along"
            )
            found["rows"].append({"case": name} | row)
    return found


def _ours(case: Case) -> Iterator[dict[str, Any]]:
    instants = np.arange(0.0, case.until + case.every / 2, case.every)
    for modes in MODES:
        mechanism = case.ours(modes)
        for rtol in RTOLS:
            took = []
            for _ in range(ROUNDS + 1):  # the first one compiles
                began = time.thread_time()
                run = ml.simulate(mechanism, until=case.until, samples=instants, rtol=rtol)
                took.append(time.thread_time() - began)
            setting = f"{modes} modes, rtol {rtol:g}"
            yield {
                "tool": "multiloop",
                "how": setting,
                "seconds": min(took[1:]),
                "time": run.time,
                "curves": case.read(run),
            }


def _theirs(case: Case) -> Iterator[dict[str, Any]]:
    for elements in case.meshes:
        for step in case.steps:
            runs = [case.there(elements, step, case.every, case.until) for _ in range(ROUNDS)]
            times, curves, _ = runs[0]
            setting = f"{elements} elements, steps of {step:g} s"
            yield {
                "tool": "Exudyn",
                "how": setting,
                "seconds": min(run[2] for run in runs),
                "time": times,
                "curves": curves,
            }


def table(found: dict[str, Any]) -> str:
    """Peaks of the peer, all settings, and the ratio of the fastest that are exact enough."""
    head = ("case", "tool", "how", "ms", "largest error, % of peak")
    rows = [
        (row["case"], row["tool"], row["how"], f"{1e3 * row['seconds']:.1f}", f"{100 * row['error']:.2f}")
        for row in found["rows"]
    ]
    peaks = [
        (one["case"], one["link"], f"{1e3 * one['peak']:.4f}", f"{one['t']:.4f}") for one in found["peaks"]
    ]
    return as_text(
        grid("peaks of the peer's finest run", ("case", "link", "mm", "t (s)"), peaks),
        grid("all settings", head, rows),
        grid(
            f"fastest within {CLOSE:.0%} of the peak, wanted {WANTED:g} times",
            ("case", "multiloop ms", "Exudyn ms", "times"),
            _ratios(found["rows"]),
        ),
    )


def _ratios(rows: list[dict[str, Any]]) -> Iterator[tuple[str, ...]]:
    for case in dict.fromkeys(row["case"] for row in rows):
        best = {
            tool: min(
                (
                    row["seconds"]
                    for row in rows
                    if (row["case"], row["tool"]) == (case, tool) and row["error"] < CLOSE
                ),
                default=float("nan"),
            )
            for tool in ("multiloop", "Exudyn")
        }
        yield case, *(f"{1e3 * s:.1f}" for s in best.values()), f"{best['Exudyn'] / best['multiloop']:.1f}"
