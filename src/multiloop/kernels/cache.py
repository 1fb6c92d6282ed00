"""Built libraries kept from run to run, in a private folder of the user, safe with many processes.

An entry is a folder named by the digest of everything it depends on. It is filled under another name and moved
into place in one step, so that nobody ever sees half of one; a seal holds the digests of its files, and an
entry that does not match (truncated, damaged) is built again. Where the folder cannot be written, one of this
process alone is used.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import stat
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

LIBRARY, MANIFEST, SEAL = "kernel.so", "manifest.json", "seal.json"

Fill = Callable[[Path], dict]
"""Writes `kernel.so` into a folder and returns the manifest."""


def entry_for(key: str, fill: Fill) -> tuple[Path, dict]:
    """The library and the manifest of a cache entry, from the cache or newly built."""
    name = digest(key.encode())
    for base in (cache_folder(), _own_folder()):
        try:
            _private(base)
            found = _intact(base / name)
            return found or _build(base, name, fill)
        except OSError as error:
            failure = error
    raise OSError(
        f"kernels could not be built or kept ({failure}); set MULTILOOP_CACHE to a folder that can be written"
    )


def cache_folder() -> Path:
    """$MULTILOOP_CACHE, else multiloop in the user's cache folder."""
    named = os.environ.get("MULTILOOP_CACHE")
    if named:
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "multiloop"


def digest(content: bytes) -> str:
    """SHA-256 in hexadecimal."""
    return hashlib.sha256(content).hexdigest()


def _private(base: Path) -> None:
    """Make the folder, for its owner alone; libraries in a folder that others may write are not loaded."""
    base.mkdir(mode=0o700, parents=True, exist_ok=True)
    state = base.stat()
    if state.st_uid != os.getuid() or state.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise PermissionError(f"the cache folder {base} can be written by others")


def _build(base: Path, name: str, fill: Fill) -> tuple[Path, dict]:
    """Fill a folder beside the final place and move it there; where another process was faster, take its."""
    making = Path(tempfile.mkdtemp(dir=base, prefix=".making-"))
    try:
        manifest = fill(making)
        (making / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")
        seal = {file: digest((making / file).read_bytes()) for file in (LIBRARY, MANIFEST)}
        (making / SEAL).write_text(json.dumps(seal), encoding="ascii")
        final = base / name
        for _ in range(3):
            try:
                os.rename(making, final)
                break
            except OSError:
                if _intact(final):
                    break
                os.rename(final, tempfile.mkdtemp(dir=base, prefix=".broken-") + "/entry")
        found = _intact(final)
    finally:
        shutil.rmtree(making, ignore_errors=True)
        for broken in base.glob(".broken-*"):
            shutil.rmtree(broken, ignore_errors=True)
    if found is None:
        raise OSError(f"a built kernel could not be moved into {base}")
    return found


def _intact(entry: Path) -> tuple[Path, dict] | None:
    """Library and manifest, when the seal says that they are whole."""
    try:
        seal = json.loads((entry / SEAL).read_text(encoding="ascii"))
        if any(digest((entry / file).read_bytes()) != seal[file] for file in (LIBRARY, MANIFEST)):
            return None
        return entry / LIBRARY, json.loads((entry / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError, KeyError):
        return None


@cache
def _own_folder() -> Path:
    """A folder of this process alone, removed when it ends."""
    import atexit

    folder = Path(tempfile.mkdtemp(prefix="multiloop-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
