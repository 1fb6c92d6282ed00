"""Fattah's spatial manipulator in the library: rigid columns, torques, and its manoeuvre with flexible legs."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from published.fattah.spatial import BEGIN, DURATION, MOTORS, manipulator
from published.fattah.test_spatial_manipulator import ANGLES, BASE, ELBOWS, RATES, TABLES, TURNED
from texts import Texts

import multiloop as ml

TORQUES = (0.279, 0.092, 0.248)
"""Peaks of an independent computation, N m, to its digits."""

DAMPING = 0.03

STRAY = (67.3, 41.9)
"""Largest and final deviation of the platform in mm, by an independent computation with constraint modes."""


@cache
def rigid() -> ml.Result:
    return ml.inverse(manipulator(), t=np.linspace(0.0, DURATION, 601))


def test_the_library_gives_the_rigid_columns() -> None:
    """c, R_C, ċ and ω_C of Tables 6.2 and 6.3, to their digits, with the base that is fitted to them."""
    machine = manipulator(base=BASE, turned=TURNED).replace(drives=())
    machine = machine.replace(joints=[*machine.joints, ml.Free("pose", "ground.origin", "platform.com")])
    start, rates = (dict(zip(MOTORS, map(float, x), strict=True)) for x in (ANGLES, RATES))
    elbows = dict(zip(("B1", "B2", "B3"), ELBOWS["rigid"], strict=True))
    state = ml.assemble(machine, start, guess=elbows, rates=rates)
    c, R, c_rate, omega = TABLES["rigid"]
    assert state.marker("platform.com") == pytest.approx(c, abs=5e-3)
    assert state.body("platform")[:, :3] == pytest.approx(np.array(R), abs=1.1e-3)
    assert state["pose"].rate == pytest.approx([*c_rate, *omega], abs=5e-3)


def test_torques_of_the_rigid_manipulator() -> None:
    found = [np.abs(rigid()[motor].effort).max() for motor in MOTORS]
    assert found == pytest.approx(TORQUES, abs=6e-4)  # its digits


@cache
def bent(damping: float = DAMPING, each: int = 0, **more: object) -> ml.Result:
    """Under the torques of the rigid manipulator, undeformed and at rest at first, its links clamped to their axes.

    They have default modes, or this number in each plane.
    """
    modes = {"y": each, "z": each} if each else "auto"
    machine = manipulator(modes, damping=damping, **{"frame": "a"} | more).without_drives()
    machine = machine.replace(actuators=[ml.Actuator(motor) for motor in MOTORS])
    start, efforts = dict(zip(MOTORS, BEGIN, strict=True)), dict.fromkeys(MOTORS, rigid())
    return ml.simulate(machine, start=start, efforts=efforts, until=DURATION, samples=601, rtol=1e-9)


@pytest.mark.slow
def test_flexible_legs_move_the_platform() -> None:
    """The deviation of the platform, and the energy balance."""
    run, known = bent(), rigid().marker("platform.com")
    stray = 1e3 * np.linalg.norm(run.marker("platform.com") - known, axis=1)
    assert (stray.max(), stray[-1]) == pytest.approx(STRAY, abs=0.1)  # digits
    assert run.energy_drift < 1e-9
    assert run.status == "ok"


@pytest.mark.slow
def test_default_modes_are_converged() -> None:
    """At the end within a tenth of a millimetre of three constraint and fixed-interface modes in each plane."""
    default, three = (run.marker("platform.com")[-1] for run in (bent(), bent(each=3)))
    assert np.linalg.norm(default - three) < 1e-4


@pytest.mark.slow
def test_natural_modes_of_a_cantilever_are_warned_of(texts: Texts) -> None:
    """Two in each plane leave the platform 10 mm off at the end, since the elbows transmit moments."""
    run = bent(each=2, basis="natural")
    assert np.linalg.norm((run.marker("platform.com") - bent().marker("platform.com"))[-1]) > 5e-3
    texts(run.status, "'lower 2'", "16 %")


@pytest.mark.slow
def test_in_the_end_it_swings_on_nearly_straight() -> None:
    """At the end the elastic energy is a twentieth of its peak, and the kinetic energy between a tenth and a third.

    Damping reduces both.
    """
    run, undamped = bent(), bent(0.0)
    assert run.potential_energy[-1] < 0.05 * run.potential_energy.max()
    assert 0.1 < run.kinetic_energy[-1] / run.kinetic_energy.max() < 0.33
    assert run.potential_energy[-1] < undamped.potential_energy[-1]
    assert run.kinetic_energy[-1] < undamped.kinetic_energy[-1]


@pytest.mark.slow
def test_sections_at_the_motors_carry_their_torques() -> None:
    run = bent()
    for k, motor in enumerate(MOTORS, start=1):
        moment = run.link(f"lower {k}").moment(0.0)[:, 1]
        assert moment == pytest.approx(-run[motor].effort, abs=1e-9 * np.abs(moment).max()), motor
