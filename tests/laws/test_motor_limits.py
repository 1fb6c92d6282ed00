"""Motors whose effort falls with their speed, and rotors behind gearboxes, against closed forms."""

from pathlib import Path

import numpy as np
import pytest
from zoo.plain import double_pendulum, pinned_body

import multiloop as ml
from multiloop.model.expressions import evaluate

J = 0.2


def wheel(limit, effort=50.0):
    return pinned_body(
        ml.Body("wheel", mass=1.0, inertia=J),
        name="wheel",
        gravity=(0, 0),
        actuators=[ml.Actuator("A", effort=effort, limit=limit)],
    )


def spun(limit):
    return ml.simulate(wheel(limit), start={"A": 0.0}, until=2.0, samples=21)


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


def test_inverse_reports_where_the_motor_limit_is_exceeded(texts):
    driven = wheel(ml.motor_limit("A", stall=3.0, no_load=20.0), effort=None).replace(
        drives=[ml.Motion("A", 5.0 * ml.time**2)]
    )
    assert ml.inverse(driven, t=[0.0, 0.5]).status == "ok"
    texts.warnings(ml.inverse(driven, t=[0.0, 0.9]), ("W50", "A", "2 N m", "1.65 N m", "0.9 s"))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"stall": 0.0}, ("'A'", "0.0")),
        ({"stall": 1.0, "power": ml.time}, ("'A'",)),
    ],
)
def test_invalid_motors_are_refused(given, message, texts):
    with pytest.raises(ValueError) as refused:
        ml.motor_limit("A", **given)
    texts(refused.value, *message)


@pytest.mark.parametrize("planar", [True, False])
def test_a_rotor_adds_its_inertia_times_the_ratio_squared(planar):
    inertia, gravity = (J, (0, 0)) if planar else ((J / 2, J / 2, J), (0, 0, 0))
    plain = wheel(None, effort=2.0).replace(
        planar=planar, gravity=gravity, bodies=[ml.ground(), ml.Body("wheel", mass=1.0, inertia=inertia)]
    )
    geared = ml.with_rotor(plain, "A", inertia=0.003, ratio=20.0)
    found = ml.forward(geared, {"A": 0.1})
    assert found["A"].acceleration[0] == pytest.approx(2.0 / (J + 20.0**2 * 0.003), abs=1e-13)
    assert ml.from_text(ml.to_text(geared)) == geared


def test_a_rotor_on_a_moving_link_turns_with_it_too():
    arm = double_pendulum(ml.rod("upper", length=0.5, mass=2.0), ml.rod("lower", length=0.4, mass=1.0))
    geared = ml.with_rotor(arm, "B", inertia=0.002, ratio=-30.0)
    start, rates = {"A": 0.3, "B": 0.7}, {"A": 1.5, "B": -2.0}
    energies = [ml.forward(m, start, rates=rates).kinetic_energy[0] for m in (arm, geared)]
    assert energies[1] - energies[0] == pytest.approx(0.002 / 2 * (1.5 - 30.0 * -2.0) ** 2, rel=1e-12)


def test_a_rotor_in_space_resists_being_turned_across_its_axis_by_half_its_inertia():
    """A thin disc: J/2 about every diameter, as the page states."""
    turn = ml.marker((0, 0, 0), z=(1, 0, 0))
    arm = ml.Mechanism(
        "arm",
        gravity=(0, 0, 0),
        bodies=[
            ml.ground(),
            ml.Body("carrier", mass=2.0, inertia=(0.02, 0.02, 0.02), markers={"b": turn}),
            ml.Body("tool", mass=1.0, inertia=(0.01, 0.01, 0.01)),
        ],
        joints=[
            ml.Revolute("A", "ground.origin", "carrier.origin"),
            ml.Revolute("B", "carrier.b", "tool.origin"),
        ],
    )
    geared = ml.with_rotor(arm, "B", inertia=0.006, ratio=10.0)
    start, rates = {"A": 0.0, "B": 0.0}, {"A": 3.0, "B": 0.0}
    energies = [ml.forward(m, start, rates=rates).kinetic_energy[0] for m in (arm, geared)]
    assert energies[1] - energies[0] == pytest.approx(0.006 / 2 / 2 * 3.0**2, rel=1e-12)
    page = Path(__file__).parents[2] / "docs" / "control.md"
    assert "J/2" in page.read_text(encoding="utf-8")
    assert "inertia/2" in (ml.with_rotor.__doc__ or "")


def test_invalid_rotors_are_refused(texts):
    with pytest.raises(ValueError) as caught:
        ml.with_rotor(wheel(1.0), "A", inertia=0.1, ratio=0)
    texts(caught.value, "'A'", "0")
    with pytest.raises(ValueError) as caught:
        ml.with_rotor(wheel(1.0), "A", inertia=-1, ratio=2)
    texts(caught.value, "'A'", "-1")


@pytest.mark.parametrize("slow", [1.0, 1e-12])
def test_the_power_limit_of_a_slow_motor_binds_as_that_of_a_fast_one(slow):
    """The same motor in units of time 1/slow: at ten times the speed at which stall takes all power, a tenth of it."""
    limit = ml.motor_limit("A", stall=2.0, power=2.0 * slow)
    low, high = ml.motor_envelope("A", stall=2.0, no_load=1e6 * slow, power=2.0 * slow)
    for expression, sign in ((limit, 1), (low, -1), (high, 1)):
        found = evaluate(expression, rate=lambda *_: 10.0 * slow)
        assert found == pytest.approx(sign * 0.2, rel=1e-9)
