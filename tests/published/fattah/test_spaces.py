"""Fattah's manipulators in joint space and in Cartesian space, convergence with modes and elements, and damping.

[fattah], §2.7: in joint space the motors' angles and the links' own coordinates are independent, in Cartesian space the
pose of the end effector and the links' own. The thesis compares curves by eye.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from published.fattah.manipulators import HANDS, LEGS, MANOEUVRES, MOTORS, driven, needed

import multiloop as ml

SLOW = pytest.mark.slow
rigid = cache(needed)


def hand(run: ml.Result, name: str) -> np.ndarray:
    """The path of the carried object."""
    return run.marker(HANDS[name])


@pytest.mark.parametrize(
    ("name", "modes", "damping"),
    [
        ("cooperating", 1, 0.0),
        *(
            pytest.param(name, 2, damping, marks=SLOW)
            for name in ("cooperating", "fast", "slow")
            for damping in (0.0, 0.01)
        ),
    ],
)
def test_both_spaces_give_one_motion(name: str, modes: int, damping: float) -> None:
    """To 1e-6 m at all instants, and far better: both are exact, and integrated to 1e-9."""
    joint, cartesian = (
        driven(name, modes, rigid=rigid(name), space=space, damping=damping)
        for space in ("joint", "Cartesian")
    )
    assert set(cartesian.plan.cuts) == set(LEGS[name])
    assert "pose" in cartesian.joints
    assert hand(cartesian, name) == pytest.approx(hand(joint, name), abs=1e-8)
    for link, history in joint.links.items():
        assert cartesian.link(link).eta == pytest.approx(history.eta, abs=1e-8), link
    assert max(joint.energy_drift, cartesian.energy_drift) < 1e-9


# convergence -----------------------------------------------------------------------------------------------


@cache
def tip(elements: int = 16, modes: int = 2) -> np.ndarray:
    """The path of the object of two arms, with given elements and modes of every link, clamped to its motor."""
    name = "cooperating"
    return hand(driven(name, modes, rigid=rigid(name), elements=elements, frame="a"), name)


@SLOW
def test_more_modes_are_more_accurate() -> None:
    """Each of them reduces the remaining error by more than half, to 2 % of the deviation with four."""
    off = np.abs(tip(modes=5) - hand(rigid("cooperating"), "cooperating")[::10]).max()
    left = np.array([np.abs(tip(modes=n) - tip(modes=5)).max() for n in (1, 2, 3, 4)]) / off
    assert (left[1:] < 0.5 * left[:-1]).all()
    assert left[-1] < 0.02


@SLOW
def test_elements_converge_at_fourth_order() -> None:
    """Errors of frequencies of cubic elements are O(h⁴): with twice as many they are sixteen times smaller."""
    left = [np.abs(tip(elements) - tip(32)).max() for elements in (2, 4, 8, 16)]
    order = -np.diff(np.log2(left))
    assert order[1:] == pytest.approx(4.0, abs=0.2)  # two elements are too coarse for h⁴ to dominate
    assert left[0] > left[1]
    assert left[-1] < 1e-8


# damping ---------------------------------------------------------------------------------------------------

RATIO = 0.01


def held(name: str, damping: float = RATIO) -> ml.Mechanism:
    """The manipulator where its manoeuvre begins, its motors at rest, with two modes of every link on pins."""
    made = MANOEUVRES[name][0]
    path = rigid(name)
    drives = [ml.Motion(joint, float(path[joint].position[0])) for joint in MOTORS[name]]
    guess = {joint: float(path[joint].position[0]) for joint in path}
    return made(2, damping=damping, frame="chord", basis="natural").replace(
        drives=drives, actuators=(), guess=guess
    )


def own_frequencies(link: ml.Beam) -> np.ndarray:
    """Those of a link on two pins alone, (k π)² √(E I/ρ A L⁴)."""
    EI, line = link.E * link.section.Iz, link.mass / link.length
    return (np.pi * np.arange(1, link.elastic + 1)) ** 2 * np.sqrt(EI / line / link.length**4)


def shared_damping(machine: ml.Mechanism, omega: float, shape: dict[str, np.ndarray]) -> float:
    """ζ of a system mode: a mode of a link, ω_k by itself, damps a slower vibration by ζ₀ ω/ω_k for its share of
    energy."""
    energy, lost = 0.0, 0.0
    for name, eta in shape.items():
        link = machine.body(name)
        omegas = own_frequencies(link)
        part = link.mass / 2 * omegas**2 * eta**2 / 2  # its mode shapes are sines, of modal mass m/2
        energy, lost = energy + part.sum(), lost + (part * omega / omegas).sum()
    return RATIO * lost / energy


def swings(name: str, damping: float, k: int, periods: int = 8) -> tuple[ml.Eigenmodes, np.ndarray]:
    """Its small vibrations, and the amplitude of the k-th at the ends of its periods, released near its rest
    position."""
    machine = held(name, damping)
    found = ml.eigenmodes(machine, ml.equilibrium(machine))
    times = found.periods[k] * np.arange(periods + 1)
    run = ml.simulate(machine, start=found.displaced(k, 1e-3), until=times[-1], samples=times, rtol=1e-11)
    shape = shape_of(machine, found, k)
    weights = {link: machine.body(link).mass * own_frequencies(machine.body(link)) ** 2 for link in shape}
    return found, np.asarray(sum(run.link(link).eta @ (weights[link] * shape[link]) for link in shape))


def shape_of(machine: ml.Mechanism, found: ml.Eigenmodes, k: int) -> dict[str, np.ndarray]:
    """Elastic coordinates of the links in the k-th mode."""
    parts = found.shape(k)
    return {body.name: np.real(parts[f"{body.name}.eta"]) for body in machine.bodies if body.elastic}


@SLOW
@pytest.mark.parametrize("k", [0, 2])
@pytest.mark.parametrize("name", ["cooperating", "slow"])
def test_a_held_manipulator_dies_out_by_its_decrement(name: str, k: int) -> None:
    """ln of two peaks is 2 π ζ/√(1 − ζ²), with ζ by the energy in the modes of its links."""
    found, sizes = swings(name, RATIO, k)
    machine = held(name)
    ratio = shared_damping(machine, float(found.frequencies[k]), shape_of(machine, found, k))
    # light damping: its coupling of modes is of second order
    assert found.damping[k] == pytest.approx(ratio, rel=1e-3)
    assert ratio < 0.25 * RATIO  # slower than the links by themselves
    expected = 2 * np.pi * ratio / np.sqrt(1 - ratio**2)
    assert np.log(sizes[:-1] / sizes[1:]).mean() == pytest.approx(expected, rel=5e-3)  # as above


@SLOW
def test_without_damping_it_swings_on() -> None:
    found, sizes = swings("cooperating", 0.0, 0)
    assert found.damping[0] == 0.0
    assert sizes[1:] == pytest.approx(sizes[0], rel=1e-5)  # second order in 1e-3
