"""Built libraries kept from run to run, in a private folder of the user, safe with many processes.

An entry is a folder named by the digest of everything it depends on. It is filled under another name and moved
into place in one step, so that nobody ever sees half of one; a seal holds the digests of its files, and an
entry that does not match (truncated, damaged) or cannot be loaded is built again. Whoever wants an entry that
another process builds waits for it, and the wait ends with that process. Where the folder cannot be written, is
full, or can be written by others, one of this process alone is used, which is said once.

A note is one word under a key, kept beside the entries in the same way.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
import re
import shutil
import stat
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any
from uuid import uuid4

LIBRARY, MANIFEST, SEAL = "kernel.so", "manifest.json", "seal.json"

STALE = 3600.0
"""Seconds without a change after which what a killed process left behind is removed."""

UNUSED = 90 * 86400.0
"""Seconds after which an entry that nobody asked for is removed."""

PATIENCE = 300.0
"""Seconds to wait for a process that builds the same entry; then it is built twice, which does no harm."""

PASSING = re.compile(r"\.(making|lock)-.*")
LASTING = re.compile(r"[0-9a-f]{64}(\.note)?")
"""Names of what is under way, and of what is kept."""

Fill = Callable[[Path], dict[str, Any]]
"""Writes `kernel.so` into a folder and returns the manifest."""

Entry = tuple[Path, dict[str, Any]]
"""The library on the disk and its manifest."""


class UnbuiltError(OSError):
    """A kernel could not be built, or not be kept anywhere."""


def entry_for(key: str, fill: Fill) -> Entry:
    """The library and the manifest of a cache entry, from the cache or newly built."""
    found = kept(key)
    if found is not None:
        return found
    failure: OSError | None = None
    for base in (cache_folder, _own_folder):
        try:
            found = _build(_private(base()), digest(key.encode()), fill)
        except OSError as error:
            failure = error
            continue
        if failure is not None:
            _say_not_kept(str(failure))
        return found
    raise UnbuiltError(f"they could not be built in {cache_folder()}, nor elsewhere ({failure})")


def kept(key: str) -> Entry | None:
    """An entry that is already there and whole."""
    name = digest(key.encode())
    for base in _readable():
        found = _intact(base / name)
        if found is not None:
            _used(base / name)
            return found
    return None


def note(key: str, word: str) -> None:
    """Keep a word under a key; where it cannot be kept it is found again next time."""
    for base in _readable():
        making = base / f".making-{uuid4().hex}"
        try:
            making.write_text(f"{word} {digest(word.encode())}", encoding="ascii")
            os.replace(making, base / f"{digest(key.encode())}.note")
            return
        except OSError:
            making.unlink(missing_ok=True)


def noted(key: str) -> str | None:
    """The word kept under a key."""
    for base in _readable():
        path = base / f"{digest(key.encode())}.note"
        with suppress(OSError, ValueError):
            word, seal = path.read_text(encoding="ascii").split()
            if digest(word.encode()) == seal:
                _used(path)
                return word
    return None


def cache_folder() -> Path:
    """$MULTILOOP_CACHE, else multiloop in the user's cache folder."""
    named = os.environ.get("MULTILOOP_CACHE")
    if named:
        return Path(named).absolute()
    base = os.environ.get("XDG_CACHE_HOME")
    try:
        return (Path(base) if base else Path.home() / ".cache") / "multiloop"
    except RuntimeError as error:  # nobody knows where home is
        raise FileNotFoundError(str(error)) from None


def digest(content: bytes) -> str:
    """SHA-256 in hexadecimal."""
    return hashlib.sha256(content).hexdigest()


# folders ------------------------------------------------------------------------------------------------


def _readable() -> Iterator[Path]:
    """The folders in which something may lie."""
    with suppress(OSError):
        yield _private(cache_folder())
    if _own_folder.cache_info().currsize:
        yield _own_folder()


def _private(base: Path) -> Path:
    """Make the folder, for its owner alone; libraries in a folder that others may write are not loaded."""
    base.mkdir(mode=0o700, parents=True, exist_ok=True)
    state = base.stat()
    if state.st_uid != os.getuid() or state.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise PermissionError(f"the cache folder {base} can be written by others")
    return base


@cache
def _own_folder() -> Path:
    """A folder of this process alone, removed when it ends."""
    import atexit

    folder = Path(tempfile.mkdtemp(prefix="multiloop-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


@cache
def _say_not_kept(why: str) -> None:
    warnings.warn(f"built kernels are not kept for the next run: {why}", stacklevel=4)


# entries ------------------------------------------------------------------------------------------------


def _build(base: Path, name: str, fill: Fill) -> Entry:
    """Fill a folder beside the final place and move it there; where another process was faster, take its."""
    final = base / name
    with _turn(base, name):
        found = _intact(final)
        if found is not None:
            return found
        _sweep(base)
        making = Path(tempfile.mkdtemp(dir=base, prefix=".making-"))
        try:
            manifest = fill(making)
            (making / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")
            seal = {file: digest((making / file).read_bytes()) for file in (LIBRARY, MANIFEST)}
            (making / SEAL).write_text(json.dumps(seal), encoding="ascii")
            if final.exists():
                os.rename(final, making / "broken")
                shutil.rmtree(making / "broken", ignore_errors=True)
            with suppress(OSError):  # another process, tired of waiting, was faster
                os.rename(making, final)
        finally:
            shutil.rmtree(making, ignore_errors=True)
    found = _intact(final)
    if found is None:
        raise OSError(f"a built kernel could not be kept in {base} and loaded from there")
    return found


def _intact(entry: Path) -> Entry | None:
    """Library and manifest, when the seal says that they are whole and the library can be loaded."""
    try:
        seal = json.loads((entry / SEAL).read_text(encoding="ascii"))
        content = {file: (entry / file).read_bytes() for file in (LIBRARY, MANIFEST)}
        if any(digest(found) != seal[file] for file, found in content.items()):
            return None
        ctypes.CDLL(str(entry / LIBRARY))
        return entry / LIBRARY, json.loads(content[MANIFEST])
    except (OSError, ValueError, KeyError, TypeError):
        return None


@contextmanager
def _turn(base: Path, name: str) -> Iterator[None]:
    """Wait while another process builds the same entry; the system ends the lock of a process that ends."""
    import fcntl

    path = base / f".lock-{name}"
    lock = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
    until = time.monotonic() + PATIENCE
    try:
        while time.monotonic() < until:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                time.sleep(0.02)
            except OSError:  # a file system without locks: two may build the same, which does no harm
                break
        yield
    finally:
        path.unlink(missing_ok=True)
        os.close(lock)


def _used(path: Path) -> None:
    """Remember that it was asked for."""
    with suppress(OSError):
        os.utime(path)


def _sweep(base: Path) -> None:
    """Remove what killed processes left behind and what nobody has asked for in a long time; nothing else."""
    now = time.time()
    for path in base.iterdir():
        limit = (
            STALE
            if PASSING.fullmatch(path.name)
            else UNUSED
            if LASTING.fullmatch(path.name)
            else float("inf")
        )
        with suppress(OSError):
            if now - path.lstat().st_mtime > limit:
                shutil.rmtree(path) if path.is_dir() else path.unlink()
