"""Motors that give less the faster they turn, against the closed forms of a wheel that is spun up."""

import numpy as np
import pytest

import multiloop as ml

J = 0.2


def wheel(limit, effort=50.0):
    return ml.Mechanism(
        "wheel",
        planar=True,
        gravity=(0, 0),
        bodies=[ml.ground(), ml.Body("wheel", mass=1.0, inertia=J)],
        joints=[ml.Revolute("A", "ground.origin", "wheel.origin")],
        actuators=[ml.Actuator("A", effort=effort, limit=limit)],
    )


def spun(limit):
    return ml.simulate(wheel(limit), start={"A": 0.0}, until=2.0, outputs=21)


def test_a_motor_with_a_gearbox_runs_up_to_its_speed():
    """J q″ = n s (1 − n q′ / ω₀): q′ = ω₀/n (1 − exp(−n² s t / J ω₀))."""
    n, stall, no_load = 5.0, 0.3, 60.0
    run = spun(ml.motor_limit("A", stall=stall, no_load=no_load, ratio=n))
    expected = no_load / n * (1 - np.exp(-(n**2) * stall * run.time / (J * no_load)))
    assert run["A"].rate == pytest.approx(expected, abs=1e-8)


def test_power_bounds_it_from_a_speed_on():
    """8 N m up to the speed of 40 W, 5 rad/s; from then on J q′² / 2 grows by 40 W."""
    run = spun(ml.motor_limit("A", stall=8.0, power=40.0))
    corner = 5.0 * J / 8.0
    late = run.time > corner
    assert run["A"].rate[~late] == pytest.approx(8.0 / J * run.time[~late], abs=1e-9)
    expected = np.sqrt(25.0 + 2 * 40.0 / J * (run.time[late] - corner))
    assert run["A"].rate[late] == pytest.approx(expected, rel=1e-6)
    assert np.abs(run["A"].power).max() < 40.0 * (1 + 1e-12)


def test_inverse_tells_where_more_is_needed():
    driven = wheel(ml.motor_limit("A", stall=3.0, no_load=20.0), effort=None).replace(
        drives=[ml.Motion("A", 5.0 * ml.time**2)]
    )
    assert ml.inverse(driven, t=[0.0, 0.5]).status == "ok"
    assert ml.inverse(driven, t=[0.0, 0.9]).status == "A needs 2, its limit is 1.65 at t = 0.9 s"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"stall": 0.0}, "motor_limit of 'A': its stall is 0.0. Give one above zero."),
        (
            {"stall": 1.0, "power": ml.time},
            "motor_limit of 'A': its power changes. Give a number or a Parameter.",
        ),
    ],
)
def test_what_is_no_motor(given, message):
    with pytest.raises(ValueError) as refused:
        ml.motor_limit("A", **given)
    assert str(refused.value) == message
