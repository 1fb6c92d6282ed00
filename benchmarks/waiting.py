"""How long does a user wait for small matrices, for Python code in the loop, or for many similar designs?

Times are seconds of the processor, the least of several, in a session that has made the same call before; the command
runs in a separate process. OPENBLAS_NUM_THREADS is not changed: for most users it is unset.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections.abc import Callable
from math import cos, pi, sin, sqrt
from typing import Any

import numpy as np

import multiloop as ml
from benchmarks.peers.text import as_text, grid

TIMES = 3


def measure() -> list[dict[str, Any]]:
    """One row for each task: wall-clock and processor seconds, and their limit."""
    rows = [_command("governor", 2.0)]
    wall, cpu = _least(payloads())
    rows.append(_row("simulate 1,000 payloads of a Delta, 0.2 s", wall, cpu, 1.0))
    exact, table = required_efforts()
    wall, cpu = _least(table)
    rows.append(_row("simulate a flexible arm by a table of efforts", wall, cpu, None))
    most = 3 * wall
    wall, cpu = _least(exact)
    rows.append(_row("the same by RequiredEfforts", wall, cpu, most))
    return rows


def payloads() -> Callable[[], Any]:
    """A Delta robot whose arms hang down and are released, with a thousand payloads on its platform."""
    robot, masses = delta(), np.linspace(0.1, 3.0, 1000)
    return lambda: ml.simulate(robot, until=0.2, parameters={"payload": masses}, samples=21)


def required_efforts() -> tuple[Callable[[], Any], Callable[[], Any]]:
    """An arm of two flexible links that is released under the efforts which rigid links would need."""
    section = ml.rectangle(0.02, 0.006)
    links = [
        ml.beam(name, length=0.6, E=70e9, density=2700.0, section=section, modes=2, damping=0.01)
        for name in ("upper", "lower")
    ]
    joints = [ml.Revolute("A", "ground.origin", "upper.a"), ml.Revolute("B", "upper.b", "lower.a")]
    program = [
        ml.Motion("A", ml.motion_laws.cycloidal(0.0, 1.0, duration=1.0)),
        ml.Motion("B", ml.motion_laws.cycloidal(0.0, -0.5, duration=1.0)),
    ]
    given = {"planar": True, "bodies": [ml.ground(), *links], "joints": joints}
    flexible = ml.Mechanism("arm", **given)
    led = ml.Mechanism(
        "arm", **{**given, "bodies": [ml.ground(), *(one.rigid() for one in links)]}, drives=program
    )
    start = {"start": {"A": 0.0, "B": 0.0}, "until": 1.0, "samples": 101, "integrator": "imex", "rtol": 1e-6}
    source, table = ml.RequiredEfforts(led), ml.inverse(led, t=np.linspace(0.0, 1.0, 401))
    return (
        lambda: ml.simulate(flexible, efforts={"A": source, "B": source}, **start),
        lambda: ml.simulate(flexible, efforts=table.efforts, **start),
    )


def delta() -> ml.Mechanism:
    """Three driven arms, each with two parallel rods on balls; the payload is a parameter."""
    base, arm, bar, small, half, begin = 0.20, 0.30, 0.70, 0.06, 0.05, 0.4
    inward = base + arm * cos(begin) - small
    drop = sqrt(bar**2 - inward**2)
    seats, sockets, bodies, joints, guess = {}, {}, [], [], {}
    for k, turn in enumerate((0.0, 2 * pi / 3, 4 * pi / 3), start=1):
        out, side = np.array([cos(turn), sin(turn), 0.0]), np.array([-sin(turn), cos(turn), 0.0])
        seats[f"p{k}"] = ml.marker(base * out, z=side, x=out)
        tips = {"left": (arm, 0, half), "right": (arm, 0, -half)}
        bodies += [ml.rod(f"arm{k}", length=arm, mass=0.8, inertia=(4e-4, 6e-3, 6e-3), markers=tips)]
        joints += [ml.Revolute(f"A{k}", f"ground.p{k}", f"arm{k}.a")]
        guess[f"A{k}"] = begin
        for name, place in (("left", half), ("right", -half)):
            rod = f"{name}{k}"
            sockets[rod] = small * out + place * side
            bodies += [ml.rod(rod, length=bar, mass=0.15, inertia=(4e-6, 6e-3, 6e-3))]
            joints += [
                ml.Spherical(f"B{rod}", f"arm{k}.{name}", f"{rod}.a"),
                ml.Spherical(f"C{rod}", f"{rod}.b", f"platform.{rod}"),
            ]
            end = (0.0, 0.0, -arm * sin(begin) - drop) + small * out + place * side
            guess[f"{rod}.b"] = tuple(float(x) for x in end)
    platform = ml.Body("platform", mass=0.5, inertia=(1e-3, 1e-3, 2e-3), markers=sockets)
    load = ml.Payload("load", "platform.origin", mass=ml.Parameter("payload", 1.0))
    drives = [ml.Motion(f"A{k}", begin + 0.1 * k * ml.expr.sin(3.0 * ml.time)) for k in (1, 2, 3)]
    return ml.Mechanism(
        "Delta",
        bodies=[ml.ground(seats), *bodies, platform],
        joints=[*joints, load],
        drives=drives,
        guess=guess,
    )


def _command(name: str, wanted: float) -> dict[str, Any]:
    """`multiloop examples NAME` from the start of the interpreter to its end, with kernels in the cache."""
    found = []
    for _ in range(TIMES + 1):
        wall, before = time.perf_counter(), _children()
        subprocess.run([sys.executable, "-m", "multiloop", "examples", name], check=True, capture_output=True)
        found.append((time.perf_counter() - wall, _children() - before))
    wall, cpu = (min(part) for part in zip(*found[1:], strict=True))
    return _row(f"multiloop examples {name}", wall, cpu, wanted)


def _children() -> float:
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def _least(ask: Callable[[], Any]) -> tuple[float, float]:
    """The least wall-clock and processor seconds, after one call that fills the caches."""
    ask()
    found = []
    for _ in range(TIMES):
        wall, cpu = time.perf_counter(), time.process_time()
        ask()
        found.append((time.perf_counter() - wall, time.process_time() - cpu))
    wall, cpu = (min(part) for part in zip(*found, strict=True))
    return wall, cpu


def _row(question: str, wall: float, cpu: float, wanted: float | None) -> dict[str, Any]:
    return {"question": question, "s": wall, "CPU": cpu, "wanted": wanted}


def table(rows: list[dict[str, Any]]) -> str:
    """The rows as text."""
    head = ("question", "s", "CPU s", "wanted below", "")
    cells = [
        (
            row["question"],
            f"{row['s']:.3f}",
            f"{row['CPU']:.3f}",
            "" if row["wanted"] is None else f"{row['wanted']:.3f}",
            "" if row["wanted"] is None else ("yes" if row["s"] <= row["wanted"] else "NO"),
        )
        for row in rows
    ]
    return as_text(grid("seconds that a user waits", head, cells))
