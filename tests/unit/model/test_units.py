"""Unit functions: numbers, arrays, points, expressions and parameters are converted to SI units."""

from math import pi

import numpy as np
import pytest

import multiloop as ml
from multiloop.model.expressions import evaluate


def test_numbers():
    assert ml.rpm(45) == pytest.approx(1.5 * pi)
    assert ml.deg(180) == pi
    assert isinstance(ml.deg(0), float)


def test_millimetres_are_the_numbers_that_one_would_write():
    assert [ml.mm(length) for length in range(1, 1001)] == [
        float(f"{length}e-3") for length in range(1, 1001)
    ]


def test_arrays_points_and_lists_stay_what_they_are():
    assert np.array_equal(ml.mm(np.array([[1, 2], [3, 4]])), [[0.001, 0.002], [0.003, 0.004]])
    assert ml.mm((30, -40)) == (0.03, -0.04)
    assert ml.deg([0.0, 90.0]) == [0.0, pi / 2]


def test_expressions_and_parameters_stay_open():
    stroke = ml.Parameter("stroke", 80.0)
    assert evaluate(ml.mm(stroke)) == 0.08
    assert evaluate(ml.rpm(ml.time), time=30.0) == pytest.approx(pi)
    point = ml.mm((stroke, 5))
    assert evaluate(point[0]) == 0.08
    assert point[1] == 0.005


def test_they_stand_in_a_description():
    speed = ml.Parameter("speed", 1500.0)
    mechanism = ml.Mechanism(
        "shaft",
        planar=True,
        bodies=[ml.ground(A=ml.mm((10, 20))), ml.rod("arm", length=ml.mm(120), mass=1.0)],
        joints=[ml.Revolute("A", "ground.A", "arm.a")],
        drives=[ml.Motion("A", ml.motion_laws.constant_speed(ml.rpm(speed), start=ml.deg(30)))],
    )
    result = ml.inverse(mechanism, t=[0.0])
    assert result["A"].rate[0] == pytest.approx(50 * pi)
    assert result["A"].position[0] == pytest.approx(pi / 6)
    assert mechanism.with_parameters({"speed": 3000.0}).parameters == {"speed": 3000.0}


@pytest.mark.parametrize(
    "value", ["30", None, True, float("nan"), np.array([1.0, np.inf]), 1j, np.array(["a"])]
)
def test_values_that_are_not_numbers_are_refused(value, texts):
    with pytest.raises(ml.ModelError) as caught:
        ml.mm(value)
    texts.fault(caught.value, "M12")
