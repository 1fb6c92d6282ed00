"""Prescribed motions that are produced by efforts at other coordinates, computed from the linear response of a
formulation.

    I R_a = F + Jᵀ R_λ,      J R_a = g

I is the generalized inertia of the tree and J the constraint Jacobian. R_a and R_λ are the changes of accelerations and
multipliers due to forces F and changes g of the right-hand sides. The solution of every formulation is linear in the
forces τ and in the right-hand sides γ; its directional derivatives along τ and γ are the response, and reuse the
factorisations. The equations of a prescribed motion, J_s v̇ = s̈ + γ_s with γ_s = −J̇_s v, are satisfied by efforts τ
along given columns B: (J_s R) τ = s̈ + γ_s − J_s v̇₀, where v̇₀ are the accelerations without these efforts and R is
the response to B. If there are more efforts than equations, the minimum-norm efforts are used.

Theory: docs/theory/06-forward-dynamics.md, eqs. (6.22), (6.23).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import casadi as ca

from multiloop.dynamics.forward.forward_problem import ForwardDynamicsSolution, ForwardProblem
from multiloop.dynamics.symbolic_solvers import solve_general, solve_positive
from multiloop.kinematics.constraints import Prescribed, RowSet
from multiloop.spatial import Matrix, as_column

ForwardSolver = Callable[[ForwardProblem], ForwardDynamicsSolution]
"""Type of a function that solves a forward problem by some formulation."""


def linear_response(
    problem: ForwardProblem, solve: ForwardSolver, F: Matrix | None = None, g: Matrix | None = None
) -> ForwardDynamicsSolution:
    """Changes of accelerations and multipliers due to k columns of forces F (rates × k) and of right-hand sides g (rows
    × k), computed by the formulation `solve`."""
    tau = as_column(ca.SX.sym("tau", problem.at.skeleton.rates))
    beyond = ca.SX.sym("beyond", problem.rows.count)
    answer = solve(replace(problem, tau=tau, added_right_side=beyond))
    whole, inputs = ca.vertcat(answer.a, answer.lam), ca.vertcat(tau, beyond)
    columns = F.shape[1] if F is not None else g.shape[1] if g is not None else 0
    directions = ca.vertcat(
        ca.DM(tau.shape[0], columns) if F is None else F, ca.DM(beyond.shape[0], columns) if g is None else g
    )
    if not columns or not whole.shape[0]:
        return ForwardDynamicsSolution(ca.DM(answer.a.shape[0], columns), ca.DM(answer.lam.shape[0], columns))
    response = ca.jtimes(whole, inputs, directions)
    return ForwardDynamicsSolution(response[: answer.a.shape[0], :], response[answer.a.shape[0] :, :])


@dataclass(frozen=True, eq=False)
class Servo:
    """Constraints of prescribed motions that are satisfied by efforts along the columns of the matrix B (rates ×
    efforts)."""

    rows: RowSet
    B: Matrix

    def solve_with_efforts(
        self, problem: ForwardProblem, solve: ForwardSolver, given: Prescribed
    ) -> tuple[ForwardDynamicsSolution, Matrix]:
        """The solution of forward dynamics by the formulation `solve` in which the prescribed motions `given` are
        satisfied, and the required efforts."""
        at, free = problem.at, solve(problem)
        response = linear_response(problem, solve, self.B)
        J = self.rows.jacobian(at)
        efforts = minimum_norm_efforts(J @ response.a, self.rows.gamma(at, given) - J @ free.a)
        return ForwardDynamicsSolution(
            free.a + response.a @ efforts, free.lam + response.lam @ efforts
        ), efforts


def minimum_norm_efforts(G: Matrix, right: Matrix) -> Matrix:
    """Solution x of G x = right; if there are more unknowns than equations, the minimum-norm solution Gᵀ (G Gᵀ)⁻¹
    right."""
    if G.shape[0] == G.shape[1]:
        return solve_general(G, right)
    return G.T @ solve_positive(ca.sparsify(G @ G.T), right)
