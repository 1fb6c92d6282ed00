"""What is timed: one evaluation in compiled code, from Python, in batches, and inverse dynamics with all reactions."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from itertools import cycle, islice
from typing import Any

import mujoco
import numpy as np

import multiloop as ml
from benchmarks.peers import pinocchio_python
from benchmarks.peers.entrants import Entrant, Field
from benchmarks.peers.mujoco_peer import MuJoCo
from benchmarks.peers.ours import Ours, batch_loop, compiled_loop, python_loop
from benchmarks.peers.rounds import Contestant, Loop, interleaved

OURS = "multiloop"
ROUNDS = 21
BATCHES = (1024, 4096, 16384, 65536)
"""Instances in a batch; the fastest size counts."""

Row = dict[str, Any]


def forward_compiled(field: Field) -> Iterator[Row]:
    """Forward dynamics, one state at a time, in a loop of C or C++."""
    states = field.ours.states(field.moments)
    contestants = {OURS: Contestant(compiled_loop(field.ours.kernels.forward, states), len(states))}
    contestants |= {name: entrant.contestant for name, entrant in field.entrants.items()}
    yield from _rows(field, "forward, compiled", contestants)


def forward_from_python(field: Field) -> Iterator[Row]:
    """Forward dynamics called from Python, one state at a time; MuJoCo also without writing the state into it."""
    states = field.ours.states(field.moments)
    forward, out = field.ours.kernels.forward, np.zeros(len(states[0][1]))
    contestants = {OURS: Contestant(python_loop(forward, states, out), len(states))}
    for name, entrant in field.entrants.items():
        if isinstance(entrant.peer, MuJoCo):
            rows = entrant.peer.states(field.moments)
            for label, loop in _mujoco_calls(entrant.peer, rows).items():
                contestants[label] = Contestant(loop, len(rows))
        elif "lcaba" not in name:  # which the wheel does not offer
            rows = entrant.peer.states(field.moments)
            loop = pinocchio_python.python_loop(entrant.peer.opened, rows, entrant.settings)
            contestants[name] = Contestant(loop, len(rows))
    yield from _rows(field, "forward, from Python", contestants)


def batches(field: Field) -> Iterator[Row]:
    """Forward dynamics of many states at once: one thread by its own time, all threads by the clock."""
    states, kernel = field.ours.states(field.moments), field.ours.kernels.forward
    contestants = {OURS: Contestant(compiled_loop(kernel, states), len(states))}
    contestants |= {name: entrant.contestant for name, entrant in field.entrants.items()}
    for count in BATCHES:
        contestants[f"{OURS} × {count}"] = Contestant(batch_loop(kernel, states, count, 1), count)
    yield from _rows(field, "forward, batch", contestants)
    threaded = {}
    for threads in {1, os.cpu_count() or 1}:
        loop = batch_loop(kernel, states, BATCHES[-1], threads)
        name = f"{OURS} × {BATCHES[-1]}, {threads} thread{'s'[: threads - 1]}"
        threaded[name] = Contestant(loop, BATCHES[-1], clock=time.perf_counter)
    yield from _rows(field, "forward, batch by the clock", threaded)


def inverse_compiled(field: Field) -> Iterator[Row]:
    """Efforts and forces inside all joints, in a loop of C; MuJoCo: mj_inverse and mj_rnePostConstraint."""
    driven = field.ours.mechanism.replace(actuators=[ml.Actuator(joint) for joint in field.case.driven])
    ours = Ours(driven)
    states = ours.moved(field.moments)
    kernel = ours.kernels.inverse
    for (q, v, a), (_, _, tau) in zip(states[:4], ours.states(field.moments), strict=False):
        efforts = kernel(q, v, a)[0]
        given = [ours.kernels.unpack(tau, rates=True)[joint][0] for joint in field.case.driven]
        if not np.allclose(np.ravel(efforts), given, rtol=1e-8, atol=1e-8 * np.abs(given).max()):
            raise ValueError(f"'{field.case.name}': inverse dynamics does not undo forward dynamics")
    contestants = {OURS: Contestant(compiled_loop(kernel, states), len(states))}
    entrant: Entrant = field.entrants["MuJoCo"]
    rows = entrant.peer.states(field.moments)
    contestants["MuJoCo"] = Contestant(entrant.peer.loop(rows, "inverse"), len(rows))
    yield from _rows(field, "inverse with reactions, compiled", contestants)


def _mujoco_calls(peer: MuJoCo, rows: np.ndarray) -> dict[str, Loop]:
    """mj_forward from Python with the state written before it, and by itself."""
    m, d, nq, nv = peer.model, peer.data, peer.model.nq, peer.model.nv
    states = [np.split(row, [nq, nq + nv, nq + 2 * nv]) for row in rows]
    qpos, qvel, applied, warm = d.qpos, d.qvel, d.qfrc_applied, d.qacc_warmstart

    def written(repeats: int) -> None:
        for q, v, tau, a in islice(cycle(states), repeats * len(states)):
            qpos[:], qvel[:], applied[:], warm[:] = q, v, tau, a
            mujoco.mj_forward(m, d)

    def bare(repeats: int) -> None:
        for _ in range(repeats * len(states)):
            mujoco.mj_forward(m, d)

    return {"MuJoCo": written, "MuJoCo, bare call": bare}


CONTESTS = {
    "forward, compiled": forward_compiled,
    "forward, from Python": forward_from_python,
    "forward, batch": batches,
    "inverse with reactions, compiled": inverse_compiled,
}


def _rows(field: Field, question: str, contestants: dict[str, Contestant]) -> Iterator[Row]:
    for name, timing in interleaved(contestants, ROUNDS).items():
        entrant = field.entrants.get(name)
        yield {
            "mechanism": field.case.name,
            "question": question,
            "tool": name,
            "settings": "" if entrant is None else f"{entrant.settings}",
            "median": timing.median,
            "low": timing.low,
            "high": timing.high,
            "least": timing.least,
        }
