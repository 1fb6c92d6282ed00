"""Curves of a result: what they run over, in which unit, and what is named."""

import numpy as np
import pytest
from matplotlib.figure import Figure
from zoo import ZOO

import multiloop as ml
from multiloop.view.peaks import number, scaled


@pytest.fixture(scope="module")
def turning():
    return ml.inverse(ZOO["four-bar"].build(), cycle=25)


@pytest.fixture(scope="module")
def lifting():
    return ml.inverse(ZOO["excavator"].build(), t=np.linspace(0.0, 2.0, 9))


def test_turning_drive_gives_an_axis_of_degrees(turning):
    efforts, loads = turning.plot().axes
    assert loads.get_xlabel() == "angle of 'A' (°)"
    assert loads.get_xlim() == pytest.approx((0.0, 360.0))
    assert np.allclose(efforts.lines[0].get_ydata(), turning["A"].effort)


def test_other_drives_give_an_axis_of_time(lifting):
    efforts, loads = lifting.plot().axes
    assert loads.get_xlabel() == "time (s)"
    assert efforts.get_ylabel() == "effort (kN)"
    assert {text.get_text() for text in efforts.get_legend().get_texts()} == {"4", "10", "13"}


def test_all_loads_are_drawn_and_the_largest_named(turning):
    loads = turning.plot().axes[1]
    drawn = [line for line in loads.lines if len(line.get_xdata()) == 25]
    assert len(drawn) == len(turning.joints)
    largest = max(turning.joints.values(), key=lambda joint: joint.load.max())
    words = [text.get_text() for text in loads.texts]
    assert f"{largest.name} {number(float(largest.load.max()))} N" in words


def test_undetermined_loads_are_dashed():
    result = ml.inverse(ZOO["bennett"].build(), cycle=5)
    curves = [line for line in result.plot().axes[1].lines if len(line.get_xdata()) == 5]
    assert not any(joint.determined for joint in result.joints.values())
    assert all(line.get_linestyle() == "--" for line in curves)


@pytest.mark.parametrize("name", ["four-bar", "RSSR"])
def test_drawing_stands_beside_the_curves(name):
    result = ml.inverse(ZOO[name].build(), cycle=9)
    reference = f"{result.mechanism.moving[-1].name}.b"
    figure = result.plot(drawing=True, traces=[reference])
    assert isinstance(figure, Figure)
    assert figure.axes[0].name == ("rectilinear" if result.mechanism.planar else "3d")
    assert len(figure.axes) == 3


def test_picture_is_saved(tmp_path, turning):
    turning.plot(path=tmp_path / "loads.png")
    assert (tmp_path / "loads.png").stat().st_size > 5_000


def test_single_instant_can_be_plotted():
    result = ml.inverse(ZOO["four-bar"].build(), t=0.0)
    assert isinstance(result.plot(), Figure)


@pytest.mark.parametrize(
    ("value", "words"),
    [(100.327, "100.3"), (-6.5996, "−6.600"), (78412.0, "78412"), (0.0, "0"), (0.0123456, "0.01235")],
)
def test_numbers_have_four_digits_and_no_exponent(value, words):
    assert number(value) == words


def test_large_values_count_in_thousands():
    assert scaled(19_000.0, "N m") == (1.0, "N·m")
    assert scaled(-21_000.0, "N") == (1000.0, "kN")
