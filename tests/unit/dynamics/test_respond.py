"""The response of a formulation is that of the equations of motion: I R_a = F + Jᵀ R_λ and J R_a = g."""

import casadi as ca
import numpy as np
import pytest
from laws.formulation_cases import zoo_cases

from multiloop.dynamics.forward import FORMULATIONS, METHODS
from multiloop.dynamics.forward.servo import linear_response


@pytest.mark.parametrize("name", ["four-bar", "3-RRR", "RSUR", "bennett", "five-bar-braced"])
@pytest.mark.parametrize("method", METHODS)
def test_responses_to_forces_and_right_hand_sides(name, method):
    case = zoo_cases(name)[0]
    takes = FORMULATIONS[method].extra_input
    extra = {"choice": (ca.DM(case.choice),), "penalty": (3e6 * case.weight,), "order": (None,)}.get(
        takes, ()
    )
    problem, rng = case.problem, np.random.default_rng(3)
    n, rows = case.skeleton.rates, len(case.J)
    F = rng.normal(size=(n, 2))
    g = case.J @ rng.normal(size=(n, 2))  # right-hand sides that the rows can satisfy
    found = linear_response(
        problem, lambda other: FORMULATIONS[method].solve(other, *extra), ca.DM(F), ca.DM(g)
    )
    a, lam = ca.DM(ca.evalf(found.a)).full(), ca.DM(ca.evalf(found.lam)).full()
    # Round-off of the constraints' own condition; penalties leave a part of 1 / 3e6 to the power of their rounds.
    allowed = 1e-9 * max(1.0, case.condition * 1e-6) * max(1.0, np.abs(a).max())
    assert a.shape == (n, 2)
    assert lam.shape == (rows, 2)
    assert np.abs(case.J @ a - g).max() <= allowed * max(1.0, np.abs(case.J).max())
    left = case.inertia @ a - F - case.J.T @ lam
    assert np.abs(left).max() <= 1e-8 * max(1.0, np.abs(case.J.T @ lam).max())
