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
"""Number of operations above which no vector kernel is built, because its intermediate values exceed the registers
by far."""

UNTRACED_PACKAGES = ("cli", "io", "view")
"""Sub-packages on which no traced function depends."""


@dataclass(frozen=True)
class KernelSource:
    """Source text of a kernel in pieces that are compiled in parallel, and its description."""

    pieces: tuple[str, ...]
    signature: Signature
    operations: int
    width: int

    @cached_property
    def digest(self) -> str:
        """Digest of the text, and of the shapes, which the text does not contain."""
        return digest(json.dumps([self.signature.to_data(), *self.pieces]).encode())

    def compile_into(self, folder: Path) -> dict[str, Any]:
        """Compile the pieces into the library of a folder; return the manifest to store with it."""
        sources = []
        for number, piece in enumerate(self.pieces):
            sources.append(folder / f"piece{number}.c")
            sources[-1].write_text(piece, encoding="utf-8")
        required_compiler().build(sources, folder / LIBRARY)
        return {"signature": self.signature.to_data(), "operations": self.operations, "width": self.width}


@dataclass(frozen=True)
class KernelLibrary:
    """A loaded kernel library and its description."""

    library: Library
    signature: Signature
    operations: int
    width: int


def build_single(recipe: Recipe) -> KernelLibrary:
    """Library of the kernel for one instance at a time."""
    return _find_or_build(recipe, "single", _single_source)


def build_batch(recipe: Recipe) -> KernelLibrary:
    """Library of the kernel for many instances, in the widest vectors available."""
    return _find_or_build(recipe, "batch", _batch_source)


def _single_source(signature: Signature, tape: Tape) -> KernelSource:
    return KernelSource(single_kernel_source(signature, tape, vector_width()), signature, tape.total, 1)


def _batch_source(signature: Signature, tape: Tape) -> KernelSource:
    width = vector_width() if tape.total <= LARGEST_VECTOR_TAPE else 1
    return KernelSource(batch_kernel_source(signature, tape, width), signature, tape.total, width)


def _find_or_build(
    recipe: Recipe, kind: str, write: Callable[[Signature, Tape], KernelSource]
) -> KernelLibrary:
    """A library from the cache; if it is not found there, the function is traced, written as source text and
    compiled."""
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
    """Compiler, processor and C library, as far as a built library depends on them."""
    return machine_key_of(required_compiler())


def required_compiler() -> Compiler:
    """The compiler; raises an UnbuiltError if there is none."""
    found = compiler()
    if found is None:
        raise UnbuiltError(no_compiler_text())
    return found


@cache
def package_digest() -> str:
    """Digest of the source files of this package, so that functions are traced again after a change."""
    root = Path(__file__).parents[2]
    rooms = (room for room in sorted(root.iterdir()) if room.is_dir() and room.name not in UNTRACED_PACKAGES)
    files = sorted(file for room in rooms for file in room.rglob("*.py"))
    return digest(b"\0".join(file.read_bytes() for file in files))


COMPILER_REMEDY = f"Install gcc or clang, or {install_command('compiler')}."

NEED_MACHINE_CODE = (
    "`periodic`, and `simulate` with a control function, events, arrays of parameters, integrator rk4, impacts or "
    "exact stiction"
)
"""Functions that the interpreter does not support."""


def compiler() -> Compiler | None:
    """The first of $CC, cc, gcc, clang and the ziglang wheel that works, or None.

    CC=none disables compilation.
    """
    return _search()[0]


def compiler_available() -> bool:
    """Whether there is a compiler; warns once if there is none, or if it differs from $CC."""
    found, trouble = _search()
    if found is None:
        _warn_no_compiler(no_compiler_text())
    elif trouble and os.environ.get("CC", "").strip():
        _warn_other_compiler(trouble, shlex.join(found.command))
    return found is not None


def no_compiler_text() -> str:
    """Message that no compiler was found, with the errors of those that were tried."""
    trouble = _search()[1]
    return f"no usable C compiler was found{f' ({trouble})' if trouble else ''}"


@cache
def vector_width() -> int:
    """Number of doubles in the vectors of kernels, as the compiler generates them; 1 without vector kernels."""
    found = compiler()
    return 1 if found is None else found.width


@cache
def _search() -> tuple[Compiler | None, str]:
    """The compiler or None, and the errors of those that were tried before it."""
    trouble: list[str] = []
    for command in _candidates():
        try:
            return _accept(Compiler.of(command)), "; ".join(trouble)
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


def _accept(found: Compiler) -> Compiler:
    """The compiler with its linker options, after a trial whose result is cached; raises an error if it fails."""
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
    """Size and date of the compiler's file, so that another file of the same name and version is tried again."""
    path = shutil.which(command)
    if path is None:
        return ()
    state = os.stat(path)
    return str(state.st_size), str(state.st_mtime_ns)


def machine_key_of(found: Compiler) -> tuple[str, ...]:
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
def _warn_no_compiler(why: str) -> None:
    warnings.warn(
        f"{why}. Kernels are interpreted, about 30 times slower; {NEED_MACHINE_CODE}, raise an error. "
        f"{COMPILER_REMEDY}",
        stacklevel=4,
    )


@cache
def _warn_other_compiler(trouble: str, command: str) -> None:
    warnings.warn(f"{command} is used instead of the C compiler of $CC: {trouble}", stacklevel=4)
