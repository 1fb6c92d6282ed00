"""Many instances by the compiled evaluation of operation lists: the digits of the interpreter, for every operation and
number of instances."""

import casadi as ca
import numpy as np
import pytest

from multiloop.kernels import compiler_available
from multiloop.kernels.codegen.dialects import scalar_forms
from multiloop.kernels.runtime.runtime_library import OPERATION_NUMBERS, load_runtime
from multiloop.symbols import Traced
from multiloop.symbols.batched_evaluation import BatchFunction, StripInterpreter

pytestmark = pytest.mark.skipif(not compiler_available(), reason="the walker is C, and there is no compiler")

x, y = ca.SX.sym("x"), ca.SX.sym("y")
WRITTEN = {
    "add": x + y,
    "sub": x - y,
    "mul": x * y,
    "div": x / y,
    "neg": -x,
    "sq": x**2,
    "twice": 2 * x,
    "inv": 1 / x,
    "pow": x**y,
    "constpow": x**2.3,
    "fabs": ca.fabs(x),
    "sign": ca.sign(x),
    "lt": x < y,
    "le": x <= y,
    "eq": x == y,
    "ne": x != y,
    "not": ca.logic_not(x),
    "and": ca.logic_and(x, y),
    "or": ca.logic_or(x, y),
    "if_else_zero": ca.if_else(x, y, 0.0),
    "atan2": ca.atan2(x, y),
    "fmin": ca.fmin(x, y),
    "fmax": ca.fmax(x, y),
    "copysign": ca.copysign(x, y),
    "assign": x,
}
"""Operations that are no functions of one number; CasADi may replace `assign`."""


def both_ways(function: ca.Function, *given: np.ndarray) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Results of the interpreter and of the compiled evaluation."""
    load_runtime()
    walked = BatchFunction(function)
    count = max(map(len, given))
    answers = [[np.full((count, function.numel_out(k)), 7.0) for k in range(function.n_out())] for _ in "ab"]
    StripInterpreter(function)(given, answers[0])
    walked(given, answers[1])
    assert walked._faster[1] is not None
    return answers[0], answers[1]


@pytest.mark.parametrize("name", sorted(OPERATION_NUMBERS))
def test_every_operation_has_the_digits_of_the_interpreter(name):
    expression = WRITTEN[name] if name in WRITTEN else getattr(ca, name)(x)
    function = ca.Function("f", [x, y], [expression])
    given = np.concatenate([np.random.default_rng(3).normal(size=(70, 1)), [[0.0], [1.0], [-1.0]]])
    interpreted, walked = both_ways(function, given, given[::-1].copy())
    np.testing.assert_array_equal(interpreted[0], walked[0])


def test_the_table_of_operations_is_whole():
    assert {*WRITTEN, *(name for name in OPERATION_NUMBERS if hasattr(ca, name))} >= {*scalar_forms()}


@pytest.mark.parametrize("count", [2, 31, 32, 33, 64, 200])
def test_any_number_of_instances_matrices_and_what_all_share(count):
    q, A, p = ca.SX.sym("q", 3), ca.SX.sym("A", 3, 3), ca.SX.sym("p", 2)
    function = ca.Function("f", [q, A, p], [A @ q * p[0], ca.sin(q).T @ A + p[1]])
    draw = np.random.default_rng(count)
    given = [draw.normal(size=(count, 3)), draw.normal(size=(count, 9)), draw.normal(size=(1, 2))]
    interpreted, walked = both_ways(function, *given)
    for one, other in zip(interpreted, walked, strict=True):
        np.testing.assert_array_equal(one, other)


def test_what_the_table_does_not_know_is_left_to_the_interpreter():
    load_runtime()
    traced = Traced("f", {"x": x}, {"y": ca.erf(x)})
    (found,) = traced.evaluate_many(np.linspace(-1, 1, 40)[None])
    np.testing.assert_array_equal(found[:, 0], [float(ca.erf(value)) for value in np.linspace(-1, 1, 40)])
