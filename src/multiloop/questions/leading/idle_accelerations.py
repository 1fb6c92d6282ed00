"""Accelerations along idle degrees of freedom while efforts prescribe all others."""

from __future__ import annotations

import numpy as np

from multiloop.kinematics.equations import Equations
from multiloop.plan.weighing import WEIGHTLESS


def idle_accelerations(
    equations: Equations, q: np.ndarray, p: np.ndarray, Z: np.ndarray, h: np.ndarray, carried: np.ndarray
) -> np.ndarray:
    """Accelerations added to v̇ along motions Z on which no effort acts, such that their balance of forces holds.

    Zᵀ h(v̇ + Z x) = 0 is solved for x, Zᵀ I Z x = −Zᵀ h. Where Zᵀ I Z is negligible relative to the inertia `carried`
    by the same rates one by one, the acceleration is not determined and v̇ is kept.
    """
    twists, masses = equations.twists(q, p, Z), equations.masses(q, p)
    inertia = sum(twists[k].T @ M @ twists[k] for k, M in enumerate(masses))
    scale = np.sqrt(np.maximum(carried @ Z**2, np.finfo(float).tiny))
    weights, ways = np.linalg.eigh(inertia / np.outer(scale, scale))
    decided = weights > WEIGHTLESS
    W = (ways / scale[:, None])[:, decided]
    added: np.ndarray = -Z @ (W @ ((W.T @ (Z.T @ h)) / weights[decided]))
    return added
