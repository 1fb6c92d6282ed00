"""How long does one evaluation take, here and in other libraries? Microseconds, all programs in alternation in one run.

Every program gets the same mechanisms, built from the same descriptions, and the same random closed states in motion; a
program that does not agree is not timed. The others are compiled for this processor where possible, and are tried with
several cuts and settings, of which the fastest counts.
"""

from __future__ import annotations

import traceback
from typing import TYPE_CHECKING, Any

from benchmarks.peers import require_peers
from benchmarks.peers.cases import CASES
from benchmarks.peers.machine import described
from benchmarks.peers.text import as_text, grid

if TYPE_CHECKING:
    from matplotlib.figure import Figure

OURS = "multiloop"

WANTED: dict[str, dict[str, float | None]] = {
    "forward, compiled": {
        "four-bar": 10,
        "scraper": 8,
        "3-RRR": 10,
        "6-UPS": 10,
        "ladder 5": 0,
        "ladder 20": 8,
        "ladder 80": 8,
        "ladder 320": 4,
        "chain 10": 1.5,
        "chain 100": 1.5,
        "chain 500": 1.5,
        "chain 1000": None,
    },
    "forward, from Python": {"four-bar": 1, "scraper": 1, "3-RRR": 1, "6-UPS": 1},
    "forward, batch": {"four-bar": 0, "scraper": 60, "3-RRR": 60, "6-UPS": 0},
    "inverse with reactions, compiled": {"scraper": 10, "3-RRR": 10, "6-UPS": 10},
}
"""Quantities for each mechanism, and the required ratio of the times of the fastest other program and of multiloop.

0: only stated. None: only timed, since the best peer of the smaller chains, Pinocchio, has no room for 1000 links.
"""

LIMITS = {"forward, from Python": 2.0}
"""Further limits of an evaluation in microseconds."""


def measure(only: tuple[str, ...] = ()) -> dict[str, Any]:
    """Agreement and timings, one row for each mechanism, quantity and program; `only` selects mechanisms.

    Failures are listed in `failed`; the other mechanisms continue.
    """
    require_peers()
    from benchmarks.peers.contests import CONTESTS
    from benchmarks.peers.entrants import Field

    found: dict[str, Any] = {"machine": described(), "agreement": [], "timings": [], "failed": []}
    for name, case in CASES.items():
        if only and name not in only:
            continue
        print(f"{name} …", flush=True)
        field, what = Field(case), "agreement"
        try:
            found["agreement"] += [{"mechanism": name} | entrant.row for entrant in field.entrants.values()]
            for what, contest in CONTESTS.items():
                if name in WANTED[what]:
                    found["timings"] += list(contest(field))
        except Exception as error:  # the other mechanisms continue after a failure
            found["failed"].append(
                {"mechanism": name, "question": what, "why": f"{type(error).__name__}: {error}"}
            )
            print(traceback.format_exc(), flush=True)
        field.release()
    found["ratios"] = ratios(found["timings"])
    return found


def ratios(timings: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Our medians relative to the fastest other program of the same run; for batches our fastest on one thread."""
    found = []
    for question, mechanisms in WANTED.items():
        for mechanism, wanted in mechanisms.items():
            rows = [row for row in timings if (row["question"], row["mechanism"]) == (question, mechanism)]
            ours = [row for row in rows if row["tool"].startswith(OURS) and "threads" not in row["tool"]]
            peers = [row for row in rows if not row["tool"].startswith(OURS)]
            if wanted is None or not ours or not peers:
                continue
            mine, best = (min(some, key=lambda row: row["median"]) for some in (ours, peers))
            ratio = best["median"] / mine["median"]
            found.append(
                {
                    "question": question,
                    "mechanism": mechanism,
                    "ours": mine["median"],
                    "ours spread": (mine["low"], mine["high"]),
                    "ours as": mine["tool"],
                    "best peer": best["tool"],
                    "peer": best["median"],
                    "peer spread": (best["low"], best["high"]),
                    "ratio": ratio,
                    "wanted": wanted,
                    "reached": ratio >= wanted and mine["median"] < LIMITS.get(question, float("inf")),
                }
            )
    return found


def table(found: dict[str, Any]) -> str:
    """Three tables: agreement, all timings, and the ratios."""
    agreement = grid(
        "agreement at moving closed states: largest difference, of the largest acceleration (MuJoCo is soft)",
        ("mechanism", "tool", "settings", "cuts", "difference"),
        [
            (r["mechanism"], r["tool"], r["settings"], r["cuts"], f"{r['difference']:.0e}")
            for r in found["agreement"]
        ],
    )
    timings = grid(
        "µs an evaluation: median of all rounds, quartiles, least",
        ("question", "mechanism", "tool", "settings", "median", "quartiles", "least"),
        [
            (
                r["question"],
                r["mechanism"],
                r["tool"],
                r["settings"],
                f"{r['median']:.3g}",
                f"{r['low']:.3g}–{r['high']:.3g}",
                f"{r['least']:.3g}",
            )
            for r in found["timings"]
        ],
    )
    compared = grid(
        "times faster than the best peer, by medians",
        ("question", "mechanism", "ours µs", "best peer µs", "best peer", "ratio", "wanted", ""),
        [
            (
                r["question"],
                r["mechanism"],
                f"{r['ours']:.3g}",
                f"{r['peer']:.3g}",
                r["best peer"],
                f"{r['ratio']:.1f}",
                _wanted(r),
                ("yes" if r["reached"] else "NO") if r["wanted"] else "",
            )
            for r in found["ratios"]
        ],
    )
    failed = grid(
        "failed",
        ("mechanism", "question", "why"),
        [(r["mechanism"], r["question"], r["why"][:90]) for r in found["failed"]],
    )
    return as_text(agreement, timings, compared, *([failed] if found["failed"] else []))


def _wanted(row: dict[str, Any]) -> str:
    limit = f", < {LIMITS[row['question']]:g} µs" if row["question"] in LIMITS else ""
    return f"{row['wanted']:g}{limit}" if row["wanted"] else ""


def figure(found: dict[str, Any]) -> Figure:
    """Time against size, and the ratios."""
    from benchmarks.peers.pictures import speeds

    return speeds(found["timings"], found["ratios"])
