"""Is the impulse of a short force after a time without loads complete, for every source of the force and every
integrator?

A wheel of 1 kg m² without weight: its rate at the end is the integral of the moment over time.
"""

import numpy as np
import pytest
from zoo.plain import pinned_body

import multiloop as ml
from multiloop import expr as f


def wheel(drives=()):
    return pinned_body(ml.Body("rim", mass=1.0, inertia=1.0), name="wheel", gravity=(0, 0), drives=drives)


def last(effort, until=10.0, **asked):
    run = ml.simulate(wheel(), start={"A": 0.0}, until=until, efforts={"A": effort}, samples=11, **asked)
    return run["A"].position[-1], run["A"].rate[-1]


CARRIED = {
    "dop853": {},
    "rk45": {"integrator": "rk45"},
    "implicit": {"integrator": "implicit", "rtol": 1e-7},
    "rk4": {"integrator": "rk4", "step": 0.1},
    "interpreter": {"target": "interpreter"},
    "Radau": {"target": "interpreter", "integrator": "implicit", "rtol": 1e-7},
    "gear": {"integrator": "gear", "rtol": 1e-13},
    "augmented": {"method": "augmented"},
}
PUSHES = {
    "steps": (f.step(ml.time - 9.0) - f.step(ml.time - 9.0 - 0.01), 0.01, 1e-12),
    "other steps": (f.step(ml.time - 6.0) - f.step(ml.time - 6.1), 0.1, 1e-12),
    "linear table": (
        ml.table([0.0, 5.0, 5.005, 5.01, 10.0], [0.0, 0.0, 2.0, 0.0, 0.0], kind="linear"),
        0.01,
        1e-10,
    ),
}


@pytest.mark.parametrize("push", PUSHES)
@pytest.mark.parametrize("carried", CARRIED)
def test_corners_are_landed_on(push, carried):
    effort, area, exact = PUSHES[push]
    assert last(effort, **CARRIED[carried])[1] == pytest.approx(area, rel=exact)


@pytest.mark.parametrize(
    "carried", ["dop853", "rk45", "implicit", pytest.param("interpreter", marks=pytest.mark.slow)]
)
def test_knots_of_a_smooth_table_are_landed_on(carried):
    t = np.linspace(0.0, 10.0, 1001)
    push = np.where((t > 6.0) & (t < 6.4), np.sin(np.pi * (t - 6.0) / 0.4) ** 2, 0.0)
    assert last(ml.table(t.tolist(), push.tolist()), **CARRIED[carried])[1] == pytest.approx(0.2, rel=1e-9)


@pytest.mark.parametrize("carried", ["dop853", "interpreter"])
def test_efforts_of_a_motion_that_begins_late_are_felt(carried):
    late = wheel([ml.Motion("A", ml.motion_laws.cycloidal(0, 1.0, duration=0.1, begin=6.0))])
    angle, rate = last(ml.RequiredEfforts(late), **CARRIED[carried])
    assert angle == pytest.approx(1.0, abs=1e-8)
    assert rate == pytest.approx(0.0, abs=1e-8)
    angle, _ = last(ml.inverse(late, t=np.linspace(0.0, 10.0, 1001)))
    assert angle == pytest.approx(1.0, abs=0.05)  # ten instants over the push


def test_a_smooth_pulse_without_corners_is_found():
    effort = f.exp(-(((ml.time - 5.0) / 0.05) ** 2))
    assert last(effort)[1] == pytest.approx(0.05 * np.sqrt(np.pi), rel=1e-8)


def test_a_push_of_a_controller_is_found():
    run = ml.simulate(
        wheel(),
        start={"A": 0.0},
        until=10.0,
        samples=2,
        rtol=1e-8,
        control=lambda t, q, v: {"A": float(6.0 <= t < 6.1)},
    )
    assert run["A"].rate[-1] == pytest.approx(0.1, rel=1e-6)


def test_tables_of_time_cost_a_stiff_run_nothing():
    """They are evaluated outside the kernels, with their slopes: an exact parabola is integrated exactly."""
    t = np.linspace(0.0, 2.0, 2001)
    angle, rate = last(ml.table(t.tolist(), (6 * t).tolist()), until=2.0, integrator="implicit", rtol=1e-9)
    assert (angle, rate) == (pytest.approx(8.0, rel=1e-7), pytest.approx(12.0, rel=1e-7))


@pytest.mark.parametrize("target", ["c", "interpreter"])
@pytest.mark.parametrize("kind", ["clip", "table"])
def test_a_drive_that_changes_its_speed_at_once_does_its_work(kind, target):
    """1 kg is lifted by 1 m at 2 m/s; the kinetic energy is returned when it stops."""
    profile = (
        2 * f.clip(ml.time, 0.2, 0.7)
        if kind == "clip"
        else ml.table([0.0, 0.2, 0.7, 1.0], [0.4, 0.4, 1.4, 1.4], kind="linear")
    )
    lift = ml.Mechanism(
        "lift",
        bodies=[ml.ground(), ml.Body("load", mass=1.0)],
        joints=[ml.Prismatic("P", "ground.origin", "load.origin")],
        drives=[ml.Motion("P", profile)],
    )
    run = ml.simulate(lift, until=1.0, samples=11, target=target)
    assert run.work[-1] == pytest.approx(9.81, rel=1e-9)
    assert run.energy_drift < 1e-9
