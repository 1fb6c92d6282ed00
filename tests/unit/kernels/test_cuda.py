"""CUDA source computes the traced function: it is run as C++, lane by lane, through the same calls."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path

import casadi as ca
import numpy as np
import pytest
from texts import Texts
from unit.kernels.cuda_stand_in import COMPILER, stand_in
from unit.kernels.test_kernel_calls import every_operation
from zoo import ZOO

import multiloop as ml
from multiloop.kernels import InterpretedKernel, Recipe
from multiloop.kernels.cuda.cuda_kernel import CudaKernel
from multiloop.kernels.cuda.device import missing_gpu_reason
from multiloop.symbols import Traced

ROOT = Path(__file__).parents[3]

pytestmark = pytest.mark.skipif(COMPILER is None, reason="no C++ compiler to run CUDA text with")


@pytest.fixture(autouse=True)
def cupy(monkeypatch: pytest.MonkeyPatch):
    """The replacement of CuPy, for every test of this file."""
    missing_gpu_reason.cache_clear()
    monkeypatch.setitem(sys.modules, "cupy", stand_in())
    yield
    missing_gpu_reason.cache_clear()


def same(found: tuple, expected: tuple) -> None:
    for one, other in zip(found, expected, strict=True):
        assert one.shape == other.shape
        np.testing.assert_allclose(one, other, rtol=1e-14, atol=1e-14)


@pytest.mark.parametrize("count", [1, 130])
def test_text_and_interpreter_agree_on_every_operation(count: int) -> None:
    recipe = Recipe(every_operation)
    defaults = {"y": np.array([0.5, 2.0])}
    kernel, plain = CudaKernel(recipe, defaults), InterpretedKernel(recipe, defaults)
    rng = np.random.default_rng(count)
    x, B = rng.normal(size=(4, count)), rng.normal(size=(2, 3, count))
    same(kernel.batch(x, B=B), plain.batch(x, B=B))
    same(kernel.batch(x, np.array([1.5, 0.0]), B[..., 0]), plain.batch(x, np.array([1.5, 0.0]), B[..., 0]))


def test_sines_cosines_and_reciprocals_are_right_to_the_last_digit() -> None:
    x = ca.SX.sym("x")
    kernel = CudaKernel(
        Recipe(lambda: Traced("turns", {"x": x}, {"y": ca.vertcat(ca.sin(x), ca.cos(x), 1 / x)}))
    )
    rng = np.random.default_rng(4)
    angle = rng.normal(size=(1, 4000)) * 10.0 ** rng.uniform(-6, 8, size=4000)
    sine, cosine, inverse = kernel.batch(angle)
    np.testing.assert_allclose(sine, np.sin(angle[0]), rtol=0, atol=2.3e-16)  # one unit of each
    np.testing.assert_allclose(cosine, np.cos(angle[0]), rtol=0, atol=2.3e-16)
    np.testing.assert_allclose(inverse, 1 / angle[0], rtol=2.3e-16)
    special = kernel.batch(np.array([[0.0, np.inf, np.nan]]))
    assert special[2, 0] == np.inf
    assert special[2, 1] == 0.0
    assert np.isnan(special[0, 1:]).all()
    assert np.isnan(special[2, 2])


def test_views_are_read_and_written_where_they_lie() -> None:
    x, y = ca.SX.sym("x", 3), ca.SX.sym("y", 2)
    kernel = CudaKernel(Recipe(lambda: Traced("views", {"x": x, "y": y}, {"z": x * y[0] + y[1]})))
    rng = np.random.default_rng(2)
    whole, pairs, room = rng.normal(size=(20, 3)), rng.normal(size=(2, 40)), np.zeros((3, 30))
    given = whole.T, pairs[::-1, 3:23]
    answer = kernel.batch(*given, out=room[:, 5:25])
    assert np.shares_memory(answer, room)
    np.testing.assert_allclose(room[:, 5:25], given[0] * given[1][0] + given[1][1], rtol=1e-15)
    assert not room[:, :5].any()
    assert not room[:, 25:].any()


def test_a_long_tape_is_divided_and_stays_right() -> None:
    x = ca.SX.sym("x", 5)
    total = ca.SX(0)
    for k in range(1500):
        total = ca.sin(x[k % 5] + 0.1 * total) + x[(3 * k) % 5] * total * 0.5
    traced = Traced("long", {"x": x}, {"total": total})
    kernel = CudaKernel(Recipe(lambda: traced))
    assert "ml_long_part1" in kernel.source
    at = np.random.default_rng(5).normal(size=(5, 3))
    np.testing.assert_allclose(kernel.batch(at)[0], [traced(x)[0][0] for x in at.T], rtol=1e-12)


def test_wrong_arguments_are_named(texts: Texts) -> None:
    kernel = CudaKernel(Recipe(every_operation))
    with pytest.raises(ValueError) as caught:
        kernel.batch(np.ones((3, 5)))
    texts(caught.value, "'x'", "'every_operation'", "(4, 5)", "(4,)", "(3, 5)")
    with pytest.raises(ValueError) as caught:
        kernel.batch(np.ones((4, 5)), B=np.ones((3, 2, 5)))
    texts(caught.value, "'B'", "(2, 3, 5)", "(3, 2, 5)")
    with pytest.raises(TypeError) as caught:
        kernel.batch(np.ones((4, 5)), y=[1.0, None])
    texts(caught.value, "'y'", "'every_operation'")
    with pytest.raises(TypeError) as caught:
        kernel.batch(np.ones((4, 5)), z=1.0)
    texts(caught.value, "'z'")
    with pytest.raises(ValueError) as caught:
        kernel.batch(np.ones((4, 5)), np.ones((2, 6)))
    texts(caught.value)
    with pytest.raises(ValueError) as caught:
        kernel.batch(np.ones((4, 5)), out=[np.zeros((6, 4)), np.zeros((4, 5)), np.zeros((6, 5))])
    texts(caught.value, "'smooth'", "(6, 5)")


def test_kernels_of_a_mechanism_accept_batches_only(texts: Texts) -> None:
    mechanism = ZOO["four-bar"].build().without_drives()
    kernels, plain = ml.compile(mechanism, target="cuda"), ml.compile(mechanism, target="interpreter")
    q = kernels.q[:, None] + np.random.default_rng(1).normal(size=(3, 9)) * 0.1
    v, tau = np.full((3, 1), 0.3) * np.arange(9), np.array([0.1, 0.0, 0.2])
    np.testing.assert_allclose(
        kernels.forward.batch(q, v, tau), plain.forward.batch(q, v, tau), rtol=1e-11, atol=1e-11
    )
    slope = [k.derivative("forward", "a", "q").batch(q, v, tau) for k in (kernels, plain)]
    np.testing.assert_allclose(*slope, rtol=1e-9, atol=1e-9 * np.abs(slope[1]).max())
    with pytest.raises(TypeError) as caught:
        kernels.forward(kernels.q, 0.0, 0.0)
    texts(caught.value, "`.batch`")


@pytest.mark.parametrize("module", [None, stand_in(devices=0)], ids=["no package", "no device"])
def test_without_a_gpu_the_remedy_is_named(
    monkeypatch: pytest.MonkeyPatch, module: object, texts: Texts
) -> None:
    monkeypatch.setitem(sys.modules, "cupy", module)
    with pytest.raises(ml.SolveError) as caught:
        ml.compile(ZOO["four-bar"].build(), target="cuda")
    texts.fault(caught.value, "S08", 'pip install "multiloop-dynamics[gpu]"')


def test_a_machine_with_a_gpu_needs_neither_casadi_nor_scipy() -> None:
    """The benchmark on a GPU runs where only NumPy and CuPy are installed; an empty module replaces CuPy here."""
    asked = "import sys; sys.modules.update(dict.fromkeys(['casadi', 'scipy', 'networkx'])); "
    asked += "sys.modules['cupy'] = type(sys)('cupy'); "
    asked += "from benchmarks.gpu.on_device import skip_package_interfaces; skip_package_interfaces(); "
    asked += "from benchmarks.gpu import agreement, speed"
    done = subprocess.run(
        [sys.executable, "-c", asked], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_a_kernel_is_unchanged_by_pickling() -> None:
    kernel = CudaKernel(Recipe(every_operation), {"y": np.array([0.5, 2.0]), "B": np.ones((2, 3))})
    arrived = pickle.loads(pickle.dumps(kernel))
    assert arrived.source == kernel.source
    x = np.random.default_rng(1).normal(size=(4, 9))
    same(arrived.batch(x), kernel.batch(x))
