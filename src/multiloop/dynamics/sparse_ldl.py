"""Sparse symmetric linear equations in straight-line code: L D Lᵀ in an order of few operations.

    A x = b,   A = L D Lᵀ

Only one half of A is used, and zeros cost no operations. The order counts the operations on variables, whereas
CasADi's `ldl` orders by fill-in. Pivots may be positive or negative; the order must be such that none is zero.

Theory: docs/theory/06-forward-dynamics.md, eqs. (6.10), (6.11).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from heapq import heapify, heappop, heappush
from typing import Any, Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Entries = dict[tuple[Key, Key], Any]


def solve_symmetric(
    A: Mapping[tuple[Key, Key], Any], b: Mapping[Key, Any], order: Sequence[Key]
) -> dict[Key, Any]:
    """Solution x of A x = b, eliminated in the given order; A is given by its entries, one of each pair (i, j) and
    (j, i)."""
    place = {key: k for k, key in enumerate(order)}
    below: dict[Key, dict[Key, Any]] = {key: {} for key in order}
    pivot: dict[Key, Any] = {}
    for (i, j), value in A.items():
        if i == j:
            pivot[i] = value
        elif place[i] > place[j]:
            below[j][i] = value
        else:
            below[i][j] = value
    x = dict(b)
    factors: dict[Key, dict[Key, Any]] = {}
    for k in order:
        column = below[k]
        rows = sorted(column, key=place.__getitem__)
        factors[k] = {i: column[i] / pivot[k] for i in rows}
        for a, i in enumerate(rows):
            L = factors[k][i]
            x[i] = x[i] - L * x[k] if i in x else -(L * x[k])
            pivot[i] = pivot[i] - L * column[i] if i in pivot else -(L * column[i])
            for j in rows[a + 1 :]:
                change = L * column[j]
                below[i][j] = below[i][j] - change if j in below[i] else -change
    for k in reversed(order):
        x[k] = x[k] / pivot[k]
        for i, L in factors[k].items():
            x[k] = x[k] - L * x[i]
    return x


class EliminationPattern(Generic[Key]):
    """Sparsity pattern of a symmetric matrix during elimination, and which entries are constants."""

    def __init__(
        self, pairs: Iterable[tuple[Key, Key]], keys: Iterable[Key], numbers: Iterable[tuple[Key, Key]]
    ) -> None:
        self.neighbours: dict[Key, set[Key]] = {key: set() for key in keys}
        self.numbers = {frozenset(pair) for pair in numbers}
        self.diagonal: set[frozenset[Key]] = set()
        for i, j in pairs:
            if i != j:
                self.neighbours[i].add(j)
                self.neighbours[j].add(i)
            else:
                self.diagonal.add(frozenset((i,)))

    def cost(self, key: Key) -> int:
        """Number of operations to eliminate a key now: factors, updates, right-hand side and back substitution."""
        near, plain = self.neighbours[key], frozenset((key,)) in self.numbers
        fixed = [i for i in near if plain and frozenset((key, i)) in self.numbers]
        d, f = len(near), len(fixed)
        return (d - f) + d * (d + 1) - f * (f + 1) + 4 * d + 1

    def eliminate(self, key: Key) -> None:
        """Eliminate a key and add the fill-in."""
        near, numbers = self.neighbours.pop(key), self.numbers
        plain = frozenset((key,)) in numbers
        fixed = {i for i in near if plain and frozenset((key, i)) in numbers}
        for i in near:
            for j in near:
                pair = frozenset((i, j))
                fresh = j not in self.neighbours[i] if i != j else pair not in self.diagonal
                if i in fixed and j in fixed:
                    if fresh:
                        numbers.add(pair)
                else:
                    numbers.discard(pair)
                if i == j:
                    self.diagonal.add(pair)
            self.neighbours[i] |= near
            self.neighbours[i] -= {i, key}


def cheapest_order(
    pairs: Iterable[tuple[Key, Key]],
    keys: Sequence[Key],
    ready: Callable[[Key, set[Key]], bool],
    numbers: Iterable[tuple[Key, Key]] = (),
) -> tuple[list[Key], int]:
    """Greedy elimination order, always the cheapest key that is ready, and the number of operations.

    `pairs` are the nonzero entries, one of (i, j) and (j, i) each, `numbers` those that are constant. `ready(key,
    left)` states whether a key may be eliminated while the keys in `left` remain; the order ends where no key is ready.
    Among keys of equal cost the earlier one is eliminated first. Cost: linear in the number of keys for a sparse
    matrix.
    """
    pattern: EliminationPattern[Key] = EliminationPattern(pairs, keys, numbers)
    place = {key: k for k, key in enumerate(keys)}
    left, order, total = set(keys), [], 0
    cost = {key: pattern.cost(key) for key in keys}
    waiting = [(cost[key], place[key], key) for key in keys]
    heapify(waiting)
    while waiting:
        price, _, key = heappop(waiting)
        if key not in left or price != cost[key]:
            continue
        if not ready(key, left):
            continue  # this key is considered again when a neighbour is eliminated
        near = set(pattern.neighbours[key])
        pattern.eliminate(key)
        left.remove(key)
        order.append(key)
        total += price
        for i in near:
            cost[i] = pattern.cost(i)
            heappush(waiting, (cost[i], place[i], i))
    return order, total
