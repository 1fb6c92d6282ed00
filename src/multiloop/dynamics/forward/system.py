"""Forward dynamics, system method: accelerations and multipliers of everything at once."""

from __future__ import annotations

import casadi as ca

from multiloop.dynamics.elimination import solve_general
from multiloop.dynamics.problem import Forward, Problem


def system(problem: Problem) -> Forward:
    """One augmented matrix for the whole mechanism, O((n + m)³).

        [I Jᵀ; J 0] [v̇; −λ] = [φ; γ]

    Source: [koul], eq. (9).
    """
    I, phi = problem.inertia, problem.phi
    J, gamma = problem.independent
    n, m = I.shape[0], J.shape[0]
    K = ca.vertcat(ca.horzcat(I, J.T), ca.horzcat(J, ca.DM(m, m)))
    x = solve_general(K, ca.vertcat(phi, gamma))
    return Forward(x[:n, :], problem.multipliers(-x[n:, :]))
