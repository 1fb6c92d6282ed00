"""Fixed steps in CUDA, run as C++: the same motion as RK4 in the interpreter, on the loops, lane by lane."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from texts import Texts
from unit.kernels.cuda_stand_in import COMPILER, stand_in
from zoo import ZOO

import multiloop as ml
from multiloop.kernels.cuda.device import missing_gpu_reason
from multiloop.kernels.runtime import FINISHED, NOT_FINITE, OPEN

pytestmark = pytest.mark.skipif(COMPILER is None, reason="no C++ compiler to run CUDA text with")
STEP, STEPS = 2e-3, 20


@pytest.fixture(autouse=True)
def cupy(monkeypatch: pytest.MonkeyPatch):
    """The replacement of CuPy, for every test of this file."""
    missing_gpu_reason.cache_clear()
    monkeypatch.setitem(sys.modules, "cupy", stand_in())
    yield
    missing_gpu_reason.cache_clear()


def simulated(kernels: ml.Kernels, mechanism: ml.Mechanism, q: np.ndarray, v: np.ndarray) -> tuple:
    """q and v after the same steps of the time loop on the processor."""
    start = {name: tuple(one) for name, one in kernels.unpack(q).items()}
    rates = {name: tuple(one) for name, one in kernels.unpack(v, rates=True).items()}
    run = ml.simulate(
        mechanism, until=STEP * STEPS, start=start, rates=rates, integrator="rk4", step=STEP, samples=2
    )
    ends = [{name: getattr(run[name], what)[-1] for name in kernels.joints} for what in ("position", "rate")]
    return kernels.pack(ends[0]), kernels.pack(ends[1], rates=True)


def test_lanes_with_their_own_parameters_move_as_one_by_one() -> None:
    mechanism = ZOO["four-bar-parameters"].build().without_drives()
    kernels = ml.compile(mechanism, target="cuda")
    p = kernels.steps.defaults["p"][:, None] * np.array([[1.0, 1.05, 0.95]])
    v = kernels.pack({kernels.joints[0]: 3.0}, rates=True)
    begun = kernels.steps.project(np.repeat(kernels.q[:, None], 3, axis=1), v, p=p)
    assert not begun.status.any()
    ended = kernels.steps.advance(begun.q, begun.v, p=p, step=STEP, steps=STEPS)
    np.testing.assert_array_equal(ended.status, FINISHED)
    np.testing.assert_array_equal(ended.taken, STEPS)
    for lane in range(3):
        named = dict(zip(kernels.equations.skeleton.parameter_names, p[:, lane], strict=True))
        q, v = simulated(kernels, mechanism.with_parameters(named), begun.q[:, lane], begun.v[:, lane])
        np.testing.assert_allclose(ended.q[:, lane], q, rtol=1e-11, atol=1e-11)
        np.testing.assert_allclose(ended.v[:, lane], v, rtol=1e-10, atol=1e-10)


def test_balls_turn_and_loops_stay_closed() -> None:
    mechanism = ZOO["RSSR"].build().without_drives()
    kernels = ml.compile(mechanism, target="cuda")
    v = np.random.default_rng(3).normal(size=(kernels.equations.skeleton.rates, 2))
    begun = kernels.steps.project(kernels.q, v)
    projected, drifted = (
        kernels.steps.advance(begun.q, begun.v, step=STEP, steps=STEPS, project=project)
        for project in (True, False)
    )
    gap = [np.abs(kernels.closure.batch(end.q)).max() for end in (projected, drifted)]
    assert gap[0] < 1e-13 < gap[1]
    np.testing.assert_allclose(projected.q, drifted.q, atol=1e-5)  # the drift without projection
    q, v = simulated(kernels, mechanism, begun.q[:, 1], begun.v[:, 1])
    np.testing.assert_allclose(projected.q[:, 1], q, rtol=1e-10, atol=1e-11)
    np.testing.assert_allclose(projected.v[:, 1], v, rtol=1e-9, atol=1e-10)


def test_a_failed_lane_has_a_status_and_keeps_its_state() -> None:
    kernels = ml.compile(ZOO["four-bar-parameters"].build().without_drives(), target="cuda")
    names = kernels.equations.skeleton.parameter_names
    p = np.repeat(kernels.steps.defaults["p"][:, None], 3, axis=1)
    p[names.index("coupler length"), 1] = 9.0  # too long to be closed
    q = np.repeat(kernels.q[:, None], 3, axis=1)
    q[0, 2] = np.nan
    ended = kernels.steps.advance(q, 0.0, p=p, step=STEP, steps=5)
    np.testing.assert_array_equal(ended.status, [FINISHED, OPEN, NOT_FINITE])
    np.testing.assert_array_equal(ended.taken, [5, 0, 0])
    np.testing.assert_array_equal(ended.q[:, 1:], q[:, 1:])


def test_steps_are_refused_where_they_cannot_be_had(texts: Texts) -> None:
    with pytest.raises(ml.SolveError) as caught:
        _ = ml.compile(ZOO["bennett"].build().without_drives(), target="cuda").steps
    texts.fault(caught.value, "S08")
    with pytest.raises(ml.SolveError) as caught:
        _ = ml.compile(ZOO["four-bar"].build().without_drives(), target="c").steps
    texts.fault(caught.value, "S08", "target=", '"cuda"')
