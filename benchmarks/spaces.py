"""What does a manipulator with flexible links cost in joint space and in Cartesian space?

[fattah], §2.7: in joint space the platform is carried by one leg and the others are cut; in Cartesian space its pose is
among the coordinates, and every leg is cut at the platform. There the Cartesian form took 75 % of the time of the
other, which had to solve the direct kinematics. Counts are the operations of all accelerations and multipliers after
folding. Times are processor seconds of `simulate` from the call to the result, with compiled code; `first` is the
wall-clock time of the first call, which traces and compiles.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

import multiloop as ml
from benchmarks.peers.machine import described
from benchmarks.peers.text import as_text, grid

NAMES, SPACES, METHODS = ("cooperating", "fast", "slow"), ("joint", "Cartesian"), ("sslm", "embedding")
MODES, RTOL, ROUNDS = 2, 1e-9, 5


def measure() -> dict[str, Any]:
    """One row for each manipulator, method and space."""
    from published.fattah.manipulators import HANDS, driven, needed

    found: dict[str, Any] = {"machine": described(), "rows": []}
    for name in NAMES:
        rigid = needed(name)
        for method in METHODS:
            paths = {}
            for space in SPACES:
                took, first = [], time.perf_counter()
                for k in range(ROUNDS + 1):
                    began = time.thread_time()
                    run = driven(name, MODES, rtol=RTOL, rigid=rigid, space=space, method=method)
                    took.append(time.thread_time() - began)
                    first = time.perf_counter() - first if k == 0 else first
                paths[space] = run.marker(HANDS[name])
                found["rows"].append(
                    {"manipulator": name, "method": method, "space": space}
                    | _sizes(run, method)
                    | {"first": first, "seconds": min(took[1:]), "drift": run.energy_drift}
                )
            apart = float(np.abs(paths["joint"] - paths["Cartesian"]).max())
            for row in found["rows"][-2:]:
                row["apart"] = apart
    return found


def _sizes(run: ml.Result, method: str) -> dict[str, Any]:
    """Rates of the tree, rows of its loops, and operations of one evaluation."""
    from multiloop.dynamics.forward import ForwardFunctions
    from multiloop.kinematics.equations import equations_of

    plan = run.plan
    equations = equations_of(run.mechanism, plan.tree)
    functions = ForwardFunctions(equations, method, order=plan.order)
    return {
        "rates": equations.skeleton.rates,
        "rows": equations.loop_constraints.count,
        "operations": functions.accelerations.tape().total,
    }


def table(found: dict[str, Any]) -> str:
    """The rows as text."""
    head = (
        "manipulator",
        "method",
        "space",
        "rates",
        "rows",
        "operations",
        "first (s)",
        "run (ms)",
        "drift",
        "apart (m)",
    )
    rows = [
        (
            *(row[key] for key in ("manipulator", "method", "space", "rates", "rows", "operations")),
            f"{row['first']:.1f}",
            f"{1e3 * row['seconds']:.1f}",
            f"{row['drift']:.0e}",
            f"{row['apart']:.0e}",
        )
        for row in found["rows"]
    ]
    title = f"{MODES} shapes of every link, rtol {RTOL:g}, best of {ROUNDS}"
    return as_text(
        grid(title, head, rows), grid("Cartesian over joint space", ("", "time"), _ratios(found["rows"]))
    )


def _ratios(rows: list[dict[str, Any]]) -> list[tuple[str, str]]:
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return [
        (f"{one['manipulator']}, {one['method']}", f"{other['seconds'] / one['seconds']:.2f}")
        for one, other in pairs
    ]
