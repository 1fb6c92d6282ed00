"""Drives whose efforts act at other coordinates than they prescribe, as a platform that is moved by motors in its legs.

The rows of the prescribed motion, J_s v̇ = γ_s, are satisfied by efforts τ through given columns B, not by multipliers
of these rows:

    I v̇ = φ + Jᵀ λ + B τ,      J v̇ = γ,      J_s v̇ = γ_s

With v̇₀ the accelerations without these efforts and R the response to B, (J_s R) τ = γ_s − J_s v̇₀. With more efforts
than rows the minimum-norm solution is taken.
"""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from multiloop.dynamics.elimination import solve_general, solve_positive
from multiloop.dynamics.forward.respond import Solve, respond
from multiloop.dynamics.problem import Forward, Problem
from multiloop.kinematics.constraints import Prescribed, RowSet
from multiloop.spatial import Matrix


@dataclass(frozen=True, eq=False)
class Servo:
    """Rows of prescribed motions that are satisfied by efforts along the columns B (rates × efforts)."""

    rows: RowSet
    B: Matrix

    def hold(self, problem: Problem, solve: Solve, given: Prescribed) -> tuple[Forward, Matrix]:
        """The solution in which the rows are satisfied, and the efforts for it."""
        at, free = problem.at, solve(problem)
        response = respond(problem, solve, self.B)
        J = self.rows.jacobian(at)
        efforts = least_efforts(J @ response.a, self.rows.gamma(at, given) - J @ free.a)
        return Forward(free.a + response.a @ efforts, free.lam + response.lam @ efforts), efforts


def least_efforts(G: Matrix, right: Matrix) -> Matrix:
    """x of G x = b; with more unknowns than rows the minimum-norm solution Gᵀ (G Gᵀ)⁻¹ b."""
    if G.shape[0] == G.shape[1]:
        return solve_general(G, right)
    return G.T @ solve_positive(ca.sparsify(G @ G.T), right)
