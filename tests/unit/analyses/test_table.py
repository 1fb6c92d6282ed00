"""Results as tables: names with units, one row per instant, and a file from which they are read unchanged."""

import re

import numpy as np
import pandas as pd
import pytest
from laws.closed_positions import DRIVEN, assembled, built, duration
from laws.elastic_loops import BENT, WHERE, four_bar
from zoo import ZOO

import multiloop as ml


@pytest.fixture(scope="module")
def flat():
    return ml.inverse(built("four-bar"), cycle=9)


def answer_of(name):
    """A Result of any mechanism of the zoo."""
    mechanism = built(name)
    if name in DRIVEN:
        return ml.inverse(mechanism, t=np.linspace(0.0, 0.3 * duration(name), 4))
    return ml.forward(mechanism, assembled(name).coordinates())


WITH_UNIT = re.compile(r"[^\[\]]+(\[\d\][^\[\]]*)? \[[^\[\]]+\]")
"""A name, a coordinate by its number where it has one, and the unit."""


@pytest.mark.parametrize("name", ZOO)
def test_every_result_comes_back_from_a_file_unchanged(name, tmp_path):
    result = answer_of(name)
    body = result.mechanism.bodies[-1]
    table = result.to_table(markers=[f"{body.name}.origin"])
    assert len(table) == len(result.time)
    assert table.columns.is_unique
    assert all(WITH_UNIT.fullmatch(name) for name in (table.index.name, *table.columns))
    assert np.isfinite(table.to_numpy()).all()
    table.to_csv(tmp_path / "table.csv")
    back = pd.read_csv(tmp_path / "table.csv", index_col=0, float_precision="round_trip")
    pd.testing.assert_frame_equal(back, table, check_exact=True)


def test_the_columns_of_a_joint_stand_side_by_side(flat):
    table = flat.to_table()
    assert table.index.name == "time [s]"
    assert list(table.columns[:10]) == [
        "A.angle [deg]",
        "A.position [rad]",
        "A.rate [rad/s]",
        "A.acceleration [rad/s2]",
        "A.effort [N m]",
        "A.force_x [N]",
        "A.force_y [N]",
        "A.load [N]",
        "B.position [rad]",
        "B.rate [rad/s]",
    ]
    assert list(table.columns[-3:]) == [
        "shaking_force_y [N]",
        "shaking_moment [N m]",
        "constraint_violation [1]",
    ]
    assert table["A.angle [deg]"].iloc[-1] == pytest.approx(360.0)


def test_the_numbers_are_those_of_the_result(flat):
    table = flat.to_table(markers="coupler.b")
    assert np.array_equal(table.index, flat.time)
    assert np.array_equal(table["A.effort [N m]"], flat["A"].effort)
    assert np.array_equal(table["C.force_y [N]"], flat["C"].force[:, 1])
    assert np.array_equal(table["D.load [N]"], flat["D"].load)
    assert np.array_equal(table["power [W]"], flat.power)
    assert np.array_equal(table["coupler.b.y [m]"], flat.marker("coupler.b")[:, 1])
    assert np.array_equal(table["coupler.b.velocity_x [m/s]"], flat.velocity("coupler.b")[:, 0])
    assert np.array_equal(table["coupler.b.acceleration_y [m/s2]"], flat.acceleration("coupler.b")[:, 1])


def test_efforts_that_do_not_act_and_loads_that_vanish_are_omitted(flat):
    columns = flat.to_table().columns
    assert not [name for name in columns if ".moment" in name]  # pins in the plane
    assert [name for name in columns if ".effort" in name] == ["A.effort [N m]"]
    slider = ml.inverse(built("slider-crank"), t=[0.0, 0.1]).to_table().columns
    assert [name for name in slider if ".moment" in name] == ["guide.moment [N m]"]
    spatial = ml.inverse(built("RSSR"), t=[0.0, 0.1]).to_table().columns
    assert "A.moment_z [N m]" in spatial
    assert not [name for name in spatial if name.startswith("B.moment")]  # a ball joint
    free = built("four-bar").without_drives()
    given = ml.simulate(free, until=0.1, start={"A": 1.0}, efforts={"A": 2.0}, samples=3).to_table()
    assert list(given["A.effort [N m]"]) == [2.0, 2.0, 2.0]


def test_joints_in_space_have_components_and_axes():
    table = ml.inverse(built("RSSR"), t=[0.0, 0.1]).to_table()
    names = ["B[3].position [1]", "B.turn_y.rate [rad/s]", "A.moment_z [N m]", "angular_momentum_x [kg m2/s]"]
    assert set(names) <= set(table.columns)


def test_loads_couplings_and_integrals_are_in_it():
    arms = [ml.rod(f"arm {x}", length=0.1, mass=1.0) for x in "AB"]
    shafts = ml.Mechanism(
        "shafts",
        planar=True,
        bodies=[ml.ground(A=(0, 0), B=(1, 0)), *arms],
        joints=[ml.Revolute(x, f"ground.{x}", f"arm {x}.a") for x in "AB"],
        pairs=[ml.Relation("gear", ml.position("A") - 3 * ml.position("B"))],
        loads=[
            ml.Force("push", "arm A.b", (1.0, 2.0)),
            ml.Spring("return", "arm A.b", "arm B.b", stiffness=5.0, length=0.4),
        ],
        integrals=[ml.Integral("error", ml.position("A"), start=0.25)],
        drives=[ml.Motion("A", ml.motion_laws.constant_speed(2.0))],
    )
    result = ml.inverse(shafts, t=[0.0, 0.1])
    table = result.to_table()
    assert np.array_equal(table["gear.effort_B [N m]"], result["gear"].efforts["B"])
    assert np.array_equal(table["push.force_y [N]"], result["push"].force[:, 1])
    assert np.array_equal(table["return.length [m]"], result["return"].length)
    assert list(table["error.integral"]) == [0.25, 0.25]
    assert result.dataset["effort_B gear"].attrs["units"] == "N m"


def test_a_table_contains_flexible_links_and_work():
    result = ml.simulate(four_bar(), until=0.01, start=BENT, guess=WHERE, samples=3, rtol=1e-6)
    table = result.to_table()
    assert np.array_equal(table["coupler.eta2.rate [1/s]"], result.links["coupler"].eta_rate[:, 1])
    assert np.array_equal(table["work [J]"], result.work)


def test_a_table_names_its_mechanism(flat):
    about = flat.to_table().attrs
    assert about["mechanism"] == "four-bar"
    assert (about["method"], about["status"], about["undetermined"]) == ("subsystem", "ok", {})
    loose = ml.inverse(built("two-bearings"), t=[0.0]).to_table().attrs["undetermined"]
    assert loose["left"]


def test_a_marker_that_is_not_there(flat, texts):
    with pytest.raises(ml.UnknownNameError) as caught:
        flat.to_table(markers=["couplr.b"])
    texts.fault(caught.value, "R01", "'coupler'")
    with pytest.raises(ml.UnknownNameError) as caught:
        flat.to_table(markers="coupler")
    texts.fault(caught.value, "R01", "'coupler.b'")


def test_velocities_are_asked_by_names_that_are_there(flat, texts):
    with pytest.raises(ml.UnknownNameError) as caught:
        flat.angular_velocity("rockr")
    texts.fault(caught.value, "R01", "'rocker'")
    with pytest.raises(ml.UnknownNameError) as caught:
        flat.velocity("crank")
    texts.fault(caught.value, "R01")


def test_a_state_of_a_load_has_one_column_with_its_unit():
    """Friction has its dissipated energy as a state too, which does not affect a prescribed motion."""
    worn = ml.inverse(built("slider-crank-worn"), t=np.linspace(0.0, 0.1, 4))
    assert "pin.heat" in worn.integrals
    assert worn.dataset["integrals"].attrs["units"] == "J"
    heat = [name for name in worn.to_table().columns if name.startswith("pin.heat")]
    assert heat == ["pin.heat [J]"]
