"""Axes have the requested units, in any spelling."""

import numpy as np
import pytest
from zoo import ZOO

import multiloop as ml
from multiloop.model.expressions.units import UNITS
from multiloop.view.plots.axis_scales import Units, units_of


@pytest.fixture(scope="module")
def four_bar():
    return ZOO["four-bar"].build()


def test_large_values_count_in_thousands():
    assert Units().scale("moment", 19_000.0) == (1.0, "N·m")
    assert Units().scale("force", -21_000.0) == (1e-3, "kN")
    assert Units().scale("angle", 21_000.0) == (pytest.approx(180 / np.pi), "°")  # there are no kilodegrees


def test_a_unit_that_is_asked_for_stays_whatever_the_size():
    assert Units({"force": "N"}).scale("force", 1e7) == (1.0, "N")


@pytest.mark.parametrize(
    ("spelled", "quantity", "unit", "size"),
    [
        ("deg", "angle", "°", np.pi / 180),
        ("degrees", "angle", "°", np.pi / 180),
        ("N mm", "moment", "N·mm", 1e-3),
        ("kNm", "moment", "kN·m", 1e3),
        ("N*m", "moment", "N·m", 1.0),
        ("1/min", "angular speed", "rpm", np.pi / 30),
        ("deg/s^2", "angular acceleration", "°/s²", np.pi / 180),
        ("mN", "force", "mN", 1e-3),
        ("MN", "force", "MN", 1e6),
    ],
)
def test_units_may_be_spelled_in_any_way(four_bar, spelled, quantity, unit, size):
    factor, words = units_of(four_bar, [spelled]).scale(quantity)
    assert words == unit
    assert factor == pytest.approx(1 / size)
    assert units_of(four_bar, {quantity: spelled}) == units_of(four_bar, spelled)


def test_no_spelling_stands_for_two_units(four_bar):
    for quantity, units in UNITS.items():
        for unit in units:
            assert units_of(four_bar, unit).asked == {quantity: unit}


def test_unknown_units_are_refused_with_a_suggestion(four_bar, texts):
    with pytest.raises(ml.UnknownNameError) as caught:
        units_of(four_bar, ["kNn"])
    texts.fault(caught.value, "R01", "'kNn'", "'kN'")
    with pytest.raises(ml.UnknownNameError) as caught:
        units_of(four_bar, {"forces": "kN"})
    texts.fault(caught.value, "R01", "'forces'", "'force'")


def test_contradictions_are_refused(four_bar, texts):
    with pytest.raises(ml.DrawingError) as caught:
        units_of(four_bar, {"force": "mm"})
    texts.fault(caught.value, "V01", "'force'")
    with pytest.raises(ml.DrawingError) as caught:
        units_of(four_bar, ["kN", "N"])
    texts.fault(caught.value, "V01")
    with pytest.raises(ml.DrawingError) as caught:
        units_of(four_bar, 3)
    texts.fault(caught.value, "V01", "3")


def test_small_lengths_count_in_millimetres_where_nobody_asks():
    assert Units().scale("length", 0.004) == (pytest.approx(1e3), "mm")
    assert Units().scale("length", 0.4) == (1.0, "m")
    assert Units().scale("length") == (1.0, "m")
    assert Units({"length": "cm"}).scale("length", 0.004) == (pytest.approx(1e2), "cm")
