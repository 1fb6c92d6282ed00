"""Forward dynamics with system-level Lagrange multipliers (SLM): multipliers first, then the tree by recursion."""

from __future__ import annotations

import casadi as ca

from multiloop.dynamics.articulated import tree_accelerations
from multiloop.dynamics.elimination import solve_positive
from multiloop.dynamics.problem import Forward, Problem
from multiloop.spatial import parted


def slm(problem: Problem) -> Forward:
    """Multipliers of the whole system, then accelerations of the tree in O(n).

        Ī λ = γ − J I⁻¹ φ,   Ī = J I⁻¹ Jᵀ;      I v̇ = φ + Jᵀ λ

    Source: [koul], eqs. (10)–(11).
    """
    I, phi = problem.stiffened
    J, gamma = problem.independent
    m = J.shape[0]
    solved = solve_positive(I, ca.horzcat(J.T, phi))
    free = solved[:, m]
    mu = solve_positive(J @ solved[:, :m], gamma - J @ free)
    a = (
        tree_accelerations(problem.at, parted(problem.tau + J.T @ mu))
        if problem.regular
        else free + solved[:, :m] @ mu
    )
    return Forward(a, problem.multipliers(mu))
