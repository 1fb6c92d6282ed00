"""Stable inversion of Fattah's flexible manipulators: the inverse dynamics that the thesis leaves to future work.

Under the torques of rigid links the hand deviates from its path by parts of a millimetre; under those of a stable
inversion, from its pre-actuated start and with the same modes, it must follow at least twenty times more closely.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from published.fattah.manipulators import HANDS, MANOEUVRES, MOTORS, driven, needed
from texts import Texts

import multiloop as ml


def off_path(name: str, modes: int, instants: int) -> tuple[float, float, ml.Result]:
    """RMS deviation of the hand over the manoeuvre, with and without consideration of flexibility."""
    made, end = MANOEUVRES[name]
    machine, hand = made(modes), HANDS[name]
    times = np.linspace(0.0, end, instants)
    found = ml.inverse(machine, t=times, elastic="stable")
    run = ml.simulate(
        machine.without_drives(),
        start=found.initial,
        efforts=found.efforts,
        until=float(found.time[-1]),
        samples=found.time.tolist(),
    )
    rigid = needed(name, instants)
    bent = driven(name, modes, rigid=rigid, samples=instants)
    inside = (found.time > -1e-12) & (found.time < end + 1e-12)
    off = (run.marker(hand) - found.marker(hand))[inside], bent.marker(hand) - rigid.marker(hand)
    own, plain = (float(np.sqrt(np.mean(np.sum(one**2, axis=1)))) for one in off)
    assert found.marker(hand)[inside] == pytest.approx(rigid.marker(hand), abs=1e-12)
    return own, plain, found


@pytest.mark.parametrize("name", ["cooperating"])
def test_the_hand_follows(name: str, texts: Texts) -> None:
    own, plain, found = off_path(name, 1, 501)
    assert plain > 1e-4
    assert own < plain / 20
    texts(found.status, hide=[r"(?<![\d.])\de-\d\d\b"])  # at rest until its motors begin


@pytest.mark.slow
@pytest.mark.parametrize("modes", [2, 3])
@pytest.mark.parametrize("name", ["cooperating", "fast"])
def test_the_hand_follows_with_more_modes(name: str, modes: int) -> None:
    own, plain, _ = off_path(name, modes, 1001)
    assert own < plain / 20


@pytest.mark.slow
@pytest.mark.parametrize("name", ["cooperating", "fast"])
def test_stiff_links_need_what_rigid_ones_do(name: str) -> None:
    """E I ten thousand times as large."""
    made, end = MANOEUVRES[name]
    rigid, off = needed(name, 201), {}
    for stiffer in (1.0, 1e4):
        machine = made(2)
        for body in machine.bodies:
            if body.elastic:
                machine = machine.with_body(replace(body, E=stiffer * body.E))  # type: ignore[call-arg, attr-defined]
        found = ml.inverse(machine, t=np.linspace(0.0, end, 201), elastic="stable")
        inside = (found.time > -1e-12) & (found.time < end + 1e-12)
        parts = [found[joint].effort[inside] - rigid[joint].effort for joint in MOTORS[name]]
        size = max(np.abs(rigid[joint].effort).max() for joint in MOTORS[name])
        off[stiffer] = float(np.sqrt(np.mean(np.square(parts)))) / size
    assert off[1e4] < 2e-4  # kinks of the acceleration
    assert off[1e4] < off[1.0] / 20
