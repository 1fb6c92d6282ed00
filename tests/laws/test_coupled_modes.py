"""Loops that couple the modes of several links: relaxed links are in equilibrium, and stay there when released."""

from __future__ import annotations

import numpy as np
import pytest
from laws.coupled_modes import LEAF_LENGTH, STAGE_STIFFNESS, leaf_stage, space_four_bar, tied_bar

import multiloop as ml

EXACT = 1e-9
"""Of the largest η: both are found by Newton's method to round-off, magnified by stiff modes."""


def relaxed(machine: ml.Mechanism, **asked: object) -> ml.Result:
    return ml.simulate(machine, **{"until": 2e-3, "start": "relaxed", "samples": 5} | asked)


def assert_at_rest(run: ml.Result, standing: ml.Equilibrium) -> None:
    """In equilibrium from the first instant to the last."""
    for name in run.links:
        eta, expected = run.link(name).eta, standing.state.eta[name]
        size = np.abs(expected).max()
        assert eta == pytest.approx(np.tile(expected, (len(eta), 1)), abs=EXACT * size)


MACHINES = {
    "leaf stage": lambda: leaf_stage(loads=[ml.Force("F", "table.c", (1.0, -0.2))]),
    "weld and guide": lambda: tied_bar(ml.Fixed, ml.Prismatic, 4),
    "two welds": lambda: tied_bar(ml.Fixed, ml.Fixed, {"y": 4, "x": 2}),
    "two pins": lambda: tied_bar(ml.Revolute, ml.Revolute, {"y": 3, "x": 1}),
    "four-bar in space": space_four_bar,
}


@pytest.mark.parametrize("name", MACHINES)
def test_relaxed_links_are_those_of_the_equilibrium(name: str) -> None:
    machine = MACHINES[name]()
    assert_at_rest(relaxed(machine), ml.equilibrium(machine))


def test_a_leaf_stage_deflects_as_two_guided_beams() -> None:
    """x = F L³/(2 · 12 E I); the deflection moves the table towards the ground by 0.6 x²/L."""
    pushed = leaf_stage(loads=[ml.Force("F", "table.c", (1.0, 0.0))])
    x, y = relaxed(pushed).marker("table.c")[0] - (0.05, LEAF_LENGTH)
    assert x == pytest.approx(
        1.0 / STAGE_STIFFNESS, rel=2e-4
    )  # stiffer by 1e-4, because the ends approach each other
    assert y == pytest.approx(-0.6 * x**2 / LEAF_LENGTH, rel=2e-3)  # the next power of x/L, and axial strain


def test_a_bar_on_two_pins_sags_by_its_weight() -> None:
    """w = 5 q L⁴/(384 E I) at its middle; the truncation error of three modes is 2e-3 of it."""
    bar = relaxed(tied_bar(ml.Revolute, ml.Revolute, {"y": 3, "x": 1})).link("bar")
    q, EI = 2700.0 * 1e-4 * 9.81, 70e9 * 0.01**4 / 12
    # truncation, as above
    assert bar.deflection(0.4)[0, 1] == pytest.approx(-5 / 384 * q * 0.8**4 / EI, rel=3e-3)


def test_a_four_bar_under_its_holding_efforts_stays_at_rest() -> None:
    machine = space_four_bar()
    standing = ml.equilibrium(machine)
    efforts = {"A": float(standing.result["A"].effort[0])}
    free = machine.without_drives()
    run = relaxed(free, start={"A": 1.0, "eta": "relaxed"}, efforts=efforts)
    assert run["A"].position[0] == pytest.approx(1.0, abs=1e-15)
    assert_at_rest(run, standing)


def test_a_link_that_is_not_relaxed_keeps_its_deformation() -> None:
    """Of two leaf springs one is relaxed: the other one, and with it the table, keeps its position.

    By its deflection of 1e-6 m the first is shorter by some 1e-11 m, by which the second is compressed.
    """
    pushed = leaf_stage(loads=[ml.Force("F", "table.c", (1.0, 0.0))])
    run = relaxed(pushed, start={"l1.eta": "relaxed"})
    assert np.abs(run.link("l2").eta[0]).max() < 1e-10
    assert run.marker("table.c")[0] == pytest.approx((0.05, LEAF_LENGTH), abs=1e-10)
    assert np.abs(run.link("l1").eta[0]).max() > 1e-7


def test_modes_fixed_by_the_loops_stay_zero() -> None:
    """Two modes between two welds cannot be deformed."""
    run = relaxed(tied_bar(ml.Fixed, ml.Fixed, 2))
    assert np.abs(run.link("bar").eta).max() < 1e-15
