"""Designs that differ in their masses alone are assembled once."""

import numpy as np
import pytest
from zoo import ZOO
from zoo.plain import double_pendulum

import multiloop as ml
from multiloop.analyses.simulation import design_starts as starting


@pytest.mark.slow
def test_payloads_of_a_delta_are_put_together_once(monkeypatch):
    """Formerly the assembly of every design took a millisecond or more, because of the idle spins of the rods."""
    counted = []
    whole = starting.without_spins
    monkeypatch.setattr(starting, "without_spins", lambda *given: counted.append(1) or whole(*given))
    delta = ZOO["delta"].build()
    mass = ml.Parameter("m", 1.0)
    robot = delta.replace(joints=(*delta.joints, ml.Payload("load", "platform.origin", mass=mass)))
    masses = np.array([0.1, 0.7, 3.0])
    runs = ml.simulate(robot, until=0.05, parameters={"m": masses}, samples=6)
    assert len(counted) == 1
    for k, value in enumerate(masses):
        alone = ml.simulate(robot, until=0.05, parameters={"m": float(value)}, samples=6)
        np.testing.assert_allclose(runs[k]["A1"].effort, alone["A1"].effort, rtol=1e-8)


def test_masses_are_no_parameters_of_the_geometry():
    mass, length = ml.Parameter("m", 1.0), ml.Parameter("l", 0.5)
    arm = double_pendulum(ml.rod("upper", length=length, mass=mass), ml.rod("lower", length=0.4, mass=mass))
    equations = ml.analyse(arm).assembly.equations
    flags = dict(
        zip(equations.skeleton.parameter_names, starting.geometric_parameters(equations), strict=True)
    )
    assert flags == {"l": True, "m": False}
