"""Reading of files whose path comes from outside: regular files only, up to a stated number of bytes."""

from __future__ import annotations

import os
import stat
from pathlib import Path


class NotReadableError(OSError):
    """Raised for a file that is not read; its message completes the sentence "the file …"."""


def read_regular_file(path: str | Path, most: int) -> bytes:
    """The content of a regular file of at most `most` bytes.

    Folders, devices, pipes and sockets are rejected before they are opened, since reading them may block or never end.
    Raises FileNotFoundError, NotReadableError, or another OSError of the operating system.
    """
    _require_regular(os.stat(path))
    waiting = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    with open(os.open(path, os.O_RDONLY | waiting), "rb") as file:
        status = os.fstat(file.fileno())
        _require_regular(status)  # the file may have been replaced since the first check
        content = b"" if status.st_size > most else file.read(most + 1)
    if max(status.st_size, len(content)) > most:
        raise NotReadableError(f"is larger than {most / 1e6:g} MB, which is more than is read")
    return content


def _require_regular(status: os.stat_result) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise NotReadableError("is a folder")
    if not stat.S_ISREG(status.st_mode):
        raise NotReadableError("is a device or a pipe")
