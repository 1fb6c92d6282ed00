"""JSON as plain data, within the bounds that a description keeps and a hostile text does not.

Python's own reader recurses through the stack, refuses long numbers with an error of its own, and takes thirty times
the memory of a text that is all brackets: so brackets are counted before they are read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

MOST_ENTRIES = 150_000
"""Numbers, words, lists and mappings of one description; aliases of YAML count as often as they stand."""

DEEPEST = 40
"""Lists and mappings inside each other; a description has eight of them at most."""

LONGEST_NUMBER = 400
"""Letters of a number: beyond all floats, and well within what Python reads quickly."""

STRING = re.compile(r'"(?:[^"\\]|\\.)*+"?', re.DOTALL)
"""A string, or what is left of one at the end of the text."""

Pairs = Callable[[list[tuple[Any, Any]]], Any]


def json_data(text: str, mapping: Pairs | None = None) -> Any:
    """The plain data of a JSON text; `mapping` makes a mapping of its pairs. Raises JSONDecodeError with the place."""
    _require_modest(text)
    return json.loads(text, object_pairs_hook=mapping, parse_int=_whole)


def too_many() -> str:
    """What is wrong with data that has more entries than are read."""
    return f"it has more than {MOST_ENTRIES:,} entries"


def too_deep() -> str:
    """What is wrong with data that is nested more deeply than is read."""
    return f"it is nested more than {DEEPEST} deep"


def _require_modest(text: str) -> None:
    """Refuse what no description has: more entries, or deeper lists, than can be read in a moment."""
    signs = STRING.sub(lambda found: " " * len(found[0]), text)
    if signs.count(",") + signs.count("[") + signs.count("{") > MOST_ENTRIES:
        raise json.JSONDecodeError(too_many(), text, 0)
    depth = 0
    for bracket in re.finditer(r"[\[\]{}]", signs):
        depth += 1 if bracket[0] in "[{" else -1
        if depth > DEEPEST:
            raise json.JSONDecodeError(too_deep(), text, bracket.start())


def _whole(digits: str) -> int | float:
    """A whole number; one that no float holds is infinite, which every field refuses."""
    return int(digits) if len(digits) <= LONGEST_NUMBER else float(digits)
