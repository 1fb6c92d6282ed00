"""Many designs of flexible links: thickness, length and material are inputs, and all targets agree."""

from __future__ import annotations

import sys
from functools import cache
from typing import Any

import numpy as np
import pytest
from laws.formulation_cases import EPSILON, Case, case_at
from published.elastic.linkages import slider_crank
from texts import Texts
from unit.kernels.cuda_stand_in import COMPILER, stand_in
from unit.kernels.test_cuda_zoo import apart
from zoo.flexible import BENDING
from zoo.plain import clamped_body

import multiloop as ml
from multiloop.kernels import compiler_available
from multiloop.kernels.cuda.device import missing_gpu_reason

pytestmark = pytest.mark.skipif(not compiler_available(), reason="no C compiler")

MANY = 100_000
HEAVY = ("bending RSSR", "bending rod on a planet")
LANES = 11
"""One vector of eight, and three further states."""


@cache
def swept() -> ml.Mechanism:
    """A slider-crank whose rod has its thickness, length and stiffness as parameters."""
    h, length = ml.Parameter("thickness", 0.008), ml.Parameter("length", 0.30)
    rod = ml.beam(
        "rod",
        length=length,
        E=ml.Parameter("E", 2e11),
        density=7870.0,
        section=ml.rectangle(0.008, h),
        modes={"y": 2, "x": 1},
        markers={"middle": 0.5 * length},
        damping=0.01,
    )
    return slider_crank().with_body(rod)


@cache
def states(name: str) -> tuple[ml.Kernels, list[Case]]:
    """Interpreted kernels of a mechanism without drives, and states in motion, deformed by some tenths of a
    millimetre."""
    plain = ml.compile(BENDING[name].build().without_drives(), target="interpreter")
    rng, q = np.random.default_rng(4), plain.q.copy()
    for link in plain.equations.skeleton.links:
        q[link.eta] = 1e-4 * rng.normal(size=link.reduced.elastic)
    return plain, [case_at(plain.equations, q, seed, plain.plan) for seed in range(LANES)]


def allowed(case: Case) -> float:
    """1e-13 + 10 ε times the larger condition, of Ī and of the tree's inertia with all elastic coordinates."""
    of_tree = float(np.linalg.cond(case.col[:, None] * case.inertia * case.col))
    return 1e-13 + 10 * EPSILON * max(case.condition, of_tree)


def stacked(cases: list[Case]) -> list[np.ndarray]:
    """q, v and τ of all states, in columns."""
    return [np.column_stack([getattr(case, what) for case in cases]) for what in ("q", "v", "tau")]


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if name in HEAVY else ()) for name in BENDING]
)
def test_interpreter_scalar_and_vector_code_agree(name: str) -> None:
    plain, cases = states(name)
    compiled = ml.compile(plain.mechanism)
    given = stacked(cases)
    known, wide = (kernels.forward.batch(*given) for kernels in (plain, compiled))
    single = np.column_stack([compiled.forward(*(x[:, k].copy() for x in given)) for k in range(LANES)])
    assert apart(cases[0], wide, known) <= allowed(cases[0])
    assert apart(cases[0], single, known) <= allowed(cases[0])


@pytest.mark.slow
@pytest.mark.skipif(COMPILER is None, reason="no C++ compiler to run CUDA text with")
@pytest.mark.parametrize("name", BENDING)
def test_cuda_text_and_interpreter_agree(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plain, cases = states(name)
    monkeypatch.setitem(sys.modules, "cupy", stand_in())
    missing_gpu_reason.cache_clear()
    on_gpu = ml.compile(plain.mechanism, target="cuda")
    missing_gpu_reason.cache_clear()
    given = stacked(cases[:3])
    assert apart(cases[0], on_gpu.forward.batch(*given), plain.forward.batch(*given)) <= allowed(cases[0])


def test_a_hundred_thousand_thicknesses_in_one_call() -> None:
    """Every design has the accelerations that it has alone, where it is described with its own thickness."""
    kernels = ml.compile(swept().without_drives())
    names = kernels.equations.skeleton.parameter_names
    p = np.repeat(kernels.plan.assembly.p[:, None], MANY, axis=1)
    p[names.index("thickness")] = np.linspace(0.002, 0.02, MANY)
    v, tau = np.random.default_rng(6).normal(size=(2, kernels.equations.skeleton.rates))
    found = kernels.forward.batch(kernels.q, v, tau, p=p)
    assert found.shape == (len(v), MANY)
    assert np.isfinite(found).all()
    for k in (0, 31_415, MANY - 1):
        own = swept().without_drives().with_parameters(thickness=float(p[names.index("thickness"), k]))
        alone = ml.compile(own)
        assert alone.forward.library == kernels.forward.library  # no kernel is compiled again
        known = alone.forward(kernels.q, v, tau)
        assert np.abs(found[:, k] - known).max() <= 1e-13 * np.abs(known).max()


@pytest.mark.parametrize("integrator", ["dop853", "imex"])
def test_runs_of_many_designs_are_those_of_each(integrator: str) -> None:
    """Deflection, torque and stress, up to the error of a tolerance of 1e-9 over 0.02 s."""
    values = {"thickness": np.array([0.006, 0.009, 0.012]), "length": np.array([0.28, 0.30, 0.34])}
    how = {"until": 0.004, "samples": 5, "rtol": 1e-9, "integrator": integrator}
    runs = ml.simulate(swept(), parameters=values, **how)
    assert runs.ok.all()
    for k, found in enumerate(runs):
        design = {name: float(x[k]) for name, x in values.items()}
        alone = ml.simulate(swept(), parameters=design, **how)
        pairs = [
            (found.link("rod").eta, alone.link("rod").eta),
            (found["A"].effort, alone["A"].effort),
            (found.link("rod").stress(0.1), alone.link("rod").stress(0.1)),
        ]
        for one, other in pairs:
            assert np.abs(one - other).max() <= 1e-6 * np.abs(other).max()


def test_links_that_start_bent_are_put_together_one_by_one() -> None:
    values = {"thickness": np.array([0.006, 0.012])}
    how = {"until": 1e-3, "samples": 3, "rtol": 1e-9, "start": {"rod.eta": (1e-3, 0.0, 0.0)}}
    runs = ml.simulate(swept(), parameters=values, **how)
    for k, found in enumerate(runs):
        alone = ml.simulate(swept(), parameters={"thickness": float(values["thickness"][k])}, **how)
        assert found.link("rod").eta[0] == pytest.approx([1e-3, 0.0, 0.0])
        assert found.link("rod").eta == pytest.approx(alone.link("rod").eta, rel=1e-6, abs=1e-9)


def test_invalid_designs_have_their_own_status(texts: Texts) -> None:
    values = {"thickness": np.array([0.008, -0.008, 0.008]), "E": np.array([2e11, 2e11, 0.0])}
    runs = ml.simulate(swept(), parameters=values, until=1e-3, samples=2)
    assert (runs.status == "ok").tolist() == [True, False, False]
    texts("\n".join(runs.status))
    texts(runs.reason(2), "[M15]", "'rod'")


MOVES = {
    "a place": ({"length": 1.0, "markers": {"m": ml.Parameter("x", 0.3)}}, (0.3, 0.57, 1.0)),
    "a length": ({"length": ml.Parameter("x", 0.8), "markers": {"m": 0.4}}, (0.8, 0.5, 1.1)),
}


def pushed(bends: dict[str, Any], x: float | None = None) -> ml.Mechanism:
    """A cantilever with bending and axial modes and a force at its marker m; x in place of the parameter."""

    def evaluated(value: object) -> object:
        return x if x is not None and isinstance(value, ml.Parameter) else value

    markers = {name: evaluated(place) for name, place in bends["markers"].items()}
    strip = {"E": 70e9, "density": 2700.0, "section": ml.rectangle(0.02, 0.01), "frame": "a"}
    bar = ml.beam("bar", length=evaluated(bends["length"]), modes={"y": 3, "x": 2}, markers=markers, **strip)
    return clamped_body(bar, loads=[ml.Force("push", "bar.m", (3.0, -5.0))])


@pytest.mark.parametrize("name", ["a place", pytest.param("a length", marks=pytest.mark.slow)])
def test_a_parameter_may_move_a_marker_along_a_beam(name: str) -> None:
    """Its accelerations, equilibria and linear models are those of the beam described with the value, on every
    target."""
    bends, values = MOVES[name]
    machine = pushed(bends)
    still = np.zeros(5)
    known = np.column_stack([ml.compile(pushed(bends, x)).forward(still, still, still) for x in values])
    for target in ("interpreter", "c"):
        found = ml.compile(machine, target=target).forward.batch(still, still, still, p=np.array([values]))
        assert np.abs(found - known).max() < 1e-11 * np.abs(known).max()
    branch = ml.equilibrium(machine, along={"x": (values[0], values[1])})
    anew = ml.equilibrium(pushed(bends, values[1]))
    assert branch[-1].result.marker("bar.b") == pytest.approx(anew.result.marker("bar.b"), rel=1e-9)
    step = 1e-5
    slope = ml.linearise(machine, inputs=["x"]).B[-5:, 0]
    at = ml.equilibrium(machine).result.link("bar").eta[0]
    more, less = (ml.compile(pushed(bends, values[0] + d)).forward(at, still, still) for d in (step, -step))
    assert slope == pytest.approx((more - less) / (2 * step), rel=1e-6, abs=1e-6 * np.abs(slope).max())


def test_runs_of_many_places() -> None:
    """Simultaneous runs equal single ones."""
    bends, values = MOVES["a place"]
    runs = ml.simulate(pushed(bends), until=5e-3, samples=3, parameters={"x": list(values)})
    for k, x in enumerate(values):
        one = ml.simulate(pushed(bends, x), until=5e-3, samples=3)
        assert runs[k]["wall"].load == pytest.approx(one["wall"].load, rel=1e-6)
