"""Shared libraries in this process: loaded when they are asked for, unloaded when nothing refers to them any more."""

from __future__ import annotations

import ctypes
import weakref
from pathlib import Path

_unload = ctypes.PyDLL(None).dlclose
_unload.argtypes, _unload.restype = [ctypes.c_void_p], ctypes.c_int


def loaded(path: Path) -> ctypes.CDLL:
    """The library of a file, for as long as it or a function of it is referred to.

    Take functions of it by a prototype, `prototype(("name", library))`: they keep the library, and the library does
    not keep them, as it would those taken by `library.name`. What is loaded when the process ends is left to the system.
    """
    library = ctypes.CDLL(str(path))
    weakref.finalize(library, _unload, library._handle).atexit = False
    return library
