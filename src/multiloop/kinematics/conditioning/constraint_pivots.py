"""Independent combinations of constraint rows, and the distance of a position from singularity by pivots.

Some groups of constraint rows are used without the others: loop constraints without servo constraints (of drives whose
efforts act at other coordinates), and position constraints without the constraints that restrict only rates. The rows
of each group are therefore combined to independent rows without rows of other groups. For each group i, the part of its
Jacobian Jᵢ that is independent of all earlier groups follows from a singular value decomposition:

    Uᵢ Σᵢ Vᵢᵀ = Jᵢ N,      N spans the null space of all earlier groups

The transposed left singular vectors Uᵢᵀ of nonzero singular values are the diagonal blocks of the matrix that combines
the rows.

Theory: docs/theory/06-forward-dynamics.md, section 6.8; docs/theory/08-singular-configurations.md, eq. (8.2).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np


@dataclass(frozen=True)
class RowGroups:
    """Indices of constraint rows in groups, and for each group the number of rows that are independent of all earlier
    groups."""

    groups: tuple[tuple[int, ...], ...]
    ranks: tuple[int, ...]

    @property
    def rank(self) -> int:
        """Number of independent constraint rows of all groups together."""
        return sum(self.ranks)

    @cached_property
    def cumulative_ranks(self) -> tuple[int, ...]:
        """For every group, the number of independent constraint rows of this and all earlier groups."""
        return tuple(np.cumsum(self.ranks).tolist())

    def independent_places(self, *numbers: int) -> list[int]:
        """Indices, among all independent rows, of the independent rows of the groups `numbers`."""
        return [
            k
            for number in numbers
            for k in range(self.cumulative_ranks[number] - self.ranks[number], self.cumulative_ranks[number])
        ]

    @cached_property
    def group_of(self) -> np.ndarray:
        """For each constraint row, the index of the group to which it belongs."""
        found = np.zeros(sum(map(len, self.groups)), np.int_)
        for number, rows in enumerate(self.groups):
            found[list(rows)] = number
        return found


def independent_basis(J: np.ndarray, grouping: RowGroups) -> np.ndarray:
    """Matrix, rank × rows, whose product with the constraint Jacobian J has independent rows; each of its rows combines
    constraint rows of one group only."""
    basis, before = np.zeros((grouping.rank, len(J))), np.eye(J.shape[1])
    for rows, rank, end in zip(grouping.groups, grouping.ranks, grouping.cumulative_ranks, strict=True):
        own = J[list(rows)]
        U, _, Vt = np.linalg.svd(own @ before, full_matrices=True)
        basis[end - rank : end, list(rows)] = U[:, :rank].T
        before = before @ Vt[rank:].T
    return basis


# distance from a singular configuration --------------------------------------------------------------------


def row_pivots(J: np.ndarray, W: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Pivots d and diagonal entries a of the matrix A = J W Jᵀ, with the constraint Jacobian J, whose rows are
    eliminated in the given order, and the metric W. The pivots are the diagonal of D in A = L D Lᵀ.

    d_k / a_k is the squared sine of the angle between row k of J and the span of all earlier rows, in the metric W. A
    is scaled by a power of two, which causes no round-off, because the entries of W (inverse masses) may be so large
    that products of entries of A overflow.
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


def pivoted_rows(J: np.ndarray, grouping: RowGroups) -> tuple[np.ndarray, np.ndarray, list[int]]:
    """Pivots and diagonal entries of J Jᵀ for a constraint Jacobian J with redundant rows, and the order in which rows
    are taken.

    Within each group the next row is the one whose part orthogonal to all rows taken before is longest.
    """
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


def pivot_distance(pivots: np.ndarray, largest: np.ndarray) -> float:
    """Distance from singularity: 0 at a singular configuration, 1 where all rows are orthogonal and of maximum length.

        √ min_k d_k / max a_k

    `pivots` are d_k; `largest` are the largest diagonal entries a_k of each row since the start of the motion. d_k /
    a_k measures the angle between a row and the other rows, and a_k / max a_k the present squared length of the row
    relative to its largest one, since a single row or all rows may vanish. The measure is independent of units, and
    uncoupled parts of a mechanism do not affect each other whatever their masses.
    """
    if not len(pivots):
        return 1.0
    return float(np.sqrt(max(0.0, np.min(pivots / np.where(largest > 0, largest, 1.0)))))
