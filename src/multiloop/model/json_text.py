"""Parsing of JSON text within bounds that descriptions satisfy and malicious texts may not.

Python's JSON reader recurses through the call stack, rejects long integers with an exception of another type, and needs
thirty times the memory of a text that consists of brackets. Entries and depth are therefore counted before parsing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

MOST_ENTRIES = 150_000
"""Maximal number of numbers, strings, lists and mappings in a description; YAML aliases count at every use."""

DEEPEST = 40
"""Maximal nesting depth of lists and mappings; a description needs at most eight."""

LONGEST_NUMBER = 400
"""Maximal number of characters of a number: more than any float needs, and quickly parsed by Python."""

STRING = re.compile(r'"(?:[^"\\]|\\.)*+"?', re.DOTALL)
"""A string, or an unterminated string at the end of the text."""

Pairs = Callable[[list[tuple[Any, Any]]], Any]


def json_data(text: str, mapping: Pairs | None = None) -> Any:
    """The plain data of a JSON text; `mapping` converts lists of pairs to mappings. Raises JSONDecodeError."""
    _require_modest(text)
    return json.loads(text, object_pairs_hook=mapping, parse_int=_whole)


def too_many() -> str:
    """The fault of data with too many entries."""
    return f"it has more than {MOST_ENTRIES:,} entries"


def too_deep() -> str:
    """The fault of data nested too deeply."""
    return f"it is nested more than {DEEPEST} deep"


def _require_modest(text: str) -> None:
    """Raise an error for a text with more entries or deeper nesting than any description has."""
    signs = STRING.sub(lambda found: " " * len(found[0]), text)
    if signs.count(",") + signs.count("[") + signs.count("{") > MOST_ENTRIES:
        raise json.JSONDecodeError(too_many(), text, 0)
    depth = 0
    for bracket in re.finditer(r"[\[\]{}]", signs):
        depth += 1 if bracket[0] in "[{" else -1
        if depth > DEEPEST:
            raise json.JSONDecodeError(too_deep(), text, bracket.start())


def _whole(digits: str) -> int | float:
    """An integer; one beyond the range of floats becomes infinite, which every field rejects."""
    return int(digits) if len(digits) <= LONGEST_NUMBER else float(digits)
