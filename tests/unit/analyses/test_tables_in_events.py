"""Events may read tables of time, whether the loop evaluates them outside or inside its kernels."""

from __future__ import annotations

import numpy as np
import pytest
from zoo import ZOO

import multiloop as ml
from multiloop.model.expressions import evaluate


@pytest.mark.parametrize("integrator", ["dop853", "implicit"])
def test_an_event_finds_where_a_joint_meets_a_table(integrator: str) -> None:
    mechanism = ZOO["four-bar"].build()
    (crank,) = mechanism.drives
    knots = np.linspace(0.0, 1.0, 9)
    wave = ml.table(knots, 2.0 + np.sin(6.0 * knots))
    run = ml.simulate(
        mechanism,
        until=1.0,
        samples=5,
        integrator=integrator,
        rtol=1e-8,
        events={"meets": ml.position(crank.of) - wave},
    )
    assert run.events["meets"]
    for t in run.events["meets"]:
        assert evaluate(wave, time=t) == pytest.approx(evaluate(crank.profile, time=t), abs=1e-8)
