"""How long does a motion of given precision take? Five seconds from rest, with the error of all link angles after two.

Every program computes the same motion with many settings. For each program the cheapest setting with an error of at
most 1e-6 rad counts, if all finer settings of the same kind confirm it, so that a coincidentally small error does not
count. The fastest settings are then timed again in alternation. Errors are relative to our own motion at rtol 1e-13,
which must agree with an independent one: Pinocchio's accelerations in SciPy's DOP853.
"""

from __future__ import annotations

import traceback
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.peers import require_peers
from benchmarks.peers.cases import CASES
from benchmarks.peers.machine import described
from benchmarks.peers.text import as_text, grid

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WANTED = {"four-bar": 10.0, "scraper": 20.0, "3-RRR": 20.0}
"""The required ratio of the times of the fastest other program and of multiloop."""

ALLOWED = 1e-6
"""Error in rad after 2 s."""

CLOSED, DRIFT = 1e-12, 1e-9
"""Limits of our closure error and energy drift at rtol 1e-10."""


def measure(only: tuple[str, ...] = ()) -> dict[str, Any]:
    """Every run of every tool, the references, and the winners timed in turn."""
    require_peers()
    from benchmarks.peers.contest_of_motions import Course, timed_in_turn

    found: dict[str, Any] = {
        "machine": described(),
        "references": [],
        "runs": [],
        "winners": [],
        "failed": [],
    }
    for name, wanted in WANTED.items():
        if only and name not in only:
            continue
        print(f"{name} …", flush=True)
        try:
            course = Course(CASES[name])
            found["references"].append({"mechanism": name} | course.references())
            runs = [{"mechanism": name, "wanted": wanted} | row for row in course.runs()]
            found["runs"] += [{key: value for key, value in row.items() if key != "motion"} for row in runs]
            found["winners"] += timed_in_turn(winners(runs))
        except Exception as error:  # the other mechanisms continue after a failure
            found["failed"].append({"mechanism": name, "why": f"{type(error).__name__}: {error}"})
            print(traceback.format_exc(), flush=True)
    return found


def winners(runs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """For each program the cheapest run within the allowed error that all finer ones of its kind confirm."""
    best: dict[str, dict[str, Any]] = {}
    for row in runs:
        finer = [r for r in runs if (r["tool"], r["settings"]) == (row["tool"], row["settings"])]
        finer = [r for r in finer if r["effort"] <= row["effort"]]
        if max(r["error"] for r in finer) > ALLOWED or not np.isfinite([r["error"] for r in finer]).all():
            continue
        if row["tool"] not in best or row["ms"] < best[row["tool"]]["ms"]:
            best[row["tool"]] = row
    return list(best.values())


def table(found: dict[str, Any]) -> str:
    """References, winners and ratios."""
    references = grid(
        "our motions: reference at rtol 1e-13 against an independent one, and what is kept at rtol 1e-10",
        ("mechanism", "references apart, rad", "closure", "energy drift", "reached"),
        [
            (
                r["mechanism"],
                f"{r['apart']:.1e}",
                f"{r['closure']:.1e}",
                f"{r['drift']:.1e}",
                "yes" if r["closure"] <= CLOSED and r["drift"] <= DRIFT else "NO",
            )
            for r in found["references"]
        ],
    )
    rows = []
    for name in dict.fromkeys(row["mechanism"] for row in found["winners"]):
        mine = [row for row in found["winners"] if row["mechanism"] == name]
        ours = next((row for row in mine if row["tool"] == "multiloop"), None)
        for row in sorted(mine, key=lambda row: row["ms"]):
            ratio = row["ms"] / ours["ms"] if ours else float("nan")
            enough = "" if row is ours else "yes" if ratio >= row["wanted"] else "NO"
            rows.append(
                (
                    name,
                    row["tool"],
                    f"{row['settings']}, {row['effort']:.2g}",
                    f"{row['error']:.0e}",
                    f"{row['ms']:.3g}",
                    f"{row['low']:.3g}–{row['high']:.3g}",
                    "" if row is ours else f"{ratio:.1f}",
                    "" if row is ours else f"{row['wanted']:g}",
                    enough,
                )
            )
    best = grid(
        "5 s of motion, error after 2 s at most 1e-6 rad: ms, and how many times ours it is",
        ("mechanism", "tool", "settings", "error", "ms", "quartiles", "ratio", "wanted", ""),
        rows,
    )
    failed = grid("failed", ("mechanism", "why"), [(r["mechanism"], r["why"][:110]) for r in found["failed"]])
    return as_text(references, best, *([failed] if found["failed"] else []))


def figure(found: dict[str, Any]) -> Figure:
    """Work against precision."""
    from benchmarks.peers.pictures import work_precision

    return work_precision(found["runs"], ALLOWED)
