"""Forward dynamics in independent coordinates: embedding by the natural orthogonal complement, and virtual work.

Theory: docs/theory/04-orthogonal-complement.md, eqs. (4.14), (4.15);
docs/theory/06-forward-dynamics.md, eqs. (6.12)–(6.14).
"""

from __future__ import annotations

import casadi as ca

from multiloop.dynamics.forward.forward_problem import ForwardDynamicsSolution, ForwardProblem, stack_vectors
from multiloop.dynamics.inertia_matrix import mass_matrices, twist_columns
from multiloop.dynamics.newton_euler import required_wrenches
from multiloop.dynamics.symbolic_solvers import solve_general, solve_positive
from multiloop.spatial import Matrix


def embedding(problem: ForwardProblem, choice: Matrix) -> ForwardDynamicsSolution:
    """Accelerations and multipliers from equations of motion in independent rates u = B v, one for each degree of
    freedom.

        [J; B] C = [0; 1],   [J; B] c = [γ; 0];      Cᵀ I C u̇ = Cᵀ (φ − I c),   v̇ = C u̇ + c

    I v̇ = φ + Jᵀ λ and J v̇ = γ are the equations of motion and the constraint equations, with the generalized inertia I
    of the tree, the known forces φ and the multipliers λ. `choice` is the matrix B (degrees of freedom × rates), which
    combines the joint rates v into independent rates u; these may be joint rates or Cartesian velocities. B must be
    such that [J; B] is well conditioned. The columns of C span the null space of J, so that v̇ = C u̇ + c. The
    multipliers follow from J Jᵀ λ = J (I v̇ − φ).

    Source: [saha], eqs. (11)–(17); [fattah], chs. 2–3 (joint-space and Cartesian-space coordinates).
    """
    I, phi = problem.inertia, problem.phi
    J, gamma = problem.independent_rows
    C, c = complement(J, gamma, choice)
    rate = solve_positive(C.T @ I @ C, C.T @ (phi - I @ c)) if C.shape[1] else ca.DM(0, 1)
    a = C @ rate + c
    mu = solve_positive(J @ J.T, J @ (I @ a - phi)) if J.shape[0] else ca.DM(0, 1)
    return ForwardDynamicsSolution(a, problem.multipliers(mu))


def complement(J: Matrix, gamma: Matrix, choice: Matrix) -> tuple[Matrix, Matrix]:
    """The matrix C, whose columns span the null space of J, and the vector c of v̇ = C u̇ + c, for independent rates u
    = `choice` v."""
    m, f = J.shape[0], choice.shape[0]
    whole = ca.vertcat(J, choice)
    right = ca.vertcat(ca.horzcat(ca.DM(m, f), gamma), ca.horzcat(ca.DM.eye(f), ca.DM(f, 1)))
    solved = solve_general(whole, right)
    return solved[:, :f], solved[:, f]


def virtual_work(problem: ForwardProblem, choice: Matrix) -> ForwardDynamicsSolution:
    """Accelerations and multipliers by the principle of virtual work, summed over the bodies, without the generalized
    inertia of the tree.

        Σ_i K_iᵀ M_i K_i ψ̈ = Cᵀ τ + Σ_i K_iᵀ (wᵉ_i − w*_i(ψ̈ = 0)),     K_i = N_i C

    τ are the known forces along the rates, M_i the mass matrix of body i, w*_i − wᵉ_i the wrench that its motion
    requires minus the applied wrench, and ψ independent coordinates, selected by the matrix `choice`; C maps their
    rates to all joint rates of the tree, and N_i maps the joint rates to the twist t_i of body i. If no constraint
    depends on time, t_i = K_i ψ̇.

    Source: [dado], §3, eqs. (27)–(32).
    Differs: the vector c of the accelerations v̇ = C ψ̈ + c of all joint rates contains the term (∂²F/∂ψ∂t) ψ̇, which is
    missing in the expression printed in [dado]. It is not zero if the relations F between the coordinates depend on
    time.
    """
    at = problem.at
    J, gamma = problem.independent_rows
    C, c = complement(J, gamma, choice)
    needed = required_wrenches(at, c)
    inertia, force = ca.DM(C.shape[1], C.shape[1]), C.T @ problem.tau
    for N, M, w in zip(twist_columns(at), mass_matrices(at), needed, strict=True):
        K = N @ C
        inertia = inertia + K.T @ M @ K
        force = force - K.T @ w
    rate = solve_positive(inertia, force) if C.shape[1] else ca.DM(0, 1)
    a = C @ rate + c
    return ForwardDynamicsSolution(a, problem.multipliers(_multipliers(problem, J, a)))


def _multipliers(problem: ForwardProblem, J: Matrix, a: Matrix) -> Matrix:
    """Multipliers μ of the independent constraint rows J from the wrenches w*_i − wᵉ_i that the bodies require at
    accelerations a: J Jᵀ μ = J (Σ N_iᵀ (w*_i − wᵉ_i) − τ), where N_i maps the rates to the twist of body i and τ are
    the known forces."""
    at = problem.at
    needed = required_wrenches(at, a)
    missing = -problem.tau
    for N, w in zip(twist_columns(at), needed, strict=True):
        missing = missing + N.T @ w
    return solve_positive(J @ J.T, J @ missing) if J.shape[0] else stack_vectors([])
