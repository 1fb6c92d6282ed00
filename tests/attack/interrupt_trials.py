"""Send Ctrl-C at random instants to every public function that computes: it ends within a second, or keeps partial
results.

    python interrupt_trials.py FUNCTION COUNT SEED

prints as JSON how many interrupts took effect, how many came after the function had returned, and those that were lost,
late or ended in another error.
"""

import json
import os
import signal
import sys
import time
from dataclasses import replace
from random import Random
from typing import NamedTuple

import numpy as np
from unit.analyses.test_periodic import START, engine
from zoo.plain import pinned_body

import multiloop as ml

ALLOWED = 1.0
"""Seconds within which Ctrl-C takes effect, without the time in which the process waits for a processor."""

OBEYED, KEPT, IGNORED, ANOTHER = 1, 2, 0, 3
"""How a process ends: by KeyboardInterrupt, with a part of the result, with the whole result, by another error."""


def pendulum():
    """A rod whose mass can be varied."""
    return pinned_body(ml.rod("p", length=1.0, mass=ml.Parameter("m", 1.0)), name="pendulum")


def turned():
    """The same rod, driven."""
    return replace(pendulum(), drives=(ml.Motion("A", ml.motion_laws.constant_speed(3.0)),))


SWING = {"start": {"A": 1.0}, "rtol": 1e-12, "samples": 2000}
FUNCTIONS = {
    "analyse": lambda: ml.analyse(ml.examples.stewart_platform()),
    "assemble": lambda: ml.assemble(ml.examples.hexapod()),
    "branches": lambda: ml.branches(ml.examples.three_rrr(), {"A1": 0.5, "A2": 0.5, "A3": 0.5}),
    "batch": lambda: ml.batch(turned(), {"m": np.linspace(1, 2, 20_000)}, t=np.linspace(0, 1, 50)),
    "compile": lambda: ml.compile(ml.examples.hexapod(), target="interpreter").forward,
    "constraint_map": lambda: ml.constraint_map(ml.examples.four_bar(), {"A": 0.8}, independent=["A"]),
    "equilibrium": lambda: ml.equilibrium(ml.examples.governor()),
    "forward": lambda: ml.forward(ml.examples.hexapod()),
    "inverse": lambda: ml.inverse(ml.examples.stewart_platform(), t=np.linspace(0, 1, 400)),
    "inverse at many instants": lambda: ml.inverse(ml.examples.four_bar(), t=np.linspace(0, 10, 400_000)),
    "linearise": lambda: ml.linearise(ml.examples.governor()),
    "modes": lambda: ml.eigenmodes(ml.examples.governor()),
    "periodic": lambda: ml.periodic(engine(load=60.0), turn="O", mean_speed=100.0, **START),
    "simulate": lambda: ml.simulate(pendulum(), until=2e4, **SWING),
    "simulate interpreted": lambda: ml.simulate(pendulum(), until=10.0, target="interpreter", **SWING),
    "simulate by gear": lambda: ml.simulate(pendulum(), until=10.0, integrator="gear", **SWING),
    "simulate designs": lambda: ml.simulate(
        pendulum(), until=20.0, parameters={"m": np.linspace(1, 2, 100)}, **SWING
    ),
}


def press_often(name, count, seed):
    """Send one Ctrl-C to each of this number of processes, at random instants during the function."""
    draw = Random(seed)
    _pressed(name, None)  # everything is compiled by now
    duration = _pressed(name, None).took
    found = {"obeyed": 0, "kept": 0, "too late": 0, "wrong": []}
    while sum(found[how] for how in ("obeyed", "kept")) + len(found["wrong"]) < count:
        delay = draw.uniform(0.0, duration)
        end = _pressed(name, delay)
        if end.late:
            found["too late"] += 1
            duration = end.took
            assert found["too late"] < 5 * count
        elif end.how in (OBEYED, KEPT) and end.after <= ALLOWED:
            found["obeyed" if end.how == OBEYED else "kept"] += 1
        else:
            found["wrong"].append(f"pressed at {delay:.3f} s, ended {end.how} after {end.after:.3f} s")
    return found


class End(NamedTuple):
    """How a process ended, the seconds since Ctrl-C, whether the function had returned before, and its duration."""

    how: int
    after: float
    late: bool
    took: float


def _pressed(name, delay):
    """The end of a process that gets Ctrl-C after some seconds, or none."""
    begun, reached = os.pipe()
    child = os.fork()
    if child == 0:
        _ask(name, reached)
    os.close(reached)
    os.read(begun, 1)
    begin = pressed = time.monotonic()
    waited = 0.0
    if delay is not None:
        time.sleep(delay)
        pressed, waited = time.monotonic(), _waited(child)
        os.kill(child, signal.SIGINT)
    os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
    after = time.monotonic() - pressed - (_waited(child) - waited)
    _, status = os.waitpid(child, 0)
    told = os.read(begun, 8)
    os.close(begun)
    returned = np.frombuffer(told)[0] if len(told) == 8 else np.inf
    return End(os.waitstatus_to_exitcode(status), after, returned < pressed, returned - begin)


def _ask(name, reached):
    """Call the function and end the process."""
    ended = ANOTHER
    try:
        os.write(reached, b"b")
        result = FUNCTIONS[name]()
        returned = time.monotonic()
        ended = KEPT if "interrupted" in str(getattr(result, "status", "")) else IGNORED
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        os.write(reached, np.array([returned]).tobytes())
    except KeyboardInterrupt:
        ended = OBEYED
    finally:
        os._exit(ended)


def _waited(process):
    """Seconds that a process has waited for a processor, where the system reports them."""
    try:
        with open(f"/proc/{process}/schedstat") as file:
            return int(file.read().split()[1]) * 1e-9
    except OSError:
        return 0.0


if __name__ == "__main__":
    function, number, beginning = sys.argv[1:]
    print(json.dumps(press_often(function, int(number), int(beginning))))
