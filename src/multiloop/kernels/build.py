"""From a traced function to a library: printed, compiled, kept."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import casadi as ca

from multiloop.kernels.batches import at_source, batch_source
from multiloop.kernels.cache import LIBRARY, digest, entry_for
from multiloop.kernels.compiler import FLAGS, Compiler, compiler, processor_flags, vector_width
from multiloop.kernels.dialects import scalar, vector
from multiloop.kernels.printer import printed
from multiloop.kernels.signature import Array, Signature
from multiloop.symbols import Tape, Traced

WIDEST = 20_000
"""Tapes longer than this are not built for vectors: their values overflow the registers many times."""

LONG = 20_000
"""Tapes longer than this are compiled with less effort (-O1)."""


@dataclass(frozen=True)
class Recipe:
    """How to come by a traced function, and the words that identify it without tracing it."""

    trace: Callable[[], Traced]
    words: tuple[str, ...] = ()

    @cached_property
    def traced(self) -> Traced:
        """The traced function; found when the cache does not hold what is asked for."""
        return self.trace()

    @cached_property
    def lowered(self) -> tuple[Signature, Tape]:
        """Signature and tape, every output dense."""
        return dense(self.traced)

    @cached_property
    def content(self) -> str:
        """A digest of the signature and of every operation with its places and its value."""
        signature, tape = self.lowered
        steps = [(op.name, op.reads, op.writes, op.value) for op in tape.operations]
        return digest(repr((signature, tape.registers, steps)).encode())

    def key(self, kind: str) -> str:
        """Everything the built library depends on; without words of its own, the tape itself."""
        words = self.words or (self.content,)
        return json.dumps([kind, *words, *surroundings()])


@dataclass(frozen=True)
class Built:
    """A library on the disk and what it holds."""

    library: Path
    signature: Signature
    operations: int
    width: int


def build_single(recipe: Recipe) -> Built:
    """The kernel for one instance at a time."""

    def fill(folder: Path) -> dict:
        signature, tape = recipe.lowered
        dialect = scalar(vector_width())
        pieces = printed(signature, tape, dialect)
        pieces[-1] += at_source(signature)
        return _compile(folder, [dialect.head + piece for piece in pieces], signature, tape, 1)

    return _built(recipe.key("single"), fill)


def build_batch(recipe: Recipe) -> Built:
    """The kernel for many instances, vectors of the widest kind first."""

    def fill(folder: Path) -> dict:
        signature, tape = recipe.lowered
        width = vector_width() if tape.total <= WIDEST else 1
        plain = scalar()
        single = [plain.head + piece for piece in printed(signature, tape, plain)]
        declared = f"void {signature.symbol}({signature.arguments});\n"
        wide = vector(width) if width > 1 else plain
        pieces = printed(signature, tape, wide) if width > 1 else [""]
        pieces[-1] = declared + pieces[-1] + batch_source(signature, width)
        return _compile(folder, [*single, *(wide.head + p for p in pieces)], signature, tape, width)

    return _built(recipe.key("batch"), fill)


def _built(key: str, fill: Callable[[Path], dict]) -> Built:
    library, manifest = entry_for(key, fill)
    signature = Signature.from_plain(manifest["signature"])
    return Built(library, signature, manifest["operations"], manifest["width"])


def _compile(folder: Path, pieces: list[str], signature: Signature, tape: Tape, width: int) -> dict:
    """Compile the pieces into the folder's library; the manifest to keep beside it."""
    sources = []
    for number, piece in enumerate(pieces):
        sources.append(folder / f"piece{number}.c")
        sources[-1].write_text(piece, encoding="utf-8")
    required_compiler().build(sources, folder / LIBRARY, optimise="-O1" if tape.total > LONG else "-O2")
    for source in sources:
        source.unlink()
        source.with_suffix(".o").unlink()
    return {
        "signature": signature.plain(),
        "operations": tape.total,
        "width": width,
        "source": digest("\0".join(pieces).encode()),
    }


def required_compiler() -> Compiler:
    """The compiler, or the error that there is none."""
    found = compiler()
    if found is None:
        raise OSError("there is no C compiler on this machine")
    return found


def surroundings() -> tuple[str, ...]:
    """What every built library depends on besides its source: this package, the compiler, the processor."""
    found = required_compiler()
    processor = digest(" ".join(sorted(processor_flags())).encode())
    return (_package(), found.version, *found.command, *FLAGS, processor, str(vector_width()))


@cache
def _package() -> str:
    """The state of this package's source files, so that a changed package builds its kernels anew."""
    root = Path(__file__).parent.parent
    states = []
    for folder, _, files in sorted(os.walk(root)):
        for file in sorted(f for f in files if f.endswith((".py", ".c", ".h"))):
            state = os.stat(os.path.join(folder, file))
            states.append(f"{os.path.relpath(folder, root)}/{file} {state.st_size} {state.st_mtime_ns}")
    return digest("\n".join(states).encode())


def dense(traced: Traced) -> tuple[Signature, Tape]:
    """Signature and tape of a traced function with every output dense."""
    outputs = {name: ca.densify(ca.SX(m)) for name, m in traced.outputs.items()}
    signature = Signature(
        traced.name,
        tuple(Array(name, m.shape[0], m.shape[1]) for name, m in traced.inputs.items()),
        tuple(Array(name, m.shape[0], m.shape[1]) for name, m in traced.outputs.items()),
    )
    return signature, Traced(traced.name, traced.inputs, outputs).tape()
