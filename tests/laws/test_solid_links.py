"""Solid links in mechanisms: buckling, geometric stiffness and vibration agree with beams, in every method."""

from __future__ import annotations

import flexible_mechanisms
import numpy as np
import pytest
from zoo.plain import pinned_body

import multiloop as ml
from multiloop.dynamics.forward import METHODS

THIN = 0.01
COLUMN = {"E": 1.2e9, "nu": 0.3, "density": 1e4}
"""Of length 1 and section 0.01 × 0.01: E I = ρ A = 1."""


def slender(name: str, **more: object) -> ml.Solid:
    """A square bar of unit length."""
    given = {"mesh": ml.box_mesh(1.0, THIN, THIN, elements=(32, 1, 1)), "interfaces": {"a": "x0", "b": "x1"}}
    return ml.solid(name, **(given | COLUMN | more))


def column(load: float, **more: object) -> ml.Mechanism:
    """A solid on two pins, compressed by a force."""
    given = {"basis": "natural", "frame": "chord", "modes": 2} | more
    return flexible_mechanisms.column(slender("column", **given), load)


@pytest.mark.parametrize("part", [-1.0, 0.9])
def test_a_solid_column_under_its_load(part: float) -> None:
    """ω² = ω₀² (1 − P/P_E), P_E = π² E I/L², of slender theory; at 0.9 a hundredth of a percent of P_E is a tenth."""
    machine = column(part * np.pi**2)
    found = ml.eigenmodes(machine, ml.equilibrium(machine, guess={"foot": 0.0})).frequencies
    assert found[0] ** 2 == pytest.approx(np.pi**4 * (1 - part), rel=5e-3)


def test_beyond_its_load_it_buckles() -> None:
    """The straight equilibrium is unstable."""
    machine = column(1.1 * np.pi**2)
    assert ml.equilibrium(machine, guess={"foot": 0.0}).stable is False


def test_a_column_that_is_stretched_too_buckles_at_the_same_load() -> None:
    """With axial modes in the basis, whose coordinates measure the axial strain, while bending shortens the distance of
    the ends."""
    machine = column(0.6 * np.pi**2, basis="interface", modes=5)
    found = ml.eigenmodes(machine, ml.equilibrium(machine, guess={"foot": 0.0})).frequencies
    assert found[0] ** 2 == pytest.approx(np.pi**4 * 0.4, rel=1e-2)  # static modes, and shear of the elements


def blade(speed: float, **more: object) -> ml.Mechanism:
    """A cantilever on a shaft that rotates about z, free to flap and to lag."""
    given = {"basis": "natural", "modes": 6, "tie": "average"} | more
    return pinned_body(
        slender("blade", **given),
        "blade",
        joint="shaft",
        planar=False,
        gravity=(0, 0, 0),
        drives=[ml.Motion("shaft", speed * ml.time)],
    )


def test_a_blade_that_spins_is_stiffer() -> None:
    """ω √(ρ A L⁴/E I) at Ω = 4: chordwise 3.8977, flapwise 5.5850; three modes each."""
    swings = np.abs(ml.linearise(blade(4.0)).eigenvalues.imag)
    lowest = np.unique(np.round(np.sort(swings[swings > 1e-6]), 6))[:2]
    assert lowest == pytest.approx([3.8977, 5.5850], rel=1e-3)  # three modes, and shear of the elements


def four_bar() -> ml.Mechanism:
    """A four-bar whose coupler is a solid with constraint modes of its interfaces."""
    mesh = ml.box_mesh(0.9, 0.02, 0.03, elements=(5, 1, 1))
    coupler = ml.solid(
        "coupler",
        mesh=mesh,
        E=1e9,
        density=2700.0,
        interfaces={"a": "x0", "b": "x1"},
        modes=4,
        damping=0.01,
        markers={"p": (0.45, 0.01)},
    )
    return ml.examples.four_bar().without_drives().with_body(coupler)


START = {"A": 1.0, "coupler.eta": (0.02, -0.01, 0.003, 1e-5)}
RATES = {"A": 2.0, "coupler.eta": (0.2, 0.1, -0.3, 0.0)}
WHERE = {"coupler.b": (0.8, 0.7)}


def test_all_methods_agree_on_it_wherever_the_loop_is_cut() -> None:
    """To 1e-8 of the largest acceleration."""
    machine = four_bar()
    found = [
        ml.forward(machine, START, rates=RATES, guess=WHERE, method=method, cuts=[cut])
        for method, cut in [*((method, "B") for method in METHODS), ("sslm", "C"), ("sslm", "A")]
    ]
    bent = np.abs(found[0].link("coupler").eta_acceleration).max()
    for other in found[1:]:
        assert other["A"].acceleration == pytest.approx(found[0]["A"].acceleration, rel=1e-8)
        assert other.link("coupler").eta_acceleration == pytest.approx(
            found[0].link("coupler").eta_acceleration, abs=1e-8 * bent
        )
        for joint in "ABCD":
            size = np.abs(found[0][joint].force).max()
            assert other[joint].force == pytest.approx(found[0][joint].force, abs=1e-7 * size)


@pytest.mark.parametrize("target", ["c", "interpreter"])
def test_it_keeps_its_energy(target: str) -> None:
    """The energy balance with damping closes, and the loop remains closed at the deformed end."""
    run = ml.simulate(
        four_bar(), until=0.02, start=START, rates=RATES, guess=WHERE, rtol=1e-10, target=target, samples=5
    )
    assert run.energy_drift < 1e-8
    assert run.marker("coupler.b") == pytest.approx(run.marker("rocker.b"), abs=1e-11)
