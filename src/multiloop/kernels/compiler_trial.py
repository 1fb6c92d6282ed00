"""Trial of a C compiler: each operation that kernels use is compared with CasADi's interpreter.

A compiler without headers or linker reports a version too, and one whose calling convention differs from that of the
vector library builds kernels that return arbitrary numbers. Therefore a trial library is built in the same way as
kernels, with one output for each operation, and called in a separate process, so that an illegal instruction, or a
library that changes the rounding mode, does not affect this process. Operations that IEEE 754 defines must agree in
each bit; functions within `UNITS` units of round-off.
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

from multiloop.kernels import trial_process
from multiloop.kernels.cache import UnbuiltError, digest
from multiloop.kernels.cache_folder import cache_folder, own_folder, private
from multiloop.kernels.commands import answered
from multiloop.kernels.compiler import ASKING, LINKING, CompilationError, Compiler
from multiloop.kernels.kernel_text import batch_text, single_text
from multiloop.kernels.recipe import dense
from multiloop.symbols import Traced
from multiloop.symbols.strips import SideBySide

UNITS = 8
"""Units of round-off within which functions must agree: vector functions are off by at most 4, the interpreter by 1."""

COUNT = 21
"""Number of instances: two of the widest vectors, and some that do not fill a vector."""


class WrongNumbersError(CompilationError):
    """The compiler builds libraries that return wrong numbers."""


class Operation(NamedTuple):
    """One output of the trial: its text in messages, its expression, and whether IEEE 754 defines each bit."""

    text: str
    of: Callable[..., Any]
    exact: bool = True


OPERATIONS = (
    Operation("a + b", lambda a, b, **_: a + b),
    Operation("a - b", lambda a, b, **_: a - b),
    Operation("a * b", lambda a, b, **_: a * b),
    Operation("-a", lambda a, **_: -a),
    Operation("a ** 2", lambda a, **_: a**2),
    Operation("2 * a", lambda a, **_: 2 * a),
    Operation("1 / a", lambda a, **_: 1 / a),
    *(
        Operation(f"{x} / b", lambda b, x=x, **v: v[x] / b) for x in "acdup"
    ),  # must not be computed by a common reciprocal
    Operation("a + b + u + p + r + s, in order", lambda a, b, u, p, r, s, **_: ((((a + b) + u) + p) + r) + s),
    Operation("a * b * u * p, in order", lambda a, b, u, p, **_: ((a * b) * u) * p),
    Operation("c / 2", lambda c, **_: 0.5 * c),  # of subnormal and non-finite numbers
    Operation("-c", lambda c, **_: -c),
    Operation("fabs(c)", lambda c, **_: ca.fabs(c)),
    Operation("copysign(d, c)", lambda c, d, **_: ca.copysign(d, c)),
    Operation("sqrt(p)", lambda p, **_: ca.sqrt(p)),
    Operation("floor(a)", lambda a, **_: ca.floor(a)),
    Operation("ceil(a)", lambda a, **_: ca.ceil(a)),
    Operation("sign(a)", lambda a, **_: ca.sign(a)),
    Operation("fmin(a, b)", lambda a, b, **_: ca.fmin(a, b)),
    Operation("fmax(a, b)", lambda a, b, **_: ca.fmax(a, b)),
    Operation("fmin(c, d)", lambda c, d, **_: ca.fmin(c, d)),
    Operation("fmax(c, d)", lambda c, d, **_: ca.fmax(c, d)),
    Operation("a < b", lambda a, b, **_: a < b),
    Operation("a <= b", lambda a, b, **_: a <= b),
    Operation("a == b", lambda a, b, **_: a == b),
    Operation("a != b", lambda a, b, **_: a != b),
    Operation("c < d", lambda c, d, **_: c < d),
    Operation("c <= d", lambda c, d, **_: c <= d),
    Operation("c == d", lambda c, d, **_: c == d),
    Operation("c != d", lambda c, d, **_: c != d),
    Operation("a > 0 and b > 0", lambda a, b, **_: ca.logic_and(a > 0, b > 0)),
    Operation("a > 0 or b > 0", lambda a, b, **_: ca.logic_or(a > 0, b > 0)),
    Operation("not a > 0", lambda a, **_: ca.logic_not(a > 0)),
    Operation("c if a < b else d", lambda a, b, c, d, **_: ca.if_else(a < b, c, d)),
    *(
        Operation(f"{name}({x})", lambda name=name, x=x, **v: getattr(ca, name)(v[x]), exact=False)
        for name, x in (
            *(("sin", x) for x in "abup"),  # of inputs: computed together for one instance, too
            *(("cos", x) for x in "abup"),
            *((name, "a") for name in ("tan", "atan", "tanh")),
            *((name, "u") for name in ("asin", "acos", "sinh", "cosh", "exp")),
            ("log", "p"),
        )
    ),
    Operation("sin(a * u)", lambda a, u, **_: ca.sin(a * u), exact=False),
    Operation("cos(a * u)", lambda a, u, **_: ca.cos(a * u), exact=False),
    Operation("atan2(a, b)", lambda a, b, **_: ca.atan2(a, b), exact=False),
    Operation("p ** u", lambda p, u, **_: p**u, exact=False),
    Operation("p ** 1.7", lambda p, **_: p**1.7, exact=False),
)

SIGNED = ("-c", "fabs(c)", "copysign(d, c)")
"""Operations whose result has a defined sign where it is zero."""


@cache
def traced_trial() -> Traced:
    """The traced function with one output for each operation."""
    x = ca.SX.sym("x", len(_instances()))
    inputs = dict(zip("abupcdrs", ca.vertsplit(x), strict=True))
    return Traced("trial", {"x": x}, {"y": ca.vertcat(*(operation.of(**inputs) for operation in OPERATIONS))})


def _instances() -> np.ndarray:
    """The inputs, one row each: a, b any; |u| < 1; p > 0; c, d also subnormal or not finite; r = −a, s = −b."""
    rng = np.random.default_rng(9)
    a, b = rng.normal(size=(2, COUNT)) * 10.0 ** rng.uniform(-3, 5, size=(2, COUNT))
    b[::5] = a[::5]
    u, p = rng.uniform(-0.99, 0.99, COUNT), 10.0 ** rng.uniform(-3, 3, COUNT)
    c = list(islice(cycle([np.nan, 1.5, -np.inf, 2.0**-1060, -0.0, -3e-320, 7.0]), COUNT))
    d = list(islice(cycle([2.0, np.nan, 1.0, np.inf, -(2.0**-1030)]), COUNT))
    return np.array([a, b, u, p, c, d, -a, -b])


@cache
def trial_text(width: int) -> tuple[str, ...]:
    """C source of the trial library, generated as for kernels: for one instance, and for many."""
    signature, tape = dense(traced_trial(), as_written=True)
    many = replace(signature, name=f"{signature.name}_many")
    return (*single_text(signature, tape, width), *batch_text(many, tape, width))


def trial_digest(width: int) -> str:
    """Digest of everything on which the trial depends besides the compiler and the machine."""
    return digest("\0".join(trial_text(width)).encode())


def try_out(found: Compiler) -> str:
    """Build the trial library and verify its results; return the name of the supported linker options."""
    failures: list[OSError] = []
    for base in (cache_folder, own_folder):
        for way, options in LINKING.items():
            try:
                _try_in(private(base()), replace(found, linking=options))
                return way
            except (UnbuiltError, WrongNumbersError):  # would fail in any folder
                raise
            except OSError as error:
                failures.append(error)
    raise failures[0]


def _try_in(base: Path, found: Compiler) -> None:
    """Build and verify the trial library in a temporary folder."""
    folder = Path(tempfile.mkdtemp(dir=base, prefix=".making-"))
    try:
        sources = []
        for number, text in enumerate(trial_text(found.width)):
            sources.append(folder / f"trial{number}.c")
            sources[-1].write_text(text, encoding="utf-8")
        found.build(sources, folder / "trial.so", seconds=ASKING)
        wrong = _wrong_number(_answers_of(folder / "trial.so", found), found.width)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if wrong:
        raise WrongNumbersError(
            f"{shlex.join(found.command)} builds kernels that return wrong numbers: {wrong}"
        )


def _answers_of(library: Path, found: Compiler) -> np.ndarray:
    """Results of the library, computed one instance at a time and many at once; 2 × operations × instances."""
    given = np.ascontiguousarray(_instances())
    sizes = (*given.shape, len(OPERATIONS))
    if Path(sys.executable or "").name.startswith("python"):
        x, y = library.with_name("x"), library.with_name("y")
        x.write_bytes(given.tobytes())
        words = [sys.executable, "-IS", trial_process.__file__, *map(str, (library, x, y, *sizes))]
        done = answered(words, seconds=ASKING)
        if done.code != 0:
            last = (done.complaint.strip().splitlines() or [f"exit status {done.code}"])[-1]
            why = last if done.code > 0 else signal.strsignal(-done.code)
            raise WrongNumbersError(
                f"{shlex.join(found.command)} builds libraries that cannot be called: {why}"
            )
        answers = y.read_bytes()
    else:  # Python is embedded in an application, whose executable is not Python
        answers = trial_process.evaluate(str(library), given.tobytes(), *sizes)
    return np.frombuffer(answers).reshape(2, len(OPERATIONS), COUNT)


def wrong_walk(walker: Callable[[ca.Function], SideBySide | None]) -> str:
    """Message about the first trial result for which an evaluator of tapes differs from the interpreter, or ""."""
    traced, given = traced_trial(), _instances()
    walk = walker(ca.Function(traced.name, list(traced.inputs.values()), list(traced.outputs.values())))
    if walk is None:
        return "it does not know all operations"
    answers = np.empty((COUNT, len(OPERATIONS)))
    walk([np.ascontiguousarray(given.T)], [answers])
    return _wrong_number(answers.T[None], 1)


def _wrong_number(answers: np.ndarray, width: int) -> str:
    """Message about the first result that differs from the interpreter's; empty if all agree."""
    given = _instances()
    expected = np.array([traced_trial()(column)[0] for column in given.T]).T
    exact, signed = (
        np.array([flag(operation) for operation in OPERATIONS])[:, None]
        for flag in (lambda one: one.exact, lambda one: one.text in SIGNED)
    )
    with np.errstate(invalid="ignore"):
        off = np.abs(answers - expected) > UNITS * np.finfo(float).eps * np.abs(expected)
        same = (answers == expected) | (np.isnan(answers) & np.isnan(expected))
    flipped = signed & ~np.isnan(expected) & (np.signbit(answers) != np.signbit(expected))
    wrong = np.argwhere(np.where(exact, ~same | flipped, off | ~np.isfinite(answers)))
    if not len(wrong):
        return ""
    way, number, instance = wrong[0]
    in_vectors = way > 0 and width > 1 and instance < COUNT // width * width
    values = ", ".join(f"{name} = {x:.17g}" for name, x in zip("abupcdrs", given[:, instance], strict=True))
    found, right = answers[way, number, instance], expected[number, instance]
    where = f"in vectors of {width}" if in_vectors else "one at a time"
    return f"{OPERATIONS[number].text} is {found:.17g} instead of {right:.17g} ({values}), computed {where}"
