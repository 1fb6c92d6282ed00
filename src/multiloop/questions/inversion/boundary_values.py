"""Which of all motions is at rest long before and long after? The one with least energy at both far ends.

    min  |δ₀ − r₀|²_W + ε |δ_N − r_N|²_W      while      δ_{k+1} = A_k δ_k + d_k

Twice as many ends are asked for as there are unknowns. What grows in time is settled by the end, what decays by the
beginning, both to round-off if they have the time; what neither grows nor decays, as a link that swings between two
pins, begins at rest and is left over. Nothing has to be known of eigenvalues, which may change their kind on the way.

Source: [devasia_chen_paden], stable inversion by a boundary-value problem.
Differs: conditions at both ends by least squares in place of projections on stable and unstable subspaces, which need
not have the same dimensions at both ends.
"""

from __future__ import annotations

import numpy as np

from multiloop.kinematics.sparse_matrices import sp, spla

LATER = 1e-6
"""ε: how much less the energy at the end counts than that at the beginning."""

Entries = tuple[np.ndarray, np.ndarray, np.ndarray]
"""Rows, columns and values."""


def settled_changes(
    A: np.ndarray, d: np.ndarray, ends: tuple[np.ndarray, np.ndarray], weights: np.ndarray
) -> np.ndarray:
    """δ of every node: A and d of N passages, `ends` what δ₀ and δ_N should be, `weights` those of their entries.

    The multipliers μ of the passages are unknown beside δ, node by node:

        W δ₀ + A₀ᵀ μ₀ = W r₀,      A_k δ_k − δ_{k+1} = −d_k,      A_kᵀ μ_k − μ_{k−1} = 0
        ε W δ_N − μ_{N−1} = ε W r_N
    """
    count, m = A.shape[:2]
    W = weights / weights.max()
    one, rows = np.eye(m), 2 * np.arange(count)
    eye, last = np.broadcast_to(one, A.shape), np.array([2 * count])
    entries = [
        _blocks(rows, rows + 1, A.transpose(0, 2, 1)),
        _blocks(rows + 1, rows, A),
        _blocks(rows + 1, rows + 2, -eye),
        _blocks(rows + 2, rows + 1, -eye),
        _blocks(0 * last, 0 * last, (W * one)[None]),
        _blocks(last, last, (LATER * W * one)[None]),
    ]
    right = np.zeros((2 * count + 1, m))
    right[0], right[-1], right[1::2] = W * ends[0], LATER * W * ends[1], -d
    return _solved(entries, right)[::2]


def periodic_changes(A: np.ndarray, d: np.ndarray, gap: np.ndarray) -> np.ndarray:
    """δ of every node of a motion that repeats itself: δ_N − δ₀ = gap."""
    count, m = A.shape[:2]
    one, rows = np.eye(m), np.arange(count)
    eye, last = np.broadcast_to(one, A.shape), np.array([count])
    entries = [_blocks(rows, rows, A), _blocks(rows, rows + 1, -eye)]
    entries += [_blocks(last, last, one[None]), _blocks(last, 0 * last, -one[None])]
    return _solved(entries, np.vstack([-d, gap]))


def _blocks(rows: np.ndarray, columns: np.ndarray, blocks: np.ndarray) -> Entries:
    """Square blocks at places of a large matrix."""
    inner = np.arange(blocks.shape[-1])
    across, down = inner[None, :] + 0 * inner[:, None], inner[:, None] + 0 * inner[None, :]
    i = rows[:, None, None] * len(inner) + down
    j = columns[:, None, None] * len(inner) + across
    return i.ravel(), j.ravel(), blocks.ravel()


def _solved(entries: list[Entries], right: np.ndarray) -> np.ndarray:
    """The solution of the large sparse system, block by block."""
    i, j, values = (np.concatenate(part) for part in zip(*entries, strict=True))
    matrix = sp.csc_matrix((values, (i, j)), shape=(right.size, right.size))
    found: np.ndarray = spla.splu(matrix, permc_spec="NATURAL").solve(right.ravel())
    return found.reshape(right.shape)
