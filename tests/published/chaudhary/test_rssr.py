"""[chaudhary] §6.2: the RSSR with balls at both ends of the coupler, with a cross, and as seven revolutes.

The paper gives the period, 0.6 s, and no dimensions; the data are chosen, and the numbers were established by
two independent formulations. What the paper claims and what is tested is that the three ways to describe
the linkage give one torque.
"""

from functools import cache

import numpy as np
import pytest
from zoo import rssr

import multiloop as ml

WAYS = {
    "S–S": lambda: rssr.rssr(axial=0.0),
    "S–S with axial inertia": rssr.rssr,
    "S–U": rssr.rssr_with_cross,
    "seven revolutes": rssr.rssr_of_revolutes,
}


@cache
def result(way):
    """Every half degree."""
    return ml.inverse(WAYS[way](), cycle=721)


@pytest.fixture(params=WAYS)
def way(request):
    return request.param


def test_the_largest_torque_is_0_55384_at_286_5_degrees(way):
    effort = result(way)["A"].effort
    k = int(np.argmax(np.abs(effort)))
    assert abs(effort[k]) == pytest.approx(0.55384, abs=5e-6)  # printed digits
    assert np.degrees(result(way)["A"].position[k]) == pytest.approx(286.5, abs=1e-9)


def test_all_ways_need_the_same_torque(way):
    """A constant idle spin needs no moment, whatever the axial inertia."""
    expected = result("S–U")["A"].effort
    assert result(way)["A"].effort == pytest.approx(expected, abs=1e-11)


@pytest.mark.parametrize("joint", ["A", "D"])
def test_all_ways_load_the_bearings_alike(way, joint):
    """The same forces and moments on the frame; at S–U the universal joint could transmit a moment, which is zero."""
    found, expected = result(way)[joint], result("S–U")[joint]
    assert found.force == pytest.approx(expected.force, abs=1e-10)
    assert found.moment == pytest.approx(expected.moment, abs=1e-10)


def test_two_balls_leave_the_spin_of_the_coupler_idle(texts):
    plan = ml.analyse(rssr.rssr())
    assert (plan.mobility, plan.count, plan.redundant) == (2, 2, 0)
    (idle,) = plan.idle
    assert idle.bodies == ("coupler",)
    assert set(idle.joints) == {"B", "C"}
    texts(idle, "'coupler'", "'B'", "'C'")


@pytest.mark.parametrize("way", ["S–U", "seven revolutes"])
def test_a_cross_leaves_nothing_idle(way):
    plan = ml.analyse(WAYS[way]())
    assert (plan.mobility, plan.count, plan.redundant, plan.idle) == (1, 1, 0, ())


def test_massless_links_between_the_revolutes_are_no_obstacle():
    plan = ml.analyse(rssr.rssr_of_revolutes())
    assert plan.massless.rule in ("regular", "stiffened")
    assert plan.massless.undetermined == ()
