"""Beams as bodies: mass properties, frequencies, stiffness, and errors."""

from __future__ import annotations

import numpy as np
import pytest
from texts import Texts
from zoo.plain import clamped_body

import multiloop as ml
from multiloop.flexible.beams.uniform_modes import element_gauss_points, shape_family

STEEL = {"E": 2.1e11, "density": 7850.0}


def arm(**more: object) -> ml.Beam:
    """A strip of steel."""
    given = {"length": 1.0, "section": ml.rectangle(0.05, 0.01), **STEEL} | more
    return ml.beam("arm", **given)


def clamped(beam: ml.Beam, planar: bool = True) -> ml.Mechanism:
    """A beam clamped at a, without weight."""
    still = (0, 0) if planar else (0, 0, 0)
    return ml.Mechanism(
        "clamped",
        planar=planar,
        gravity=still,
        bodies=[ml.ground(), beam],
        joints=[ml.Fixed("hold", "ground.origin", "arm.a")],
    )


def test_it_has_the_mass_of_the_rod_that_it_stands_for() -> None:
    """m = ρ A L, and m L²/12 up to the inertia of the section."""
    beam, rod = arm(), ml.rod("arm", length=1.0, mass=7850 * 5e-4)
    assert beam.mass == pytest.approx(rod.mass, rel=1e-14)
    assert beam.com == rod.com
    assert beam.inertia[2] == pytest.approx(7850 * 5e-4 / 12, rel=2e-4)  # (h/L)² = 1e-4


def betas(frame: str, elements: int) -> np.ndarray:
    """βL of the first three modes, by Rayleigh's quotient."""
    shapes, (xi, weight) = shape_family("y", 3, frame, elements), element_gauss_points(elements)
    found: np.ndarray = ((shapes.at(xi, 2) ** 2 @ weight) / (shapes.at(xi, 0) ** 2 @ weight)) ** 0.25
    return found


ROOTS = {"a": (1.8751040687, 4.6940911330, 7.8547574382), "chord": (np.pi, 2 * np.pi, 3 * np.pi)}
"""βL of a cantilever, cos βL cosh βL = −1, and of a beam on two pins."""


@pytest.mark.parametrize("frame", ROOTS)
def test_modes_are_the_natural_modes(frame: str) -> None:
    """Five digits with sixteen elements, and errors that fall with the fourth power of their length."""
    coarse, fine = (betas(frame, elements) / ROOTS[frame] - 1 for elements in (8, 16))
    assert np.abs(fine).max() < 1e-4
    assert np.log2(coarse / fine) == pytest.approx(4.0, abs=0.1)


@pytest.mark.parametrize("way", ["y", "z"])
def test_the_flexibility_of_a_cantilever(way: str) -> None:
    """F L³/(3 E I) and F L²/(2 E I) at the tip; four modes represent 99.9 % of it."""
    force = (0.0, 1.0, 0.0) if way == "y" else (0.0, 0.0, 1.0)
    beam = arm(modes={way: 6}, frame="a")
    I = beam.section.Iz if way == "y" else beam.section.Iy
    machine = clamped(beam, planar=False).replace(loads=[ml.Force("pull", "arm.b", force)])
    tip = ml.equilibrium(machine).state.marker("arm.b")
    assert tip[1 if way == "y" else 2] == pytest.approx(1 / (3 * 2.1e11 * I), rel=1e-3)


@pytest.mark.parametrize(("stiffening", "exact"), [(False, 1e-12), (True, 1e-5)])
def test_a_bar_stretches_and_twists(stiffening: bool, exact: float) -> None:
    """Natural frequencies (k − ½) π √(E/ρ)/L and (k − ½) π √(G J/ρ I_p)/L of a bar clamped at one end.

    With sine modes they are exact; a beam with torsion of second order has elements, here sixteen.
    """
    beam = arm(modes={"x": 2, "twist": 2}, frame="a", stiffening=stiffening)
    machine = clamped(beam, planar=False)
    found = np.sort(ml.eigenmodes(machine, ml.equilibrium(machine)).frequencies)
    twist = np.sqrt(beam.G * beam.section.J / 7850 / (beam.section.Iy + beam.section.Iz))
    known = np.outer([0.5, 1.5], np.pi * np.array([np.sqrt(2.1e11 / 7850), twist])).ravel()
    assert found == pytest.approx(np.sort(known), rel=exact)


def test_the_path_of_a_marker_is_that_of_its_instants() -> None:
    """Many instants at once, deformed and shortened, equal single ones."""
    machine = clamped(arm(modes={"y": 2, "x": 1}, frame="a", markers={"middle": 0.5}))
    run = ml.simulate(machine, start={"arm.eta": (0.1, 0.02, 1e-4)}, until=0.02, samples=9)
    for name in ("arm.b", "arm.middle"):
        each = [run.at(t).marker(name) for t in run.time]
        assert run.marker(name) == pytest.approx(np.array(each), abs=1e-15)
    assert np.ptp(run.marker("arm.b"), axis=0).min() > 1e-3


def test_files_have_it() -> None:
    """Written and read back unchanged, parameters included."""
    beam = arm(section=ml.rectangle(0.05, ml.Parameter("h", 0.01)), damping=0.01, modes={"y": 2, "x": 1})
    machine = clamped(beam)
    assert ml.from_text(ml.to_text(machine)) == machine


def test_a_rod_is_replaced_by_a_beam() -> None:
    """`with_body` replaces the body of that name, and reports an unknown one."""
    plain = ml.examples.four_bar()
    bending = plain.with_body(ml.beam("coupler", length=0.9, section=ml.rectangle(0.02, 0.004), **STEEL))
    assert isinstance(bending.body("coupler"), ml.Beam)
    with pytest.raises(ml.UnknownNameError, match="'coupling'"):
        plain.with_body(ml.beam("coupling", length=0.9, section=ml.rectangle(0.02, 0.004), **STEEL))


MISTAKES = {
    "no section": ({"section": 0.01}, ("0.01",)),
    "zero section": ({"section": ml.rectangle(0.0, 0.01)}, ("0",)),
    "no material": ({"E": 0.0}, ("0",)),
    "modes": ({"modes": 0}, ("0", "16")),
    "more modes than nodes": ({"modes": 9, "elements": 4}, ("9", "4")),
    "an invalid direction": ({"modes": {"w": 1}}, ("'w'", "1")),
    "frame": ({"frame": "b"}, ("'b'",)),
    "leaves the plane": ({"modes": {"z": 1}}, ()),
    "damping": ({"damping": -0.1}, ("-0.1",)),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_are_reported(name: str, texts: Texts) -> None:
    """Each with the given number."""
    changes, expected = MISTAKES[name]
    with pytest.raises(ml.ModelError) as caught:
        clamped(arm(**changes))
    texts.fault(caught.value, "M15", *expected)


@pytest.mark.parametrize(
    ("more", "known"),
    [
        ({"modes": {"y": 1, "x": 1}}, 1.0),
        ({"modes": {"y": 1, "x": 1, "twist": 1}}, 1.0),
        (
            {"modes": {"x": 1}, "section": (ml.rectangle(0.02, 0.01), ml.rectangle(0.02, 0.005))},
            2 * np.log(2),
        ),
    ],
    ids=["uniform", "twisted too", "tapered"],
)
def test_a_rod_on_its_chord_is_stretched_by_its_whole_load(more: dict[str, object], known: float) -> None:
    """F L/E A with one mode; with a width that falls to half of it, 2 ln 2 times as much."""
    tie = {"length": 1.0, "E": 70e9, "density": 2700.0, "section": ml.rectangle(0.02, 0.01)} | more
    machine = clamped_body(
        ml.beam("tie", frame="chord", basis="natural", **tie),
        "tie",
        planar=False,
        gravity=(0, 0, 0),
        loads=[ml.Force("pull", "tie.b", (1000.0, 0.0, 0.0))],
    )
    longer = ml.equilibrium(machine).state.marker("tie.b")[0] - 1.0
    assert longer == pytest.approx(known * 1000.0 / (70e9 * 2e-4), rel=1e-6)
