"""Mechanism files: `save` and `load` in YAML and JSON, with the same content in both formats."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

from multiloop.io.atomic_file import atomic_file
from multiloop.io.lines import with_lines
from multiloop.io.mesh_paths import from_folder, to_folder
from multiloop.io.refusals import path_of, refused
from multiloop.io.yaml_text import yaml_data
from multiloop.model import Mechanism, ModelError, from_data, to_data
from multiloop.model.bounded_file import NotReadableError, read_regular_file
from multiloop.model.json_text import json_data
from multiloop.model.validation import QUOTED

OF_FORM = ("M90", "M91")
"""Codes of faults of the form of a description; all others are about the mechanism described."""

LARGEST_FILE = 32_000_000
"""Maximal size of a file in bytes."""


def save(mechanism: Mechanism, path: str | Path) -> Path:
    """Write a mechanism to a .yaml, .yml or .json file; `load` returns an equal one.

    The path of a mesh is written relative to the file's folder, unless it is absolute.
    """
    path = path_of(path)
    data = to_folder(to_data(mechanism), path)
    if _format(path) is _yaml:
        text = yaml.safe_dump(data, sort_keys=False, allow_unicode=True, default_flow_style=None, width=110)
    else:
        text = json.dumps(data, indent=1, ensure_ascii=False) + "\n"
    _require_readable(path, text, data)
    with atomic_file(path) as file:
        file.write_text(text, encoding="utf-8")
    return path


def load(path: str | Path) -> Mechanism:
    """Read a mechanism from a file; a ModelError reports the faults of the file with their lines."""
    path = path_of(path)
    _format(path)
    return _mechanism(path, _text(path))


def _mechanism(path: Path, text: str) -> Mechanism:
    """The mechanism that the text of a file describes; faults are reported with their lines."""
    data = _format(path)(path, text)
    if data is None:
        raise refused(path, "it is empty.", "Give the file of a whole mechanism.")
    try:
        found = from_data(from_folder(data, path))
    except ModelError as error:
        of_form = any(fault.code in OF_FORM for fault in error.faults)
        subject = f"file '{path}'" if of_form else f"{error.subject} of file '{path}'"
        raise ModelError(subject, with_lines(error.faults, text)) from None
    if not isinstance(found, Mechanism):
        kind = type(found).__name__
        raise refused(path, f"it describes a {kind}, not a Mechanism.", "Give the file of a whole mechanism.")
    return found


def _require_readable(path: Path, text: str, data: Any) -> None:
    """Raise an error if `load` would not return the same mechanism from the text."""
    if len(text.encode("utf-8", "surrogatepass")) > LARGEST_FILE:
        raise _too_large(path)
    try:
        again = to_folder(to_data(_mechanism(path, text)), path)
    except ModelError as error:
        subject = f"{error.subject}, not written as it could not be read back,"
        raise ModelError(subject, error.faults) from None
    if again != data:
        what = "it is not written, as reading it back would give another mechanism."
        raise refused(path, what, "Report this as an error of multiloop, with the mechanism.")


def _format(path: Path) -> Callable[[Path, str], Any]:
    reader = {".json": _json, ".yaml": _yaml, ".yml": _yaml}.get(path.suffix.lower())
    if reader is None:
        raise refused(path, f"its ending '{path.suffix}' is not known.", "Give a .json, .yaml or .yml file.")
    return reader


def _json(path: Path, text: str) -> Any:
    try:
        return json_data(text, mapping=lambda pairs: _once(path, pairs))
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}: {error.msg}."
        raise refused(path, where, "Mend the JSON.") from None


def _yaml(path: Path, text: str) -> Any:
    try:
        return yaml_data(text)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        where = f"line {mark.line + 1}, column {mark.column + 1}: " if mark else ""
        lines = text.split("\n")[mark.line : mark.line + 1] if mark else []
        remedy = QUOTED if any(map(_torn, lines)) else "Mend the YAML."
        raise refused(path, f"{where}{error.problem}.", remedy) from None
    except yaml.YAMLError as error:
        raise refused(path, f"{str(error).splitlines()[0]}.", "Mend the YAML.") from None


def _torn(line: str) -> bool:
    """Whether a line has an expression with a comma within { } without quotes."""
    plain = re.sub(r"'[^']*'|\"[^\"]*\"", "", line)
    return "," in plain.partition("{")[2].partition("(")[2]


def _text(path: Path) -> str:
    try:
        content = read_regular_file(path, LARGEST_FILE)
        return content.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
    except NotReadableError as error:
        if os.path.isfile(path):
            raise _too_large(path) from None
        raise refused(path, f"it {error}.", "Give a text file.") from None
    except FileNotFoundError:
        raise refused(path, "it does not exist.", "Check its name.") from None
    except UnicodeDecodeError as error:
        raise refused(path, f"byte {error.start} is no UTF-8 text.", "Give a text file.") from None
    except (OSError, ValueError) as error:  # ValueError: an invalid file name
        said = getattr(error, "strerror", None) or str(error).rstrip(".")
        raise refused(path, f"it cannot be read: {said}.", "Check the file.") from None


def _too_large(path: Path) -> ModelError:
    """The error about a file larger than LARGEST_FILE."""
    what = f"it is larger than {LARGEST_FILE // 10**6} MB, which is more than is read."
    return refused(path, what, "Describe less in one file, or thin its tables out.")


def _once(path: Path, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The pairs as a mapping; raises an error for duplicate keys."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise refused(path, f"the key '{key}' comes twice in one mapping.", "Give every name once.")
        found[key] = value
    return found
