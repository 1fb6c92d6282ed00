"""Folder of the kernel cache: its location, the check that no other user can modify it, and reading of files."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

REMEDY = "set MULTILOOP_CACHE to a folder of your own"


def cache_folder() -> Path:
    """$MULTILOOP_CACHE, or else `multiloop` in the user's cache folder."""
    named = os.environ.get("MULTILOOP_CACHE")
    base = os.environ.get("XDG_CACHE_HOME")
    try:
        place = Path(named) if named else (Path(base) if base else Path.home() / ".cache") / "multiloop"
    except RuntimeError as error:  # the home folder is unknown
        raise FileNotFoundError(str(error)) from None
    return place.absolute()


@cache
def own_folder() -> Path:
    """Temporary folder of this process, removed when it ends."""
    import atexit

    folder = Path(tempfile.mkdtemp(prefix="multiloop-")).absolute()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def readable() -> Iterator[Path]:
    """The folders that may contain cache entries."""
    with suppress(OSError):
        yield private(cache_folder())
    if own_folder.cache_info().currsize:
        with suppress(OSError):
            yield private(own_folder())


def private(base: Path) -> Path:
    """Return the folder, created with its parents for its owner only; raise an error if others can modify it."""
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
        raise PermissionError(f"the cache folder {base} can be written by others; run `chmod go-w {base}`")
    named, real = str(base), os.path.realpath(base)
    if named != real and os.lstat(base).st_uid not in _trusted():
        raise PermissionError(f"the cache folder {base} is a link that belongs to another user; {REMEDY}")
    for above in dict.fromkeys((*_above(named), *_above(real))):
        state = os.stat(above)
        if state.st_uid not in _trusted() or (named != real and os.lstat(above).st_uid not in _trusted()):
            raise PermissionError(
                f"the cache folder {base} lies in {above}, which belongs to another user; {REMEDY}"
            )
        if _others_write(state) and not state.st_mode & stat.S_ISVTX:
            raise PermissionError(
                f"the cache folder {base} lies in {above}, which others can write and so exchange it; run "
                f"`chmod go-w {above}`, or {REMEDY}"
            )


def _above(path: str) -> Iterator[str]:
    """Parent folders of a path, the nearest first; as strings, because this runs for each kernel."""
    above = os.path.dirname(path)
    while above != path:
        yield above
        path, above = above, os.path.dirname(above)


def _others_write(state: os.stat_result) -> bool:
    """Whether users other than the owner may write; the private group of the user does not count."""
    by_group = bool(state.st_mode & stat.S_IWGRP) and not _own_group(state.st_gid)
    return by_group or bool(state.st_mode & stat.S_IWOTH)


@cache
def _trusted() -> tuple[int, ...]:
    """The current user and the owner of the system, who is not user 0 in a container that remaps user numbers."""
    return (os.getuid(), 0, os.stat("/").st_uid)


@cache
def _own_group(number: int) -> bool:
    """Whether a group is the private group of the user: of the same name and without other members."""
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
            raise OSError(f"{path} is no regular file of at most {most} bytes")
        return file.read(most)
