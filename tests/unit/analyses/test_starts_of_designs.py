"""Does every design of a sweep start as it does alone, if parameters belong to loads?"""

import numpy as np
import pytest
from zoo import ZOO
from zoo.plain import planar_four_bar

import multiloop as ml


def friction_and_spring(joints, limit, stiffness):
    return [
        *(ml.Friction(f"friction {joint}", joint, effort=limit) for joint in joints),
        ml.JointSpring("spring", joints[-1], stiffness=stiffness, rest=1.5),
    ]


def in_plane(limit, stiffness):
    """Friction keeps all joints in the tree of the dynamics, so that a body is split; without loads a joint is cut."""
    return planar_four_bar(loads=friction_and_spring("ABCD", limit, stiffness))


def in_space(limit, stiffness):
    """The coupler spins idly between its ball joints."""
    return ZOO["RSSR"].build().replace(drives=(), loads=friction_and_spring("AD", limit, stiffness))


@pytest.mark.parametrize("described", [in_plane, in_space])
@pytest.mark.parametrize("varied", [("limit",), ("limit", "stiffness")], ids="+".join)
def test_parameters_of_loads(described, varied):
    own, other = {"limit": 0.02, "stiffness": 2.0}, {"limit": 0.05, "stiffness": 3.0}
    mechanism = described(
        **{name: ml.Parameter(name, own[name]) if name in varied else own[name] for name in own}
    )
    motion = {"start": {"A": 0.5}, "rates": {"A": 2.0}, "until": 0.1, "samples": 3}
    runs = ml.simulate(mechanism, parameters={name: [own[name], other[name]] for name in varied}, **motion)
    assert list(runs.status) == ["ok", "ok"]
    for run, values in zip(runs, (own, other), strict=True):
        alone = ml.simulate(mechanism.with_parameters({name: values[name] for name in varied}), **motion)
        for joint in "AD":
            # both runs have the default relative tolerance of 1e-10
            np.testing.assert_allclose(run[joint].position, alone[joint].position, rtol=1e-8)
