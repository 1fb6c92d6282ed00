"""A relation whose ratio depends on time: every function evaluates the rows at its own time."""

import numpy as np
import pytest

import multiloop as ml

TIMES = np.linspace(0.0, 0.9, 4)


def variator(*actuators):
    """Shaft A rotates (1 − t) times as fast as shaft C, which is driven."""
    return ml.Mechanism(
        "variator",
        planar=True,
        bodies=[
            ml.ground(A=(0, 0), C=(2, 0)),
            ml.Body("a", mass=1.0, inertia=0.02, com=(0.1, 0)),
            ml.Body("c", mass=1.0, inertia=0.03, com=(0.1, 0.1)),
        ],
        joints=[ml.Revolute("A", "ground.A", "a.origin"), ml.Revolute("C", "ground.C", "c.origin")],
        pairs=[ml.Relation("ratio", ml.position("A") - (1 - ml.time) * ml.position("C"))],
        drives=[ml.Motion("C", ml.motion_laws.constant_speed(2.0, start=0.3))],
        actuators=[ml.Actuator(joint) for joint in actuators],
    )


@pytest.mark.parametrize("method", ["subsystem", "system", "virtual_work", "traditional"])
def test_two_motors_share_the_work_at_the_ratio_of_the_moment(method):
    alone = ml.inverse(variator(), t=TIMES)["C"].effort
    both = ml.inverse(variator("A", "C"), t=TIMES, method=method)
    ratio = 1 - TIMES
    assert both["C"].effort + ratio * both["A"].effort == pytest.approx(alone, rel=1e-9)
    assert both["A"].effort == pytest.approx(alone * ratio / (1 + ratio**2), rel=1e-9)
    run = ml.simulate(variator("A", "C"), until=TIMES[-1], samples=TIMES)
    assert run["A"].effort == pytest.approx(both["A"].effort, rel=1e-8)


def test_a_motor_that_cannot_produce_the_motion_is_refused(texts):
    with pytest.raises(ml.SolveError) as caught:
        ml.inverse(variator("A"), t=[0.0, 0.5, 1.0])
    texts.fault(caught.value, "S01", "1 s")


def test_the_work_is_the_integral_of_the_power():
    """The work of the drive, and of the relation, whose ratio changes under load."""
    run = ml.simulate(variator(), until=0.9, samples=2001)
    summed = np.concatenate([[0], np.cumsum((run.power[1:] + run.power[:-1]) / 2 * np.diff(run.time))])
    assert run["ratio"].power.any()
    assert run.work - run.work[0] == pytest.approx(
        summed, abs=1e-5 * np.abs(summed).max()
    )  # by the trapezoidal rule
    assert run.energy_drift < 1e-8
