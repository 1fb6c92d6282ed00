"""A sampled control law is evaluated at its sampling instants only, also where contacts open, close and rebound."""

from __future__ import annotations

import numpy as np
import pytest
from zoo.plain import pinned_body

import multiloop as ml

SAMPLE, INERTIA, END, RESTITUTION, TARGET, KP, KD = 0.01, 0.1, 1.0, 0.5, 1.5, 4.0, 0.4
SPAN = 0.5
"""Seconds; two impacts on the stop occur in it, both between two sampling instants."""


def _arm() -> ml.Mechanism:
    return pinned_body(
        ml.Body("arm", mass=1.0, inertia=INERTIA),
        name="arm at a stop",
        gravity=(0, 0),
        loads=[ml.Stop("stop", "A", high=END, restitution=RESTITUTION)],
    )


def _by_hand(delay: int) -> tuple[list[float], list[float]]:
    """Positions at the sampling instants and times of impacts: parabolas between samples, and Newton's law."""
    q, v, efforts, positions, impacts = 0.0, 0.0, [], [0.0], []
    for k in range(round(SPAN / SAMPLE)):
        efforts.append(KP * (TARGET - q) - KD * v)
        a, left = efforts[max(0, k - delay)] / INERTIA, SAMPLE
        if q + v * left + a * left**2 / 2 > END:
            h = (-v + np.sqrt(v * v + 2 * a * (END - q))) / a
            q, v, left = END, -RESTITUTION * (v + a * h), left - h
            impacts.append((k + 1) * SAMPLE - left)
        q, v = q + v * left + a * left**2 / 2, v + a * left
        positions.append(q)
    return positions, impacts


@pytest.mark.parametrize("delay", [0, 1, 2])
@pytest.mark.parametrize("law", ["PD", "function"])
def test_an_impact_does_not_change_the_held_effort(law, delay):
    called = []

    def function(t, positions, rates):
        called.append(t)
        return {"A": KP * (TARGET - positions["A"]) - KD * rates["A"]}

    mechanism = _arm().replace(drives=[ml.Motion("A", TARGET)]) if law == "PD" else _arm()
    control = ml.PD(kp=KP, kd=KD) if law == "PD" else function
    run = ml.simulate(
        mechanism,
        control=control,
        sample=SAMPLE,
        delay=delay * SAMPLE,
        start={"A": 0.0},
        until=SPAN,
        samples=round(SPAN / SAMPLE) + 1,
        rtol=1e-10,
    )
    positions, impacts = _by_hand(delay)
    assert len(impacts) == 2
    assert [impact.time for impact in run.impacts] == pytest.approx(impacts, rel=1e-9)
    assert run["A"].position == pytest.approx(np.array(positions), abs=1e-9)  # of the same order as rtol
    # at the sampling instants, and once more when the names of its efforts are asked for
    assert len(called) <= round(SPAN / SAMPLE) + 2
    assert np.array(called) / SAMPLE == pytest.approx(np.round(np.array(called) / SAMPLE), abs=1e-6)
