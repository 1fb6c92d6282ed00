"""The C compiler: its options, how it is run, and what it reports about itself.

The options keep IEEE arithmetic apart from three relaxations: functions of the C library need not set errno,
floating-point traps are not observed, and a product may be fused with a sum (one rounding instead of two). None of them
reorders sums or drops infinities and NaN. Their effect on accuracy is measured in `benchmarks` and checked by tests.

The instruction set for which the compiler generates code is read from its predefined macros, after all options
including its own. The width of vectors follows from these macros and not from the processor, because the calling
convention of vector functions depends on it.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from multiloop.kernels.cache import UnbuiltError
from multiloop.kernels.commands import Answer, answered, answered_side_by_side
from multiloop.kernels.dialects import MACROS

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
"""Sets of linker options, of which the first supported one is used. "close" places code, constants and data of a
library in two memory mappings instead of five; a process has at most 65,530 of them."""

ASKING, BUILDING = 60.0, 300.0
"""Time limits of the compiler (s): for queries and the trial, and for building a file, which usually takes a few."""

PLAINLY = {"LC_ALL": "C", "CC": None}
"""Environment of compilers: messages in English; without CC, which zig would call to find its C library."""

GENERATION = re.compile(r"-(f\w.*|m(?!llvm$)\w.*|O.*|std=.*)")
"""Options in $CC that determine the generated code. They are repeated after FLAGS, so that they take precedence."""

RELAXING = re.compile(
    r"-(Ofast|ffast-math|funsafe-math-optimizations|fassociative-math|freciprocal-math|ffinite-math-only"
    r"|fno-signed-zeros|fno-honor-nans|fno-honor-infinities|fapprox-func|fsingle-precision-constant"
    r"|ffp-model=(fast|aggressive)|fdenormal-fp-math=.*|mdaz-ftz)"
)
"""Options that violate IEEE arithmetic. Clang defines no macro for most of them."""

RELAXED = {
    "__FAST_MATH__": ("1",),
    "__FINITE_MATH_ONLY__": ("1",),
    "__ASSOCIATIVE_MATH__": ("1",),
    "__RECIPROCAL_MATH__": ("1",),
    "__NO_SIGNED_ZEROS__": ("1",),
    "__GCC_IEC_559": ("0",),
}
"""Macros, with their values, that indicate a violation of IEEE arithmetic, wherever the option is given."""


@dataclass(frozen=True)
class Compiler:
    """A C compiler: its command, what it reports about itself, and its linker options (all part of each cache key).

    `macros` are its predefined macros after all options, as sorted text; `vector_library` is the linker option of
    glibc's vector functions, if available.
    """

    command: tuple[str, ...]
    version: str
    macros: str = ""
    vector_library: tuple[str, ...] = ()
    linking: tuple[str, ...] = ()

    @classmethod
    def of(cls, command: tuple[str, ...]) -> Compiler:
        """The compiler of a command, with its version, macros and vector library."""
        version = _asked([*command, "--version"])
        if version.code != 0 or not version.said.strip():
            why = f" ({version.complaint.strip()[:200]})" if version.complaint.strip() else ""
            raise CompilationError(f"{shlex.join(command)} does not answer{why}")
        macros = _asked([*command, *FLAGS, *_generation(command), "-dM", "-E", "-x", "c", os.devnull])
        if macros.code != 0 or "#define" not in macros.said:
            why = macros.complaint.strip()[:2000] or f"it ended with {macros.code} and printed none"
            raise CompilationError(f"{shlex.join(command)} does not report its predefined macros: {why}")
        library = _asked([*command, "-print-file-name=libmvec.so"])
        return cls(
            command,
            version.said.strip().splitlines()[0],
            "\n".join(sorted(macros.said.splitlines())),
            ("-lmvec",) if os.sep in library.said else (),
        )

    @property
    def width(self) -> int:
        """Number of doubles in the vectors of kernels: 8 with AVX-512, 4 with AVX2, else 1 (no vector kernels)."""
        if not self.vector_library:
            return 1
        return next((width for width, macro in MACROS.items() if self.macro(macro) is not None), 1)

    def macro(self, name: str) -> str | None:
        """Value of a predefined macro, or None if it is not defined."""
        found = re.search(rf"^#define {name}(?: (.*))?$", self.macros, re.MULTILINE)
        return found and (found[1] or "")

    @property
    def relaxations(self) -> list[str]:
        """The options and macros by which the compiler violates IEEE arithmetic."""
        options = [word for word in self.command if RELAXING.fullmatch(word)]
        macros = [f"{name} is {self.macro(name)}" for name, bad in RELAXED.items() if self.macro(name) in bad]
        return options or macros

    def build(
        self,
        sources: Sequence[Path],
        library: Path,
        *,
        flags: Sequence[str] = FLAGS,
        seconds: float | None = None,
    ) -> None:
        """Compile source files in parallel, each with a time limit, and link them; only the library is kept."""
        seconds = BUILDING if seconds is None else seconds
        objects = [source.with_suffix(".o") for source in sources]
        options = [*flags, *_generation(self.command)]
        compiled = [[*options, "-c", str(source)] for source in sources]
        self._make(objects, compiled, seconds)
        linked = [*map(str, objects), *self.linking, *self.vector_library, "-lm"]
        self._make([library], [["-shared", *linked]], seconds)
        for path in (*sources, *objects):
            path.unlink()

    def _make(self, files: Sequence[Path], arguments: Sequence[Sequence[str]], seconds: float) -> None:
        """Run the compiler in parallel, once for each file; temporary files are written to the same folder."""
        answers = answered_side_by_side(
            [[*self.command, *its, "-o", str(file)] for file, its in zip(files, arguments, strict=True)],
            at_once=processors(),
            seconds=seconds,
            environment=PLAINLY | {"TMPDIR": str(files[0].parent)},
        )
        for file, answer in zip(files, answers, strict=True):
            failed = f"the C compiler {self.command[0]} failed"
            if answer.late:  # would be too late in any folder
                raise UnbuiltError(f"{failed}: {answer.complaint}")
            if answer.code != 0 or not file.exists():
                said = answer.complaint.replace(f"{file.parent}{os.sep}", "").strip()
                silent = f"it ended with {answer.code} and left no {file.name}"
                raise CompilationError(f"{failed}: {said[:2000] or silent}")


class CompilationError(OSError):
    """The compiler could not build generated code."""


def _generation(command: Sequence[str]) -> list[str]:
    """The options of a command that determine the generated code."""
    return [word for word in command[1:] if GENERATION.fullmatch(word)]


def _asked(command: Sequence[str]) -> Answer:
    return answered(command, seconds=ASKING, environment=PLAINLY)


def processors() -> int:
    """Number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
