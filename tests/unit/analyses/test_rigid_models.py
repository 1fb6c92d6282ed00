"""Control of flexible mechanisms by a controller with a different model: coordinates are matched by name."""

from __future__ import annotations

import numpy as np
import pytest
from texts import Texts
from zoo.plain import pinned_body

import multiloop as ml

KP, KD, SPEED = 100.0, 20.0, 4.712
STRIP = {"E": 70e9, "density": 2700.0, "section": ml.rectangle(0.02, 0.006), "damping": 0.01}
FOUR_BAR = ml.examples.four_bar()
BENDING = FOUR_BAR.with_body(ml.beam("coupler", length=0.9, modes=2, **STRIP))
RIGID = BENDING.with_body(BENDING.body("coupler").rigid())
LAW = ml.ComputedTorque(kp=KP, kd=KD, model=RIGID)


def needed(run: ml.Result, k: int) -> float:
    """The torque at A by inverse dynamics of the rigid four-bar, at the position of the plant's crank at instant k."""
    angle, rate = run["A"].position[k], run["A"].rate[k]
    wanted = KD * (SPEED - rate) + KP * (SPEED * run.time[k] - angle)
    drive = ml.Motion("A", angle + rate * ml.time + wanted / 2 * ml.time**2)
    return float(ml.inverse(RIGID.replace(drives=[drive]), t=[0.0])["A"].effort[0])


@pytest.mark.parametrize("cut", ["C", "B"])
def test_it_is_inverse_dynamics_of_the_rigid_twin(cut: str) -> None:
    """At the angle and rate of the crank, whichever joint is cut; 1e-8 is the accuracy of that angle."""
    run = ml.simulate(BENDING, control=LAW, until=0.3, samples=7, cuts=[cut])
    assert run.status == "ok"
    assert np.abs(run.errors["A"]).max() > 1e-4  # it differs from the plant
    assert [run["A"].effort[k] for k in (2, 6)] == pytest.approx([needed(run, k) for k in (2, 6)], abs=3e-8)


def test_by_every_kind_of_method_and_in_samples() -> None:
    """Embedding uses coordinates of the plant that the model does not have; a sample is held until the next."""
    asked = {"until": 0.1, "samples": 3, "rtol": 1e-11}
    plain, embedded = (
        ml.simulate(BENDING, control=LAW, method=method, **asked) for method in ("sslm", "embedding")
    )
    assert embedded["A"].effort == pytest.approx(plain["A"].effort, abs=1e-7)
    held = ml.simulate(BENDING, control=LAW, sample=0.05, **asked)
    assert held["A"].effort[1] == pytest.approx(needed(held, 1), abs=3e-8)


def test_an_arm_against_its_textbook() -> None:
    """A tree has no loops to close: τ = J (φ̈_d + K_p e + K_d ė) + m g (L/2) cos φ, by hand."""
    beam = ml.beam("arm", length=1.0, frame="a", modes=3, **STRIP)
    swing = ml.Motion("A", ml.motion_laws.cycloidal(0.0, 0.8, duration=0.4))
    arm = pinned_body(beam, drives=[swing])
    twin, m = arm.with_body(beam.rigid()), 2700.0 * 0.02 * 0.006
    inertia = m / 3 + m * 0.006**2 / 12  # the inertia of a rod, with that of its sections
    run = ml.simulate(arm, control=ml.ComputedTorque(kp=KP, kd=KD, model=twin), until=0.4, samples=9)
    want = ml.inverse(twin, t=run.time)["A"]
    e, e_rate = want.position - run["A"].position, want.rate - run["A"].rate
    w = want.acceleration + KP * e + KD * e_rate
    by_hand = inertia * w + m * 9.81 / 2 * np.cos(run["A"].position)
    assert run["A"].effort == pytest.approx(by_hand, abs=1e-9)
    assert np.abs(e).max() > 1e-4
    gravity = ml.PD(kp=60.0, kd=6.0, feed_forward="gravity", model=twin)
    run = ml.simulate(arm, control=gravity, until=0.2, samples=5)
    want = ml.inverse(twin, t=run.time)["A"]
    by_hand = 60 * (want.position - run["A"].position) + 6 * (want.rate - run["A"].rate)
    by_hand += m * 9.81 / 2 * np.cos(run["A"].position)
    assert run["A"].effort == pytest.approx(by_hand, abs=1e-9)


def test_links_rigid_in_the_plant_are_undeformed_in_the_model() -> None:
    """A rigid plant with a flexible model, and links that are flexible in one of them alone."""
    asked = {"until": 0.1, "samples": 3}
    plain = ml.simulate(RIGID, control=LAW, **asked)["A"].effort
    bending = ml.ComputedTorque(kp=KP, kd=KD, model=BENDING)
    assert ml.simulate(RIGID, control=bending, **asked)["A"].effort.tolist() == plain.tolist()
    rocker = ml.beam("rocker", length=0.8, modes=2, **STRIP)
    other, twin = FOUR_BAR.with_body(rocker), FOUR_BAR.with_body(rocker.rigid())
    found, same = (
        ml.simulate(BENDING, control=ml.ComputedTorque(kp=KP, kd=KD, model=model), **asked)["A"].effort
        for model in (other, twin)
    )
    assert found.tolist() == same.tolist()
    assert np.abs(found).max() < 10.0


def test_a_model_with_the_modes_of_the_plant_uses_their_state() -> None:
    """With other numbers, and bodies in another order of joints and modes."""
    same = ml.ComputedTorque(kp=KP, kd=KD, model=BENDING)
    run = ml.simulate(BENDING, control=same, until=0.1, samples=3)
    assert np.abs(run.errors["A"]).max() < 1e-12


def test_other_modes_are_refused(texts: Texts) -> None:
    cantilever = FOUR_BAR.with_body(ml.beam("coupler", length=0.9, modes=2, frame="a", **STRIP))
    with pytest.raises(ml.SolveError) as refused:
        ml.simulate(BENDING, control=ml.ComputedTorque(kp=KP, kd=KD, model=cantilever), until=0.1)
    texts.fault(refused.value, "S03", "'coupler.eta'", "'s model has other modes of '", "'coupler'")


def test_an_overconstrained_model_is_refused(texts: Texts) -> None:
    """In space its parallel pins have three redundant constraints, which a coupler that deforms in all directions
    resolves."""
    space = FOUR_BAR.replace(planar=False, gravity=(0.0, -9.81, 0.0), guess={"coupler.b": (0.9, 0.8, 0.0)})
    shapes = {"y": 2, "z": 2, "x": 1, "twist": 1}
    bending = space.with_body(ml.beam("coupler", length=0.9, modes=shapes, basis="interface", **STRIP))
    rigid = bending.with_body(bending.body("coupler").rigid())
    with pytest.raises(ml.SolveError) as refused:
        ml.simulate(bending, control=ml.ComputedTorque(kp=KP, kd=KD, model=rigid), until=0.1)
    texts.fault(refused.value, "S03")
