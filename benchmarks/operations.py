"""How many scalar operations do forward and inverse dynamics of a mechanism take, and how long is one evaluation?

Operations are counted after folding constants and sharing repeated subexpressions. Times are medians in CasADi's
interpreter over varying positions; they are no measure of compiled code.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from zoo import ZOO

import multiloop as ml
from multiloop.dynamics.forward import ForwardFunctions
from multiloop.dynamics.inverse import InverseFunctions, effort_columns
from multiloop.dynamics.inverse.inverse_functions import traced_inverse
from multiloop.dynamics.outputs.reaction_functions import ReactionFunctions
from multiloop.kinematics.equations import Equations, equations_of
from multiloop.plan import Plan, unknown_efforts

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
    "chain-10",
    "spatial-chain-6",
)
ROUNDS = 300


def measure() -> list[dict[str, Any]]:
    """One row for each mechanism."""
    rows = []
    for name in MECHANISMS:
        mechanism = ZOO[name].build()
        plan = ml.analyse(mechanism)
        equations = equations_of(mechanism, plan.tree)
        system = InverseFunctions(equations)
        reduced, reactions = system.required_forces.tape(), ReactionFunctions(equations).reactions.tape()
        rows.append(
            {
                "mechanism": name,
                "bodies": len(mechanism.moving),
                "loops": len(plan.tree.loops),
                "reduced": reduced.total,
                "reactions": reactions.total,
                "inverse": _whole(plan, equations),
                "forward": ForwardFunctions(equations, "sslm", order=plan.order).accelerations.tape().total,
                "microseconds": round(
                    _median_time(system, plan.assembly.coordinates_on(equations), plan.assembly.p), 1
                ),
            }
        )
    return rows


def table(rows: list[dict[str, Any]]) -> str:
    """The rows as text."""
    lines = [
        "operations (tape after folding): parts of inverse dynamics, all of it, and forward dynamics (sslm)",
        "",
    ]
    lines.append(
        f"{'mechanism':<16}{'bodies':>7}{'loops':>7}{'N^T w*, J':>11}{'reactions':>11}{'inverse':>9}{'forward':>9}"
        f"{'µs (N^T w*, interpreter)':>26}"
    )
    for row in rows:
        lines.append(
            f"{row['mechanism']:<16}{row['bodies']:>7}{row['loops']:>7}{row['reduced']:>11}{row['reactions']:>11}"
            f"{row['inverse']:>9}{row['forward']:>9}{row['microseconds']:>26}"
        )
    return "\n".join(lines)


def _whole(plan: Plan, equations: Equations) -> int | str:
    """All efforts and all reactions by the subsystem method, with as many efforts as degrees of freedom."""
    efforts = unknown_efforts(plan.mechanism)
    if len(efforts) != plan.mobility:
        return "–"
    B = effort_columns(equations, efforts)
    return traced_inverse(equations, "subsystem", B, None, plan.determinacy.blocks).tape().total


def _median_time(system: InverseFunctions, q: np.ndarray, p: np.ndarray) -> float:
    """Median time of one call, in microseconds, over positions that differ from call to call."""
    n = system.equations.skeleton.rates
    spread = np.random.default_rng(1).normal(size=(ROUNDS, n))
    spent = []
    for v in spread:
        moved = system.equations.chart.apply_step(q, 1e-3 * v)
        began = time.perf_counter()
        system.required_forces(moved, v, v, p)
        spent.append(time.perf_counter() - began)
    return float(np.median(spent) * 1e6)
