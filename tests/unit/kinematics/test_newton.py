"""Does closing the loops converge quadratically near the solution, with damping far from it, and with redundant
rows?"""

from itertools import pairwise

import numpy as np
import pytest
from zoo import ZOO

from multiloop.kinematics import equations_of
from multiloop.kinematics.assembly import close_loops
from multiloop.kinematics.tree import CLOSURE_TOLERANCE
from multiloop.topology import tree_of

NONE = np.zeros(0)


def start_of(name):
    """Equations of a zoo mechanism with its guess as coordinates."""
    mechanism = ZOO[name].build().without_drives()
    equations = equations_of(mechanism, tree_of(mechanism))
    q, guess = equations.skeleton.neutral_position.copy(), dict(mechanism.guess)
    for link in equations.skeleton.links:
        if link.joint.name in guess:
            q[link.q] = guess[link.joint.name]
    return equations, q


def gaps(equations, q):
    """The largest row after 0, 1, 2, … steps."""
    p = equations.skeleton.parameter_values
    return [close_loops(equations, q, NONE, p, limit=limit).gap for limit in range(6)]


@pytest.mark.parametrize("name", ["four-bar", "scraper-C", "RSUR", "bennett", "spherical-wrist", "6-UPS"])
def test_near_a_closure_the_gap_is_squared_in_every_step(name):
    """Redundant rows (Bennett, the wrist) make no difference: the steps are Newton's own."""
    equations, q = start_of(name)
    closed = close_loops(equations, q, NONE, equations.skeleton.parameter_values).q
    rng = np.random.default_rng(1)
    step = 1e-3 * rng.normal(size=equations.skeleton.rates) * equations.chart.rate_units
    found = gaps(equations, equations.chart.apply_step(closed, step))
    for before, after in pairwise(found):
        if before > 1e-7:
            assert after < 50 * before**2  # the constant is curvature over derivative, a few tens here
    assert found[4] <= CLOSURE_TOLERANCE


@pytest.mark.parametrize("name", ["four-bar", "scraper-C", "bennett", "delta"])
def test_it_stops_where_round_off_begins(name):
    equations, q = start_of(name)
    closing = close_loops(equations, q, NONE, equations.skeleton.parameter_values)
    assert closing.closed
    assert closing.gap <= 1e-14
    assert closing.steps < 12


def test_from_a_distant_start_it_converges_or_reports_the_remaining_gap():
    equations, q = start_of("four-bar")
    rng = np.random.default_rng(2)
    for _ in range(20):
        closing = close_loops(equations, rng.uniform(-3, 3, len(q)), NONE, NONE)
        rows = equations.row_scale * equations.position_residual(closing.q, NONE, NONE)
        assert closing.gap == pytest.approx(np.abs(rows).max(), abs=1e-15)
        assert closing.closed  # an undriven crank-rocker closes from anywhere


def test_an_impossible_loop_leaves_the_shortest_gap():
    """0.3 + 0.2 + 0.3 m on a base of 1 m stay 0.2 m apart."""
    import multiloop as ml

    mechanism = ZOO["four-bar"].build().without_drives()
    short = mechanism.replace(
        bodies=[
            mechanism.body("ground"),
            ml.rod("crank", length=0.3, mass=1.0),
            ml.rod("coupler", length=0.2, mass=1.0),
            ml.rod("rocker", length=0.3, mass=1.0),
        ]
    )
    equations = equations_of(short, tree_of(short))
    closing = close_loops(equations, np.array([0.2, -0.1, 2.9]), NONE, NONE, limit=400)
    assert not closing.closed
    # it converges slowly
    assert closing.gap * equations.skeleton.characteristic_length == pytest.approx(0.2, rel=1e-3)
