"""Forward dynamics in independent coordinates, by the natural orthogonal complement of the constraints."""

from __future__ import annotations

import casadi as ca

from multiloop.dynamics.elimination import solve_general, solve_positive
from multiloop.dynamics.problem import Forward, Problem
from multiloop.spatial import Matrix


def embedding(problem: Problem, choice: Matrix) -> Forward:
    """Equations of motion in independent rates u = B v, as many as there are degrees of freedom.

        [J; B] C = [0; 1],   [J; B] c = [γ; 0];      Cᵀ I C u̇ = Cᵀ (φ − I c),   v̇ = C u̇ + c

    `choice` is B (degrees of freedom × rates), the independent combinations of rates. It is an input, chosen such that
    [J; B] is well conditioned, and may select joint rates or Cartesian ones. The multipliers follow from
    J Jᵀ λ = J (I v̇ − φ).

    Source: [saha], eqs. (11)–(17); [fattah], chs. 2–3 (joint-space and Cartesian-space coordinates).
    """
    I, phi = problem.inertia, problem.phi
    J, gamma = problem.independent
    C, c = complement(J, gamma, choice)
    rate = solve_positive(C.T @ I @ C, C.T @ (phi - I @ c)) if C.shape[1] else ca.DM(0, 1)
    a = C @ rate + c
    mu = solve_positive(J @ J.T, J @ (I @ a - phi)) if J.shape[0] else ca.DM(0, 1)
    return Forward(a, problem.multipliers(mu))


def complement(J: Matrix, gamma: Matrix, choice: Matrix) -> tuple[Matrix, Matrix]:
    """C, whose columns span the null space of J, and the convective part c: v = C u, v̇ = C u̇ + c."""
    m, f = J.shape[0], choice.shape[0]
    whole = ca.vertcat(J, choice)
    right = ca.vertcat(ca.horzcat(ca.DM(m, f), gamma), ca.horzcat(ca.DM.eye(f), ca.DM(f, 1)))
    solved = solve_general(whole, right)
    return solved[:, :f], solved[:, f]
