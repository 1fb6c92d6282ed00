"""Forward dynamics of the whole system: one matrix equation, or system-level Lagrange multipliers (SLM) first.

Theory: docs/theory/06-forward-dynamics.md, eqs. (6.2)–(6.4).
"""

from __future__ import annotations

import casadi as ca

from multiloop.dynamics.forward.articulated_body import tree_accelerations
from multiloop.dynamics.forward.forward_problem import ForwardDynamicsSolution, ForwardProblem
from multiloop.dynamics.symbolic_solvers import solve_general, solve_positive
from multiloop.spatial import as_column


def system(problem: ForwardProblem) -> ForwardDynamicsSolution:
    """Accelerations and multipliers from one matrix equation for the whole mechanism, in O((n + m)³) operations for n
    rates and m constraint rows.

        [I Jᵀ; J 0] [v̇; −λ] = [φ; γ]

    I is the generalized inertia of the tree, J and γ are the Jacobian and right-hand sides of the constraints, λ their
    multipliers, and φ the known forces along the rates.

    Source: [koul], eq. (9).
    Differs: the system is scaled: the unknowns are y of v̇ = D y with a diagonal matrix D such that the diagonal of D I
    D is 1, and each row of J D is divided by its norm. Otherwise the inertia of a mechanism of micrometre size, or of
    a small linkage on a large boom, would be lost in the round-off of the constraint rows.
    """
    I, phi = problem.stiffened
    J, gamma = problem.independent_rows
    n, m = I.shape[0], J.shape[0]
    d = 1 / ca.sqrt(ca.diag(I))
    D = ca.diag(d)
    rows = J @ D
    r = 1 / ca.sqrt(ca.sum2(rows * rows))
    rows = ca.diag(r) @ rows
    K = ca.vertcat(ca.horzcat(D @ I @ D, rows.T), ca.horzcat(rows, ca.DM(m, m)))
    x = solve_general(K, ca.vertcat(d * phi, r * gamma))
    return ForwardDynamicsSolution(d * x[:n, :], problem.multipliers(-r * x[n:, :]))


def slm(problem: ForwardProblem) -> ForwardDynamicsSolution:
    """Multipliers of the whole system, then accelerations of the tree by recursion, the latter in O(n) operations for n
    bodies.

        Ī λ = γ − J I⁻¹ φ,   Ī = J I⁻¹ Jᵀ;      I v̇ = φ + Jᵀ λ

    I is the generalized inertia of the tree, v̇ are the accelerations, J and γ the Jacobian and right-hand sides of the
    constraints, λ their multipliers, and φ the known forces along the rates.

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
