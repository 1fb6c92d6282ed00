"""Shared libraries in this process: loaded on demand, unloaded when nothing refers to them any more."""

from __future__ import annotations

import ctypes
import weakref
from pathlib import Path
from typing import Any

_SYSTEM = ctypes.PyDLL(None)
_unload = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(("dlclose", _SYSTEM))
_find = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(("dlsym", _SYSTEM))


class Library:
    """The library of a file, loaded as long as something refers to it or to one of its functions.

    Functions are created from their addresses, because those that ctypes returns are part of reference cycles and would
    keep the library until the next garbage collection. Libraries are not unloaded when the process ends.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._handle = ctypes.CDLL(str(path))._handle
        weakref.finalize(self, _unload, self._handle).atexit = False

    def function(self, prototype: Any, name: str) -> Any:
        """A function of the library; it refers to the library, but the library does not refer to it."""
        address = _find(self._handle, name.encode())
        if not address:
            raise OSError(f"there is no function {name} in {self.path}")
        found = prototype(address)
        found.library = self
        return found
