"""Damping matrix of a flexible body: modal damping ratios, or Rayleigh damping α M + β K."""

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
    """Damping matrix D, e×e: α M + β K, or 2 ζ √(m k) for each elastic coordinate that is a decoupled natural mode.

    Where the coordinates are not natural modes, these are the columns φ of `natural`: D = Σ 2 ζ √(k/m³) M φ φᵀ M, with
    m = φᵀ M φ and k = φᵀ K φ, which gives 2 ζ √(m k) for each mode.
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
