"""How many evaluations and steps per second? Every lane is a closed state of a separate design, in double precision.

Times are medians between events on the device, over launches that fill it many times. Blocks of several sizes are
tried, each with several numbers of blocks at a time, which decide how many registers a thread may have.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import cupy
import numpy as np

from benchmarks.gpu.agreement import Row, batches_of, inputs_of, steps_of
from multiloop.kernels.cuda.device import Program

EVALUATED, STEPPED = 1 << 22, 1 << 20
"""Lanes of a launch."""

STEP, STEPS = 1e-4, 50
REPEATS = 9
SPREAD = 0.05
"""Relative differences of parameters; positions differ by the same number of radians."""

BLOCKS_OF, AT_A_TIME = (64, 128, 256), (256, 384, 512, 768, 1024)
TUNED = [(block, threads // block) for threads in AT_A_TIME for block in BLOCKS_OF if threads % block == 0]
"""Threads of a block, and blocks at a time on a multiprocessor; with more, each thread has fewer registers."""

WAYS: list[dict[str, Any]] = [{}, *({"tuned": tuned} for tuned in TUNED)]
"""The default of the library, then explicit settings."""

BYTES = 8 * (3 * 7 + 13 + 7)
"""q, v, tau and p read, a written."""

WANTED = {"evaluations": 5e9, "RK4 steps": 1.2e9, "RK4 steps, projected": 8e8}


def device() -> dict[str, Any]:
    """What was measured on."""
    found = cupy.cuda.runtime.getDeviceProperties(0)
    versions = {"cupy": cupy.__version__, "cuda": cupy.cuda.runtime.runtimeGetVersion()}
    source, copy = cupy.zeros(1 << 27), cupy.empty(1 << 27)
    moved = {"bytes_a_second": 2 * source.nbytes / seconds(lambda: cupy.copyto(copy, source))}
    return (
        {"name": found["name"].decode(), "multiprocessors": found["multiProcessorCount"]} | versions | moved
    )


def measured(bundle: Path, forward: Row, steps: Row) -> list[Row]:
    """One row a question and a way of launching it."""
    rows = []
    lanes = closed_lanes(bundle, steps, EVALUATED)
    room = cupy.empty_like(lanes["v"])
    for way in WAYS:
        kernel = batches_of(bundle, forward, **way)
        rate = EVALUATED / seconds(lambda kernel=kernel: kernel.batch(**lanes, out=room))
        rows.append(_row("evaluations", kernel.program, rate, kernel.resources) | {"usual": not way})
    lanes = {name: cupy.ascontiguousarray(value[:, :STEPPED]) for name, value in lanes.items()}
    rooms = cupy.empty_like(lanes["q"]), cupy.empty_like(lanes["v"])
    for way in WAYS:
        moving = steps_of(bundle, steps, **way)
        for project in (False, True):
            asked = {"step": STEP, "steps": STEPS, "project": project, "out": rooms}
            if moving.advance(**lanes, **asked).status.any():
                raise ArithmeticError("a lane did not take all its steps")
            rate = (
                STEPPED * STEPS / seconds(lambda moving=moving, asked=asked: moving.advance(**lanes, **asked))
            )
            question = "RK4 steps, projected" if project else "RK4 steps"
            found = _row(question, moving.program, rate, moving.resources(project=project))
            rows.append(found | {"usual": not way})
    return rows


def closed_lanes(bundle: Path, steps: Row, count: int) -> dict[str, Any]:
    """Designs and positions drawn about those of the file, closed and made consistent on the device."""
    given, draw = inputs_of(np.load(bundle / f"{steps['file']}.npz")), cupy.random.default_rng(5)
    which = cupy.arange(count) % given["q"].shape[1]
    lanes = {name: cupy.ascontiguousarray(value[:, which]) for name, value in given.items()}
    lanes["p"] *= 1 + SPREAD * (2 * draw.random(lanes["p"].shape) - 1)
    lanes["q"] += SPREAD * (2 * draw.random(lanes["q"].shape) - 1)
    lanes["v"] += SPREAD * draw.standard_normal(lanes["v"].shape)
    lanes["tau"] *= draw.random(lanes["tau"].shape)
    closed = steps_of(bundle, steps).project(**lanes)
    good = cupy.flatnonzero(closed.status == 0)
    if len(good) < 0.99 * count:
        raise ArithmeticError(f"only {len(good)} of {count} lanes could be closed")
    found = lanes | {"q": closed.q, "v": closed.v}
    kept = good[cupy.arange(count) % len(good)]
    return {name: cupy.ascontiguousarray(value[:, kept]) for name, value in found.items()}


def seconds(launch: Callable[[], Any]) -> float:
    """The median time of a launch, after two that warm up."""
    begin, end = cupy.cuda.Event(), cupy.cuda.Event()
    times = []
    for _ in range(REPEATS + 2):
        begin.record()
        launch()
        end.record()
        end.synchronize()
        times.append(cupy.cuda.get_elapsed_time(begin, end) * 1e-3)
    return float(np.median(times[2:]))


def _row(question: str, program: Program, rate: float, resources: dict[str, int]) -> Row:
    print(f"{question}, {program.blocks} × {program.block}: {rate:.3g} a second, {resources}", flush=True)
    return {"question": question, "block": program.block, "blocks": program.blocks, "rate": rate} | resources


def table(where: dict[str, Any], rows: list[Row]) -> str:
    """The best way of every question, and how the library launches it."""
    head = f"{'question':<24}{'a second':>10}{'wanted':>9}{'block':>7}{'blocks':>8}{'registers':>11}{'local bytes':>13}"
    lines = ["", f"3-RRR with 13 parameters a lane, double precision, on {where['name']}", "", head]
    for question, wanted in WANTED.items():
        mine = [row for row in rows if row["question"] == question]
        usual = next(row for row in mine if row["usual"])
        for row, note in ((max(mine, key=lambda row: row["rate"]), "best"), (usual, "as the library does")):
            lines.append(
                f"{question:<24}{row['rate']:>10.2e}{wanted:>9.1e}{row['block']:>7}{row['blocks']:>8}"
                f"{row['registers']:>11}{row['local_bytes']:>13}  {note}"
            )
    best = max(row["rate"] for row in rows if row["question"] == "evaluations")
    taken = best * BYTES / where["bytes_a_second"]
    return "\n".join(
        [*lines, "", f"evaluations move {BYTES} bytes each, {taken:.0%} of what a copy moves a second"]
    )
