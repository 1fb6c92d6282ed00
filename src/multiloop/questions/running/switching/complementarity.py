"""The linear complementarity problem of unilateral contacts.

    w = M z + q,      w ≥ 0,  z ≥ 0,  wᵀ z = 0

Source: [murty], least-index principal pivoting, which ends for every M with positive principal minors.
Differs: blocks are solved by least squares, so that linearly dependent contacts share the load.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

ROUND_OFF = 1e-10
"""Entries of w and z above minus this fraction of the largest count as nonnegative."""

MOST = 12
"""Largest number of contacts for which all active sets are tried where pivoting does not end."""


def complementary(M: np.ndarray, q: np.ndarray) -> np.ndarray | None:
    """The solution z; None where there is none, or where none was found for very many contacts."""
    n = len(q)
    active = np.zeros(n, bool)
    for _ in range(50 * (n + 1)):
        z, bad = _tried(M, q, active)
        if not bad.any():
            return _shared(M, q, z)
        active[int(np.argmax(bad))] ^= True
    if n > MOST:
        return None
    for size in range(n + 1):
        for chosen in combinations(range(n), size):
            z, bad = _tried(M, q, np.isin(np.arange(n), chosen))
            if not bad.any():
                return z
    return None


def _shared(M: np.ndarray, q: np.ndarray, z: np.ndarray) -> np.ndarray:
    """The solution in which contacts with w = 0 also carry load, where that is a solution too."""
    size = np.abs(M) @ np.abs(z) + np.abs(q)
    shared, bad = _tried(M, q, np.abs(M @ z + q) <= 1e3 * ROUND_OFF * size)
    return z if bad.any() else np.where(shared > ROUND_OFF * np.abs(shared).max(initial=0.0), shared, 0.0)


def _tried(M: np.ndarray, q: np.ndarray, active: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """z with the active contacts closed, and the mask of contacts that violate complementarity."""
    z = np.zeros(len(q))
    if active.any():
        z[active] = np.linalg.lstsq(M[np.ix_(active, active)], -q[active], rcond=1e-12)[0]
    w = M @ z + q
    size = np.abs(M) @ np.abs(z) + np.abs(q)
    push = np.abs(z).max(initial=0.0)
    held = np.abs(w) <= 1e3 * ROUND_OFF * size
    return z, np.where(active, (z < -ROUND_OFF * push) | ~held, w < -ROUND_OFF * size)
