"""The C compiler: its options, its properties, and the commands that run it.

The options preserve IEEE arithmetic apart from three relaxations: functions of the C library need not set errno,
floating-point traps are not observed, and a product may be fused with a sum (one rounding instead of two). None of the
relaxations reorders sums or drops infinities and NaN. Their effect on accuracy is measured by the benchmarks and
checked by the tests.

The instruction set for which the compiler generates code is read from its predefined macros, with all options of the
build in effect. The width of vectors follows from these macros and not from the processor, because the calling
convention of vector functions depends on the instruction set.

Commands run in parallel, each with a time limit. A command that is ended is ended with all processes that it has
started.

Theory: docs/theory/14-compiled-kernels.md, section 14.4.
"""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from multiloop.kernels.codegen.dialects import VECTOR_MACROS
from multiloop.kernels.library_cache import UnbuiltError

RunningProcesses = set["subprocess.Popen[bytes]"]


class CommandResult(NamedTuple):
    """Result of a command: exit code, standard output, standard error, and whether the time limit was exceeded."""

    code: int
    output: str
    error_output: str
    timed_out: bool = False


def run_command(
    command: Sequence[str],
    *,
    seconds: float,
    environment: Mapping[str, str | None] | None = None,
    stdout: int = subprocess.PIPE,
    running: RunningProcesses | None = None,
) -> CommandResult:
    """Run a command and return its result; if it cannot be run or exceeds its time limit, the exit code is non-zero.

    `environment` changes variables of the environment of this process; the value None removes a variable.
    While the command runs, its process is in the set `running`.
    """
    variables = os.environ | (environment or {})
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=subprocess.PIPE,
            env={name: value for name, value in variables.items() if value is not None},
            start_new_session=True,  # so that the command can be ended with all its child processes
        )
    except (OSError, ValueError) as error:
        return CommandResult(127, "", getattr(error, "strerror", None) or str(error))
    running = set() if running is None else running
    running.add(process)
    try:
        said, complaint = process.communicate(timeout=seconds)
        return CommandResult(process.returncode, _printable(said or b""), _printable(complaint))
    except subprocess.TimeoutExpired:
        return CommandResult(124, "", f"the command did not end within {seconds:g} s", timed_out=True)
    finally:
        running.discard(process)
        if process.returncode is None:
            _kill(process)
            process.wait()
        for pipe in (process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()


def run_commands(
    commands: Sequence[Sequence[str]], *, at_once: int, seconds: float, environment: Mapping[str, str | None]
) -> list[CommandResult]:
    """Run several commands, `at_once` of them in parallel, each for at most `seconds`; Ctrl-C ends all commands."""
    running: RunningProcesses = set()

    def one(command: Sequence[str]) -> CommandResult:
        return run_command(
            command, seconds=seconds, environment=environment, stdout=subprocess.DEVNULL, running=running
        )

    waiting: list[Future[CommandResult]] = []
    with ThreadPoolExecutor(at_once) as pool:
        try:
            waiting += [pool.submit(one, command) for command in commands]
            return [answer.result() for answer in waiting]
        except BaseException:
            for answer in waiting:
                answer.cancel()
            while wait(waiting, timeout=0.02).not_done:
                for process in tuple(running):
                    _kill(process)
            raise


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a command and all its child processes."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def _printable(output: bytes) -> str:
    """Output of a command as text, with unprintable characters replaced."""
    text = output.decode("utf-8", errors="replace")
    return "".join(letter if letter.isprintable() or letter in "\n\t" else "�" for letter in text)


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

LINKER_OPTIONS = {"close": ("-Wl,-z,noseparate-code", "-Wl,-z,norelro"), "plain": ()}
"""Sets of linker options; the first set that the linker supports is used. "close" places code, constants and data of a
library in two memory mappings instead of five, because a process can have at most 65,530 memory mappings."""

QUERY_TIMEOUT, BUILD_TIMEOUT = 60.0, 300.0
"""Time limits of the compiler (s): for a query or the trial, and for building a file, which usually takes a few
seconds."""

COMPILER_ENVIRONMENT = {"LC_ALL": "C", "CC": None}
"""Changes of the environment variables of compilers: messages in English, and no CC, because zig would call the command
in CC to find its C library."""

CODE_OPTIONS = re.compile(r"-(f\w.*|m(?!llvm$)\w.*|O.*|std=.*)")
"""Pattern of options in $CC that determine the generated code. They are repeated after the
options FLAGS to take precedence."""

RELAXED_OPTIONS = re.compile(
    r"-(Ofast|ffast-math|funsafe-math-optimizations|fassociative-math|freciprocal-math|ffinite-math-only"
    r"|fno-signed-zeros|fno-honor-nans|fno-honor-infinities|fapprox-func|fsingle-precision-constant"
    r"|ffp-model=(fast|aggressive)|fdenormal-fp-math=.*|mdaz-ftz|mpc(32|64))"
)
"""Pattern of compiler options that violate IEEE arithmetic. Clang defines no macro for most of these options."""

RELAXED_MACROS = {
    "__FAST_MATH__": ("1",),
    "__FINITE_MATH_ONLY__": ("1",),
    "__ASSOCIATIVE_MATH__": ("1",),
    "__RECIPROCAL_MATH__": ("1",),
    "__NO_SIGNED_ZEROS__": ("1",),
    "__GCC_IEC_559": ("0",),
}
"""Macros, with their values, that indicate a violation of IEEE arithmetic, also if the option is set by default."""


@dataclass(frozen=True)
class Compiler:
    """A C compiler: its command, version, macros and linker options, all of which are part of each cache key.

    `macros` are its predefined macros with all options in effect, as sorted text; `vector_library` is the linker option
    for glibc's vector functions, if they are available.
    """

    command: tuple[str, ...]
    version: str
    macros: str = ""
    vector_library: tuple[str, ...] = ()
    linking: tuple[str, ...] = ()

    @classmethod
    def of(cls, command: tuple[str, ...]) -> Compiler:
        """Query a compiler command for its version, macros and vector library; raise an error if it does not answer."""
        version = _query([*command, "--version"])
        if version.code != 0 or not version.output.strip():
            why = f" ({version.error_output.strip()[:200]})" if version.error_output.strip() else ""
            raise CompilationError(f"{shlex.join(command)} does not report its version{why}")
        macros = _query([*command, *FLAGS, *_code_options(command), "-dM", "-E", "-x", "c", os.devnull])
        if macros.code != 0 or "#define" not in macros.output:
            why = macros.error_output.strip()[:2000] or f"exit status {macros.code}, no output"
            raise CompilationError(f"{shlex.join(command)} does not report its predefined macros: {why}")
        library = _query([*command, "-print-file-name=libmvec.so"])
        return cls(
            command,
            version.output.strip().splitlines()[0],
            "\n".join(sorted(macros.output.splitlines())),
            ("-lmvec",) if os.sep in library.output else (),
        )

    @property
    def width(self) -> int:
        """Number of doubles in the vectors of kernels: 8 with AVX-512, 4 with AVX2, else 1 (no vector code)."""
        if not self.vector_library:
            return 1
        return next((width for width, macro in VECTOR_MACROS.items() if self.macro(macro) is not None), 1)

    def macro(self, name: str) -> str | None:
        """Value of a predefined macro, or None if it is not defined."""
        found = re.search(rf"^#define {name}(?: (.*))?$", self.macros, re.MULTILINE)
        return found and (found[1] or "")

    @property
    def relaxations(self) -> list[str]:
        """The options of the command, or else the predefined macros, that violate IEEE arithmetic."""
        options = [word for word in self.command if RELAXED_OPTIONS.fullmatch(word)]
        macros = [
            f"{name} is {self.macro(name)}" for name, bad in RELAXED_MACROS.items() if self.macro(name) in bad
        ]
        return options or macros

    def build(
        self,
        sources: Sequence[Path],
        library: Path,
        *,
        flags: Sequence[str] = FLAGS,
        seconds: float | None = None,
    ) -> None:
        """Compile source files in parallel, each with a time limit, and link them to a library.

        Source and object files are removed.
        """
        seconds = BUILD_TIMEOUT if seconds is None else seconds
        objects = [source.with_suffix(".o") for source in sources]
        options = [*flags, *_code_options(self.command)]
        compiled = [[*options, "-c", str(source)] for source in sources]
        self._make(objects, compiled, seconds)
        linked = [*map(str, objects), *self.linking, *self.vector_library, "-lm"]
        self._make([library], [["-shared", *linked]], seconds)
        for path in (*sources, *objects):
            path.unlink()

    def _make(self, files: Sequence[Path], arguments: Sequence[Sequence[str]], seconds: float) -> None:
        """Run the compiler in parallel, once for each output file, with temporary files in the same folder."""
        answers = run_commands(
            [[*self.command, *its, "-o", str(file)] for file, its in zip(files, arguments, strict=True)],
            at_once=processor_count(),
            seconds=seconds,
            environment=COMPILER_ENVIRONMENT | {"TMPDIR": str(files[0].parent)},
        )
        for file, answer in zip(files, answers, strict=True):
            failed = f"the C compiler {self.command[0]} failed"
            if answer.timed_out:  # a build in another folder would also exceed the limit
                raise UnbuiltError(f"{failed}: {answer.error_output}")
            if answer.code != 0 or not file.exists():
                said = answer.error_output.replace(f"{file.parent}{os.sep}", "").strip()
                silent = f"exit status {answer.code}, {file.name} is missing"
                raise CompilationError(f"{failed}: {said[:2000] or silent}")


class CompilationError(OSError):
    """Error raised if the compiler could not build generated code."""


def _code_options(command: Sequence[str]) -> list[str]:
    """The options of a command that determine the generated code."""
    return [word for word in command[1:] if CODE_OPTIONS.fullmatch(word)]


def _query(command: Sequence[str]) -> CommandResult:
    return run_command(command, seconds=QUERY_TIMEOUT, environment=COMPILER_ENVIRONMENT)


def processor_count() -> int:
    """Number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
