"""Building of kernel libraries: a traced function is printed as C, compiled, and cached.

Libraries are cached under the digest of their source text. For a function with a key (`Recipe.words`), that digest is
stored under the key, so that its library is found again without tracing the function.
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
"""Number of operations above which no vector kernel is built: intermediate values exceed the registers many times."""

ASIDE = ("cli", "io", "view")
"""Sub-packages on which no traced function depends."""


@dataclass(frozen=True)
class Printed:
    """Source text of a kernel in pieces that are compiled in parallel, and its description."""

    pieces: tuple[str, ...]
    signature: Signature
    operations: int
    width: int

    @cached_property
    def digest(self) -> str:
        """Digest of the text, and of the shapes, which the text does not contain."""
        return digest(json.dumps([self.signature.plain(), *self.pieces]).encode())

    def compiled(self, folder: Path) -> dict[str, Any]:
        """Compile the pieces into the library of a folder; return the manifest to store with it."""
        sources = []
        for number, piece in enumerate(self.pieces):
            sources.append(folder / f"piece{number}.c")
            sources[-1].write_text(piece, encoding="utf-8")
        required_compiler().build(sources, folder / LIBRARY)
        return {"signature": self.signature.plain(), "operations": self.operations, "width": self.width}


@dataclass(frozen=True)
class Built:
    """A loaded kernel library and its description."""

    library: Library
    signature: Signature
    operations: int
    width: int


def build_single(recipe: Recipe) -> Built:
    """Library of the kernel for one instance at a time."""
    return _built(recipe, "single", _printed_single)


def build_batch(recipe: Recipe) -> Built:
    """Library of the kernel for many instances, in the widest vectors available."""
    return _built(recipe, "batch", _printed_batch)


def _printed_single(signature: Signature, tape: Tape) -> Printed:
    return Printed(single_text(signature, tape, vector_width()), signature, tape.total, 1)


def _printed_batch(signature: Signature, tape: Tape) -> Printed:
    width = vector_width() if tape.total <= WIDEST else 1
    return Printed(batch_text(signature, tape, width), signature, tape.total, width)


def _built(recipe: Recipe, kind: str, write: Callable[[Signature, Tape], Printed]) -> Built:
    """A library from the cache; the function is traced, printed and compiled if it is not found there."""
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
    """Cache key of a library: the digest of its source text, the compiler options, and the machine."""
    return json.dumps([text, *machine()])


def machine() -> tuple[str, ...]:
    """Compiler, processor and C library, as far as a built library depends on them."""
    return machine_of(required_compiler())


def required_compiler() -> Compiler:
    """The compiler; raises an UnbuiltError if there is none."""
    found = compiler()
    if found is None:
        raise UnbuiltError(none_found())
    return found


@cache
def package_state() -> str:
    """Digest of the source files of this package, so that functions are traced again after a change."""
    root = Path(__file__).parent.parent
    rooms = (room for room in sorted(root.iterdir()) if room.is_dir() and room.name not in ASIDE)
    files = sorted(file for room in rooms for file in room.rglob("*.py"))
    return digest(b"\0".join(file.read_bytes() for file in files))
