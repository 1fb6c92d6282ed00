"""Long lists of numbers in the text of an expression, read at once: Python's own parser takes 500 bytes for each."""

from __future__ import annotations

import re

LISTS = re.compile(r"""("(?:[^"\\]|\\.)*+"|'(?:[^'\\]|\\.)*+')|\[([-+0-9.eE, \t]{1000,}+)\]""")
"""Names in quotes, which are left alone, and a thousand letters or more between brackets that can only be numbers."""

Lists = dict[int, tuple[float, ...]]
"""Numbers by the byte at which their bracket opens, which is how Python's parser counts."""


def without_lists(text: str) -> tuple[str, Lists]:
    """The text with blanks for the entries of its long lists, every column as it was, and these lists."""
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
    """The numbers; None where one of them is none, which is then named by whoever reads the text."""
    try:
        return tuple(map(float, entries.rstrip().removesuffix(",").split(",")))
    except ValueError:
        return None
