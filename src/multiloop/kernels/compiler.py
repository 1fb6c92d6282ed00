"""Which C compiler there is, and how it is called.

The flags keep IEEE arithmetic but for three relaxations: functions of the C library need not set errno, traps
are not observed, and a product may be fused with a sum (one rounding instead of two). None reorders sums or
drops infinities and NaN. What they cost in digits is measured in `benchmarks` and held by the tests.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from multiloop.kernels.cache import note, noted

FLAGS = (
    "-std=gnu11",
    "-O2",
    "-fPIC",
    "-march=native",
    "-fno-math-errno",
    "-fno-trapping-math",
    "-ffp-contract=fast",
    "-w",
)


@dataclass(frozen=True)
class Compiler:
    """A C compiler: the command, and what it says of itself (part of every cache key)."""

    command: tuple[str, ...]
    version: str

    def build(self, sources: Sequence[Path], library: Path, *, flags: Sequence[str] = FLAGS) -> None:
        """Compile source files side by side and link them into one shared library; only that stays."""
        with ThreadPoolExecutor(processors()) as pool:
            objects = list(pool.map(lambda source: self._object(source, flags), sources))
        linked = [str(path) for path in objects]
        self._run(library.parent, "-shared", *linked, "-o", str(library), *vector_library(self), "-lm")
        for path in (*sources, *objects):
            path.unlink()

    def _object(self, source: Path, flags: Sequence[str]) -> Path:
        made = source.with_suffix(".o")
        self._run(source.parent, *flags, "-c", str(source), "-o", str(made))
        return made

    def _run(self, folder: Path, *arguments: str) -> None:
        """Run it with its temporary files in the folder, so that they go where the folder goes."""
        done = answered([*self.command, *arguments], TMPDIR=str(folder))
        if done.returncode != 0:
            said = (done.stderr or f"it ended with {done.returncode}").strip()
            raise CompilationError(f"the C compiler {self.command[0]} failed: {said[:2000]}")


class CompilationError(OSError):
    """The compiler could not build generated code."""


def answered(command: Sequence[str], **environment: str) -> subprocess.CompletedProcess[str]:
    """What a command says; one that cannot be run has failed."""
    try:
        return subprocess.run(
            command, capture_output=True, text=True, check=False, env=os.environ | environment
        )
    except OSError as error:
        return subprocess.CompletedProcess(list(command), 127, "", str(error))


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


# which one ----------------------------------------------------------------------------------------------


def compiler() -> Compiler | None:
    """The first of $CC, cc, gcc, clang and the ziglang wheel that works; None when there is none.

    CC=none says that there is none.
    """
    return _looked_for()[0]


def compiler_found() -> bool:
    """Whether there is a compiler; that there is none is said once."""
    found, trouble = _looked_for()
    if found is None:
        _say_there_is_none(trouble)
    return found is not None


@cache
def _looked_for() -> tuple[Compiler | None, str]:
    """The compiler, or what is wrong with those that were tried."""
    trouble = []
    for command in _candidates():
        done = answered([*command, "--version"])
        if done.returncode != 0 or not done.stdout:
            trouble.append(f"{' '.join(command)} does not answer")
            continue
        found = Compiler(command, done.stdout.splitlines()[0])
        try:
            _try_out(found)
        except OSError as error:
            trouble.append(str(error))
            continue
        return found, ""
    return None, "; ".join(trouble)


def _candidates() -> list[tuple[str, ...]]:
    named = os.environ.get("CC", "")
    if named == "none":
        return []
    names = [tuple(shlex.split(named))] if named else [("cc",), ("gcc",), ("clang",)]
    found = [name for name in names if named or shutil.which(name[0])]
    return [*found, (sys.executable, "-m", "ziglang", "cc")] if find_spec("ziglang") else found


def _try_out(found: Compiler) -> None:
    """Build a small library once, since a compiler without its headers or its linker answers too."""
    key = json.dumps(["works", *found.command, found.version, *FLAGS])
    if noted(key) == "works":
        return
    folder = Path(tempfile.mkdtemp(prefix="multiloop-"))
    try:
        source = folder / "trial.c"
        source.write_text("#include <math.h>\ndouble trial(double x) { return sin(x); }\n", encoding="ascii")
        found.build([source], folder / "trial.so")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    note(key, "works")


@cache
def _say_there_is_none(trouble: str) -> None:
    warnings.warn(
        f"no C compiler was found{f' ({trouble})' if trouble else ''}: kernels are interpreted, some 30 times "
        "slower. Install gcc or clang, or `pip install multiloop[compiler]`.",
        stacklevel=4,
    )


# what the machine can do --------------------------------------------------------------------------------


@cache
def vector_width() -> int:
    """Doubles in a vector register of this machine: 8 with AVX-512, 4 with AVX2, else 1 (no vector kernels)."""
    found = compiler()
    if found is None or not vector_library(found):
        return 1
    flags = processor_flags()
    return 8 if "avx512f" in flags else 4 if "avx2" in flags else 1


@cache
def processor_flags() -> frozenset[str]:
    """What this machine's processor says it can do; nothing where the system does not tell."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return frozenset()
    lines = [line for line in text.splitlines() if line.startswith("flags")]
    return frozenset(lines[0].split()) if lines else frozenset()


@cache
def vector_library(found: Compiler) -> tuple[str, ...]:
    """The link option of glibc's vector functions, where there are any."""
    done = answered([*found.command, "-print-file-name=libmvec.so"])
    return ("-lmvec",) if os.sep in done.stdout else ()
