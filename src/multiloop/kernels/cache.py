"""Built libraries kept from run to run, in a private folder of the user, safe with many processes.

An entry is a folder named by the digest of everything it depends on. It is filled under another name and moved
into place in one step, so that nobody ever sees half of one; a seal holds that name and the digests of its files, and
an entry that does not match (truncated, damaged, of another name) or cannot be loaded is built again. Whoever wants an
entry that another process builds waits for it, and the wait ends with that process. Where the folder cannot be
written, is full, or can be reached by others, one of this process alone is used, which is said once.

A note is one word under a key, kept beside the entries in the same way.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

from multiloop.kernels.cache_folder import cache_folder, own_folder, private, read_file, readable
from multiloop.kernels.cache_size import limit_of, remove, sweep
from multiloop.kernels.library import Library

LIBRARY, MANIFEST, SEAL = "kernel.so", "manifest.json", "seal.json"

SMALL, LARGEST = 1_000_000, 1_000_000_000
"""Bytes that notes, seals and manifests have at most, and libraries; larger files are not ours."""

PATIENCE = 300.0
"""Seconds to wait for a process that builds the same entry; then it is built twice, which does no harm."""

RECENT = 64
"""Libraries that stay in the process when nothing refers to them: the next run of a mechanism finds its own there."""

Fill = Callable[[Path], dict[str, Any]]
"""Writes `kernel.so` into a folder and returns the manifest."""


class Entry(NamedTuple):
    """A library, loaded for as long as something refers to it, and what was written down about it."""

    library: Library
    manifest: dict[str, Any]


class UnbuiltError(OSError):
    """A kernel could not be built, or not be kept anywhere."""


def entry_for(key: str, fill: Fill) -> Entry:
    """The library and the manifest of a cache entry, from the cache or newly built."""
    found = kept(key)
    if found is not None:
        return found
    failures: list[str] = []
    for base in (cache_folder, own_folder):
        try:
            found = _build(private(base()), digest(key.encode()), fill)
        except UnbuiltError:  # wherever it is tried
            raise
        except OSError as error:
            failures.append(str(error))
            continue
        if failures:
            _say_not_kept(failures[0])
        return found
    why = "; ".join(dict.fromkeys(failures))
    raise UnbuiltError(f"kernels could be built neither in the cache folder nor elsewhere: {why}")


def kept(key: str) -> Entry | None:
    """An entry that is already there and whole."""
    name = digest(key.encode())
    for base in readable():
        found = _intact(base / name)
        if found is not None:
            _used(base / name)
            return found
    return None


def note(key: str, word: str) -> None:
    """Keep a word under a key; where it cannot be kept it is found again next time."""
    for base in readable():
        making = base / f".making-{uuid4().hex}"
        try:
            making.write_text(f"{word} {_seal(key, word)}", encoding="ascii")
            os.replace(making, base / f"{digest(key.encode())}.note")
            return
        except OSError:
            with suppress(OSError):
                making.unlink(missing_ok=True)


def noted(key: str) -> str | None:
    """The word kept under a key."""
    for base in readable():
        path = base / f"{digest(key.encode())}.note"
        with suppress(OSError, ValueError):
            word, seal = read_file(path, SMALL).decode("ascii").split()
            if _seal(key, word) == seal:
                _used(path)
                return word
    return None


def digest(content: bytes) -> str:
    """SHA-256 in hexadecimal."""
    return hashlib.sha256(content).hexdigest()


def _seal(key: str, word: str) -> str:
    """Of a note: it holds for its key alone."""
    return digest(f"{key}\0{word}".encode())


@cache
def _say_not_kept(why: str) -> None:
    warnings.warn(f"built kernels are not kept for the next run: {why}", stacklevel=4)


# entries ------------------------------------------------------------------------------------------------

_built_since: dict[Path, int] = {}
"""Bytes that this process has built in a folder since it last looked for room there."""


def _build(base: Path, name: str, fill: Fill) -> Entry:
    """Fill a folder beside the final place and move it there; where another process was faster, take its."""
    final = base / name
    with _turn(base, name):
        found = _intact(final)
        if found is not None:
            return found
        _make_room(base)
        making = Path(tempfile.mkdtemp(dir=base, prefix=".making-"))
        try:
            manifest = fill(making)
            (making / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")
            seal = {file: digest((making / file).read_bytes()) for file in (LIBRARY, MANIFEST)}
            (making / SEAL).write_text(json.dumps(seal | {"name": name}), encoding="ascii")
            _built_since[base] += (making / LIBRARY).stat().st_size
            remove(final)
            with suppress(OSError):  # another process, tired of waiting, was faster
                os.rename(making, final)
        finally:
            shutil.rmtree(making, ignore_errors=True)
    found = _intact(final)
    if found is None:
        raise OSError(f"a built kernel could not be kept in {base} and loaded from there")
    return found


def _make_room(base: Path) -> None:
    """Sweep the folder before the first build of this process, and after every twentieth of what it may hold."""
    if base not in _built_since or _built_since[base] > limit_of(base) // 20:
        sweep(base)
        _built_since[base] = 0


def _intact(entry: Path) -> Entry | None:
    """An entry that is whole and can be loaded."""
    try:
        return _opened(entry)
    except (
        OSError,
        ValueError,
        KeyError,
        TypeError,
        RecursionError,
    ):  # the last: JSON that is nested too deeply
        return None


@lru_cache(maxsize=RECENT)
def _opened(entry: Path) -> Entry:
    """An entry whose seal says that it is whole and has the right name; an error where it does not."""
    seal = json.loads(read_file(entry / SEAL, SMALL))
    content = {file: read_file(entry / file, most) for file, most in ((LIBRARY, LARGEST), (MANIFEST, SMALL))}
    if seal["name"] != entry.name or any(digest(found) != seal[file] for file, found in content.items()):
        raise ValueError(f"{entry} is not what its seal says")
    return Entry(Library(entry / LIBRARY), json.loads(content[MANIFEST]))


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
