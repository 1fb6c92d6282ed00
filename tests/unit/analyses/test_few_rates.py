"""Do all functions accept mechanisms with one rate and a weld, or without rates?"""

import numpy as np
import pytest

import multiloop as ml
from multiloop.analyses.prescribed_motion.inverse_arguments import METHODS as INVERSE
from multiloop.dynamics.forward import METHODS as FORWARD

BOTH = pytest.mark.parametrize("planar", [True, False])


def point(planar, x=0.0, y=0.0):
    return (x, y) if planar else (x, y, 0.0)


def bob(planar):
    return ml.Body("bob", mass=2.0, inertia=0.1 if planar else (0.1, 0.1, 0.1))


def pendulum(planar, **more):
    """An arm of 1 m and 1 kg with a bob welded to its end."""
    inertia = 1 / 12 if planar else (0.01, 1 / 12, 1 / 12)
    ends = {"a": point(planar), "b": point(planar, 1.0)}
    arm = ml.Body("arm", mass=1.0, com=point(planar, 0.5), inertia=inertia, markers=ends)
    return ml.Mechanism(
        "pendulum with a welded bob",
        planar=planar,
        gravity=point(planar, 0.0, -9.81),
        bodies=[ml.ground(O=point(planar)), arm, bob(planar)],
        joints=[ml.Revolute("R", "ground.O", "arm.a"), ml.Fixed("weld", "arm.b", "bob.origin")],
        **more,
    )


def welded(planar):
    """A body that cannot move."""
    return ml.Mechanism(
        "welded",
        planar=planar,
        gravity=point(planar, 0.0, -9.81),
        bodies=[ml.ground(O=point(planar)), bob(planar)],
        joints=[ml.Fixed("weld", "ground.O", "bob.origin")],
    )


INERTIA = 1 / 3 + 2.0 + 0.1
WEIGHT_MOMENT = (1.0 * 0.5 + 2.0) * 9.81


@BOTH
@pytest.mark.parametrize("method", FORWARD)
def test_a_pendulum_with_a_weld_falls(planar, method):
    result = ml.forward(pendulum(planar), {"R": 0.3}, method=method)
    assert result["R"].acceleration[0] == pytest.approx(-WEIGHT_MOMENT * np.cos(0.3) / INERTIA, rel=1e-12)


@BOTH
@pytest.mark.parametrize("method", INVERSE)
def test_a_pendulum_with_a_weld_is_driven(planar, method):
    result = ml.inverse(pendulum(planar, drives=[ml.Motion("R", ml.time)]), t=0.1, method=method)
    assert result["R"].effort[0] == pytest.approx(WEIGHT_MOMENT * np.cos(0.1), rel=1e-12)


@BOTH
@pytest.mark.parametrize("target", ["c", "interpreter"])
def test_a_pendulum_with_a_weld_is_released(planar, target):
    run = ml.simulate(pendulum(planar), until=0.3, start={"R": 0.3}, samples=3, target=target)
    assert run.energy_drift < 1e-8
    assert run.final["weld"].position.size == 0


@BOTH
def test_a_pendulum_with_a_weld_is_planned_and_put_together(planar):
    assert ml.analyse(pendulum(planar)).mobility == 1
    assert ml.assemble(pendulum(planar), {"R": 0.3}, rates={"R": 2.0})["R"].rate == pytest.approx(2.0)


@BOTH
def test_a_structure_bears_its_weight(planar):
    assert ml.analyse(welded(planar)).mobility == 0
    assert ml.assemble(welded(planar)).marker("bob.com") == pytest.approx(np.zeros(2 if planar else 3))
    answers = [ml.inverse(welded(planar), t=[0.0, 0.5], method=method) for method in INVERSE]
    answers += [ml.forward(welded(planar), method=method) for method in FORWARD]
    answers += [ml.simulate(welded(planar), until=0.1, samples=3)]
    for answer in answers:
        assert len(answer["weld"].force) == len(answer.time)
        for force in answer["weld"].force:
            assert force == pytest.approx(point(planar, 0.0, 2.0 * 9.81), abs=1e-12), answer.method
