"""Warnings about reaction-dependent forces: whether the solution converged, and whether it is unique."""

from __future__ import annotations

import numpy as np

from multiloop.dynamics.following import MET
from multiloop.dynamics.laws import SOFT
from multiloop.model import Mechanism

SHARED = 10 * SOFT
"""Relative residual allowed where stiction acts: forces are known up to round-off divided by SOFT."""

ROUND_OFF = 1e-12
"""Part of the largest force of the run below which all forces of an instant are round-off."""


def following_doubts(mechanism: Mechanism, t: np.ndarray, following: np.ndarray) -> list[str]:
    """Warnings for x = h(F₀ + G x) over time, from instants × forces × [x, residual, K].

    They report the first instant without convergence, and the first with ρ(K) ≥ 1, where the solution may not be
    unique.
    """
    if not following.shape[1]:
        return []
    names = [load.name for load in mechanism.all_loads for _ in range(load.strengths)]
    size = np.abs(following[:, :, 0]).max(axis=1)
    left = np.abs(following[:, :, 1])
    met = SHARED if any(load.modes for load in mechanism.all_loads) else MET
    missed = ~(left.max(axis=1) <= met * size)
    said = []
    acting = size > ROUND_OFF * size.max(initial=0.0, where=np.isfinite(size))
    for k in np.flatnonzero(missed & acting | ~np.isfinite(size))[:1]:
        worst = names[int(np.argmax(left[k]))]
        said.append(f"at t = {t[k]:.6g} s no forces agree with the friction of '{worst}'")
    doubtful = ~(following[:, :, 2:].sum(axis=2).max(axis=1) < 1)  # ρ(K) is at most the largest row sum
    for k in (k for k in np.flatnonzero(doubtful) if not is_only_one(following[k, :, 2:])):
        strongest = names[int(np.argmax(np.diag(following[k, :, 2:])))]
        said.append(
            f"from t = {t[k]:.6g} s on friction '{strongest}' may have several solutions or none (Painlevé)"
        )
        break
    return said


def is_only_one(K: np.ndarray) -> bool:
    """Whether ρ(K) < 1 for a nonnegative K, which holds if and only if (1 − K) y = 1 has a positive solution."""
    if not np.isfinite(K).all():
        return False
    try:
        y = np.linalg.solve(np.eye(len(K)) - K, np.ones(len(K)))
    except np.linalg.LinAlgError:
        return False
    return bool((y > 0).all())
