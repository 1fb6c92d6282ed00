"""Forward dynamics by the augmented Lagrangian: it passes singular positions and redundant rows unharmed."""

from __future__ import annotations

import casadi as ca

from multiloop.dynamics.elimination import solve_positive
from multiloop.dynamics.problem import Forward, Problem
from multiloop.spatial import Matrix

ROUNDS = 8
"""Corrections of the multipliers; each shrinks what the rows miss by about 1 / (1 + α eigenvalue of Ī)."""


def augmented(problem: Problem, alpha: Matrix | float, rounds: int = ROUNDS) -> Forward:
    """Penalties with multipliers that are corrected until the rows are met.

        (I + α JᵀJ) v̇ₖ = φ + α Jᵀ γ + Jᵀ λₖ,      λₖ₊₁ = λₖ + α (γ − J v̇ₖ)

    All rows are used as they are: where some are dependent (redundant, or at a singular position) the matrix
    stays positive and the multipliers tend to the least ones that serve.

    Source: [bayo], here in the tree's coordinates.
    """
    J, gamma = problem.J, problem.gamma
    left = problem.inertia + alpha * (J.T @ J)
    right = problem.phi + alpha * (J.T @ gamma)
    lam = ca.DM(J.shape[0], 1)
    a = solve_positive(left, right)
    for _ in range(rounds):
        lam = lam + alpha * (gamma - J @ a)
        a = solve_positive(left, right + J.T @ lam)
    return Forward(a, lam + alpha * (gamma - J @ a))
