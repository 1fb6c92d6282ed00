"""Do overconstrained and massless mechanisms keep their energy for 10 s, and do others after passing singular
positions?

The drift is the largest change of energy less work over the peak kinetic energy. "Regular" runs are by the default
method, compiled and interpreted, and meet no singular position; "singular" ones pass some and are by the augmented
method, which is always interpreted.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from laws.free_runs import REGULAR, SINGULAR, regular_run, singular_run
from zoo import ZOO, chains

import multiloop as ml

SECONDS, RTOL = 10.0, 1e-12
ALLOWED = 1e-9
"""Part of the peak kinetic energy."""

INTERPRETER = "interpreter"

STARTS = (-0.3, -0.31, -0.325, -0.347)
"""Initial angles of a ladder that passes its flat position, so that steps end at different distances from it."""


def measure() -> list[dict[str, Any]]:
    """One row for each run."""
    asked = {"until": SECONDS, "rtol": RTOL, "samples": 501}
    rows = []
    for name, given in REGULAR.items():
        entry = ZOO[name]
        kind = f"{entry.redundant} redundant" if entry.redundant else "massless links"
        for target in ("c", INTERPRETER):
            run = partial(regular_run, name, target=target, **asked)
            rows.append(_row(name, f"regular, {kind}", given.words, target, run))
    for name, given in SINGULAR.items():
        rows.append(_row(name, "singular", given.words, INTERPRETER, partial(singular_run, name, **asked)))
    for angle in STARTS:
        thrown = f"thrown from {angle} rad"
        rows.append(_row("N-four-bar", "singular", thrown, INTERPRETER, partial(_thrown, angle)))
    for words, until in (("driven through flat", 1.5), ("driven, stops at flat", 1.0)):
        rows.append(_row("N-four-bar", "singular", words, INTERPRETER, partial(_levelled, until)))
    return rows


def table(rows: list[dict[str, Any]]) -> str:
    """The rows as text."""
    head = f"energy drift, rtol = {RTOL:g}, over the peak kinetic energy (allowed {ALLOWED:g})"
    lines = [
        head,
        "",
        f"{'mechanism':<22}{'kind':<24}{'start':<26}{'target':<13}{'method':<11}{'s':>5}{'peak T / J':>12}"
        f"{'drift':>10}{'gap':>10}{'time / s':>10}",
    ]
    for row in rows:
        heading = f"{row['mechanism']:<22}{row['kind']:<24}{row['start']:<26}{row['target']:<13}"
        if row["stopped"]:
            lines.append(f"{heading}{row['stopped']}")
            continue
        mark = "" if row["drift"] <= ALLOWED else "  more than allowed"
        lines.append(
            f"{heading}{row['method']:<11}{row['seconds']:>5.3g}{row['peak']:>12.4g}{row['drift']:>10.1e}"
            f"{row['gap']:>10.1e}{row['time']:>10.1f}{mark}"
        )
    return "\n".join(lines)


def _row(mechanism: str, kind: str, start: str, target: str, run: Callable[[], ml.Result]) -> dict[str, Any]:
    row: dict[str, Any] = {
        "mechanism": mechanism,
        "kind": kind,
        "start": start,
        "target": target,
        "stopped": "",
    }
    began = time.perf_counter()
    try:
        result = run()
    except ml.SolveError as error:
        return row | {"stopped": f"stopped at t = {error.time} s: {error.faults[0].what}"}
    return row | {
        "method": result.method,
        "seconds": float(result.time[-1]),
        "peak": float(result.kinetic_energy.max()),
        "drift": result.energy_drift,
        "gap": float(result.constraint_violation.max()),
        "time": round(time.perf_counter() - began, 1),
    }


def _thrown(angle: float) -> ml.Result:
    """A ladder of three windows whose initial rates take it through the flat position once."""
    return _passing(chains.ladder(3).without_drives(), 0.3, start={"P0": angle}, rates={"P0": 4.0})


def _levelled(until: float) -> ml.Result:
    """A ladder of three windows whose first vertical is driven at constant speed and is flat at t = 1 s."""
    drive = ml.Motion("P0", -np.pi / 6 * (1 - ml.time))
    return _passing(chains.ladder(3).replace(drives=[drive]), until)


def _passing(mechanism: ml.Mechanism, until: float, **given: Any) -> ml.Result:
    return ml.simulate(mechanism, until=until, rtol=RTOL, samples=31, method="augmented", **given)
