"""Expressions are values: built by arithmetic, compared by structure, hashed and pickled."""

import ast
import copy
import pickle
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import multiloop.model.expressions as package
from multiloop import Expression, Parameter, position, rate, table, time
from multiloop.model.expressions import (
    Binary,
    Clip,
    Constant,
    Position,
    Rate,
    Step,
    Time,
    Unary,
    depends_on_state,
    depends_on_time,
    functions,
    joints_of,
    lift,
    parameters_of,
)

L2 = Parameter("L2", 0.3)


def test_arithmetic_takes_numbers_on_either_side():
    assert 2 * time + 1 == Binary("+", Binary("*", Constant(2), Time()), Constant(1))
    assert (1 - time) / L2 == Binary("/", Binary("-", Constant(1), time), L2)
    assert 2**time == Binary("**", Constant(2), time)
    assert time**2 == Binary("**", time, Constant(2))
    assert 1 / time == Binary("/", Constant(1), time)
    assert -time == Unary("negative", time)
    assert +time is time
    assert abs(time) == Unary("abs", time) == functions.abs(time)
    assert -Constant(2) == Constant(-2)


@pytest.mark.parametrize("number", [np.float64(2), np.int64(2), np.float32(2), Fraction(4, 2), 2])
def test_every_kind_of_number_becomes_the_same_constant(number):
    assert number * time == time.__rmul__(2.0) == Binary("*", Constant(2.0), time)
    assert type(lift(number).value) is float


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (functions.sin, np.sin),
        (functions.asin, np.arcsin),
        (functions.abs, np.abs),
        (functions.sqrt, np.sqrt),
        (functions.negative, np.negative),
    ],
)
def test_numpy_s_functions_of_expressions_are_ours(ours, theirs):
    assert theirs(time) == ours(time)


def test_numpy_s_functions_of_two_arguments_take_numbers_on_either_side():
    assert np.arctan2(1.0, time) == functions.atan2(1, time)
    assert np.maximum(time, 0) == functions.maximum(time, 0)
    assert np.float64(2) ** time == Binary("**", Constant(2), time)


def test_a_numpy_number_is_no_expression():
    assert not np.float64(2) == Constant(2)  # noqa: SIM201 (both operators are meant)
    assert np.float64(2) != Constant(2)


@pytest.mark.parametrize(
    ("build", "expected"),
    [
        (lambda: np.square(time), ()),
        (lambda: np.add.reduce(time), ()),
        (lambda: np.sin(time, out=np.zeros(1)), ("out=",)),
        (lambda: np.ones(2) * time, ()),
        (lambda: time + np.ones(2), ()),
    ],
)
def test_other_numpy_functions_are_refused_with_advice(build, expected, texts):
    with pytest.raises(TypeError) as caught:
        build()
    texts(caught.value, *expected)


def test_functions_build_nodes_of_expressions_and_floats_of_numbers():
    assert functions.sin(time) == Unary("sin", time)
    assert functions.atan2(1, time) == Binary("atan2", Constant(1), time)
    assert functions.clip(time, 0, L2) == Clip(time, Constant(0), L2)
    assert functions.step(time) == Step(time)
    assert functions.minimum(2, 3.0) == 2.0
    assert type(functions.sqrt(np.float64(4))) is float
    assert functions.clip(5, 0, 1) == 1.0


def test_equality_is_by_structure_and_agrees_with_the_hash():
    one, other = functions.sin(2 * time) + position("A"), functions.sin(2 * time) + position("A")
    assert one == other
    assert hash(one) == hash(other)
    assert len({one, other, rate("A"), position("A"), position("A", 1)}) == 4
    assert position("A") != rate("A")
    assert time != "time"
    assert Parameter("L2", 0.3) != Parameter("L2", 0.4)
    assert 2 * time != time * 2


def test_minus_zero_is_zero():
    assert str(Constant(-0.0)) == "0"


@pytest.mark.parametrize(
    "expression",
    [time, L2, rate("A", 2), functions.clip(time, 0, 1), table([0, 1], [2, 3], of=position("B")), -time],
)
def test_expressions_pickle_and_copy(expression):
    for twin in (pickle.loads(pickle.dumps(expression)), copy.deepcopy(expression), copy.copy(expression)):
        assert twin == expression
        assert hash(twin) == hash(expression)


def test_expressions_cannot_be_changed():
    with pytest.raises(AttributeError):
        L2.value = 0.4
    with pytest.raises((AttributeError, TypeError)):
        time.colour = "red"


def test_a_sum_of_many_terms_is_compared_and_hashed_without_recursion():
    def series() -> Expression:
        return sum((functions.sin(k * time) for k in range(1, 3000)), lift(0))

    assert series() == series()
    assert hash(series()) == hash(series())


def test_what_an_expression_depends_on():
    spring = L2 * (position("B") - Parameter("A0", 1.0)) + 3 * rate("A", 1)
    assert parameters_of(spring) == (Parameter("A0", 1.0), L2)
    assert joints_of(spring) == ("A", "B")
    assert depends_on_state(spring)
    assert not depends_on_time(spring)
    assert depends_on_time(table([0, 1], [0, 1], of=2 * time))
    for plain in (2.0, 3, Constant(2)):
        assert not depends_on_time(plain)
        assert not depends_on_state(plain)
        assert parameters_of(plain) == ()


@pytest.mark.parametrize(
    ("build", "kind", "message"),
    [
        (lambda: lift(np.nan), ValueError, ("nan",)),
        (lambda: time * np.inf, ValueError, ("inf",)),
        (lambda: lift(10**400), ValueError, ("inf",)),
        (lambda: lift("2"), TypeError, ("'2'",)),
        (lambda: lift(True), TypeError, ()),
        (lambda: Parameter("L2", np.nan), ValueError, ("'L2'", "nan")),
        (lambda: Parameter("", 1), ValueError, ('("L2", 0.3)',)),
        (lambda: Position(3), TypeError, ("3", '"A"')),
        (lambda: Rate("A", -1), ValueError, ("'A'", "-1", "0", "2")),
        (lambda: Unary("sine", time), ValueError, ("'sine'", "'sin'")),
        (lambda: Unary("step", time), ValueError, ("'step'", "'exp'")),
        (lambda: functions.sin(time, 2), TypeError, ("1", "2")),
        (lambda: functions.sqrt(-1), ValueError, ("-1",)),
    ],
)
def test_what_is_wrong_is_refused_with_a_remedy(build, kind, message, texts):
    with pytest.raises(kind) as caught:
        build()
    texts(caught.value, *message)


def test_arithmetic_with_other_things_is_python_s_type_error():
    for other in ("a", None, [1.0, 2.0]):
        with pytest.raises(TypeError, match="unsupported operand"):  # Python's own words
            time + other
        with pytest.raises(TypeError):
            other * time


def test_heavy_libraries_are_imported_only_when_needed():
    for file in Path(package.__file__).parent.glob("*.py"):
        imported = [
            node for node in ast.parse(file.read_text()).body if isinstance(node, ast.Import | ast.ImportFrom)
        ]
        names = {alias.name for node in imported for alias in node.names}
        names |= {node.module for node in imported if isinstance(node, ast.ImportFrom)}
        assert not {name.split(".")[0] for name in names} & {"casadi", "scipy", "pydantic"}, file.name
