"""Damping of a link that bends: a part of critical for each natural mode, or in proportion to mass and stiffness."""

from __future__ import annotations

from typing import Any

import casadi as ca
import numpy as np

from multiloop.model.damping import Rayleigh
from multiloop.model.geometry import Resolve
from multiloop.spatial import Matrix


def modal_damping(
    given: Any, resolve: Resolve, mass: Matrix, stiffness: Matrix, natural: np.ndarray | None = None
) -> Matrix:
    """D, e×e: α M + β K, or of coordinates that are natural modes, and keep apart, 2 ζ √(m k) for each.

    Where they are not, `natural` has the modes as columns φ of coordinates: D = Σ 2 ζ √(k/m³) M φ φᵀ M, with m = φᵀ M φ
    and k = φᵀ K φ, which is 2 ζ √(m k) along each.
    """
    e = stiffness.shape[0]
    if isinstance(given, Rayleigh):
        return ca.sparsify(resolve(given.alpha) * mass + resolve(given.beta) * stiffness)
    if not given:
        return ca.DM(e, e)
    ratios = given if isinstance(given, tuple) else (given,) * e
    if natural is not None:
        total: Matrix = ca.DM(e, e)
        for ratio, phi in zip(ratios, map(ca.DM, natural.T), strict=True):
            m, k, pushed = phi.T @ mass @ phi, phi.T @ stiffness @ phi, mass @ phi
            total = total + 2 * resolve(ratio) * ca.sqrt(k / m**3) * (pushed @ pushed.T)
        return total
    found = [2 * resolve(ratio) * ca.sqrt(mass[i, i] * stiffness[i, i]) for i, ratio in enumerate(ratios)]
    return ca.diag(ca.vertcat(*found))
