"""Does the GPU agree with the interpreter? Normwise, relative to the round-off that the condition number allows."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import cupy
import numpy as np

from multiloop.kernels.cuda.device import CudaBatches, CudaSteps
from multiloop.kernels.kernel_arguments import Array, Signature

Row = dict[str, Any]


def measured(bundle: Path, rows: list[Row]) -> list[Row]:
    """One row a kernel; texts are compiled side by side."""
    with ThreadPoolExecutor() as pool:
        return list(pool.map(lambda row: MEASURED[row["kind"]](bundle, row), rows))


def batches_of(bundle: Path, row: Row, **tuned: int) -> CudaBatches:
    """The batch kernel of a row."""
    return CudaBatches(
        (bundle / f"{row['file']}.cu").read_text(), Signature.from_data(row["signature"]), **tuned
    )


def steps_of(bundle: Path, row: Row, **tuned: int) -> CudaSteps:
    """The fixed steps of a row."""
    return CudaSteps(
        (bundle / f"{row['file']}.cu").read_text(), [Array(*one) for one in row["inputs"]], **tuned
    )


def inputs_of(arrays: Any) -> dict[str, Any]:
    """The inputs among the arrays of a file, on the device."""
    return {name[3:]: cupy.asarray(arrays[name]) for name in arrays.files if name.startswith("in_")}


def _forward(bundle: Path, row: Row) -> Row:
    arrays = np.load(bundle / f"{row['file']}.npz")
    kernel = batches_of(bundle, row)
    found = kernel.batch(**inputs_of(arrays)).get()
    scale = arrays["scale"][:, None]
    apart = np.abs((found - arrays["a"]) / scale).max(axis=0)
    row_found = _judged(row["file"], apart / arrays["size"], arrays["allowed"])
    largest = np.abs(arrays["a"] / scale).max()
    row_found["drawn"] = _judged(row["file"], apart / largest, arrays["allowed"])["apart"]
    return row_found | kernel.resources | {"operations": row["operations"]}


def _steps(bundle: Path, row: Row) -> Row:
    """Positions and rates after the steps, with and without projection: the worse of the two."""
    arrays = np.load(bundle / f"{row['file']}.npz")
    kernel, given = steps_of(bundle, row), inputs_of(arrays)
    worst: Row = {"apart": -1.0}
    for kind in ("plain", "projected"):
        ended = kernel.advance(**given, step=row["step"], steps=row["steps"], project=kind == "projected")
        found = np.vstack([ended.q.get(), ended.v.get()])
        expected = np.vstack([arrays[f"q_{kind}"], arrays[f"v_{kind}"]])
        apart = np.abs(found - expected).max(axis=0) / np.abs(expected).max(axis=0)
        row_found = _judged(f"{row['file']}, {kind}", apart, arrays["allowed"])
        row_found["agrees"] = row_found["agrees"] and not ended.status.any()
        row_found["drawn"] = row_found["apart"]
        worst = max(worst, row_found, key=lambda one: one["apart"])
    return worst | kernel.resources() | {"operations": row["operations"]}


def _outputs(bundle: Path, row: Row) -> Row:
    """All outputs, each relative to its largest value in all lanes or to one SI unit."""
    arrays = np.load(bundle / f"{row['file']}.npz")
    kernel = batches_of(bundle, row)
    found = kernel.batch(**inputs_of(arrays))
    parts = found if isinstance(found, list | tuple) else [found]
    values = np.vstack([np.atleast_2d(part.get()) for part in parts])
    apart = np.abs((values - arrays["values"]) / arrays["scale"][:, None]).max(axis=0)
    row_found = _judged(row["file"], apart, arrays["allowed"])
    row_found["drawn"] = row_found["apart"]
    return row_found | kernel.resources | {"operations": row["operations"]}


MEASURED = {"forward": _forward, "steps": _steps, "outputs": _outputs}
"""Functions that compare one row of the manifest, by its kind."""


def _judged(name: str, apart: np.ndarray, allowed: np.ndarray) -> Row:
    """The lane with the largest difference relative to its allowed difference."""
    worst = int(np.argmax(np.where(np.isfinite(apart), apart / allowed, np.inf)))
    agrees = bool((apart <= allowed).all())
    return {"kernel": name, "apart": float(apart[worst]), "allowed": float(allowed[worst]), "agrees": agrees}


def table(rows: list[Row]) -> str:
    """The rows as text."""
    names = f"{'kernel':<34}{'operations':>11}{'apart':>10}{'allowed':>10}{'drawn':>10}"
    head = f"{names}{'registers':>11}{'local bytes':>13}"
    title = "largest difference from the interpreter, of the larger of its accelerations and what loops add to them"
    drawn = "drawn: of the largest acceleration of all states drawn, as the tests of C and vector C judge"
    lines = [title, drawn, "", head]
    for row in rows:
        lines.append(
            f"{row['kernel']:<34}{row['operations']:>11}{row['apart']:>10.1e}{row['allowed']:>10.1e}{row['drawn']:>10.1e}"
            f"{row['registers']:>11}{row['local_bytes']:>13}{'' if row['agrees'] else '  more than allowed'}"
        )
    return "\n".join([*lines, ""])
