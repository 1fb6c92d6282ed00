"""Summaries show numbers in the same units as plots: MPa, mm and kN; the data remain in SI units."""

import numpy as np
import pytest
from zoo.plain import pinned_body

import multiloop as ml
from multiloop.model.expressions.units import in_display_unit, quantity_text
from multiloop.view.plots.axis_scales import Units


@pytest.mark.parametrize(
    ("value", "unit", "shown"),
    [
        (6.75465e7, "Pa", "67.5465 MPa"),
        (0.00241111, "m", "2.41111 mm"),
        (0.5, "m", "0.5 m"),
        (0.0, "m", "0 m"),
        (19_999.0, "N", "19999 N"),
        (-25_000.0, "N", "-25 kN"),
        (44_200.0, "N m", "44.2 kN m"),
        (81_000.0, "W", "81 kW"),
        (3.0, "N s", "3 N s"),
    ],
)
def test_a_number_in_the_unit_of_its_size(value, unit, shown):
    assert quantity_text(value, unit) == shown


@pytest.mark.parametrize("value", [1e-4, 0.3, 1e3, 5e4, 2e8])
@pytest.mark.parametrize(
    ("unit", "quantity"), [("N", "force"), ("m", "length"), ("Pa", "stress"), ("W", "power")]
)
def test_axes_choose_the_same_unit(value, unit, quantity):
    factor, name = Units().scale(quantity, value)
    number, shown = in_display_unit(value, unit)
    assert shown == name
    assert number == pytest.approx(factor * value, rel=1e-15)


def test_the_table_converts_and_its_rows_do_not():
    press = pinned_body(
        ml.rod("arm", length=1.0, mass=8000.0),
        name="press",
        drives=[ml.Motion("A", ml.motion_laws.constant_speed(1.0))],
    )
    found = ml.inverse(press, t=np.linspace(0.0, 1.0, 5))
    (load,) = [row for row in found.extremes() if row.what == "load"]
    assert load.unit == "N"
    assert load.value > 70_000
    assert f"{load.value / 1e3:.6g} kN" in str(found.extremes())
    assert f"{load.value / 1e3:.6g} kN" in repr(found)
