"""Geometric stiffness of flexible links: rotating blades, columns, and agreement of the methods."""

from __future__ import annotations

import casadi as ca
import flexible_mechanisms
import numpy as np
import pytest

import multiloop as ml
from multiloop.model.markers import value_of

SLENDER = {"length": 1.0, "E": 1e8, "density": 1.0, "section": ml.Section(A=1.0, Iz=1e-8, Iy=1e-8, J=1e-8)}
"""E I = ρ A = L = 1, with a section for which rotary inertia is negligible."""


def blade(speed: float, way: str, **more: object) -> ml.Mechanism:
    """A cantilever on a shaft that rotates about z."""
    planar = way == "y"
    return ml.Mechanism(
        "blade",
        planar=planar,
        gravity=(0, 0) if planar else (0, 0, 0),
        bodies=[ml.ground(), ml.beam("blade", modes={way: 4}, frame="a", **SLENDER, **more)],
        joints=[ml.Revolute("shaft", "ground.origin", "blade.a")],
        drives=[ml.Motion("shaft", speed * ml.time)],
    )


FREQUENCIES = {
    "y": {0.0: 3.5160, 2.0: 3.6218, 4.0: 3.8977, 6.0: 4.2633},
    "z": {0.0: 3.5160, 2.0: 4.1373, 4.0: 5.5850, 6.0: 7.3604},
}
"""ω √(ρ A L⁴/E I) of a rotating cantilever without hub, chordwise and flapwise, by speed."""


@pytest.mark.parametrize("way", FREQUENCIES)
@pytest.mark.parametrize("speed", [0.0, 2.0, 4.0, 6.0])
def test_a_blade_that_spins_is_stiffer(way: str, speed: float) -> None:
    """First frequencies within 0.1 %, four modes."""
    swings = np.abs(ml.linearise(blade(speed, way)).eigenvalues.imag)
    assert np.sort(swings[swings > 1e-6])[0] == pytest.approx(FREQUENCIES[way][speed], rel=1e-3)


def test_without_stiffening_it_is_softer() -> None:
    """Chordwise it even becomes unstable: ω² = ω₀² − Ω²."""
    loose = np.linalg.eigvals(ml.linearise(blade(4.0, "y", stiffening=False)).A)
    assert loose.real.max() > 1.0


def column(load: float) -> ml.Mechanism:
    """A beam on two pins, compressed by a force."""
    return flexible_mechanisms.column(ml.beam("column", modes=2, **SLENDER), load)


@pytest.mark.parametrize("part", [-1.0, 0.3, 0.6, 0.9])
def test_a_column_under_its_load(part: float) -> None:
    """ω² = ω₀² (1 − P/P_E), P_E = π² E I/L²; under tension it is stiffer."""
    machine = column(part * np.pi**2)
    found = ml.eigenmodes(machine, ml.equilibrium(machine, guess={"foot": 0.0})).frequencies
    assert found[0] == pytest.approx(np.pi**2 * np.sqrt(1 - part), rel=2e-5)  # ω₀² of a polynomial mode: 2e-6


def test_beyond_its_load_it_buckles() -> None:
    """The straight equilibrium is unstable."""
    machine = column(1.1 * np.pi**2)
    assert ml.equilibrium(machine, guess={"foot": 0.0}).stable is False


STRIPS = {"E": 70e9, "density": 2700.0, "section": ml.rectangle(0.02, 0.004)}


def four_bar() -> ml.Mechanism:
    """Three strips of aluminium in a loop."""
    machine = ml.examples.four_bar().without_drives()
    for name, length in (("crank", 0.3), ("coupler", 0.9), ("rocker", 0.8)):
        machine = machine.with_body(ml.beam(name, length=length, **STRIPS))
    return machine


def thrown(**how: object) -> ml.Result:
    """Released with a deformed rocker."""
    start = {"A": 1.0, "rocker.eta": (0.05, 0.0)}
    return ml.simulate(four_bar(), start=start, until=0.05, samples=6, **how)


@pytest.mark.parametrize(
    "how",
    [
        {"method": "slm"},
        {"cuts": ["B"]},
        pytest.param({"method": "embedding"}, marks=pytest.mark.slow),
        pytest.param({"cuts": ["D"]}, marks=pytest.mark.slow),
    ],
)
def test_methods_and_cuts_agree_on_links_that_shorten(how: dict[str, object]) -> None:
    """Deflections, bearing forces, and the energy balance."""
    found, known = thrown(**how), thrown()
    assert found.link("rocker").eta == pytest.approx(known.link("rocker").eta, abs=1e-11)
    for joint in "ABCD":
        size = np.abs(known[joint].force).max()
        assert found[joint].force == pytest.approx(known[joint].force, abs=1e-7 * size)
    assert found.energy_drift < 1e-9


@pytest.mark.parametrize("modes", [{"y": 3}, {"y": 3, "x": 2}], ids=str)
def test_no_deflection_is_too_large_for_the_mass_matrix(modes: dict[str, int]) -> None:
    """The whole kinetic energy is included, so that it is never negative, even at deflections far beyond any use."""
    body = ml.beam("blade", modes=modes, frame="a", **SLENDER).reduced("a", value_of, True)
    eta, rng = ca.SX.sym("eta", body.elastic), np.random.default_rng(4)
    matrix = ca.Function("M", [eta], [body.inertia_at(eta).matrix])
    for size in np.repeat([0.03, 0.1, 0.3, 1.0], 25):
        M = np.delete(
            np.delete(matrix(size * rng.uniform(-1, 1, body.elastic)).full(), [0, 1, 5], 0), [0, 1, 5], 1
        )
        assert np.linalg.eigvalsh(M).min() > 0
