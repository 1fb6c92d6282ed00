"""How long are the operation lists of flexible mechanisms, how long does their compilation take, and how fast do they
run?

The table contains the operations of the three kernels of a run, and of the matrix of `imex` beside the whole derivative
J of `implicit`; processor seconds to trace and to compile the three without a cache, and the memory of the compiler; a
run of the time loop; and accelerations of many designs per second. `estimate` is the number that `explain` states
beforehand.
"""

from __future__ import annotations

import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from published.elastic.linkages import four_bar, slider_crank
from published.fattah.manipulators import driven, needed, slow
from zoo.rssr import COUPLER, rssr

import multiloop as ml
from benchmarks.peers.text import as_text, grid
from multiloop.analyses.analysis_cache import cached_assembly, cached_plan
from multiloop.analyses.run_models.run_model import cached_model, cached_run
from multiloop.kernels.codegen.build import KernelSource, _single_source
from multiloop.kernels.codegen.recipe import Recipe
from multiloop.plan.operation_count import estimate_operations
from multiloop.symbols import Traced

STRIP = {"E": 70e9, "density": 2700.0, "section": ml.rectangle(0.02, 0.008)}
KERNELS = ("rate", "project_positions", "project_velocities")
MANY = 100_000


def in_space(**modes: int) -> ml.Mechanism:
    """An RSSR with a flexible coupler."""
    return rssr().with_body(ml.beam("coupler", length=COUPLER, modes=modes, **STRIP))


CASES: dict[str, Callable[[], ml.Mechanism]] = {
    "slider-crank, rigid": lambda: slider_crank().with_body(ml.rod("rod", length=0.3, mass=0.151104)),
    "slider-crank, y 1": lambda: slider_crank(1),
    "slider-crank, y 2": lambda: slider_crank(2),
    "slider-crank, y 2 x 1": lambda: slider_crank({"y": 2, "x": 1}),
    "slider-crank, y 4": lambda: slider_crank(4),
    "slider-crank, y 6 x 3": lambda: slider_crank({"y": 6, "x": 3}),
    "four-bar, 2 links of y 2": lambda: four_bar(2),
    "3-RRR, 6 links of y 2": lambda: slow(2),
    "3-RRR, 6 links of y 2 x 1": lambda: slow({"y": 2, "x": 1}),
    "RSSR, y 2 z 2": lambda: in_space(y=2, z=2),
    "RSSR, y 2 z 2 x 1 twist 1": lambda: in_space(y=2, z=2, x=1, twist=1),
    "RSSR, y 4 z 4 x 2 twist 2": lambda: in_space(y=4, z=4, x=2, twist=2),
}


def measure() -> dict[str, Any]:
    """One row for each mechanism, and the further measurements of two of them."""
    return {
        "rows": [_row(name, made()) for name, made in CASES.items()],
        "asked": [_manipulator(), _designs()],
    }


def _row(name: str, mechanism: ml.Mechanism) -> dict[str, Any]:
    assembly, _ = cached_assembly(mechanism, None, None, None, 0.0)
    plan = cached_plan(assembly)
    began = time.thread_time()
    model = cached_model(plan, "sslm", ())
    run = cached_run(model, None, {})

    def recipe(piece: str) -> Recipe:
        return Recipe(lambda: Traced(piece, run.inputs, run.traces[piece]()))

    lowered = {piece: recipe(piece).lowered for piece in KERNELS}
    traced = time.thread_time() - began
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    for found in lowered.values():
        _compile(_single_source(*found))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    elastic = sum(link.reduced.elastic for link in model.skeleton.links)
    matrices = ("stiffness", "slope") if 0 < elastic <= 4 else ("stiffness",) if elastic else ()
    return {
        "mechanism": name,
        "coordinates": elastic,
        "estimate": estimate_operations(model.skeleton, plan.operations).operations,
        "operations": {piece: tape.total for piece, (_, tape) in lowered.items()}
        | {piece: recipe(piece).lowered[1].total for piece in matrices},
        "traced": traced,
        "compiled": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
        "megabytes": after.ru_maxrss / 1024,
    }


def _compile(text: KernelSource) -> None:
    """Compile into a separate folder, without the cache."""
    with tempfile.TemporaryDirectory() as folder:
        text.compile_into(Path(folder))


def _manipulator() -> dict[str, Any]:
    """The 3-RRR in joint space with twelve modes, for one second under the torques of the rigid one."""
    rigid = needed("slow")
    driven("slow", 2, rtol=1e-6, rigid=rigid)  # compiles
    began = time.thread_time()
    run = driven("slow", 2, rtol=1e-6, rigid=rigid)
    took = time.thread_time() - began
    return {"what": f"3-RRR, 1 s of motion, {run.counts['steps']} steps", "seconds": took, "count": 1}


def _designs() -> dict[str, Any]:
    """Accelerations of a slider-crank for many thicknesses of its rod in one call."""
    h = ml.Parameter("thickness", 0.008)
    steel = {"E": 2e11, "density": 7870.0, "section": ml.rectangle(0.008, h)}
    rod = ml.beam("rod", length=0.3, modes=2, markers={"middle": 0.15}, **steel)
    kernels = ml.compile(slider_crank().with_body(rod).without_drives())
    p, v = np.linspace(0.004, 0.02, MANY)[None, :], np.zeros(kernels.equations.skeleton.rates)
    kernels.forward.batch(kernels.q, v, v, p=p[:, :64])  # compiles
    began = time.thread_time()
    kernels.forward.batch(kernels.q, v, v, p=p, threads=1)
    return {"what": "thicknesses of a rod, one call", "seconds": time.thread_time() - began, "count": MANY}


def table(found: dict[str, Any]) -> str:
    """All of it as text."""
    head = (
        "mechanism",
        "η",
        "estimate",
        "rate",
        "project_positions",
        "project_velocities",
        "matrix",
        "J",
        "trace s",
        "cc s",
        "MB",
    )
    rows = []
    for row in found["rows"]:
        counts = [str(row["operations"].get(piece, "–")) for piece in (*KERNELS, "stiffness", "slope")]
        took = f"{row['traced']:.2f}", f"{row['compiled']:.2f}", f"{row['megabytes']:.0f}"
        rows.append((row["mechanism"], str(row["coordinates"]), str(row["estimate"]), *counts, *took))
    asked = [
        (one["what"], str(one["count"]), f"{one['seconds']:.3f}", f"{one['count'] / one['seconds']:.3g}")
        for one in found["asked"]
    ]
    return as_text(
        grid("operations, and what compiling them takes", head, rows),
        grid("compiled", ("what", "count", "s", "a second"), asked),
    )
