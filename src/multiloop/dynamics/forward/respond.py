"""Linear response of a formulation: accelerations and multipliers per unit of force or of a right-hand side.

    I R_a = F + Jᵀ R_λ,      J R_a = g

Every formulation is linear in the forces τ and in the right-hand sides γ. The derivative of its expression graph along
them repeats the substitutions with the factors that exist already, so that matrices are factored once. It is used for
reaction-dependent friction, for drives whose efforts act at other coordinates, and for impulses.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import casadi as ca

from multiloop.dynamics.problem import Forward, Problem
from multiloop.spatial import Matrix, parted

Solve = Callable[[Problem], Forward]
"""A formulation as a function of the problem only."""


def respond(problem: Problem, solve: Solve, F: Matrix | None = None, g: Matrix | None = None) -> Forward:
    """Response to k columns of forces F (rates × k) and of right-hand sides g (rows × k)."""
    tau = parted(ca.SX.sym("tau", problem.at.skeleton.rates))
    beyond = ca.SX.sym("beyond", problem.rows.count)
    answer = solve(replace(problem, tau=tau, beyond=beyond))
    whole, inputs = ca.vertcat(answer.a, answer.lam), ca.vertcat(tau, beyond)
    columns = F.shape[1] if F is not None else g.shape[1] if g is not None else 0
    ways = ca.vertcat(
        ca.DM(tau.shape[0], columns) if F is None else F, ca.DM(beyond.shape[0], columns) if g is None else g
    )
    if not columns or not whole.shape[0]:
        return Forward(ca.DM(answer.a.shape[0], columns), ca.DM(answer.lam.shape[0], columns))
    response = ca.jtimes(whole, inputs, ways)
    return Forward(response[: answer.a.shape[0], :], response[answer.a.shape[0] :, :])
