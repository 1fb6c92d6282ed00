"""Near a bifurcation of two assembly modes a driven motion keeps its own, however few instants are computed; at a
bifurcation it continues smoothly."""

import numpy as np
import pytest
from zoo.plain import planar_four_bar

import multiloop as ml

GUESS = {"A": 1.0, "B": -1.0, "D": 1.0}


def four_bar(crank, rocker=0.3, **more):
    """Coupler and ground of length 1: a change point with a crank as long as the rocker."""
    return planar_four_bar(
        lengths=(crank, 1.0, rocker, 1),
        name="near its change point",
        drives=[ml.Motion("A", ml.motion_laws.constant_speed(1.0, start=1.0))],
        guess=GUESS,
        **more,
    )


def end_of_rocker(short):
    """D after a turn of the crank: the initial value, since the rocker of a crank-rocker oscillates."""
    return ml.assemble(four_bar(0.3 - short))["D"].position


@pytest.mark.parametrize("short", [1e-3, 1e-5, 3e-6, 1e-7])
@pytest.mark.parametrize("instants", [5, 13, 37, 181, 361])
def test_a_rocker_comes_back(short, instants):
    found = ml.inverse(four_bar(0.3 - short), cycle=instants)
    assert found["D"].position[-1] == pytest.approx(end_of_rocker(short), abs=1e-9)


def test_efforts_do_not_depend_on_how_many_instants_are_asked():
    few, many = (ml.inverse(four_bar(0.29999), cycle=count)["A"].effort for count in (91, 721))
    assert np.abs(few - many[::8]).max() < 1e-9 * np.abs(many).max()


def test_designs_keep_their_mode():
    short = np.array([1e-2, 1e-4, 1e-5, 1e-6])
    found = ml.batch(four_bar(ml.Parameter("a", 0.28)), {"a": 0.3 - short}, cycle=91, keep="all")
    assert found.ok.all()
    for k, one in enumerate(short):
        alone = ml.inverse(four_bar(0.3 - one), cycle=91)["A"].effort
        assert np.abs(found.effort["A"][k] - alone).max() < 1e-7 * np.abs(alone).max()


@pytest.mark.parametrize("instants", [14, 362])
def test_a_parallelogram_goes_straight_on(instants):
    """Two modes meet at its flat positions: crank and rocker stay parallel."""
    found = ml.inverse(four_bar(0.3), cycle=instants)
    assert found["D"].position == pytest.approx(found["A"].position, abs=1e-7)
    designs = ml.batch(four_bar(ml.Parameter("a", 0.3)), {"a": np.array([0.3])}, cycle=instants, keep="all")
    effort = found["A"].effort
    assert np.abs(designs.effort["A"][0] - effort).max() < 1e-6 * np.abs(effort).max()
