"""Shared libraries in this process: loaded when they are asked for, unloaded when nothing refers to them any more."""

from __future__ import annotations

import ctypes
import weakref
from pathlib import Path
from typing import Any

_SYSTEM = ctypes.PyDLL(None)
_unload = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(("dlclose", _SYSTEM))
_find = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(("dlsym", _SYSTEM))


class Library:
    """The library of a file, in this process for as long as it or a function of it is referred to.

    Functions are taken by their address, since those that ctypes finds refer to themselves, and would keep the library
    until the next collection of garbage. What is loaded when the process ends is left to the system.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._handle = ctypes.CDLL(str(path))._handle
        weakref.finalize(self, _unload, self._handle).atexit = False

    def function(self, prototype: Any, name: str) -> Any:
        """A function of the library; it keeps the library, and the library does not keep it."""
        address = _find(self._handle, name.encode())
        if not address:
            raise OSError(f"there is no function {name} in {self.path}")
        found = prototype(address)
        found.library = self
        return found
