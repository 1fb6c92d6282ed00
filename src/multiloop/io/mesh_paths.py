"""Paths of meshes in mechanism files: relative to the folder of the file, not to the working directory."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from os.path import isabs, join, normpath, relpath
from pathlib import Path
from typing import Any


def from_folder(data: Any, file: Path) -> Any:
    """The data of a file, with mesh paths relative to the working directory."""
    return _with_paths(data, lambda path: _relative(join(file.parent, path), "."))


def to_folder(data: Any, file: Path) -> Any:
    """The data to write to a file, with mesh paths relative to the folder of the file."""
    return _with_paths(data, lambda path: _relative(path, str(file.parent)))


def _relative(path: str, folder: str) -> str:
    """A path relative to a folder."""
    try:
        return Path(relpath(path, folder)).as_posix()
    except ValueError:  # another drive
        return normpath(path)


def _with_paths(data: Any, change: Callable[[str], str]) -> Any:
    """The data with changed relative paths; absolute paths are unchanged."""
    bodies = data.get("bodies") if isinstance(data, Mapping) else None
    if not isinstance(bodies, list):
        return data
    return {**data, "bodies": [_with_path(body, change) for body in bodies]}


def _with_path(body: Any, change: Callable[[str], str]) -> Any:
    mesh = body.get("mesh") if isinstance(body, Mapping) else None
    path = mesh.get("path") if isinstance(mesh, Mapping) else mesh
    if not isinstance(path, str) or not path or isabs(path):
        return body
    found = change(path)
    return {**body, "mesh": {**mesh, "path": found} if isinstance(mesh, Mapping) else found}
