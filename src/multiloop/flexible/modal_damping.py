"""Damping of a link that bends: a part of critical for each shape, or in proportion to mass and stiffness."""

from __future__ import annotations

from typing import Any

import casadi as ca

from multiloop.model.damping import Rayleigh
from multiloop.model.geometry import Resolve
from multiloop.spatial import Matrix


def modal_damping(given: Any, resolve: Resolve, mass: Matrix, stiffness: Matrix) -> Matrix:
    """D of coordinates whose shapes are natural modes, and keep apart, e×e: 2 ζ √(m k) for each, or α M + β K."""
    e = stiffness.shape[0]
    if isinstance(given, Rayleigh):
        return ca.sparsify(resolve(given.alpha) * mass + resolve(given.beta) * stiffness)
    if not given:
        return ca.DM(e, e)
    ratios = given if isinstance(given, tuple) else (given,) * e
    found = [2 * resolve(ratio) * ca.sqrt(mass[i, i] * stiffness[i, i]) for i, ratio in enumerate(ratios)]
    return ca.diag(ca.vertcat(*found))
