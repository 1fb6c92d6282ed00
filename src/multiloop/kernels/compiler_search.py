"""Search for a C compiler: the first one that works and passes a trial is used."""

from __future__ import annotations

import json
import os
import platform
import shlex
import shutil
import sys
import warnings
from dataclasses import replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from multiloop.extras import install_command
from multiloop.kernels.cache import digest, note, noted
from multiloop.kernels.compiler import FLAGS, LINKING, CompilationError, Compiler
from multiloop.kernels.compiler_trial import trial_digest, try_out

REMEDY = f"Install gcc or clang, or {install_command('compiler')}."

NEED_MACHINE_CODE = (
    "`periodic`, and `simulate` with a control function, events, arrays of parameters, integrator rk4, impacts or "
    "exact stiction"
)
"""Functions that the interpreter does not support."""


def compiler() -> Compiler | None:
    """The first of $CC, cc, gcc, clang and the ziglang wheel that works, or None.

    CC=none disables compilation.
    """
    return _looked_for()[0]


def compiler_found() -> bool:
    """Whether there is a compiler; warns once if there is none, or if it differs from $CC."""
    found, trouble = _looked_for()
    if found is None:
        _warn_of_none(none_found())
    elif trouble and os.environ.get("CC", "").strip():
        _warn_of_another(trouble, shlex.join(found.command))
    return found is not None


def none_found() -> str:
    """Message that no compiler was found, with the errors of those that were tried."""
    trouble = _looked_for()[1]
    return f"no usable C compiler was found{f' ({trouble})' if trouble else ''}"


@cache
def vector_width() -> int:
    """Number of doubles in the vectors of kernels, as the compiler generates them; 1 without vector kernels."""
    found = compiler()
    return 1 if found is None else found.width


@cache
def _looked_for() -> tuple[Compiler | None, str]:
    """The compiler or None, and the errors of those that were tried before it."""
    trouble: list[str] = []
    for command in _candidates():
        try:
            return _accepted(Compiler.of(command)), "; ".join(trouble)
        except OSError as error:
            trouble.append(str(error))
    return None, "; ".join(trouble)


def _candidates() -> list[tuple[str, ...]]:
    """The commands to try: $CC alone if it is set, else the usual names; the ziglang wheel last."""
    named = os.environ.get("CC", "").strip()
    if named == "none":
        return []
    usual = [name for name in ("cc", "gcc", "clang") if shutil.which(name)]
    found = [_command(named)] if named else [_command(name) for name in usual]
    return [*found, (sys.executable, "-m", "ziglang", "cc")] if find_spec("ziglang") else found


def _command(named: str) -> tuple[str, ...]:
    """A command and its options as given in $CC; the path of a file may contain spaces."""
    try:
        return (named,) if Path(named).is_file() else tuple(shlex.split(named)) or (named,)
    except (ValueError, OSError):  # an unmatched quotation mark
        return (named,)


def _accepted(found: Compiler) -> Compiler:
    """The compiler with its linker options, after a trial whose result is cached; raises an error if it fails."""
    if found.relaxations:
        raise CompilationError(
            f"{shlex.join(found.command)} does not keep IEEE arithmetic ({', '.join(found.relaxations)}), so that "
            "infinities, NaN and the order of sums are lost; remove such options from $CC"
        )
    key = json.dumps(
        ["trial", *found.command, *_file(found.command[0]), trial_digest(found.width), *machine_of(found)]
    )
    known = noted(key)
    if known not in LINKING:
        known = try_out(found)
        note(key, known)
    return replace(found, linking=LINKING[known])


def _file(command: str) -> tuple[str, ...]:
    """Size and date of the compiler's file, so that another file of the same name and version is tried again."""
    path = shutil.which(command)
    if path is None:
        return ()
    state = os.stat(path)
    return str(state.st_size), str(state.st_mtime_ns)


def machine_of(found: Compiler) -> tuple[str, ...]:
    """Compiler, macros, processor and C library, as far as a built library depends on them."""
    processor = digest(" ".join(sorted(processor_flags())).encode())
    macros = digest(found.macros.encode())
    options = (*found.command, *found.vector_library, *found.linking)
    return (found.version, *options, macros, processor, *FLAGS, *platform.libc_ver())


@cache
def processor_flags() -> frozenset[str]:
    """Feature flags of the processor; empty if the system does not report them."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return frozenset()
    lines = [line for line in text.splitlines() if line.startswith("flags")]
    return frozenset(lines[0].split()) if lines else frozenset()


@cache
def _warn_of_none(why: str) -> None:
    warnings.warn(
        f"{why}. Kernels are interpreted, some 30 times slower; {NEED_MACHINE_CODE}, raise an error. {REMEDY}",
        stacklevel=4,
    )


@cache
def _warn_of_another(trouble: str, command: str) -> None:
    warnings.warn(f"the C compiler that $CC names is not used, but {command}: {trouble}", stacklevel=4)
