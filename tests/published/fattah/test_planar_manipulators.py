"""Fattah's planar manipulators: torques of the rigid ones, and the deviation of the flexible ones under them.

The thesis prints curves only; peaks of the torques are those of an independent computation, to four digits.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from published.fattah.manipulators import DENSITY, EI, HANDS, MOTORS, E, driven, needed

import multiloop as ml

TORQUES = {
    "cooperating": (5.706, 0.867, 3.339),
    "fast": (3.886, 2.150, 3.290),
    "slow": (2.054, 1.967, 1.441),
}
rigid = cache(needed)
bent = cache(driven)


@pytest.mark.parametrize("name", TORQUES)
def test_torques_of_the_rigid_manipulator(name: str) -> None:
    """Peaks in N m, to the digits known."""
    found = [np.abs(rigid(name)[joint].effort).max() for joint in MOTORS[name]]
    assert found == pytest.approx(TORQUES[name], abs=6e-4)


def hand(run: ml.Result, name: str) -> np.ndarray:
    """The path of the carried object."""
    return run.marker(HANDS[name])


@pytest.mark.parametrize(
    "name", ["cooperating", *(pytest.param(name, marks=pytest.mark.slow) for name in ("fast", "slow"))]
)
def test_the_energy_balance_closes(name: str) -> None:
    """Energy balances to 1e-9, and the hand deviates from its path by millimetres, not by less than a tenth."""
    run = bent(name, rigid=rigid(name))
    assert run.energy_drift < 1e-9
    off = np.abs(hand(run, name) - hand(rigid(name), name)[::10]).max()
    assert 1e-4 < off < 1e-2  # millimetres


@pytest.mark.slow
@pytest.mark.parametrize("name", ["slow", "fast"])
def test_modes_converge(name: str) -> None:
    """A third mode moves the hand by a twentieth of the effect of the first two, and the clamped frame by little
    more."""
    known = hand(rigid(name), name)[::10]
    two, three, clamped = (
        hand(bent(name, modes, rigid=rigid(name), **more), name)
        for modes, more in ((2, {}), (3, {}), (3, {"frame": "a"}))
    )
    off = np.abs(three - known).max()
    # a twentieth
    assert np.abs(three - two).max() < 0.05 * off
    assert np.abs(three - clamped).max() < 0.05 * off


@pytest.mark.slow
def test_modes_of_the_cooperating_arms() -> None:
    """The object deviates from its path by 0.713 mm; percentages by which modes of clamped links are smaller."""
    known = hand(rigid("cooperating"), "cooperating")[::10]

    def carried(modes: object, basis: str = "auto") -> np.ndarray:
        return hand(
            driven("cooperating", modes, rigid=rigid("cooperating"), frame="a", basis=basis), "cooperating"
        )

    converged = carried(6, "interface")
    off = np.abs(converged - known).max()
    assert off == pytest.approx(0.713e-3, abs=5e-7)

    def left_out(modes: object, basis: str = "auto") -> float:
        return float(100 * np.abs(carried(modes, basis) - converged).max() / off)

    assert [left_out(n, "natural") for n in (1, 2, 3, 4)] == pytest.approx([61, 18, 8.5, 4.6], rel=0.05)
    assert [left_out(n) for n in (2, 3)] == pytest.approx([3.6, 0.05], rel=0.1)
    assert left_out("auto") == pytest.approx(0.2, abs=0.05)


@pytest.mark.slow
@pytest.mark.parametrize("how", [{"cuts": ("B1", "B2")}, {"cuts": ("C1", "C3")}, {"method": "slm"}], ids=str)
def test_cuts_and_methods_do_not_matter(how: dict[str, object]) -> None:
    """Nor the direction of a link in the tree."""
    one, other = (driven("slow", rigid=rigid("slow"), **more) for more in ({}, how))
    assert hand(other, "slow") == pytest.approx(hand(one, "slow"), abs=1e-10)
    for link in ("proximal 1", "distal 3"):
        assert other.link(link).eta == pytest.approx(one.link(link).eta, abs=1e-10)


def test_damping_has_its_decrement() -> None:
    """A link on two pins, 1 % in each mode: ln of the ratio of two peaks is 2 π ζ/√(1 − ζ²)."""
    section = ml.Section(A=0.1652 / 1.2 / DENSITY, Iz=EI / E)
    link = ml.beam("link", length=1.2, E=E, density=DENSITY, section=section, damping=0.01, stiffening=False)
    machine = ml.Mechanism(
        "held link",
        planar=True,
        gravity=(0, 0),
        bodies=[ml.ground(b=(1.2, 0)), link],
        joints=[
            ml.Revolute("A", "ground.origin", "link.a"),
            ml.Revolute("B", "ground.b", "link.b"),
        ],
    )
    swing = np.pi**2 * np.sqrt(EI / (0.1652 / 1.2) / 1.2**4) * np.sqrt(1 - 0.01**2)
    times = 2 * np.pi / swing * np.arange(6)
    run = ml.simulate(machine, start={"link.eta": (0.01, 0.0)}, until=times[-1], samples=times, rtol=1e-10)
    ratio = run.link("link").eta[:-1, 0] / run.link("link").eta[1:, 0]
    # sixteen elements give the first frequency to 1e-6
    assert np.log(ratio) == pytest.approx(2 * np.pi * 0.01 / np.sqrt(1 - 0.01**2), rel=1e-4)


@pytest.mark.slow
def test_without_geometric_stiffening_the_fast_manoeuvre_is_stable_too() -> None:
    """§5.2.2 reports an unstable simulation; rates are a tenth of the lowest frequency, forces far below Euler's load.

    The energy balances, and the hand deviates by less than twice as much.
    """
    plain, stiffened = (
        driven("fast", rigid=rigid("fast"), stiffening=stiffening, frame="a") for stiffening in (False, True)
    )
    assert plain.energy_drift < 1e-9
    known = hand(rigid("fast"), "fast")[::10]
    off, usual = (np.linalg.norm(hand(run, "fast") - known, axis=1).max() for run in (plain, stiffened))
    assert off < 2 * usual < 4e-3
    euler = np.pi**2 * EI / 0.55**2
    for k in "123":
        assert np.abs(stiffened[f"C{k}"].force).max() < 0.1 * euler
        assert np.abs(stiffened[f"A{k}"].rate).max() < 0.15 * 3.516 * np.sqrt(EI / (0.0623 / 0.45) / 0.45**4)
