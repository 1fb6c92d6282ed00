"""Gears in results: by name, in tables, in summaries, in files and for many designs."""

import numpy as np
import pytest
from laws.gearings import KINDS, planetary
from zoo.plain import two_shafts

import multiloop as ml


def pair(**given):
    a = ml.Parameter("a", 0.3)
    return two_shafts(
        ml.Body("one", mass=1.0, inertia=0.02),
        ml.Body("two", mass=2.0, inertia=0.08, com=(0.05, 0)),
        distance=a,
        name="pair",
        pairs=[ml.Gear("mesh", "one.origin", "two.origin", **given)],
        drives=[ml.Motion("A", ml.motion_laws.constant_speed(6.0))],
    )


def test_tables_datasets_extremes_and_words(texts):
    found = ml.inverse(planetary(3), t=[0.0, 0.01, 0.02])
    table, mesh = found.to_table(), found["sun mesh 1"]
    assert table["sun mesh 1.tangential [N]"].to_numpy() == pytest.approx(mesh.tangential)
    assert table["sun mesh 1.force_y [N]"].to_numpy() == pytest.approx(mesh.force[:, 1])
    assert found.dataset["radial sun mesh 1"].attrs["units"] == "N"
    rows = [row for row in found.extremes() if row.what == "teeth"]
    assert len(rows) == 6
    assert rows[0].value == pytest.approx(mesh.tangential[np.abs(mesh.tangential).argmax()], rel=1e-9)
    texts.lines(found.summary(), "mesh 0, ring mesh 0, sun mesh 1, ring mesh 1")
    texts(repr(mesh))
    assert "tangential" in dir(mesh)


def test_few_outputs_of_a_run_keep_the_forces():
    run = ml.simulate(planetary(drives=[]), until=0.02, samples=3, start={"S": 0.0})
    assert run["sun mesh 0"].tangential.shape == run.time.shape == (3,)
    assert run["sun mesh 0"].force.shape == (3, 2)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_goes_through_a_file_and_is_drawn(kind, tmp_path):
    mechanism = KINDS[kind]()
    ml.save(mechanism, tmp_path / "geared.yaml")
    assert ml.load(tmp_path / "geared.yaml") == mechanism
    start = {"S": 0.1} if kind == "planetary" else {"H": 0.2, "A": 0.1}
    figure = mechanism.replace(drives=[]).draw(start=start)
    lines = [
        line
        for axes in figure.axes
        for line in axes.lines
        if line.get_linestyle() == "-." or line.is_dashed()
    ]
    assert len(lines) >= (0 if "elt" in kind or kind == "chain" else 2)


def test_designs_of_other_radii_and_distances():
    """Radii are parameters: the ratio, the bearing loads and the distance of the axes change with them."""
    a, r = ml.Parameter("a", 0.3), ml.Parameter("r", 0.1)
    mechanism = pair(radii=(r, a - r))
    many = ml.batch(mechanism, {"r": [0.1, 0.12], "a": [0.3, 0.36]}, t=[0.0, 0.4])
    for k, values in enumerate(({"r": 0.1, "a": 0.3}, {"r": 0.12, "a": 0.36})):
        one = ml.inverse(mechanism.with_parameters(values), t=[0.0, 0.4])
        assert many.peak_effort["A"][k] == pytest.approx(np.abs(one["A"].effort).max(), rel=1e-11)
        assert many.peak_load["A"][k] == pytest.approx(one["A"].load.max(), rel=1e-11)
        assert many.peak_load["B"][k] == pytest.approx(one["B"].load.max(), rel=1e-11)
        rate = -6.0 * values["r"] / (values["a"] - values["r"])
        assert one["B"].rate == pytest.approx(rate, rel=1e-13)


def test_a_cycle_takes_all_wheels_round():
    found = ml.inverse(pair(teeth=(20, 30)), cycle=5)
    assert found.time[-1] == pytest.approx(3 * 2 * np.pi / 6.0)
    train = planetary(drives=[ml.Motion("S", ml.motion_laws.constant_speed(10.0))], loads=[])
    assert ml.inverse(train, cycle=5).time[-1] == pytest.approx(72 * 2 * np.pi / 10.0)


def test_which_of_two_bearings_is_driven_does_not_matter():
    """A shaft in two bearings: the gear refers to the driven one, which must stay in the tree."""
    for name in ("A", "A2"):
        plain = pair(teeth=(20, 40))
        twice = plain.replace(
            joints=[*plain.joints, ml.Revolute("A2", "ground.A", "one.origin")],
            drives=[ml.Motion(name, ml.motion_laws.constant_speed(6.0))],
        )
        assert ml.inverse(twice, t=[0.0])["B"].rate == pytest.approx(-3.0)
