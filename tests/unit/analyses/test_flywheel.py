"""Flywheels in closed form, and cases in which no flywheel can be found."""

from math import pi, tau

import numpy as np
import pytest
from laws.closed_positions import built
from zoo.plain import sliding_body

import multiloop as ml

SPEED = 12.0


def wheel(torque, motion=None, **changes):
    """A balanced wheel with a resisting torque that depends on its angle."""
    described = {
        "planar": True,
        "gravity": (0.0, 0.0),
        "bodies": [ml.ground(), ml.Body("wheel", mass=1.0, inertia=0.1)],
        "joints": [ml.Revolute("A", "ground.origin", "wheel.origin")],
        "drives": [ml.Motion("A", ml.motion_laws.constant_speed(SPEED) if motion is None else motion)],
        "loads": [ml.Torque("brake", "wheel", torque)],
    }
    return ml.Mechanism("wheel", **(described | changes))


def steady(torque, count=181, **changes):
    return ml.inverse(wheel(torque, **changes), cycle=count)


def refusal(result, Cs=0.02, **asked):
    with pytest.raises(ml.SolveError) as caught:
        result.flywheel(Cs, **asked)
    (fault,) = caught.value.faults
    return str(fault)


def test_a_sine_in_closed_form(texts):
    """τ = 3 + 5 sin θ is above its mean for half a turn: ΔE = ∫ 5 sin θ dθ from 0 to π = 10 J."""
    result = steady(-3.0 - 5.0 * ml.expr.sin(ml.position("A")))
    found = result.flywheel(Cs=0.05)
    assert found.energy == pytest.approx(10.0, rel=1e-7)
    assert found.effort == pytest.approx(3.0)
    assert found.inertia == pytest.approx(10.0 / (0.05 * SPEED**2), rel=1e-7)
    assert (found.joint, found.Cs, found.speed) == ("A", 0.05, pytest.approx(SPEED))
    assert found.fastest % tau == pytest.approx(0.0, abs=1e-6)
    assert found.slowest == pytest.approx(pi, abs=1e-6)
    texts(found, "'A'", "0.05", "1.38889 kg", "10 J")


def test_few_instants_do():
    """The error of a spline through 24 instants per turn is O(h⁴)."""
    result = steady(-5.0 * ml.expr.sin(ml.position("A")), count=25)
    assert result.energy_fluctuation() == pytest.approx(10.0, rel=1e-4)


def test_a_crank_may_turn_backward():
    torque = -3.0 - 5.0 * ml.expr.sin(ml.position("A"))
    found = steady(torque, motion=ml.motion_laws.constant_speed(-SPEED)).flywheel(0.05)
    assert found.energy == pytest.approx(10.0, rel=1e-7)
    assert found.slowest == pytest.approx(-pi, abs=1e-6)


SINE = -5.0 * ml.expr.sin(ml.position("A"))


def test_a_speed_that_changes(texts):
    turning = ml.motion_laws.constant_speed(SPEED) + 0.1 * ml.expr.sin(SPEED * ml.time)
    texts(refusal(steady(SINE, motion=turning)), "[R05]", "'A'", "10.8", "13.2 rad/s", "`inverse`")


def test_a_part_of_a_cycle(texts):
    result = ml.inverse(wheel(SINE), t=np.linspace(0.0, 0.3, 31))
    texts(refusal(result), "'A'", "0.572958")
    over_two = ml.inverse(
        wheel(-5.0 * ml.expr.cos(ml.position("A") / 2)), t=np.linspace(0.0, tau / SPEED, 31)
    )
    texts(refusal(over_two), "'A'", "-5 N m")
    texts(refusal(steady(SINE, count=9)), "16", "9")


def test_nothing_that_turns(texts):
    slide = sliding_body(
        ml.Body("table", mass=1.0),
        "slide",
        joint="guide",
        drives=[ml.Motion("guide", 0.1 * ml.expr.sin(ml.time))],
    )
    result = ml.inverse(slide, cycle=21)
    texts(refusal(result))
    texts(refusal(result, joint="guide"), "'guide'")
    with pytest.raises(ml.UnknownNameError):
        result.flywheel(0.02, joint="gide")


def test_an_effort_that_is_the_same_all_along(texts):
    texts(refusal(steady(-3.0)), "'A'")


@pytest.mark.parametrize("Cs", [0, -0.1, 1.0, "2 %", float("nan"), None, True])
def test_invalid_coefficients_are_refused(Cs, texts):
    result = ml.inverse(built("four-bar"), cycle=37)
    texts(refusal(result, Cs), "s=", "0.02")


@pytest.mark.parametrize("turns", [1, 3])
def test_part_of_a_cycle_is_refused(turns, texts):
    """At the dead centre gas gives no torque on any turn, but bearing loads differ."""
    part = ml.inverse(ml.examples.four_stroke_engine(), cycle=181, turns=turns)
    with pytest.raises(ml.SolveError) as caught:
        part.flywheel(Cs=0.02)
    texts.fault(caught.value, "R05")
