"""What does each formulation cost: operations of its linear solves, dense and folded, and of its whole operation list?

"Dense" counts the solves of a method as if every matrix were full: n³/3 + 2n² for each right-hand side of a
positive-definite matrix (L D Lᵀ), 4n³/3 + 3n² of any other (reflections), Cramer's rule up to 3×3. "Folded" is the cost
of the same solves with their structural zeros; "tape" is the whole evaluation after folding and sharing. The papers
print orders of Gaussian elimination or times, so that only the ranking of the methods is comparable.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import casadi as ca
import numpy as np
from zoo import ZOO
from zoo.chains import ladder

import multiloop as ml
from multiloop.dynamics import symbolic_solvers as elimination
from multiloop.dynamics.forward import ForwardFunctions
from multiloop.dynamics.inverse import InverseFunctions, effort_columns
from multiloop.kinematics.equations import Equations, equations_of
from multiloop.plan import Plan, unknown_efforts
from multiloop.symbols import Traced

INVERSE = ("traditional", "system", "subsystem", "virtual_work")
FORWARD = ("system", "slm", "sslm", "embedding")
MECHANISMS: dict[str, Callable[[], ml.Mechanism]] = {
    "scraper": ZOO["scraper-C"].build,
    "3-RRR": ZOO["3-RRR"].build,
    "RSSR (S-U)": ZOO["RSUR"].build,
    "excavator": ZOO["excavator"].build,
    "6-UPS": ZOO["6-UPS"].build,
    "ladder 5": lambda: ladder(5),
    "ladder 20": lambda: ladder(20),
    "ladder 80": lambda: ladder(80),
}
PRINTED = {
    ("scraper", "inverse", "traditional"): "O(3087)",
    ("scraper", "inverse", "system"): "O(128.3)",
    ("scraper", "inverse", "subsystem"): "O(45.3)",
    ("RSSR (S-U)", "inverse", "traditional"): "O(1994)",
    ("RSSR (S-U)", "inverse", "system"): "O(45.3)",
    ("RSSR (S-U)", "inverse", "subsystem"): "O(33)",
    ("scraper", "forward", "slm"): "0.3045 s",
    ("scraper", "forward", "sslm"): "0.2205 s",
    ("3-RRR", "forward", "slm"): "0.2055 s",
    ("3-RRR", "forward", "sslm"): "0.1575 s",
}
"""Orders of [chaudhary], Tables 2–3, and times for λ of [koul], Table 4, as printed; see docs/errata.md."""

LARGEST_TRADITIONAL = 60
"""Number of bodies up to which the traditional method is traced; beyond it the dense count is sufficient."""


def measure() -> list[dict[str, Any]]:
    """One row a mechanism and method."""
    rows = []
    for name, build in MECHANISMS.items():
        mechanism = build()
        plan = ml.analyse(mechanism)
        equations = equations_of(mechanism, plan.tree)
        for method in INVERSE:
            if method != "traditional" or len(mechanism.moving) <= LARGEST_TRADITIONAL:
                rows.append(_row(name, "inverse", method, partial(_inverse, plan, equations, method)))
        for method in FORWARD:
            if len(mechanism.moving) <= LARGEST_TRADITIONAL or method in ("slm", "sslm"):
                rows.append(_row(name, "forward", method, partial(_forward, plan, equations, method)))
    return rows


def table(rows: list[dict[str, Any]]) -> str:
    """The rows as text."""
    lines = [
        "operations of every formulation: linear solves dense and folded, whole tape, and what was printed",
        "",
    ]
    lines.append(
        f"{'mechanism':<12}{'question':<9}{'method':<14}{'dense':>12}{'folded':>9}{'tape':>9}  printed"
    )
    for row in rows:
        lines.append(
            f"{row['mechanism']:<12}{row['question']:<9}{row['method']:<14}{row['dense']:>12,}{row['folded']:>9,}"
            f"{row['tape']:>9,}  {row['printed']}"
        )
    windows = {
        row["mechanism"]: row["tape"]
        for row in rows
        if row["method"] == "sslm" and "ladder" in row["mechanism"]
    }
    lines.append("")
    lines += [
        f"sslm, {name}: {tape / int(name.split()[1]):.0f} operations a window"
        for name, tape in windows.items()
    ]
    return "\n".join(lines)


def _row(mechanism: str, question: str, method: str, trace: Callable[[], Traced]) -> dict[str, Any]:
    with counted_solves() as solves:
        traced = trace()
    return {
        "mechanism": mechanism,
        "question": question,
        "method": method,
        "dense": round(sum(solve["dense"] for solve in solves)),
        "folded": sum(solve["folded"] for solve in solves),
        "tape": traced.tape().total,
        "printed": PRINTED.get((mechanism, question, method), ""),
    }


def _inverse(plan: Plan, equations: Equations, method: str) -> Traced:
    functions = InverseFunctions(equations)
    B = effort_columns(equations, unknown_efforts(plan.mechanism))
    if method == "traditional":
        return functions.traced_traditional(B, None)
    return functions.traced_solution(method, B, None, plan.determinacy.blocks)


def _forward(plan: Plan, equations: Equations, method: str) -> Traced:
    return ForwardFunctions(equations, method, order=plan.order).accelerations


@contextmanager
def counted_solves() -> Iterator[list[dict[str, float]]]:
    """Record every linear solve made while an algorithm is traced, with its dense and its folded cost."""
    found: list[dict[str, float]] = []
    kept = elimination.solve_positive, elimination.solve_general
    sslm_module = sys.modules["multiloop.dynamics.forward.subsystem_multipliers"]
    in_order = sslm_module.solve_in_cheapest_order
    places = [
        (module, name)
        for module in list(sys.modules.values())
        if getattr(module, "__name__", "").startswith("multiloop.dynamics")
        for name in ("solve_positive", "solve_general")
        if hasattr(module, name)
    ]

    def noting(solve: Callable[..., Any], symmetric: bool) -> Callable[..., Any]:
        def noted(A: Any, B: Any) -> Any:
            found.append(
                {
                    "dense": _dense(A.shape[0], A.shape[1], B.shape[1], symmetric),
                    "folded": _folded(solve, A, B),
                }
            )
            return solve(A, B)

        return noted

    def noted_in_order(K: dict[Any, Any], right: dict[Any, Any], keys: list[Any], slides: Any) -> Any:
        n = len(keys)
        folded = _folded_in_order(in_order, K, right, keys, slides)
        found.append({"dense": _dense(n, n, 1, True), "folded": folded})
        return in_order(K, right, keys, slides)

    try:
        sslm_module.solve_in_cheapest_order = noted_in_order
        for module, name in places:
            setattr(
                module,
                name,
                noting(kept[0] if name == "solve_positive" else kept[1], name == "solve_positive"),
            )
        yield found
    finally:
        sslm_module.solve_in_cheapest_order = in_order
        for module, name in places:
            setattr(module, name, kept[0] if name == "solve_positive" else kept[1])


def _dense(m: int, n: int, width: int, symmetric: bool) -> float:
    """Operations of a solve with a full m×n matrix and `width` right-hand sides."""
    if symmetric:
        return n**3 / 3 + 2 * n * n * width + n
    if m == n and n <= 3:
        return {0: 0, 1: width, 2: 3 + 8 * width, 3: 32 + 18 * width}[n]
    reflections = sum((m - k) * (4 * (n - k) + 4 * width + 3) + 6 for k in range(n))
    return reflections + n * n * width


def _folded(solve: Callable[..., Any], A: Any, B: Any) -> int:
    """Operations of one solve with the zeros in their places and a symbol in every other entry."""
    symbols = [ca.SX.sym(name, ca.sparsify(ca.SX(m)).sparsity()) for name, m in (("A", A), ("B", B))]
    if 0 in A.shape or 0 in B.shape:
        return 0
    left, right = symbols
    if solve is not None and A.shape[0] == A.shape[1] and np.array_equal(_pattern(A), _pattern(A).T):
        left = ca.triu2symm(ca.triu(left)) if solve.__name__ == "solve_positive" else left
    answer = solve(left, right)
    inputs = {"A": ca.vertcat(*ca.symvar(ca.vertcat(ca.vec(left), ca.vec(right))))}
    return Traced("solve", inputs, {"X": answer}).tape().total


def _folded_in_order(
    solve: Callable[..., Any], K: dict[Any, Any], right: dict[Any, Any], keys: list[Any], slides: Any
) -> int:
    """The same for one elimination of the equations of motion with their rows."""
    symbols: list[Any] = []

    def symbol(value: Any) -> Any:
        if isinstance(value, float) or value.is_constant():
            return value
        symbols.append(ca.SX.sym(f"k{len(symbols)}"))
        return symbols[-1]

    answer = solve(
        {pair: symbol(v) for pair, v in K.items()}, {key: symbol(v) for key, v in right.items()}, keys, slides
    )
    if not symbols:
        return 0
    return Traced("solve", {"A": ca.vertcat(*symbols)}, {"X": ca.vertcat(*answer.values())}).tape().total


def _pattern(A: Any) -> np.ndarray:
    return np.array(ca.DM(ca.sparsify(ca.SX(A)).sparsity(), 1).full()) != 0
