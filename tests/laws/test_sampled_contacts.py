"""A sampled control law is evaluated at its sampling instants only, also when contacts open, close and rebound."""

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
    """Positions at the sampling instants and times of impacts: parabolas between samples, and Newton's impact law."""
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
    # at the sampling instants, and once more for the names of its efforts
    assert len(called) <= round(SPAN / SAMPLE) + 2
    assert np.array(called) / SAMPLE == pytest.approx(np.round(np.array(called) / SAMPLE), abs=1e-6)


G = ml.marker((0, 0), angle=np.pi / 2)


def _block(load):
    """A block of 1 kg on a vertical slide under gravity."""
    return ml.Mechanism(
        "block",
        planar=True,
        bodies=[ml.ground(G=G, top=(0, 1.0)), ml.Body("block", mass=1.0, inertia=0.1, markers={"s": G})],
        joints=[ml.Prismatic("S", "ground.G", "block.s")],
        loads=[load],
    )


@pytest.mark.parametrize(
    ("load", "component"),
    [
        (ml.Contact("c", "block.origin", "ground.origin"), "normal"),
        (ml.Stop("c", "S", low=0.0, restitution=0.0), "effort"),
        (ml.Rope("c", "ground.top", "block.origin", length=1.0), "force"),
    ],
    ids=["contact", "stop", "rope"],
)
@pytest.mark.parametrize("samples", [31, 3])
@pytest.mark.parametrize("until", [0.2, 0.3])
def test_a_step_of_the_effort_at_a_sampling_instant_opens_the_contact_there(load, component, samples, until):
    """The block rests until a force of 20 N lifts it from t = 0.2 s on; no contact force pulls at that instant."""
    run = ml.simulate(
        _block(load),
        start={"S": 0.0},
        control=lambda t, positions, rates: {"S": 20.0 if t > 0.15 else 0.0},
        until=until,
        samples=samples if until == 0.2 else 10 * samples + 1,
        sample=0.1,
    )
    lifted = run.time > 0.2 - 1e-9
    force = getattr(run["c"], component)
    assert lifted.any()
    assert force[~lifted] == pytest.approx(9.81, rel=1e-9)
    assert (force[lifted] == 0).all()
    assert run["S"].acceleration[lifted] == pytest.approx(20 - 9.81, rel=1e-9)
    assert run.status == "ok"


def test_exact_friction_slides_from_the_sampling_instant_on_at_which_it_is_exceeded():
    """An effort of 5 N m against a limit of 2 N m: (5 − 2)/0.1 rad/s² at the sampling instant itself."""
    arm = _arm().replace(loads=[ml.Friction("f", "A", effort=2.0, stiction="exact")])
    run = ml.simulate(
        arm,
        start={"A": 0.0},
        control=lambda t, positions, rates: {"A": 5.0 if t > 0.15 else 1.0},
        until=0.3,
        samples=31,
        sample=0.1,
    )
    slides = run.time > 0.2 - 1e-9
    assert not run["f"].sticking[slides].any()
    assert run["f"].sticking[~slides].all()
    assert run["f"].effort[slides] == pytest.approx(-2.0, rel=1e-9)
    assert run["A"].acceleration[slides] == pytest.approx(3.0 / INERTIA, rel=1e-9)
    assert run.status == "ok"
