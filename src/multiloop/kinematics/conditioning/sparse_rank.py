"""Rank, null space and singular values of a large sparse matrix.

Rows with a single nonzero entry (from drives and start values) and columns with a single nonzero entry are removed
first. Each such entry e adds 1 to the rank, whatever the other entries G in its column; H is the remaining matrix:

    rank [ e 0 ; G H ] = 1 + rank H

The remaining matrix is split into groups of rows that share no column, and the singular values of each group are
computed.

Theory: docs/theory/09-redundancy.md, eq. (9.4).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from multiloop.dependencies import graphs, sp, spla
from multiloop.kinematics.conditioning.sparse_qr import SparseQR, factor_sparse_qr

RANK_TOLERANCE = 1e-9
"""Singular values below this fraction of the largest singular value count as zero."""

MAX_DENSE_ROWS = 400
"""If a matrix has more rows and more columns than this, only its largest and smallest singular values are computed."""

MIN_SMALLEST_VALUES = 24
"""Initial number of smallest singular values computed for a matrix larger than `MAX_DENSE_ROWS`."""

CLEARLY_NONZERO = 1e-2
"""Fraction of the largest singular value above which no further small singular values are computed, since larger values
are certainly nonzero."""

ELIMINATION_ZERO = 1e-10
"""The remaining part of a column counts as zero in the QR decomposition if its norm is below this fraction of the
largest singular value."""

MIN_PIVOT_FRACTION = 1e-3
"""A row or column with a single entry is removed if this entry is at least this fraction of the largest entry of the
matrix."""


def numerical_rank(sigma: np.ndarray) -> int:
    """Number of singular values above `RANK_TOLERANCE` times the largest."""
    return int(np.sum(sigma > RANK_TOLERANCE * sigma.max(initial=1e-300)))


@dataclass(frozen=True)
class PeeledMatrix:
    """Result of `peel_single_entries`: the number of entries removed, and the indices of the remaining rows and
    columns."""

    count: int
    rows: np.ndarray
    columns: np.ndarray


def peel_single_entries(matrix: sp.spmatrix) -> PeeledMatrix:
    """Remove rows and columns with a single nonzero entry repeatedly, until all remaining rows and columns have at
    least two.

    Single entries that are too small to be reliable pivots remain. Cost: linear in the number of entries.
    """
    by_row, by_column = sp.csr_matrix(matrix), sp.csc_matrix(matrix)
    by_row.eliminate_zeros()
    by_column.eliminate_zeros()
    sides = (by_row, by_column)
    alive = [np.ones(n, bool) for n in by_row.shape]
    filled = [np.diff(side.indptr) for side in sides]
    least = MIN_PIVOT_FRACTION * float(np.abs(by_row.data).max(initial=0.0))
    waiting = [(side, int(k)) for side in (0, 1) for k in np.flatnonzero(filled[side] == 1)]
    count = 0

    def others(side: int, k: int) -> tuple[np.ndarray, np.ndarray]:
        place = slice(sides[side].indptr[k], sides[side].indptr[k + 1])
        live = alive[1 - side][sides[side].indices[place]]
        return sides[side].indices[place][live], sides[side].data[place][live]

    while waiting:
        side, k = waiting.pop()
        if not alive[side][k] or filled[side][k] != 1:
            continue
        (partner,), (entry,) = others(side, k)
        if abs(entry) < least:
            continue
        count += 1
        for gone, at in ((side, k), (1 - side, int(partner))):
            for j in others(gone, at)[0]:
                filled[1 - gone][j] -= 1
                if filled[1 - gone][j] == 1:
                    waiting.append((1 - gone, int(j)))
            alive[gone][at] = False
    rows, columns = (np.flatnonzero(alive[side] & (filled[side] > 0)) for side in (0, 1))
    return PeeledMatrix(count, rows, columns)


def decoupled_groups(matrix: sp.spmatrix) -> list[tuple[np.ndarray, np.ndarray]]:
    """Row and column indices of the diagonal blocks of a matrix, that is of groups of rows that share no column; rows
    and columns of zeros belong to no group."""
    matrix = sp.coo_matrix(matrix)
    matrix.eliminate_zeros()
    m, n = matrix.shape
    joined = sp.coo_matrix((np.ones(matrix.nnz), (matrix.row, matrix.col + m)), shape=(m + n, m + n))
    count, label = graphs.connected_components(joined, directed=False)
    order = np.argsort(label, kind="stable")
    parts = np.split(order, np.cumsum(np.bincount(label, minlength=count))[:-1])
    found = [(part[part < m], part[part >= m] - m) for part in parts]
    return [(rows, columns) for rows, columns in found if len(rows) and len(columns)]


def sparse_rank(matrix: sp.spmatrix) -> int:
    """Numerical rank of a sparse matrix."""
    left = peel_single_entries(matrix)
    rest = sp.csr_matrix(matrix)[left.rows][:, left.columns]
    return left.count + numerical_rank(singular_values(rest))


def singular_values(matrix: sp.spmatrix) -> np.ndarray:
    """Singular values of a sparse matrix in decreasing order, computed separately for decoupled groups.

    For a group larger than `MAX_DENSE_ROWS` only the largest and the smallest values are computed; those between are
    replaced by interpolated values, see `_extreme_singular_values`.
    """
    matrix = sp.csr_matrix(matrix)
    parts = [matrix[rows][:, columns] for rows, columns in decoupled_groups(matrix)]
    found = [
        np.linalg.svd(part.toarray(), compute_uv=False) for part in parts if min(part.shape) <= MAX_DENSE_ROWS
    ]
    large = [part for part in parts if min(part.shape) > MAX_DENSE_ROWS]
    top = max([0.0, *map(np.max, found), *map(largest_singular_value, large)])
    found += [_extreme_singular_values(part, top) for part in large]
    sigma = np.zeros(min(matrix.shape))
    every = np.sort(np.concatenate([np.zeros(0), *found]))[::-1]
    sigma[: len(every)] = every
    return sigma


def _extreme_singular_values(matrix: sp.csr_matrix, top: float) -> np.ndarray:
    """Singular values in decreasing order, of which only the largest and the smallest are computed; the others are
    replaced by geometrically spaced values.

    A QR decomposition of the columns, repeated for the transposed factor as long as columns are dependent, yields a
    triangular factor with the nonzero singular values of the matrix. Zero singular values are replaced by the norms of
    the parts of columns that the decomposition dropped. The number of smallest values is increased until the largest of
    them is clearly nonzero relative to `top`, the largest singular value of all groups.
    """
    tall = matrix if matrix.shape[0] >= matrix.shape[1] else matrix.T
    stairs = factor_sparse_qr(tall, ELIMINATION_ZERO * top)
    vanishing = [stairs.dropped_norms]
    while len(stairs.free_columns):
        stairs = factor_sparse_qr(stairs.R.T, ELIMINATION_ZERO * top)
        vanishing.append(stairs.dropped_norms)
    count, least = MIN_SMALLEST_VALUES, _smallest_singular_values(stairs, MIN_SMALLEST_VALUES)
    while len(least) < stairs.rank and least[0] < CLEARLY_NONZERO * top:
        count *= 2
        least = _smallest_singular_values(stairs, count)
    left = stairs.rank - len(least)
    between = np.geomspace(largest_singular_value(tall), least[0], left + 1)[:left] if left else np.zeros(0)
    return np.concatenate([between, least, *vanishing])


def _smallest_singular_values(stairs: SparseQR, count: int) -> np.ndarray:
    """The `count` smallest singular values of a triangular factor; all singular values if there are at most twice as
    many, or if Lanczos' method does not converge."""
    if 2 * count < stairs.rank:
        try:
            return stairs.smallest_singular_values(count)
        except spla.ArpackError:  # no convergence: a dense decomposition is used below
            pass
    return np.linalg.svd(stairs.R.toarray(), compute_uv=False) if stairs.rank else np.zeros(0)


def largest_singular_value(matrix: sp.spmatrix) -> float:
    """The largest singular value to four digits, by Lanczos' method."""
    square = sp.csr_matrix(matrix.T @ matrix)
    size = float(abs(square).max()) if square.nnz else 0.0
    if size and square.shape[0] > MIN_SMALLEST_VALUES:
        begin = np.sin(1.0 + np.arange(square.shape[0]))
        try:
            return float(np.sqrt(spla.eigsh(square, 1, v0=begin, tol=1e-4, return_eigenvectors=False)[0]))
        except spla.ArpackError:  # no convergence: a dense decomposition is used below
            pass
    return float(np.linalg.norm(matrix.toarray(), 2)) if size else 0.0


def null_space(matrix: np.ndarray) -> np.ndarray:
    """Orthonormal basis of the null space, as columns."""
    if not matrix.shape[0]:
        return np.eye(matrix.shape[1])
    _, sigma, Vt = np.linalg.svd(matrix, full_matrices=True)
    return Vt[numerical_rank(sigma) :].T


def sparse_null_space(matrix: sp.spmatrix) -> np.ndarray:
    """Orthonormal basis of the null space of a sparse matrix. Cost: linear in its size, times the nullity."""
    matrix = sp.csr_matrix(matrix)
    if min(matrix.shape) <= MAX_DENSE_ROWS:
        return null_space(matrix.toarray())
    stairs = reliable_sparse_qr(matrix, RANK_TOLERANCE * largest_singular_value(matrix))
    if stairs is None:
        return null_space(matrix.toarray())
    found: np.ndarray = np.linalg.qr(stairs.null_vectors(np.eye(len(stairs.free_columns))))[0]
    return found


def reliable_sparse_qr(matrix: sp.spmatrix, zero: float) -> SparseQR | None:
    """QR decomposition of a matrix; None if its number of pivots differs from the number of singular values larger than
    `zero`."""
    stairs = factor_sparse_qr(matrix, zero)
    return stairs if stairs.rank == int(np.sum(singular_values(matrix) > zero)) else None


def independent_blocks(rows: sp.spmatrix, blocks: Sequence[sp.spmatrix]) -> list[int]:
    """Indices of the blocks that can be appended, in order, to `rows` such that all their rows are linearly independent
    of `rows` and of the blocks selected before."""
    if not blocks:
        return []
    every = sp.vstack([rows, *blocks], format="csr")
    rank = sparse_rank(rows)
    if rank == rows.shape[1]:  # the rank is already the number of columns: no block is independent
        return []
    if sparse_rank(every) == rank + every.shape[0] - rows.shape[0]:
        return list(range(len(blocks)))
    # rows are independent of `rows` only by their components in the null space of `rows`
    free = sparse_null_space(rows)  # shape: columns of `rows` × nullity
    taken, basis = [], np.zeros((0, free.shape[1]))
    for k, block in enumerate(blocks):
        new = block @ free
        new = new - (new @ basis.T) @ basis
        _, sigma, Vt = np.linalg.svd(new, full_matrices=False)
        if len(sigma) == block.shape[0] and (sigma > RANK_TOLERANCE).all():
            taken.append(k)
            basis = np.vstack([basis, Vt])
    return taken
