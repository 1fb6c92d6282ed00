"""Saving a mechanism and reading it back: YAML for people, JSON for programs, the same content in both."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Any

import yaml

from multiloop.io.lines import with_lines
from multiloop.model import Fault, Mechanism, ModelError, from_data, to_data

OF_FORM = ("M90", "M91")
"""Codes of what does not fit the form of a description; all others are about the mechanism described."""


def save(mechanism: Mechanism, path: str | Path) -> Path:
    """Write a mechanism to a .yaml, .yml or .json file; `load` gives an equal one back."""
    path = Path(path)
    data = to_data(mechanism)
    if _format(path) is _yaml:
        text = yaml.safe_dump(data, sort_keys=False, allow_unicode=True, default_flow_style=None, width=110)
    else:
        text = json.dumps(data, indent=1, ensure_ascii=False) + "\n"
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise _refused(path, f"it cannot be written: {error.strerror}.", "Check the folder.") from None
    return path


def load(path: str | Path) -> Mechanism:
    """Read a mechanism from a file; what is wrong with the file is named with its line."""
    path = Path(path)
    data = _format(path)(path)
    if data is None:
        raise _refused(path, "it is empty.", "Give the file of a whole mechanism.")
    try:
        found = from_data(data)
    except ModelError as error:
        of_form = any(fault.code in OF_FORM for fault in error.faults)
        subject = f"file '{path}'" if of_form else f"{error.subject} of file '{path}'"
        raise ModelError(subject, with_lines(error.faults, _text(path))) from None
    if not isinstance(found, Mechanism):
        kind = type(found).__name__
        raise _refused(
            path, f"it describes a {kind}, not a Mechanism.", "Give the file of a whole mechanism."
        )
    return found


def _format(path: Path) -> Callable[[Path], Any]:
    reader = {".json": _json, ".yaml": _yaml, ".yml": _yaml}.get(path.suffix.lower())
    if reader is None:
        raise _refused(path, f"its ending '{path.suffix}' is not known.", "Give a .json, .yaml or .yml file.")
    return reader


def _json(path: Path) -> Any:
    try:
        return json.loads(_text(path), object_pairs_hook=lambda pairs: _once(path, pairs))
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}: {error.msg}."
        raise _refused(path, where, "Mend the JSON.") from None


def _yaml(path: Path) -> Any:
    class Loader(yaml.SafeLoader):
        """The safe loader, which also refuses a key that comes twice."""

        def construct_mapping(self, node: Any, deep: bool = False) -> dict[Hashable, Any]:
            _once(path, [(self.construct_object(key, deep=True), None) for key, _ in node.value])
            return super().construct_mapping(node, deep)

    try:
        return yaml.load(_text(path), Loader=Loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        where = f"line {mark.line + 1}, column {mark.column + 1}: " if mark else ""
        raise _refused(path, f"{where}{error.problem}.", "Mend the YAML.") from None
    except yaml.YAMLError as error:
        raise _refused(path, f"{str(error).splitlines()[0]}.", "Mend the YAML.") from None


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise _refused(path, "it does not exist.", "Check its name.") from None
    except UnicodeDecodeError as error:
        raise _refused(path, f"byte {error.start} is no UTF-8 text.", "Give a text file.") from None
    except OSError as error:
        raise _refused(path, f"it cannot be read: {error.strerror}.", "Check the file.") from None


def _once(path: Path, pairs: list[tuple[Any, Any]]) -> dict[Any, Any]:
    """The pairs as a mapping; a key that comes twice is refused rather than overwritten in silence."""
    found: dict[Any, Any] = {}
    for key, value in pairs:
        if isinstance(key, Hashable) and key in found:
            raise _refused(path, f"the key '{key}' comes twice in one mapping.", "Give every name once.")
        found[key] = value
    return found


def _refused(path: Path, what: str, remedy: str) -> ModelError:
    return ModelError(f"file '{path}'", [Fault("F01", path.name, what, remedy)])
