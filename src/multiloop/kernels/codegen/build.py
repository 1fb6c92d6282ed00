"""Search for a C compiler, and compilation of traced functions to shared libraries.

Theory: docs/theory/14-compiled-kernels.md, section 14.4.
"""

from __future__ import annotations

import json
import os
import platform
import shlex
import shutil
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import casadi as ca

from multiloop.dependencies import install_command
from multiloop.kernels.codegen.c_source import batch_kernel_source, single_kernel_source
from multiloop.kernels.codegen.compiler import FLAGS, LINKER_OPTIONS, CompilationError, Compiler
from multiloop.kernels.codegen.compiler_trial import run_trial, trial_digest
from multiloop.kernels.codegen.recipe import Recipe
from multiloop.kernels.kernel_arguments import Signature
from multiloop.kernels.library_cache import (
    LIBRARY,
    Library,
    UnbuiltError,
    cached_entry,
    digest,
    find_or_build_entry,
    load_note,
    store_note,
)
from multiloop.symbols import Tape

LARGEST_VECTOR_TAPE = 20_000
"""Largest number of operations of a kernel that is also built with vector instructions. Longer kernels have far more
intermediate values than there are vector registers."""

UNTRACED_PACKAGES = ("cli", "io", "view")
"""Sub-packages on which no traced function depends; a change of their source does not make cached kernels invalid."""


@dataclass(frozen=True)
class KernelSource:
    """C source of a kernel in pieces that are compiled in parallel, with its signature and size.

    `operations` is the number of scalar operations, `width` the number of instances that are computed at once.
    """

    pieces: tuple[str, ...]
    signature: Signature
    operations: int
    width: int

    @cached_property
    def digest(self) -> str:
        """Digest (hash) of the source text and of the shapes of inputs and outputs, which the text does not contain."""
        return digest(json.dumps([self.signature.to_data(), *self.pieces]).encode())

    def compile_into(self, folder: Path) -> dict[str, Any]:
        """Compile the pieces to a library in a folder; return the manifest, which is stored with the library."""
        sources = []
        for number, piece in enumerate(self.pieces):
            sources.append(folder / f"piece{number}.c")
            sources[-1].write_text(piece, encoding="utf-8")
        required_compiler().build(sources, folder / LIBRARY)
        return {"signature": self.signature.to_data(), "operations": self.operations, "width": self.width}


@dataclass(frozen=True)
class KernelLibrary:
    """The loaded library of a kernel, its signature, and its numbers of operations and of instances computed at
    once."""

    library: Library
    signature: Signature
    operations: int
    width: int


def build_single(recipe: Recipe) -> KernelLibrary:
    """Find or build the library of a kernel for one instance at a time."""
    return _find_or_build(recipe, "single", _single_source)


def build_batch(recipe: Recipe) -> KernelLibrary:
    """Find or build the library of a kernel for many instances, with the widest vectors available."""
    return _find_or_build(recipe, "batch", _batch_source)


def _single_source(signature: Signature, tape: Tape) -> KernelSource:
    return KernelSource(single_kernel_source(signature, tape, vector_width()), signature, tape.total, 1)


def _batch_source(signature: Signature, tape: Tape) -> KernelSource:
    width = vector_width() if tape.total <= LARGEST_VECTOR_TAPE else 1
    return KernelSource(batch_kernel_source(signature, tape, width), signature, tape.total, width)


def _find_or_build(
    recipe: Recipe, kind: str, write: Callable[[Signature, Tape], KernelSource]
) -> KernelLibrary:
    """Load a library from the cache; if it is not cached, trace the function, write its source and compile it.

    `kind` distinguishes the libraries for one and for many instances in the cache; `write` generates the C source.
    """
    words = json.dumps([kind, *recipe.key, package_digest(), ca.CasadiMeta.version(), *machine_key()])
    known = load_note(words) if recipe.key else None
    found = cached_entry(library_key(known)) if known else None
    if found is None:
        text = write(*recipe.lowered)
        found = find_or_build_entry(library_key(text.digest), text.compile_into)
        if recipe.key:
            store_note(words, text.digest)
    library, manifest = found
    signature = Signature.from_data(manifest["signature"])
    return KernelLibrary(library, signature, manifest["operations"], manifest["width"])


def library_key(text: str) -> str:
    """Cache key of a library: the digest of its source text, the compiler options, and the machine."""
    return json.dumps([text, *machine_key()])


def machine_key() -> tuple[str, ...]:
    """Texts that identify the compiler, processor and C library on which a built library depends."""
    return machine_key_of(required_compiler())


def required_compiler() -> Compiler:
    """The C compiler to be used; raises an UnbuiltError if there is none."""
    found = compiler()
    if found is None:
        raise UnbuiltError(no_compiler_text())
    return found


@cache
def package_digest() -> str:
    """Digest (hash) of the package's source files; a change makes cached kernels invalid."""
    root = Path(__file__).parents[2]
    rooms = (room for room in sorted(root.iterdir()) if room.is_dir() and room.name not in UNTRACED_PACKAGES)
    files = sorted(file for room in rooms for file in room.rglob("*.py"))
    return digest(b"\0".join(file.read_bytes() for file in files))


COMPILER_REMEDY = f"Install gcc or clang, or {install_command('compiler')}."

NEED_MACHINE_CODE = (
    "`periodic`, and by `simulate` with a control function, events, arrays of parameters, integrator rk4, impacts or "
    "exact stiction"
)
"""Text that lists the functions and options that need compiled kernels."""


def compiler() -> Compiler | None:
    """The first of $CC, cc, gcc, clang and the ziglang wheel that works, or None.

    CC=none disables compilation.
    """
    return _search()[0]


def compiler_available() -> bool:
    """Whether there is a usable C compiler; warns once if there is none, or if it is not the compiler in $CC."""
    found, trouble = _search()
    if found is None:
        _warn_no_compiler(no_compiler_text())
    elif trouble and os.environ.get("CC", "").strip():
        _warn_other_compiler(trouble, shlex.join(found.command))
    return found is not None


def no_compiler_text() -> str:
    """Message that no compiler was found, with the error of each compiler that was tried."""
    trouble = _search()[1]
    return f"no usable C compiler was found{f' ({trouble})' if trouble else ''}"


@cache
def vector_width() -> int:
    """Number of doubles in the vectors of kernels that the compiler can build; 1 if it builds no vector code."""
    found = compiler()
    return 1 if found is None else found.width


@cache
def _search() -> tuple[Compiler | None, str]:
    """The first compiler that works, or None, and the errors of the compilers that were tried before it."""
    trouble: list[str] = []
    for command in _candidates():
        try:
            return _accept(Compiler.of(command)), "; ".join(trouble)
        except OSError as error:
            trouble.append(str(error))
    return None, "; ".join(trouble)


def _candidates() -> list[tuple[str, ...]]:
    """Compiler commands to try, in order: $CC if it is set, else the usual names; then the ziglang wheel."""
    named = os.environ.get("CC", "").strip()
    if named == "none":
        return []
    usual = [name for name in ("cc", "gcc", "clang") if shutil.which(name)]
    found = [_command(named)] if named else [_command(name) for name in usual]
    return [*found, (sys.executable, "-m", "ziglang", "cc")] if find_spec("ziglang") else found


def _command(named: str) -> tuple[str, ...]:
    """Split the value of $CC into a command and its options; the path of an existing file is not split at spaces."""
    try:
        return (named,) if Path(named).is_file() else tuple(shlex.split(named)) or (named,)
    except (ValueError, OSError):  # e.g. an unmatched quotation mark
        return (named,)


def _accept(found: Compiler) -> Compiler:
    """The compiler with supported linker options, if it passes a trial; otherwise raises an error.

    The result of the trial is cached.
    """
    if found.relaxations:
        raise CompilationError(
            f"{shlex.join(found.command)} relaxes IEEE arithmetic ({', '.join(found.relaxations)}), so that "
            "infinities, NaN and the order of sums are not preserved; remove these options from $CC"
        )
    key = json.dumps(
        [
            "trial",
            *found.command,
            *_file_state(found.command[0]),
            trial_digest(found.width),
            *machine_key_of(found),
        ]
    )
    known = load_note(key)
    if known not in LINKER_OPTIONS:
        known = run_trial(found)
        store_note(key, known)
    return replace(found, linking=LINKER_OPTIONS[known])


def _file_state(command: str) -> tuple[str, ...]:
    """Size and modification time of the compiler executable, so that a replaced compiler is tested again.

    Another executable may have the same name and report the same version.
    """
    path = shutil.which(command)
    if path is None:
        return ()
    state = os.stat(path)
    return str(state.st_size), str(state.st_mtime_ns)


def machine_key_of(found: Compiler) -> tuple[str, ...]:
    """Texts that identify a compiler, its macros, the processor and the C library on which a built library depends."""
    processor = digest(" ".join(sorted(processor_flags())).encode())
    macros = digest(found.macros.encode())
    options = (*found.command, *found.vector_library, *found.linking)
    return (found.version, *options, macros, processor, *FLAGS, *platform.libc_ver())


@cache
def processor_flags() -> frozenset[str]:
    """Feature flags of the processor from /proc/cpuinfo; empty if the system does not report them."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return frozenset()
    lines = [line for line in text.splitlines() if line.startswith("flags")]
    return frozenset(lines[0].split()) if lines else frozenset()


@cache
def _warn_no_compiler(why: str) -> None:
    warnings.warn(
        f"{why}. Kernels (the functions of a mechanism) are interpreted, which is about 30 times slower, and errors "
        f"are raised by {NEED_MACHINE_CODE}. "
        f"{COMPILER_REMEDY}",
        stacklevel=4,
    )


@cache
def _warn_other_compiler(trouble: str, command: str) -> None:
    warnings.warn(f"{command} is used instead of the C compiler of $CC: {trouble}", stacklevel=4)
