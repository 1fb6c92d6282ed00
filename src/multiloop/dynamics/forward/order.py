"""Elimination order of unknowns and loop rows with the fewest operations."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

import casadi as ca
import numpy as np

from multiloop.dynamics.symmetric import Entries, cheapest_order, solve_symmetric

Key = tuple[str, int, int]
"""("u", link, component) or ("lam", loop, row)."""

WORTH = 0.6
"""Loops are eliminated early only if the work falls below this fraction, since it fails at more positions."""

SURE = 1e-3
"""Ratio of singular values above which one leg alone determines the rows of a loop, at a random position."""

POSITIONS = 32
"""Positions with arbitrary angles at which the rows of a loop must be regular where no joint of its leg slides."""

LARGE = 200
"""Number of keys above which early elimination is not considered."""


def solved_in_order(
    K: Entries[Key], right: dict[Key, Any], keys: Sequence[Key], telescopic: Collection[int]
) -> dict[Key, Any]:
    """The solution, eliminated in the order of least work; `telescopic` are the links that slide in their joints.

    Eliminating loops last is always possible: I_u is positive definite, and so is Ī. For a platform on many legs Ī is
    full; then each loop is eliminated as soon as the unknowns of its leg are, which leaves the inertia of the leg at
    its tip, and the platform is eliminated last:

        I_P + Σ_legs J_Pᵀ (J_l I_l⁻¹ J_lᵀ)⁻¹ J_P

    This requires that every such leg can move its tip in all directions; `slm` does not require it. A leg of revolute
    joints alone is singular where it is stretched, which mechanisms reach, and loses digits near that configuration.
    Early elimination is therefore used only for legs with a sliding joint and for rows that are regular at all angles.
    All orders of equal work are carried out, and the solution with the fewest operations is returned.
    """
    unknowns, loops = ([key for key in keys if (key[0] == "u") is is_u] for is_u in (True, False))
    tries = ([*unknowns, *loops], [*reversed(unknowns), *loops])
    numbers = [pair for pair, value in K.items() if isinstance(value, float) or value.is_constant()]
    orders = [cheapest_order(K, keys, loops_last(K), numbers) for keys in tries]
    sample = _sampled(K) if len(keys) <= LARGE else None
    if sample is not None:
        early = [cheapest_order(K, keys, _Early(sample, keys, telescopic), numbers) for keys in tries]
        orders += [
            (order, work) for order, work in early if len(order) == len(keys) and work < WORTH * orders[0][1]
        ]
    least = min(work for _, work in orders)
    answers = [solve_symmetric(K, right, order) for order, work in orders if work == least]
    return min(answers, key=_operations) if sample is not None else answers[0]


def _operations(x: dict[Key, Any]) -> int:
    """Number of operations of a solution."""
    whole = ca.cse(ca.vertcat(*[ca.SX(value) for value in x.values()]))
    return int(ca.Function("x", ca.symvar(whole), [whole]).n_instructions())


def loops_last(pairs: Iterable[tuple[Key, Key]]) -> Callable[[Key, set[Key]], bool]:
    """A row is ready when all unknowns in it have been eliminated."""
    moved: dict[Key, set[Key]] = {}
    for row, column in pairs:
        if row[0] == "lam":
            moved.setdefault(row, set()).add(column)
    return lambda key, left: key[0] == "u" or moved.get(key, set()).isdisjoint(left)


class _Early:
    """A loop is ready when the eliminated unknowns can satisfy its rows and those of all loops eliminated before.

    If the leg of the loop has a sliding joint, this is tested at one sampled position, otherwise at all.
    """

    def __init__(
        self, sample: dict[tuple[Key, Key], np.ndarray], keys: Sequence[Key], telescopic: Collection[int]
    ) -> None:
        self.sample = sample
        self.keys = keys
        self.telescopic = telescopic
        self.columns: dict[int, set[Key]] = {}  # unknowns in the rows of a loop
        for row, column in sample:
            self.columns.setdefault(row[1], set()).add(column)
        self.known: dict[tuple[int, int], bool] = {}

    def __call__(self, key: Key, left: set[Key]) -> bool:
        if key[0] == "u":
            return True
        gone = [k for k in self.keys if k[0] == "u" and k not in left]
        own = [k for k in self.keys if k[0] == "lam" and (k not in left or k[1] == key[1])]
        seen = (key[1], len(self.keys) - len(left))
        if seen not in self.known:
            slides = any(link in self.telescopic for _, link, _ in self.columns[key[1]] - left)
            self.known[seen] = len(gone) >= len(own) and _regular(
                self._rows(own, gone, 1 if slides else None)
            )
        return self.known[seen]

    def _rows(self, own: list[Key], gone: list[Key], count: int | None) -> np.ndarray:
        """The rows at `count` of the sampled positions, stacked."""
        zero = np.zeros(1 + POSITIONS)
        J = np.array([[self.sample.get((row, column), zero) for column in gone] for row in own])
        stacked: np.ndarray = np.moveaxis(J, -1, 0)[:count]
        return stacked


def _regular(J: np.ndarray) -> bool:
    """Whether rows are independent at all positions of a stack, and no singular position lies between these."""
    sigma = np.linalg.svd(J, compute_uv=False)
    if not (sigma[:, -1] > SURE * sigma[:, 0]).all():
        return False
    return J.shape[1] != J.shape[2] or bool(np.ptp(np.linalg.slogdet(J)[0]) == 0)


def _sampled(K: Entries[Key]) -> dict[tuple[Key, Key], np.ndarray] | None:
    """Numeric values of the rows at random positions; None if the rows are constant.

    At the first position all coordinates are moderate; at the others revolute joints may have any angle. Large random
    elastic coordinates may give values that are not finite; then smaller ones are tried.
    """
    places = [pair for pair in K if pair[0][0] == "lam"]
    if not places:
        return None
    J = ca.vertcat(*[ca.SX(K[pair]) for pair in places])
    symbols = ca.symvar(J)
    if not symbols:
        return None
    random = np.random.default_rng(5)
    values = random.uniform(0.4, 1.2, (len(symbols), 1))
    values = np.hstack([values, random.uniform(-np.pi, np.pi, (len(symbols), POSITIONS))])
    rows = ca.Function("rows", [ca.vertcat(*symbols)], [J]).map(1 + POSITIONS)
    for size in (1.0, 0.1, 0.01):
        numbers = rows(size * values).full()
        if np.isfinite(numbers).all():
            return dict(zip(places, numbers, strict=True))
    return None
