"""Sparse symmetric equations in straight code: L D Lᵀ in an order that is chosen by counting.

    A x = b,   A = L D Lᵀ

Only one half of A is ever touched, a zero is never touched, and with a single right-hand side nothing is solved
twice. Pivots may be positive or negative; the order must see to it that none is zero.
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
    """x of A x = b; A by entries, one of (i, j) and (j, i) each, eliminated in the given order."""
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


class Pattern(Generic[Key]):
    """Which entries of a symmetric matrix are there, and which of them are mere numbers, while it is eliminated."""

    def __init__(
        self, pairs: Iterable[tuple[Key, Key]], keys: Iterable[Key], numbers: Iterable[tuple[Key, Key]]
    ) -> None:
        self.near: dict[Key, set[Key]] = {key: set() for key in keys}
        self.numbers = {frozenset(pair) for pair in numbers}
        self.there: set[frozenset[Key]] = set()
        for i, j in pairs:
            if i != j:
                self.near[i].add(j)
                self.near[j].add(i)
            else:
                self.there.add(frozenset((i,)))

    def cost(self, key: Key) -> int:
        """Operations of eliminating it now: factors, changes, right-hand sides and substitution back."""
        near, plain = self.near[key], frozenset((key,)) in self.numbers
        fixed = [i for i in near if plain and frozenset((key, i)) in self.numbers]
        d, f = len(near), len(fixed)
        return (d - f) + d * (d + 1) - f * (f + 1) + 4 * d + 1

    def eliminate(self, key: Key) -> None:
        """Leave it out and fill what it joins."""
        near, numbers = self.near.pop(key), self.numbers
        plain = frozenset((key,)) in numbers
        fixed = {i for i in near if plain and frozenset((key, i)) in numbers}
        for i in near:
            for j in near:
                pair = frozenset((i, j))
                fresh = j not in self.near[i] if i != j else pair not in self.there
                if i in fixed and j in fixed:
                    if fresh:
                        numbers.add(pair)
                else:
                    numbers.discard(pair)
                if i == j:
                    self.there.add(pair)
            self.near[i] |= near
            self.near[i] -= {i, key}


def cheapest_order(
    pairs: Iterable[tuple[Key, Key]],
    keys: Sequence[Key],
    ready: Callable[[Key, set[Key]], bool],
    numbers: Iterable[tuple[Key, Key]] = (),
) -> tuple[list[Key], int]:
    """All keys in an order of little work, always the cheapest one that is ready, and the operations it takes.

    `pairs` are the entries that are there, one of (i, j) and (j, i) each, `numbers` those that are constant.
    `ready(key, left)` says whether a key may go while those in `left` are still there; where none may, the
    order is cut short. Earlier keys go first among equals. Cost: linear in the keys for a sparse matrix.
    """
    pattern: Pattern[Key] = Pattern(pairs, keys, numbers)
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
            continue  # it is looked at again when a neighbour goes
        near = set(pattern.near[key])
        pattern.eliminate(key)
        left.remove(key)
        order.append(key)
        total += price
        for i in near:
            cost[i] = pattern.cost(i)
            heappush(waiting, (cost[i], place[i], i))
    return order, total
