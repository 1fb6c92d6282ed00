"""How much is kept in a cache folder, how much may be, and what goes first: the least recently used."""

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
"""Bytes that are kept where nobody has said how many: some twenty thousand kernels of common size."""

LIMIT = "limit"
"""The file in which another limit stands, in bytes."""

BLOCK = 4096
"""Bytes that files are rounded up to, as they lie on the disk."""

STALE = 3600.0
"""Seconds without a change after which what a killed process left behind is removed."""

UNUSED = 90 * 86400.0
"""Seconds after which an entry that nobody asked for is removed."""

PASSING = re.compile(r"\.(making|lock)-.*")
LASTING = re.compile(r"[0-9a-f]{64}(\.note)?")
"""Names of what is under way, and of what is kept."""


class Kept(NamedTuple):
    """An entry or a note: when it was last asked for, in seconds since 1970, and its bytes."""

    used: float
    size: int
    path: Path

    @property
    def is_library(self) -> bool:
        """Whether it is an entry with a library."""
        return self.path.suffix != ".note"


def contents(base: Path) -> list[Kept]:
    """All that is kept, the least recently used first."""
    found = []
    for path, used in _named(base, LASTING):
        with suppress(OSError):
            files = list(path.iterdir()) if path.is_dir() else [path]
            found.append(Kept(used, sum(_room(file) for file in files), path))
    return sorted(found)


def limit_of(base: Path) -> int:
    """Bytes that may be kept in a folder."""
    try:
        return int(read_file(base / LIMIT, BLOCK))
    except (OSError, ValueError):
        return USUAL_LIMIT


def set_limit(base: Path, limit: int) -> None:
    """Remember how many bytes may be kept from now on."""
    making = base / f".making-{uuid4().hex}"
    making.write_text(str(limit), encoding="ascii")
    os.replace(making, base / LIMIT)


def keep_within(base: Path, limit: int) -> list[Kept]:
    """Remove the least recently used until the others have room; what was removed."""
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
    """Remove what killed processes left behind, what nobody has asked for in a long time, and what has no room."""
    now = time.time()
    for names, limit in ((PASSING, STALE), (LASTING, UNUSED)):
        for path, used in _named(base, names):
            if now - used > limit:
                remove(path)
    limit = limit_of(base)
    if sum(kept.size for kept in contents(base)) > limit:
        keep_within(base, limit * 9 // 10)  # so that not every build has to look for room


def remove(path: Path) -> None:
    """Remove an entry in one step, so that nobody meets half of one; where it cannot be removed it stays."""
    passing = path.with_name(f".making-{uuid4().hex}")
    with suppress(OSError):
        os.rename(path, passing)
        shutil.rmtree(passing) if passing.is_dir() and not passing.is_symlink() else passing.unlink()


def _named(base: Path, names: re.Pattern[str]) -> Iterator[tuple[Path, float]]:
    """The paths in a folder that have such a name, and when they were last changed."""
    for path in base.iterdir():
        if names.fullmatch(path.name):
            with suppress(OSError):
                yield path, path.lstat().st_mtime


def _room(file: Path) -> int:
    return -(-file.lstat().st_size // BLOCK) * BLOCK
