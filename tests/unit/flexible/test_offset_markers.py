"""Markers off the centreline of a beam, or beyond its end, move with their section."""

from __future__ import annotations

import numpy as np
import pytest
from zoo.plain import clamped_body

import multiloop as ml
from multiloop.flexible.beams.section_forces import section_wrenches

L, EI = 1.0, 70e9 * 0.02 * 0.008**3 / 12
STRIP = {"length": L, "E": 70e9, "density": 2700.0, "section": ml.rectangle(0.02, 0.008)}


def bracket(point: tuple[float, float], force: tuple[float, float], modes: int = 12) -> ml.Mechanism:
    """A cantilever with a bracket at its tip, on whose end a force acts."""
    bar = ml.beam("bar", frame="a", modes=modes, markers={"end": point}, **STRIP)
    return clamped_body(bar, name="bracket", gravity=(0, 0), loads=[ml.Force("push", "bar.end", force)])


def test_a_column_under_an_eccentric_load() -> None:
    """e (1/cos kL − 1), k² = P/E I: the tip of a clamped column whose load acts at the eccentricity e."""
    P, e = 5.0, 0.1
    state = ml.equilibrium(bracket((L, e), (-P, 0.0))).state
    k = np.sqrt(P / EI)
    # modes with a free tip converge slowly to its moment
    assert state.marker("bar.b")[1] == pytest.approx(e * (1 / np.cos(k * L) - 1), rel=5e-3)


def test_a_bar_that_reaches_beyond_its_end() -> None:
    """A force d beyond the tip deflects it by F L³/3EI + F d L²/2EI, and its end by the slope in addition."""
    F, d = 0.05, 0.3
    state = ml.equilibrium(bracket((L + d, 0.0), (0.0, F))).state
    slope = F * L**2 / (2 * EI) + F * d * L / EI
    tip = F * L**3 / (3 * EI) + F * d * L**2 / (2 * EI)
    # truncation of the modes, which is larger for slopes than for deflections
    assert state.marker("bar.b")[1] == pytest.approx(tip, rel=2e-3)
    assert state.marker("bar.end")[1] - state.marker("bar.b")[1] == pytest.approx(d * slope, rel=2e-2)


def test_a_twisted_bar_swings_its_arm() -> None:
    """T = F d on the bar, by an arm d along z of its tip: its end moves by d T L/G J."""
    d, F = 0.1, 1.0
    bar = ml.beam("bar", frame="a", modes={"twist": 6}, markers={"arm": (L, 0.0, d)}, **STRIP)
    machine = clamped_body(
        bar,
        "torsion bar",
        planar=False,
        gravity=(0, 0, 0),
        loads=[ml.Force("push", "bar.arm", (0.0, -F, 0.0))],
    )
    arm = ml.equilibrium(machine).state.marker("bar.arm")
    share = sum(8 / ((2 * k - 1) * np.pi) ** 2 for k in range(1, 7))  # of the result of six modes
    # small rotations, and polynomial modes in place of sines
    assert -arm[1] == pytest.approx(d * share * F * d * L / (bar.G * bar.section.J), rel=1e-4)


def test_nothing_is_lost_at_a_bracket() -> None:
    """Released under the force: energy balances, and both parts of every section agree."""
    machine = bracket((L, 0.1), (-3.0, 2.0), modes=3)
    run = ml.simulate(machine, until=0.05, samples=5, rtol=1e-11, target="interpreter")
    assert run.energy_drift < 1e-9
    link = run.link("bar")
    assert link.line is not None
    xi = np.linspace(0.0, 1.0, 9)
    one, other = (section_wrenches(link.line, link.loading, link.motion, xi, end) for end in "ba")
    assert np.abs(one - other).max() < 1e-10 * np.abs(one).max()
