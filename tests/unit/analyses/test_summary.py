"""The summary: one screen with the numbers of the result and its warnings."""

import numpy as np
import pytest
from laws.closed_positions import DRIVEN, built

import multiloop as ml


@pytest.fixture(scope="module")
def loads():
    return ml.inverse(built("four-bar"), cycle=121)


def row_of(text, name):
    """Words of the last row that begins with a name."""
    return [line.split() for line in text.splitlines() if line.split()[:1] == [name]][-1]


def test_the_summary_states_the_analysis(loads, texts):
    first, second, *_ = loads.summary().splitlines()
    texts(first, "121", "0", "1.33344 s")
    texts(second, "0.0°", "360.0°", "4.712 rad/s", "(44.9963 rpm)")


def test_the_mean_speed_is_the_angle_over_the_time():
    """Few instants of a motion from rest to rest do not change it: the trapezoidal rule would give 59.994 rad/s."""
    law = ml.motion_laws.trapezoidal(0.0, 60.0, duration=1.0)
    turned = built("four-bar").replace(drives=[ml.Motion("A", law)])
    heading = ml.inverse(turned, t=np.linspace(0.0, 1.0, 101)).summary().splitlines()[1]
    assert heading.endswith("on average at 60 rad/s (572.958 rpm).")


def test_a_mechanism_without_loops_has_no_closure_to_report():
    """And its columns are as wide as their contents: nothing stands below the angle of a crank that there is not."""
    arm = ml.Mechanism(
        "arm",
        planar=True,
        bodies=[ml.ground(), ml.rod("arm", length=0.5, mass=1.0)],
        joints=[ml.Revolute("A", "ground.origin", "arm.a")],
    )
    run = ml.simulate(arm, start={"A": 0.1}, until=0.1)
    assert "oops closed" not in run.summary() + repr(run)
    assert not any(line.endswith(" ") for line in run.summary().splitlines())


def test_it_has_the_rows_of_the_extremes(loads):
    assert all(line in loads.summary().splitlines() for line in str(loads.extremes()).splitlines())


def test_averages_are_those_of_the_cycle(loads):
    """By the mean of the 120 instants of a period, without the repeated last one."""
    effort, power = loads["A"].effort, loads["A"].effort * loads["A"].rate
    words = row_of(loads.summary(), "A")
    assert float(words[1]) == pytest.approx(np.sqrt(np.mean(effort[:-1] ** 2)), rel=1e-5)
    k = np.abs(power).argmax()
    assert float(words[4]) == pytest.approx(power[k], rel=1e-5)
    assert float(words[6]) == pytest.approx(loads.time[k], abs=1e-4)
    assert words[7] == f"{np.degrees(loads['A'].position[k]):.2f}°"
    assert float(words[8]) == 0.0, "over a cycle weight and inertia do no work"


def test_a_mean_power_of_round_off_is_not_reported():
    damped = built("four-bar").replace(loads=[ml.JointSpring("drag", "D", stiffness=0.0, damping=2.0)])
    result = ml.inverse(damped, cycle=121)
    expected = np.mean((result["A"].effort * result["A"].rate)[:-1])
    assert expected > 0.1
    # printed with six digits
    assert float(row_of(result.summary(), "A")[8]) == pytest.approx(expected, rel=1e-5)


def test_warnings_are_listed(texts):
    result = ml.inverse(built("two-bearings"), t=[0.0, 0.1])
    texts.lines(result.summary(), "left, right (")
    weak = built("four-bar").replace(actuators=[ml.Actuator("A", limit=1.0)])
    texts.lines(ml.inverse(weak, cycle=37).summary(), " 1 N m")


def test_a_run_states_its_energy_error(texts):
    run = ml.simulate(built("four-bar").without_drives(), until=0.1, start={"A": 1.0}, samples=5)
    texts.lines(run.summary(), f"{run.energy_drift:.1e}")


def test_one_instant(texts):
    text = ml.forward(built("four-bar").without_drives(), {"A": 1.0}).summary()
    texts(text, "four-bar", "0 s")


@pytest.mark.parametrize("name", DRIVEN)
def test_it_is_a_screenful(name):
    text = ml.inverse(built(name), t=np.linspace(0.0, 0.02, 3)).summary()
    assert len(text.splitlines()) <= 60
    assert max(map(len, text.splitlines())) <= 200
    assert "nan" not in text
