"""The manoeuvre (6.34) of Fattah's spatial manipulator as printed, in 0.15 s: possible with rigid legs alone.

    θ(t) = θ(0) + (c − θ(0)) (t − t_f/π sin(π t/t_f))/1.35,      t_f = 0.15 s

It ends at a ninth of the way to c, t_f/1.35, and at the rates 2 (c − θ(0))/1.35; with t_f = 1.35 s it would end at c.
The elbows are not printed: there are eight assembly modes at θ(0), four of which reach the end. In these motors need
83 N m or more, where 3 E I/L ≤ 11 N m at the motor, from a force at the other end, deflect a link by its length.
Under these torques flexible legs are deflected by their length after 8 to 34 ms, and the simulation is rejected.
"""

from __future__ import annotations

from functools import cache
from math import pi

import numpy as np
import pytest
from published.fattah.printed_links import ELBOW_JOINTS
from published.fattah.spatial import BEGIN, MOTORS, PATHS, manipulator
from published.fattah.test_spatial_manipulator import BASE, LENGTHS, SIDES, TURNED, axes
from scipy.optimize import fsolve
from texts import Texts

import multiloop as ml
from multiloop.examples.mechanisms.spatial_manipulator import LEGS, PLATFORM, WITHIN

T_F = 0.15
STEPS = np.linspace(0.0, T_F, 301)

MODES = {
    (1.342, 0.256, -0.519): ((802.7, 254.9, 721.7), "lower 1", 0.011),
    (0.204, 0.690, -0.392): ((50.2, 262.6, 45.1), "lower 2", 0.020),
    (0.347, 0.706, -1.996): ((1152.3, 2200.1, 1824.7), "lower 2", 0.008),
    (-0.800, 0.008, -1.674): ((83.2, 67.2, 76.0), "lower 1", 0.034),
}
"""Elbow angles at θ(0): peaks of the torques in N m; the link that is deflected by its length, and when (s).

The first is that of the other tests and of the gallery.
"""

FIRST = next(iter(MODES))


def printed(modes: object = None, duration: float = T_F, **more: object) -> ml.Mechanism:
    """The manipulator with the motion of its motors as printed."""
    t = ml.time
    drives = [
        ml.Motion(joint, begin + (end - begin) * (t - duration / pi * ml.expr.sin(pi * t / duration)) / 1.35)
        for joint, (begin, end) in PATHS.items()
    ]
    return manipulator(modes, base=BASE, turned=TURNED, **more).replace(drives=drives)


def start(elbows: tuple[float, ...] = FIRST) -> dict[str, float]:
    return dict(zip((*MOTORS, *ELBOW_JOINTS), (*BEGIN, *elbows), strict=True))


@cache
def rigid(elbows: tuple[float, ...] = FIRST) -> ml.Result:
    return ml.inverse(printed().replace(guess=start(elbows)), t=STEPS)


def points(angles: np.ndarray, elbows: np.ndarray) -> np.ndarray:
    """O₁…O₃ (feet), O₄…O₆ (elbows) and O₇…O₉ (corners of the platform) of undeformed legs, 9×3."""
    found = [BASE[:], [], []]
    for i, length in enumerate(LENGTHS):
        R, S = axes(i, angles[i], elbows[i], np.zeros(2))
        found[1].append(BASE[i] + length * R[:, 0])
        found[2].append(found[1][-1] + length * S[:, 0])
    return np.array([*found[0], *found[1], *found[2]])


def closed(angles: np.ndarray, elbows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The points with the sides of the platform, and the elbow angles."""

    def gaps(x: np.ndarray) -> list[float]:
        r = points(angles, x)[6:]
        return [float(np.sum((r[j] - r[i]) ** 2) - side**2) for (i, j), side in SIDES.items()]

    elbows = fsolve(gaps, elbows, xtol=1e-12)
    return points(angles, elbows), elbows


def mass_of_points() -> np.ndarray:
    """W of the kinetic energy ½ ẋᵀ W ẋ in the nine points: of a rod between two, and of a triangle between three.

    m/6 (v_a² + v_a v_b + v_b²) and m/24 (Σ v² + (Σ v)²), exact for slender rods and a lamina.
    """
    W = np.zeros((9, 9))
    for i, (*_, mass) in enumerate(LEGS.values()):
        for a, b in ((i, i + 3), (i + 3, i + 6)):
            W[np.ix_((a, b), (a, b))] += mass / 6 * np.array([[2, 1], [1, 2]])
    W[6:, 6:] += PLATFORM / 12 * (np.eye(3) + np.ones((3, 3)))
    return W


def torques_by_virtual_work(k: int) -> np.ndarray:
    """τ = (∂x/∂θ)ᵀ W ẍ at the instant k, with differences of the positions of the nine points."""
    elbows = np.array([float(rigid()[f"B{i}"].position[k]) for i in (1, 2, 3)])
    angles = np.array([float(rigid()[motor].position[k]) for motor in MOTORS])
    h, dt = 1e-5, 1e-4

    def at(time: float) -> np.ndarray:
        moved = [b + (e - b) * (time - T_F / pi * np.sin(pi * time / T_F)) / 1.35 for b, e in PATHS.values()]
        return closed(np.array(moved), elbows)[0]

    t = float(STEPS[k])
    acceleration = (at(t + dt) - 2 * at(t) + at(t - dt)) / dt**2
    along = [
        (closed(angles + h * e, elbows)[0] - closed(angles - h * e, elbows)[0]) / (2 * h) for e in np.eye(3)
    ]
    W = mass_of_points()
    return np.array([np.sum(one * (W @ acceleration)) for one in along])


def test_it_covers_a_ninth_of_the_way_and_does_not_stop() -> None:
    for motor, (begin, end) in PATHS.items():
        path = rigid()[motor]
        assert path.position[-1] == pytest.approx(begin + (end - begin) / 9, abs=1e-12)
        assert path.rate[-1] == pytest.approx(2 * (end - begin) / 1.35, rel=1e-12)


def test_with_the_duration_1_35_it_would_end_at_c() -> None:
    ends = ml.inverse(printed(duration=1.35), t=[0.0, 1.35])
    assert [float(ends[motor].position[-1]) for motor in MOTORS] == pytest.approx(
        [end for _, end in PATHS.values()], abs=1e-12
    )


@pytest.mark.parametrize("elbows", MODES)
def test_rigid_legs_need_up_to_hundreds_of_newton_metres(elbows: tuple[float, ...]) -> None:
    found = [np.abs(rigid(elbows)[motor].effort).max() for motor in MOTORS]
    assert found == pytest.approx(MODES[elbows][0], abs=0.05)  # its digits
    assert max(found) > 7 * max(3 * WITHIN / length for length in LENGTHS)


def test_the_other_modes_do_not_reach_the_end() -> None:
    """Eight assembly modes; from four of them a motor comes to a dead-centre position (K06)."""
    found = ml.branches(printed().replace(drives=()), dict(zip(MOTORS, BEGIN, strict=True)))
    at = [tuple(float(one[joint].position) for joint in ELBOW_JOINTS) for one in found]
    others = [one for one in at if min(np.abs(np.subtract(one, mode)).max() for mode in MODES) > 1e-2]
    assert (len(at), len(others)) == (8, 4)
    for elbows in others:
        with pytest.raises(ml.AssemblyError) as stopped:
            rigid(elbows)
        assert {fault.code for fault in stopped.value.faults} == {"K06"}


@pytest.mark.parametrize("k", [60, 150, 240])
def test_torques_are_those_of_virtual_work(k: int) -> None:
    """To 1e-5 of the largest: second differences in steps of 0.1 ms."""
    found = np.array([float(rigid()[motor].effort[k]) for motor in MOTORS])
    assert found == pytest.approx(torques_by_virtual_work(k), abs=1e-5 * max(MODES[FIRST][0]))


@pytest.mark.slow
@pytest.mark.parametrize("elbows", MODES)
def test_flexible_legs_cannot_follow(elbows: tuple[float, ...], texts: Texts) -> None:
    """With default modes and 3 % damping, undeformed and at rest at first."""
    _, link, when = MODES[elbows]
    machine = printed("auto", damping=0.03, frame="a").without_drives()
    machine = machine.replace(actuators=[ml.Actuator(motor) for motor in MOTORS], guess=start(elbows))
    begin, efforts = dict(zip(MOTORS, BEGIN, strict=True)), dict.fromkeys(MOTORS, rigid(elbows))
    with pytest.raises(ml.SolveError) as refused:
        ml.simulate(machine, start=begin, efforts=efforts, until=T_F, samples=151)
    texts.fault(refused.value, "S20", link, f"{when:.3g}")
