"""Which C compiler there is, and how it is called.

The flags keep IEEE arithmetic but for three relaxations: functions of the C library need not set errno, traps
are not observed, and a product may be fused with a sum (one rounding instead of two). None reorders sums or
drops infinities and NaN. What they cost in digits is measured in `benchmarks` and held by the tests.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import warnings
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

FLAGS = (
    "-std=gnu11",
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

    def build(self, sources: Sequence[Path], library: Path, *, optimise: str = "-O2") -> None:
        """Compile source files side by side and link them into one shared library."""
        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            objects = list(pool.map(lambda source: self._object(source, optimise), sources))
        linked = [str(path) for path in objects]
        self._run("-shared", *linked, "-o", str(library), *vector_library(), "-lm")

    def _object(self, source: Path, optimise: str) -> Path:
        made = source.with_suffix(".o")
        self._run(*FLAGS, optimise, "-c", str(source), "-o", str(made))
        return made

    def _run(self, *arguments: str) -> None:
        done = subprocess.run([*self.command, *arguments], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise CompilationError(f"the C compiler {self.command[0]} failed:\n{done.stderr[:2000]}")


class CompilationError(OSError):
    """The compiler could not build generated code."""


@cache
def compiler() -> Compiler | None:
    """The first of $CC, cc, gcc, clang and the ziglang wheel that answers; None when there is none.

    CC=none says that there is none.
    """
    named = os.environ.get("CC", "")
    if named == "none":
        return None
    names = [named] if named else ["cc", "gcc", "clang"]
    candidates: list[tuple[str, ...]] = [(name,) for name in names if shutil.which(name)]
    if find_spec("ziglang"):
        candidates.append((sys.executable, "-m", "ziglang", "cc"))
    for command in candidates:
        done = subprocess.run([*command, "--version"], capture_output=True, text=True, check=False)
        if done.returncode == 0 and done.stdout:
            return Compiler(command, done.stdout.splitlines()[0])
    return None


def compiler_found() -> bool:
    """Whether there is a compiler; that there is none is said once."""
    if compiler() is None:
        _say_there_is_none()
    return compiler() is not None


@cache
def _say_there_is_none() -> None:
    warnings.warn(
        "no C compiler was found: kernels are interpreted, some 30 times slower. "
        "Install gcc or clang, or `pip install multiloop[compiler]`.",
        stacklevel=4,
    )


@cache
def vector_width() -> int:
    """Doubles in a vector register of this machine: 8 with AVX-512, 4 with AVX2, else 1 (no vector kernels)."""
    if not vector_library():
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
def vector_library() -> tuple[str, ...]:
    """The link option of glibc's vector functions, where there are any."""
    found = compiler()
    if found is None:
        return ()
    command = [*found.command, "-print-file-name=libmvec.so"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return ("-lmvec",) if os.sep in done.stdout else ()
