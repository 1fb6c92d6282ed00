"""The library of the compiled time loop and of the operation-list evaluator, built once per machine from `runtime/`."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from multiloop.kernels.build import library_key, required_compiler
from multiloop.kernels.cache import LIBRARY, UnbuiltError, digest, entry_for
from multiloop.kernels.compiler_trial import wrong_walk
from multiloop.kernels.library import Library
from multiloop.kernels.strips import operations_header, tape_walker
from multiloop.kernels.structs import header
from multiloop.symbols.strips import offer


class Runtime(NamedTuple):
    """Functions of the library, with the address of a struct `Loop`; `advance` also takes a number of steps."""

    begin: Callable[[Any], int]
    advance: Callable[[Any, int], int]
    room_needed: Callable[[Any], int]


@cache
def runtime() -> Runtime:
    """The library, from the cache or newly built; once loaded, it also evaluates traced functions of many instances."""
    texts = _texts()

    def fill(folder: Path) -> dict[str, Any]:
        for name, text in texts.items():
            (folder / name).write_text(text, encoding="utf-8")
        sources = [folder / name for name in texts if name.endswith(".c")]
        found = required_compiler()
        found.build(sources, folder / LIBRARY)
        wrong = wrong_walk(tape_walker(Library(folder / LIBRARY)))
        if wrong:
            raise UnbuiltError(f"{found.command[0]} builds a runtime that returns wrong numbers: {wrong}")
        for name in texts.keys() - {source.name for source in sources}:
            (folder / name).unlink()
        return {}

    library = entry_for(library_key(digest("\0".join(texts.values()).encode())), fill).library
    offer(tape_walker(library))
    return Runtime(
        begin=library.function(ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p), "begin"),
        advance=library.function(ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_long), "advance"),
        room_needed=library.function(ctypes.CFUNCTYPE(ctypes.c_long, ctypes.c_void_p), "room_needed"),
    )


def _texts() -> dict[str, str]:
    """Source files by name, including those generated from Python."""
    lying = sorted((Path(__file__).parent / "runtime").glob("*.[ch]"))
    return {file.name: file.read_text(encoding="utf-8") for file in lying} | {
        "structs.h": header(),
        "operations.h": operations_header(),
    }
