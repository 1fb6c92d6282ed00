"""How idle freedoms accelerate while efforts lead all others."""

from __future__ import annotations

import numpy as np

from multiloop.kinematics.equations import Equations
from multiloop.plan.weighing import WEIGHTLESS


def idle_accelerations(
    equations: Equations, q: np.ndarray, p: np.ndarray, Z: np.ndarray, h: np.ndarray, carried: np.ndarray
) -> np.ndarray:
    """What is added to v̇ along motions Z that no effort moves, so that these follow their own inertia.

    Zᵀ h(v̇ + Z x) = 0 is solved for x, Zᵀ I Z x = −Zᵀ h. Where Zᵀ I Z is nothing beside what the same rates move one by
    one (`carried`), nothing decides and v̇ stays.
    """
    twists, masses = equations.twists(q, p, Z), equations.masses(q, p)
    inertia = sum(twists[k].T @ M @ twists[k] for k, M in enumerate(masses))
    scale = np.sqrt(np.maximum(carried @ Z**2, np.finfo(float).tiny))
    weights, ways = np.linalg.eigh(inertia / np.outer(scale, scale))
    decided = weights > WEIGHTLESS
    W = (ways / scale[:, None])[:, decided]
    added: np.ndarray = -Z @ (W @ ((W.T @ (Z.T @ h)) / weights[decided]))
    return added
