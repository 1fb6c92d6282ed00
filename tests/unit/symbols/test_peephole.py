"""Does the shortened operation list compute the same with fewer operations, and merge only equal expressions?"""

import math
import operator

import casadi as ca
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from tape_evaluation import evaluate_tape
from zoo.flexible import bending_four_bar_in_space, bending_rssr

import multiloop as ml
from multiloop.symbols import Tape, Traced
from multiloop.symbols.simplify.simplification import simplify_tape

x, y, z = (ca.SX.sym(name) for name in "xyz")
POINTS = [(0.3, -1.2, 0.8), (-0.7, 0.4, 2.1), (1.9, 2.2, -0.6)]


def judged(*outputs):
    """The shortened operation list of some expressions, checked to compute the same."""
    function = ca.Function("f", [x, y, z], [ca.vertcat(*outputs)])
    tape = simplify_tape(Tape.of(function))
    for point in POINTS:
        expected = function(*point).full()[:, 0]
        size = max(1.0, np.abs(expected).max())
        assert evaluate_tape(tape, point) == pytest.approx(expected, abs=1e-13 * size)
    return tape


@pytest.mark.parametrize(
    ("outputs", "operations"),
    [
        ([ca.cos(x) ** 2 + ca.sin(x) ** 2], 0),
        ([x - y, y - x], 2),  # the second is the negative of the first
        ([3 * (2 * x)], 1),
        ([-x + y], 1),
        ([-(x * y), z - x * y], 3),
        ([x * y + x * z], 2),
        ([x * y - z * x + x], 3),
        ([3 * x + 3 * y - 3 * z], 3),
        ([y * y, (x + y) * (x + y) - x * x - 2 * x * y], 1),
        ([ca.sin(-x) + ca.sin(x), ca.cos(-x) - ca.cos(x)], 0),
        ([(x * y) * z, x * (y * z), (z * y) * x], 2),
        ([x / z], 1),
        ([x / z, y / z, x * y / z], 5),  # one reciprocal and products
        ([x * (y / x) - y], 0),
        ([2.5 * (x + y), x + y, 5 * x + 5 * y], 3),
    ],
)
def test_identities_and_constants_cost_nothing(outputs, operations):
    assert judged(*outputs).total == operations


@pytest.mark.parametrize(
    "outputs",
    [
        [ca.sqrt(x * x), x],  # they agree where x is positive
        [ca.fabs(x), x],
        [x < 10, x < -10],  # the same at most points
        [ca.if_else(x > -5, x, y), x],
        [ca.floor(x / 100) + y, y],
        [1e-9 * x + y, y],
        [x + 1e-11 * y, x],
    ],
)
def test_what_only_looks_alike_is_kept_apart(outputs):
    function = ca.Function("f", [x, y, z], [ca.vertcat(*outputs)])
    tape = simplify_tape(Tape.of(function))
    places = [op.reads[0] for op in tape.operations if op.name == "output"]
    assert len(set(places)) == 2


def test_iterations_that_converge_are_not_equal():
    """Newton's steps to a root agree in all digits after a few; each is a different function all the same."""
    root, steps = x, []
    for _ in range(12):
        root = root - (root * root * root + root - y) / (3 * root * root + 1)
        steps.append(root)
    function = ca.Function("f", [x, y, z], [ca.vertcat(*steps)])
    tape = simplify_tape(Tape.of(function))
    assert len({op.reads[0] for op in tape.operations if op.name == "output"}) == len(steps)
    assert evaluate_tape(tape, (40.0, 2.0, 0.0)) == pytest.approx(function(40.0, 2.0, 0.0).full()[:, 0])


def test_values_near_simple_numbers_are_not_replaced():
    """Values that are near a simple number but differ from it are not changed."""
    tape = judged(0.1 * x, 0.30000000000000004 * y)
    assert {op.value for op in tape.operations if op.name == "const"} == {0.1, 0.30000000000000004}


def test_outputs_that_are_inputs_or_numbers_or_repeated():
    function = ca.Function("f", [x, y, z], [ca.vertcat(x, 0, x, 2.5, -x, -2.5)])
    tape = simplify_tape(Tape.of(function))
    assert evaluate_tape(tape, (3.0, 0.0, 0.0)) == [3.0, 0.0, 3.0, 2.5, -3.0, -2.5]
    assert tape.counts == {"neg": 1}


def test_registers_are_used_again():
    value = x
    for k in range(50):
        value = ca.sin(value) + (k + 2) * y
    tape = Traced("long", {"x": x, "y": y}, {"f": value}).tape()
    assert tape.registers <= 60  # constants have a register each


def expressions(depth):
    leaf = st.sampled_from([x, y, z, ca.SX(2.0), ca.SX(-0.5)])
    if depth == 0:
        return leaf
    inner = expressions(depth - 1)
    return st.one_of(
        leaf,
        st.tuples(st.sampled_from([operator.add, operator.sub, operator.mul]), inner, inner).map(
            lambda made: made[0](made[1], made[2])
        ),
        inner.map(operator.neg),
        inner.map(ca.sin),
        inner.map(ca.cos),
    )


@settings(max_examples=150, deadline=None)
@given(st.lists(expressions(5), min_size=1, max_size=4))
def test_random_expressions_keep_their_values(outputs):
    function = ca.Function("f", [x, y, z], [ca.vertcat(*outputs)])
    assert judged(*outputs).total <= Tape.of(function).total


def test_a_residue_of_round_off_is_not_taken_for_the_thing_itself():
    x = ca.SX.sym("x")
    traced = Traced(
        "residue", {"x": x}, {"y": ca.vertcat(ca.cos(x), 2.0**-61 * ca.cos(x), 2.0**-60 * ca.sin(x))}
    )
    tape = traced.tape()
    assert [op.value for op in tape.operations if op.name == "const"]  # the factors are still there


def test_reciprocals_of_reciprocals_and_their_multiples_are_written_out():
    x = ca.SX.sym("x")
    root = 2 * ca.sqrt(1.2 - x)
    traced = Traced(
        "roots", {"x": x}, {"y": ca.vertcat(2 * (-1 / root**2 * (1 / root)), 3 / root, 1 / x * (1 / root))}
    )
    tape = traced.tape()
    at = np.array([0.3])
    found: dict[int, float] = {}
    values = {
        "input": lambda op: at[op.reads[1]],
        "const": lambda op: op.value,
        "sub": lambda op: found[op.reads[0]] - found[op.reads[1]],
        "add": lambda op: found[op.reads[0]] + found[op.reads[1]],
        "mul": lambda op: found[op.reads[0]] * found[op.reads[1]],
        "div": lambda op: found[op.reads[0]] / found[op.reads[1]],
        "inv": lambda op: 1 / found[op.reads[0]],
        "neg": lambda op: -found[op.reads[0]],
        "sq": lambda op: found[op.reads[0]] ** 2,
        "twice": lambda op: 2 * found[op.reads[0]],
        "sqrt": lambda op: math.sqrt(found[op.reads[0]]),
    }
    answer = np.zeros(3)
    for op in tape.operations:
        if op.name == "output":
            answer[op.writes[1]] = found[op.reads[0]]
        else:
            found[op.writes[0]] = values[op.name](op)
    np.testing.assert_allclose(answer, traced(at)[0], rtol=1e-13)


def test_a_value_lost_beside_large_numbers_is_not_taken_for_zero():
    """Beside (2 + x²)²⁰⁴⁸ (2 + y²)²⁰⁴⁸ no digit of 7.85 remains at the sample points: formerly it was taken for 0."""
    large, other = 2 + x * x, 2 + y * y
    for _ in range(11):
        large, other = large * large, other * other
    left = large * (other + 7.85 / large) - large * other
    assert evaluate_tape(simplify_tape(Tape.of(ca.Function("f", [x, y, z], [left]))), (0.0, 0.0, 0.0)) == [
        7.85
    ]


@pytest.mark.parametrize("name", ["RSSR", "four-bar"])
def test_a_long_tape_in_space_computes_what_was_traced(name):
    """Its values overflow at the sample points, and formerly 2 was taken for 1.99945 from the rounded sums.

    In a four-bar of Revolutes in space 0 was taken for −7.85, where both were less than a unit of 10²².
    """
    machine = {"RSSR": bending_rssr, "four-bar": bending_four_bar_in_space}[name]()
    kernels = ml.compile(machine.without_drives(), target="interpreter")
    v, tau = np.random.default_rng(1).normal(size=(2, kernels.equations.skeleton.rates))
    traced = kernels.forward.recipe.traced
    given = {"q": kernels.q, "v": v, "tau": tau, **kernels.forward.defaults}
    found = evaluate_tape(traced.tape(), [given[name] for name in traced.inputs])
    assert found == pytest.approx(kernels.forward(kernels.q, v, tau), abs=1e-9 * np.abs(found).max())
