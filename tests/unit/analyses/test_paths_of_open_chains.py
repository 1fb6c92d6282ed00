"""Open chains and platforms with driven markers: any number of instants, and error messages."""

import numpy as np
import pytest

import multiloop as ml


def arm(**changes):
    """A planar serial arm whose tip follows an ellipse."""
    described = {
        "bodies": [
            ml.ground(),
            ml.rod("upper", length=0.4, mass=2.0),
            ml.rod("fore", length=0.3, mass=1.0),
        ],
        "joints": [
            ml.Revolute("S", "ground.origin", "upper.a"),
            ml.Revolute("E", "upper.b", "fore.a"),
        ],
        "drives": [
            ml.Motion(
                "fore.b",
                x=0.5 + 0.05 * ml.expr.cos(2 * ml.time),
                y=0.1 * ml.expr.sin(2 * ml.time),
            )
        ],
        "actuators": [ml.Actuator("S"), ml.Actuator("E")],
        "guess": {"S": -0.5, "E": 1.0},
    }
    return ml.Mechanism("2R", planar=True, **described | changes)


def test_many_instants_of_a_tip_are_those_of_another_method():
    times = np.linspace(0.0, 1.0, 16)
    found, other = (ml.inverse(arm(), t=times, method=method) for method in ("subsystem", "virtual_work"))
    for joint in ("S", "E"):
        assert found[joint].effort == pytest.approx(other[joint].effort, abs=1e-11)
    assert found["S"].effort[0] == pytest.approx(7.632379, abs=1e-6)


def test_an_orientation_without_an_actuator_is_refused():
    hexapod = ml.examples.hexapod().replace(actuators=[])
    with pytest.raises(ml.SolveError, match=r"S01"):
        ml.inverse(hexapod, t=0.1)


def test_a_state_of_another_mechanism_is_refused_in_words(texts):
    state = ml.assemble(ml.examples.four_bar())
    other = ml.Mechanism(
        "screw",
        bodies=[ml.ground(A=(0, 0, 0)), ml.rod("rod", length=0.3, mass=1.0)],
        joints=[ml.Cylindrical("A", "ground.A", "rod.a")],
    )
    with pytest.raises(ml.MultiloopError) as caught:
        ml.simulate(other, start=state, until=0.1)
    texts.fault(caught.value, "S09", "'four-bar'")
