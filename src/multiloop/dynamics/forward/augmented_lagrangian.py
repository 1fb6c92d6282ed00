"""Forward dynamics by the augmented Lagrangian method, valid at singular configurations and for redundant constraints
too.

Theory: docs/theory/06-forward-dynamics.md, eqs. (6.17)–(6.19).
"""

from __future__ import annotations

import casadi as ca

from multiloop.dynamics.forward.forward_problem import ForwardDynamicsSolution, ForwardProblem
from multiloop.dynamics.symbolic_solvers import solve_positive
from multiloop.spatial import Matrix

ROUNDS = 12
"""Number of corrections of the multipliers; each multiplies the constraint residual γ − J v̇ by about 1 / (1 + α μ),
where μ are the eigenvalues of J I⁻¹ Jᵀ (constraint Jacobian J, inertia I) and α is the penalty."""


def augmented(
    problem: ForwardProblem, alpha: Matrix | float, rounds: int = ROUNDS
) -> ForwardDynamicsSolution:
    """Accelerations and multipliers by a penalty method whose multipliers are corrected in several rounds.

        (I + Jᵀ α J) v̇₀ = φ + Jᵀ α γ,      λₖ₊₁ = λₖ + α (γ − J v̇ₖ)
        (I + Jᵀ α J) (v̇ₖ₊₁ − v̇ₖ) = φ − I v̇ₖ + Jᵀ (λₖ₊₁ + α (γ − J v̇ₖ))

    The equations of motion are I v̇ = φ + Jᵀ λ with the constraints J v̇ = γ; I is the generalized inertia of the tree, φ
    are the known forces. `alpha` is the penalty α, one number for each constraint row or one for all rows; it should be
    large relative to the inertia that the row moves. If rows are linearly dependent (redundant, or at a singular
    configuration), the matrix remains positive definite, and the multipliers λ converge to the minimum-norm solution.
    In the equation for the change of v̇ the large terms Jᵀ α γ and Jᵀ α J v̇ cancel row by row before small terms are
    added, so that a large penalty causes no loss of accuracy.

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
