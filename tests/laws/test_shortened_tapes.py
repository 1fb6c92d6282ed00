"""Machine code computes the traced expressions: shortened operation lists have no larger errors than the original
ones."""

from __future__ import annotations

import numpy as np
import pytest
from golden.operation_counts import kernels_of
from tape_evaluation import evaluate_tape, has_known_operations_only
from zoo import ZOO
from zoo.flexible import BENDING

import multiloop as ml

POINTS = 24

QUICK = ("four-bar", "RSSR", "cam-flat", "planetary")


def all_points(outputs: list[np.ndarray]) -> np.ndarray:
    """Outputs × points; a constant is repeated at all of them."""
    return np.array([np.broadcast_to(output, POINTS) for output in outputs])


def error(found: np.ndarray, exact: np.ndarray) -> np.ndarray:
    """The error of all outputs, relative to the largest, at every point."""
    return np.abs(found - exact).max(axis=0) / np.abs(exact).max(axis=0)


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.slow] * (name not in QUICK)) for name in (*ZOO, *BENDING)],
)
def test_a_shortened_tape_is_as_exact_as_the_one_that_was_written(name: str) -> None:
    """At random regular points; another order of summation may have slightly more round-off."""
    entry = ZOO.get(name) or BENDING[name]
    for label, trace in kernels_of(ml.analyse(entry.build())):
        if name in BENDING and label.startswith(("inverse", "step")):
            continue  # flexible links have no inverse kernels
        traced = trace()
        written, short = traced.tape(as_written=True), traced.tape()
        if not has_known_operations_only(written):
            continue
        random = np.random.default_rng(1)
        given = [0.7 * random.normal(size=(m.numel(), POINTS)) for m in traced.inputs.values()]
        exactly = [values.astype(np.longdouble) for values in given]
        with np.errstate(all="ignore"):
            exact = all_points(evaluate_tape(written, exactly, np.longdouble))
            before, now = (
                error(all_points(evaluate_tape(tape, given, np.float64)), exact) for tape in (written, short)
            )
        regular = np.isfinite(before) & np.isfinite(now)
        if regular.any():
            assert np.median(now[regular]) <= 100 * np.median(before[regular]) + 1e-13, label
