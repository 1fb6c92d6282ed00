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
import sys
import tempfile
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from multiloop.extras import install_command
from multiloop.kernels.cache import UnbuiltError, note, noted
from multiloop.kernels.commands import answered, answered_side_by_side

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

LINKING = {"close": ("-Wl,-z,noseparate-code", "-Wl,-z,norelro"), "plain": ()}
"""Options of the linker, the first that it knows: code, constants and data of a library in two mappings instead of
five, of which a process has 65,530 at most."""

ASKING, BUILDING = 60.0, 300.0
"""Seconds after which a compiler is ended: asked about itself or tried out, and building a file, which takes a few."""

PLAINLY = {"LC_ALL": "C"}
"""The environment in which compilers speak English without ornaments."""


@dataclass(frozen=True)
class Compiler:
    """A C compiler: the command, what it says of itself, and how it links (all part of every cache key)."""

    command: tuple[str, ...]
    version: str
    linking: tuple[str, ...] = ()

    def build(
        self,
        sources: Sequence[Path],
        library: Path,
        *,
        flags: Sequence[str] = FLAGS,
        seconds: float | None = None,
    ) -> None:
        """Compile source files side by side, each within some seconds, and link them; only the library stays."""
        seconds = BUILDING if seconds is None else seconds
        objects = [source.with_suffix(".o") for source in sources]
        compiled = [[*flags, "-c", str(source)] for source in sources]
        self._make(objects, compiled, seconds)
        options = [*self.linking, *vector_library(self), "-lm"]
        self._make([library], [["-shared", *map(str, objects), *options]], seconds)
        for path in (*sources, *objects):
            path.unlink()

    def _make(self, files: Sequence[Path], arguments: Sequence[Sequence[str]], seconds: float) -> None:
        """Make files side by side, each by its arguments; temporary files lie beside them and go where they go."""
        answers = answered_side_by_side(
            [[*self.command, *its, "-o", str(file)] for file, its in zip(files, arguments, strict=True)],
            at_once=processors(),
            seconds=seconds,
            environment=PLAINLY | {"TMPDIR": str(files[0].parent)},
        )
        for file, answer in zip(files, answers, strict=True):
            failed = f"the C compiler {self.command[0]} failed"
            if answer.late:  # as it would elsewhere
                raise UnbuiltError(f"{failed}: {answer.complaint}")
            if answer.code != 0 or not file.exists():
                said = answer.complaint.replace(f"{file.parent}{os.sep}", "").strip()
                silent = f"it ended with {answer.code} and left no {file.name}"
                raise CompilationError(f"{failed}: {said[:2000] or silent}")


class CompilationError(OSError):
    """The compiler could not build generated code."""


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
        done = answered([*command, "--version"], seconds=ASKING, environment=PLAINLY)
        if done.code != 0 or not done.said.strip():
            why = f" ({done.complaint.strip()[:200]})" if done.complaint.strip() else ""
            trouble.append(f"{shlex.join(command)} does not answer{why}")
            continue
        try:
            return _try_out(Compiler(command, done.said.strip().splitlines()[0])), ""
        except OSError as error:
            trouble.append(str(error))
    return None, "; ".join(trouble)


def _candidates() -> list[tuple[str, ...]]:
    """The commands to try: that of $CC alone, where there is one, and the wheel in the end."""
    named = os.environ.get("CC", "").strip()
    if named == "none":
        return []
    usual = [name for name in ("cc", "gcc", "clang") if shutil.which(name)]
    found = [_command(named)] if named else [_command(name) for name in usual]
    return [*found, (sys.executable, "-m", "ziglang", "cc")] if find_spec("ziglang") else found


def _command(named: str) -> tuple[str, ...]:
    """A command and its options as $CC has them; a file whose name has spaces is one command."""
    try:
        return (named,) if Path(named).is_file() else tuple(shlex.split(named)) or (named,)
    except (ValueError, OSError):  # a quotation mark alone
        return (named,)


def _try_out(found: Compiler) -> Compiler:
    """Build a small library once, since a compiler without its headers or its linker answers too."""
    key = json.dumps(["links", *found.command, found.version, *FLAGS])
    known = noted(key)
    if known in LINKING:
        return replace(found, linking=LINKING[known])
    way = "close"
    try:
        _build_trial(replace(found, linking=LINKING[way]))
    except CompilationError:
        way = "plain"
        _build_trial(found)
    note(key, way)
    return replace(found, linking=LINKING[way])


def _build_trial(found: Compiler) -> None:
    folder = Path(tempfile.mkdtemp(prefix="multiloop-"))
    try:
        source = folder / "trial.c"
        source.write_text("#include <math.h>\ndouble trial(double x) { return sin(x); }\n", encoding="ascii")
        found.build([source], folder / "trial.so", seconds=ASKING)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@cache
def _say_there_is_none(trouble: str) -> None:
    warnings.warn(
        f"no C compiler was found{f' ({trouble})' if trouble else ''}: kernels are interpreted, some 30 times "
        f"slower. Install gcc or clang, or {install_command('compiler')}.",
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
    done = answered([*found.command, "-print-file-name=libmvec.so"], seconds=ASKING, environment=PLAINLY)
    return ("-lmvec",) if os.sep in done.said else ()
