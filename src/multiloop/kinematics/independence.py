"""How many rows of a large sparse matrix are independent, and what do they leave open?

Rows that hold a single coordinate (drives, held starts) and coordinates that a single row speaks of are taken
out first, since neither changes the question for the rest:

    rank [ e 0 ; G H ] = 1 + rank H

What is left falls into groups that share no coordinate, and only these are looked at by singular values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
import scipy.sparse.csgraph as graphs
import scipy.sparse.linalg as spla

RANK = 1e-9
"""Singular values below this part of the largest count as zero."""

WIDE = 1000
"""Rows from which not all singular values of a group are worked out."""

FEW = 24
"""Smallest singular values that are then worked out."""

SAFE = 1e-5
"""Part of the largest down to which they are reliable: their squares are known to 1e-16."""

STURDY = 1e-3
"""A lone entry is taken out when it is not smaller than this part of the largest."""


def rank_among(sigma: np.ndarray) -> int:
    """How many singular values count."""
    return int(np.sum(sigma > RANK * sigma.max(initial=1e-300)))


@dataclass(frozen=True)
class Peeled:
    """A matrix without the rows and columns that stand alone: how many there were, and those that are left."""

    count: int
    rows: np.ndarray
    columns: np.ndarray


def peeled(matrix: sp.spmatrix) -> Peeled:
    """Take out lone entries, again and again, until every row and column left has two or more.

    Cost: linear in the entries.
    """
    by_row, by_column = sp.csr_matrix(matrix), sp.csc_matrix(matrix)
    by_row.eliminate_zeros()
    by_column.eliminate_zeros()
    sides = (by_row, by_column)
    alive = [np.ones(n, bool) for n in by_row.shape]
    filled = [np.diff(side.indptr) for side in sides]
    least = STURDY * float(np.abs(by_row.data).max(initial=0.0))
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
    return Peeled(count, rows, columns)


def groups_of(matrix: sp.spmatrix) -> list[tuple[np.ndarray, np.ndarray]]:
    """Rows and columns of the parts that share no column; zero rows and zero columns are in none."""
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
    """Number of independent rows."""
    left = peeled(matrix)
    rest = sp.csr_matrix(matrix)[left.rows][:, left.columns]
    sigma = [
        np.linalg.svd(rest[rows][:, columns].toarray(), compute_uv=False) for rows, columns in groups_of(rest)
    ]
    return left.count + rank_among(np.concatenate([np.zeros(0), *sigma]))


def singular_values(matrix: sp.spmatrix) -> np.ndarray:
    """All singular values in falling order, group after group.

    A group that is too large for them all has its largest and its FEW smallest ones; those between are given as
    the largest of the smallest, so that ranks and gaps at the end are right. Where the smallest are near to
    zero they are not known well enough in this way, and all of them are worked out after all.
    """
    matrix = sp.csr_matrix(matrix)
    found = [np.zeros(0)]
    for rows, columns in groups_of(matrix):
        part = matrix[rows][:, columns]
        sigma = _extremes(part) if min(part.shape) > WIDE else None
        found.append(np.linalg.svd(part.toarray(), compute_uv=False) if sigma is None else sigma)
    sigma = np.zeros(min(matrix.shape))
    every = np.sort(np.concatenate(found))[::-1]
    sigma[: len(every)] = every
    return sigma


def _extremes(matrix: sp.csr_matrix) -> np.ndarray | None:
    """The largest and the smallest singular values from the sparse square of a matrix; None where these are tiny."""
    wide = matrix if matrix.shape[0] <= matrix.shape[1] else matrix.T
    square = (wide @ wide.T).tocsc()
    try:
        top = spla.eigsh(square, 1, return_eigenvectors=False)[0]
        least = np.sort(spla.eigsh(square, FEW, sigma=0.0, return_eigenvectors=False))[::-1]
    except (RuntimeError, spla.ArpackError):  # exactly singular, or no convergence
        return None
    if least[-1] < SAFE**2 * top:
        return None
    between = np.full(square.shape[0] - FEW - 1, least[0])
    sigma: np.ndarray = np.sqrt(np.concatenate([[top], between, least]))
    return sigma


def null_space(matrix: np.ndarray) -> np.ndarray:
    """Orthonormal columns that span what the rows leave open."""
    if not matrix.shape[0]:
        return np.eye(matrix.shape[1])
    _, sigma, Vt = np.linalg.svd(matrix, full_matrices=True)
    return Vt[rank_among(sigma) :].T


def independent_blocks(rows: sp.spmatrix, blocks: Sequence[sp.spmatrix]) -> list[int]:
    """Which blocks of rows say something new throughout: independent of `rows` and of the blocks taken before."""
    if not blocks:
        return []
    every = sp.vstack([rows, *blocks], format="csr")
    rank = sparse_rank(rows)
    if rank == rows.shape[1]:  # nothing is left to be said
        return []
    if sparse_rank(every) == rank + every.shape[0] - rows.shape[0]:
        return list(range(len(blocks)))
    open_ways = null_space(rows.toarray())  # n × m: only what a block says about these is new
    taken, basis = [], np.zeros((0, open_ways.shape[1]))
    for k, block in enumerate(blocks):
        new = block @ open_ways
        new = new - (new @ basis.T) @ basis
        _, sigma, Vt = np.linalg.svd(new, full_matrices=False)
        if len(sigma) == block.shape[0] and (sigma > RANK).all():
            taken.append(k)
            basis = np.vstack([basis, Vt])
    return taken
