"""Stable inversion of a flexible arm with a prescribed tip motion, against its closed form.

A uniform arm that turns about one end, bent by its first clamped shape φ, φ(L) = 1. For small angles, with
M = m/4, H = ∫ x φ dm = m L/β², K = β⁴ E I/(4 L³), β = 1.8751, the tip y = L θ + η and

    I θ̈ + H η̈ = τ,      H θ̈ + M η̈ + K η = 0      ⟹      η̈ − σ² η = c ÿ,      σ² = K/(H/L − M),   c = H/(H − M L)

Since H/L > M the tip is non-minimum phase: η runs away from any start but one. The bounded η decays as e^{−σ|t|} on
both sides of the motion. [bayo_arm] has torques that begin before the motion; [kwon_book] splits η into a causal and an
anticausal part, whose sum this is.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from zoo.plain import pinned_body

import multiloop as ml

L, MASS, EI, T, WAY = 1.0, 0.5, 4.0, 0.6, 1e-3
BETA = 1.8751040687119611
TIMES = np.linspace(0.0, T, 121)


def arm(modes: int = 1, stiffer: float = 1.0) -> ml.Mechanism:
    """The arm with a prescribed transverse motion of its tip by a millimetre; rigid without modes."""
    section = ml.Section(A=MASS / L / 2700, Iz=EI / 70e9)
    bent = {"E": stiffer * 70e9, "density": 2700.0, "section": section, "modes": modes, "frame": "a"}
    link = ml.beam("arm", length=L, **bent) if modes else ml.rod("arm", length=L, mass=MASS)
    return pinned_body(
        link,
        gravity=(0, 0),
        drives=[ml.Motion("arm.b", y=ml.motion_laws.cycloidal(0.0, WAY, duration=T))],
        actuators=[ml.Actuator("A")],
        guess={"A": 0.0},
    )


@cache
def inverted(modes: int = 1, stiffer: float = 1.0) -> ml.Result:
    return ml.inverse(arm(modes, stiffer), t=TIMES, elastic="stable")


def closed_form(t: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """η, τ and σ: the part of T p sin Ωt, and exponential terms from the corners, where ÿ has a kink."""
    M, H, K = MASS / 4, MASS * L / BETA**2, BETA**4 * EI / L**3 / 4
    c, square, omega = H / (H - M * L), K / (H / L - M), 2 * np.pi / T
    sigma = np.sqrt(square)
    inside = (t >= 0) & (t <= T)
    y_second = np.where(inside, WAY * 2 * np.pi / T**2 * np.sin(omega * t), 0.0)
    p = -c / (omega**2 + square)
    corners = np.exp(-sigma * np.abs(t)) - np.exp(-sigma * np.abs(t - T))
    eta = p * y_second + p * WAY * 2 * np.pi / T**2 * omega / (2 * sigma) * corners
    eta_second = square * eta + c * y_second
    torque = MASS * L**2 / 3 * (y_second - eta_second) / L + H * eta_second
    return eta, torque, float(sigma)


def test_bending_and_torque_are_those_of_the_closed_form() -> None:
    """Up to the square of the angle, and the accuracy of the first mode of sixteen elements."""
    found = inverted()
    eta, torque, sigma = closed_form(found.time)
    assert found.link("arm").eta[:, 0] == pytest.approx(eta, abs=2e-6 * np.abs(eta).max())
    assert found["A"].effort == pytest.approx(torque, abs=5e-6 * np.abs(torque).max())
    # it decays by ten orders of magnitude on each side
    assert -found.time[0] == pytest.approx(np.log(1e10) / sigma, rel=1e-5)
    assert found.time[-1] - T == pytest.approx(-found.time[0], rel=1e-5)
    assert found.status == "ok"
    assert np.abs(found["A"].effort[[0, -1]]).max() < 1e-9 * np.abs(torque).max()


def test_the_tip_follows_its_motion_and_the_torque_begins_before_it() -> None:
    found = inverted(2)
    tip = found.marker("arm.b")[:, 1]
    inside = (found.time >= 0) & (found.time <= T)
    u = found.time[inside] / T
    assert tip[inside] == pytest.approx(WAY * (u - np.sin(2 * np.pi * u) / (2 * np.pi)), abs=1e-15)
    assert tip[~inside] == pytest.approx(np.where(found.time[~inside] < 0, 0.0, WAY), abs=1e-15)
    before = np.abs(found["A"].effort[found.time < 0]).max()
    assert before > 0.05 * np.abs(found["A"].effort).max()


def test_stiff_links_need_what_rigid_ones_do() -> None:
    """E I ten thousand times as large: the remaining differences are the kinks of ÿ, over a time of 1/σ."""
    rigid = ml.inverse(arm(0), t=TIMES)["A"].effort
    off = []
    for stiffer in (1.0, 1e4):
        found = inverted(2, stiffer)
        inside = (found.time > -1e-12) & (found.time < T + 1e-12)
        off.append(np.sqrt(np.mean((found["A"].effort[inside] - rigid) ** 2)) / np.abs(rigid).max())
    assert off[1] < 1e-3 < 0.01 * off[0]  # 1/σ falls to a hundredth


def test_forward_from_the_beginning_the_tip_follows() -> None:
    """Under the torques of the rigid arm it vibrates about its path; under the computed ones it follows."""
    found, free = inverted(2), arm(2).without_drives()
    when = {"until": float(found.time[-1]), "samples": found.time.tolist()}
    run = ml.simulate(free, start=found.initial, efforts=found.efforts, **when)
    rigid = ml.inverse(arm(0), t=TIMES)
    swings = ml.simulate(free, start={"A": 0.0}, efforts={"A": rigid}, until=T, samples=TIMES.tolist())
    inside = (found.time > -1e-12) & (found.time < T + 1e-12)
    off = (run.marker("arm.b") - found.marker("arm.b"))[inside, 1]
    rigid_off = swings.marker("arm.b")[:, 1] - rigid.marker("arm.b")[:, 1]
    assert np.sqrt(np.mean(off**2)) < np.sqrt(np.mean(rigid_off**2)) / 1000
