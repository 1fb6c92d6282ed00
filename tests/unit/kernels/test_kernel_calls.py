"""A kernel returns the values of its traced function, for every form of the call."""

from __future__ import annotations

import pickle
import sys
from concurrent.futures import ThreadPoolExecutor

import casadi as ca
import numpy as np
import pytest
from texts import Texts

from multiloop.kernels import InterpretedKernel, Kernel, Recipe
from multiloop.kernels.codegen.c_source import LARGEST_FUNCTION
from multiloop.kernels.codegen.compiler import Compiler
from multiloop.symbols import Traced


def every_operation() -> Traced:
    """A function that uses every operation the printers know."""
    x, y, B = ca.SX.sym("x", 4), ca.SX.sym("y", 2), ca.SX.sym("B", 2, 3)
    a, b, c, d = (x[k] for k in range(4))
    smooth = ca.vertcat(
        ca.sin(a) + ca.cos(b),
        ca.tan(c) * ca.atan(d),
        ca.asin(a / 9) + ca.acos(b / 9),
        ca.sinh(a) - ca.cosh(b) / ca.tanh(c + 2),
        ca.exp(a) * ca.log(b + 9) + ca.sqrt(c + 9),
        ca.atan2(a, b) + (c + 9) ** 1.7 + d**2 + 1 / (a + 9) + 2 * b,
    )
    stepped = ca.vertcat(
        ca.floor(a) + ca.ceil(b),
        ca.fmin(a, b) + ca.fmax(c, d) + ca.fabs(a) + ca.copysign(b, c) + ca.sign(d),
        ca.if_else(a < b, c, d) + (a <= b) + (a == b) + (a != b),
        ca.logic_and(a > 0, b > 0) + ca.logic_or(a > 0, b > 0) + ca.logic_not(a > 0),
    )
    return Traced(
        "every_operation", {"x": x, "y": y, "B": B}, {"smooth": smooth, "stepped": stepped, "C": B * y[0] + 1}
    )


@pytest.fixture(scope="module")
def pair() -> tuple[Traced, Kernel]:
    traced = every_operation()
    return traced, Kernel(
        Recipe(lambda: traced), {"y": np.array([0.5, 2.0]), "B": np.arange(6.0).reshape(2, 3)}
    )


def test_machine_code_and_interpreter_agree_on_every_operation(pair: tuple[Traced, Kernel]) -> None:
    traced, kernel = pair
    rng = np.random.default_rng(1)
    for _ in range(20):
        x, y, B = rng.normal(size=4), rng.normal(size=2), rng.normal(size=(2, 3))
        for one, other in zip(traced(x, y, B), kernel(x, y, B), strict=True):
            np.testing.assert_allclose(other, one, rtol=1e-14, atol=1e-14)


@pytest.mark.parametrize("count", [1, 3, 8, 9, 101, 2051])
@pytest.mark.parametrize("threads", [1, 2])
def test_a_batch_is_many_single_calls_whole_vectors_or_not(
    pair: tuple[Traced, Kernel], count: int, threads: int
) -> None:
    _, kernel = pair
    rng = np.random.default_rng(count)
    x, B = rng.normal(size=(4, count)), rng.normal(size=(2, 3, count))
    smooth, stepped, C = kernel.batch(x, np.array([1.5, 0.0]), B, threads=threads)
    for t in range(count):
        one = kernel(x[:, t], np.array([1.5, 0.0]), B[..., t])
        for found, expected in zip((smooth[:, t], stepped[:, t], C[..., t]), one, strict=True):
            np.testing.assert_allclose(found, expected, rtol=1e-14, atol=1e-14)


def test_inputs_left_out_are_at_their_defaults_whatever_was_given_before(pair: tuple[Traced, Kernel]) -> None:
    _, kernel = pair
    x = np.ones(4)
    before = kernel(x)[2]
    np.testing.assert_allclose(before, np.arange(6.0).reshape(2, 3) * 0.5 + 1)
    assert not np.allclose(kernel(x, np.array([3.0, 0.0]))[2], before)
    assert not np.allclose(kernel(x, y=np.array([3.0, 0.0]))[2], before)
    np.testing.assert_array_equal(kernel(x)[2], before)


def test_out_is_filled_and_returned(pair: tuple[Traced, Kernel]) -> None:
    _, kernel = pair
    rooms = [np.zeros(6), np.zeros(4), np.zeros((2, 3))]
    assert kernel(np.ones(4), out=rooms) is rooms
    for room, expected in zip(rooms, kernel(np.ones(4)), strict=True):
        np.testing.assert_array_equal(room, expected)


@pytest.mark.parametrize("interpreted", [False, True])
@pytest.mark.parametrize("lying", ["in rows", "as answers lie", "apart"])
def test_out_of_a_batch_is_filled_wherever_it_lies(
    pair: tuple[Traced, Kernel], interpreted: bool, lying: str
) -> None:
    traced, kernel = pair
    asked = InterpretedKernel(Recipe(lambda: traced), kernel.defaults) if interpreted else kernel
    x = np.random.default_rng(3).normal(size=(4, 5))
    expected = asked.batch(x)
    out = {
        "in rows": np.zeros,
        "as answers lie": lambda shape: (
            np.zeros((shape[1], shape[0], *shape[2:])).swapaxes(0, 1) if len(shape) == 3 else np.zeros(shape)
        ),
        "apart": lambda shape: np.zeros((*shape[:-1], 9))[..., 2:7],
    }
    rooms = [out[lying](found.shape) for found in expected]
    assert asked.batch(x, out=rooms) is rooms
    for room, found in zip(rooms, expected, strict=True):
        np.testing.assert_array_equal(room, found)


@pytest.mark.parametrize("interpreted", [False, True])
def test_wrong_arguments_are_named(pair: tuple[Traced, Kernel], interpreted: bool, texts: Texts) -> None:
    traced, kernel = pair
    asked = InterpretedKernel(Recipe(lambda: traced), kernel.defaults) if interpreted else kernel
    with pytest.raises(ValueError) as caught:
        asked(np.ones(3))
    texts(caught.value, "'x'", "'every_operation'", "4", "3")
    for call, x in ((asked, np.ones(4)), (asked.batch, np.ones((4, 5)))):
        with pytest.raises(TypeError) as caught:
            call(x, z=1.0)
        texts(caught.value, "'z'")
        with pytest.raises(TypeError) as caught:
            call(x, 1.0, 1.0, 1.0)
        texts(caught.value, "4")
        with pytest.raises(TypeError) as caught:
            call(x, x=1.0)
        texts(caught.value, "'x'")
    with pytest.raises(ValueError) as caught:
        asked.batch(np.ones(4))
    texts(caught.value)
    for wrong in (
        np.zeros((3, 2, 5)),
        np.zeros((6, 5)),
        np.zeros((2, 3, 5), np.float32),
        np.ma.zeros((2, 3, 5)),
    ):
        with pytest.raises(ValueError) as caught:
            asked.batch(np.ones((4, 5)), out=[np.zeros((6, 5)), np.zeros((4, 5)), wrong])
        texts(caught.value, "(2, 3, 5)")
    for wrong in (
        np.zeros((3, 2)),
        np.zeros((4, 2, 3)),
        np.zeros((2, 3), np.float32),
        np.ma.zeros((2, 3)),
        [0.0],
    ):
        with pytest.raises(ValueError) as caught:
            asked(np.ones(4), out=[np.zeros(6), np.zeros(4), wrong])
        texts(caught.value, "(2, 3)")
    masked = np.ma.array(np.ones((4, 5)), mask=np.eye(4, 5))
    with pytest.raises(TypeError) as caught:
        asked.batch(masked)
    texts(caught.value, "'x'", "'every_operation'")


@pytest.mark.parametrize("interpreted", [False, True])
def test_the_only_answer_is_not_spread_over_a_larger_array(interpreted: bool, texts: Texts) -> None:
    x = ca.SX.sym("x", 3)
    recipe = Recipe(lambda: Traced("twice", {"x": x}, {"y": 2 * x}))
    asked = InterpretedKernel(recipe) if interpreted else Kernel(recipe)
    assert asked(np.ones(3), out=np.zeros(3)).tolist() == [2.0, 2.0, 2.0]
    for wrong in (np.zeros((2, 3)), np.zeros(4), np.zeros(3, np.float32), np.ma.zeros(3), [0.0] * 3):
        with pytest.raises(ValueError) as caught:
            asked(np.ones(3), out=wrong)
        texts(caught.value)


def test_an_array_that_cannot_be_written_to_is_refused(pair: tuple[Traced, Kernel], texts: Texts) -> None:
    _, kernel = pair
    shut = np.zeros((6, 5))
    shut.flags.writeable = False
    with pytest.raises(ValueError) as caught:
        kernel.batch(np.ones((4, 5)), out=[shut, np.zeros((4, 5)), np.zeros((2, 3, 5))])
    texts(caught.value)


def test_the_interpreter_is_called_alike(pair: tuple[Traced, Kernel]) -> None:
    traced, kernel = pair
    plain = InterpretedKernel(Recipe(lambda: traced), kernel.defaults)
    x = np.random.default_rng(3).normal(size=(4, 7))
    for one, other in zip(plain(x[:, 0]), kernel(x[:, 0]), strict=True):
        np.testing.assert_allclose(other, one, rtol=1e-14)
    for one, other in zip(plain.batch(x, y=np.ones(2)), kernel.batch(x, y=np.ones(2)), strict=True):
        np.testing.assert_allclose(other, one, rtol=1e-14)


@pytest.mark.slow
def test_a_long_tape_is_divided_and_stays_right() -> None:
    x = ca.SX.sym("x", 40)
    total, values = ca.SX(0), []
    for k in range(6000):
        total = ca.sin(x[k % 40] + 0.1 * total) + x[(7 * k) % 40] * total * 0.5
        if k % 500 == 0:
            values.append(total)
    traced = Traced("long", {"x": x}, {"values": ca.vertcat(*values, total)})
    kernel = Kernel(Recipe(lambda: traced))
    at = np.random.default_rng(5).normal(size=(40, 9))
    np.testing.assert_allclose(kernel(at[:, 0]), traced(at[:, 0])[0], rtol=1e-12)
    np.testing.assert_allclose(kernel.batch(at)[:, 4], traced(at[:, 4])[0], rtol=1e-12)
    assert kernel.operations > LARGEST_FUNCTION


def test_functions_that_differ_in_one_number_only_have_kernels_of_their_own() -> None:
    x = ca.SX.sym("x", 2)
    for number in (3.5, 4.5):
        traced = Traced("line", {"x": x}, {"y": x[0] * number + x[1]})
        np.testing.assert_array_equal(
            Kernel(Recipe(lambda traced=traced: traced))([2.0, 1.0]), 2 * number + 1
        )


def test_a_call_that_fails_leaves_nothing_behind(pair: tuple[Traced, Kernel]) -> None:
    _, kernel = pair
    before = kernel(np.ones(4))[2]
    with pytest.raises(ValueError, match="'B'"):
        kernel(np.ones(4), np.array([9.0, 9.0]), np.zeros(5))
    np.testing.assert_array_equal(kernel(np.ones(4))[2], before)


WRONG = {
    "turned": ((3, 2, 5), ("(2, 3, 5)", "(2, 3)", "(3, 2, 5)")),
    "too few": ((2, 2, 5), ("(2, 3, 5)", "(2, 3)", "(2, 2, 5)")),
    "too many": ((4, 3, 5), ("(2, 3, 5)", "(2, 3)", "(4, 3, 5)")),
    "turned for all": ((3, 2), ("(2, 3, 5)", "(2, 3)", "(3, 2)")),
    "too few for all": ((5,), ("(2, 3, 5)", "(2, 3)", "(5,)")),
}


@pytest.mark.parametrize("interpreted", [False, True])
@pytest.mark.parametrize("wrong", WRONG)
def test_a_matrix_of_another_shape_is_refused_in_a_batch(
    pair: tuple[Traced, Kernel], wrong: str, interpreted: bool, texts: Texts
) -> None:
    traced, kernel = pair
    asked = InterpretedKernel(Recipe(lambda: traced), kernel.defaults) if interpreted else kernel
    shape, expected = WRONG[wrong]
    with pytest.raises(ValueError) as caught:
        asked.batch(np.ones((4, 5)), B=np.ones(shape))
    texts(caught.value, "'B'", "'every_operation'", *expected)


@pytest.mark.parametrize("interpreted", [False, True])
def test_a_matrix_may_be_given_as_it_is_or_column_by_column_but_not_turned(
    pair: tuple[Traced, Kernel], interpreted: bool
) -> None:
    traced, kernel = pair
    asked = InterpretedKernel(Recipe(lambda: traced), kernel.defaults) if interpreted else kernel
    B, x = np.arange(6.0).reshape(2, 3) ** 2, np.ones(4)
    expected = asked(x, B=B)[2]
    np.testing.assert_array_equal(expected, B * 0.5 + 1)
    np.testing.assert_array_equal(asked(x, B=B.ravel(order="F"))[2], expected)
    np.testing.assert_array_equal(asked.batch(x[:, None], B=B.ravel(order="F"))[2][..., 0], expected)
    with pytest.raises(ValueError, match=r"'B' .*\(2, 3\).* \(3, 2\)"):
        asked(x, B=B.T)


NO_NUMBERS = {
    "none": ([1.0, None, 1.0, 1.0], ()),
    "nothing": (None, ()),
    "objects": (np.array([1.0, None, 1.0, 1.0], object), ()),
    "words": (["1", "2", "3", "4"], ("'1'",)),
    "complex": ([1j, 1.0, 1.0, 1.0], ("1",)),
    "ragged": ([[1.0], [1.0, 2.0]], ()),
}


@pytest.mark.parametrize("interpreted", [False, True])
def test_a_number_beyond_all_bounds_is_refused(
    pair: tuple[Traced, Kernel], interpreted: bool, texts: Texts
) -> None:
    traced, kernel = pair
    asked = InterpretedKernel(Recipe(lambda: traced), kernel.defaults) if interpreted else kernel
    for call in (asked, asked.batch):
        with pytest.raises(ValueError) as caught:
            call([10**400, 1, 1, 1])
        texts(caught.value, "'x'", "'every_operation'")


@pytest.mark.parametrize("interpreted", [False, True])
@pytest.mark.parametrize("given", NO_NUMBERS)
def test_values_that_are_not_numbers_are_refused(
    pair: tuple[Traced, Kernel], given: str, interpreted: bool, texts: Texts
) -> None:
    traced, kernel = pair
    asked = InterpretedKernel(Recipe(lambda: traced), kernel.defaults) if interpreted else kernel
    value, expected = NO_NUMBERS[given]
    before = asked(np.ones(4))
    for call in (asked, asked.batch):
        with pytest.raises(TypeError) as caught:
            call(value)
        texts(caught.value, "'x'", "'every_operation'", *expected)
    for one, other in zip(asked(np.ones(4)), before, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("interpreted", [False, True])
def test_one_kernel_serves_many_threads(pair: tuple[Traced, Kernel], interpreted: bool) -> None:
    """Each call has separate memory: threads that switch as often as possible cannot mix data."""
    traced, kernel = pair
    kernel = InterpretedKernel(Recipe(lambda: traced), kernel.defaults) if interpreted else kernel
    given = [(np.full(4, k + 0.1), np.full(2, k + 0.2), np.full((2, 3), k + 0.3)) for k in range(8)]
    expected = [kernel(*arguments) for arguments in given]

    def wrong(thread: int) -> int:
        answers = (kernel(*given[thread]) for _ in range(1000))
        same = (zip(answer, expected[thread], strict=True) for answer in answers)
        return sum(not all((a == b).all() for a, b in pairs) for pairs in same)

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as pool:
            assert list(pool.map(wrong, range(8))) == [0] * 8
    finally:
        sys.setswitchinterval(before)


def test_a_call_within_a_call_disturbs_nothing(pair: tuple[Traced, Kernel]) -> None:
    _, kernel = pair

    class Asking:
        """An array that calls the kernel before it is read."""

        def __array__(self, dtype=None, copy=None) -> np.ndarray:
            kernel(np.zeros(4), np.zeros(2))
            return np.array([1.5, 0.5])

    x = np.full(4, 0.3)
    for one, other in zip(kernel(x, Asking()), kernel(x, np.array([1.5, 0.5])), strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("interpreted", [False, True])
def test_a_kernel_is_unchanged_by_pickling(
    pair: tuple[Traced, Kernel], interpreted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    traced, kernel = pair
    sent = InterpretedKernel(Recipe(lambda: traced), kernel.defaults) if interpreted else kernel
    if not interpreted:  # its source is the same, and is therefore found in the cache
        monkeypatch.setattr(Compiler, "build", lambda *_, **__: pytest.fail("it is built again"))
    arrived = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(sent))))
    assert repr(arrived) == repr(sent)
    x = np.random.default_rng(1).normal(size=(4, 9))
    for one, other in zip(arrived(x[:, 0]), sent(x[:, 0]), strict=True):
        np.testing.assert_array_equal(one, other)
    for one, other in zip(arrived.batch(x), sent.batch(x), strict=True):
        np.testing.assert_array_equal(one, other)
