"""Atomic writing of files, and errors about files that cannot be read or written.

All functions that write a file use `atomic_file`. The content is written to a temporary file in the same folder, which
is renamed to the requested name only when it is complete and stored on the disk. An error, a full disk, Ctrl-C or the
end of the process therefore does not damage the earlier file. After a process was killed, the temporary file, whose
name begins with `.multiloop-`, may remain in the folder.
"""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from multiloop.model import Fault, ModelError, MultiloopError, short_repr


def file_error(path: Path, what: str, remedy: str) -> ModelError:
    """Error about a file that cannot be read or written: what is wrong, and the remedy."""
    return ModelError(f"file '{path}'", [Fault("F01", path.name, what, remedy)])


def as_path(given: Any) -> Path:
    """Convert a string or path to a `Path`; raise a ModelError for any other object."""
    if not isinstance(given, str | PathLike) or not isinstance(fspath(given), str):
        fault = Fault(
            "F01", "path", f"is {short_repr(given)}, which is not a path.", "Give the name of a file."
        )
        raise ModelError("the file", [fault])
    return Path(given)


PREFIX = ".multiloop-"
"""Beginning of the names of temporary files."""

ACCESS_LIST = "system.posix_acl_access"
"""Name of the extended attribute in which Linux stores the access control list of a file."""


@contextmanager
def atomic_file(given: Any) -> Iterator[Path]:
    """Yield the path of a temporary file that replaces the file `given` when the block ends without an error.

    The temporary file has the same extension. A symbolic link is followed: the file to which it points is replaced. The
    new file has the owner, the permissions and the access control list of the file that it replaces. Raises a
    ModelError that names the file if it cannot be written.
    """
    path = as_path(given)
    with _report_errors(path):
        target = _target(path)
        handle, name = tempfile.mkstemp(prefix=PREFIX, suffix=path.suffix, dir=target.parent)
    temporary = Path(name)
    try:
        os.close(handle)
        with _report_errors(path):
            yield temporary
            _copy_permissions(target, temporary)
            _store(temporary)
            temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


def require_writable(given: Any) -> None:
    """Raise a ModelError if a file cannot be written, so that its content need not be computed in vain."""
    path = as_path(given)
    with _report_errors(path):
        _target(path)


def _target(path: Path) -> Path:
    """Path of the file to be replaced, after following symbolic links; raises an OSError if it cannot be replaced."""
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, "it is a folder")
    if target.exists():
        if not target.is_file():
            raise OSError(errno.EINVAL, "it is a device or a pipe")
        if not os.access(target, os.W_OK):  # a read-only file could be replaced by renaming
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    if not target.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
    return target


@contextmanager
def _report_errors(path: Path) -> Iterator[None]:
    """Convert errors of the operating system within the block to a ModelError that names the file."""
    try:
        yield
    except MultiloopError:
        raise
    except (OSError, ValueError) as error:  # ValueError: an invalid file name or an unknown format
        raise _write_error(path, error) from None


def _write_error(path: Path, error: Exception) -> ModelError:
    folder = Path(os.path.realpath(path)).parent
    if not folder.is_dir():
        shown = path.parent if not path.is_symlink() else folder
        return file_error(
            path, f"the folder '{shown}' does not exist.", "Create the folder first, or name another one."
        )
    said = getattr(error, "strerror", None) or str(error).rstrip(".")
    return file_error(
        path, f"it cannot be written: {said}.", "Check the name, the folder and the free space."
    )


def _copy_permissions(target: Path, temporary: Path) -> None:
    """Copy owner and permissions of the earlier file `target` to the new file `temporary`.

    If there is no earlier file, default permissions are set.
    """
    if not target.exists():
        temporary.chmod(0o666 & ~_file_mode_mask())
        return
    earlier = target.stat()
    own = temporary.stat()
    if (earlier.st_uid, earlier.st_gid) != (own.st_uid, own.st_gid):
        with suppress(OSError):  # only a privileged user can change the owner of a file
            os.chown(temporary, earlier.st_uid, earlier.st_gid)
    temporary.chmod(stat.S_IMODE(earlier.st_mode))
    if hasattr(os, "getxattr"):
        with suppress(OSError):  # most files have no access control list
            os.setxattr(temporary, ACCESS_LIST, os.getxattr(target, ACCESS_LIST))


def _store(temporary: Path) -> None:
    """Wait until the content of the temporary file is stored on the disk; some file systems report a full disk only at
    this point."""
    with temporary.open("rb+") as file:
        os.fsync(file.fileno())


def _file_mode_mask() -> int:
    """File mode creation mask (umask) of this process: the permissions that new files do not have."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
