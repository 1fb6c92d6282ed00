"""Inverse dynamics, system method: multipliers and efforts of the whole tree together."""

from __future__ import annotations

import casadi as ca

from multiloop.dynamics.elimination import solve_general
from multiloop.dynamics.inverse.problem import Inverse, InverseProblem


def system(problem: InverseProblem) -> Inverse:
    """One system of as many equations as the tree has rates.

        [Jᵀ B] [λ; τ] = h

    With idle degrees of freedom there are more equations than unknowns; they are consistent, since no force acts along
    an idle degree of freedom.

    Source: [chaudhary], §3.2 eq. (14) and §5(2).
    Differs: gravity enters as an acceleration −g of the ground, and the cut wrenches as Jᵀ λ with J = Ĵ N of
    [koul], §2.2. B are the columns of the efforts.
    """
    J, B = problem.J, problem.B
    x = solve_general(ca.horzcat(J.T, B), problem.right)
    m = J.shape[0]
    return Inverse(problem.multipliers(x[:m, :]), x[m:, :])
