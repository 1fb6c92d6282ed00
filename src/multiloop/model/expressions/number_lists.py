"""Fast reading of long lists of numbers in the text of an expression; Python's parser uses 500 bytes per number."""

from __future__ import annotations

import re

LISTS = re.compile(r"""("(?:[^"\\]|\\.)*+"|'(?:[^'\\]|\\.)*+')|\[([-+0-9.eE, \t]{1000,}+)\]""")
"""Names in quotes, which are not changed, and lists of numbers with a thousand or more characters."""

Lists = dict[int, tuple[float, ...]]
"""Lists of numbers by the byte offset of their opening bracket, as Python's parser counts columns."""


def without_lists(text: str) -> tuple[str, Lists]:
    """The text with the entries of long lists replaced by spaces, so that columns are unchanged, and these lists."""
    lists: Lists = {}

    def emptied(found: re.Match[str]) -> str:
        numbers = _numbers(found[2]) if found[2] else None
        if numbers is None:
            return found[0]
        start = found.start()
        lists[start if text.isascii() else len(text[:start].encode())] = numbers
        return f"[{' ' * len(found[2])}]"

    return LISTS.sub(emptied, text), lists


def _numbers(entries: str) -> tuple[float, ...] | None:
    """The numbers; None if an entry is invalid, which the parser then reports."""
    try:
        return tuple(map(float, entries.rstrip().removesuffix(",").split(",")))
    except ValueError:
        return None
