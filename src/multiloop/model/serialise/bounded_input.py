"""Reading of files and JSON text within bounds on size, number of entries, nesting depth and length of numbers.

Python's JSON reader recurses through the call stack, rejects long integers with an exception of another type, and
needs thirty times the memory of a text that consists of brackets. Entries and depth are therefore counted before the
text is parsed.
"""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any


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
        raise NotReadableError(f"is larger than {most / 1e6:g} MB, the maximum")
    return content


def _require_regular(status: os.stat_result) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise NotReadableError("is a folder")
    if not stat.S_ISREG(status.st_mode):
        raise NotReadableError("is a device or a pipe")


MAX_ENTRIES = 150_000
"""Maximal number of numbers, strings, lists and mappings in a description; YAML aliases count at every use."""

MAX_DEPTH = 40
"""Maximal nesting depth of lists and mappings; a description needs at most eight."""

MAX_NUMBER_LENGTH = 400
"""Maximal number of characters of a number: more than any float needs, and quickly parsed by Python."""

STRING = re.compile(r'"(?:[^"\\]|\\.)*+"?', re.DOTALL)
"""A string, or an unterminated string at the end of the text."""

PairsHook = Callable[[list[tuple[Any, Any]]], Any]


def parse_json(text: str, mapping: PairsHook | None = None) -> Any:
    """The plain data of a JSON text; `mapping` converts lists of pairs to mappings. Raises JSONDecodeError."""
    _require_within_limits(text)
    return json.loads(text, object_pairs_hook=mapping, parse_int=_parse_integer)


def entry_limit_text() -> str:
    """Error text for data with too many entries."""
    return f"it has more than {MAX_ENTRIES:,} entries"


def depth_limit_text() -> str:
    """Error text for data that are nested too deeply."""
    return f"it is nested more than {MAX_DEPTH} levels deep"


def _require_within_limits(text: str) -> None:
    """Raise an error for a text with more entries or deeper nesting than any description has."""
    signs = STRING.sub(lambda found: " " * len(found[0]), text)
    if signs.count(",") + signs.count("[") + signs.count("{") > MAX_ENTRIES:
        raise json.JSONDecodeError(entry_limit_text(), text, 0)
    depth = 0
    for bracket in re.finditer(r"[\[\]{}]", signs):
        depth += 1 if bracket[0] in "[{" else -1
        if depth > MAX_DEPTH:
            raise json.JSONDecodeError(depth_limit_text(), text, bracket.start())


def _parse_integer(digits: str) -> int | float:
    """An integer; one beyond the range of floats becomes infinite, which every field rejects."""
    return int(digits) if len(digits) <= MAX_NUMBER_LENGTH else float(digits)
