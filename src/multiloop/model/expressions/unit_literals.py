"""Numbers with their unit in the text of an expression: `30 mm`, `20 deg`, `45 rpm * time`."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from multiloop.model.unit_table import UNITS, known_units, plain_spelling, to_si

QUOTED = r"""("(?:[^"\\]|\\.)*+"|'(?:[^'\\]|\\.)*+')"""
"""Names in quotes, which are left alone."""

NUMBER = r"(?<![\w.])((?:\d++\.?+\d*+|\.\d++)(?:[eE][+-]?\d++)?+)"
"""Possessive, so that a long row of digits takes time in proportion to its length."""

SPELLINGS = {"·": "[ ·]?", "²": r"(?:²|\^?2)", "³": r"(?:³|\^?3)", "°": "(?:°|deg)", "µ": "[µμu]"}
"""Signs of a unit that may be written in several ways."""


def convert_units(text: str) -> tuple[str, Callable[[int], int]]:
    """The text with each number that has a unit replaced by its value in SI units.

    The second value maps a column of the new text to the column of the given one.
    """
    shifts: list[tuple[int, int]] = []  # end of a replacement in the new text, and how much longer it became
    longer = 0

    def converted(found: re.Match[str]) -> str:
        nonlocal longer
        if found[1]:
            return found[0]
        written = repr(to_si(float(found[2]), *known_units()[plain_spelling(found[3])]))
        longer += len(written) - len(found[0])
        shifts.append((found.end() + longer, longer))
        return written

    new = _literals().sub(converted, text)

    def column(k: int) -> int:
        return k - next((by for end, by in reversed(shifts) if end <= k), 0)

    return new, column


def unit_of(text: str) -> tuple[str, str] | None:
    """Quantity and unit of a text that is one number with its unit; None for any other text."""
    found = _single().fullmatch(text)
    return known_units()[plain_spelling(found[2])] if found else None


def unknown_unit(text: str) -> str:
    """A word that stands behind a number where only a unit can stand; empty where there is none."""
    found = re.search(rf"{NUMBER}\s*+([A-Za-z°µ]\w{{0,19}})", re.sub(QUOTED, "", text))
    return found[2] if found else ""


def unit_names() -> list[str]:
    """Every unit as it is usually spelled, and the words that may stand for its signs."""
    return [*(unit for units in UNITS.values() for unit in units), "deg", "deg/s"]


@cache
def _literals() -> re.Pattern[str]:
    return re.compile(rf"{QUOTED}|{NUMBER}\s*+({_alternatives()})(?![\w(°²³^])")


@cache
def _single() -> re.Pattern[str]:
    return re.compile(rf"\s*[-+]?\s*{NUMBER}\s*+({_alternatives()})\s*")


def _alternatives() -> str:
    """One pattern for all units, longer ones first, so that `N/mm` is not read as `N` divided by something."""
    units = sorted((unit for units in UNITS.values() for unit in units), key=len, reverse=True)
    return "|".join("".join(SPELLINGS.get(sign, re.escape(sign)) for sign in unit) for unit in units)
