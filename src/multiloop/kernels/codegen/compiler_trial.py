"""Trial of a C compiler: each operation that kernels use is compared with CasADi's interpreter.

A compiler without headers or linker also reports a version, and a compiler whose calling convention differs from that
of the vector library builds kernels that return arbitrary numbers. Therefore a trial library is built in the same way
as kernels, with one output for each operation. It is called in a separate process, so that an illegal instruction, or a
library that changes the rounding mode, does not affect this process. Results of operations that IEEE 754 defines must
agree in each bit with the interpreter, results of functions within `ROUND_OFF_UNITS` units of round-off.

Theory: docs/theory/14-compiled-kernels.md, section 14.4.
"""

from __future__ import annotations

import shlex
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import cycle, islice
from pathlib import Path
from typing import Any, NamedTuple

import casadi as ca
import numpy as np

from multiloop.kernels.cache_folder import cache_folder, private_folder, process_folder
from multiloop.kernels.codegen import trial_process
from multiloop.kernels.codegen.c_source import batch_kernel_source, single_kernel_source
from multiloop.kernels.codegen.compiler import (
    LINKER_OPTIONS,
    QUERY_TIMEOUT,
    CompilationError,
    Compiler,
    run_command,
)
from multiloop.kernels.codegen.recipe import dense_tape
from multiloop.kernels.library_cache import UnbuiltError, digest
from multiloop.symbols import Traced
from multiloop.symbols.batched_evaluation import BatchEvaluator

ROUND_OFF_UNITS = 8
"""Largest relative difference of results of a function, in units of machine epsilon. Errors of vector functions are at
most 4 units, those of the interpreter 1."""

INSTANCE_COUNT = 21
"""Number of instances in the trial: two of the widest vectors, and five instances that do not fill a vector."""


class WrongNumbersError(CompilationError):
    """Error raised if the compiler builds libraries that return wrong numbers or cannot be called."""


class TrialOperation(NamedTuple):
    """One output of the trial: text for messages, expression, and whether IEEE 754 defines each bit of the result."""

    text: str
    expression: Callable[..., Any]
    exact: bool = True


OPERATIONS = (
    TrialOperation("a + b", lambda a, b, **_: a + b),
    TrialOperation("a - b", lambda a, b, **_: a - b),
    TrialOperation("a * b", lambda a, b, **_: a * b),
    TrialOperation("-a", lambda a, **_: -a),
    TrialOperation("a ** 2", lambda a, **_: a**2),
    TrialOperation("2 * a", lambda a, **_: 2 * a),
    TrialOperation("1 / a", lambda a, **_: 1 / a),
    *(
        TrialOperation(f"{x} / b", lambda b, x=x, **v: v[x] / b) for x in "acdup"
    ),  # must not be computed by multiplication with a common reciprocal 1/b
    TrialOperation(
        "a + b + u + p + r + s, in order", lambda a, b, u, p, r, s, **_: ((((a + b) + u) + p) + r) + s
    ),
    TrialOperation("a * b * u * p, in order", lambda a, b, u, p, **_: ((a * b) * u) * p),
    TrialOperation("c / 2", lambda c, **_: 0.5 * c),  # c includes subnormal and non-finite numbers
    TrialOperation("-c", lambda c, **_: -c),
    TrialOperation("fabs(c)", lambda c, **_: ca.fabs(c)),
    TrialOperation("copysign(d, c)", lambda c, d, **_: ca.copysign(d, c)),
    TrialOperation("sqrt(p)", lambda p, **_: ca.sqrt(p)),
    TrialOperation("floor(a)", lambda a, **_: ca.floor(a)),
    TrialOperation("ceil(a)", lambda a, **_: ca.ceil(a)),
    TrialOperation("sign(a)", lambda a, **_: ca.sign(a)),
    TrialOperation("fmin(a, b)", lambda a, b, **_: ca.fmin(a, b)),
    TrialOperation("fmax(a, b)", lambda a, b, **_: ca.fmax(a, b)),
    TrialOperation("fmin(c, d)", lambda c, d, **_: ca.fmin(c, d)),
    TrialOperation("fmax(c, d)", lambda c, d, **_: ca.fmax(c, d)),
    TrialOperation("a < b", lambda a, b, **_: a < b),
    TrialOperation("a <= b", lambda a, b, **_: a <= b),
    TrialOperation("a == b", lambda a, b, **_: a == b),
    TrialOperation("a != b", lambda a, b, **_: a != b),
    TrialOperation("c < d", lambda c, d, **_: c < d),
    TrialOperation("c <= d", lambda c, d, **_: c <= d),
    TrialOperation("c == d", lambda c, d, **_: c == d),
    TrialOperation("c != d", lambda c, d, **_: c != d),
    TrialOperation("a > 0 and b > 0", lambda a, b, **_: ca.logic_and(a > 0, b > 0)),
    TrialOperation("a > 0 or b > 0", lambda a, b, **_: ca.logic_or(a > 0, b > 0)),
    TrialOperation("not a > 0", lambda a, **_: ca.logic_not(a > 0)),
    TrialOperation("c if a < b else d", lambda a, b, c, d, **_: ca.if_else(a < b, c, d)),
    *(
        TrialOperation(f"{name}({x})", lambda name=name, x=x, **v: getattr(ca, name)(v[x]), exact=False)
        for name, x in (
            *(("sin", x) for x in "abup"),  # these sines and cosines of inputs are computed together
            *(("cos", x) for x in "abup"),
            *((name, "a") for name in ("tan", "atan", "tanh")),
            *((name, "u") for name in ("asin", "acos", "sinh", "cosh", "exp")),
            ("log", "p"),
        )
    ),
    TrialOperation("sin(a * u)", lambda a, u, **_: ca.sin(a * u), exact=False),
    TrialOperation("cos(a * u)", lambda a, u, **_: ca.cos(a * u), exact=False),
    TrialOperation("atan2(a, b)", lambda a, b, **_: ca.atan2(a, b), exact=False),
    TrialOperation("p ** u", lambda p, u, **_: p**u, exact=False),
    TrialOperation("p ** 1.7", lambda p, **_: p**1.7, exact=False),
)

SIGNED_OPERATIONS = ("-c", "fabs(c)", "copysign(d, c)")
"""Operations for which the sign of a zero result is also compared."""


@cache
def traced_trial() -> Traced:
    """The traced function of the trial, with one output for each operation."""
    x = ca.SX.sym("x", len(_trial_inputs()))
    inputs = dict(zip("abupcdrs", ca.vertsplit(x), strict=True))
    return Traced(
        "trial", {"x": x}, {"y": ca.vertcat(*(operation.expression(**inputs) for operation in OPERATIONS))}
    )


def _trial_inputs() -> np.ndarray:
    """The inputs a, b, u, p, c, d, r, s of the trial, inputs × instances.

    a and b are any numbers, |u| < 1, p > 0, c and d may also be subnormal or not finite, r = −a and s = −b.
    """
    rng = np.random.default_rng(9)
    a, b = rng.normal(size=(2, INSTANCE_COUNT)) * 10.0 ** rng.uniform(-3, 5, size=(2, INSTANCE_COUNT))
    b[::5] = a[::5]
    u, p = rng.uniform(-0.99, 0.99, INSTANCE_COUNT), 10.0 ** rng.uniform(-3, 3, INSTANCE_COUNT)
    c = list(islice(cycle([np.nan, 1.5, -np.inf, 2.0**-1060, -0.0, -3e-320, 7.0]), INSTANCE_COUNT))
    d = list(islice(cycle([2.0, np.nan, 1.0, np.inf, -(2.0**-1030)]), INSTANCE_COUNT))
    return np.array([a, b, u, p, c, d, -a, -b])


@cache
def trial_text(width: int) -> tuple[str, ...]:
    """C source of the trial library, generated in the same way as kernels, for one instance and for many."""
    signature, tape = dense_tape(traced_trial(), as_written=True)
    many = replace(signature, name=f"{signature.name}_many")
    return (*single_kernel_source(signature, tape, width), *batch_kernel_source(many, tape, width))


def trial_digest(width: int) -> str:
    """Digest (hash) of the source of the trial library.

    Together with the compiler and the machine, it is the key under which the result of the trial is stored.
    """
    return digest("\0".join(trial_text(width)).encode())


def run_trial(found: Compiler) -> str:
    """Build the trial library and verify its results; return the name of the first supported set of linker options."""
    failures: list[OSError] = []
    for base in (cache_folder, process_folder):
        for way, options in LINKER_OPTIONS.items():
            try:
                _run_trial_in(private_folder(base()), replace(found, linking=options))
                return way
            except (UnbuiltError, WrongNumbersError):  # another folder would not avoid these errors
                raise
            except OSError as error:
                failures.append(error)
    raise failures[0]


def _run_trial_in(base: Path, found: Compiler) -> None:
    """Build the trial library in a temporary folder of `base` and verify its results."""
    folder = Path(tempfile.mkdtemp(dir=base, prefix=".making-"))
    try:
        sources = []
        for number, text in enumerate(trial_text(found.width)):
            sources.append(folder / f"trial{number}.c")
            sources[-1].write_text(text, encoding="utf-8")
        found.build(sources, folder / "trial.so", seconds=QUERY_TIMEOUT)
        wrong = _first_wrong_number(_trial_results(folder / "trial.so", found), found.width)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if wrong:
        raise WrongNumbersError(
            f"{shlex.join(found.command)} builds kernels that return wrong numbers: {wrong}"
        )


def _trial_results(library: Path, found: Compiler) -> np.ndarray:
    """Results of the trial library, 2 × operations × instances.

    The first half is computed one instance at a time, the second for many instances at once.
    """
    given = np.ascontiguousarray(_trial_inputs())
    sizes = (*given.shape, len(OPERATIONS))
    if Path(sys.executable or "").name.startswith("python"):
        x, y = library.with_name("x"), library.with_name("y")
        x.write_bytes(given.tobytes())
        words = [sys.executable, "-IS", trial_process.__file__, *map(str, (library, x, y, *sizes))]
        done = run_command(words, seconds=QUERY_TIMEOUT)
        if done.code != 0:
            last = (done.error_output.strip().splitlines() or [f"exit status {done.code}"])[-1]
            why = last if done.code > 0 else signal.strsignal(-done.code)
            raise WrongNumbersError(
                f"{shlex.join(found.command)} builds libraries that cannot be called: {why}"
            )
        answers = y.read_bytes()
    else:  # Python is embedded in an application, so that no Python process can be started
        answers = trial_process.evaluate(str(library), given.tobytes(), *sizes)
    return np.frombuffer(answers).reshape(2, len(OPERATIONS), INSTANCE_COUNT)


def check_tape_evaluator(create_evaluator: Callable[[ca.Function], BatchEvaluator | None]) -> str:
    """Compare an evaluator of operation lists (tapes) with CasADi's interpreter on the operations of the trial.

    `create_evaluator` creates the evaluator of a function. Returns a message about the first wrong result; empty if all
    results agree.
    """
    traced, given = traced_trial(), _trial_inputs()
    walk = create_evaluator(
        ca.Function(traced.name, list(traced.inputs.values()), list(traced.outputs.values()))
    )
    if walk is None:
        return "some operations are not implemented"
    answers = np.empty((INSTANCE_COUNT, len(OPERATIONS)))
    walk([np.ascontiguousarray(given.T)], [answers])
    return _first_wrong_number(answers.T[None], 1)


def _first_wrong_number(answers: np.ndarray, width: int) -> str:
    """Message about the first result that differs from that of CasADi's interpreter; empty if all results agree."""
    given = _trial_inputs()
    expected = np.array([traced_trial()(column)[0] for column in given.T]).T
    exact, signed = (
        np.array([flag(operation) for operation in OPERATIONS])[:, None]
        for flag in (lambda one: one.exact, lambda one: one.text in SIGNED_OPERATIONS)
    )
    with np.errstate(invalid="ignore"):
        off = np.abs(answers - expected) > ROUND_OFF_UNITS * np.finfo(float).eps * np.abs(expected)
        same = (answers == expected) | (np.isnan(answers) & np.isnan(expected))
    flipped = signed & ~np.isnan(expected) & (np.signbit(answers) != np.signbit(expected))
    wrong = np.argwhere(np.where(exact, ~same | flipped, off | ~np.isfinite(answers)))
    if not len(wrong):
        return ""
    way, number, instance = wrong[0]
    in_vectors = way > 0 and width > 1 and instance < INSTANCE_COUNT // width * width
    values = ", ".join(f"{name} = {x:.17g}" for name, x in zip("abupcdrs", given[:, instance], strict=True))
    found, right = answers[way, number, instance], expected[number, instance]
    where = f"in vectors of {width}" if in_vectors else "one at a time"
    return f"{OPERATIONS[number].text} is {found:.17g} instead of {right:.17g} ({values}), computed {where}"
