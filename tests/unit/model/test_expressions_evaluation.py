"""Values of expressions in numbers and in symbols, and the evaluation of tables."""

import casadi as ca
import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from multiloop import Parameter, position, rate, table, time
from multiloop.model.expressions import Constant, evaluate, functions, parse, trace
from multiloop.model.expressions.operations import OPERATIONS

L2 = Parameter("L2", 0.3)
TIMES = np.linspace(0.05, 0.95, 7)
EVERY_OPERATION = [
    *(f"{name}(time)" for name, entry in OPERATIONS.items() if name.isidentifier() and entry.arity == 1),
    *(f"time {name} (0.4 + time)" for name in OPERATIONS if not name.isidentifier()),
    "atan2(time, 0.3)",
    "minimum(time, 0.5)",
    "maximum(0.5, time)",
    "clip(time, 0.2, 0.7)",
    "table([0, 0.3, 0.5, 1], [1, -2, 0.5, 3])",
    "table([0, 0.3, 0.5, 1], [1, -2, 0.5, 3], kind='linear')",
    "table([0, 0.1, 0.3], [1, -2, 1], periodic=True)",
]


@pytest.mark.parametrize(
    ("text", "closed_form"),
    [
        ("2 * sin(3 * time) + 1", lambda t: 2 * np.sin(3 * t) + 1),
        ("(time - 0.5) ** 3 / exp(-time)", lambda t: (t - 0.5) ** 3 * np.exp(t)),
        ("step(time - 0.5) + sign(0.5 - time)", lambda t: np.where(t >= 0.5, 1, 0) + np.sign(0.5 - t)),
        ("clip(2 * time, 0.5, 1)", lambda t: np.clip(2 * t, 0.5, 1)),
        ("-abs(time - 0.5) ** 0.5", lambda t: -np.sqrt(np.abs(t - 0.5))),
        ("atan2(sin(time), cos(time))", lambda t: t),
        ("log(cosh(time) + sinh(time)) - tanh(time)", lambda t: t - np.tanh(t)),
    ],
)
def test_values_over_an_array_of_times(text, closed_form):
    assert evaluate(parse(text), time=TIMES) == pytest.approx(closed_form(TIMES), rel=1e-14, abs=1e-15)
    assert evaluate(parse(text), time=0.25) == pytest.approx(closed_form(0.25), rel=1e-14)


@pytest.mark.parametrize("text", EVERY_OPERATION)
def test_numbers_and_symbols_agree(text):
    expression, t = parse(text), ca.SX.sym("t")
    traced = ca.Function("f", [t], [trace(expression, time=t)])
    for instant in TIMES:
        number = evaluate(expression, time=instant)
        # One operation differs by the last digits of the two libraries only.
        assert float(trace(expression, time=ca.DM(instant))) == pytest.approx(number, rel=2e-15, abs=1e-15)
        assert float(traced(instant)) == pytest.approx(number, rel=2e-15, abs=1e-15)


def test_coordinates_are_asked_for_by_joint_and_component():
    expression = position("A", 1) * 2 + rate("B")
    reading = {("A", 1): np.array([1.0, 2.0]), ("B", 0): 0.5}

    def read(joint, component):
        return reading[joint, component]

    assert evaluate(expression, position=read, rate=read).tolist() == [2.5, 4.5]
    q, v = ca.SX.sym("q"), ca.SX.sym("v")
    traced = trace(expression, position=lambda *_: q, rate=lambda *_: v)
    assert float(ca.Function("f", [q, v], [traced])(2.0, 0.5)) == 4.5


def test_parameters_have_their_own_value_unless_overridden():
    assert evaluate(2 * L2) == 0.6
    assert evaluate(2 * L2, parameters={"L2": 1.0, "other": 9.0}) == 2.0
    assert evaluate(2 * L2, parameters={"L2": np.array([1, 2])}).tolist() == [2.0, 4.0]
    symbol = ca.SX.sym("L2")
    assert ca.depends_on(trace(2 * L2, parameters={"L2": symbol}), symbol)


def test_plain_numbers_come_back_untouched_and_constants_as_floats():
    number = 2
    assert evaluate(number) is number
    assert trace(number) is number
    for result in (
        evaluate(Constant(2) * 3, time=TIMES),
        trace(Constant(2) * 3),
        trace(functions.sin(L2) * 0),
    ):
        assert type(result) is float
    assert trace(table([0, 1], [0, 2], of=Constant(0.5))) == 1.0


def test_what_folds_to_zero_leaves_no_symbol():
    t = ca.SX.sym("t")
    assert trace((L2 - 0.3) * time, time=t).is_zero()


def test_equal_parts_are_traced_once():
    t = ca.SX.sym("t")
    once, twice = functions.sin(2 * time), parse("sin(2 * time) + sin(2 * time)")
    count = [ca.Function("f", [t], [trace(part, time=t)]).n_instructions() for part in (once, twice)]
    assert count[1] <= count[0] + 1


@pytest.mark.parametrize(
    ("expression", "given", "message"),
    [
        (2 * time, {}, ("`2 * time`", "time=")),
        (position("A") + time, {"time": 0.0}, ('`position("A") + time`', "'A'")),
        (2 * rate("A"), {}, ('`2 * rate("A")`', "'A'")),
        (
            1 + functions.sqrt(time - 2),
            {"time": np.array([3.0, 1.0])},
            ("`sqrt(time - 2)`", "`time - 2`", "-1"),
        ),
        (1 / time, {"time": 0.0}, ("`1 / time`", "`time`", "0")),
        (table([0, 2], [1, 2]), {"time": 2.3}, ("2.3", "0")),
    ],
)
def test_missing_and_undefined_values_are_reported(expression, given, message, texts):
    with pytest.raises(ValueError) as caught:
        evaluate(expression, **given)
    texts(caught.value, *message)


def test_nan_given_from_outside_is_passed_on():
    assert np.isnan(evaluate(2 * time, time=np.array([1.0, np.nan]))).tolist() == [False, True]


def test_infinite_parts_may_still_give_a_finite_value():
    assert evaluate(functions.atan(1 / time), time=0.0) == np.pi / 2


KNOTS, VALUES = [0.0, 0.3, 0.5, 1.1, 2.0], [1.0, -2.0, 0.5, 3.0, 1.0]


@pytest.mark.parametrize("derivative", [0, 1, 2, 3])
@pytest.mark.parametrize("periodic", [False, True])
def test_cubic_tables_are_scipy_s_splines(periodic, derivative):
    curve = table(KNOTS, VALUES, periodic=periodic, derivative=derivative)
    spline = CubicSpline(KNOTS, VALUES, bc_type="periodic" if periodic else "not-a-knot")
    times = np.linspace(0.005, 1.995, 200)  # the third derivative jumps at the knots
    assert evaluate(curve, time=times) == pytest.approx(spline(times, derivative), rel=1e-12, abs=1e-11)
    if periodic:
        assert evaluate(curve, time=times - 4) == pytest.approx(spline(times, derivative), rel=1e-9, abs=1e-9)


def test_linear_tables_and_two_point_tables():
    times = np.linspace(0, 2, 41)
    assert evaluate(table(KNOTS, VALUES, kind="linear"), time=times) == pytest.approx(
        np.interp(times, KNOTS, VALUES)
    )
    assert evaluate(table([0, 2], [1, 5]), time=times) == pytest.approx(1 + 2 * times)
    assert evaluate(table([0, 2], [1, 1], periodic=True), time=7.7) == 1.0


def test_round_off_beyond_the_end_is_forgiven(texts):
    curve = table(KNOTS, VALUES)
    assert evaluate(curve, time=2.0 + 1e-12) == pytest.approx(1.0)
    with pytest.raises(ValueError) as caught:
        trace(curve, time=ca.DM(-0.1))
    texts(caught.value, "-0.1", "2")


@pytest.mark.parametrize(
    ("times", "values", "options", "message"),
    [
        ([0, 1, 2], [1, 2], {}, ("3", "2")),
        ([0], [1], {}, ("1",)),
        ([0, 1, 1], [1, 2, 3], {}, ("2", "1")),
        ([0, 1], [1, np.nan], {}, ("1", "nan")),
        ([0, 1], [1, 2], {"kind": "quintic"}, ("'quintic'", "'cubic'", "'monotone'", "'linear'")),
        ([0, 1], [1, 2], {"kind": "linear", "derivative": 2}, ("2", "0", "1")),
        ([0, 1, 2], [0, 2, 6.3], {"periodic": True}, ("6.3", "0")),
    ],
)
def test_wrong_tables_are_refused(times, values, options, message, texts):
    with pytest.raises(ValueError) as caught:
        table(times, values, **options)
    texts(caught.value, *message)


def test_points_too_close_for_a_finite_slope_are_refused(texts):
    with pytest.raises(ValueError) as caught:
        evaluate(table([0, 1e-300, 1], [0, 1e10, 0], kind="linear"), time=0.5)
    texts(caught.value)


def test_tables_take_arrays(texts):
    assert table(np.array([0, 1]), np.array([2, 3])) == table([0, 1], [2, 3])
    with pytest.raises(TypeError) as caught:
        table(1, 2)
    texts(caught.value)
