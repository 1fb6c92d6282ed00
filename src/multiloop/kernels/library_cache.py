"""Disk cache of compiled kernel libraries, in a private folder of the user, safe for concurrent processes.

A cache entry is a folder with a library and a manifest (JSON). Its name is a digest (hash) of everything on which the
library depends. The folder is filled under a temporary name and then renamed in one step, so that no process sees an
incomplete entry. A seal file contains the name of the entry and the digests of its files; an entry that does not match
its seal (truncated, damaged, of another name) or cannot be loaded is built again. A process that needs an entry which
another process is building waits until the other process has finished or ended. If the cache folder cannot be written,
is full, or is accessible to other users, a temporary folder of the process is used instead, with one warning.

A note is a short text that is stored under a key, in the same folder and with the same safeguards.

Libraries are loaded on demand and unloaded when no object refers to them any more.

Theory: docs/theory/14-compiled-kernels.md, section 14.4.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
import shutil
import tempfile
import time
import warnings
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

from multiloop.kernels.cache_folder import (
    cache_folder,
    cache_limit,
    clean_up,
    private_folder,
    process_folder,
    read_file,
    readable_folders,
    remove_item,
)

_SYSTEM = ctypes.PyDLL(None)
_unload = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(("dlclose", _SYSTEM))
_find = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(("dlsym", _SYSTEM))


class Library:
    """A shared library, which stays loaded as long as an object refers to it or to one of its functions.

    Functions are created from their addresses, because the function objects that ctypes returns are part of reference
    cycles and would keep the library loaded until the next garbage collection. Libraries are not unloaded when the
    process ends.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._handle = ctypes.CDLL(str(path))._handle
        weakref.finalize(self, _unload, self._handle).atexit = False

    def function(self, prototype: Any, name: str) -> Any:
        """The function `name` of the library, of the ctypes type `prototype`, as a callable that keeps the library
        loaded."""
        address = _find(self._handle, name.encode())
        if not address:
            raise OSError(f"there is no function {name} in {self.path}")
        found = prototype(address)
        found.library = self
        return found


LIBRARY, MANIFEST, SEAL = "kernel.so", "manifest.json", "seal.json"

LARGEST_TEXT, LARGEST_LIBRARY = 1_000_000, 1_000_000_000
"""Largest size (bytes) of a note, seal or manifest, and of a library; a larger file is not read."""

LOCK_TIMEOUT = 300.0
"""Longest time (s) to wait for another process that builds the same entry. After this time the entry is built a second
time, which is harmless."""

LOADED_LIBRARIES = 64
"""Number of libraries that stay loaded although no object uses them, so that they need not be loaded again soon."""

Fill = Callable[[Path], dict[str, Any]]
"""Type of functions that write `kernel.so` into a folder and return the manifest."""


class Entry(NamedTuple):
    """The content of a cache entry: the loaded library and its manifest."""

    library: Library
    manifest: dict[str, Any]


class UnbuiltError(OSError):
    """Error raised if a kernel could not be compiled or stored."""


def find_or_build_entry(key: str, fill: Fill) -> Entry:
    """The cache entry of a key; if it does not exist, it is built by the function `fill`."""
    found = cached_entry(key)
    if found is not None:
        return found
    failures: list[str] = []
    for base in (cache_folder, process_folder):
        try:
            found = _build(private_folder(base()), digest(key.encode()), fill)
        except UnbuiltError:  # another folder would not avoid this error
            raise
        except OSError as error:
            failures.append(str(error))
            continue
        if failures:
            _warn_not_cached(failures[0])
        return found
    why = "; ".join(dict.fromkeys(failures))
    raise UnbuiltError(f"kernels could not be compiled, neither in the cache folder nor elsewhere: {why}")


def cached_entry(key: str) -> Entry | None:
    """The cache entry of a key, or None if there is no valid entry."""
    name = digest(key.encode())
    for base in readable_folders():
        found = _load_valid_entry(base / name)
        if found is not None:
            _mark_used(base / name)
            return found
    return None


def store_note(key: str, word: str) -> None:
    """Store the note `word` under a key; failures are ignored, because notes can be computed again."""
    for base in readable_folders():
        making = base / f".making-{uuid4().hex}"
        try:
            making.write_text(f"{word} {_seal(key, word)}", encoding="ascii")
            os.replace(making, base / f"{digest(key.encode())}.note")
            return
        except OSError:
            with suppress(OSError):
                making.unlink(missing_ok=True)


def load_note(key: str) -> str | None:
    """The note stored under a key, or None."""
    for base in readable_folders():
        path = base / f"{digest(key.encode())}.note"
        with suppress(OSError, ValueError):
            word, seal = read_file(path, LARGEST_TEXT).decode("ascii").split()
            if _seal(key, word) == seal:
                _mark_used(path)
                return word
    return None


def digest(content: bytes) -> str:
    """SHA-256 digest of the content, in hexadecimal."""
    return hashlib.sha256(content).hexdigest()


def _seal(key: str, word: str) -> str:
    """Checksum of a note and its key, stored with the note."""
    return digest(f"{key}\0{word}".encode())


@cache
def _warn_not_cached(why: str) -> None:
    warnings.warn(f"compiled kernels are not cached for the next run: {why}", stacklevel=4)


# building and loading of cache entries ------------------------------------------------------------------

_bytes_built: dict[Path, int] = {}
"""For each cache folder, the number of bytes that this process has added since it last cleaned up the folder."""


def _build(base: Path, name: str, fill: Fill) -> Entry:
    """Build an entry by the function `fill` in a temporary folder, and rename the folder to `name`.

    If another process was faster, its entry is used.
    """
    final = base / name
    with _build_lock(base, name):
        found = _load_valid_entry(final)
        if found is not None:
            return found
        _free_space(base)
        making = Path(tempfile.mkdtemp(dir=base, prefix=".making-"))
        try:
            manifest = fill(making)
            (making / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")
            seal = {file: digest((making / file).read_bytes()) for file in (LIBRARY, MANIFEST)}
            (making / SEAL).write_text(json.dumps(seal | {"name": name}), encoding="ascii")
            _bytes_built[base] += (making / LIBRARY).stat().st_size
            remove_item(final)
            with suppress(OSError):  # fails if another process has stored the entry in the meantime
                os.rename(making, final)
        finally:
            shutil.rmtree(making, ignore_errors=True)
    found = _load_valid_entry(final)
    if found is None:
        raise OSError(f"a compiled kernel could not be stored in {base} and loaded from there")
    return found


def _free_space(base: Path) -> None:
    """Clean up the cache folder if necessary.

    This is the case before the first build of this process, and whenever the process has added a twentieth of the size
    limit since the last cleaning.
    """
    if base not in _bytes_built or _bytes_built[base] > cache_limit(base) // 20:
        clean_up(base)
        _bytes_built[base] = 0


def _load_valid_entry(entry: Path) -> Entry | None:
    """The cache entry in a folder, or None if it is not valid or cannot be loaded."""
    try:
        return _open_entry(entry)
    except (
        OSError,
        ValueError,
        KeyError,
        TypeError,
        RecursionError,
    ):  # RecursionError: JSON text that is nested too deeply
        return None


@lru_cache(maxsize=LOADED_LIBRARIES)
def _open_entry(entry: Path) -> Entry:
    """Load the cache entry in a folder; raise an error if the files do not match the digests in its seal."""
    seal = json.loads(read_file(entry / SEAL, LARGEST_TEXT))
    content = {
        file: read_file(entry / file, most)
        for file, most in ((LIBRARY, LARGEST_LIBRARY), (MANIFEST, LARGEST_TEXT))
    }
    if seal["name"] != entry.name or any(digest(found) != seal[file] for file, found in content.items()):
        raise ValueError(f"{entry} does not match its checksum")
    return Entry(Library(entry / LIBRARY), json.loads(content[MANIFEST]))


@contextmanager
def _build_lock(base: Path, name: str) -> Iterator[None]:
    """Lock an entry, so that other processes do not build it at the same time; wait while it is locked.

    The operating system releases the lock of a process that ends.
    """
    import fcntl

    path = base / f".lock-{name}"
    lock = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
    until = time.monotonic() + LOCK_TIMEOUT
    try:
        while time.monotonic() < until:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                time.sleep(0.02)
            except OSError:  # the file system has no locks; building the same entry twice is harmless
                break
        yield
    finally:
        path.unlink(missing_ok=True)
        os.close(lock)


def _mark_used(path: Path) -> None:
    """Set the modification time of a cache entry or note, its time of last use, to now."""
    with suppress(OSError):
        os.utime(path)
