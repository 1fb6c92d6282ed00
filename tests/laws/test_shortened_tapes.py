"""Machine code says what was traced: shortened tapes have no larger errors than the same tapes as they were written."""

from __future__ import annotations

import operator

import numpy as np
import pytest
from golden.counting import kernels_of
from zoo import ZOO
from zoo.bending import BENDING

import multiloop as ml
from multiloop.symbols import Tape

POINTS = 24

CARRIED_OUT = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": operator.truediv,
    "neg": operator.neg,
    "inv": lambda a: 1 / a,
    "twice": lambda a: a + a,
    "sq": lambda a: a * a,
    "sin": np.sin,
    "cos": np.cos,
    "sqrt": np.sqrt,
    "fabs": np.abs,
    "fmax": np.maximum,
    "fmin": np.minimum,
    "lt": lambda a, b: 1.0 * (a < b),
    "le": lambda a, b: 1.0 * (a <= b),
    "not": lambda a: 1.0 * (a == 0),
    "if_else_zero": lambda a, b: np.where(a != 0, b, 0 * b),
}
"""Operations over all points; tapes with others are left out."""

QUICK = ("four-bar", "RSSR", "cam-flat", "planetary")


def carried_out(tape: Tape, given: dict[tuple[int, ...], np.ndarray], kind: type) -> np.ndarray:
    """Its outputs at all points, outputs × points."""
    registers: list[np.ndarray] = [np.zeros(POINTS, kind)] * tape.registers
    found = {}
    for op in tape.operations:
        if op.name == "input":
            registers[op.writes[0]] = given[tuple(op.reads)].astype(kind)
        elif op.name == "const":
            registers[op.writes[0]] = np.full(POINTS, op.value, kind)
        elif op.name == "output":
            found[tuple(op.writes)] = registers[op.reads[0]]
        else:
            registers[op.writes[0]] = CARRIED_OUT[op.name](*(registers[k] for k in op.reads))
    return np.array([found[place] for place in sorted(found)])


def error(found: np.ndarray, exact: np.ndarray) -> np.ndarray:
    """Of all outputs, relative to the largest, at every point."""
    return np.abs(found - exact).max(axis=0) / np.abs(exact).max(axis=0)


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.slow] * (name not in QUICK)) for name in (*ZOO, *BENDING)],
)
def test_a_shortened_tape_is_as_exact_as_the_one_that_was_written(name: str) -> None:
    """At random points, singular ones apart; sums of other order may have some more round-off."""
    entry = ZOO.get(name) or BENDING[name]
    for label, trace in kernels_of(ml.analyse(entry.build())):
        if name in BENDING and label.startswith(("inverse", "step")):
            continue  # links that bend have no inverse kernels
        traced = trace()
        written, short = traced.tape(as_written=True), traced.tape()
        if {op.name for op in written.operations} - {*CARRIED_OUT, "input", "const", "output"}:
            continue
        random = np.random.default_rng(1)
        given = {
            tuple(op.reads): 0.7 * random.normal(size=POINTS)
            for op in written.operations
            if op.name == "input"
        }
        with np.errstate(all="ignore"):
            exact = carried_out(written, given, np.longdouble)
            before, now = (error(carried_out(tape, given, np.float64), exact) for tape in (written, short))
        regular = np.isfinite(before) & np.isfinite(now)
        if regular.any():
            assert np.median(now[regular]) <= 100 * np.median(before[regular]) + 1e-13, label
