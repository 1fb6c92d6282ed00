"""CUDA source of every test model, run as C++, against the interpreter; and the test models as files for a GPU."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np
import pytest
from laws.closed_positions import built
from laws.formulation_cases import EPSILON, NUMERIC, Case, case_at
from unit.kernels.cuda_stand_in import COMPILER, stand_in
from zoo import ZOO
from zoo.flexible import BENDING

import multiloop as ml
from multiloop.kernels.cuda.device import missing_gpu_reason

FOLDER = os.environ.get("MULTILOOP_ZOO", "")


def allowed(case: Case) -> float:
    """1e-13 + 10 ε cond(Ī); cond(I) with idle spins, whose inertia is almost zero."""
    condition = case.condition
    if case.plan is not None and case.plan.idle:
        condition = max(condition, float(np.linalg.cond(case.col[:, None] * case.inertia * case.col)))
    return 1e-13 + 10 * EPSILON * condition


def apart(case: Case, found: np.ndarray, expected: np.ndarray) -> float:
    """The largest difference of any lane, of its largest acceleration."""
    sizes = np.abs(expected / case.col[:, None]).max(axis=0)
    return float((np.abs((found - expected) / case.col[:, None]).max(axis=0) / sizes).max())


@pytest.mark.slow
@pytest.mark.skipif(COMPILER is None, reason="no C++ compiler to run CUDA text with")
@pytest.mark.parametrize("name", NUMERIC)
def test_text_and_interpreter_agree_on_the_zoo(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cupy", stand_in())
    missing_gpu_reason.cache_clear()
    mechanism = built(name).without_drives()
    on_gpu, plain = (ml.compile(mechanism, target=target) for target in ("cuda", "interpreter"))
    missing_gpu_reason.cache_clear()
    cases = [case_at(plain.equations, plain.q, seed, plain.plan) for seed in range(3)]
    state = [np.column_stack([getattr(case, what) for case in cases]) for what in ("q", "v", "tau")]
    assert apart(cases[0], on_gpu.forward.batch(*state), plain.forward.batch(*state)) <= allowed(cases[0])


@pytest.mark.skipif(not FOLDER, reason="MULTILOOP_ZOO does not name a folder to write the zoo to")
def test_the_zoo_is_written_to_files() -> None:
    """MULTILOOP_ZOO=build/gpu/zoo pytest tests/unit/kernels/test_cuda_zoo.py -m "not slow"."""
    folder = Path(FOLDER)
    folder.mkdir(parents=True, exist_ok=True)
    for name, entry in (ZOO | BENDING).items():
        ml.save(entry.build(), folder / f"{name}.yaml")
        assert ml.load(folder / f"{name}.yaml").fingerprint == entry.build().fingerprint


@pytest.mark.skipif(bool(missing_gpu_reason()), reason=f"no GPU: {missing_gpu_reason()}")
@pytest.mark.parametrize("name", ["four-bar", "3-RRR", "RSSR", "bennett"])
def test_the_gpu_and_the_interpreter_agree(name: str) -> None:
    mechanism = built(name).without_drives()
    on_gpu, plain = (ml.compile(mechanism, target=target) for target in ("cuda", "interpreter"))
    case = case_at(plain.equations, plain.q, 1, plain.plan)
    state = [getattr(case, what)[:, None] for what in ("q", "v", "tau")]
    assert apart(case, on_gpu.forward.batch(*state).get(), plain.forward.batch(*state)) <= allowed(case)
