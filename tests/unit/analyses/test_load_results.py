"""Loads in results: by name, over time, in datasets, in States, in pickles."""

import pickle

import numpy as np
import pytest
from laws.random_loads import loaded

import multiloop as ml


@pytest.fixture(scope="module")
def run():
    return ml.simulate(loaded("four-bar-offsets"), until=0.2, samples=11)


def test_every_load_is_there_by_name(run):
    assert list(run.loads) == [load.name for load in run.mechanism.loads]
    assert run["return"] is run.loads["return"]
    assert set(run["return"].values) == {"force", "length", "length_rate", "energy", "power"}
    assert "length" in dir(run["return"])
    assert run["push"].force.shape == (11, 2)
    assert run["twist"].torque.shape == (11,)


def test_the_outputs_of_a_spring_agree_with_its_description(run):
    spring, L = run["return"], np.linalg.norm(run.marker("rocker.com") - run.marker("ground.origin"), axis=1)
    assert spring.length == pytest.approx(L)
    assert spring.force == pytest.approx(200 * (L - 0.1) + 3 * spring.length_rate)
    assert spring.energy == pytest.approx(100 * (L - 0.1) ** 2)
    assert spring.power == pytest.approx(-3 * spring.length_rate**2)


def test_a_force_in_the_body_turns_with_it(run):
    load = next(load for load in run.mechanism.loads if load.name == "follow")
    turned = run.body(load.at.partition(".")[0])[:, :2, :2] @ np.array(load.force)
    assert run["follow"].force == pytest.approx(turned)


def test_power_is_the_sum_of_all_that_comes_in(run):
    joints = run["A"].effort * run["A"].rate
    assert run.power == pytest.approx(joints + sum(load.power for load in run.loads.values()))


def test_datasets_have_loads_with_units(run):
    data = run.dataset
    assert data["length return"].attrs["units"] == "m"
    assert data["force push"].dims == ("time", "axis")
    assert data["effort hinge"].attrs["units"] == "N m"
    assert data["torque twist"].values == pytest.approx(run["twist"].torque)


def test_results_can_be_pickled(run):
    again = pickle.loads(pickle.dumps(run))
    assert again["return"].force == pytest.approx(run["return"].force)
    assert repr(again["hinge"]) == repr(run["hinge"])


def test_a_result_without_loads_has_none(texts):
    bare = loaded("four-bar-offsets").replace(loads=())
    result = ml.inverse(bare, t=[0.0])
    assert result.loads == {}
    assert result.on_frame is None
    with pytest.raises(ml.UnknownNameError) as caught:
        result["return"]
    texts.fault(caught.value, "R01", "'return'")
