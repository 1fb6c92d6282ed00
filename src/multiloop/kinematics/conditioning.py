"""Which rows are independent at a position of a run, and how near is it to a singular one?

Some rows must be independent by themselves: those of the description, before drives that are held through other
efforts join them; those that hold positions, before those that hold rates alone. Groups are taken in their order, and
of each only what the groups before it have not said:

    basis = diag(Uᵢᵀ),      Uᵢ Σᵢ Vᵢᵀ = Jᵢ N,      N spans what the groups before leave open
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np


@dataclass(frozen=True)
class Grouping:
    """Rows in groups, and how many of each are independent of all before."""

    groups: tuple[tuple[int, ...], ...]
    ranks: tuple[int, ...]

    @property
    def rank(self) -> int:
        """Independent rows of all groups together."""
        return sum(self.ranks)

    @cached_property
    def ends(self) -> tuple[int, ...]:
        """Independent rows up to the end of every group."""
        return tuple(np.cumsum(self.ranks).tolist())

    def combined(self, *numbers: int) -> list[int]:
        """Places, among the independent rows, of those of some groups."""
        return [
            k for number in numbers for k in range(self.ends[number] - self.ranks[number], self.ends[number])
        ]

    @cached_property
    def group_of(self) -> np.ndarray:
        """The group of every row."""
        found = np.zeros(sum(map(len, self.groups)), np.int_)
        for number, rows in enumerate(self.groups):
            found[list(rows)] = number
        return found


def independent_basis(J: np.ndarray, grouping: Grouping) -> np.ndarray:
    """Combinations of rows that are independent, rank × rows; those of a group combine its own rows."""
    basis, before = np.zeros((grouping.rank, len(J))), np.eye(J.shape[1])
    for rows, rank, end in zip(grouping.groups, grouping.ranks, grouping.ends, strict=True):
        own = J[list(rows)]
        U, _, Vt = np.linalg.svd(own @ before, full_matrices=True)
        basis[end - rank : end, list(rows)] = U[:, :rank].T
        before = before @ Vt[rank:].T
    return basis


# how near a position is to a singular one ------------------------------------------------------------------


def row_pivots(J: np.ndarray, W: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Pivots d and diagonal entries a of A = J W Jᵀ = L D Lᵀ, in the given order of rows.

    d_k / a_k is the squared sine of the angle between a row and all rows before it, in the metric W. Sizes are taken
    out by a power of two, which changes no digit: links may be so light that squares of A are not finite.
    """
    A = J @ W @ J.T
    size = 2.0 ** np.frexp(np.abs(A).max(initial=1.0))[1].clip(-1000, 1000)
    A = A / size
    sizes, pivots = np.diag(A).copy(), np.zeros(len(A))
    for k in range(len(A)):
        pivots[k] = A[k, k]
        if pivots[k] > 0:
            A[k:, k:] -= np.outer(A[k:, k], A[k, k:]) / pivots[k]
    return size * pivots, size * sizes


def pivoted_rows(J: np.ndarray, grouping: Grouping) -> tuple[np.ndarray, np.ndarray, list[int]]:
    """The same of J Jᵀ where rows are redundant, with their order: by groups, the longest remaining row first."""
    left, sizes = J.astype(float).copy(), np.sum(J * J, axis=1)
    order: list[int] = []
    pivots = []
    for rows, rank in zip(grouping.groups, grouping.ranks, strict=True):
        waiting = list(rows)
        for _ in range(rank):
            best = max(waiting, key=lambda row: float(left[row] @ left[row]))
            waiting.remove(best)
            order.append(best)
            pivots.append(float(left[best] @ left[best]))
            if pivots[-1] > 0:
                left -= np.outer(left @ left[best], left[best]) / pivots[-1]
    return np.array(pivots), sizes[order], order


def closeness_of(pivots: np.ndarray, largest: np.ndarray) -> float:
    """0 at a singular position, 1 where every row stands across all others and is as large as it ever was.

        √ min_k d_k / max a_k

    `largest` are the largest diagonal entries so far: d_k / a_k compares a row with others, a_k / max a_k with itself,
    since a single row may vanish, or all of them together. Uncoupled parts do not disturb each other, whatever their
    masses, and no unit enters.
    """
    if not len(pivots):
        return 1.0
    return float(np.sqrt(max(0.0, np.min(pivots / np.where(largest > 0, largest, 1.0)))))
