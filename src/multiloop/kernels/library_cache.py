"""Disk cache of built kernel libraries, in a private folder of the user, safe for concurrent processes.

An entry is a folder named by the digest of everything that it depends on. It is filled under a temporary name and
then renamed in one step, so that no process sees an incomplete entry. A seal file holds the name and the digests of
the files; an entry that does not match its seal (truncated, damaged, of another name) or cannot be loaded is built
again. A process that needs an entry while another process builds it waits; the wait ends when that process ends.
Where the folder cannot be written, is full, or is accessible to other users, a temporary folder of the process is
used, with one warning.

A note is a short text stored under a key, in the same folder and with the same safeguards.

Libraries are loaded on demand and unloaded when nothing refers to them any more.

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


LIBRARY, MANIFEST, SEAL = "kernel.so", "manifest.json", "seal.json"

LARGEST_TEXT, LARGEST_LIBRARY = 1_000_000, 1_000_000_000
"""Largest size (bytes) of notes, seals and manifests, and of libraries; larger files are not cache entries."""

LOCK_TIMEOUT = 300.0
"""Seconds to wait for a process that builds the same entry; then it is built twice, which is harmless."""

LOADED_LIBRARIES = 64
"""Number of libraries that stay loaded without a reference, so that a mechanism is simulated again without loading."""

Fill = Callable[[Path], dict[str, Any]]
"""A function that writes `kernel.so` into a folder and returns the manifest."""


class Entry(NamedTuple):
    """A library, loaded as long as something refers to it, and its manifest."""

    library: Library
    manifest: dict[str, Any]


class UnbuiltError(OSError):
    """A kernel could not be built or stored."""


def find_or_build_entry(key: str, fill: Fill) -> Entry:
    """The cache entry of a key, built by `fill` if it does not exist."""
    found = cached_entry(key)
    if found is not None:
        return found
    failures: list[str] = []
    for base in (cache_folder, process_folder):
        try:
            found = _build(private_folder(base()), digest(key.encode()), fill)
        except UnbuiltError:  # the same error would occur in any folder
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
    """The existing valid cache entry of a key, or None."""
    name = digest(key.encode())
    for base in readable_folders():
        found = _load_valid_entry(base / name)
        if found is not None:
            _mark_used(base / name)
            return found
    return None


def store_note(key: str, word: str) -> None:
    """Store a note under a key; if it cannot be stored, it will be computed again next time."""
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
    """SHA-256 in hexadecimal."""
    return hashlib.sha256(content).hexdigest()


def _seal(key: str, word: str) -> str:
    """Seal of a note, which is valid for its key only."""
    return digest(f"{key}\0{word}".encode())


@cache
def _warn_not_cached(why: str) -> None:
    warnings.warn(f"compiled kernels are not cached for the next run: {why}", stacklevel=4)


# entries ------------------------------------------------------------------------------------------------

_bytes_built: dict[Path, int] = {}
"""Bytes that this process has built in a folder since it last cleaned it up."""


def _build(base: Path, name: str, fill: Fill) -> Entry:
    """Fill a temporary folder and rename it; if another process was faster, use its entry."""
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
            with suppress(OSError):  # another process, whose wait timed out, was faster
                os.rename(making, final)
        finally:
            shutil.rmtree(making, ignore_errors=True)
    found = _load_valid_entry(final)
    if found is None:
        raise OSError(f"a compiled kernel could not be stored in {base} and loaded from there")
    return found


def _free_space(base: Path) -> None:
    """Clean up the folder before the first build of this process, and after each twentieth of the size limit."""
    if base not in _bytes_built or _bytes_built[base] > cache_limit(base) // 20:
        clean_up(base)
        _bytes_built[base] = 0


def _load_valid_entry(entry: Path) -> Entry | None:
    """The entry if it is valid and can be loaded, else None."""
    try:
        return _open_entry(entry)
    except (
        OSError,
        ValueError,
        KeyError,
        TypeError,
        RecursionError,
    ):  # the last one: JSON that is nested too deeply
        return None


@lru_cache(maxsize=LOADED_LIBRARIES)
def _open_entry(entry: Path) -> Entry:
    """Load an entry; raise an error if it does not match its seal."""
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
    """Wait while another process builds the same entry; the system releases the lock of a process that ends."""
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
            except OSError:  # a file system without locks: a second build of the same entry is harmless
                break
        yield
    finally:
        path.unlink(missing_ok=True)
        os.close(lock)


def _mark_used(path: Path) -> None:
    """Update the time of last use."""
    with suppress(OSError):
        os.utime(path)
