"""Sparse QR decomposition of a large matrix: its rank, its triangular factor, and its linearly dependent rows.

Groups of columns are eliminated one after another. All rows with nonzero entries in a group are collected in a small
dense matrix, the front, whose QR decomposition is computed; the rows that remain without entries in the group are
passed on to later fronts:

    Qᵀ [ F_group  F_rest ] = [ R  S ; 0  F_passed_on ; 0  0 ]

F_group and F_rest are the columns of the front inside and outside the group, Q is its orthogonal factor, [R S] are rows
of the triangular factor, and F_passed_on is passed on. Every step is orthogonal, so that entries do not grow, and
setting entries to zero changes no singular value by more than the norm of these entries. The group whose front has the
fewest columns is eliminated first. A column whose remaining part is zero has no pivot. The method is a variant of the
sparse QR decomposition by row merging of George and Heath. SciPy has no sparse QR decomposition.
Cost: linear in the number of fronts; the fronts of a chain of loops are as small as those of a single loop.

Theory: docs/theory/09-redundancy.md, eq. (9.4).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from heapq import heapify, heappop, heappush

import numpy as np

from multiloop.dependencies import la, sp, spla


@dataclass(frozen=True, eq=False)
class Front:
    """One elimination step: the indices of the matrix rows that enter this front, the earlier fronts (`children`) that
    pass rows to it, and its orthogonal factor Q.

    The columns of Q belong, in order, to `pivots` rows of R, to `passed_rows` rows that are passed on to later fronts,
    and to rows that become zero.
    """

    rows: np.ndarray
    children: tuple[int, ...]
    Q: np.ndarray
    pivots: int
    passed_rows: int


@dataclass(frozen=True, eq=False)
class SparseQR:
    """QR decomposition of a sparse matrix that may be rank-deficient.

    R is rank × columns; its columns `pivots` form an upper triangular matrix, and `free_columns` are the columns
    without pivots. `dropped_norms` are the norms of the remaining parts of the free columns, which were taken as zero;
    `rows` is the number of rows of the matrix.
    """

    R: sp.csr_matrix
    pivots: np.ndarray
    free_columns: np.ndarray
    dropped_norms: np.ndarray
    fronts: tuple[Front, ...]
    rows: int

    @property
    def rank(self) -> int:
        """Numerical rank of the matrix."""
        return len(self.pivots)

    @cached_property
    def _triangle(self) -> spla.SuperLU:
        return spla.splu(self.R[:, self.pivots].tocsc(), permc_spec="NATURAL", diag_pivot_thresh=0.0)

    def null_vectors(self, free: np.ndarray) -> np.ndarray:
        """Vectors of the null space, columns × m, whose entries at the free columns are given as `free`, free columns ×
        m."""
        found = np.zeros((self.R.shape[1], free.shape[1]))
        found[self.free_columns] = free
        if self.rank and len(self.free_columns):
            found[self.pivots] = -self._triangle.solve(self.R[:, self.free_columns] @ free)
        return found

    def smallest_singular_values(self, count: int) -> np.ndarray:
        """The `count` smallest singular values in decreasing order; every column must have a pivot.

        They are computed by Lanczos iteration as the reciprocals of the largest singular values of the inverse of the
        triangular factor; their accuracy is limited by round-off of the matrix.
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

    def row_dependence(self) -> np.ndarray:
        """For every row i of the matrix, the norm of the projection of the unit vector eᵢ onto the left null space.

        The norm is 0 for a row that is independent of the others. It is computed from the last front to the first, from
        the rows that become zero in the front itself and in later fronts.
        """
        found = np.ones(self.rows)  # 1 for a row of zeros, whose unit vector is in the left null space
        beyond: dict[int, np.ndarray] = {}
        for number in reversed(range(len(self.fronts))):
            front = self.fronts[number]
            kept, handed = front.pivots, front.pivots + front.passed_rows
            vanishing = front.Q[:, handed:]
            if front.passed_rows:
                vanishing = np.hstack([vanishing, front.Q[:, kept:handed] @ beyond.pop(number)])
            at = len(front.rows)
            found[front.rows] = np.linalg.norm(vanishing[:at], axis=1)
            for earlier in front.children:
                part = vanishing[at : at + self.fronts[earlier].passed_rows]
                at += len(part)
                narrow = part.shape[1] <= part.shape[0]
                beyond[earlier] = part if narrow else la.qr(part.T, mode="r")[0].T
        return found


@dataclass(frozen=True, eq=False)
class _Block:
    """Rows with entries in the same groups of columns: either rows of the matrix, with indices `rows`, or rows passed
    on by the front with index `front`."""

    groups: tuple[int, ...]
    values: np.ndarray
    rows: np.ndarray
    front: int = -1


def factor_sparse_qr(matrix: sp.spmatrix, zero: float) -> SparseQR:
    """QR decomposition of a sparse matrix; pivots of magnitude up to `zero` count as zero."""
    matrix = sp.csr_matrix(matrix)
    groups = list(_equal_patterns(matrix.tocsc()))
    waiting = _FrontQueue(groups, list(_blocks(matrix, groups)))
    fronts: list[Front] = []
    pivots = [np.zeros(0, int)]
    sizes = np.zeros(matrix.shape[1])  # for columns without pivots, the norms of their remaining parts
    stairs: list[tuple[np.ndarray, np.ndarray]] = []
    while (group := waiting.narrowest()) is not None:
        blocks = waiting.take_blocks(group)
        others = sorted({g for block in blocks for g in block.groups} - {group})
        F = _assemble_front(blocks, (group, *others), groups)
        own, rest = groups[group], np.concatenate([np.zeros(0, int), *(groups[g] for g in others)])
        Q, R, order = la.qr(F[:, : len(own)], pivoting=True, check_finite=False)
        rank = int(np.sum(np.abs(np.diag(R)) > zero))
        turned = Q.T @ F[:, len(own) :]
        stairs.append((np.concatenate([own[order], rest]), np.hstack([R[:rank], turned[:rank]])))
        pivots.append(own[order[:rank]])
        sizes[own[order[rank:]]] = np.linalg.norm(R[rank:, rank:], axis=0)
        left = turned[rank:]
        if len(left) > len(rest):  # a second decomposition makes the surplus rows zero
            P, left = np.linalg.qr(left, mode="complete") if len(rest) else (np.eye(len(left)), left)
            Q[:, rank:], left = Q[:, rank:] @ P, left[: len(rest)]
        entering = np.concatenate([block.rows for block in blocks])
        before = tuple(block.front for block in blocks if block.front >= 0)
        fronts.append(Front(entering, before, Q, rank, len(left)))
        if len(left):
            waiting.add(_Block(tuple(others), left, np.zeros(0, int), len(fronts) - 1))
    taken = np.concatenate(pivots)
    passed = np.setdiff1d(np.arange(matrix.shape[1]), taken)
    return SparseQR(
        R=_stack_rows(stairs, matrix.shape[1]),
        pivots=taken,
        free_columns=passed,
        dropped_norms=sizes[passed],
        fronts=tuple(fronts),
        rows=matrix.shape[0],
    )


class _FrontQueue:
    """Queue of the column groups that remain to be eliminated, with their blocks of rows. The number of columns of a
    front is estimated by its upper bound, the sum of the columns of its blocks."""

    def __init__(self, groups: list[np.ndarray], blocks: list[_Block]) -> None:
        self.around: list[dict[int, _Block]] = [{} for _ in groups]
        self.width = [0] * len(groups)
        self.number = 0
        self.heap: list[tuple[int, int]] = []
        for block in blocks:
            self.add(block)
        heapify(self.heap)

    def add(self, block: _Block) -> None:
        """Add a block to every group of columns in which it has entries."""
        for g in block.groups:
            self.around[g][self.number] = block
            self.width[g] += block.values.shape[1]
            heappush(self.heap, (self.width[g], g))
        self.number += 1

    def narrowest(self) -> int | None:
        """The remaining group whose front has the fewest columns; None after all groups have been eliminated."""
        while self.heap:
            width, g = heappop(self.heap)
            if self.around[g] and width == self.width[g]:
                return g
        return None

    def take_blocks(self, group: int) -> list[_Block]:
        """Remove and return all blocks with entries in a group of columns; blocks of matrix rows come first."""
        found = self.around[group].copy()
        for number, block in found.items():
            for g in block.groups:
                del self.around[g][number]
                self.width[g] -= block.values.shape[1]
                heappush(self.heap, (self.width[g], g))
        return sorted(found.values(), key=lambda block: block.front)


def _equal_patterns(compressed: sp.spmatrix) -> Iterator[np.ndarray]:
    """Groups of rows (of columns, for a matrix compressed by columns) with the same sparsity pattern."""
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
    for rows in _equal_patterns(matrix):
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


def _assemble_front(blocks: list[_Block], order: tuple[int, ...], groups: list[np.ndarray]) -> np.ndarray:
    """The dense matrix of a front: its blocks on top of each other, with the groups of columns in the given order."""
    ends = np.cumsum([0, *(len(groups[g]) for g in order)]).tolist()
    place = {g: range(begin, end) for g, begin, end in zip(order, ends, ends[1:], strict=False)}
    F = np.zeros((sum(len(block.values) for block in blocks), ends[-1]))
    at = 0
    for block in blocks:
        F[at : at + len(block.values), [k for g in block.groups for k in place[g]]] = block.values
        at += len(block.values)
    return F


def _stack_rows(stairs: list[tuple[np.ndarray, np.ndarray]], columns: int) -> sp.csr_matrix:
    """The factor R with the given number of columns; each front contributes the tuple (column indices, rows) in
    `stairs`."""
    rows = [len(values) for _, values in stairs]
    data = np.concatenate([np.zeros(0), *(values.ravel() for _, values in stairs)])
    indices = np.concatenate([np.zeros(0, int), *(np.tile(where, len(values)) for where, values in stairs)])
    lengths = [len(where) for (where, _), count in zip(stairs, rows, strict=True) for _ in range(count)]
    found = sp.csr_matrix((data, indices, np.cumsum([0, *lengths])), shape=(sum(rows), columns))
    found.eliminate_zeros()
    return found
