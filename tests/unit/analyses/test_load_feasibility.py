"""Designs with invalid load parameters get a status, for the reason for which they are refused alone."""

import numpy as np
import pytest
from texts import Texts
from zoo.plain import four_bar_pins

import multiloop as ml


def four_bar() -> ml.Mechanism:
    stiffness, damping, free, rest = (
        ml.Parameter(*one) for one in (("k", 10.0), ("c", 1.0), ("l", 0.1), ("s", 2.0))
    )
    return ml.Mechanism(
        "four-bar",
        planar=True,
        bodies=[
            ml.ground(A=(0, 0), D=(1.0, 0), S=(1.4, 0.7)),
            ml.rod("crank", length=0.3, mass=1.0),
            ml.rod("coupler", length=0.9, mass=2.0),
            ml.rod("rocker", length=0.8, mass=1.5),
        ],
        joints=four_bar_pins(),
        drives=[ml.Motion("A", 5 * ml.time)],
        loads=[
            ml.Spring("spring", "coupler.b", "ground.S", stiffness=stiffness, length=free, damping=damping),
            ml.JointSpring("hinge", "D", stiffness=rest - 1.0),
        ],
        guess={"coupler.b": (0.8, 0.7)},
    )


@pytest.mark.parametrize(("name", "value"), [("k", -10.0), ("c", -1.0), ("l", -0.1), ("s", 0.5)])
def test_a_design_with_a_negative_load_parameter_has_its_own_status(
    name: str, value: float, texts: Texts
) -> None:
    mechanism = four_bar()
    values = {name: np.array([value, float(mechanism.parameters[name])])}
    designs = ml.batch(mechanism, values, t=[0.0, 0.1])
    assert (designs.status == "ok").tolist() == [False, True]
    texts(designs.status[0])
    assert np.isnan(designs.peak_effort["A"]).tolist() == [True, False]
    assert "[L06]" in designs.reason(0)
    runs = ml.simulate(mechanism.without_drives(), parameters=values, start={"A": 1.0}, until=0.01, samples=2)
    assert runs.status.tolist() == designs.status.tolist()
    assert "[L06]" in runs.reason(0)
