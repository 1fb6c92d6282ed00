"""Stable inversion of loops that couple the modes of several links: forward dynamics gives the motion back."""

from __future__ import annotations

import numpy as np
import pytest
from laws.coupled_modes import STAGE_STIFFNESS, driven_stage, space_four_bar
from texts import Texts

import multiloop as ml

RISE = ml.motion_laws.cycloidal(0.0, 0.002, duration=0.1)
ACROSS = ml.Motion("table.c", x=0.05 + RISE)
SWING = ml.Motion("motor", 0.001 * ml.expr.sin(60 * ml.time))


@pytest.mark.parametrize(
    ("machine", "asked"),
    [
        (driven_stage(ml.Motion("motor", RISE), by="spring"), {"t": np.linspace(0.0, 0.1, 101)}),
        (driven_stage(SWING, by="spring"), {"cycle": 101}),
        (driven_stage(ACROSS, by="rod"), {"t": np.linspace(0.0, 0.1, 101)}),
        (driven_stage(ACROSS, by="rod", modes=2), {"t": np.linspace(0.0, 0.1, 101)}),
    ],
    ids=["motor", "cycle", "table", "table alone"],
)
def test_the_table_follows_under_the_efforts_of_the_inversion(
    machine: ml.Mechanism, asked: dict[str, object]
) -> None:
    """With two modes per leaf spring all follow from the table; 1e-9 m is the effect of the run's tolerance on 2e-3."""
    found = ml.inverse(machine, elastic="stable", **asked)
    run = ml.simulate(
        machine.without_drives(),
        start=found.initial,
        efforts=found.efforts,
        until=float(found.time[-1]),
        samples=found.time.tolist(),
    )
    assert run.marker("table.c") == pytest.approx(found.marker("table.c"), abs=1e-9)


def test_at_rest_the_motor_holds_two_guided_beams() -> None:
    """F = 2 · 12 E I x/L³ if a rod connects it to the table; there is no vibration if both modes follow from the
    table."""
    found = ml.inverse(
        driven_stage(ACROSS, by="rod", modes=2), elastic="stable", t=np.linspace(0.0, 0.1, 101)
    )
    assert found["motor"].effort[-1] == pytest.approx(
        STAGE_STIFFNESS * 0.002, rel=1e-3
    )  # stiffer because the ends approach each other


def test_a_cycle_is_the_periodic_motion() -> None:
    machine = driven_stage(SWING, by="spring")
    one, other = ml.inverse(machine, elastic="stable", cycle=101), ml.periodic(machine).result
    largest = np.abs(other["motor"].effort).max()
    assert np.abs(one["motor"].effort).max() == pytest.approx(largest, rel=1e-3)  # instants apart


@pytest.mark.slow
def test_a_four_bar_in_space_follows_its_cycle() -> None:
    """A run from the beginning of the cycle follows the cycle."""
    machine = space_four_bar(ml.motion_laws.constant_speed(5.0))
    found = ml.inverse(machine, elastic="stable", cycle=41)
    run = ml.simulate(
        machine,
        start=found.initial,
        until=float(found.time[-1]),
        samples=found.time.tolist(),
        integrator="implicit",
        rtol=1e-7,
    )
    eta, size = found.link("coupler").eta, np.abs(found.link("coupler").eta).max()
    assert run.link("coupler").eta == pytest.approx(eta, abs=1e-6 * size)
    assert run["A"].effort == pytest.approx(found["A"].effort, abs=1e-5 * np.abs(found["A"].effort).max())


def test_inversion_through_a_spring_alone_is_refused(texts: Texts) -> None:
    with pytest.raises(ml.MultiloopError) as caught:
        ml.inverse(driven_stage(ACROSS, by="spring"), elastic="stable", t=np.linspace(0.0, 0.1, 101))
    texts.fault(caught.value, "S01", "1", "'motor'")
