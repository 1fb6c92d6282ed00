"""Motions that are prescribed at one place and actuated at another: by the legs of a platform, or by another
actuator."""

from functools import cache

import numpy as np
import pytest
from zoo import ZOO

import multiloop as ml
from multiloop.dynamics.forward import METHODS

LEGS = [f"P{k}" for k in range(1, 7)]
TIMES = np.linspace(0.0, 0.6, 7)


@cache
def hexapod():
    """The zoo's platform along a path with orientation, its six legs unknown actuators."""
    sin, t = ml.expr.sin, ml.time
    mechanism, mass = ZOO["6-UPS"].build(), ml.Parameter("M", 10.0)
    platform = mechanism.body("platform")
    loaded = ml.Body("platform", mass=mass, inertia=platform.inertia, markers=dict(platform.markers))
    path = ml.Motion(
        "platform.origin",
        x=0.05 + 0.03 * sin(3 * t),
        y=-0.03 + 0.02 * sin(2 * t),
        z=0.62 + 0.02 * sin(4 * t),
        orientation=(0.1 + 0.05 * sin(2 * t), 0.05 + 0.05 * sin(3 * t), 0.15 + 0.1 * sin(t)),
    )
    bodies = [loaded if body.name == "platform" else body for body in mechanism.bodies]
    return mechanism.replace(bodies=bodies, drives=[path], actuators=[ml.Actuator(leg) for leg in LEGS])


def apart(found, expected):
    size = max(np.abs(expected[leg].effort).max() for leg in LEGS)
    return max(np.abs(found[leg].effort - expected[leg].effort).max() for leg in LEGS) / size


@pytest.mark.slow
def test_the_legs_of_a_hexapod_move_its_platform():
    run = ml.simulate(hexapod(), until=TIMES[-1], samples=TIMES)
    known = ml.inverse(hexapod(), t=TIMES)
    assert apart(run, known) < 1e-9
    assert run.constraint_violation.max() < 1e-12
    for joint in ("U1", "S3", "P6"):
        assert run[joint].force == pytest.approx(known[joint].force, abs=1e-9 * known[joint].load.max())
    assert run.body("platform")[:, :, 3] == pytest.approx(known.body("platform")[:, :, 3], abs=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_every_method_pushes_alike(method):
    mechanism = ZOO["3-RRR"].build()
    sin, t = ml.expr.sin, ml.time
    place = ml.inverse(mechanism, t=[0.0]).body("platform")[0]
    angle = float(np.arctan2(place[1, 0], place[0, 0]))
    path = {
        "x": place[0, 3] + 0.02 * sin(3 * t),
        "y": place[1, 3] + 0.01 * t,
        "angle": angle + 0.1 * sin(2 * t),
    }
    led = mechanism.replace(
        drives=[ml.Motion("platform.origin", **path)],
        actuators=[ml.Actuator(motion.of) for motion in mechanism.drives],
    )
    here, known = ml.forward(led, method=method, t=0.0), ml.inverse(led, t=[0.0])
    for motion in mechanism.drives:
        assert here[motion.of].effort[0] == pytest.approx(known[motion.of].effort[0], rel=1e-8), motion.of


@pytest.mark.slow
def test_many_designs_follow_the_path_too():
    masses = np.array([8.0, 12.0])
    designs = ml.batch(hexapod(), {"M": masses}, t=TIMES, keep="all")
    assert designs.ok.all()
    for k, mass in enumerate(masses):
        known = ml.inverse(hexapod().with_parameters(M=mass), t=TIMES)
        for leg in LEGS:
            assert designs.effort[leg][k] == pytest.approx(known[leg].effort, rel=1e-9, abs=1e-7)


def test_too_few_actuators_are_named(texts):
    fewer = hexapod().replace(actuators=[ml.Actuator(leg) for leg in LEGS[:5]])
    with pytest.raises(ml.SolveError) as caught:
        ml.forward(fewer)
    texts.fault(caught.value, "S05", "'platform.origin'", "6", "P1, P2, P3, P4, P5")


def two_cranks():
    """Two unconnected pendulums; the second has a prescribed motion, the first has the motor."""
    return ml.Mechanism(
        "two pendulums",
        planar=True,
        bodies=[
            ml.ground(A=(0, 0), B=(1, 0)),
            ml.rod("one", length=0.3, mass=1.0),
            ml.rod("two", length=0.4, mass=2.0),
        ],
        joints=[ml.Revolute("A", "ground.A", "one.a"), ml.Revolute("B", "ground.B", "two.a")],
        drives=[ml.Motion("B", ml.expr.sin(ml.time))],
        actuators=[ml.Actuator("A")],
    )


def test_actuators_that_cannot_produce_the_motion_are_named(texts):
    with pytest.raises(ml.SolveError, match="S05") as caught:
        ml.simulate(two_cranks(), until=0.1, start={"A": 0.0})
    texts.fault(caught.value, "S05", "'B'", "0 s")


def test_a_rocker_motion_is_produced_by_the_motor_at_the_crank():
    four_bar = ZOO["four-bar"].build()
    at = ml.inverse(four_bar, t=[0.3]).final
    path = at["D"].position + 0.2 * ml.expr.sin(3 * ml.time)
    led = four_bar.replace(drives=[ml.Motion("D", path)], actuators=[ml.Actuator("A")], guess=at.positions)
    run = ml.simulate(led, until=1.0, samples=11, rtol=1e-12)
    known = ml.inverse(led, t=run.time)
    assert run["A"].effort == pytest.approx(known["A"].effort, abs=1e-9 * np.abs(known["A"].effort).max())
    assert not run["D"].effort.any()
    assert run.energy_drift < 1e-9


def test_with_more_efforts_than_motions_the_least_are_taken():
    mechanism = ZOO["five-bar"].build()
    acted = mechanism.replace(actuators=[ml.Actuator(joint) for joint in "ABE"])
    run = ml.simulate(acted, until=0.1, samples=3)
    known = ml.inverse(acted, t=run.time)
    for joint in "ABE":
        assert run[joint].effort == pytest.approx(known[joint].effort, abs=1e-8), joint


def arm(elbow):
    """Two rods; the motor at the shoulder moves the elbow through inertia alone."""
    return ml.Mechanism(
        "arm",
        planar=True,
        bodies=[
            ml.ground(A=(0, 0)),
            ml.rod("upper", length=1.0, mass=1.0),
            ml.rod("fore", length=0.75, mass=2.0),
        ],
        joints=[ml.Revolute("A", "ground.A", "upper.a"), ml.Revolute("B", "upper.b", "fore.a")],
        drives=[ml.Motion("B", elbow + 0.5 * ml.time**2)],
        actuators=[ml.Actuator("A")],
    )


def test_an_elbow_motion_is_produced_by_the_shoulder_through_inertia():
    """The moment at the elbow vanishes: (l²/3 + l l₁/2 cos θ) ẍ_A + l²/3 ẍ_B = 0, without gravity."""
    free = arm(0.4).replace(gravity=(0, 0))
    found = ml.forward(free, {"A": 0.0})
    inertia, coupling = 0.75**2 / 3, 0.75 / 2 * np.cos(0.4)
    assert found["B"].acceleration[0] == pytest.approx(1.0, rel=1e-12)
    assert found["A"].acceleration[0] == pytest.approx(-inertia / (inertia + coupling), rel=1e-12)


def test_without_inertial_coupling_the_shoulder_cannot_move_the_elbow(texts):
    """l²/3 + l l₁/2 cos θ = 0 at θ = 120°."""
    with pytest.raises(ml.SolveError) as caught:
        ml.forward(arm(2 * np.pi / 3), {"A": 0.0})
    texts.fault(caught.value, "S05", "'B'")


def test_a_motor_at_a_joint_that_stands_still_is_refused(texts):
    """The rocker of a four-bar reverses twice per turn of the crank: no effort there moves the crank."""
    four_bar = ZOO["four-bar"].build()
    turn = ml.inverse(four_bar, t=np.linspace(0, 2 * np.pi / 3, 4001))
    back = int(np.argmin(np.abs(turn["D"].rate)))
    back = turn.time[back] - turn["D"].rate[back] / turn["D"].acceleration[back]
    pushed = four_bar.replace(actuators=[ml.Actuator("D")])
    with pytest.raises(ml.SolveError) as caught:
        ml.forward(pushed, t=float(back))
    texts.fault(caught.value, "S05")


def test_shared_efforts_are_reported(texts):
    shared = ZOO["four-bar"].build().replace(actuators=[ml.Actuator("A"), ml.Actuator("D")])
    run, now = ml.simulate(shared, until=0.1, samples=2), ml.forward(shared)
    assert run.rule == now.rule
    texts(run.rule, "Σ τ²")
    assert run["A"].effort[0] == pytest.approx(ml.inverse(shared, t=0.0)["A"].effort[0], rel=1e-9)
    assert not ml.simulate(ZOO["four-bar"].build(), until=0.1, samples=2).rule
