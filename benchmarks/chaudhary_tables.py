"""Tables 2 and 3 of [chaudhary]: operations and times of the methods of inverse dynamics beside the printed numbers.

One rule counts operations: every addition, multiplication, division and function of the operation list (tape) is one,
after constants are folded and equal expressions shared. "Full" counts the linear solves of a method as if no entry of
their matrices vanished, "zeros" the same solves without operations on structural zeros, and "whole" everything from
positions, rates and accelerations to the driving torque and the reactions in all joints. Times are those of the
compiled tape in a loop of C over all instants of the table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from zoo import ZOO
from zoo.scraper import PAPER_CUTS

import multiloop as ml
from benchmarks.formulations import counted_solves
from benchmarks.peers.ours import compiled_loop
from benchmarks.peers.rounds import Contestant, interleaved
from benchmarks.peers.text import as_text, grid
from multiloop.dynamics.inverse import InverseFunctions, effort_columns, traced_inverse
from multiloop.kernels import Kernel, Recipe
from multiloop.kinematics.equations import Equations, equations_of
from multiloop.plan import Plan, unknown_efforts
from multiloop.symbols import Traced

ROUNDS = 15
METHODS = ("traditional", "system", "subsystem")


@dataclass(frozen=True)
class PrintedTable:
    """A table of the paper: number of instants within `until` seconds, and for each method the order of computations
    and the seconds of CPU time as printed."""

    mechanism: str
    cuts: tuple[str, ...]
    until: float
    instants: int
    orders: tuple[str, str, str] = ("", "", "")
    seconds: tuple[float | None, ...] = (None, None, None)


TABLES = {
    "Table 2, carpet scraper": PrintedTable(
        "scraper-C",
        PAPER_CUTS,
        1.33,
        134,
        ("21³/3 = 3087", "7³/3 + 7·2 = 128.3", "4³/3 + 3³/3 + 1 + 7·2 = 45.3"),
        (0.219, 0.156, 0.156),
    ),
    "Table 3, RSSR as R–S–U–R": PrintedTable(
        "RSUR",
        ("B",),
        0.6,
        601,
        ("18³/3 = 1994", "4³/3 + 4·6 = 45.33", "3³/3 + 4·6 = 33"),
        (0.656, 0.609, 0.596),
    ),
    "RSSR as seven revolutes": PrintedTable("RSSR-revolutes", ("B1",), 0.6, 601),
}
"""Misprints in the orders are listed in docs/errata.md. The third is not printed: Fig. 10 has seven revolutes, but the
sizes of Table 3 are those of three bodies."""


def measure(timed: bool = True) -> list[dict[str, Any]]:
    """One row for each table and method; times are measured only if `timed`."""
    return [row for title, printed in TABLES.items() for row in _rows(title, printed, timed)]


def table(rows: list[dict[str, Any]]) -> str:
    """The rows as text."""
    head = (
        "table",
        "method",
        "matrices",
        "order as printed",
        "full",
        "zeros",
        "whole",
        "µs",
        "ms",
        "printed s",
    )
    cells = [[_text(row[name]) for name in (*head[:3], "order", *head[4:])] for row in rows]
    return as_text(grid("inverse dynamics with all reactions: operations and times by method", head, cells))


def _text(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def _rows(title: str, printed: PrintedTable, timed: bool) -> list[dict[str, Any]]:
    plan = ml.analyse(ZOO[printed.mechanism].build(), cuts=printed.cuts)
    equations = equations_of(plan.mechanism, plan.tree)
    rows, functions = [], {}
    for k, method in enumerate(METHODS):
        with counted_solves() as solves:
            functions[method] = all_loads(plan, equations, method)
        rows.append(
            {
                "table": title,
                "method": method,
                "matrices": ", ".join(f"{n}×{n}" for n in sizes(plan, method)),
                "order": printed.orders[k],
                "full": round(sum(solve["dense"] for solve in solves)),
                "zeros": sum(solve["folded"] for solve in solves),
                "whole": functions[method].tape().total,
                "µs": None,
                "ms": None,
                "printed s": printed.seconds[k],
            }
        )
    if timed:
        times = np.linspace(0.0, printed.until, printed.instants)
        moved = ml.inverse(plan.mechanism, t=times, cuts=printed.cuts).recorded
        assert moved is not None
        spent = microseconds(functions, [moved.arrays[name] for name in ("q", "v", "a")], moved.p)
        for row in rows:
            row["µs"] = spent[row["method"]]
            row["ms"] = 1e-3 * row["µs"] * printed.instants
    return rows


def all_loads(plan: Plan, equations: Equations, method: str) -> Traced:
    """Driving torque and the reactions of all joints as a function of q, v and a."""
    B = effort_columns(equations, unknown_efforts(plan.mechanism))
    if method == "traditional":
        return InverseFunctions(equations).traced_traditional(B, None)
    return traced_inverse(equations, method, B, None, plan.determinacy.blocks)


def sizes(plan: Plan, method: str) -> list[int]:
    """Sizes of the square matrices of a method, as the paper counts them."""
    stages = [stage.count for stage in plan.determinacy.stages]
    if method == "traditional":
        return [(3 if plan.mechanism.planar else 6) * len(plan.mechanism.moving)]
    return stages if method == "subsystem" else [sum(stages)]


def microseconds(
    functions: Mapping[str, Traced], arrays: Sequence[np.ndarray], p: np.ndarray
) -> dict[str, float]:
    """Microseconds of one evaluation of each function, compiled, all timed in alternation.

    `arrays` contain the values of its first inputs, with one row for each instant; p are the parameter values.
    """
    kernels = {name: Kernel(Recipe(partial(_same, one)), {"p": p}) for name, one in functions.items()}
    states = list(zip(*arrays, strict=True))
    loops = {name: Contestant(compiled_loop(kernel, states), len(states)) for name, kernel in kernels.items()}
    return {name: timing.median for name, timing in interleaved(loops, ROUNDS).items()}


def _same(traced: Traced) -> Traced:
    return traced
