"""Orientations in time: every form of description gives the same unit quaternion."""

from math import factorial

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from zoo.plain import free_body

import multiloop as ml
from multiloop.model.expressions import derivative, evaluate, lift
from multiloop.model.profiles.orientations import HIGHEST_ORDER, STUMPFF, unit_quaternion


def at(profiles, t):
    return np.array([evaluate(lift(profile), time=t) for profile in profiles])


@pytest.mark.parametrize("n", range(HIGHEST_ORDER + 1))
def test_stumpff_functions_are_their_series(n):
    for x in (0.0, 1e-9, 0.3, 5.0, 11.99, 12.01, 40.0):
        terms = [(-x) ** k / factorial(2 * k + n) for k in range(60)]
        assert STUMPFF[n](x) == pytest.approx(sum(terms), rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("n", range(HIGHEST_ORDER - 1))
def test_their_slopes_are_differences(n):
    slope = derivative(STUMPFF[n](ml.time))
    for x in (0.4, 11.0, 14.0):
        h = 1e-5
        found = (STUMPFF[n](x + h) - STUMPFF[n](x - h)) / (2 * h)
        assert evaluate(slope, time=x) == pytest.approx(found, abs=1e-9)


def test_a_rotation_vector_turns_as_scipy_does_through_zero_and_beyond_a_turn():
    vector = (0.7 * ml.time, -0.4 * ml.time, 1.1 * ml.time)
    profiles = unit_quaternion(vector)
    for t in (-1.0, 0.0, 1e-8, 0.5, 5.0):
        expected = np.roll(Rotation.from_rotvec(np.array([0.7, -0.4, 1.1]) * t).as_quat(), 1)
        found = at(profiles, t)
        assert found * np.sign(found @ expected) == pytest.approx(expected, abs=1e-14)
    rate = at([derivative(lift(p)) for p in profiles], 0.0)
    assert rate == pytest.approx([0, 0.35, -0.2, 0.55], abs=1e-15)


def test_an_axis_with_an_angle_and_a_quaternion_of_any_length():
    motion = ml.Motion("platform.c", orientation=((0, 0, 2), 0.5 * ml.time))
    assert at(unit_quaternion(motion.orientation), 1.0) == pytest.approx([np.cos(0.25), 0, 0, np.sin(0.25)])
    longer = unit_quaternion((2.0, 0.0, ml.time, 0.0))
    assert at(longer, 1.5) == pytest.approx(np.array([2, 0, 1.5, 0]) / 2.5)


def test_a_table_of_quaternions_turns_the_short_way():
    turns = [Rotation.from_rotvec([0, 0, angle]).as_quat()[[3, 0, 1, 2]] for angle in (0.0, 0.4, 0.8, 1.2)]
    turns[2] = -turns[2]
    profiles = unit_quaternion(ml.quaternion_table([0.0, 1.0, 2.0, 3.0], turns))
    for t in np.linspace(0, 3, 13):
        e = at(profiles, t)
        assert np.linalg.norm(e) == pytest.approx(1.0)
        assert 2 * np.arctan2(e[3], e[0]) == pytest.approx(0.4 * t, abs=1e-4)  # a spline through few points


def test_it_is_written_to_text_and_read_back():
    motion = ml.Motion("platform.c", x=0.1, orientation=(0.1 * ml.time, 0.0, 0.2))
    assert ml.from_text(ml.to_text(motion)) == motion


@pytest.mark.parametrize(
    ("orientation", "expected"),
    [
        ((1.0, 2.0), ("(1.0, 2.0)",)),
        ("up", ("'up'",)),
        ((0, 0, 0, 0), ()),
    ],
)
def test_invalid_orientations_are_reported(orientation, expected, texts):
    with pytest.raises(ml.ModelError) as caught:
        free_body(
            ml.Body("platform", mass=1.0, inertia=(1, 1, 1)),
            "one",
            joint="F",
            drives=[ml.Motion("platform.origin", orientation=orientation)],
        )
    texts.fault(caught.value, "D03", *expected)
