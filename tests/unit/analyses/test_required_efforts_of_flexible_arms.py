"""RequiredEfforts of flexible bodies are piecewise polynomials, as accurate as inverse dynamics itself."""

import numpy as np
import pytest

import multiloop as ml


def arms():
    """An arm of two flexible links, and the same with rigid links and a prescribed motion."""
    section = ml.rectangle(0.02, 0.006)
    links = [
        ml.beam(name, length=0.6, E=70e9, density=2700.0, section=section, modes=1, damping=0.05)
        for name in ("upper", "lower")
    ]
    given = {
        "planar": True,
        "joints": [ml.Revolute("A", "ground.origin", "upper.a"), ml.Revolute("B", "upper.b", "lower.a")],
    }
    program = [
        ml.Motion("A", ml.motion_laws.cycloidal(0.0, 1.0, duration=0.25)),
        ml.Motion("B", ml.motion_laws.cycloidal(0.0, -0.5, duration=0.2, begin=0.05)),
    ]
    flexible = ml.Mechanism("arm", bodies=[ml.ground(), *links], **given)
    led = ml.Mechanism("arm", bodies=[ml.ground(), *(one.rigid() for one in links)], drives=program, **given)
    return flexible, led


def test_the_curve_is_the_effort():
    _, led = arms()
    source = ml.RequiredEfforts(led)
    for name in ("A", "B"):
        curve = source.curve(name, 0.0, 0.3)
        times = np.random.default_rng(3).uniform(0.0, 0.3, 40)
        exact = np.array([source.effort(name, t) for t in times])
        found = np.array([curve(t) for t in times])
        np.testing.assert_allclose(found, exact, atol=1e-9 * np.abs(exact).max())
        assert set(curve.kinks) == {0.05, 0.25}
        assert source.curve(name, 0.0, 0.3) is curve


def test_a_run_takes_no_call_of_python(monkeypatch):
    """Formerly inverse dynamics at every evaluation took 1.5 s and more, where a table of the same efforts takes 0.01
    s."""
    flexible, led = arms()
    source = ml.RequiredEfforts(led)
    asked = {"start": {"A": 0.0, "B": 0.0}, "until": 0.3, "samples": 31, "rtol": 1e-8}
    calls = []
    monkeypatch.setattr(ml.RequiredEfforts, "effort", lambda *given: calls.append(1) or 0.0)
    run = ml.simulate(flexible, efforts={"A": source, "B": source}, **asked)
    assert not calls
    table = ml.inverse(led, t=np.linspace(0.0, 0.3, 1201))
    same = ml.simulate(flexible, efforts=table.efforts, **asked)
    assert run["A"].position[-1] == pytest.approx(same["A"].position[-1], abs=1e-9)
