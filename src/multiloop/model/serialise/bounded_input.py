"""Reading of files and JSON text with limits on size, number of entries, nesting depth and length of numbers.

Python's JSON reader is recursive, raises an exception of another type for long integers, and for a text of brackets
needs thirty times the memory of the text. Entries and nesting depth are therefore counted before the text is parsed.
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
    """Error: a file cannot be read; the message completes a sentence that begins with "the file …"."""


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
"""Maximum number of entries (numbers, strings, lists, mappings) in a description; YAML aliases count at every use."""

MAX_DEPTH = 40
"""Maximum nesting depth of lists and mappings in a file; a description needs at most eight levels."""

MAX_NUMBER_LENGTH = 400
"""Maximum number of characters of a number: more than any float needs, but few enough to be parsed quickly."""

STRING = re.compile(r'"(?:[^"\\]|\\.)*+"?', re.DOTALL)
"""Pattern of a JSON string; a string without closing quote extends to the end of the text."""

PairsHook = Callable[[list[tuple[Any, Any]]], Any]


def parse_json(text: str, mapping: PairsHook | None = None) -> Any:
    """Parse JSON text to plain data within the limits; raises a JSONDecodeError.

    `mapping` converts lists of pairs to mappings, for instance to reject duplicate keys.
    """
    _require_within_limits(text)
    return json.loads(text, object_pairs_hook=mapping, parse_int=_parse_integer)


def entry_limit_text() -> str:
    """Error text for data with more than MAX_ENTRIES entries."""
    return f"it has more than {MAX_ENTRIES:,} entries"


def depth_limit_text() -> str:
    """Error text for data that are nested more than MAX_DEPTH levels deep."""
    return f"it is nested more than {MAX_DEPTH} levels deep"


def _require_within_limits(text: str) -> None:
    """Raise a JSONDecodeError for a text with more than MAX_ENTRIES entries or MAX_DEPTH nested levels."""
    signs = STRING.sub(lambda found: " " * len(found[0]), text)
    if signs.count(",") + signs.count("[") + signs.count("{") > MAX_ENTRIES:
        raise json.JSONDecodeError(entry_limit_text(), text, 0)
    depth = 0
    for bracket in re.finditer(r"[\[\]{}]", signs):
        depth += 1 if bracket[0] in "[{" else -1
        if depth > MAX_DEPTH:
            raise json.JSONDecodeError(depth_limit_text(), text, bracket.start())


def _parse_integer(digits: str) -> int | float:
    """Convert digits to an integer; more than MAX_NUMBER_LENGTH digits give infinity, which every field rejects."""
    return int(digits) if len(digits) <= MAX_NUMBER_LENGTH else float(digits)
