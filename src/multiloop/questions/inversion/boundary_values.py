"""Linear boundary-value problem of the bounded motion, which decays to rest before and after the prescribed motion.

    min  |δ₀ − r₀|²_W₀ + |δ_N − r_N|²_W₁      subject to      δ_{k+1} = A_k δ_k + d_k

W₀ weighs motions that do not grow from the beginning and W₁ those that still grow at the end, so that the motion
decays towards both ends. Undamped oscillations, as of a link that swings between two pins, begin at rest and are
free at the end. Usually there are as many conditions as unknowns and all are met. Where motions change between
growth and decay along the way there may be more conditions, which are met in the sense of least squares.

Source: [devasia_chen_paden], stable inversion by a boundary-value problem.
Differs: least squares in place of two sets of conditions that must match.
"""

from __future__ import annotations

import numpy as np

from multiloop.kinematics.sparse_matrices import sp, spla

Entries = tuple[np.ndarray, np.ndarray, np.ndarray]
"""Rows, columns and values."""


def settled_changes(
    A: np.ndarray, d: np.ndarray, ends: np.ndarray, weights: tuple[np.ndarray, np.ndarray]
) -> np.ndarray:
    """δ at every node, for A and d of N intervals; `ends` are the desired δ₀ and δ_N, `weights` are W₀ and W₁.

    The multipliers μ of the intervals are further unknowns, ordered node by node:

        W₀ δ₀ + A₀ᵀ μ₀ = W₀ r₀,      A_k δ_k − δ_{k+1} = −d_k,      A_kᵀ μ_k − μ_{k−1} = 0
        W₁ δ_N − μ_{N−1} = W₁ r_N

    The block-banded system is solved by sparse LU factorisation.
    """
    count, m = A.shape[:2]
    first, later = (one / np.abs(weights[0]).max() for one in weights)
    rows, last = 2 * np.arange(count), np.array([2 * count])
    eye = np.broadcast_to(np.eye(m), A.shape)
    entries = [
        _blocks(rows, rows + 1, A.transpose(0, 2, 1)),
        _blocks(rows + 1, rows, A),
        _blocks(rows + 1, rows + 2, -eye),
        _blocks(rows + 2, rows + 1, -eye),
        _blocks(0 * last, 0 * last, first[None]),
        _blocks(last, last, later[None]),
    ]
    right = np.zeros((2 * count + 1, m))
    right[0], right[-1], right[1::2] = first @ ends[0], later @ ends[1], -d
    return _solved(entries, right)[::2]


def periodic_changes(A: np.ndarray, d: np.ndarray, gap: np.ndarray) -> np.ndarray:
    """δ at every node of a periodic motion: δ_N − δ₀ = gap."""
    count, m = A.shape[:2]
    one, rows = np.eye(m), np.arange(count)
    eye, last = np.broadcast_to(one, A.shape), np.array([count])
    entries = [_blocks(rows, rows, A), _blocks(rows, rows + 1, -eye)]
    entries += [_blocks(last, last, one[None]), _blocks(last, 0 * last, -one[None])]
    return _solved(entries, np.vstack([-d, gap]))


def _blocks(rows: np.ndarray, columns: np.ndarray, blocks: np.ndarray) -> Entries:
    """Entries of square blocks at given places of a large matrix."""
    inner = np.arange(blocks.shape[-1])
    across, down = inner[None, :] + 0 * inner[:, None], inner[:, None] + 0 * inner[None, :]
    i = rows[:, None, None] * len(inner) + down
    j = columns[:, None, None] * len(inner) + across
    return i.ravel(), j.ravel(), blocks.ravel()


def _solved(entries: list[Entries], right: np.ndarray) -> np.ndarray:
    """Solution of the large sparse system, block by block."""
    i, j, values = (np.concatenate(part) for part in zip(*entries, strict=True))
    matrix = sp.csc_matrix((values, (i, j)), shape=(right.size, right.size))
    found: np.ndarray = spla.splu(matrix, permc_spec="NATURAL").solve(right.ravel())
    return found.reshape(right.shape)
