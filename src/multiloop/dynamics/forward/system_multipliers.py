"""Forward dynamics with system-level Lagrange multipliers (SLM): the multipliers are computed first, then the
accelerations.

Theory: docs/theory/06-forward-dynamics.md, eqs. (6.3), (6.4).
"""

from __future__ import annotations

import casadi as ca

from multiloop.dynamics.forward.articulated_body import tree_accelerations
from multiloop.dynamics.forward.forward_problem import ForwardDynamicsSolution, ForwardProblem
from multiloop.dynamics.symbolic_solvers import solve_positive
from multiloop.spatial import as_column


def slm(problem: ForwardProblem) -> ForwardDynamicsSolution:
    """Multipliers of the whole system, then accelerations of the tree by recursion, the latter in O(n) operations for n
    bodies.

        Ī λ = γ − J I⁻¹ φ,   Ī = J I⁻¹ Jᵀ;      I v̇ = φ + Jᵀ λ

    Source: [koul], eqs. (10)–(11).
    """
    I, phi = problem.stiffened
    J, gamma = problem.independent_rows
    m = J.shape[0]
    solved = solve_positive(I, ca.horzcat(J.T, phi))
    free = solved[:, m]
    mu = solve_positive(J @ solved[:, :m], gamma - J @ free)
    a = (
        tree_accelerations(problem.at, as_column(problem.tau + J.T @ mu))
        if problem.is_regular
        else free + solved[:, :m] @ mu
    )
    return ForwardDynamicsSolution(a, problem.multipliers(mu))
