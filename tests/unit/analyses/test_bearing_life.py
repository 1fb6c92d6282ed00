"""Equivalent bearing load and rated life, against closed forms."""

from math import gamma, pi, sqrt

import numpy as np
import pytest
from zoo.plain import pinned_body, sliding_body

import multiloop as ml

SPEED, FORCE = 30.0, 500.0


def shaft(profile, force):
    return pinned_body(
        ml.Body("rotor", mass=2.0, inertia=0.1),
        name="shaft",
        gravity=(0, 0),
        drives=[ml.Motion("A", profile)],
        loads=[ml.Force("belt", "rotor.com", force)],
    )


def sinusoidal():
    return shaft(ml.motion_laws.constant_speed(SPEED), (FORCE * ml.expr.cos(SPEED * ml.time), 0.0))


def mean_power_of_cosine(p):
    """The mean of |cos|^p over a turn."""
    return gamma((p + 1) / 2) / (sqrt(pi) * gamma(p / 2 + 1))


@pytest.mark.parametrize("p", [3.0, 10 / 3])
def test_a_sinusoidal_load(p):
    joint = ml.inverse(sinusoidal(), cycle=721)["A"]
    expected = FORCE * mean_power_of_cosine(p) ** (1 / p)
    assert joint.equivalent_load(p) == pytest.approx(expected, rel=1e-8)
    if p == 3.0:
        assert expected == pytest.approx(FORCE * (4 / (3 * pi)) ** (1 / 3), rel=1e-14)
    hours = 1e6 * (2e4 / expected) ** p / (3600 * SPEED / (2 * pi))
    assert joint.rated_life(2e4, p) == pytest.approx(hours, rel=1e-7)


def test_a_run_gives_the_same_bearing_life():
    run = ml.simulate(sinusoidal(), start={"A": 0.0}, until=2 * pi / SPEED, samples=721)
    assert run["A"].equivalent_load() == pytest.approx(FORCE * (4 / (3 * pi)) ** (1 / 3), rel=1e-8)


def test_what_turns_faster_counts_more():
    """q = a sin ωt under F = F₀ sin ωt: P³ = F₀³ ∫ |sin|³ |cos| / ∫ |cos| = F₀³ / 4, mean |q̇| = 2 a ω / π."""
    a = 0.4
    swing = shaft(a * ml.expr.sin(SPEED * ml.time), (FORCE * ml.expr.sin(SPEED * ml.time), 0.0))
    joint = ml.inverse(swing, t=np.linspace(0, 2 * pi / SPEED, 4001))["A"]
    assert joint.equivalent_load() == pytest.approx(FORCE / 4 ** (1 / 3), rel=1e-6)
    hours = 1e6 * (2e4 / FORCE) ** 3 * 4 / (3600 * (2 * a * SPEED / pi) / (2 * pi))
    assert joint.rated_life(2e4) == pytest.approx(hours, rel=1e-6)


def test_a_guide_wears_by_its_way(texts):
    slide = sliding_body(
        ml.Body("table", mass=3.0),
        "table",
        joint="guide",
        drives=[ml.Motion("guide", 0.1 * ml.expr.sin(ml.time))],
    )
    guide = ml.inverse(slide, t=np.linspace(0, 2 * pi, 51))["guide"]
    assert guide.equivalent_load() == pytest.approx(3.0 * 9.81, rel=1e-12)
    with pytest.raises(ml.SolveError) as refused:
        guide.rated_life(2e4)
    texts.fault(refused.value, "R06", "'table'", "'guide'")


def test_nothing_to_carry_lasts():
    joint = ml.inverse(shaft(ml.motion_laws.constant_speed(SPEED), (0.0, 0.0)), cycle=37)["A"]
    assert joint.equivalent_load() == 0.0
    assert joint.rated_life(1e3) == float("inf")


@pytest.mark.parametrize(
    ("ask", "expected"),
    [
        (lambda joint: joint.equivalent_load(0.5), ("0.5", "3", "10")),
        (lambda joint: joint.rated_life(-1.0), ("-1.0",)),
    ],
)
def test_bad_numbers(ask, expected, texts):
    joint = ml.inverse(sinusoidal(), cycle=37)["A"]
    with pytest.raises(ml.SolveError) as refused:
        ask(joint)
    texts.fault(refused.value, "R06", "'shaft'", "'A'", *expected)


def test_a_bearing_at_rest_is_refused(texts):
    with pytest.raises(ml.SolveError) as refused:
        ml.inverse(shaft(0.0, (1.0, 0.0)), t=[0.0, 1.0])["A"].equivalent_load()
    texts.fault(refused.value, "R06", "'shaft'", "'A'", "`load`")
