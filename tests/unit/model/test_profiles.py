"""The motion laws of drives, against their closed forms, and the periods of drives."""

from math import pi, tau

import numpy as np
import pytest

from multiloop import Parameter, position, table, time
from multiloop.model import constant_speed, cycloidal, period_of
from multiloop.model.expressions import Constant, derivative, evaluate, functions
from multiloop.model.expressions.breakpoints import common_period

OMEGA = Parameter("omega", 4.0)


def test_constant_speed(texts):
    profile = constant_speed(4.712, start=0.5)
    times = np.linspace(0, 2, 5)
    assert evaluate(profile, time=times) == pytest.approx(0.5 + 4.712 * times)
    assert derivative(profile) == Constant(4.712)
    assert derivative(derivative(profile)) == Constant(0)
    texts(constant_speed(OMEGA), '"omega"', "4")


def test_cycloidal_follows_its_formula_and_rests_outside():
    profile = cycloidal(0.2, 1.7, duration=2.0, begin=0.5)
    u = np.linspace(0, 1, 21)
    times = 0.5 + 2 * u
    position, rate, acceleration = profile, derivative(profile), derivative(derivative(profile))
    assert evaluate(position, time=times) == pytest.approx(0.2 + 1.5 * (u - np.sin(tau * u) / tau))
    assert evaluate(rate, time=times) == pytest.approx(1.5 / 2 * (1 - np.cos(tau * u)), abs=1e-14)
    assert evaluate(acceleration, time=times) == pytest.approx(1.5 / 4 * tau * np.sin(tau * u), abs=1e-14)
    outside = np.array([-1.0, 0.499, 2.501, 9.0])
    assert evaluate(position, time=outside) == pytest.approx([0.2, 0.2, 1.7, 1.7])
    for slope in (rate, acceleration):
        assert evaluate(slope, time=outside) == pytest.approx(0, abs=1e-15)


def test_cycloidal_takes_parameters():
    profile = cycloidal(
        0, Parameter("stroke", 0.3), duration=Parameter("seconds", 2.0), begin=Parameter("b", 1)
    )
    assert evaluate(profile, time=9.0) == pytest.approx(0.3)
    assert evaluate(profile, time=1.5, parameters={"seconds": 1.0}) == pytest.approx(0.15)


@pytest.mark.parametrize("duration", [0, -1.0, Parameter("seconds", 0.0)])
def test_cycloidal_needs_time(duration, texts):
    with pytest.raises(ValueError) as caught:
        cycloidal(0, 1, duration=duration)
    texts(caught.value)


def test_tables_are_profiles():
    assert evaluate(table([0, 1, 2], [0, 1, 0]), time=1.0) == 1.0


@pytest.mark.parametrize(
    ("profile", "turn", "period"),
    [
        (constant_speed(4.712), tau, tau / 4.712),
        (constant_speed(-OMEGA, start=1), tau, tau / 4),
        (constant_speed(2.0), 0.0, None),
        (constant_speed(0.0), tau, None),
        (3.0, tau, None),
        (table([0, 1, 3], [0, 1, 0], periodic=True), tau, 3.0),
        (table([0, 1, 3], [0, 1, 0], periodic=True, of=2 * time), 0.0, 1.5),
        (table([0, 1, 3], [0, 1, 0]), tau, None),
        (1 + 0.3 * functions.sin(OMEGA * time - 1), tau, tau / 4),
        (functions.sin(functions.cos(5 * time)), tau, tau / 5),
        (functions.sin(2 * time) + functions.cos(6 * time) ** 2, tau, pi),
        (functions.sin(2 * time) + functions.cos(3.1 * time), tau, 20 * pi),
        (functions.sin(2 * time) + functions.cos(3.14159 * time), tau, None),
        (4 * time + 0.1 * functions.sin(4 * time), tau, tau / 4),
        (3 * time + 0.1 * functions.sin(4 * time), tau, tau),
        (3 * time + 0.1 * functions.sin(pi * time), tau, None),
        (0.1 * time + functions.sin(4 * time), 0.0, None),
        (time * functions.sin(time), tau, None),
        (cycloidal(0, 1, duration=1), tau, None),
        (functions.sin(time**2), tau, None),
        (functions.sin(time) + position("A"), tau, None),
    ],
)
def test_period(profile, turn, period):
    assert period_of(profile, turn) == (period if period is None else pytest.approx(period))
    if period is not None:
        times = np.linspace(0.1, 2.7, 9)
        advance = evaluate(profile, time=times + period_of(profile, turn)) - evaluate(profile, time=times)
        turns = advance / turn if turn else advance
        assert turns == pytest.approx(round(float(turns[0])) if turn else 0.0, abs=1e-9)


@pytest.mark.parametrize(
    ("periods", "together"),
    [
        ([], 0.0),
        ([0.3], 0.3),
        ([0.3, 0.2], 0.6),
        ([1.0, 0.001], 1.0),
        ([2.0, 3.0, 5.0], 30.0),
        ([25.0, 26.0], None),  # 25 of the longer one
        ([2.0, 3.0, 4.0], 12.0),
        ([1.0, 1.0 + 1e-6], None),
        ([1.0, 1.0 + 1e-14], 1.0),
        ([1.0, 1 / 24], 1.0),
        ([24.0, 23.0], 552.0),
        ([1.0, pi], None),
    ],
)
def test_a_common_period(periods, together):
    assert common_period(periods) == (together if together is None else pytest.approx(together))
