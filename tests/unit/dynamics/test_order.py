"""Which order of elimination is selected, and is it regular at the positions of the motion?"""

import numpy as np
import pytest
from laws.closed_positions import built
from laws.formulation_cases import zoo_cases

import multiloop as ml
from multiloop.dynamics.forward import ForwardFunctions
from multiloop.dynamics.forward.subsystem_multipliers import loops_last
from multiloop.dynamics.symbolic_solvers import cheapest_order
from multiloop.kinematics import equations_of


def accelerations(equations, method, q, v, tau):
    functions = ForwardFunctions(equations, method)
    return functions.accelerations(q=q, v=v, tau=tau, p=equations.skeleton.parameter_values)


@pytest.mark.parametrize("name", ["6-UPS", "3-RRR", "scraper-C", "excavator", "RSSR"])
def test_the_order_changes_nothing(name):
    """Legs first or loops last: the result equals that of slm, which eliminates the whole tree and then all rows at
    once."""
    case = zoo_cases(name)[0]
    _, a, lam, _ = accelerations(case.equations, "sslm", case.q, case.v, case.tau)
    _, b, mu, _ = accelerations(case.equations, "slm", case.q, case.v, case.tau)
    assert a == pytest.approx(b, abs=1e-13 * case.condition * np.abs(b).max())
    assert lam == pytest.approx(mu, abs=1e-13 * case.condition * np.abs(mu).max())


def test_a_stretched_leg_of_a_planar_platform_does_no_harm():
    """With the legs first a pivot would be zero here."""
    mechanism = built("3-RRR")
    equations = equations_of(mechanism, ml.analyse(mechanism).tree)
    rates = equations.skeleton.rates
    for stretched in range(rates):
        q = np.linspace(0.3, 1.1, rates)
        q[stretched] = 0.0
        found = accelerations(equations, "sslm", q, np.ones(rates), np.ones(rates))
        assert all(np.all(np.isfinite(part)) for part in found)
        assert max(np.abs(part).max() for part in found) < 1e5


def test_rows_wait_for_what_they_move():
    u, v, row = ("u", 0, 0), ("u", 1, 0), ("lam", 0, 0)
    pairs = [(u, u), (v, v), (row, u), (row, v)]
    order, _ = cheapest_order(pairs, [row, u, v], loops_last(pairs))
    assert order[-1] == row
