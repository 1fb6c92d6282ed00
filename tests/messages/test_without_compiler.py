"""Without a C compiler, the warning and the errors name the unavailable features, and all others are available."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import numpy as np
import pytest
from texts import Texts
from unit.analyses.test_periodic import START, engine
from unit.kernels.test_compilers import forget_compilers
from zoo.plain import pinned_body

import multiloop as ml
from multiloop.kernels import compiler_available

TEXTS = "kernels"


@pytest.fixture(autouse=True)
def _no_compiler(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("CC", "none")
    forget_compilers()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
    forget_compilers()


def pendulum(*loads: ml.Load, drives: tuple[ml.Motion, ...] = ()) -> ml.Mechanism:
    """A mechanism for which no other test has built a kernel."""
    return pinned_body(
        ml.rod("p", length=1.234, mass=ml.Parameter("m", 1.0)),
        name="pendulum without a compiler",
        loads=loads,
        drives=drives,
    )


def test_the_warning_names_what_is_not_possible(texts: Texts) -> None:
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        assert not compiler_available()
    (warning,) = said
    texts(warning.message, "`periodic`", "`simulate`", "rk4", '`pip install "multiloop-dynamics[compiler]"`')


def hold(t: float, q: object, v: object) -> dict[str, float]:
    return {"A": 0.0}


SIMULATED = {
    "control": ({"control": hold}, ("control",)),
    "events": ({"events": {"top": ml.rate("A")}}, ("events",)),
    "both": ({"control": hold, "events": {"top": ml.rate("A")}}, ("control", "events")),
    "designs": ({"parameters": {"m": np.array([1.0, 2.0])}}, ("parameters",)),
    "rk4": ({"integrator": "rk4", "step": 1e-2}, ("rk4",)),
}


@pytest.mark.parametrize("what", SIMULATED)
def test_an_error_names_what_was_asked_for(what: str, texts: Texts) -> None:
    asked, needs = SIMULATED[what]
    with pytest.raises(ml.SolveError) as caught:
        ml.simulate(pendulum(), start={"A": 1.0}, until=0.1, **asked)
    texts.fault(caught.value, "S08", "simulate", *needs)


def test_an_error_names_the_load_that_needs_machine_code(texts: Texts) -> None:
    stopped = pendulum(ml.Stop("buffer", "A", low=-0.5, restitution=0.5))
    with pytest.raises(ml.SolveError) as caught:
        ml.simulate(stopped, start={"A": 1.0}, until=0.1)
    texts.fault(caught.value, "S08", "simulate", "load 'buffer'")
    with pytest.raises(ml.SolveError) as caught:
        ml.simulate(stopped, start={"A": 1.0}, until=0.1, events={"top": ml.rate("A")})
    texts.fault(caught.value, "S08", "simulate", "load 'buffer'", "events")


def test_shooting_needs_machine_code(texts: Texts) -> None:
    with pytest.raises(ml.SolveError) as caught:
        ml.periodic(engine(load=61.5), turn="O", mean_speed=100.0, **START)
    texts.fault(caught.value, "S08", "periodic")


def test_everything_else_is_possible() -> None:
    assert ml.simulate(pendulum(), start={"A": 1.0}, until=0.1).status == "ok"
    for integrator in ("rk45", "implicit", "gear"):
        run = ml.simulate(pendulum(), start={"A": 1.0}, until=0.1, integrator=integrator, rtol=1e-6)
        assert run.status == "ok"
    driven = pendulum(drives=(ml.Motion("A", ml.motion_laws.constant_speed(3.0)),))
    assert ml.inverse(driven, t=[0.0, 0.1]).status == "ok"
    assert set(ml.batch(driven, {"m": np.array([1.0, 2.0])}, t=[0.0, 1.0]).status) == {"ok"}
    assert ml.equilibrium(pendulum(), start={"A": -1.0}).state is not None
    assert ml.forward(pendulum(ml.Stop("buffer", "A", low=-0.5, restitution=0.5)), {"A": 1.0}).status == "ok"
