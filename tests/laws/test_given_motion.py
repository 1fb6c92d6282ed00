"""Inverse dynamics of a state with its accelerations: the same efforts and reactions as along the prescribed motion."""

import numpy as np
import pytest
from laws.closed_positions import DRIVEN, built, duration

import multiloop as ml

SAME = 1e-7
"""Of the largest force: positions are closed anew to 1e-12, to which forces near folded positions are sensitive."""


def prescribed_instant(name):
    """One instant of a prescribed motion, with the accelerations of the driven joints."""
    middle = 0.37 * duration(name)
    along = ml.inverse(built(name), t=[0.0, middle])
    accelerations = {motion.of: asked(along, motion.of) for motion in built(name).drives}
    return along, along.at(middle), accelerations


def asked(result, joint):
    """Accelerations of a joint at the last instant, in the form of the argument."""
    return tuple(np.atleast_1d(result[joint].acceleration[-1]))


def largest(result):
    length = result.plan.length
    sizes = [[joint.load[-1], np.abs(joint.effort_force[-1]).max()] for joint in result.joints.values()]
    turning = [np.abs(joint.effort_moment[-1]).max() / length for joint in result.joints.values()]
    return max(np.max(sizes), *turning)


def same_loads(one, other):
    size, length = largest(one), one.plan.length
    for name, joint in one.joints.items():
        two = other[name]
        assert two.force[-1] == pytest.approx(joint.force[-1], abs=SAME * size), name
        assert two.moment[-1] == pytest.approx(joint.moment[-1], abs=SAME * size * length), name
        assert two.effort_force[-1] == pytest.approx(joint.effort_force[-1], abs=SAME * size), name
        assert two.effort_moment[-1] == pytest.approx(joint.effort_moment[-1], abs=SAME * size * length), name


@pytest.mark.parametrize("name", DRIVEN)
def test_it_is_that_of_the_drive_which_passes_there(name):
    along, state, accelerations = prescribed_instant(name)
    found = ml.inverse(built(name), state=state, accelerations=accelerations)
    same_loads(along, found)
    assert found.time.tolist() == [state.time]


@pytest.mark.parametrize("name", DRIVEN)
def test_forward_dynamics_gives_the_accelerations_back(name):
    """Accelerations other than those of the drive, with the efforts for them applied."""
    _, state, accelerations = prescribed_instant(name)
    wanted = {joint: tuple(2.0 * x + 1.0 for x in values) for joint, values in accelerations.items()}
    found = ml.inverse(built(name), state=state, accelerations=wanted)
    plain = built(name)
    efforts = {}
    for joint in plain.connections:
        parts = joint.components(plain.planar)
        for part in parts:
            label = joint.name if len(parts) == 1 else f"{joint.name}.{part}"
            if np.abs(found.effort_along(label)).max() > 0:
                efforts[label] = float(found.effort_along(label)[0])
    back = ml.forward(plain.replace(drives=[], actuators=[]), state, efforts=efforts)
    size = max(np.abs(found[joint].acceleration).max(initial=0.0) for joint in found)
    for joint in found:
        assert back[joint].acceleration == pytest.approx(found[joint].acceleration, abs=1e-6 * size), joint
    for joint, values in wanted.items():
        assert found[joint].acceleration[0] == pytest.approx(np.squeeze(values), abs=1e-9 * size), joint


@pytest.mark.parametrize("method", ["subsystem", "system", "virtual_work", "traditional"])
def test_every_method_answers(method):
    along, state, accelerations = prescribed_instant("scraper-K")
    same_loads(along, ml.inverse(built("scraper-K"), state=state, accelerations=accelerations, method=method))
