"""Forty digits: functions against printed digits and against doubles, and the evaluation of a traced function."""

import math
from decimal import Decimal, localcontext

import casadi as ca
import numpy as np
import pytest

from multiloop.kernels.codegen.dialects import ARITHMETIC, scalar_dialect
from multiloop.symbols import Traced
from multiloop.symbols.decimals import CONTEXT, FUNCTIONS, DecimalFunction, as_decimals, sine_and_cosine

PRINTED = {  # Abramowitz and Stegun, table 1.1 and 4.1 continued; 1 rad
    "sin": "0.8414709848078965066525023216302989996226",
    "cos": "0.5403023058681397174009366074429766037323",
    "exp": "2.718281828459045235360287471352662497757",
    "atan": "0.7853981633974483096156608458198757210493",
}


@pytest.mark.parametrize(("name", "digits"), PRINTED.items())
def test_functions_of_one_have_their_printed_digits(name, digits):
    with localcontext(CONTEXT):
        assert abs(FUNCTIONS[name](Decimal(1)) - Decimal(digits)) < Decimal("2e-39")


DOUBLES = {
    "tan": math.tan, "asin": math.asin, "acos": math.acos, "sinh": math.sinh, "cosh": math.cosh, "tanh": math.tanh,
    "log": math.log, "sqrt": math.sqrt, "floor": math.floor, "ceil": math.ceil, "fabs": abs,
}  # fmt: skip


@pytest.mark.parametrize("name", DOUBLES)
def test_other_functions_agree_with_doubles(name):
    with localcontext(CONTEXT):
        for x in (0.3, 0.9999):
            assert float(FUNCTIONS[name](Decimal(x))) == pytest.approx(DOUBLES[name](x), rel=4e-16)


@pytest.mark.parametrize("x", [3.7, -2.0, 1e6, 1e9, -1e12])
def test_angles_of_many_turns_keep_their_digits(x):
    s, c = sine_and_cosine(Decimal(x))
    assert (float(s), float(c)) == pytest.approx((math.sin(x), math.cos(x)), abs=2e-16)
    with localcontext(CONTEXT):
        assert abs(s * s + c * c - 1) < Decimal("1e-38")


@pytest.mark.parametrize(("y", "x"), [(1.0, -1.0), (-1e-9, -2.0), (0.0, 3.0), (2.0, 0.0)])
def test_the_inverse_tangent_undoes_the_sine(y, x):
    with localcontext(CONTEXT):
        angle = FUNCTIONS["atan2"](Decimal(y), Decimal(x))
        s, c = sine_and_cosine(angle)
        assert abs(Decimal(y) * c - Decimal(x) * s) < Decimal("1e-38")
    assert float(angle) == pytest.approx(math.atan2(y, x), abs=1e-15)


def test_a_traced_function_is_evaluated_beyond_double_precision():
    """(1 + x)² − 1 − 2x is x², which doubles lose at x = 1e-12; matrices and named inputs keep their shapes."""
    x, A = ca.SX.sym("x"), ca.SX.sym("A", 2, 2)
    traced = Traced("f", {"x": x, "A": A}, {"y": (1 + x) * (1 + x) - 1 - 2 * x, "B": A.T * x})
    given = {"x": 1e-12, "A": np.array([[1.0, 2.0], [3.0, 4.0]])}
    y, B = DecimalFunction(traced)(**given)
    with localcontext(CONTEXT):
        assert abs(y[0] - Decimal(given["x"]) ** 2) < Decimal("1e-38")
    assert B.astype(float) == pytest.approx(traced(**given)[1], rel=1e-15)
    assert as_decimals([[0.1, Decimal(1)]]).shape == (1, 2)


def test_comparisons_and_branches():
    x = ca.SX.sym("x")
    traced = Traced("f", {"x": x}, {"y": ca.if_else(x < 0.5, ca.sign(x), ca.fmax(x, 2))})
    for value in (-3.0, 0.2, 1.0, 5.0):
        assert float(DecimalFunction(traced)(value)[0][0]) == traced(value)[0][0]


def test_every_operation_that_a_kernel_may_have_is_there():
    assert {*ARITHMETIC, *scalar_dialect().forms} <= {*FUNCTIONS}
