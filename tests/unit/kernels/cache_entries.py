"""Cache entries that contain a library which returns 7."""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any

from multiloop.kernels import library_cache as cache
from multiloop.kernels.codegen import build as compiler_search


class Filling:
    """Compiles a library that returns a number, and counts the compilations; it is larger by `weight` bytes."""

    def __init__(self, number: int = 7, weight: int = 0) -> None:
        self.number, self.weight, self.count = number, weight, 0

    def __call__(self, folder: Path) -> dict[str, Any]:
        self.count += 1
        text = f"int seven(void) {{ return {self.number}; }}\n"
        if self.weight:
            text += f"const char weight[{self.weight}] = {{1}};\n"
        (folder / "piece.c").write_text(text)
        found = compiler_search.compiler()
        assert found is not None
        found.build([folder / "piece.c"], folder / cache.LIBRARY)
        return {"of": "seven"}


def answer(entry: cache.Entry) -> int:
    """The return value of the library of an entry."""
    return int(entry.library.function(ctypes.CFUNCTYPE(ctypes.c_int), "seven")())


def works(entry: cache.Entry) -> bool:
    """Whether the entry returns the expected value, and has the expected description."""
    return answer(entry) == 7 and entry.manifest == {"of": "seven"}
