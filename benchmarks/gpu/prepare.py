"""Write the input of the GPU measurements to build/gpu/: CUDA source, states, and the results of the interpreter.

Besides the 3-RRR and a flexible connecting rod, agreement is measured for the mechanisms in build/gpu/zoo/*.yaml: of
the accelerations, and for some of them of all outputs. tests/unit/kernels/test_cuda_zoo.py writes the test models
there.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

import multiloop as ml
from benchmarks.gpu.cases import Lanes, bent, lanes_around, lanes_of_designs
from benchmarks.gpu.manipulator import open_manipulator, open_rod
from multiloop.dynamics.outputs import outputs_of_mechanism

FOLDER = Path("build/gpu")
LANES = 64
STEP, STEPS = 1e-3, 20
"""Of the motions that are compared."""

WITH_OUTPUTS = (
    *("four-bar", "slider-crank", "RSSR", "3-RRR", "6-UPS", "scraper-C"),
    *("cam-flat", "geared-arm", "slider-crank-worn", "bennett", "bending four-bar", "bending RSSR"),
)
"""Mechanisms of which all outputs are compared."""

OUTPUT_ROUND_OFF = 1e-12
"""Largest difference of outputs, relative to the largest value in all lanes or to one SI unit."""


def measure() -> list[dict[str, Any]]:
    """One row for each kernel that is written."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    manipulator = lanes_of_designs(open_manipulator(), LANES)
    rows = [_forward("3-RRR-designs", manipulator), _steps("3-RRR-designs", manipulator)]
    rows.append(_forward("rod-designs", bent(lanes_of_designs(open_rod(), LANES))))
    for file in sorted((FOLDER / "zoo").glob("*.yaml")):
        lanes = bent(lanes_around(ml.load(file)))
        rows.append(_forward(file.stem, lanes))
        if file.stem in WITH_OUTPUTS:
            rows.append(_outputs(file.stem, lanes))
    (FOLDER / "manifest.json").write_text(json.dumps(rows, indent=1))
    return rows


def table(rows: list[dict[str, Any]]) -> str:
    """The rows as text, and what to do with them."""
    lines = [f"{'kernel':<32}{'operations':>11}{'lanes':>7}{'most allowed':>14}"]
    for row in rows:
        lines.append(f"{row['file']:<32}{row['operations']:>11}{row['lanes']:>7}{row['allowed']:>14.1e}")
    return "\n".join(
        [*lines, "", f"written to {FOLDER}; now, with a GPU: python3 -m benchmarks.gpu.on_device"]
    )


def _forward(name: str, lanes: Lanes) -> dict[str, Any]:
    kernel = _on_gpu(lanes).forward
    expected = lanes.accelerations()
    row = {"signature": kernel.signature.to_data(), "operations": kernel.operations}
    written = {f"in_{key}": value for key, value in lanes.inputs.items()} | expected
    return _written(f"{name}_forward", "forward", kernel.source, written, row)


def _steps(name: str, lanes: Lanes) -> dict[str, Any]:
    steps = _on_gpu(lanes).steps
    arrays = {f"in_{key}": value for key, value in lanes.inputs.items()}
    for project in (True, False):
        ends = lanes.after(STEP, STEPS, project=project)
        arrays |= {f"{key}_{'projected' if project else 'plain'}": value for key, value in ends.items()}
    inputs = [[array.name, array.rows, array.columns] for array in steps.inputs]
    allowed = {"allowed": lanes.accelerations()["allowed"] * STEPS}
    row = {"inputs": inputs, "operations": lanes.kernels.forward.operations, "step": STEP, "steps": STEPS}
    return _written(f"{name}_steps", "steps", steps.program.source, arrays | allowed, row)


def _outputs(name: str, lanes: Lanes) -> dict[str, Any]:
    """All traced outputs, at the states of the lanes with accelerations, multipliers and efforts drawn at random."""
    listed = outputs_of_mechanism(lanes.kernels.equations).values()
    names = [one.name for one in listed if one.trace is not None and one.unit != "yes or no"]
    plain, kernel = lanes.kernels.outputs(names), _on_gpu(lanes).outputs(names)
    given, draw = {"q": lanes.q, "v": lanes.v, "p": lanes.p}, np.random.default_rng(11)
    for array in plain.inputs:
        if array.name not in given:
            given[array.name] = draw.normal(size=(array.rows, lanes.q.shape[1]))
    inputs = {array.name: given[array.name] for array in plain.inputs}
    found = plain.batch(**inputs)
    values = np.vstack([np.atleast_2d(part) for part in (found if isinstance(found, Sequence) else [found])])
    scale = np.maximum(np.abs(values).max(axis=1), 1.0)
    allowed = np.full(values.shape[1], OUTPUT_ROUND_OFF)
    written = {f"in_{key}": value for key, value in inputs.items()} | {"values": values, "scale": scale}
    row = {"signature": kernel.signature.to_data(), "operations": kernel.operations}
    return _written(f"{name}_outputs", "outputs", kernel.source, written | {"allowed": allowed}, row)


def _on_gpu(lanes: Lanes) -> ml.Kernels:
    """The same kernels for a GPU, which need not be present on this machine."""
    return ml.Kernels(lanes.kernels.plan, lanes.kernels.method, "cuda")


def _written(
    file: str, kind: str, source: str, arrays: dict[str, np.ndarray], row: dict[str, Any]
) -> dict[str, Any]:
    (FOLDER / f"{file}.cu").write_text(source)
    np.savez(FOLDER / f"{file}.npz", **arrays)
    sizes = {"lanes": arrays["in_q"].shape[1], "allowed": float(arrays["allowed"].max())}
    return {"file": file, "kind": kind} | row | sizes
