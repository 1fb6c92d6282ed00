"""Comparison of results with measured time histories: numbers, units, files and refused tables."""

import numpy as np
import pandas as pd
import pytest
from unit.io.result_files import guided_weight
from zoo.plain import pinned_body

import multiloop as ml

EXACT = 1e-4
"""Relative error of the interpolation between 361 instants of a cycle: of second order at extremes, (2π/360)²/8 of the
amplitude for the fundamental and more for harmonics."""


@pytest.fixture(scope="module")
def cycle():
    """A four-bar over a cycle, in the plane."""
    return ml.inverse(ml.examples.four_bar(), cycle=361)


@pytest.fixture(scope="module")
def between(cycle):
    """The same motion at other times, most of them between the instants of `cycle`, computed there."""
    times = np.linspace(0.01, 1.3, 40)
    return ml.inverse(ml.examples.four_bar(), t=times)


def test_measurements_equal_to_the_motion_have_no_difference(cycle, between):
    """Every name: a column of the table, an output, a marker; every unit converted from numbers computed there."""
    table = between.to_table(markers=["coupler.b"])
    effort, force = between["A"].effort, between["C"].force
    measured = pd.DataFrame(
        {
            "time [ms]": 1e3 * between.time,
            "A.effort [N mm]": 1e3 * effort,
            "C.force_x [kN]": force[:, 0] / 1e3,
            "C.force.y [N]": force[:, 1],
            "A.angle [deg]": np.degrees(between["A"].position),
            "D.position [°]": np.degrees(between["D"].position),
            "A.rate [rpm]": between["A"].rate * 30 / np.pi,
            "coupler.b.x [mm]": 1e3 * between.marker("coupler.b")[:, 0],
            "coupler.b.velocity_y [mm/s]": 1e3 * table["coupler.b.velocity_y [m/s]"].to_numpy(),
            "coupler.b.velocity.x [m/s]": between.velocity("coupler.b")[:, 0],
            "mechanism.energy [J]": between.kinetic_energy + between.potential_energy,
            "C.load": between["C"].load,
        }
    )
    comparison = cycle.compare(measured)
    assert list(comparison) == [title.partition(" [")[0] for title in measured][1:]
    for title in list(measured)[1:]:
        column = comparison[title.partition(" [")[0]]
        size = np.abs(column.measured).max()
        assert column.rms < EXACT / 5 * size, title
        assert abs(column.largest) < EXACT * size, title
        assert column.correlation == pytest.approx(1.0, abs=1e-8) or np.ptp(column.measured) < 1e-9 * size
    assert comparison["C.load"].unit == "N"
    assert comparison["C.force_x"].unit == "kN"


def test_measures_are_those_of_their_definition(cycle, between):
    """Known differences: root mean square, largest with its time, and NumPy's correlation coefficient."""
    d = np.random.default_rng(3).normal(0.0, 0.5, len(between.time))
    d[17] = -4.0
    measured = between["A"].effort - d
    column = cycle.compare(pd.DataFrame({"t": between.time, "A.effort [N m]": measured}))["A.effort"]
    np.testing.assert_allclose(column.difference, d, atol=EXACT * 9.0)
    assert column.rms == pytest.approx(np.sqrt((d**2).sum() / len(d)), rel=1e-4)
    assert column.largest == pytest.approx(-4.0, rel=1e-5)
    assert column.largest_time == pytest.approx(between.time[17], abs=1e-12)
    expected = np.corrcoef(between["A"].effort, measured)[0, 1]
    assert column.correlation == pytest.approx(expected, abs=1e-6)
    table = cycle.compare(pd.DataFrame({"t": between.time, "A.effort": measured})).table
    assert table.loc["A.effort", "rms"] == column.rms
    assert table.loc["A.effort", "instants"] == len(d)


def test_measured_times_are_shifted(cycle, between):
    measured = pd.DataFrame({"time": between.time + 7.5, "C.load [N]": between["C"].load})
    comparison = cycle.compare(measured, shift=-7.5)
    assert comparison["C.load"].rms < 1e-4
    assert comparison.shift == -7.5
    assert "shifted by -7.5 s" in repr(comparison)


def test_instants_outside_the_result_are_counted_and_left_out(cycle):
    times = np.array([-0.2, -0.1, 0.0, 0.5, 1.0, cycle.time[-1], 1.5])
    comparison = cycle.compare(pd.DataFrame({"time [s]": times, "A.angle [deg]": times}))
    assert comparison.outside == 3
    np.testing.assert_allclose(comparison["A.angle"].time, [0.0, 0.5, 1.0, cycle.time[-1]])
    expected = np.degrees(np.interp(comparison["A.angle"].time, cycle.time, cycle["A"].position))
    np.testing.assert_allclose(comparison["A.angle"].simulated - expected, expected[0] * 0, atol=1e-9)


def test_a_constant_has_no_correlation(cycle):
    comparison = cycle.compare(pd.DataFrame({"t": [0.1, 0.2], "A.effort [N m]": [1.0, 1.0]}))
    assert np.isnan(comparison["A.effort"].correlation)


def test_interpolation_does_not_overshoot_at_an_impact():
    """A weight that falls on an inelastic stop: its speed jumps to zero between two instants."""
    weight = guided_weight(loads=[ml.Stop("floor", "guide", low=0.0, restitution=0.0)])
    run = ml.simulate(weight, start={"guide": 0.2}, until=0.4, samples=21)
    times = np.linspace(0.0, 0.4, 401)
    zero = pd.DataFrame({"t": times, "guide.rate": 0 * times})
    simulated = run.compare(zero)["guide.rate"].simulated
    assert simulated.max() <= 1e-12
    assert simulated.min() >= run["guide"].rate.min()


def test_largest_values_along_flexible_bodies_are_compared():
    arm = ml.beam("arm", length=1.0, E=70e9, density=2700, section=ml.rectangle(0.02, 0.01), modes=2)
    run = ml.simulate(pinned_body(arm), start={"A": 0.5}, until=0.1, samples=11)
    stress = run.link("arm").largest("stress")
    comparison = run.compare(pd.DataFrame({"t": run.time, "arm.largest_stress [MPa]": stress / 1e6}))
    assert comparison["arm.largest_stress"].rms < 1e-12 * stress.max()


# files ----------------------------------------------------------------------------------------------------------------

FILES = {
    "commas": "time [s],C.load [N]\n0.1,20\n0.2,19.5\n0.3,\n0.4,5\n",
    "semicolons": "time [s];C.load [N]\n0,1;20\n0,2;19,5\n0,3;\n0,4;5\n",
    "semicolons and points": "time [s]; C.load [N]\n0.1; 20\n0.2; 19.5\n0.3; \n0.4; 5\n",
    "tabs": "time [ms]\tC.load [N]\n100\t20\n200\t19.5\n300\t\n400\t5.0\n",
    "comments": '\ufeff# rig 2\n\n"time [s]" , "C.load [N]"\r\n0.1,20\r\n# pause\r\n0.2,19.5\r\n0.3,\r\n0.4,5\r\n',
}


@pytest.mark.parametrize("name", FILES)
def test_files_with_other_separators_contain_the_same(name, cycle, tmp_path):
    path = tmp_path / "measured.csv"
    path.write_bytes(FILES[name].encode())
    column = cycle.compare(path)["C.load"]
    np.testing.assert_allclose(column.time, [0.1, 0.2, 0.4])
    np.testing.assert_allclose(column.measured, [20.0, 19.5, 5.0])


def test_a_table_that_was_written_is_compared_with_its_result(cycle, tmp_path):
    """All columns of `to_table` are names of measured columns too; the DataFrame has its time as index."""
    cycle.write(tmp_path / "cycle.csv", markers=["coupler.b"])
    for measured in (tmp_path / "cycle.csv", cycle.to_table(markers=["coupler.b"])):
        comparison = cycle.compare(measured)
        assert len(comparison) == 42
        assert max(one.rms for one in comparison.columns.values()) < 1e-12
        assert comparison.outside == 0


REFUSED = {
    "no time": ({"A.effort [N m]": [1.0]}, ("R10", "time")),
    "two times": ({"time": [0.1], "t": [0.1], "C.load": [1.0]}, ("R10", "2 columns")),
    "only time": ({"time": [0.1]}, ("R10", "no column")),
    "unit of time": ({"time [N]": [0.1], "C.load": [1.0]}, ("R10", "'N'", "ms")),
    "order": ({"time": [0.1, 0.3, 0.2], "C.load": [1.0, 1.0, 1.0]}, ("R10", "row 2", "0.2 s")),
    "missing time": ({"time": [0.1, np.nan], "C.load": [1.0, 1.0]}, ("R10", "row 1")),
    "not a number": (
        {"time": [0.1, 0.2], "C.load [N]": [1.0, "wet"]},
        ("R10", "'C.load [N]'", "'wet'", "row 1"),
    ),
    "empty": ({"time": [], "C.load": []}, ("R10", "no measured values")),
    "outside": ({"time": [5.0, 6.0], "C.load": [1.0, 1.0]}, ("R10", "5 to 6 s", "1.33344 s")),
    "no value": ({"time": [0.1, 6.0], "C.load": [np.nan, 1.0]}, ("R10", "'C.load'")),
    "unknown column": ({"time": [0.1], "C.forse_x [N]": [1.0]}, ("R01", "'C.forse_x [N]'", "'C.force_x'")),
    "unknown owner": ({"time": [0.1], "Z [N]": [1.0]}, ("R01", "'Z [N]'")),
    "unknown unit": ({"time": [0.1], "C.load [Nn]": [1.0]}, ("R10", "'C.load [Nn]'", "kN")),
    "other quantity": ({"time": [0.1], "C.load [mm]": [1.0]}, ("R10", "'C.load [mm]'", "length", "force")),
    "vector": ({"time": [0.1], "C.force [N]": [1.0]}, ("R10", "'C.force'", "C.force.x")),
}


@pytest.mark.parametrize("name", REFUSED)
def test_an_invalid_table_is_refused_with_its_place(name, cycle, texts):
    columns, (code, *words) = REFUSED[name]
    with pytest.raises(ml.MultiloopError) as caught:
        cycle.compare(pd.DataFrame(columns))
    texts.fault(caught.value, code, *words)


def test_all_faults_of_the_columns_are_reported_together(cycle, texts):
    measured = pd.DataFrame(
        {"t": [0.1], "C.forse_x [N]": [1.0], "C.load [mm]": [1.0], "A.effort [N m]": [1.0]}
    )
    with pytest.raises(ml.SolveError) as caught:
        cycle.compare(measured)
    assert [fault.code for fault in caught.value.faults] == ["R01", "R10"]
    texts(caught.value)


def test_invalid_files_are_refused_with_the_line(cycle, tmp_path, texts):
    path = tmp_path / "measured.csv"
    with pytest.raises(ml.ModelError) as caught:
        cycle.compare(path)
    texts.fault(caught.value, "F01", "measured.csv")
    for content, words in (
        ("time,C.load\n# nothing\n", ("no measured values",)),
        ("time,C.load\n0.1,1\n\n0.2\n", ("line 4", "1 cell", "2")),
        ("time,C.load\n0.1,1\n0.2,1;5\n", ("'C.load'", "line 3")),
        ("time,C.load,C.load\n0.1,1,1\n", ("'C.load'", "twice")),
    ):
        path.write_text(content, encoding="utf-8")
        with pytest.raises(ml.ModelError) as caught:
            cycle.compare(path)
        texts.fault(caught.value, "R10", *words)


def test_other_invalid_arguments_are_refused(cycle, texts):
    measured = pd.DataFrame({"t": [0.1], "C.load": [1.0]})
    for shift in ("1 s", np.nan, True):
        with pytest.raises(ml.ModelError) as caught:
            cycle.compare(measured, shift=shift)
        texts.fault(caught.value, "R10", "shift")
    with pytest.raises(ml.ModelError) as caught:
        cycle.compare([1.0, 2.0])
    assert "path" in str(caught.value)
    single = ml.inverse(ml.examples.four_bar(), t=0.1)
    with pytest.raises(ml.SolveError) as caught:
        single.compare(measured)
    texts.fault(caught.value, "R10", "several instants")
    with pytest.raises(ml.UnknownNameError) as caught:
        cycle.compare(measured)["C.laod"]
    texts.fault(caught.value, "R01", "'C.laod'", "'C.load'")


# texts and pictures ---------------------------------------------------------------------------------------------------


def test_it_is_printed_as_a_table(cycle, between, texts):
    measured = pd.DataFrame(
        {
            "time [s]": [*between.time, 2.0],
            "A.effort [N m]": [*(between["A"].effort + 0.25), 0.0],
            "C.force_x [kN]": [*(between["C"].force[:, 0] / 2e3), 0.0],
        }
    )
    comparison = cycle.compare(measured, shift=0.0)
    texts(repr(comparison), "0.25", "40", "1 measured instant", hide=[r"0\.99999\d*|1\.0000"])
    texts(repr(comparison["A.effort"]), "RMS difference 0.25 N m")


def test_the_plot_has_a_line_and_points_for_every_column(cycle, between, tmp_path):
    measured = pd.DataFrame(
        {"t": between.time, "A.effort [N mm]": 1e3 * between["A"].effort, "C.load [N]": between["C"].load}
    )
    comparison = cycle.compare(measured)
    figure = comparison.plot(path=tmp_path / "comparison.png")
    assert (tmp_path / "comparison.png").stat().st_size > 10_000
    assert len(figure.axes) == 2
    for axes, column in zip(figure.axes, comparison.columns.values(), strict=True):
        curve, points = axes.get_lines()
        np.testing.assert_allclose(curve.get_ydata(), column.curve)
        np.testing.assert_allclose(points.get_ydata(), column.measured)
        np.testing.assert_allclose(points.get_xdata(), column.time)
        assert [text.get_text() for text in axes.get_legend().get_texts()] == ["simulated", "measured"]
        assert column.unit in axes.get_ylabel()
    np.testing.assert_allclose(figure.axes[0].get_lines()[0].get_ydata(), 1e3 * cycle["A"].effort)
