"""Tables in traced equations give SciPy's values, in every symbol type, with exact derivatives."""

import casadi as ca
import numpy as np
import pytest
from scipy.interpolate import CubicSpline, PPoly

from multiloop.symbols import lookup

BREAKS = np.array([-1.0, 0.0, 0.4, 1.5, 2.0])
VALUES = np.array([2.0, -1.0, 0.5, 3.0, 2.0])
INSIDE = np.concatenate([BREAKS[:-1], np.linspace(-0.99, 1.99, 31)])


def function(symbol, spline, periodic=False):
    x = symbol.sym("x")
    return ca.Function("f", [x], [lookup(x, spline.x, spline.c, periodic)])


@pytest.mark.parametrize("symbol", [ca.SX, ca.MX])
@pytest.mark.parametrize("ends", ["not-a-knot", "periodic"])
def test_values_and_derivatives_are_scipy_s(symbol, ends):
    spline = CubicSpline(BREAKS, VALUES, bc_type=ends)
    f = function(symbol, spline, ends == "periodic")
    x = symbol.sym("x")
    slope = ca.Function("slope", [x], [ca.jacobian(f(x), x)])
    for point in INSIDE:
        assert float(f(point)) == pytest.approx(float(spline(point)), rel=1e-14, abs=1e-14)
        assert float(slope(point)) == pytest.approx(float(spline(point, 1)), rel=1e-13, abs=1e-13)


def test_numbers_are_looked_up_too():
    spline = CubicSpline(BREAKS, VALUES)
    assert float(lookup(ca.DM(0.7), spline.x, spline.c)) == pytest.approx(float(spline(0.7)), rel=1e-14)


def test_at_a_break_the_chosen_coefficients_are_exact():
    f = function(ca.SX, CubicSpline(BREAKS, VALUES))
    assert [float(f(point)) for point in BREAKS[:-1]] == VALUES[:-1].tolist()


def test_a_periodic_curve_repeats():
    f = function(ca.SX, CubicSpline(BREAKS, VALUES, bc_type="periodic"), periodic=True)
    assert float(f(0.3 + 3 * 7)) == pytest.approx(float(f(0.3)), rel=1e-12)
    assert float(f(0.3 - 3 * 7)) == pytest.approx(float(f(0.3)), rel=1e-12)


def test_beyond_its_ends_a_curve_has_no_value():
    f = function(ca.SX, CubicSpline(BREAKS, VALUES))
    assert np.isnan([float(f(BREAKS[0] - 0.01)), float(f(BREAKS[-1] + 0.01))]).all()
    assert float(f(BREAKS[0] - 1e-12)) == pytest.approx(VALUES[0], rel=1e-9)
    assert float(f(BREAKS[-1] + 1e-12)) == pytest.approx(VALUES[-1], rel=1e-9)


def test_the_slope_at_both_ends_is_the_one_from_inside():
    spline = CubicSpline(BREAKS, VALUES)
    x = ca.SX.sym("x")
    slope = ca.Function("slope", [x], [ca.jacobian(lookup(x, spline.x, spline.c), x)])
    for end in (BREAKS[0], BREAKS[-1]):
        assert float(slope(end)) == pytest.approx(float(spline(end, 1)), rel=1e-13)


def test_a_single_piece_costs_no_choice():
    line = PPoly(np.array([[2.0], [1.0]]), np.array([0.0, 4.0]))
    assert float(function(ca.SX, line)(1.5)) == 4.0
    constant = PPoly(np.array([[2.0]]), np.array([0.0, 4.0]))
    assert float(function(ca.SX, constant)(1.5)) == 2.0
    assert function(ca.SX, line).n_instructions() < 15


def test_the_cost_grows_by_a_fixed_number_of_operations_a_piece():
    def count(pieces):
        knots = np.arange(pieces + 1.0)
        f = function(ca.SX, CubicSpline(knots, np.sin(knots)))
        return sum(f.instruction_id(k) != ca.OP_CONST for k in range(f.n_instructions()))

    assert (count(60) - count(20)) / 40 == 12
