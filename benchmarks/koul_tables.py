"""Tables 3 and 4 of [koul]: operations and times of SLM and SSLM beside the printed numbers.

Operations of the multipliers λ alone are counted as in `chaudhary_tables`. "Full" counts the solves as if no entry of a
matrix or of a block vanished, as MATLAB's backslash computes them; "full, from q" adds the operations that form I, J, φ
and Ψ from positions and rates. "Zeros" counts the solves without operations on structural zeros, and "whole" is the
operation list from positions and rates to λ. Times of λ are those of the compiled tape in a loop of C, times of
simulations those of `simulate` with compiled kernels.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import casadi as ca
from laws.open_loop_runs import GRID, forced_run, instants, tabled_efforts
from zoo import ZOO
from zoo.planar_parallel import STARTS
from zoo.scraper import PAPER_CUTS, SPEED

import multiloop as ml
from benchmarks.block_elimination import (
    Blocks,
    multipliers_by_subsystems,
    multipliers_of_the_whole_system,
    operations,
)
from benchmarks.chaudhary_tables import microseconds
from benchmarks.peers.text import as_text, grid
from multiloop.dynamics.forward.forward_dynamics import ForwardFunctions
from multiloop.dynamics.forward.forward_problem import ForwardProblem
from multiloop.kinematics.equations import equations_of
from multiloop.plan import Plan
from multiloop.symbols import Traced

CUTS = {"scraper-K": PAPER_CUTS, "3-RRR": ("B2", "B3")}
STARTING: dict[str, dict[str, Any]] = {
    "scraper-K": {"start": {"crank pivot": 0.0}, "rates": {"crank pivot": SPEED}},
    "3-RRR": {"start": {f"A{k}": angle for k, angle in enumerate(STARTS, start=1)}},
}

TABLE_4 = {"scraper-K": (0.3045, 0.2205), "3-RRR": (0.2055, 0.1575)}
"""Seconds for λ in a free simulation of 15 s, with SLM and SSLM, as printed."""

TABLE_3 = {
    ("scraper-K", "free", 15.0, 1e-3): (2.8, 2.72),
    ("scraper-K", "free", 5.0, 1e-8): (6.51, 6.41),
    ("scraper-K", "forced", 5.0, 1e-8): (9.33, 9.25),
    ("3-RRR", "free", 15.0, 1e-3): (3.07, 2.96),
    ("3-RRR", "free", 5.0, 1e-8): (10.25, 10.12),
    ("3-RRR", "forced", 5.0, 1e-8): (12.91, 12.81),
}
"""Seconds for a simulation with SLM and SSLM as printed, by mechanism, kind, duration and tolerance."""

SLM, SSLM, OWN = "SLM, eq. (11)", "SSLM, eqs. (22)–(24), (33)–(35)", "SSLM of multiloop"
COUNTS = ("full", "full, from q", "zeros", "whole", "µs", "printed s")
RUNS = 9


def measure(timed: bool = True) -> dict[str, list[dict[str, Any]]]:
    """Rows of Table 4 and, if `timed`, of Table 3."""
    return {
        "multipliers": [row for name in CUTS for row in _multiplier_rows(name, timed)],
        "simulations": [_simulation_row(*case) for case in TABLE_3] if timed else [],
    }


def table(found: dict[str, list[dict[str, Any]]]) -> str:
    """The rows as text; a number is followed by what it saves of that of SLM."""
    head = [cell for name in COUNTS for cell in (name, "saved")]
    lines = [
        [row["mechanism"], row["method"]]
        + [cell for name in COUNTS for cell in (_text(row[name]), _percent(row["saved"].get(name)))]
        for row in found["multipliers"]
    ]
    multipliers = grid("Table 4: operations and times of λ alone", ("mechanism", "method", *head), lines)
    simulated = [
        (
            row["mechanism"],
            row["run"],
            f"{row['until']:g}",
            f"{row['tolerance']:g}",
            f"{row['SLM']:.1f}",
            f"{row['SSLM']:.1f}",
            _percent(saving(row["SLM"], row["SSLM"])),
            *map(str, row["printed"]),
            _percent(saving(*row["printed"])),
        )
        for row in found["simulations"]
    ]
    names = (
        "mechanism",
        "run",
        "s",
        "tolerance",
        "SLM ms",
        "SSLM ms",
        "saved",
        "printed SLM s",
        "SSLM s",
        "saved",
    )
    return as_text(multipliers, *([grid("Table 3: simulations", names, simulated)] if simulated else []))


def saving(slm: float, sslm: float) -> float:
    """Fraction of the cost of SLM that SSLM saves."""
    return 1 - sslm / slm


def _text(value: float | None) -> str:
    return "" if value is None else f"{value:.4g}"


def _percent(value: float | None) -> str:
    return "" if value is None else f"{100 * value:.1f} %"


def blocks_of(name: str) -> tuple[Plan, dict[str, Any], Blocks]:
    """Plan of a mechanism with the cut joints of the paper, inputs of its functions, and I, J, φ, Ψ as expressions."""
    plan = ml.analyse(ZOO[name].build().without_drives(), cuts=CUTS[name])
    equations = equations_of(plan.mechanism, plan.tree)
    skeleton = equations.skeleton
    tau = ca.SX.sym("tau", skeleton.rates)
    problem = ForwardProblem(equations, tau)
    links = [[skeleton.link_of_joint[joint] for joint in own.joints] for own in plan.tree.subsystems]
    subsystems = [[k for link in own for k in range(link.v.start, link.v.stop)] for own in links]
    loops = [list(range(rows.start, rows.stop)) for rows in equations.loop_constraints.slices]
    inputs = {"q": equations.q, "v": equations.v, "tau": tau, "p": skeleton.parameter_symbols}
    return plan, inputs, Blocks(problem.inertia, problem.J, problem.phi, problem.gamma, subsystems, loops)


def multiplier_functions(plan: Plan, inputs: Mapping[str, Any], blocks: Blocks) -> dict[str, Traced]:
    """λ as a function of q, v and τ, by the equations of the paper and by the method `sslm` of multiloop."""
    equations = equations_of(plan.mechanism, plan.tree)
    own = ForwardFunctions(equations, "sslm", order=plan.order).accelerations
    return {
        SLM: Traced("slm_of_koul", inputs, {"lam": multipliers_of_the_whole_system(blocks)}),
        SSLM: Traced("sslm_of_koul", inputs, {"lam": multipliers_by_subsystems(blocks)}),
        OWN: own.with_outputs("sslm_of_multiloop", "lam"),
    }


def _multiplier_rows(name: str, timed: bool) -> list[dict[str, Any]]:
    plan, inputs, blocks = blocks_of(name)
    functions = multiplier_functions(plan, inputs, blocks)
    solves = (multipliers_of_the_whole_system, multipliers_by_subsystems)
    full = [operations(solves[0], blocks.as_one(), full=True), operations(solves[1], blocks, full=True)]
    zeros = [operations(solve, blocks, full=False) for solve in solves]
    whole = [traced.tape().total for traced in functions.values()]
    forming = whole[0] - zeros[0]
    columns: dict[str, Sequence[float]] = {
        "full": full,
        "full, from q": [forming + count for count in full],
        "zeros": zeros,
        "whole": whole,
        "µs": list(_times(name, plan, functions).values()) if timed else [],
        "printed s": TABLE_4[name],
    }
    rows = []
    for k, method in enumerate(functions):
        numbers = {column: counts[k] if k < len(counts) else None for column, counts in columns.items()}
        saved = {
            column: saving(counts[0], counts[k]) for column, counts in columns.items() if 0 < k < len(counts)
        }
        rows.append({"mechanism": name, "method": method, **numbers, "saved": saved})
    return rows


def _times(name: str, plan: Plan, functions: dict[str, Traced]) -> dict[str, float]:
    """Microseconds of λ at 101 instants of the first second of the free motion."""
    moved = ml.simulate(plan.mechanism, until=1.0, samples=101, cuts=CUTS[name], **STARTING[name]).recorded
    assert moved is not None
    return microseconds(functions, [moved.arrays[part] for part in ("q", "v", "tau")], moved.p)


def _simulation_row(name: str, kind: str, until: float, tolerance: float) -> dict[str, Any]:
    """Milliseconds of CPU time of a simulation: the least of some runs in alternation, after a first one."""
    run = _run_of(name, kind, until, tolerance)
    spent: dict[str, list[float]] = {"slm": [], "sslm": []}
    for _ in range(1 + RUNS):
        for method, times in spent.items():
            gc.collect()  # a collection during every second run would double the time of one method
            began = time.process_time()
            run(method=method)
            times.append(1e3 * (time.process_time() - began))
    return {
        "mechanism": name,
        "run": kind,
        "until": until,
        "tolerance": tolerance,
        "SLM": min(spent["slm"][1:]),
        "SSLM": min(spent["sslm"][1:]),
        "printed": TABLE_3[name, kind, until, tolerance],
    }


def _run_of(name: str, kind: str, until: float, tolerance: float) -> Callable[..., ml.Result]:
    """The simulation, as a function of the method."""
    if kind == "forced":
        return partial(
            forced_run, name, tabled_efforts(name, until, GRID, "cubic"), until=until, rtol=tolerance
        )
    free, samples = ZOO[name].build().without_drives(), instants(until)
    return partial(ml.simulate, free, until=until, samples=samples, rtol=tolerance, **STARTING[name])
