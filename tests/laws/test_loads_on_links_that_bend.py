"""Loads that take hold of bent links push their modes too: all methods agree, and no energy is lost."""

import numpy as np
import pytest
from laws.elastic_loops import BENT, MOVING, WHERE, four_bar

import multiloop as ml
from multiloop.dynamics.forward import METHODS


def loaded():
    """A spring with damping at the bent end of the coupler, one in a joint between bent links, and a force."""
    return four_bar().replace(
        loads=[
            ml.Spring("tie", "coupler.b", "ground.origin", stiffness=200.0, length=0.5, damping=3.0),
            ml.JointSpring("hinge", "B", stiffness=2.0, damping=0.1),
            ml.Force("push", "coupler.b", (3.0, ml.functions.sin(ml.time))),
        ]
    )


def accelerations(method):
    result = ml.forward(loaded(), BENT, guess=WHERE, rates=MOVING, method=method)
    joints = [np.atleast_1d(result[joint].acceleration[0]) for joint in result.joints]
    return np.concatenate([*joints, *(link.eta_acceleration[0] for link in result.links.values())])


def test_all_methods_agree():
    expected = accelerations("sslm")
    for method in METHODS:
        assert accelerations(method) == pytest.approx(expected, abs=1e-10 * np.abs(expected).max()), method


@pytest.mark.parametrize("target", ["c", "interpreter"])
def test_the_ledger_of_energy_is_kept(target):
    run = ml.simulate(
        loaded(), until=0.3, start=BENT, guess=WHERE, rates=MOVING, rtol=1e-11, outputs=31, target=target
    )
    assert run.energy_drift < 1e-10
