"""Plans, results and states are pickled with their equations, and work in other processes."""

import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest
from laws.closed_positions import built
from zoo.plain import pinned_body

import multiloop as ml


def again(thing):
    return pickle.loads(pickle.dumps(thing))


@pytest.mark.parametrize("name", ["four-bar", "RSSR", "four-bar-space"])
def test_a_result_comes_back_whole(name):
    result = ml.inverse(built(name), t=[0.0, 0.1])
    copy = again(result)
    assert copy.time == pytest.approx(result.time, abs=0)
    for joint in result:
        assert np.array_equal(copy[joint].force, result[joint].force)
    assert repr(copy) == repr(result)
    assert copy.mechanism == result.mechanism
    assert again(result.final).positions == result.final.positions


def test_a_plan_that_came_back_can_be_used():
    plan = again(ml.analyse(built("four-bar")))
    assert plan.explain() == ml.analyse(built("four-bar")).explain()
    found = plan.assembly.coordinates()
    expected = ml.assemble(built("four-bar")).positions
    for joint, q in found.items():
        assert q == pytest.approx(expected[joint], abs=1e-12)


def test_kernels_that_came_back_give_the_same_answers():
    kernels = ml.compile(built("four-bar").without_drives())
    state = kernels.q, np.ones(kernels.forward.inputs[1].size)
    expected = kernels.forward(*state)
    assert np.array_equal(again(kernels).forward(*state), expected)


def test_a_run_comes_back_with_its_work():
    run = ml.simulate(built("four-bar").without_drives(), until=0.05, start={"A": 1.0}, samples=3)
    assert again(run).energy_drift == run.energy_drift


def test_another_process_answers():
    """It traces by itself: no data are inherited."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        result = pool.submit(ml.inverse, built("four-bar"), t=0.2).result()
    assert result["A"].effort == pytest.approx(ml.inverse(built("four-bar"), t=0.2)["A"].effort, rel=1e-12)


def test_runs_of_many_designs_come_back():
    mass = ml.Parameter("m", 1.0)
    pendulum = pinned_body(ml.rod("p", length=1.0, mass=mass), name="pendulum")
    asked = {"until": 0.1, "samples": 3, "start": {"A": 1.0}, "efforts": {"A": 2.0 * ml.time}}
    runs = ml.simulate(pendulum, parameters={"m": np.array([1.0, 2.0])}, **asked)
    copy = again(runs)
    assert repr(copy) == repr(runs)
    for one, other in zip(copy, runs, strict=True):
        assert np.array_equal(one["A"].position, other["A"].position)
        assert np.array_equal(one["A"].force, other["A"].force)


def test_required_efforts_come_back():
    torque = ml.RequiredEfforts(built("four-bar"), guess={"D": 2.0})
    assert again(torque).effort("A", 0.2) == pytest.approx(torque.effort("A", 0.2), rel=1e-12)
