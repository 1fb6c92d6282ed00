"""Do combinations of parts in one mechanism obey the laws?"""

import numpy as np
import pytest
from laws.combinations import PARTS, combined, random_pairs

import multiloop as ml
from multiloop.analyses.prescribed_motion.inverse_arguments import METHODS as INVERSE
from multiloop.dynamics.forward import METHODS

TOGETHER = {
    "gear, friction, spring, control": (
        "Gear",
        "Friction by its force",
        "Friction of an effort",
        "Spring",
        "PD",
    ),
    "cam, belt, stop, integral": ("Cam", "Belt", "Stop", "Integral"),
    "strut, rack, bushing, friction": ("Strut", "Rack", "Bushing", "Friction by its force"),
    "rod, gear, relation, torque": ("Distance", "Gear", "Relation", "Torque"),
    "wheel, skate, bead, force": ("Rolling", "Skate", "PointOnCurve", "Force"),
    "bending rocker, gear, cam, friction": ("link that bends", "Gear", "Cam", "Friction by its force"),
}

PAIRS = random_pairs()
SAMPLE = PAIRS[::10]


def begun(names):
    """A combination with its initial position, its rates, and efforts along every degree of freedom."""
    mechanism, parts = combined(*names)
    start, rates, pushed = {"A": 1.0}, {"A": 0.5}, {"D": 3.0}
    for part in parts:
        start, rates, pushed = start | part.start, rates | part.rates, pushed | part.pushed
    return mechanism, ml.assemble(mechanism, start, rates=rates), pushed


def accelerations(result, names):
    return np.concatenate([np.ravel(result[name].acceleration[0]) for name in names])


def require_laws(names):
    """All methods give the same accelerations, inverse dynamics recovers the efforts, and the energy balance closes."""
    mechanism, state, pushed = begun(names)
    joints = [joint.name for joint in mechanism.binary_joints]
    first = ml.forward(mechanism, state, efforts=pushed, method="system")
    expected = accelerations(first, joints)
    size = np.abs(expected).max()
    for method in METHODS:
        found = accelerations(ml.forward(mechanism, state, efforts=pushed, method=method), joints)
        # Multipliers of `augmented` are iterated, those of the others are found by elimination.
        assert np.abs(found - expected).max() < (1e-7 if method == "augmented" else 1e-9) * size, method
    if not any(body.elastic for body in mechanism.all_bodies):
        require_efforts_back(mechanism, state, pushed, first)
    run = ml.simulate(mechanism, until=0.1, start=state, efforts=pushed, samples=5, rtol=1e-12)
    assert abs(run.energy_drift) < 1e-7  # 5e-7 for a flexible link at rtol 1e-10
    assert run.constraint_violation.max() < 1e-10


def require_efforts_back(mechanism, state, pushed, first):
    unknown = [ml.Actuator(*address.split(".")) for address in pushed]
    asked = mechanism.replace(actuators=[*mechanism.actuators, *unknown])
    names = dict.fromkeys(address.partition(".")[0] for address in pushed)
    second = {name: tuple(map(float, np.atleast_1d(first[name].acceleration[0]))) for name in names}
    for method in INVERSE:
        found = ml.inverse(asked, state=state, accelerations=second, method=method)
        efforts = [found.effort_along(address)[0] for address in pushed]
        assert efforts == pytest.approx(list(pushed.values()), rel=1e-7, abs=1e-8), method


@pytest.mark.parametrize("names", SAMPLE, ids=" + ".join)
def test_some_pairs_of_things(names):
    require_laws(names)


def test_gear_friction_spring_and_control_on_one_mechanism():
    require_laws(TOGETHER["gear, friction, spring, control"])


@pytest.mark.slow
@pytest.mark.parametrize("names", [pair for pair in PAIRS if pair not in SAMPLE], ids=" + ".join)
def test_random_pairs_of_things(names):
    require_laws(names)


@pytest.mark.slow
@pytest.mark.parametrize("names", list(TOGETHER.values())[1:], ids=list(TOGETHER)[1:])
def test_four_things_together(names):
    require_laws(names)


def test_every_part_is_in_some_pair():
    assert {name for pair in PAIRS for name in pair} == set(PARTS)
