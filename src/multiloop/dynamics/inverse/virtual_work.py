"""Inverse dynamics by virtual work: efforts from their virtual power, without reactions."""

from __future__ import annotations

import casadi as ca

from multiloop.dynamics.complement import twist_columns
from multiloop.dynamics.elimination import solve_general, solve_positive
from multiloop.dynamics.forward.embedding import complement
from multiloop.dynamics.inverse.problem import Inverse, InverseProblem
from multiloop.spatial import Matrix


def virtual_work(problem: InverseProblem, choice: Matrix) -> Inverse:
    """Efforts from the equations along independent coordinates ψ, then the multipliers from the others.

        (Cᵀ B) τ = Cᵀ (Σ_i N_iᵀ w*_i − τ_known),      J Jᵀ λ = J (h − B τ)

    `choice` selects independent combinations of rates; C maps them to all rates.

    Source: [dado], §3, eqs. (9)–(32), the inverse direction.
    """
    J, B = problem.J, problem.B
    C, _ = complement(J, ca.DM(J.shape[0], 1), choice)
    work = -(C.T @ problem.known)
    for N, w in zip(twist_columns(problem.at), problem.needed, strict=True):
        work = work + C.T @ (N.T @ w)
    tau = solve_general(C.T @ B, work) if B.shape[1] else ca.DM(0, 1)
    missing = J @ (problem.right - B @ tau)
    mu = solve_positive(J @ J.T, missing) if J.shape[0] else ca.DM(0, 1)
    return Inverse(problem.multipliers(mu), tau)
