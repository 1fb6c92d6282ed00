"""Marks along a curve are round numbers, few and evenly distributed, at the instants nearest to them."""

import numpy as np
import pytest
from unit.view.engine import engine

import multiloop as ml
from multiloop.view.plots.axis_scales import Abscissa, Units, abscissa_of, angle_step


@pytest.mark.parametrize(
    ("ends", "unit", "words"),
    [
        ((0.0, 360.0), "°", ["0°", "90°", "180°", "270°"]),  # a turn ends where it began
        ((30.0, 390.0), "°", ["90°", "180°", "270°", "360°"]),
        ((0.0, 720.0), "°", ["0°", "180°", "360°", "540°"]),
        ((-90.0, 90.0), "°", ["−90°", "−45°", "0°", "45°", "90°"]),
        ((0.0, 1.3), "s", ["0 s", "0.5 s", "1 s"]),
        ((0.0, 0.021), "s", ["0 s", "0.005 s", "0.01 s", "0.015 s", "0.02 s"]),
        ((2.0, 2.0), "s", ["2 s"]),
    ],
)
def test_marks_are_round_numbers(ends, unit, words):
    x = np.linspace(*ends, 721)
    marks = Abscissa(x, "", unit).marks()
    assert [said for _, said in marks] == words
    for place, said in marks:
        value = float(said.replace("−", "-").rstrip(f" {unit}"))
        assert x[place] == pytest.approx(value, abs=np.ptp(x) / 1440 + 1e-12)


def test_marks_of_a_motion_that_goes_back_are_at_their_first_instants():
    x = np.concatenate([np.linspace(0, 1, 11), np.linspace(0.9, 0, 10)])
    assert [place for place, _ in Abscissa(x, "", "s").marks()][-1] == 10


def test_a_slide_is_an_axis_of_lengths(texts):
    result = ml.inverse(engine(), cycle=9)
    over = abscissa_of(result, "cylinder", Units({"length": "mm"}))
    texts(over.label, "'cylinder'", "(mm)")
    assert over.values == pytest.approx(1000 * result["cylinder"].position)
    assert not over.degrees


@pytest.mark.parametrize(
    ("span", "step"), [(360.0, 45.0), (720.0, 90.0), (3600.0, 360.0), (32400.0, 3600.0), (5e6, 720000.0)]
)
def test_marks_of_many_turns_stay_apart(span: float, step: float) -> None:
    """Ten at most, however many turns a cycle of gears takes."""
    assert angle_step(span, 11) == step
