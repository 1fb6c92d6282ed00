"""Ctrl-C in the middle of a run keeps what was computed, whatever carries the run."""

import os
import signal
import threading

import numpy as np
import pytest

import multiloop as ml

FOR_HOURS = 1e7
CARRIED = {
    "compiled": {},
    "rk4": {"integrator": "rk4", "step": 0.02},
    "control": {"control": lambda t, q, v: {"A": 0.0}},
    "interpreter": {"target": "interpreter"},
    "augmented": {"method": "augmented"},
    "gear": {"integrator": "gear"},
}


@pytest.mark.parametrize("carried", CARRIED)
def test_what_was_computed_is_kept(carried):
    pendulum = ml.Mechanism(
        "pendulum",
        planar=True,
        bodies=[ml.ground(A=(0, 0)), ml.rod("p", length=1.0, mass=1.0)],
        joints=[ml.Revolute("A", "ground.A", "p.a")],
    )
    asked = {"start": {"A": 1.0}, "rtol": 1e-12, **CARRIED[carried]}
    whole = ml.simulate(pendulum, until=0.2, outputs=[0.0, 0.1, 0.2], **asked)  # built, and known
    timer = threading.Timer(0.4, os.kill, (os.getpid(), signal.SIGINT))
    before = signal.getsignal(signal.SIGINT)
    timer.start()
    try:
        run = ml.simulate(
            pendulum, until=FOR_HOURS, outputs=[0.0, 0.1, 0.2, *np.linspace(1, FOR_HOURS, 50)], **asked
        )
    finally:
        timer.cancel()
    assert run.status.startswith("interrupted")
    assert 1 <= len(run.time) < 53
    kept = min(len(run.time), 3)
    assert run["A"].position[:kept] == pytest.approx(whole["A"].position[:kept], abs=1e-9)
    assert signal.getsignal(signal.SIGINT) is before
