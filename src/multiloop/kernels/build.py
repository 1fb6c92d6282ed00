"""From a traced function to a library: printed, compiled, kept.

Libraries are kept by their text. A function that has words of its own is remembered under them: the text's
digest is noted, so that what was traced once on this machine is found again without tracing it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import casadi as ca

from multiloop.kernels.cache import LIBRARY, UnbuiltError, digest, entry_for, kept, note, noted
from multiloop.kernels.compiler import Compiler
from multiloop.kernels.compiler_search import compiler, machine_of, none_found, vector_width
from multiloop.kernels.kernel_text import batch_text, single_text
from multiloop.kernels.library import Library
from multiloop.kernels.recipe import Recipe
from multiloop.kernels.signature import Signature
from multiloop.symbols import Tape

WIDEST = 20_000
"""Tapes longer than this are not built for vectors: their values overflow the registers many times."""

ASIDE = ("cli", "io", "view")
"""Rooms of this package that no traced function depends on."""


@dataclass(frozen=True)
class Printed:
    """A kernel's text in pieces that are compiled side by side, and what it holds."""

    pieces: tuple[str, ...]
    signature: Signature
    operations: int
    width: int

    @cached_property
    def digest(self) -> str:
        """Of the text, and of the shapes that do not stand in it."""
        return digest(json.dumps([self.signature.plain(), *self.pieces]).encode())

    def compiled(self, folder: Path) -> dict[str, Any]:
        """Compile the pieces into the folder's library; the manifest to keep beside it."""
        sources = []
        for number, piece in enumerate(self.pieces):
            sources.append(folder / f"piece{number}.c")
            sources[-1].write_text(piece, encoding="utf-8")
        required_compiler().build(sources, folder / LIBRARY)
        return {"signature": self.signature.plain(), "operations": self.operations, "width": self.width}


@dataclass(frozen=True)
class Built:
    """A library on the disk and in this process, and what it holds."""

    library: Library
    signature: Signature
    operations: int
    width: int


def build_single(recipe: Recipe) -> Built:
    """The kernel for one instance at a time."""
    return _built(recipe, "single", _printed_single)


def build_batch(recipe: Recipe) -> Built:
    """The kernel for many instances, vectors of the widest kind first."""
    return _built(recipe, "batch", _printed_batch)


def _printed_single(signature: Signature, tape: Tape) -> Printed:
    return Printed(single_text(signature, tape, vector_width()), signature, tape.total, 1)


def _printed_batch(signature: Signature, tape: Tape) -> Printed:
    width = vector_width() if tape.total <= WIDEST else 1
    return Printed(batch_text(signature, tape, width), signature, tape.total, width)


def _built(recipe: Recipe, kind: str, write: Callable[[Signature, Tape], Printed]) -> Built:
    """A library from the cache, where the function was traced before; else traced, printed, compiled."""
    words = json.dumps([kind, *recipe.words, package_state(), ca.CasadiMeta.version(), *machine()])
    known = noted(words) if recipe.words else None
    found = kept(library_key(known)) if known else None
    if found is None:
        text = write(*recipe.lowered)
        found = entry_for(library_key(text.digest), text.compiled)
        if recipe.words:
            note(words, text.digest)
    library, manifest = found
    signature = Signature.from_plain(manifest["signature"])
    return Built(library, signature, manifest["operations"], manifest["width"])


def library_key(text: str) -> str:
    """Everything a built library depends on: the digest of its text, the flags, and the machine."""
    return json.dumps([text, *machine()])


def machine() -> tuple[str, ...]:
    """The compiler, the processor and the C library, as far as a built library depends on them."""
    return machine_of(required_compiler())


def required_compiler() -> Compiler:
    """The compiler, or the error that there is none."""
    found = compiler()
    if found is None:
        raise UnbuiltError(none_found())
    return found


@cache
def package_state() -> str:
    """A digest of this package's source files, so that a changed package traces its functions anew."""
    root = Path(__file__).parent.parent
    rooms = (room for room in sorted(root.iterdir()) if room.is_dir() and room.name not in ASIDE)
    files = sorted(file for room in rooms for file in room.rglob("*.py"))
    return digest(b"\0".join(file.read_bytes() for file in files))
