"""Errors for files that cannot be read or written: one fault with its remedy."""

from __future__ import annotations

from os import PathLike, fspath
from pathlib import Path
from typing import Any

from multiloop.model import Fault, ModelError
from multiloop.model.brief import brief


def refused(path: Path, what: str, remedy: str) -> ModelError:
    """The error for a file."""
    return ModelError(f"file '{path}'", [Fault("F01", path.name, what, remedy)])


def path_of(given: Any) -> Path:
    """The given path; raises a ModelError for anything but a string or a path."""
    if not isinstance(given, str | PathLike) or not isinstance(fspath(given), str):
        fault = Fault("F01", "path", f"is {brief(given)}, which is no path.", "Give the name of a file.")
        raise ModelError("the file", [fault])
    return Path(given)
