"""Without a C compiler, the warning and the errors name what is not possible, and everything else is possible."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import numpy as np
import pytest
from unit.kernels.test_compilers import forget_compilers
from unit.questions.test_periodic import START, engine

import multiloop as ml
from multiloop.kernels.compiler_search import compiler_found

REMEDY = '       Install gcc or clang, or `pip install "multiloop-dynamics[compiler]"`.'


@pytest.fixture(autouse=True)
def _no_compiler(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("CC", "none")
    forget_compilers()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
    forget_compilers()


def pendulum(*loads: ml.Load, drives: tuple[ml.Motion, ...] = ()) -> ml.Mechanism:
    """One that no other test has built a kernel for."""
    return ml.Mechanism(
        "pendulum without a compiler",
        planar=True,
        bodies=[ml.ground(A=(0, 0)), ml.rod("p", length=1.234, mass=ml.Parameter("m", 1.0))],
        joints=[ml.Revolute("A", "ground.A", "p.a")],
        loads=loads,
        drives=drives,
    )


def test_the_warning_names_what_is_not_possible() -> None:
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        assert not compiler_found()
    (warning,) = said
    assert str(warning.message) == (
        "no usable C compiler was found. Kernels are interpreted, some 30 times slower; `periodic`, and `simulate` "
        "with a control function, events, arrays of parameters, integrator rk4, impacts or exact stiction, raise "
        'an error. Install gcc or clang, or `pip install "multiloop-dynamics[compiler]"`.'
    )


def hold(t: float, q: object, v: object) -> dict[str, float]:
    return {"A": 0.0}


SIMULATED = {
    "control": ({"control": hold}, "the control function needs"),
    "events": ({"events": {"top": ml.rate("A")}}, "events need"),
    "both": ({"control": hold, "events": {"top": ml.rate("A")}}, "the control function and events need"),
    "designs": ({"parameters": {"m": np.array([1.0, 2.0])}}, "arrays of parameters need"),
    "rk4": ({"integrator": "rk4", "step": 1e-2}, "integrator rk4 needs"),
}


@pytest.mark.parametrize("what", SIMULATED)
def test_an_error_names_what_was_asked_for(what: str) -> None:
    asked, needs = SIMULATED[what]
    with pytest.raises(ml.SolveError) as caught:
        ml.simulate(pendulum(), start={"A": 1.0}, until=0.1, **asked)
    found = f"[S08] simulate: {needs} machine code, and no usable C compiler was found.\n{REMEDY}"
    assert found in str(caught.value)


def test_an_error_names_the_load_that_needs_machine_code() -> None:
    stopped = pendulum(ml.Stop("buffer", "A", low=-0.5, restitution=0.5))
    with pytest.raises(ml.SolveError) as caught:
        ml.simulate(stopped, start={"A": 1.0}, until=0.1)
    assert (
        "[S08] simulate: load 'buffer', which holds and lets go, needs machine code, and no usable C compiler was "
        f"found.\n{REMEDY}"
    ) in str(caught.value)
    with pytest.raises(
        ml.SolveError, match="load 'buffer', which holds and lets go, and events need machine code"
    ):
        ml.simulate(stopped, start={"A": 1.0}, until=0.1, events={"top": ml.rate("A")})


def test_shooting_needs_machine_code() -> None:
    with pytest.raises(ml.SolveError) as caught:
        ml.periodic(engine(load=61.5), turn="O", mean_speed=100.0, **START)
    found = "[S08] periodic: shooting needs machine code, and no usable C compiler was found."
    assert f"{found}\n{REMEDY}" in str(caught.value)


def test_everything_else_is_possible() -> None:
    assert ml.simulate(pendulum(), start={"A": 1.0}, until=0.1).status == "ok"
    for integrator in ("rk45", "implicit", "gear"):
        run = ml.simulate(pendulum(), start={"A": 1.0}, until=0.1, integrator=integrator, rtol=1e-6)
        assert run.status == "ok"
    driven = pendulum(drives=(ml.Motion("A", ml.constant_speed(3.0)),))
    assert ml.inverse(driven, t=[0.0, 0.1]).status == "ok"
    assert set(ml.batch(driven, {"m": np.array([1.0, 2.0])}, t=[0.0, 1.0]).status) == {"ok"}
    assert ml.equilibrium(pendulum(), start={"A": -1.0}).state is not None
    assert ml.forward(pendulum(ml.Stop("buffer", "A", low=-0.5, restitution=0.5)), {"A": 1.0}).status == "ok"
