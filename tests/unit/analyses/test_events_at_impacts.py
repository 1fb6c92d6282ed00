"""Events of a run with impacts: a zero is recorded once, and so is a value that jumps through zero."""

from __future__ import annotations

import numpy as np
import pytest
from texts import Texts
from zoo.plain import free_body

import multiloop as ml

FALL, E = 1.0, 0.5
STRIKES = np.sqrt(2 * FALL / 9.81) * np.array([1.0, 1.0 + 2 * E])
"""When a ball dropped from 1 m strikes the floor for the first and the second time."""


def ball() -> ml.Mechanism:
    return free_body(
        ml.Body("ball", mass=1.3, inertia=0.1),
        "ball",
        joint="flies",
        planar=True,
        gravity=(0, -9.81),
        loads=[ml.Contact("floor", "ball.origin", "ground.origin", restitution=E)],
    )


def dropped(**asked: object) -> ml.Result:
    return ml.simulate(ball(), start={"flies": (0, FALL, 0)}, until=1.0, samples=11, **asked)


@pytest.mark.parametrize("integrator", ["dop853", "implicit"])
def test_the_zero_of_a_gap_is_recorded_once_an_impact(integrator: str) -> None:
    """Formerly it was recorded twice, before and after the rebound."""
    run = dropped(events={"gap": ml.position("flies", 1)}, integrator=integrator)
    assert run.events["gap"] == pytest.approx(STRIKES, abs=1e-9)
    assert run.events["gap"] == pytest.approx([impact.time for impact in run.impacts], abs=1e-14)


def test_a_rate_that_jumps_through_zero_is_an_event() -> None:
    """The rate changes sign at both impacts, and smoothly at the highest point between them."""
    run = dropped(events={"turns": ml.rate("flies", 1)})
    assert run.events["turns"] == pytest.approx([STRIKES[0], STRIKES.mean(), STRIKES[1]], abs=1e-9)


def test_a_jump_through_zero_ends_a_run(texts: Texts) -> None:
    """The rate exceeds 1 m/s by the first impact alone."""
    run = dropped(events={"fast": ml.rate("flies", 1) - 1.0}, stop="fast")
    assert run.time[-1] == pytest.approx(STRIKES[0], abs=1e-9)
    texts.warnings(run, ("W33", "fast"))
    assert run["flies"].rate[-1, 1] == pytest.approx(E * np.sqrt(2 * 9.81 * FALL), rel=1e-9)
