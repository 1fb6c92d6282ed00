"""[dado], Figs. 2 to 5: displacement, velocity and acceleration of the end effector E, and torques, as named outputs.

The figures print curves without numbers. The curves of the example are compared with the D-H matrices of the paper and
with differences over time.
"""

import how_far_from_its_line_is_dados_robot as example
import numpy as np
import pytest
from published.dado import by_hand

from multiloop.examples.mechanisms import dado_robot as robot
from multiloop.model.expressions import derivative, evaluate

STEP = 1e-3
"""Seconds between the instants of the run."""


@pytest.fixture(scope="module")
def run():
    return example.solve()


def end_effector(psi):
    """Position of E by the matrices (A-1) along q₁, q₂, q₅."""
    c0, C = by_hand.constraint_map()
    q, T = c0 + C @ psi, np.eye(4)
    for j in by_hand.CHAINS[3]:
        T = T @ by_hand.dh(q[j], *by_hand.SHAPES[j])
    return T[:3, 3]


def test_displacement_is_that_of_the_matrices_of_the_paper(run):
    """Fig. 2."""
    psi = np.transpose([run[f"psi{k}"].position for k in (1, 2, 3)])
    known = np.array([end_effector(angles) for angles in psi[::50]])
    assert run.output("load.position")[::50] == pytest.approx(known, abs=1e-12)


def test_velocity_and_acceleration_are_rates_of_the_displacement(run):
    """Figs. 3 and 4, by differences; the first instants are left out, where the acceleration jumps."""
    x, v, a = (run.output(f"load.{name}") for name in ("position", "velocity", "acceleration"))
    late = slice(100, -1)
    first = (x[2:] - x[:-2]) / (2 * STEP)
    second = (x[2:] - 2 * x[1:-1] + x[:-2]) / STEP**2
    # h²/6 times third derivatives of up to 100 m/s³; the error of RK4 at 1 ms, 2e-4 m/s² at half the step
    assert v[late] == pytest.approx(first[99:], abs=5e-5)
    assert a[late] == pytest.approx(second[99:], abs=8e-3)


def test_the_desired_motion_is_the_line_of_the_paper_by_a_cycloid(run):
    """Eq. (34): from (0.3, 0, 0.8) to (−0.3, 0.4, 0.3) m within a second."""
    t = run.time[:, None]
    way = np.array(robot.TO) - np.array(robot.FROM)
    known = (
        np.array(robot.FROM) + way * (t - np.sin(2 * np.pi * t) / (2 * np.pi)),
        way * (1 - np.cos(2 * np.pi * t)),
        way * 2 * np.pi * np.sin(2 * np.pi * t),
    )
    for found, curve in zip(robot.desired_motion(run.time).values(), known, strict=True):
        assert found == pytest.approx(curve, abs=1e-12)


def test_actual_velocity_and_acceleration_depart_as_stated(run):
    """Of the way of 0.88 m, 13 mm are 1.5 %; of the largest speed, 0.12 m/s are 7 %."""
    desired = robot.desired_motion(run.time)
    far = [np.linalg.norm(run.output(name) - curve, axis=1) for name, curve in desired.items()]
    assert 1e3 * far[0].max() == pytest.approx(13.18, abs=0.005)
    assert far[1].max() == pytest.approx(0.1186, abs=5e-5)
    # The law does not compensate gravity: E begins with 5.67 m/s², the desired motion with none.
    assert far[2].argmax() == 0
    assert far[2][0] == pytest.approx(5.669, abs=5e-4)


def test_torques_are_those_of_the_control_law(run):
    """Fig. 5: eq. (33) at every instant, from the outputs of the motors alone."""
    c0, C = by_hand.constraint_map()
    names = ("psi1", "psi2", "psi3")
    psi, rate, torque = (
        np.transpose([run.output(f"{name}.{what}") for name in names])
        for what in ("position", "rate", "effort")
    )
    orders = [list(robot.motor_angles().values())]
    for _ in range(2):
        orders.append([derivative(profile) for profile in orders[-1]])
    wanted = [np.transpose([evaluate(p, time=run.time) for p in order]) for order in orders]
    for k in range(0, 1001, 100):
        _, tau = by_hand.accelerations(psi[k], rate[k], [order[k] for order in wanted], c0, C)
        assert torque[k] == pytest.approx(tau, abs=1e-10)


def test_the_picture_of_the_example_has_these_curves(run):
    page = example.figure()
    titles = [axes.get_ylabel() for axes in page.axes[1:]]
    assert titles == ["load.position (m)", "load.velocity (m/s)", "load.acceleration (m/s²)", "effort (N·m)"]
    desired = robot.desired_motion(run.time)
    for axes, (name, curves) in zip(page.axes[1:4], desired.items(), strict=True):
        drawn = np.array([line.get_ydata() for line in axes.lines])
        assert drawn[:3] == pytest.approx(run.output(name).T, abs=1e-15)
        assert drawn[3:6] == pytest.approx(curves.T, abs=1e-15)
        labels = [line.get_label() for line in axes.lines]
        assert labels == ["x", "y", "z", "x, desired", "y, desired", "z, desired"]
    torques = {line.get_label(): line.get_ydata() for line in page.axes[4].lines}
    for name in ("psi1", "psi2", "psi3"):
        assert torques[name] == pytest.approx(run.output(f"{name}.effort"), abs=1e-15)
