"""Forward dynamics by the augmented Lagrangian method, also at singular configurations and with redundant rows.

Theory: docs/theory/06-forward-dynamics.md, eqs. (6.17)–(6.19).
"""

from __future__ import annotations

import casadi as ca

from multiloop.dynamics.forward.forward_problem import ForwardDynamicsSolution, ForwardProblem
from multiloop.dynamics.symbolic_solvers import solve_positive
from multiloop.spatial import Matrix

ROUNDS = 12
"""Number of corrections; each multiplies the residual of the rows by about 1 / (1 + α eigenvalue of Ī)."""


def augmented(
    problem: ForwardProblem, alpha: Matrix | float, rounds: int = ROUNDS
) -> ForwardDynamicsSolution:
    """Penalty method with multipliers that are corrected until the rows are satisfied.

        (I + Jᵀ α J) v̇₀ = φ + Jᵀ α γ,      λₖ₊₁ = λₖ + α (γ − J v̇ₖ)
        (I + Jᵀ α J) (v̇ₖ₊₁ − v̇ₖ) = φ − I v̇ₖ + Jᵀ (λₖ₊₁ + α (γ − J v̇ₖ))

    `alpha` is a penalty for every row, or one for all: large relative to the inertia that the row moves. Where rows are
    dependent (redundant, or at a singular configuration) the matrix stays positive definite and the multipliers
    converge to the minimum-norm solution. In the equation for the change of v̇ the large terms Jᵀ α γ and Jᵀ α J v̇
    cancel row by row before small terms are added, so that the penalty costs no digits.

    Source: [bayo], here in the coordinates of the tree.
    Differs: every round after the first is solved for the change of v̇.
    """
    I, phi, J, gamma = problem.inertia, problem.phi, problem.J, problem.gamma
    alpha = alpha * ca.DM.ones(J.shape[0], 1)
    left = I + J.T @ ca.diag(alpha) @ J
    lam = ca.DM(J.shape[0], 1)
    a = solve_positive(left, phi + J.T @ (alpha * gamma))
    for _ in range(rounds):
        pull = alpha * (gamma - J @ a)
        lam = lam + pull
        a = a + solve_positive(left, phi - I @ a + J.T @ (lam + pull))
    return ForwardDynamicsSolution(a, lam + alpha * (gamma - J @ a))
