"""Size limit of the kernel cache: the least recently used entries are removed first."""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

from multiloop.kernels.cache_folder import read_file

MEGABYTE = 1_000_000

USUAL_LIMIT = 500 * MEGABYTE
"""Default size limit (bytes): about twenty thousand kernels of typical size."""

LIMIT = "limit"
"""Name of the file that contains a user-defined limit in bytes."""

BLOCK = 4096
"""Block size of the disk (bytes), to which file sizes are rounded up."""

STALE = 3600.0
"""Seconds without a change after which temporary files of a killed process are removed."""

UNUSED = 90 * 86400.0
"""Seconds without use after which an entry is removed."""

PASSING = re.compile(r"\.(making|lock)-.*")
LASTING = re.compile(r"[0-9a-f]{64}(\.note)?")
"""Names of temporary files, and of cache entries and notes."""


class Kept(NamedTuple):
    """A cache entry or note: time of last use in seconds since 1970, and size in bytes."""

    used: float
    size: int
    path: Path

    @property
    def is_library(self) -> bool:
        """Whether it is an entry with a library, not a note."""
        return self.path.suffix != ".note"


def contents(base: Path) -> list[Kept]:
    """All entries and notes, the least recently used first."""
    found = []
    for path, used in _named(base, LASTING):
        with suppress(OSError):
            files = list(path.iterdir()) if path.is_dir() else [path]
            found.append(Kept(used, sum(_room(file) for file in files), path))
    return sorted(found)


def limit_of(base: Path) -> int:
    """Size limit of a folder in bytes."""
    try:
        return int(read_file(base / LIMIT, BLOCK))
    except (OSError, ValueError):
        return USUAL_LIMIT


def set_limit(base: Path, limit: int) -> None:
    """Store a user-defined size limit."""
    making = base / f".making-{uuid4().hex}"
    making.write_text(str(limit), encoding="ascii")
    os.replace(making, base / LIMIT)


def keep_within(base: Path, limit: int) -> list[Kept]:
    """Remove the least recently used items until the others fit the limit; return the removed ones."""
    found = contents(base)
    over = sum(kept.size for kept in found) - limit
    removed = []
    for kept in found:
        if over <= 0:
            break
        remove(kept.path)
        over -= kept.size
        removed.append(kept)
    return removed


def sweep(base: Path) -> None:
    """Remove temporary files of killed processes, entries not used for a long time, and entries above the limit."""
    now = time.time()
    for names, limit in ((PASSING, STALE), (LASTING, UNUSED)):
        for path, used in _named(base, names):
            if now - used > limit:
                remove(path)
    limit = limit_of(base)
    if sum(kept.size for kept in contents(base)) > limit:
        keep_within(base, limit * 9 // 10)  # so that not each build has to remove entries


def remove(path: Path) -> None:
    """Remove an entry in one step, so that no process sees an incomplete one; it stays if it cannot be removed."""
    passing = path.with_name(f".making-{uuid4().hex}")
    with suppress(OSError):
        os.rename(path, passing)
        shutil.rmtree(passing) if passing.is_dir() and not passing.is_symlink() else passing.unlink()


def _named(base: Path, names: re.Pattern[str]) -> Iterator[tuple[Path, float]]:
    """Paths in a folder whose names match, with their times of last change."""
    for path in base.iterdir():
        if names.fullmatch(path.name):
            with suppress(OSError):
                yield path, path.lstat().st_mtime


def _room(file: Path) -> int:
    return -(-file.lstat().st_size // BLOCK) * BLOCK
