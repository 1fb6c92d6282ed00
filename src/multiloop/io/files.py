"""Mechanism files: `save` and `load` in YAML and JSON, with the same content in both formats.

Relative paths of meshes in a mechanism file are relative to the folder of the mechanism file.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from os.path import isabs, join, normpath, relpath
from pathlib import Path
from typing import Any

import yaml

from multiloop.io.atomic_file import as_path, atomic_file, file_error
from multiloop.model import Fault, Mechanism, ModelError, from_data, name_text, short_repr, to_data
from multiloop.model.serialise.bounded_input import (
    MAX_DEPTH,
    MAX_ENTRIES,
    MAX_NUMBER_LENGTH,
    NotReadableError,
    depth_limit_text,
    entry_limit_text,
    parse_json,
    read_regular_file,
)
from multiloop.model.serialise.validation import QUOTE_REMEDY

FORM_CODES = ("M90", "M91")
"""Codes of faults in the form of the data; all other faults concern the mechanism that the data describe."""

MAX_FILE_SIZE = 32_000_000
"""Largest size of a mechanism file in bytes."""


def save(mechanism: Mechanism, path: str | Path) -> Path:
    """Write a mechanism to a .yaml, .yml or .json file; `load` returns an equal one.

    The path of a mesh is written relative to the file's folder, unless it is absolute.
    """
    path = as_path(path)
    data = mesh_paths_to_folder(to_data(mechanism), path)
    if _reader_of(path) is _yaml:
        text = yaml.safe_dump(data, sort_keys=False, allow_unicode=True, default_flow_style=None, width=110)
    else:
        text = json.dumps(data, indent=1, ensure_ascii=False) + "\n"
    _require_readable(path, text, data)
    with atomic_file(path) as file:
        file.write_text(text, encoding="utf-8")
    return path


def load(path: str | Path) -> Mechanism:
    """Read a mechanism from a file; a ModelError reports all errors in the file with their line numbers."""
    path = as_path(path)
    _reader_of(path)
    return _read_mechanism(path, read_text(path))


def _read_mechanism(path: Path, text: str) -> Mechanism:
    """Create the mechanism that the text of a file describes; errors are reported with their line numbers."""
    data = _reader_of(path)(path, text)
    if data is None:
        raise file_error(path, "it is empty.", "Give the file of a whole mechanism.")
    try:
        found = from_data(mesh_paths_from_folder(data, path))
    except ModelError as error:
        of_form = any(fault.code in FORM_CODES for fault in error.faults)
        subject = f"file '{path}'" if of_form else f"{error.subject} of file '{path}'"
        raise ModelError(subject, add_line_numbers(error.faults, text)) from None
    if not isinstance(found, Mechanism):
        kind = type(found).__name__
        raise file_error(
            path, f"it describes a {kind}, not a Mechanism.", "Give the file of a whole mechanism."
        )
    return found


def _require_readable(path: Path, text: str, data: Any) -> None:
    """Raise an error if reading the text of a mechanism file would not give the data from which it was made.

    The error is also raised if the text is larger than `MAX_FILE_SIZE`.
    """
    if len(text.encode("utf-8", "surrogatepass")) > MAX_FILE_SIZE:
        raise _too_large(path)
    try:
        again = mesh_paths_to_folder(to_data(_read_mechanism(path, text)), path)
    except ModelError as error:
        subject = f"{error.subject}, not written because it could not be read back,"
        raise ModelError(subject, error.faults) from None
    if again != data:
        what = "it was not written: reading it back would give a different mechanism."
        raise file_error(path, what, "Report this as a bug of multiloop, with the mechanism.")


def _reader_of(path: Path) -> Callable[[Path, str], Any]:
    reader = {".json": _json, ".yaml": _yaml, ".yml": _yaml}.get(path.suffix.lower())
    if reader is None:
        raise file_error(
            path, f"the file extension '{path.suffix}' is unknown.", "Give a .json, .yaml or .yml file."
        )
    return reader


def _json(path: Path, text: str) -> Any:
    try:
        return parse_json(text, mapping=lambda pairs: _unique_keys(path, pairs))
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}: {error.msg}."
        raise file_error(path, where, "Correct the JSON syntax.") from None


def _yaml(path: Path, text: str) -> Any:
    try:
        return parse_yaml(text)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        where = f"line {mark.line + 1}, column {mark.column + 1}: " if mark else ""
        lines = text.split("\n")[mark.line : mark.line + 1] if mark else []
        remedy = QUOTE_REMEDY if any(map(_has_unquoted_comma, lines)) else "Correct the YAML syntax."
        raise file_error(path, f"{where}{error.problem}.", remedy) from None
    except yaml.YAMLError as error:
        raise file_error(path, f"{str(error).splitlines()[0]}.", "Correct the YAML syntax.") from None


def _has_unquoted_comma(line: str) -> bool:
    """Whether a line has an expression with a comma inside { } that is not in quotes."""
    plain = re.sub(r"'[^']*'|\"[^\"]*\"", "", line)
    return "," in plain.partition("{")[2].partition("(")[2]


def read_text(path: Path) -> str:
    """The text of a UTF-8 file, with line feeds as line ends; a ModelError states why it cannot be read."""
    try:
        content = read_regular_file(path, MAX_FILE_SIZE)
        return content.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
    except NotReadableError as error:
        if os.path.isfile(path):
            raise _too_large(path) from None
        raise file_error(path, f"it {error}.", "Give a text file.") from None
    except FileNotFoundError:
        raise file_error(path, "it does not exist.", "Check its name.") from None
    except UnicodeDecodeError as error:
        raise file_error(path, f"byte {error.start} is not valid UTF-8.", "Give a text file.") from None
    except (OSError, ValueError) as error:  # ValueError: an invalid file name
        said = getattr(error, "strerror", None) or str(error).rstrip(".")
        raise file_error(path, f"it cannot be read: {said}.", "Check the file.") from None


def _too_large(path: Path) -> ModelError:
    """Error about a file that is larger than `MAX_FILE_SIZE`."""
    what = f"it is larger than {MAX_FILE_SIZE // 10**6} MB, the maximum."
    return file_error(path, what, "Use several files, or tables with fewer points.")


def _unique_keys(path: Path, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Convert pairs (key, value) of a JSON object to a dictionary; raise an error for duplicate keys."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise file_error(path, f"the key '{key}' occurs twice in one mapping.", "Give every name once.")
        found[key] = value
    return found


def mesh_paths_from_folder(data: Any, file: Path) -> Any:
    """Data read from a mechanism file, with the paths of meshes converted to be relative to the working directory."""
    return _with_paths(data, lambda path: _relative(join(file.parent, path), "."))


def mesh_paths_to_folder(data: Any, file: Path) -> Any:
    """Data to be written to a mechanism file, with the paths of meshes converted to be relative to its folder."""
    return _with_paths(data, lambda path: _relative(path, str(file.parent)))


def _relative(path: str, folder: str) -> str:
    """Convert a path to a path relative to a folder, with forward slashes."""
    try:
        return Path(relpath(path, folder)).as_posix()
    except ValueError:  # on another drive of Windows there is no relative path
        return normpath(path)


def _with_paths(data: Any, change: Callable[[str], str]) -> Any:
    """Data of a mechanism in which the function `change` is applied to all relative paths of meshes."""
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


SafeLoader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""Base class of the YAML loader: that of LibYAML if available, which is ten times as fast as the loader in Python and
returns the same results."""

NUMBERS = ("tag:yaml.org,2002:int", "tag:yaml.org,2002:float")

MERGE = "tag:yaml.org,2002:merge"

CONSTRUCTOR_ERRORS = (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError)
"""Exceptions that YAML constructors raise for a value that is not valid for its tag, e.g. `!!int x` or 2001-02-30."""


def parse_yaml(text: str) -> Any:
    """Convert a YAML text to lists, dictionaries and scalars; raise a YAMLError, with its position, if it is
    invalid."""
    _require_within_limits(text)
    return yaml.load(text, Loader=_Loader)


def _require_within_limits(text: str) -> None:
    """Raise an error for a text with too many entries or too deep nesting, before any data are created.

    An alias counts as many entries as the content to which it refers.
    """
    count, sizes = 0, dict[str | None, int]()
    within: list[
        tuple[str | None, int]
    ] = []  # for each open list or mapping, its anchor and the number of entries before it
    for event in yaml.parse(text, Loader=SafeLoader):
        if isinstance(event, yaml.AliasEvent):
            if any(anchor == event.anchor for anchor, _ in within):
                raise _yaml_error(f"the alias '{name_text(event.anchor)}' contains itself", event.start_mark)
            count += sizes.get(event.anchor, 1)
        elif isinstance(event, yaml.CollectionStartEvent):
            within.append((event.anchor, count))
            count += 1
        elif isinstance(event, yaml.ScalarEvent):
            count += 1
            if event.anchor is not None:
                sizes[event.anchor] = 1
        elif isinstance(event, yaml.CollectionEndEvent):
            anchor, before = within.pop()
            if anchor is not None:
                sizes[anchor] = count - before
        if count > MAX_ENTRIES:
            raise _yaml_error(entry_limit_text(), event.start_mark)
        if len(within) > MAX_DEPTH:
            raise _yaml_error(depth_limit_text(), event.start_mark)


class _Loader(SafeLoader):  # type: ignore[misc]  # the base class is determined at import
    """YAML loader that also raises errors for values that are not valid for their tag, and duplicate or invalid
    keys."""

    def construct_object(self, node: Any, deep: bool = False) -> Any:
        if node.tag == MERGE:
            raise _yaml_error("merge keys (<<) are not supported", node.start_mark)
        if node.tag in NUMBERS and len(node.value) > MAX_NUMBER_LENGTH:
            raise _yaml_error(f"a number of {len(node.value):,} characters is too long", node.start_mark)
        try:
            return super().construct_object(node, deep)
        except CONSTRUCTOR_ERRORS:
            said = f"{short_repr(node.value)} is not a valid value of the YAML type {node.tag.rpartition(':')[2]}"
            raise _yaml_error(said, node.start_mark) from None

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Hashable, Any]:
        if not isinstance(node, yaml.MappingNode):  # e.g. `!!map 1`: a number with the tag of mappings
            raise _yaml_error(
                f"{short_repr(_node_text(node))} is not a valid value of the YAML type {node.tag.rpartition(':')[2]}",
                node.start_mark,
            )
        found = set()
        for entry, _ in node.value:
            key = self.construct_object(entry, deep=True)
            if not isinstance(key, str | int | float | None):
                raise _yaml_error(f"{short_repr(key)} cannot be the name of a field", entry.start_mark)
            if key in found:
                raise _yaml_error(f"the key '{name_text(key)}' occurs twice in one mapping", entry.start_mark)
            found.add(key)
        mapping: dict[Hashable, Any] = super().construct_mapping(node, deep)
        return mapping


def _node_text(node: Any) -> str:
    """Text for a message about a YAML node that is not a mapping."""
    return node.value if isinstance(node.value, str) else "a list"


def _yaml_error(what: str, mark: Any) -> yaml.MarkedYAMLError:
    return yaml.MarkedYAMLError(problem=what, problem_mark=mark)


NAME_KEYS = ("name", "of", "joint")
"""Keys whose value is the name of a part of a mechanism, or of the part on which it acts."""

LISTS_OF_KIND = {"body": ("bodies",), "joint": ("joints", "pairs"), "pair": ("pairs",), "load": ("loads",)}
"""For each noun that precedes the name of a part in the text of a fault, the lists of a file that may contain the
part."""

Place = tuple[str, ...]


def add_line_numbers(faults: Sequence[Fault], text: str) -> list[Fault]:
    """Add to the faults the line numbers in the YAML or JSON text, if these can be determined.

    The text is parsed once for all faults.
    """
    places = [_place(fault) for fault in faults]
    lines = _LineFinder({place[:k] for place in places for k in range(len(place) + 1)})
    try:
        lines.read(text.replace("\t", " "))  # JSON may indent with tabs
    except yaml.YAMLError:  # a few characters are valid in JSON but not in YAML
        return list(faults)
    return [_add_line(fault, lines.of(fault, place)) for fault, place in zip(faults, places, strict=True)]


def _place(fault: Fault) -> Place:
    return tuple(step if isinstance(step, str) else name_text(step) for step in fault.place)


def _add_line(fault: Fault, line: int | None) -> Fault:
    return replace(fault, where=f"line {line}, {fault.where}") if line else fault


@dataclass
class _OpenNode:
    """A list or mapping of which not all entries are parsed yet: its keys and indices (`place`), and its line.

    `count` is the number of entries so far, and `key` the key whose value is parsed next.
    """

    place: Place
    line: int
    is_mapping: bool
    count: int = 0
    key: str | None = None  # key of the mapping whose value is parsed next


@dataclass
class _LineFinder:
    """Finder of line numbers in a mechanism file.

    `wanted` are the requested places, each a sequence of keys and indices. The other fields contain the line numbers:
    `at` by place, `named` by name of a part, and `listed` by name of a list and name of a part.
    """

    wanted: set[Place]
    at: dict[Place, int] = field(default_factory=dict)
    named: dict[str, int] = field(default_factory=dict)
    listed: dict[tuple[str, str], int] = field(default_factory=dict)  # keys: list, name of part

    def of(self, fault: Fault, place: Place) -> int | None:
        """Line number of a fault, or None if it cannot be determined.

        The line is that of the fault's `place` or, if unknown, of the nearest enclosing list or mapping. If `place` is
        empty, it is the line of the part that the fault names.
        """
        if place:
            return next((self.at[place[:k]] for k in range(len(place), -1, -1) if place[:k] in self.at), None)
        quoted = re.match(r"(\w*)[^']*'([^']+)'", fault.where)
        if not quoted:
            return None
        kind, name = quoted[1], quoted[2].partition(".")[0]
        own = ((section, name) for section in LISTS_OF_KIND.get(kind, ()))
        return next((self.listed[one] for one in own if one in self.listed), self.named.get(name))

    def read(self, text: str) -> None:
        """Parse the text and record the line numbers."""
        within: list[_OpenNode] = []
        for event in yaml.parse(text, Loader=SafeLoader):
            if isinstance(event, yaml.CollectionEndEvent):
                within.pop()
            elif isinstance(event, yaml.NodeEvent):
                self._enter(event, within)

    def _enter(self, event: Any, within: list[_OpenNode]) -> None:
        """Process the parser event of a node of the text: a key or a value of a mapping, an entry of a list, or the
        whole document.

        `within` are the lists and mappings that enclose the node, the outermost first.
        """
        line, around = event.start_mark.line + 1, within[-1] if within else None
        place: Place = ()
        if around is not None and around.is_mapping and around.key is None:
            around.key = getattr(event, "value", "")
            self._mark((*around.place, around.key), line)
            return
        if around is not None:
            step, around.key = str(around.count) if around.key is None else around.key, None
            around.count += 1
            place = (*around.place, step)
            if len(around.place) == 2 and step in NAME_KEYS and isinstance(event, yaml.ScalarEvent):
                self.named.setdefault(event.value, around.line)
                if step == "name":
                    self.listed.setdefault((around.place[0], event.value), around.line)
        if around is None or not around.is_mapping:
            self._mark(place, line)
        if isinstance(event, yaml.CollectionStartEvent):
            within.append(_OpenNode(place, line, isinstance(event, yaml.MappingStartEvent)))

    def _mark(self, place: Place, line: int) -> None:
        if place in self.wanted:
            self.at.setdefault(place, line)
