"""Results as labelled arrays: names, shapes, units, and all data of a Result."""

import numpy as np
import pytest
import xarray as xr
from zoo import ZOO

import multiloop as ml


@pytest.fixture(scope="module")
def flat():
    return ml.inverse(ZOO["four-bar"].build(), cycle=9)


@pytest.fixture(scope="module")
def space():
    return ml.inverse(ZOO["RSSR"].build(), cycle=5)


def test_the_dataset_is_labelled(flat):
    data = flat.dataset
    sizes = {"time": 9, "joint": 4, "axis": 2, "coordinate": 4}
    assert {dimension: data.sizes[dimension] for dimension in sizes} == sizes
    assert data.force.sel(joint="C").values == pytest.approx(flat["C"].force)
    assert data["load"].sel(joint="D").values == pytest.approx(flat["D"].load)
    assert data.effort.sel(coordinate="A").values == pytest.approx(flat["A"].effort)
    assert data.force.attrs["units"] == "N"
    assert data.attrs["mechanism"] == "four-bar"
    assert data.attrs["fingerprint"] == flat.mechanism.fingerprint


def test_the_dataset_in_space_names_coordinates_by_joint_and_component(space):
    data = space.dataset
    assert list(data.coordinate.values) == [
        "A",
        *(f"{joint}.turn_{axis}" for joint in "BC" for axis in "xyz"),
        "D",
    ]
    assert data.moment.dims == ("time", "joint", "axis")
    assert data.rate.sel(coordinate="B.turn_y").values == pytest.approx(space["B"].rate[:, 1])
    assert bool(data.determined.all())


def test_undetermined_joints_are_marked_in_the_dataset():
    data = ml.inverse(ZOO["four-bar-space"].build(), t=[0.0]).dataset
    assert not data.determined.any()


def test_the_whole_mechanism_is_in_it(flat, space):
    for result, data in ((flat, flat.dataset), (space, space.dataset)):
        assert data.power.values == pytest.approx(result.power)
        assert data.shaking_force.values == pytest.approx(result.shaking_force)
        assert data.shaking_moment.values == pytest.approx(result.shaking_moment)
        assert "work" not in data
    assert flat.dataset.angular_momentum.values == pytest.approx(flat.momentum[:, 0])
    assert flat.dataset.momentum.sel(axis="y").values == pytest.approx(flat.momentum[:, 2])
    assert space.dataset.angular_momentum.values == pytest.approx(space.momentum[:, :3])
    assert space.dataset.momentum.sel(axis="z").values == pytest.approx(space.momentum[:, 5])


def test_a_simulation_has_its_work():
    run = ml.simulate(ZOO["four-bar"].build(), until=0.02, samples=3, rtol=1e-6)
    assert run.dataset.work.values == pytest.approx(run.work)
    assert run.dataset.work.attrs["units"] == "J"


def test_every_number_has_a_unit(flat, space):
    for data in (flat.dataset, space.dataset):
        bare = [name for name, values in data.data_vars.items() if "units" not in values.attrs]
        assert bare == ["determined"]
        assert data.time.attrs["units"] == "s"
    assert flat.dataset.rate.attrs["units"] == "rad/s"
    assert flat.dataset.momentum.attrs["units"] == "kg m/s"


def test_angles_and_lengths_side_by_side_have_units_of_their_own():
    data = ml.inverse(ZOO["slider-crank"].build(), t=[0.0]).dataset
    assert data.rate.attrs["units"] == "rad/s or m/s"
    assert data.rate.sel(coordinate="guide").rate_units == "m/s"
    assert data.effort.sel(coordinate="guide").effort_units == "N"
    assert data.position.sel(place="guide").position_units == "m"


def test_a_quaternion_has_no_unit(space):
    units = dict(zip(space.dataset.place.values, space.dataset.position_units.values, strict=True))
    assert units["A"] == "rad"
    assert [units[f"B[{k}]"] for k in range(4)] == ["1"] * 4


def test_it_goes_to_a_file_and_back(space, tmp_path):
    path = tmp_path / "loads.nc"
    space.dataset.to_netcdf(path, engine="scipy")
    with xr.open_dataset(path, engine="scipy") as read:
        assert np.array_equal(read.force.values, space.dataset.force.values)
        assert read.acceleration.attrs["units"] == "rad/s2"
        assert read.attrs["status"] == "ok"
