"""A worm with tooth friction: torques, efficiency and self-locking in closed form, in every method."""

import numpy as np
import pytest
from laws import gearings

import multiloop as ml
from multiloop.dynamics.forward import METHODS

LEAD, ALPHA, STARTS, TEETH, APART = ml.deg(9.0), ml.deg(20.0), 2, 30, 0.1
WORM = APART / (1 + TEETH / STARTS * np.tan(LEAD))
WHEEL = APART - WORM
"""Pitch radii."""


def winch(mu, *, load=40.0, hand=1, drives=None, **changes):
    """A worm along x that turns a wheel about z, which is loaded by a torque."""
    given = {
        "bodies": [
            ml.ground(W=ml.marker((0, 0, 0), z=(1, 0, 0)), G=ml.marker((0, APART, 0), z=(0, 0, 1))),
            ml.Body("worm", mass=1.0, inertia=(2e-4, 2e-4, 3e-4)),
            ml.Body("wheel", mass=3.0, inertia=(1e-2, 1e-2, 2e-2)),
        ],
        "joints": [ml.Revolute("A", "ground.W", "worm.origin"), ml.Revolute("B", "ground.G", "wheel.origin")],
        "pairs": [
            ml.Worm(
                "mesh",
                "worm.origin",
                "wheel.origin",
                teeth=(STARTS, TEETH),
                lead_angle=hand * LEAD,
                pressure_angle=ALPHA,
            )
        ],
        "loads": [
            ml.Torque("load", "wheel", (0, 0, -load)),
            ml.ToothFriction("rub", "mesh", coefficient=mu, speed=1e-3),
        ],
        "drives": drives or [],
    }
    return ml.Mechanism("winch", gravity=(0, 0, 0), **(given | changes))


def worm_torque(mu, load, lifts):
    """F r tan(γ ± φ′) with tan φ′ = μ/cos α, F = load/R along the worm."""
    phi = np.arctan(mu / np.cos(ALPHA))
    return load / WHEEL * WORM * np.tan(LEAD + phi if lifts else LEAD - phi)


@pytest.mark.parametrize("hand", [1, -1])
@pytest.mark.parametrize("lifts", [True, False])
@pytest.mark.parametrize("mu", [0.0, 0.06, 0.2])
def test_the_torque_of_a_worm_is_that_of_a_screw_with_the_angle_of_friction(mu, lifts, hand):
    still = ml.inverse(winch(mu, hand=hand), state={"A": 0.0}, accelerations={"A": 0.0})
    way = np.sign(still["A"].effort[0]) * (1 if lifts else -1)  # under this torque the worm lifts the load
    turning = winch(mu, hand=hand, drives=[ml.Motion("A", way * 50.0 * ml.time)])
    result = ml.inverse(turning, t=[0.1])
    torque = result["A"].effort[0] * way * (1 if lifts else -1)
    assert torque == pytest.approx(worm_torque(mu, 40.0, lifts), rel=1e-11)
    if lifts and mu:
        given, gained = result["A"].effort[0] * result["A"].rate[0], 40.0 * result["B"].rate[0]
        phi = np.arctan(mu / np.cos(ALPHA))
        assert gained / given == pytest.approx(np.tan(LEAD) / np.tan(LEAD + phi), rel=1e-11)
        assert -result["rub"].power[0] == pytest.approx(given - gained, rel=1e-10)


@pytest.mark.parametrize("part", [0.97, 1.03])
def test_a_worm_locks_itself_where_friction_is_above_its_lead(part):
    """μ = cos α tan γ is the limit: below it the load turns the worm, above it it creeps below the creep speed."""
    mu = part * np.cos(ALPHA) * np.tan(LEAD)
    run = ml.simulate(winch(mu), start={"B": 0.0}, until=0.2, samples=6, integrator="implicit")
    # the speed of the friction law in m/s, below which teeth creep; creeping turns the wheel by less than 1e-3 rad
    assert (np.abs(run["rub"].sliding) < 1e-3).all() == (part > 1)
    assert (run["B"].position[-1] < -1e-3) == (part < 1)
    assert run.energy_drift < 1e-6


def test_all_methods_and_integrators_feel_the_teeth_alike():
    """On a swinging arm, the worm of the laws of gearings with friction; both wheels and the arm move."""
    mechanism = gearings.worm()
    rubbed = mechanism.replace(loads=[*mechanism.loads, ml.ToothFriction("rub", "mesh", coefficient=0.08)])
    start, rates = {"H": 0.2, "A": 0.0}, {"H": 1.0, "A": 2.0}
    found = [ml.forward(rubbed, start, rates=rates, method=method) for method in METHODS]
    for other in found[1:]:
        for joint in ("H", "A"):
            assert other[joint].acceleration == pytest.approx(found[0][joint].acceleration, rel=1e-8)
    assert ml.from_text(ml.to_text(rubbed)) == rubbed
    one = found[0]
    back = [
        ml.inverse(
            rubbed,
            state=start,
            rates=rates,
            accelerations={joint: one[joint].acceleration[0] for joint in ("H", "A")},
            method=method,
        )
        for method in ("traditional", "system", "subsystem", "virtual_work")
    ]
    for result in back:
        assert result["H"].effort[0] == pytest.approx(0.0, abs=1e-8)
        assert result["A"].effort[0] == pytest.approx(0.0, abs=1e-8)
    run = ml.simulate(rubbed, start=start, rates=rates, until=0.2, samples=5)
    assert run.energy_drift < 1e-8
    assert run["rub"].heat[-1] > 0


@pytest.mark.parametrize(
    ("load", "expected"),
    [
        (ml.ToothFriction("rub", "mesh"), ("[L08]", "'rub'", "coefficient=")),
        (ml.ToothFriction("rub", "mesh", coefficient=-0.1), ("[L06]", "'rub'", "-0.1")),
        (ml.ToothFriction("rub", "msh", coefficient=0.1), ("[L08]", "'rub'", "'msh'", "'mesh'")),
    ],
)
def test_what_cannot_be_is_refused(load, expected, texts):
    with pytest.raises(ml.ModelError) as caught:
        winch(0.1, loads=[load])
    texts(caught.value, *expected)


def test_teeth_that_roll_have_no_friction_of_this_kind(texts):
    with pytest.raises(ml.ModelError) as caught:
        gearings.planetary(loads=[ml.ToothFriction("rub", "sun mesh 0", coefficient=0.1)])
    texts.fault(caught.value, "L08")
