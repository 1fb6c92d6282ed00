"""How a file is refused that cannot be read, written or understood: one fault, with what to do about it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from multiloop.model import Fault, ModelError
from multiloop.model.brief import brief


def refused(path: Path, what: str, remedy: str) -> ModelError:
    """The error to raise."""
    return ModelError(f"file '{path}'", [Fault("F01", path.name, what, remedy)])


def path_of(given: Any) -> Path:
    """The path that was given; refuses what is none."""
    if not isinstance(given, str | PathLike) or not isinstance(fspath(given), str):
        fault = Fault("F01", "path", f"is {brief(given)}, which is no path.", "Give the name of a file.")
        raise ModelError("the file", [fault])
    return Path(given)


@contextmanager
def writing(given: Any) -> Iterator[Path]:
    """The path to write to; where that fails the error names the file, and the folder that is missing."""
    path = path_of(given)
    try:
        yield path
    except (OSError, ValueError) as error:
        folder = path.parent
        if not folder.is_dir():
            remedy = "Make the folder first, or name another."
            raise refused(path, f"there is no folder '{folder}' to write it into.", remedy) from None
        said = getattr(error, "strerror", None) or str(error).rstrip(".")
        raise refused(path, f"it cannot be written: {said}.", "Check its name and its folder.") from None
