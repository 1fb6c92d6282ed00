"""Ctrl-C during a run keeps the computed instants, compiled and interpreted."""

import os
import signal
import threading
import time

import numpy as np
import pytest
from zoo.plain import pinned_body

import multiloop as ml
from multiloop.model import interrupts

FOR_HOURS = 1e7
CARRIED = {
    "compiled": {},
    "rk4": {"integrator": "rk4", "step": 0.02},
    "control": {"control": lambda t, q, v: {"A": 0.0}},
    "interpreter": {"target": "interpreter"},
    "augmented": {"method": "augmented"},
    "gear": {"integrator": "gear"},
}


@pytest.fixture
def pendulum():
    """A rod that swings; an interrupt of an earlier test is forgotten."""
    interrupts._state.last = -np.inf
    return pinned_body(ml.rod("p", length=1.0, mass=1.0), name="pendulum")


@pytest.mark.parametrize("carried", CARRIED)
def test_computed_instants_are_kept(carried, pendulum, texts):
    asked = {"start": {"A": 1.0}, "rtol": 1e-12, **CARRIED[carried]}
    whole = ml.simulate(pendulum, until=0.2, samples=[0.0, 0.1, 0.2], **asked)  # built and cached
    timer = threading.Timer(0.4, os.kill, (os.getpid(), signal.SIGINT))
    before = signal.getsignal(signal.SIGINT)
    timer.start()
    try:
        run = ml.simulate(
            pendulum, until=FOR_HOURS, samples=[0.0, 0.1, 0.2, *np.linspace(1, FOR_HOURS, 50)], **asked
        )
    finally:
        timer.cancel()
    texts.warnings(run, ("W32", "pendulum"), hide=[r"(?<=t = )[\d.e+]+"])
    assert 1 <= len(run.time) < 53
    kept = min(len(run.time), 3)
    assert run["A"].position[:kept] == pytest.approx(whole["A"].position[:kept], abs=1e-9)
    assert signal.getsignal(signal.SIGINT) is before


def test_a_second_press_within_a_second_ends_a_loop_of_runs(pendulum):
    ml.simulate(pendulum, start={"A": 1.0}, until=0.1)  # built and cached
    timers = [threading.Timer(delay, os.kill, (os.getpid(), signal.SIGINT)) for delay in (0.4, 1.0, 3.0)]
    for timer in timers:
        timer.start()
    ended = []
    try:
        with pytest.raises(KeyboardInterrupt):  # noqa: PT012
            for _ in range(3):
                ended.append(ml.simulate(pendulum, start={"A": 1.0}, until=FOR_HOURS, samples=5).status)
        assert time.monotonic() - interrupts._state.last < 1.0
    finally:
        for timer in timers:
            timer.cancel()
    assert len(ended) == 1
    assert ended[0].startswith("interrupted")
