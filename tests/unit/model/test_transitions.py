"""Motion laws between two values: exact ends, derivatives against differences, breakpoints for the time loop."""

from itertools import pairwise
from math import pi

import numpy as np
import pytest

from multiloop import Parameter, position
from multiloop.model import b_spline, trapezoidal
from multiloop.model.expressions import breakpoints, derivative, evaluate, parse
from multiloop.model.profiles import TRANSITIONS

SMOOTH = {
    "ramp": 0,
    "trapezoidal": 1,
    "cycloidal": 2,
    "polynomial_345": 2,
    "modified_sine": 2,
    "polynomial_4567": 3,
}
"""How many derivatives vanish at both ends and are continuous within."""

CASES = {name: law(0.1, 0.7, duration=0.9, begin=0.3) for name, law in TRANSITIONS.items()}
CASES["b_spline"] = b_spline([0.1, -0.4, 1.3, 0.2, 0.7], duration=0.9, begin=0.3)
ENDS = {**SMOOTH, "b_spline": 2}
PEAKS = {
    "ramp": (1.0, 0.0),
    "trapezoidal": (1.5, 4.5),
    "cycloidal": (2.0, 2 * pi),
    "polynomial_345": (1.875, 10 / np.sqrt(3)),
    "polynomial_4567": (35 / 16, 84 * np.sqrt(5) / 25),
    "modified_sine": (4 * pi / (4 + pi), 4 * pi**2 / (4 + pi)),
}
"""Largest speed and acceleration of a unit transition, from the formulas by hand."""


def derivatives(profile, count):
    found = [profile]
    for _ in range(count):
        found.append(derivative(found[-1]))
    return found


@pytest.mark.parametrize("name", CASES)
def test_ends_are_exact(name):
    profile = CASES[name]
    for t, value in ((-3.0, 0.1), (0.3, 0.1), (1.2, 0.7), (1.2 + 1e-9, 0.7), (4e6, 0.7)):
        exact = t != 1.2  # (1.2 - 0.3) / 0.9 is 1 only to round-off
        found = evaluate(profile, time=t)
        assert found == value if exact and name != "cycloidal" else found == pytest.approx(value, abs=4e-15)
    for order, slope in enumerate(derivatives(profile, ENDS[name])[1:], 1):
        for t in (-1.0, 0.3, 1.2, 5.0):
            assert evaluate(slope, time=t) == pytest.approx(0.0, abs=1e-11), (order, t)


@pytest.mark.parametrize("name", CASES)
def test_derivatives_are_those_of_the_profile(name):
    for value, slope in pairwise(derivatives(CASES[name], 3)):
        t = np.linspace(0.31, 1.19, 41) + 1e-4 * pi  # near every corner
        h = 1e-4
        stencil = [(1, -2), (-8, -1), (8, 1), (-1, 2)]
        difference = sum(w * evaluate(value, time=t + k * h) for w, k in stencil) / (12 * h)
        far = np.min(np.abs(t[:, None] - np.array(breakpoints(CASES[name]))), axis=1) > 3 * h
        size = np.abs(evaluate(slope, time=t)).max() + 1.0
        assert np.abs(difference - evaluate(slope, time=t) + 0 * t)[far].max() < 1e-8 * size


@pytest.mark.parametrize("name", PEAKS)
def test_peaks_are_those_of_the_books(name):
    _, speed, acceleration = derivatives(TRANSITIONS[name](0.0, 1.0, duration=1.0), 2)
    u = np.linspace(0, 1, 200_001)[:-1]
    for slope, peak in zip((speed, acceleration), PEAKS[name], strict=True):
        assert np.abs(evaluate(slope, time=u)).max() == pytest.approx(peak, rel=1e-8)


@pytest.mark.parametrize("name", CASES)
def test_continuous_at_joints_of_pieces(name):
    smooth = 4 if name == "b_spline" else SMOOTH[name]
    for order, slope in enumerate(derivatives(CASES[name], smooth)):
        corners = breakpoints(slope)
        for t in corners if order <= ENDS[name] else corners[1:-1]:
            before, here, after = (evaluate(slope, time=t + d) for d in (-1e-9, 0.0, 1e-9))
            # 1e-9 s of the next derivative
            assert abs(after - before) < 1e-4 * max(1.0, abs(here))
            assert abs(after - here) < 1e-4 * max(1.0, abs(here))


def test_slopes_at_a_joint_are_those_of_the_later_piece():
    acceleration = derivative(derivative(trapezoidal(0, 1, duration=4.0, ramps=0.25)))
    found = [evaluate(acceleration, time=t) for t in (0.0, 1.0, 3.0, 4.0)]
    assert found == pytest.approx([1 / 3, 0.0, -1 / 3, 0.0], abs=1e-15)


def test_corners_are_known():
    assert breakpoints(CASES["trapezoidal"]) == pytest.approx([0.3, 0.6, 0.9, 1.2])
    assert breakpoints(CASES["modified_sine"]) == pytest.approx([0.3, 0.3 + 0.9 / 8, 0.3 + 6.3 / 8, 1.2])
    assert breakpoints(TRANSITIONS["polynomial_345"](0, 1, duration=2.0)) == (0.0, 2.0)


@pytest.mark.parametrize("name", TRANSITIONS)
def test_functions_of_an_angle(name):
    lift = TRANSITIONS[name](0.0, 0.02, duration=pi / 2, begin=1.0, of=position("cam"))
    in_time = TRANSITIONS[name](0.0, 0.02, duration=pi / 2, begin=1.0)
    for angle in (0.9, 1.0, 1.4, 2.2, 3.0):
        assert evaluate(lift, position=lambda *_, angle=angle: angle) == evaluate(in_time, time=angle)


@pytest.mark.parametrize("name", CASES)
def test_texts_read_back(name):
    assert parse(str(CASES[name])) == CASES[name]


def test_texts_may_call_them():
    assert parse("trapezoidal(0, 1, duration=2, ramps=0.2)") == trapezoidal(0, 1, duration=2, ramps=0.2)
    assert parse("b_spline([0, 2, 1], duration=2)") == b_spline((0, 2, 1), duration=2)


def test_parameters_move_ends_and_corners():
    seconds, stroke = Parameter("seconds", 2.0), Parameter("stroke", 0.3)
    profile = trapezoidal(0.0, stroke, duration=seconds, ramps=Parameter("r", 0.25))
    assert evaluate(profile, time=1.0) == pytest.approx(0.15)
    assert evaluate(profile, time=9.0, parameters={"stroke": 0.4}) == 0.4
    assert breakpoints(profile, parameters={"seconds": 4.0}) == pytest.approx([0.0, 1.0, 3.0, 4.0])


def test_a_b_spline_stays_within_its_points_and_takes_parameters():
    t = np.linspace(0.3, 1.2, 400)
    found = evaluate(CASES["b_spline"], time=t)
    assert found.min() >= -0.4
    assert found.max() <= 1.3
    last = Parameter("last", 0.7)
    moved = b_spline([0.1, -0.4, 1.3, 0.2, last], duration=0.9, begin=0.3)
    assert evaluate(moved, time=t) == pytest.approx(found, abs=1e-15)


@pytest.mark.parametrize(
    ("law", "message"),
    [
        (lambda: TRANSITIONS["ramp"](0, 1, duration=0), ("0 s",)),
        (lambda: TRANSITIONS["ramp"](0, 1, duration=-2.0, of=position("A")), ("-2",)),
        (lambda: trapezoidal(0, 1, duration=1, ramps=0.7), ("0.7", "0.5")),
        (lambda: b_spline([1.0], duration=1), ("[1.0]",)),
        (lambda: b_spline([0, 1], duration=1, degree=1), ("1", "3", "9")),
    ],
)
def test_invalid_motion_laws_are_refused(law, message, texts):
    with pytest.raises(ValueError) as refused:
        law()
    texts(refused.value, *message)
