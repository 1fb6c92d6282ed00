"""[chaudhary] §6.1: the carpet scraper, its subsystems in the order they are solved, and its driving torque.

The paper shows the torque in a figure only; the numbers below were established from its data (Table 1, with
mass centres at mid-length, which all printed inertias fit) by two independent formulations.

Errata: the footnote of Table 1 means beyond joint III-3⁰; Table 2's matrix of subsystem I is 2×2, not 3×3.
"""

from functools import cache

import numpy as np
import pytest
from zoo import scraper
from zoo.plain import planar_four_bar

import multiloop as ml

GRID = 1441
"""Every quarter of a degree over one turn of the crank."""


@cache
def torque(gravity):
    mechanism = scraper.scraper("C")
    if not gravity:
        mechanism = mechanism.replace(gravity=(0, 0))
    result = ml.inverse(mechanism, cycle=GRID)
    return np.degrees(result["crank pivot"].position), result["crank pivot"].effort


def test_it_has_seven_links_ten_revolutes_three_loops_and_one_freedom():
    plan = ml.analyse(scraper.scraper("C"))
    assert len(plan.mechanism.moving) == 7
    assert [type(joint) for joint in plan.mechanism.connections] == [ml.Revolute] * 10
    assert len(plan.tree.loops) == 3
    assert plan.mobility == plan.count == 1
    assert plan.redundant == 0
    assert plan.idle == ()


def test_subsystem_iii_is_solved_first_then_i_then_ii():
    """Four unknowns from four equations, two from two, one from one: page 4, steps of the subsystem approach."""
    plan = ml.analyse(scraper.scraper("C"), cuts=scraper.PAPER_CUTS)
    stages = plan.determinacy.stages
    assert [stage.subsystems for stage in stages] == [("III",), ("I",), ("II",)]
    assert [stage.count for stage in stages] == [4, 2, 1]
    assert [stage.equations for stage in stages] == [4, 2, 1]
    assert [set(stage.unknowns) for stage in stages] == [
        {"Q/coupler", "Q/link7"},
        {"crank-coupler"},
        {"crank pivot"},
    ]
    assert plan.determinacy.complete
    assert plan.determinacy.recursive


def test_the_largest_torque_is_100_327_at_160_25_degrees():
    angle, effort = torque(gravity=True)
    k = int(np.argmax(np.abs(effort)))
    # All printed digits; the position of the maximum is that of the grid.
    assert abs(effort[k]) == pytest.approx(100.327, abs=5e-4)
    assert angle[k] == pytest.approx(160.25, abs=1e-9)


def test_the_torque_at_the_start_is_minus_6_5996():
    angle, effort = torque(gravity=True)
    assert angle[0] == pytest.approx(0.0, abs=1e-9)
    assert effort[0] == pytest.approx(-6.5996, abs=5e-5)  # printed digits
    assert effort[-1] == pytest.approx(effort[0], abs=1e-8)  # periodic after one turn


def test_without_gravity_the_largest_torque_is_94_275():
    _, effort = torque(gravity=False)
    assert np.abs(effort).max() == pytest.approx(94.275, abs=5e-4)  # printed digits


def test_over_a_turn_the_motor_does_no_work():
    """At constant speed the energy after a turn is that before: the mean torque vanishes, with and without weight."""
    for gravity in (True, False):
        _, effort = torque(gravity)
        # The mean over an even grid of a smooth periodic function converges faster than any power.
        assert np.mean(effort[:-1]) == pytest.approx(0.0, abs=1e-9 * np.abs(effort).max())


@pytest.mark.parametrize(("cut", "stages"), [("B", [(("II",), 2), (("I",), 1)]), ("C", [(("I", "II"), 3)])])
def test_a_four_bar_is_determinate_by_subsystems_or_only_as_a_whole(cut, stages):
    """Figure 3: (a) cut at the crank's end, (b) cut between coupler and rocker."""
    mechanism = planar_four_bar(drives=[ml.Motion("A", ml.motion_laws.constant_speed(4.712))])
    found = ml.analyse(mechanism, cuts=[cut]).determinacy
    assert [(stage.subsystems, stage.count) for stage in found.stages] == stages
    assert found.complete
    assert found.recursive == (cut == "B")
