"""Folder of the kernel cache: its location, access rights, content, and size limit."""

from __future__ import annotations

import os
import re
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

REMEDY = "set MULTILOOP_CACHE to a folder that belongs to you"


def cache_folder() -> Path:
    """Folder of the kernel cache: $MULTILOOP_CACHE, or else `multiloop` in the user's cache folder."""
    named = os.environ.get("MULTILOOP_CACHE")
    base = os.environ.get("XDG_CACHE_HOME")
    try:
        place = Path(named) if named else (Path(base) if base else Path.home() / ".cache") / "multiloop"
    except RuntimeError as error:  # raised by Path.home if the home folder is unknown
        raise FileNotFoundError(str(error)) from None
    return place.absolute()


@cache
def process_folder() -> Path:
    """Temporary folder of this process, which is removed when the process ends."""
    import atexit

    folder = Path(tempfile.mkdtemp(prefix="multiloop-")).absolute()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def readable_folders() -> Iterator[Path]:
    """The folders that may contain cache entries: the cache folder, and the temporary folder of this process."""
    with suppress(OSError):
        yield private_folder(cache_folder())
    if process_folder.cache_info().currsize:
        with suppress(OSError):
            yield private_folder(process_folder())


def private_folder(base: Path) -> Path:
    """Create a folder and its parents if necessary, accessible to their owner only, and return the folder.

    Raises an error if other users can modify the folder.
    """
    if not base.is_dir():
        for folder in reversed((base, *base.parents)):
            folder.mkdir(mode=0o700, exist_ok=True)
    require_private(base)
    return base


def require_private(base: Path) -> None:
    """Raise an error if another user can write libraries in a folder, or replace it through a parent folder.

    The folder must belong to the current user and be writable by that user only. Parent folders and links must belong
    to the user or to the system; a parent that others may write must have the sticky bit, as /tmp has.
    """
    state = os.stat(base)
    if state.st_uid != os.getuid():
        raise PermissionError(f"the cache folder {base} belongs to another user; {REMEDY}")
    if state.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise PermissionError(f"the cache folder {base} is writable by other users; run `chmod go-w {base}`")
    named, real = str(base), os.path.realpath(base)
    if named != real and os.lstat(base).st_uid not in _trusted_users():
        raise PermissionError(f"the cache folder {base} is a link that belongs to another user; {REMEDY}")
    for above in dict.fromkeys((*_parent_folders(named), *_parent_folders(real))):
        state = os.stat(above)
        if state.st_uid not in _trusted_users() or (
            named != real and os.lstat(above).st_uid not in _trusted_users()
        ):
            raise PermissionError(
                f"the cache folder {base} lies in {above}, which belongs to another user; {REMEDY}"
            )
        if _writable_by_others(state) and not state.st_mode & stat.S_ISVTX:
            raise PermissionError(
                f"the cache folder {base} lies in {above}, which is writable by other users, who could replace it; run "
                f"`chmod go-w {above}`, or {REMEDY}"
            )


def _parent_folders(path: str) -> Iterator[str]:
    """Parent folders of a path, the nearest first. Strings are used instead of `Path` objects for speed."""
    above = os.path.dirname(path)
    while above != path:
        yield above
        path, above = above, os.path.dirname(above)


def _writable_by_others(state: os.stat_result) -> bool:
    """Whether other users than the owner may write to a file or folder with the status `state`.

    Write access of the user's private group does not count, because this group has no other members.
    """
    by_group = bool(state.st_mode & stat.S_IWGRP) and not _is_own_group(state.st_gid)
    return by_group or bool(state.st_mode & stat.S_IWOTH)


@cache
def _trusted_users() -> tuple[int, ...]:
    """Numbers of users who may own the cache folder and its parents: the current user, user 0, and the owner of "/".

    The owner of "/" is not user 0 in a container that remaps user numbers.
    """
    return (os.getuid(), 0, os.stat("/").st_uid)


@cache
def _is_own_group(number: int) -> bool:
    """Whether a group is the user's private group, which has the user's name and no other members."""
    import grp
    import pwd

    try:
        user, group = pwd.getpwuid(os.getuid()), grp.getgrgid(number)
    except KeyError:
        return False
    return user.pw_gid == number and group.gr_name == user.pw_name and set(group.gr_mem) <= {user.pw_name}


def read_file(path: Path, most: int) -> bytes:
    """Content of a regular file of at most `most` bytes; links, pipes, devices and larger files raise an error."""
    opened = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    with open(opened, "rb") as file:
        state = os.fstat(opened)
        if not stat.S_ISREG(state.st_mode) or state.st_size > most:
            raise OSError(f"{path} is not a regular file of at most {most} bytes")
        return file.read(state.st_size)  # read(most) would allocate `most` bytes


MEGABYTE = 1_000_000

DEFAULT_LIMIT = 500 * MEGABYTE
"""Default size limit of the cache (bytes), enough for about twenty thousand kernels of typical size."""

LIMIT_FILE = "limit"
"""Name of the file in the cache folder that contains a user-defined size limit in bytes."""

DISK_BLOCK = 4096
"""Block size of the disk (bytes), to which file sizes are rounded up."""

STALE_AFTER = 3600.0
"""Time (s) since its last modification after which a temporary file is removed, because its process has presumably been
killed."""

UNUSED_AFTER = 90 * 86400.0
"""Time (s) since its last use after which a cache entry is removed."""

TEMPORARY_NAMES = re.compile(r"\.(making|lock)-.*")
CACHE_NAMES = re.compile(r"[0-9a-f]{64}(\.note)?")
"""Pattern of the names of cache entries and notes; `TEMPORARY_NAMES` is that of temporary files."""


class CacheItem(NamedTuple):
    """A cache entry or note: time of its last use (seconds since 1970), its size (bytes) and its path."""

    last_used: float
    size: int
    path: Path

    @property
    def is_library(self) -> bool:
        """Whether the item is a cache entry with a library, not a note."""
        return self.path.suffix != ".note"


def contents(base: Path) -> list[CacheItem]:
    """All cache entries and notes in a folder, the least recently used first."""
    found = []
    for path, used in _matching_paths(base, CACHE_NAMES):
        with suppress(OSError):
            files = list(path.iterdir()) if path.is_dir() else [path]
            found.append(CacheItem(used, sum(_disk_size(file) for file in files), path))
    return sorted(found)


def cache_limit(base: Path) -> int:
    """Size limit of a cache folder in bytes."""
    try:
        return int(read_file(base / LIMIT_FILE, DISK_BLOCK))
    except (OSError, ValueError):
        return DEFAULT_LIMIT


def set_limit(base: Path, limit: int) -> None:
    """Store a user-defined size limit (bytes) in a cache folder."""
    making = base / f".making-{uuid4().hex}"
    making.write_text(str(limit), encoding="ascii")
    os.replace(making, base / LIMIT_FILE)


def shrink_to(base: Path, limit: int) -> list[CacheItem]:
    """Remove the least recently used entries and notes until the size is within the limit; return the removed items."""
    found = contents(base)
    over = sum(kept.size for kept in found) - limit
    removed = []
    for kept in found:
        if over <= 0:
            break
        remove_item(kept.path)
        over -= kept.size
        removed.append(kept)
    return removed


def clean_up(base: Path) -> None:
    """Remove temporary files of killed processes and cache entries that were not used for a long time.

    If the folder then still exceeds its size limit, the least recently used entries are removed, too.
    """
    now = time.time()
    for names, limit in ((TEMPORARY_NAMES, STALE_AFTER), (CACHE_NAMES, UNUSED_AFTER)):
        for path, used in _matching_paths(base, names):
            if now - used > limit:
                remove_item(path)
    limit = cache_limit(base)
    if sum(kept.size for kept in contents(base)) > limit:
        shrink_to(
            base, limit * 9 // 10
        )  # a margin of 10 % is freed, so that not every build has to remove entries


def remove_item(path: Path) -> None:
    """Remove a cache entry or note by renaming it first, so that no process sees an incomplete entry.

    An item that cannot be renamed remains.
    """
    passing = path.with_name(f".making-{uuid4().hex}")
    with suppress(OSError):
        os.rename(path, passing)
        shutil.rmtree(passing) if passing.is_dir() and not passing.is_symlink() else passing.unlink()


def _matching_paths(base: Path, names: re.Pattern[str]) -> Iterator[tuple[Path, float]]:
    """Paths in a folder whose names match a pattern, each with the time of its last modification."""
    for path in base.iterdir():
        if names.fullmatch(path.name):
            with suppress(OSError):
                yield path, path.lstat().st_mtime


def _disk_size(file: Path) -> int:
    return -(-file.lstat().st_size // DISK_BLOCK) * DISK_BLOCK
