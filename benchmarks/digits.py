"""How much accuracy do the relaxations of the compiled kernels cost, and how much time do they save?

Fused products round a product and a sum once instead of twice; vector sines are those of the C library's vector
functions, within 4 units in the last place instead of 1. Errors are those of forward dynamics (sslm) relative to the
same operations evaluated with 64 bits of mantissa, in units of ε = 2.2e-16 of the largest acceleration. The
interpreter, which has no relaxation, shows the effect of round-off alone.
"""

from __future__ import annotations

import ctypes
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from zoo import ZOO

import multiloop as ml
from multiloop.kernels import InterpretedKernel, Kernel
from multiloop.kernels.codegen.build import required_compiler, vector_width
from multiloop.kernels.codegen.c_source import batch_loop_source, kernel_functions
from multiloop.kernels.codegen.compiler import FLAGS
from multiloop.kernels.codegen.dialects import Dialect, scalar_dialect, vector_dialect
from multiloop.plan.rank import first_order_motions
from multiloop.symbols import Tape

MECHANISMS = ("scraper-C", "3-RRR", "6-UPS")
COUNT, ROUNDS = 512, 200
EPSILON = float(np.finfo(float).eps)

FUSED = "-ffp-contract=fast"
STRICT = tuple("-ffp-contract=off" if flag == FUSED else flag for flag in FLAGS)


def measure() -> list[dict[str, Any]]:
    """One row for each mechanism and way of computing."""
    if np.finfo(np.longdouble).nmant < 63:
        sys.exit("numbers with 64 bits of mantissa are needed to measure against, which this machine has not")
    return [row for name in MECHANISMS for row in _rows(name)]


def _rows(name: str) -> list[dict[str, Any]]:
    kernels = ml.compile(ZOO[name].build())
    kernel = kernels.forward
    inputs = _states(kernels)
    exact = _exact_output(kernel.recipe.lowered[1], inputs)
    plain = InterpretedKernel(kernel.recipe, kernel.defaults)
    rows = [_row(name, "interpreter", plain.batch(*inputs), exact, None)]
    for words, dialect, flags in _ways():
        call, answer = _built(kernel, dialect, flags, inputs)
        call()
        rows.append(_row(name, words, answer.copy(), exact, _time(call)))
    return rows


def _ways() -> list[tuple[str, Dialect, tuple[str, ...]]]:
    """For each way of computing: its name, its printed form, and how it is compiled."""
    width = vector_width()
    found = [
        ("scalar C, strict", scalar_dialect(), STRICT),
        ("scalar C, fused products", scalar_dialect(), FLAGS),
    ]
    if width > 1:
        found += [
            ("scalar C, vector sines", scalar_dialect(width), STRICT),
            ("scalar C, both (as built)", scalar_dialect(width), FLAGS),
            ("vector C, vector sines", vector_dialect(width), STRICT),
            ("vector C, both (as built)", vector_dialect(width), FLAGS),
        ]
    return found


def _states(kernels: ml.Kernels) -> list[np.ndarray]:
    """Closed positions, rates that keep them closed, and forces of about one newton (metre), in columns."""
    rng, assembly = np.random.default_rng(2), kernels.plan.assembly
    places = [
        replace(assembly, q=q).coordinates_on(kernels.equations)
        for q in first_order_motions(assembly).positions()
    ]
    q = np.column_stack([places[k % len(places)] for k in range(COUNT)])
    v = np.zeros((kernels.equations.skeleton.rates, COUNT))
    for k in range(COUNT):
        J = np.asarray(kernels.jacobian(q[:, k])).reshape(-1, len(v))
        _, sigma, Vt = np.linalg.svd(J)
        free = Vt[int(np.sum(sigma > 1e-9 * sigma.max(initial=1e-300))) :]
        v[:, k] = free.T @ rng.normal(size=len(free))
    return [q, v, rng.normal(size=v.shape)]


OPERATIONS: dict[str, Callable[..., np.ndarray]] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "neg": np.negative,
    "sq": np.square,
    "twice": lambda x: x + x,
    "inv": lambda x: 1 / x,
    "sqrt": np.sqrt,
    "sin": np.sin,
    "cos": np.cos,
    "assign": lambda x: x,
}


def _exact_output(tape: Tape, inputs: list[np.ndarray]) -> np.ndarray:
    """The first output of the operation list with 64 bits of mantissa, for all states at once."""
    wide = [x.astype(np.longdouble) for x in inputs]
    held: dict[int, Any] = {}
    found: dict[int, np.ndarray] = {}
    for operation in tape.operations:
        if operation.name == "input":
            held[operation.writes[0]] = wide[operation.reads[0]][operation.reads[1]]
        elif operation.name == "const":
            held[operation.writes[0]] = np.full(COUNT, operation.value, np.longdouble)
        elif operation.name == "output":
            found[operation.writes[1]] = held[operation.reads[0]]
        else:
            held[operation.writes[0]] = OPERATIONS[operation.name](*[held[k] for k in operation.reads])
    return np.array([found[k] for k in sorted(found)])


def _built(
    kernel: Kernel, dialect: Dialect, flags: tuple[str, ...], inputs: list[np.ndarray]
) -> tuple[Callable[[], None], np.ndarray]:
    """A call that evaluates all states one after another (or a vector of them at a time), and the array of its
    results."""
    signature, tape = kernel.recipe.lowered
    pieces = kernel_functions(signature, tape, dialect)
    if dialect.width > 1:  # no state is left over for the scalar kernel
        pieces[-1] = f"void {signature.symbol}({signature.arguments}) {{}}\n" + pieces[-1]
    pieces[-1] += batch_loop_source(signature, dialect.width)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sources = [folder / f"piece{k}.c" for k in range(len(pieces))]
        for source, piece in zip(sources, pieces, strict=True):
            source.write_text(dialect.head + piece, encoding="utf-8")
        required_compiler().build(sources, folder / "kernel.so", flags=flags)
        function = getattr(ctypes.CDLL(str(folder / "kernel.so")), f"{signature.symbol}_batch")
    answer = np.zeros((signature.outputs[0].size, COUNT))
    arrays = [*(np.ascontiguousarray(x) for x in inputs), answer]
    count = len(arrays)
    stride, step = (ctypes.c_long * count)(*[COUNT] * count), (ctypes.c_long * count)(*[1] * count)
    table = (ctypes.c_void_p * count)(*[array.ctypes.data for array in arrays])
    kept = (arrays, stride, step, table)  # the call reads them
    return lambda: function(ctypes.c_long(0), ctypes.c_long(COUNT), *kept[1:]), answer


def _time(call: Callable[[], None]) -> float:
    """Nanoseconds of one evaluation, the best of many rounds."""
    best = np.inf
    for _ in range(ROUNDS):
        began = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - began)
    return float(best / COUNT * 1e9)


def _row(name: str, way: str, found: np.ndarray, exact: np.ndarray, spent: float | None) -> dict[str, Any]:
    apart = np.abs(found.astype(np.longdouble) - exact).max(axis=0) / np.abs(exact).max() / EPSILON
    return {
        "mechanism": name,
        "way": way,
        "median": round(float(np.median(apart)), 2),
        "largest": round(float(apart.max()), 1),
        "nanoseconds": None if spent is None else round(spent, 1),
    }


def table(rows: list[dict[str, Any]]) -> str:
    """The rows as text."""
    lines = [
        f"errors of forward dynamics over {COUNT} states, in units of 2.2e-16 of the largest acceleration",
        "",
        f"{'mechanism':<12}{'computed by':<28}{'median':>9}{'largest':>9}{'ns an evaluation':>18}",
    ]
    for row in rows:
        spent = "–" if row["nanoseconds"] is None else row["nanoseconds"]
        lines.append(
            f"{row['mechanism']:<12}{row['way']:<28}{row['median']:>9}{row['largest']:>9}{spent:>18}"
        )
    return "\n".join(lines)
