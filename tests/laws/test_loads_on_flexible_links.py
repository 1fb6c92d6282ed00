"""Loads on deformed links act on their modes too: all methods agree, and energy is balanced."""

import numpy as np
import pytest
from laws.elastic_loops import BENT, MOVING, WHERE, four_bar

import multiloop as ml
from multiloop.dynamics.forward import METHODS


def loaded():
    """A spring with damping at the flexible end of the coupler, one in a joint between flexible links, and a force."""
    return four_bar().replace(
        loads=[
            ml.Spring("tie", "coupler.b", "ground.origin", stiffness=200.0, length=0.5, damping=3.0),
            ml.JointSpring("hinge", "B", stiffness=2.0, damping=0.1),
            ml.Force("push", "coupler.b", (3.0, ml.expr.sin(ml.time))),
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
def test_the_energy_balance_is_satisfied(target):
    run = ml.simulate(
        loaded(), until=0.3, start=BENT, guess=WHERE, rates=MOVING, rtol=1e-11, samples=31, target=target
    )
    assert run.energy_drift < 1e-10


@pytest.mark.parametrize("planar", [True, False])
def test_a_string_between_the_ends_of_a_link(planar):
    """At the clamped end the deflection is the same whether it is attached to the link or to the wall, whose load
    differs. A string may also connect two other bodies."""
    at = (0.0, 0.0) if planar else (0.0, 0.0, 0.0)
    modes = {"y": 3, "x": 1} if planar else {"y": 2, "z": 1, "x": 1}
    strip = {"E": 70e9, "density": 2700.0, "section": ml.rectangle(0.02, 0.004), "frame": "a", "modes": modes}
    bow = ml.beam("bow", length=0.8, markers={"p": (0.3, 0.05, 0.0)[: len(at)]}, **strip)

    def held(end):
        string = ml.Spring("string", end, "bow.b", stiffness=2000.0, length=0.79, damping=1.0)
        tie = ml.Spring("tie", "bow.p", "bow.b", stiffness=900.0, length=0.4)
        return ml.Mechanism(
            "bow",
            planar=planar,
            gravity=(0.0, -9.81, 3.0)[: len(at)],
            bodies=[ml.ground(O=at), bow],
            joints=[ml.Fixed("hold", "ground.O", "bow.a")],
            loads=[string, tie],
        )

    own, walled = (ml.simulate(held(end), until=0.1, samples=11) for end in ("bow.a", "ground.O"))
    assert own.link("bow").eta == pytest.approx(walled.link("bow").eta, abs=1e-12)
    assert own.link("bow").moment([0.1, 0.5]) == pytest.approx(
        walled.link("bow").moment([0.1, 0.5]), abs=1e-8
    )
    assert own.energy_drift < 1e-9
    felt = own["hold"].force - walled["hold"].force
    assert np.linalg.norm(felt, axis=1) == pytest.approx(np.abs(own["string"].force), rel=1e-9)
