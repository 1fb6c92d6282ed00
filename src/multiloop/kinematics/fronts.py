"""Orthogonal elimination of a large sparse matrix: its rank, its triangle, and which of its rows depend on others.

Columns are eliminated one group after another. All rows that speak of a group are gathered in a small dense front,
turned so that as few of them as possible still do, and the others handed on:

    Qᵀ [ F_group  F_rest ] = [ R  S ; 0  F_handed_on ; 0  0 ]

Every step is a rotation, so nothing grows, and what is dropped as zero moves no singular value by more than its size.
The group with the narrowest front goes first; a column that the rotations leave nothing of is passed over.

Our own arrangement of the sparse QR decomposition by merging rows, of George and Heath.
Cost: linear in the fronts; those of a chain of loops are as small as one of the loops.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from heapq import heapify, heappop, heappush

import numpy as np

from multiloop.kinematics.sparse_matrices import la, sp, spla


@dataclass(frozen=True, eq=False)
class Front:
    """One step: the rows of the matrix that enter here, the fronts that hand on theirs, and how all are turned.

    Columns of Q are, in order: `pivots` that stay here, `handed` on, and the rest, which vanish.
    """

    rows: np.ndarray
    before: tuple[int, ...]
    Q: np.ndarray
    pivots: int
    handed: int


@dataclass(frozen=True, eq=False)
class Eliminated:
    """A matrix turned into a staircase.

    R is rank × columns; `pivots` are the columns of its steps, on which it is upper triangular, `passed` the others.
    `dropped` are the sizes of what was taken for zero in each of those.
    """

    R: sp.csr_matrix
    pivots: np.ndarray
    passed: np.ndarray
    dropped: np.ndarray
    fronts: tuple[Front, ...]
    rows: int

    @property
    def rank(self) -> int:
        """Number of independent rows."""
        return len(self.pivots)

    @cached_property
    def _triangle(self) -> spla.SuperLU:
        return spla.splu(self.R[:, self.pivots].tocsc(), permc_spec="NATURAL", diag_pivot_thresh=0.0)

    def null_vectors(self, free: np.ndarray) -> np.ndarray:
        """What the rows leave open, columns × m, for given entries in the columns passed over, passed × m."""
        found = np.zeros((self.R.shape[1], free.shape[1]))
        found[self.passed] = free
        if self.rank and len(self.passed):
            found[self.pivots] = -self._triangle.solve(self.R[:, self.passed] @ free)
        return found

    def least_singular_values(self, count: int) -> np.ndarray:
        """The smallest singular values in falling order, where no column is passed over.

        They are the largest of the triangle's inverse, by Lanczos' method; round-off of the matrix limits them.
        """
        inverse = spla.LinearOperator(
            (self.rank, self.rank),
            matvec=lambda x: self._triangle.solve(self._triangle.solve(x, "T")),
            dtype=float,
        )
        begin = np.sin(1.0 + np.arange(self.rank))
        largest = spla.eigsh(inverse, count, v0=begin, return_eigenvectors=False)
        sigma: np.ndarray = np.sort(1 / np.sqrt(largest))[::-1]
        return sigma

    def dependence(self) -> np.ndarray:
        """For every row eᵢ of the matrix the length of its part in the combinations of rows that vanish.

        From the last front to the first: what of each row handed on vanishes further on, and what of it here.
        """
        found = np.ones(self.rows)  # a row of zeros vanishes by itself
        beyond: dict[int, np.ndarray] = {}
        for number in reversed(range(len(self.fronts))):
            front = self.fronts[number]
            kept, handed = front.pivots, front.pivots + front.handed
            vanishing = front.Q[:, handed:]
            if front.handed:
                vanishing = np.hstack([vanishing, front.Q[:, kept:handed] @ beyond.pop(number)])
            at = len(front.rows)
            found[front.rows] = np.linalg.norm(vanishing[:at], axis=1)
            for earlier in front.before:
                part = vanishing[at : at + self.fronts[earlier].handed]
                at += len(part)
                narrow = part.shape[1] <= part.shape[0]
                beyond[earlier] = part if narrow else la.qr(part.T, mode="r")[0].T
        return found


@dataclass(frozen=True, eq=False)
class _Block:
    """Rows that speak of the same groups of columns: rows of the matrix, or those that a front hands on."""

    groups: tuple[int, ...]
    values: np.ndarray
    rows: np.ndarray
    front: int = -1


def eliminate(matrix: sp.spmatrix, zero: float) -> Eliminated:
    """Turn a matrix into a staircase; what is not larger than `zero` counts as nothing."""
    matrix = sp.csr_matrix(matrix)
    groups = list(_alike(matrix.tocsc()))
    waiting = _Waiting(groups, list(_blocks(matrix, groups)))
    fronts: list[Front] = []
    pivots = [np.zeros(0, int)]
    sizes = np.zeros(matrix.shape[1])  # of what is left of columns that are passed over
    stairs: list[tuple[np.ndarray, np.ndarray]] = []
    while (group := waiting.narrowest()) is not None:
        blocks = waiting.taken(group)
        others = sorted({g for block in blocks for g in block.groups} - {group})
        F = _gathered(blocks, (group, *others), groups)
        own, rest = groups[group], np.concatenate([np.zeros(0, int), *(groups[g] for g in others)])
        Q, R, order = la.qr(F[:, : len(own)], pivoting=True, check_finite=False)
        rank = int(np.sum(np.abs(np.diag(R)) > zero))
        turned = Q.T @ F[:, len(own) :]
        stairs.append((np.concatenate([own[order], rest]), np.hstack([R[:rank], turned[:rank]])))
        pivots.append(own[order[:rank]])
        sizes[own[order[rank:]]] = np.linalg.norm(R[rank:, rank:], axis=0)
        left = turned[rank:]
        if len(left) > len(rest):  # all that goes beyond a triangle vanishes
            P, left = np.linalg.qr(left, mode="complete") if len(rest) else (np.eye(len(left)), left)
            Q[:, rank:], left = Q[:, rank:] @ P, left[: len(rest)]
        entering = np.concatenate([block.rows for block in blocks])
        before = tuple(block.front for block in blocks if block.front >= 0)
        fronts.append(Front(entering, before, Q, rank, len(left)))
        if len(left):
            waiting.add(_Block(tuple(others), left, np.zeros(0, int), len(fronts) - 1))
    taken = np.concatenate(pivots)
    passed = np.setdiff1d(np.arange(matrix.shape[1]), taken)
    return Eliminated(
        R=_stacked(stairs, matrix.shape[1]),
        pivots=taken,
        passed=passed,
        dropped=sizes[passed],
        fronts=tuple(fronts),
        rows=matrix.shape[0],
    )


class _Waiting:
    """The groups and blocks that are left; the width of a group's front is bounded by those of its blocks."""

    def __init__(self, groups: list[np.ndarray], blocks: list[_Block]) -> None:
        self.around: list[dict[int, _Block]] = [{} for _ in groups]
        self.width = [0] * len(groups)
        self.number = 0
        self.heap: list[tuple[int, int]] = []
        for block in blocks:
            self.add(block)
        heapify(self.heap)

    def add(self, block: _Block) -> None:
        """Put a block beside its groups."""
        for g in block.groups:
            self.around[g][self.number] = block
            self.width[g] += block.values.shape[1]
            heappush(self.heap, (self.width[g], g))
        self.number += 1

    def narrowest(self) -> int | None:
        """The next group, or None when all are done."""
        while self.heap:
            width, g = heappop(self.heap)
            if self.around[g] and width == self.width[g]:
                return g
        return None

    def taken(self, group: int) -> list[_Block]:
        """All blocks that speak of a group, taken away: rows of the matrix first."""
        found = self.around[group].copy()
        for number, block in found.items():
            for g in block.groups:
                del self.around[g][number]
                self.width[g] -= block.values.shape[1]
                heappush(self.heap, (self.width[g], g))
        return sorted(found.values(), key=lambda block: block.front)


def _alike(compressed: sp.spmatrix) -> Iterator[np.ndarray]:
    """Rows (or columns, of a matrix compressed by columns) with entries in the same places, together."""
    compressed.sort_indices()
    found: dict[bytes, list[int]] = {}
    for k, (begin, end) in enumerate(zip(compressed.indptr, compressed.indptr[1:], strict=False)):
        if end > begin:
            found.setdefault(compressed.indices[begin:end].tobytes(), []).append(k)
    yield from map(np.array, found.values())


def _blocks(matrix: sp.csr_matrix, groups: list[np.ndarray]) -> Iterator[_Block]:
    group_of, place = np.zeros(matrix.shape[1], int), np.zeros(matrix.shape[1], int)
    for g, columns in enumerate(groups):
        group_of[columns], place[columns] = g, np.arange(len(columns))
    for rows in _alike(matrix):
        columns = matrix.indices[matrix.indptr[rows[0]] : matrix.indptr[rows[0] + 1]]
        own = tuple(dict.fromkeys(group_of[columns].tolist()))
        offset = dict(zip(own, np.cumsum([0, *(len(groups[g]) for g in own)]).tolist(), strict=False))
        order = [
            offset[g] + k for g, k in zip(group_of[columns].tolist(), place[columns].tolist(), strict=True)
        ]
        values = np.zeros((len(rows), len(columns)))
        for k, row in enumerate(rows):
            values[k, order] = matrix.data[matrix.indptr[row] : matrix.indptr[row + 1]]
        yield _Block(own, values, rows)


def _gathered(blocks: list[_Block], order: tuple[int, ...], groups: list[np.ndarray]) -> np.ndarray:
    """The front: the blocks below each other, groups of columns in the given order."""
    ends = np.cumsum([0, *(len(groups[g]) for g in order)]).tolist()
    place = {g: range(begin, end) for g, begin, end in zip(order, ends, ends[1:], strict=False)}
    F = np.zeros((sum(len(block.values) for block in blocks), ends[-1]))
    at = 0
    for block in blocks:
        F[at : at + len(block.values), [k for g in block.groups for k in place[g]]] = block.values
        at += len(block.values)
    return F


def _stacked(stairs: list[tuple[np.ndarray, np.ndarray]], columns: int) -> sp.csr_matrix:
    """The steps of the staircase below each other."""
    rows = [len(values) for _, values in stairs]
    data = np.concatenate([np.zeros(0), *(values.ravel() for _, values in stairs)])
    indices = np.concatenate([np.zeros(0, int), *(np.tile(where, len(values)) for where, values in stairs)])
    lengths = [len(where) for (where, _), count in zip(stairs, rows, strict=True) for _ in range(count)]
    found = sp.csr_matrix((data, indices, np.cumsum([0, *lengths])), shape=(sum(rows), columns))
    found.eliminate_zeros()
    return found
