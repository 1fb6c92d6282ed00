"""Forward dynamics by virtual work: sums over bodies, with dependent coordinates eliminated by a constraint map."""

from __future__ import annotations

import casadi as ca

from multiloop.dynamics.complement import twist_columns
from multiloop.dynamics.elimination import solve_positive
from multiloop.dynamics.forward.embedding import complement
from multiloop.dynamics.inertia import mass_matrices
from multiloop.dynamics.problem import Forward, Problem, column_of
from multiloop.dynamics.wrenches import needed_wrenches
from multiloop.spatial import Matrix


def virtual_work(problem: Problem, choice: Matrix) -> Forward:
    """Sum of the virtual work of all bodies; the generalized inertia of the tree is not formed.

        Σ_i K_iᵀ M_i K_i ψ̈ = Σ_i K_iᵀ (− w*_i(ψ̈ = 0)) + Cᵀ τ,     K_i = N_i C,   t_i = K_i ψ̇

    ψ are independent coordinates, selected by `choice`; C maps their rates to all rates of the tree, N_i maps
    those to the twist of body i.

    Source: [dado], §3, eqs. (27)–(32).
    Differs: c is the whole convective part of the constraint map; the printed one lacks (∂²F/∂ψ∂t) ψ̇ where
    relations depend on time.
    """
    at = problem.at
    J, gamma = problem.independent
    C, c = complement(J, gamma, choice)
    needed = needed_wrenches(at, c)
    inertia, force = ca.DM(C.shape[1], C.shape[1]), C.T @ problem.tau
    for N, M, w in zip(twist_columns(at), mass_matrices(at), needed, strict=True):
        K = N @ C
        inertia = inertia + K.T @ M @ K
        force = force - K.T @ w
    rate = solve_positive(inertia, force) if C.shape[1] else ca.DM(0, 1)
    a = C @ rate + c
    return Forward(a, problem.multipliers(_multipliers(problem, J, a)))


def _multipliers(problem: Problem, J: Matrix, a: Matrix) -> Matrix:
    """Multipliers for the wrenches that the bodies require: J Jᵀ μ = J (Σ N_iᵀ w*_i − τ)."""
    at = problem.at
    needed = needed_wrenches(at, a)
    missing = -problem.tau
    for N, w in zip(twist_columns(at), needed, strict=True):
        missing = missing + N.T @ w
    return solve_positive(J @ J.T, J @ missing) if J.shape[0] else column_of([])
