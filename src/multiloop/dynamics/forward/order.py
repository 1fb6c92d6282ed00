"""In which order are unknowns and loops eliminated? The one that takes the fewest operations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import casadi as ca
import numpy as np

from multiloop.dynamics.symmetric import Entries, cheapest_order, solve_symmetric

Key = tuple[str, int, int]
"""("u", link, component) or ("lam", loop, row)."""

WORTH = 0.6
"""Loops are eliminated early only where the work falls below this part: it asks more of the position."""

SURE = 1e-3
"""Ratio of singular values from which the rows of a loop are held by a leg alone, at a position taken at random."""

LARGE = 200
"""Keys beyond which early elimination is not looked for."""


def solved_in_order(K: Entries[Key], right: dict[Key, Any], keys: Sequence[Key]) -> dict[Key, Any]:
    """The solution, eliminated in the order of least work.

    Loops last is always safe: I_u is positive definite, and so is Ī. Where a platform stands on many legs, Ī is
    full; then each loop is eliminated as soon as the unknowns of its own leg are, which leaves the leg's
    inertia at its tip, and the platform comes last:

        I_P + Σ_legs J_Pᵀ (J_l I_l⁻¹ J_lᵀ)⁻¹ J_P

    This asks that every such leg can move its tip all ways (it is not stretched); `slm` does not ask it.
    Orders of equal work are carried out, and the shorter tape is taken.
    """
    unknowns, loops = ([key for key in keys if (key[0] == "u") is is_u] for is_u in (True, False))
    tries = ([*unknowns, *loops], [*reversed(unknowns), *loops])
    numbers = [pair for pair, value in K.items() if isinstance(value, float) or value.is_constant()]
    orders = [cheapest_order(K, keys, loops_last(K), numbers) for keys in tries]
    sample = _sampled(K) if len(keys) <= LARGE else None
    if sample is not None:
        early = [cheapest_order(K, keys, _Early(sample, keys), numbers) for keys in tries]
        orders += [
            (order, work) for order, work in early if len(order) == len(keys) and work < WORTH * orders[0][1]
        ]
    least = min(work for _, work in orders)
    answers = [solve_symmetric(K, right, order) for order, work in orders if work == least]
    return min(answers, key=_operations) if sample is not None else answers[0]


def _operations(x: dict[Key, Any]) -> int:
    """Length of the tape of a solution."""
    whole = ca.cse(ca.vertcat(*[ca.SX(value) for value in x.values()]))
    return int(ca.Function("x", ca.symvar(whole), [whole]).n_instructions())


def loops_last(pairs: Iterable[tuple[Key, Key]]) -> Callable[[Key, set[Key]], bool]:
    """A row is ready when every unknown that it moves is gone."""
    moved: dict[Key, set[Key]] = {}
    for row, column in pairs:
        if row[0] == "lam":
            moved.setdefault(row, set()).add(column)
    return lambda key, left: key[0] == "u" or moved.get(key, set()).isdisjoint(left)


class _Early:
    """A loop is ready when the unknowns that are gone can meet its rows and those of all loops gone before."""

    def __init__(self, sample: dict[tuple[Key, Key], float], keys: Sequence[Key]) -> None:
        self.sample = sample
        self.keys = keys
        self.known: dict[tuple[int, int], bool] = {}

    def __call__(self, key: Key, left: set[Key]) -> bool:
        if key[0] == "u":
            return True
        gone = [k for k in self.keys if k[0] == "u" and k not in left]
        own = [k for k in self.keys if k[0] == "lam" and (k not in left or k[1] == key[1])]
        seen = (key[1], len(self.keys) - len(left))
        if seen not in self.known:
            J = np.array([[self.sample.get((row, column), 0.0) for column in gone] for row in own])
            sigma = np.linalg.svd(J, compute_uv=False) if J.size else np.zeros(0)
            full = len(gone) >= len(own) and len(sigma) > 0
            self.known[seen] = bool(full and sigma[len(own) - 1] > SURE * sigma[0])
        return self.known[seen]


def _sampled(K: Entries[Key]) -> dict[tuple[Key, Key], float] | None:
    """The rows in numbers at a position taken at random; None where they are numbers already.

    Links bent by half their length may turn their ends too far for numbers; then they are bent less.
    """
    places = [pair for pair in K if pair[0][0] == "lam"]
    if not places:
        return None
    J = ca.vertcat(*[ca.SX(K[pair]) for pair in places])
    symbols = ca.symvar(J)
    if not symbols:
        return None
    values = np.random.default_rng(5).uniform(0.4, 1.2, len(symbols))
    rows = ca.Function("rows", [ca.vertcat(*symbols)], [J])
    for size in (1.0, 0.1, 0.01):
        numbers = rows(size * values).full()[:, 0]
        if np.isfinite(numbers).all():
            return dict(zip(places, numbers, strict=True))
    return None
