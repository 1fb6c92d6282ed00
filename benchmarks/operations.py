"""How many scalar operations the inverse dynamics of a mechanism takes, and what one evaluation costs.

Counts are of the tape after folding constants and sharing repeated subexpressions. Times are medians in
CasADi's interpreter over varying positions; they say nothing about compiled code.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

import multiloop as ml
from multiloop.dynamics.inverse import InverseFunctions
from multiloop.dynamics.measured import Measured
from multiloop.kinematics.equations import equations_of

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from zoo import ZOO

MECHANISMS = (
    "four-bar",
    "slider-crank",
    "scraper-C",
    "3-RRR",
    "RSSR",
    "excavator",
    "6-UPS",
    "ladder-5",
    "ladder-20",
)
ROUNDS = 300


def measure() -> list[dict[str, Any]]:
    """One row a mechanism."""
    rows = []
    for name in MECHANISMS:
        mechanism = ZOO[name].build()
        plan = ml.analyse(mechanism)
        equations = equations_of(mechanism, plan.tree)
        system = InverseFunctions(equations)
        reduced, reactions = system.reduced.tape(), Measured(equations).reactions.tape()
        rows.append(
            {
                "mechanism": name,
                "bodies": len(mechanism.moving),
                "loops": len(plan.tree.loops),
                "reduced": reduced.total,
                "reactions": reactions.total,
                "microseconds": round(_median_time(system, plan.assembly.on(equations), plan.assembly.p), 1),
            }
        )
    return rows


def table(rows: list[dict[str, Any]]) -> str:
    """The rows as text."""
    lines = ["operations of inverse dynamics, system method (tape after folding)", ""]
    lines.append(
        f"{'mechanism':<14}{'bodies':>7}{'loops':>7}{'N^T w*, J':>11}{'reactions':>11}{'µs (interpreter)':>18}"
    )
    for row in rows:
        lines.append(
            f"{row['mechanism']:<14}{row['bodies']:>7}{row['loops']:>7}{row['reduced']:>11}{row['reactions']:>11}"
            f"{row['microseconds']:>18}"
        )
    return "\n".join(lines)


def _median_time(system: InverseFunctions, q: np.ndarray, p: np.ndarray) -> float:
    """Median time of one call, in microseconds, over positions that differ from call to call."""
    n = system.equations.skeleton.rates
    spread = np.random.default_rng(1).normal(size=(ROUNDS, n))
    spent = []
    for v in spread:
        moved = system.equations.chart.moved(q, 1e-3 * v)
        began = time.perf_counter()
        system.reduced(moved, v, v, p)
        spent.append(time.perf_counter() - began)
    return float(np.median(spent) * 1e6)
