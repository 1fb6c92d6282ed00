"""Buffers at the ends of a strut's stroke, against a separate Stop and by hand."""

import numpy as np
import pytest

import multiloop as ml

SHORT, LONG, STIFF, MASS = 0.6, 0.9, 4e4, 20.0


def lift(loads=(), **given):
    """A load in a vertical guide above a strut."""
    return ml.Mechanism(
        "lift",
        planar=True,
        bodies=[ml.ground(up=ml.marker((0, 0), angle=np.pi / 2)), ml.Body("load", mass=MASS)],
        joints=[
            ml.Prismatic("guide", "ground.up", "load.origin"),
            ml.Strut("leg", "ground.origin", "load.com", length=(SHORT, LONG), **given),
        ],
        loads=loads,
        guess={"guide": 0.7},
    )


def test_it_comes_to_rest_on_its_buffer():
    run = ml.simulate(lift(stop_stiffness=STIFF, stop_damping=800.0), start={"guide": 0.62}, until=1.0)
    assert run["leg"].position[-1] == pytest.approx(SHORT - MASS * 9.81 / STIFF, rel=1e-6)
    assert run["leg/stops"].effort[-1] == pytest.approx(MASS * 9.81, rel=1e-6)
    assert run.energy_drift < 1e-8
    assert set(run.energy_balance().lost) == {"leg/stops"}


def test_it_is_a_stop_at_the_slide():
    own = lift(stop_stiffness=STIFF, stop_damping=300.0)
    described = lift([ml.Stop("ends", "leg", low=SHORT, high=LONG, stiffness=STIFF, damping=300.0)])
    runs = [
        ml.simulate(m, start={"guide": 0.85}, rates={"guide": 3.0}, until=0.3, samples=31)
        for m in (own, described)
    ]
    np.testing.assert_allclose(runs[0]["leg"].position, runs[1]["leg"].position, rtol=1e-12)
    np.testing.assert_allclose(runs[0]["leg/stops"].effort, runs[1]["ends"].effort, rtol=1e-10, atol=1e-7)
    assert runs[0]["leg/stops"].effort.min() < -100.0, "it ran against its long end"


@pytest.mark.parametrize("method", ["traditional", "system", "subsystem", "virtual_work"])
def test_inverse_dynamics_feel_it(method):
    driven = lift(stop_stiffness=STIFF).replace(
        drives=[ml.Motion("guide", 0.9 + 0.01 * ml.expr.sin(ml.time))]
    )
    t = np.array([0.3, 1.2, 2.0])
    found = ml.inverse(driven, t=t, method=method)
    a, beyond = -0.01 * np.sin(t), 0.01 * np.sin(t)
    np.testing.assert_allclose(found["guide"].effort, MASS * (a + 9.81) + STIFF * beyond, rtol=1e-10)


def test_lengths_beyond_the_stroke_are_still_reported(texts):
    found = ml.inverse(lift(stop_stiffness=STIFF).replace(drives=[ml.Motion("guide", 0.95)]), t=[0.0])
    texts.warnings(found, ("W64", "leg", "0.95 m", "0.9 m"))


def test_files():
    described = lift(stop_stiffness=ml.Parameter("k", STIFF), stop_damping=3.0)
    assert ml.from_text(ml.to_text(described)) == described
    assert set(described.parameters) == {"k"}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"stop_stiffness": -1.0}, ("[L06]", "'leg'", "-1.0")),
        ({"stop_stiffness": 1e4, "stop_damping": -2.0}, ("[L06]", "'leg'", "-2.0", "0.0")),
        ({"stop_damping": 2.0}, ("[L07]", "'leg'")),
    ],
)
def test_invalid_buffers_are_refused(given, expected, texts):
    with pytest.raises(ml.ModelError) as refused:
        lift(**given)
    texts(refused.value, "'lift'", *expected)
