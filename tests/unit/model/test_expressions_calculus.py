"""Derivatives in time, checked by differences and by CasADi, and the times at which smoothness ends."""

import casadi as ca
import numpy as np
import pytest

from multiloop import Parameter, position, rate, table, time
from multiloop.model.expressions import (
    Constant,
    breakpoints,
    derivative,
    evaluate,
    functions,
    lift,
    parse,
    simplify,
    trace,
)

SMOOTH = [
    "2 * time + 1",
    "time ** 3 - time / (1 + time)",
    "2 ** time + time ** time",
    "sin(3 * time) * cos(time) + tan(time / 2)",
    "asin(time / 2) + acos(time / 3) + atan(time)",
    "atan2(sin(time), 2 + cos(3 * time))",
    "sinh(time) + cosh(2 * time) - tanh(time)",
    "exp(-time) * log(1 + time) + sqrt(1 + time)",
    "abs(time - 2) + sign(time) + step(time) + negative(2) * -time",
    "minimum(time ** 2, 2 * time) + maximum(time ** 2, 2 * time) * time",
    "clip(3 * time, time, 1 + time) + clip(time, 0.9 * time + 0.2, 2)",
    "parameter('L2', 0.3) * time ** parameter('n', 2)",
    "table([0, 0.3, 0.7, 1], [1, -2, 0.5, 3], of=time ** 2)",
    "table([0, 0.3, 0.7, 1], [1, -2, 0.5, 1], periodic=True, of=3 * time)",
    "table([0, 0.35, 0.75, 1], [1, -2, 0.5, 3], kind='linear')",
    "constant_speed(3, start=1) + cycloidal(0, 2, duration=0.9)",
]
# No corner of the expressions above falls on these.
TIMES = np.array([0.11, 0.32, 0.47, 0.58, 0.83])


@pytest.mark.parametrize("text", SMOOTH)
def test_first_and_second_derivative_agree_with_casadi(text):
    expression, t = parse(text), ca.SX.sym("t")
    traced = trace(expression, time=t)
    for order in (1, 2):
        expression, traced = derivative(expression), ca.jacobian(traced, t)
        reference = ca.Function("f", [t], [ca.densify(traced)]).map(len(TIMES))(TIMES)
        values = np.broadcast_to(evaluate(expression, time=TIMES), TIMES.shape)
        # The two sum the same terms in different orders.
        assert values == pytest.approx(np.array(reference).ravel(), rel=1e-11, abs=1e-11), order


@pytest.mark.parametrize("text", SMOOTH)
def test_derivatives_agree_with_differences(text):
    expression, h = parse(text), 1e-5
    difference = (evaluate(expression, time=TIMES + h) - evaluate(expression, time=TIMES - h)) / (2 * h)
    slope = np.broadcast_to(evaluate(derivative(expression), time=TIMES), TIMES.shape)
    # Central differences: h² times a third derivative of up to a thousand, and round-off over h.
    assert slope == pytest.approx(difference, rel=1e-6, abs=1e-6)


L2 = Parameter("L2", 0.3)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (2.5, Constant(0)),
        (L2, Constant(0)),
        (time, Constant(1)),
        (1 + 4.712 * time, Constant(4.712)),
        (L2 * time + 3, L2),
        (time**2, 2 * time),
        (time**3, 3 * time**2),
        (3 * functions.sin(2 * time), 6 * functions.cos(2 * time)),
        (functions.cos(time), -functions.sin(time)),
        (functions.sin(time) * 0, Constant(0)),
        (5 - time / 2, Constant(-0.5)),
        (functions.step(time), Constant(0)),
        (table([0, 1], [1, 2]), table([0, 1], [1, 2], derivative=1)),
        (table([0, 1], [1, 2], derivative=3), Constant(0)),
        (table([0, 1], [1, 2], kind="linear", derivative=1), Constant(0)),
    ],
)
def test_derivatives_are_as_simple_as_by_hand(expression, expected):
    assert derivative(expression) == expected


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (0 + time * 1 - 0, time),
        (time / 1 + 0 * L2, time),
        (0 - time, -time),
        (-(-1 * time), time),
        (2 * (time * 3), 6 * time),
        (time**0 + 1, Constant(2)),
        (time + -L2, time - L2),
        (lift(1) / 0, lift(1) / 0),  # not finite: left for evaluation to refuse
    ],
)
def test_simplification(expression, expected):
    assert simplify(expression) == expected


def test_derivatives_of_long_sums_stay_quick_and_right():
    series = sum((functions.sin(k * time) / k for k in range(1, 400)), lift(0))
    slope = derivative(derivative(series))
    expected = -sum(k * np.sin(k * 0.3) for k in range(1, 400))
    assert evaluate(slope, time=0.3) == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("part", [position("A"), rate("A")])
def test_the_state_has_no_derivative_in_the_language(part, texts):
    with pytest.raises(ValueError) as caught:
        derivative(2 * part + time)
    texts(caught.value, "2", part, f"`{part}`")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("sin(3 * time)", ()),
        ("step(time - 0.5) * position('A')", (0.5,)),
        ("clip(2 * time, 0, 1)", (0, 0.5)),
        ("cycloidal(0, 1, duration=0.7, begin=0.3)", (0.3, 1.0)),
        ("abs(time - 1) + sign(2 - time)", (1, 2)),
        ("minimum(time, 3 - time)", (1.5,)),
        ("step(time ** 2 - 1)", ()),
        ("step(position('A') - time)", ()),
        ("step(1)", ()),
        ("clip(time, parameter('low', 2), 5)", (2, 5)),
        ("table([0, 1, 2], [0, 1, 0], kind='linear')", (0, 1, 2)),
        ("table([0, 1, 2], [0, 1, 0], of=2 * time - 1)", (0.5, 1.5)),
        ("table([0, 1, 2], [0, 1, 0], derivative=2)", (0, 1, 2)),
        ("table([0, 1, 2], [0, 1, 0], periodic=True)", ()),
        ("table([0, 1, 2], [0, 1, 0], kind='linear', periodic=True)", (0, 1, 2)),
    ],
)
def test_breakpoints(text, expected):
    assert breakpoints(parse(text)) == pytest.approx(expected, abs=1e-12)


def test_breakpoints_of_numbers_windows_and_parameters():
    assert breakpoints(2.0) == ()
    saw = parse("table([0, 1, 3], [0, 1, 0], kind='linear', periodic=True, of=2 * time)")
    assert breakpoints(saw, between=(2.5, 5.5)) == pytest.approx((3, 3.5, 4.5, 5))
    ramp = functions.clip(time, 0, Parameter("end", 2))
    assert breakpoints(ramp, between=(1, 9)) == (2,)
    assert breakpoints(ramp, parameters={"end": 4}) == (0, 4)


def test_breakpoints_of_the_derivative_are_those_of_the_profile():
    profile = parse("cycloidal(0, 1, duration=0.7, begin=0.3)")
    assert breakpoints(derivative(profile)) == pytest.approx((0.3, 1.0))
