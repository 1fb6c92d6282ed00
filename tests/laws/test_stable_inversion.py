"""Inverse dynamics of flexible links: forward dynamics gives the motion back, wherever loops are cut."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from published.fattah.manipulators import cooperating, fast
from texts import Texts
from zoo.flexible import BENDING

import multiloop as ml

OTHERS = ("system", "slm", "embedding", "virtual_work", "augmented")
METHODS = ("sslm", *(pytest.param(method, marks=pytest.mark.slow) for method in OTHERS))


def four_bar() -> ml.Mechanism:
    """The flexible four-bar of the test models without friction."""
    machine = BENDING["bending four-bar"].build()
    return machine.replace(loads=[load for load in machine.loads if load.name != "rubbing"])


@cache
def arms(**asked: object) -> ml.Result:
    """Two cooperating arms with one mode per link, under their weight."""
    machine = cooperating(1).replace(gravity=(0, -9.81))
    return ml.inverse(machine, t=np.linspace(0.0, 0.5, 51), elastic="stable", **asked)


@cache
def cycle() -> ml.Result:
    return ml.inverse(four_bar(), cycle=31, elastic="stable")


def accelerations(result: ml.Result, k: int) -> np.ndarray:
    joints = [np.atleast_1d(result[name].acceleration[k]) for name in result]
    bending = [result.link(name).eta_acceleration[k] for name in sorted(result.links)]
    return np.concatenate([*joints, *bending])


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", ["arms", "cycle"])
def test_the_equations_of_motion_are_met(name: str, method: str) -> None:
    """Released under the computed efforts, its accelerations are those of the inversion: residual below 1e-8 of the
    largest force."""
    found = {"arms": arms, "cycle": cycle}[name]()
    free = found.mechanism.without_drives()
    for k in (0, len(found.time) // 2, len(found.time) - 1):
        efforts = {joint: float(found[joint].effort[k]) for joint in found.efforts}
        now = ml.forward(free, found.at(found.time[k]), efforts=efforts, method=method)
        size = max(np.abs(accelerations(found, j)).max() for j in range(len(found.time)))
        assert accelerations(now, 0) == pytest.approx(accelerations(found, k), abs=1e-8 * size)


def test_cuts_do_not_matter() -> None:
    one, other = arms(), arms(cuts=("O4",))
    assert other.time == pytest.approx(one.time, abs=1e-9)
    for joint in one.efforts:
        assert other[joint].effort == pytest.approx(one[joint].effort, abs=1e-7)
    assert other["O5"].force == pytest.approx(one["O5"].force, abs=1e-6)


@pytest.mark.slow
def test_frames_do_not_matter() -> None:
    """Two arms of pinned links carry an object; modes of another frame differ by 2e-5 of the torque with two."""

    def led(frame: str) -> np.ndarray:
        strip = {"length": 0.5, "E": 70e9, "density": 2700.0, "damping": 0.01, "frame": frame}
        links = [
            ml.beam(name, section=ml.rectangle(0.03, 0.012), **strip) for name in ("l1", "l2", "r1", "r2")
        ]
        ends = {"left": (-0.1, 0), "right": (0.1, 0)}
        machine = ml.Mechanism(
            "two arms",
            planar=True,
            gravity=(0, 0),
            bodies=[
                ml.ground(L=(0, 0), R=(1.0, 0)),
                *links,
                ml.Body("object", mass=2.0, inertia=0.02, markers=ends),
            ],
            joints=[
                ml.Revolute("LS", "ground.L", "l1.a"),
                ml.Revolute("LE", "l1.b", "l2.a"),
                ml.Fixed("LW", "l2.b", "object.left"),
                ml.Revolute("RS", "ground.R", "r1.a"),
                ml.Revolute("RE", "r1.b", "r2.a"),
                ml.Revolute("RW", "r2.b", "object.right"),
            ],
            drives=[ml.Motion("object.origin", x=ml.motion_laws.cycloidal(0.45, 0.6, duration=0.8), y=0.6)],
            actuators=[ml.Actuator("LS"), ml.Actuator("RS")],
            guess={"l1.b": (-0.1, 0.45), "r1.b": (1.1, 0.45)},
        )
        found = ml.inverse(machine, elastic="stable", t=np.linspace(0.0, 0.8, 201))
        return np.array([np.abs(found[name].effort).max() for name in ("LS", "RS")])

    assert led("a") == pytest.approx(led("chord"), rel=5e-5)  # truncation


def test_a_cycle_repeats_itself() -> None:
    """A run from its initial state under the drive returns to that state."""
    found = cycle()
    run = ml.simulate(
        found.mechanism, start=found.initial, until=float(found.time[-1]), samples=found.time.tolist()
    )
    for name in ("coupler", "rocker"):
        eta = found.link(name).eta
        assert eta[-1] == pytest.approx(eta[0], abs=1e-9 * np.abs(eta).max())
        assert run.link(name).eta == pytest.approx(eta, abs=1e-6 * np.abs(eta).max())
    # efforts and forces contain accelerations, which vary faster than the deflections
    assert run["A"].effort == pytest.approx(found["A"].effort, abs=1e-5 * np.abs(found["A"].effort).max())
    assert run["C"].force == pytest.approx(found["C"].force, abs=1e-5 * np.abs(found["C"].force).max())


def test_rigid_links_ignore_the_stable_inversion() -> None:
    """elastic="stable" is accepted too, so that the call does not depend on the links."""
    times = np.linspace(0.0, 0.5, 11)
    plain, asked = (ml.inverse(cooperating(), t=times, **more) for more in ({}, {"elastic": "stable"}))
    assert asked["O1"].effort.tolist() == plain["O1"].effort.tolist()


@pytest.mark.slow
@pytest.mark.parametrize("made", [cooperating, fast])
def test_the_residual_vibration_is_reported(made: object, texts: Texts) -> None:
    """Undamped links on two pins vibrate after the motion; before it all are at rest."""
    end = 0.5 if made is cooperating else 0.25
    found = ml.inverse(made(1), t=np.linspace(0.0, end, 101), elastic="stable")  # type: ignore[operator]
    texts(found.status, hide=[r"(?<![\d.])\de-\d\d\b"])
