"""The table of largest values: efforts by coordinate, loads, and the moments of joints that transmit any."""

import numpy as np
import pytest
from laws.closed_positions import built
from zoo.plain import lift, sliding_body

import multiloop as ml


def offset_press():
    """A guide carries a table whose weight acts beside it: a moment in the plane."""
    return sliding_body(
        ml.Body("table", mass=4.0, com=(0.0, -0.25), inertia=0.1),
        "press",
        joint="guide",
        gravity=(0.0, 0.0),
        drives=[ml.Motion("guide", 0.1 * ml.expr.sin(3 * ml.time))],
    )


def moments(result):
    return {row.joint: row for row in result.extremes() if row.what == "moment"}


def test_a_guide_in_the_plane_has_a_moment():
    """The table is driven at its guide, 0.25 m from its mass centre: moment = 0.25 m × 4 kg × acceleration."""
    result = ml.inverse(offset_press(), t=np.linspace(0.0, 0.5, 11))
    (row,) = moments(result).values()
    k = int(np.abs(result["guide"].acceleration).argmax())
    assert row.value == pytest.approx(abs(0.25 * 4.0 * result["guide"].acceleration[k]), rel=1e-9)
    assert (row.joint, row.unit, row.time) == ("guide", "N m", result.time[k])


def test_moments_in_space_follow_the_loads_largest_first():
    result = ml.inverse(built("RSSR"), cycle=9)
    assert [row.what for row in result.extremes()] == ["effort"] + ["load"] * 4 + ["moment"] * 2
    found = moments(result)
    assert set(found) == {"A", "D"}  # ball joints transmit none
    assert list(found) == sorted(found, key=lambda name: -found[name].value)
    assert found["A"].value == pytest.approx(np.linalg.norm(result["A"].moment, axis=1).max())


def test_pins_in_the_plane_have_no_moment():
    assert not moments(ml.inverse(built("four-bar"), cycle=9))


def test_efforts_are_named_by_coordinate_where_there_are_several():
    mechanism = lift(drives=[ml.Motion("C", angle=2 * ml.time**2, slide=0.1 * ml.time**3)])
    efforts = [row for row in ml.inverse(mechanism, t=[0.0, 0.5]).extremes() if row.what == "effort"]
    assert [(row.joint, row.unit) for row in efforts] == [("C.angle", "N m"), ("C.slide", "N")]
    assert [row.value for row in efforts] == pytest.approx([2.0, 30.33])


def test_zero_has_no_sign():
    backwards = built("four-bar").replace(drives=[ml.Motion("A", -1e-9 - 4.712 * ml.time)])
    assert "-0.00" not in str(ml.inverse(backwards, t=[0.0, 1e-9]).extremes())
