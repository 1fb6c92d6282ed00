"""The difference between a flexible mechanism at rest and the rigid one falls as 1/(E I)."""

from __future__ import annotations

import numpy as np
import pytest

import multiloop as ml

SOFTEST, STIFFER = 2000.0, (1.0, 10.0, 100.0)
"""E I of the softest links (N m²), and how many times stiffer the others are."""

MACHINES = {
    "four-bar": (ml.examples.four_bar, {"A": 1.0}, "coupler.b", ("crank", "coupler", "rocker"), ("B", "C")),
    "slider-crank": (
        ml.examples.slider_crank,
        {"O": 0.8},
        "rod.b",
        ("crank", "rod"),
        ("crank pin", "wrist pin"),
    ),
    "3-RRR": (
        ml.examples.three_rrr,
        {"A1": 1.04, "A2": 4.1883, "A3": 5.7637},
        "platform.c1",
        ("proximal1", "proximal2", "proximal3", "distal1", "distal2", "distal3"),
        None,
    ),
    "RSSR": (ml.examples.rssr, {"A": 1.0}, "coupler.b", ("crank", "coupler", "rocker"), ("B", "C")),
}
"""A mechanism, springs at its joints by their free angle, the compared marker, links, and cuts."""


def at_rest(name: str, stiffness: float | None, **how: object) -> np.ndarray:
    """Equilibrium position of the marker; without a stiffness the links are rigid."""
    made, angles, marker, links, _ = MACHINES[name]
    machine = made().without_drives()
    springs = [ml.JointSpring(f"at {j}", j, stiffness=300.0, rest=angle) for j, angle in angles.items()]
    machine = machine.replace(loads=springs, actuators=())
    start = ml.assemble(machine, angles)
    for link in links:
        machine = machine.with_body(slender(machine.body(link), stiffness, machine.planar))
    return np.array(ml.equilibrium(machine, guess=closed(start), **how).state.marker(marker))


def closed(start: ml.State) -> dict[str, object]:
    """The positions of all joints of the tree."""
    return {joint: tuple(np.ravel(start[joint].position)) for joint in start}


def slender(link: ml.Body, stiffness: float | None, planar: bool) -> ml.Body:
    """A beam of the link's length and mass, or the corresponding rigid rod."""
    length = float(np.linalg.norm(link.marker("b").point))
    I = 1e-8 if stiffness is None else stiffness / 70e9
    section = ml.Section(A=link.mass / length / 2700.0, Iz=I, Iy=I, J=I)
    modes = 2 if planar else {"y": 2, "z": 2}
    beam = ml.beam(link.name, length=length, E=70e9, density=2700.0, section=section, modes=modes)
    return beam if stiffness else ml.rod(link.name, length=length, mass=link.mass, inertia=beam.inertia)


@pytest.mark.slow
@pytest.mark.parametrize("name", MACHINES)
def test_what_is_left_falls_as_the_links_grow_stiff(name: str) -> None:
    """Slope −1 over two decades, to 0.01."""
    rigid = at_rest(name, None)
    left = [np.linalg.norm(at_rest(name, SOFTEST * times) - rigid) for times in STIFFER]
    slopes = np.diff(np.log10(left))
    assert slopes == pytest.approx(-1.0, abs=0.01)


@pytest.mark.parametrize("name", ["four-bar", "slider-crank", "RSSR"])
def test_cuts_do_not_matter_at_rest(name: str) -> None:
    """The loop opened at either end of the coupler."""
    one, other = (at_rest(name, SOFTEST, cuts=[cut]) for cut in MACHINES[name][4])
    assert one == pytest.approx(other, abs=1e-11)
