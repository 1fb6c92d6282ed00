"""Loads with closed-form motions: oscillators, a pendulum under a torque, a force that begins at a given time."""

from math import pi, sqrt

import numpy as np
import pytest
from zoo.plain import clamped_body

import multiloop as ml

EXACT = {"rtol": 1e-12, "samples": 101}


def rail(*loads, masses=(1.3, 0.7)):
    """Blocks on one rail along x, without gravity along it."""
    return ml.Mechanism(
        "rail",
        planar=True,
        gravity=(0, 0),
        bodies=[
            ml.ground(O=(0, 0)),
            *(ml.Body(f"block{k}", mass=m, inertia=1.0) for k, m in enumerate(masses)),
        ],
        joints=[ml.Prismatic(f"x{k}", "ground.O", f"block{k}.origin") for k in range(len(masses))],
        loads=loads,
    )


@pytest.mark.parametrize("target", ["c", "interpreter"])
def test_two_masses_and_a_spring_swing_against_each_other(target):
    """Between two moving bodies: frequency √(k/μ), μ = m₁m₂/(m₁+m₂), while their mass centre moves uniformly."""
    m, n, k, free, gap = 1.3, 0.7, 90.0, 0.5, 0.62
    spring = ml.Spring("spring", "block0.origin", "block1.origin", stiffness=k, length=free)
    start, rates = {"x0": 0.1, "x1": 0.1 + gap}, {"x0": 0.2, "x1": 0.2}
    asked = {**EXACT, "rtol": 1e-14, "target": target}
    run = ml.simulate(rail(spring, masses=(m, n)), start=start, rates=rates, until=3.0, **asked)
    swing = (gap - free) * np.cos(sqrt(k * (m + n) / (m * n)) * run.time)
    # Ten times the effect of 3e-12 of a phase of 40 rad.
    assert run["spring"].length == pytest.approx(free + swing, abs=1e-11)
    assert run["spring"].force == pytest.approx(k * swing, abs=1e-9)
    assert run["spring"].energy == pytest.approx(k * swing**2 / 2, abs=1e-10)
    centre = (m * run["x0"].position + n * run["x1"].position) / (m + n)
    assert centre == pytest.approx(0.1 + n * gap / (m + n) + 0.2 * run.time, abs=1e-12)
    assert run.energy_drift < 5e-12  # round-off of a few thousand steps


def test_a_damped_oscillator():
    """x = x₀ e^(−δt) (cos ωt + δ/ω sin ωt), by a Spring and, along the joint, by a JointSpring."""
    m, k, c, free = 1.3, 60.0, 2.4, 0.4
    far = ml.ground(O=(0, 0), far=(-0.4, 0))
    block = rail(ml.JointSpring("along", "x0", stiffness=k, damping=c), masses=(m,))
    spring = ml.Spring("across", "ground.far", "block0.origin", stiffness=k, length=free, damping=c)
    d = c / (2 * m)
    w = sqrt(k / m - d * d)
    for mechanism in (block, block.replace(bodies=[far, *block.moving], loads=[spring])):
        run = ml.simulate(mechanism, start={"x0": 0.2}, until=2.0, **EXACT)
        t = run.time
        x = 0.2 * np.exp(-d * t) * (np.cos(w * t) + d / w * np.sin(w * t))
        assert run["x0"].position == pytest.approx(x, abs=1e-11)
        (load,) = run.loads.values()
        assert load.power == pytest.approx(-c * run["x0"].rate ** 2, abs=1e-10)
        assert run.work == pytest.approx(run.kinetic_energy + load.energy - k * 0.2**2 / 2, abs=1e-11)


def test_a_pendulum_balanced_by_a_torque_stands_still_and_turns_under_more():
    """Without gravity a torque turns it by τt²/2I; with gravity τ = m g l/2 cos θ holds it."""
    arm = ml.rod("arm", length=0.8, mass=1.5)
    parts = {"planar": True, "joints": [ml.Revolute("A", "ground.A", "arm.a")]}
    bodies = [ml.ground(A=(0, 0)), arm]
    torque = ml.Torque("motor", "arm", 0.6)
    free = ml.Mechanism("arm", gravity=(0, 0), bodies=bodies, loads=[torque], **parts)
    run = ml.simulate(free, start={"A": 0.3}, until=1.0, **EXACT)
    assert run["A"].position == pytest.approx(0.3 + 0.6 / (2 * 1.5 * 0.8**2 / 3) * run.time**2, abs=1e-12)
    assert run["motor"].power == pytest.approx(0.6 * run["A"].rate)
    holding = ml.Torque("motor", "arm", 1.5 * 9.81 * 0.4 * ml.expr.cos(ml.position("A")))
    held = ml.forward(ml.Mechanism("arm", bodies=bodies, loads=[holding], **parts), {"A": 0.3})
    assert held["A"].acceleration[0] == pytest.approx(0.0, abs=1e-13)
    assert held["A"].force[0] == pytest.approx([0.0, 1.5 * 9.81])


def test_a_spring_of_no_free_length_swings_through_its_anchor():
    """F = k L has a direction even where L is zero: a plane harmonic motion through the centre."""
    spring = ml.Spring("band", "ground.O", "block0.origin", stiffness=25.0, length=0.0)
    run = ml.simulate(rail(spring, masses=(1.0,)), start={"x0": 0.3}, until=2.0, **EXACT)
    assert run["x0"].position == pytest.approx(0.3 * np.cos(5 * run.time), abs=1e-11)
    at_rest = ml.forward(rail(spring, masses=(1.0,)), {"x0": 0.0})
    assert at_rest["x0"].acceleration[0] == 0.0


@pytest.mark.parametrize("options", [{}, {"target": "interpreter"}, {"integrator": "implicit"}])
def test_a_push_that_begins_and_ends_is_seen_in_full(options):
    """Steps end at its corners: v = F Δt / m to round-off, though it lasts a hundredth of the run."""
    push = 4.0 * (ml.expr.step(ml.time - 1.0) - ml.expr.step(ml.time - 1.02))
    mechanism = rail(ml.Force("push", "block0.origin", (push, 0.0)), masses=(2.0,))
    run = ml.simulate(mechanism, start={"x0": 0.0}, until=2.0, samples=[0.9, 1.5, 2.0], **options)
    assert run["x0"].rate == pytest.approx([0.0, 0.04, 0.04], abs=1e-12)
    assert run["push"].force[:, 0] == pytest.approx([0.0, 0.0, 0.0], abs=0)


def test_a_table_is_followed_and_must_reach_over_the_run(texts):
    table = ml.table([0.0, 1.0, 2.0], [0.0, 3.0, 0.0], kind="linear")
    mechanism = rail(ml.Force("push", "block0.origin", (table, 0.0)), masses=(2.0,))
    run = ml.simulate(mechanism, start={"x0": 0.0}, until=2.0, **EXACT)
    assert run["x0"].rate[-1] == pytest.approx(3.0 / 2.0, abs=1e-12)  # impulse 3 N s on 2 kg
    with pytest.raises(ml.SolveError) as caught:
        ml.simulate(mechanism, start={"x0": 0.0}, until=2.5)
    texts.fault(caught.value, "S03", "'push'")


def test_a_length_is_read_by_efforts_events_and_preloads():
    """A stop at a length, by an event; and a preload that cancels the stiffness, so that the block moves uniformly."""
    spring = ml.Spring("s", "ground.O", "block0.origin", stiffness=8.0, length=0.1)
    mechanism = rail(spring, masses=(1.0,))
    event = {"close": ml.length("s") - 0.2}
    run = ml.simulate(mechanism, start={"x0": 0.5}, until=2.0, events=event, stop="close")
    assert run.time[-1] == pytest.approx(np.arccos(0.25) / sqrt(8), abs=1e-10)
    free = ml.Spring(
        "s", "ground.O", "block0.origin", stiffness=8.0, length=0.1, preload=-8 * (ml.length("s") - 0.1)
    )
    drift = ml.simulate(rail(free, masses=(1.0,)), start={"x0": 0.5}, rates={"x0": 0.3}, until=1.0, **EXACT)
    assert drift["x0"].position[-1] == pytest.approx(0.8, abs=1e-12)
    undone = ml.forward(
        mechanism, {"x0": 0.5}, efforts={"x0": 8.0 * (ml.length("s") - 0.1) + ml.length_rate("s")}
    )
    assert undone["x0"].acceleration[0] == pytest.approx(0.0, abs=1e-14)


def test_many_designs_have_springs_of_their_own():
    """Frequencies √(k/m) of three stiffnesses, in one sweep; and the efforts for a given motion, in another."""
    k = ml.Parameter("k", 10.0)
    spring = ml.Spring("s", "ground.O", "block0.origin", stiffness=k, length=0.25)
    mechanism = rail(spring, masses=(1.0,))
    values = np.array([10.0, 40.0, 90.0])
    runs = ml.simulate(
        mechanism, start={"x0": 0.3}, until=1.0, parameters={"k": values}, samples=3, rtol=1e-12
    )
    for run, stiffness in zip(runs, values, strict=True):
        assert run["x0"].position[-1] == pytest.approx(0.25 + 0.05 * np.cos(sqrt(stiffness)), abs=1e-10)
        assert run["s"].energy[0] == pytest.approx(stiffness * 0.05**2 / 2)
    driven = mechanism.replace(drives=[ml.Motion("x0", 0.3 + 0.0 * ml.time)])
    held = ml.batch(driven, {"k": values}, t=[0.0, 1.0])
    assert held.peak_effort["x0"] == pytest.approx(values * 0.05, abs=1e-12)


def test_a_structure_under_a_load_that_changes_in_time():
    """No body moves; the support carries the force of each instant."""
    mast = clamped_body(
        ml.rod("mast", length=2.0, mass=1.0),
        "mast",
        joint="foot",
        gravity=(0, 0),
        loads=[ml.Force("wind", "mast.b", (0.0, 5.0 * ml.expr.sin(ml.time)))],
    )
    result = ml.inverse(mast, t=[0.0, pi / 2, pi])
    assert result["foot"].force[:, 1] == pytest.approx([0.0, -5.0, 0.0], abs=1e-14)
    assert result["foot"].moment == pytest.approx([0.0, -10.0, 0.0], abs=1e-14)
    assert result["wind"].force[:, 1] == pytest.approx([0.0, 5.0, 0.0], abs=1e-14)
