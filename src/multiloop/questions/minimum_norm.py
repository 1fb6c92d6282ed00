"""Reactions that equilibrium does not determine: the least that serve, the same for every method and every cut."""

from __future__ import annotations

import numpy as np

from multiloop.kinematics.equations import Equations
from multiloop.plan import joint_wrenches, rank_of, screws_of, shared_reactions

ROUND_OFF = 1e-7
"""Where couplings alone share what they exert, the joints' part in it is no larger than this."""


def minimum_norm_reactions(
    equations: Equations, t: float, q: np.ndarray, p: np.ndarray, wrenches: np.ndarray
) -> np.ndarray:
    """The least reactions among those that equilibrium allows, 6 × joints.

    All solutions differ by reactions that balance themselves, null(Aᵀ); the part in it is removed:

        r ← r − Z Zᵀ r,      columns of Z orthonormal and spanning null(Aᵀ)

    over all joints' components at the joints' second markers, with moments divided by the characteristic
    length. Determined components are not touched, since they are orthogonal to null(Aᵀ).
    """
    screws = screws_of(equations, q, p, t)
    shared = shared_reactions(screws, rank_of(screws.A))
    if not shared.shape[1]:
        return wrenches
    basis = joint_wrenches(equations, q, p)
    scale = np.array([1 / equations.skeleton.length] * 3 + [1.0] * 3)
    r = np.concatenate([np.linalg.pinv(W) @ (scale * w) for W, w in zip(basis, wrenches.T, strict=True)])
    U, sigma, _ = np.linalg.svd(shared[: len(r)], full_matrices=False)  # what couplings exert follows
    ours = U[:, sigma > ROUND_OFF]
    r = r - ours @ (ours.T @ r)
    found, at = [], 0
    for W in basis:
        found.append((W @ r[at : at + W.shape[1]]) / scale)
        at += W.shape[1]
    return np.column_stack(found)
