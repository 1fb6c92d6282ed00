"""Drives that push elsewhere than they hold: a platform moved along its path by the motors in its legs.

The rows of the prescribed motion are held, J_s v̇ = γ_s, not by forces of their own but by efforts through given
columns:

    I v̇ = φ + Jᵀ λ + B τ,      J v̇ = γ,      J_s v̇ = γ_s

With v̇₀ the accelerations without them and R the response to B, (J_s R) τ = γ_s − J_s v̇₀. With more efforts than
rows the least are taken.
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
    """Rows that are held by efforts along the columns B (rates × efforts), not by forces of their own."""

    rows: RowSet
    B: Matrix

    def hold(self, problem: Problem, solve: Solve, given: Prescribed) -> tuple[Forward, Matrix]:
        """The answer in which the rows are held, and the efforts that hold them."""
        at, free = problem.at, solve(problem)
        response = respond(problem, solve, self.B)
        J = self.rows.jacobian(at)
        efforts = least_efforts(J @ response.a, self.rows.gamma(at, given) - J @ free.a)
        return Forward(free.a + response.a @ efforts, free.lam + response.lam @ efforts), efforts


def least_efforts(G: Matrix, right: Matrix) -> Matrix:
    """x of G x = b; with more unknowns than rows the least, Gᵀ (G Gᵀ)⁻¹ b."""
    if G.shape[0] == G.shape[1]:
        return solve_general(G, right)
    return G.T @ solve_positive(ca.sparsify(G @ G.T), right)
