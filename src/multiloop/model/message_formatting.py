"""Short text of values, names, counts and coordinates for messages.

A value is written piece by piece up to a maximal length, so that the cost does not grow with its size.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from math import floor, log10
from typing import Any

MAX_VALUE_LENGTH = 60
"""Maximal length of a value in a message."""

MAX_NAME_LENGTH = 200
"""Maximal length of a name in a message."""

BRACKETS: dict[type, tuple[str, str]] = {
    list: ("[", "]"),
    tuple: ("(", ")"),
    set: ("{", "}"),
    frozenset: ("frozenset({", "})"),
}

MAX_PRINTED_INTEGER = 10**MAX_VALUE_LENGTH
"""Integers beyond this are shown by their magnitude: Python raises an error for those of 4,300 digits."""


def short_repr(value: Any, longest: int = MAX_VALUE_LENGTH) -> str:
    """The beginning of the representation of a value, truncated to `longest`; control characters are escaped.

    Lists, mappings and dataclasses are written piece by piece up to that length, so that the cost does not grow with
    the value, even if it is nested, shared or contains itself.
    """
    text = ""
    for piece in _pieces(value, longest):
        text += piece
        if len(text) > longest:
            return f"{text[: longest - 1]}…"
    return text


def printable(text: str) -> str:
    """The text with control characters escaped, except line breaks, so that a terminal shows and does not obey them."""
    if text.isprintable():
        return text
    return "".join(sign if sign == "\n" or sign.isprintable() else _escaped(sign) for sign in text)


def name_text(name: Any) -> str:
    """The text of a name: a string unchanged unless it is very long, anything else as a short representation."""
    return (
        name
        if isinstance(name, str) and len(name) <= MAX_NAME_LENGTH
        else short_repr(name, MAX_NAME_LENGTH).strip("'\"")
    )


def _pieces(value: Any, longest: int) -> Iterator[str]:
    """The representation of a value in pieces, from left to right; every nested level yields at least one character."""
    kind = type(value)
    if kind in BRACKETS and value:
        opening, closing = BRACKETS[kind]
        alone = "," if kind is tuple and len(value) == 1 else ""
        yield from _listed(opening, ((entry,) for entry in value), f"{alone}{closing}", longest)
    elif kind is dict:
        yield from _listed("{", value.items(), "}", longest)
    elif kind is str or kind is bytes:
        yield repr(value[: longest + 1])
    elif kind is int and abs(value) > MAX_PRINTED_INTEGER:
        yield _magnitude_text(value)
    elif _is_dataclass_with_repr(value):
        yield f"{kind.__qualname__}("
        named = [entry.name for entry in fields(value) if entry.repr]
        for place, name in enumerate(named):
            yield f"{', ' if place else ''}{name}="
            yield from _pieces(getattr(value, name), longest)
        yield ")"
    else:
        yield _repr_text(value, longest)


def _listed(opening: str, entries: Iterable[tuple[Any, ...]], closing: str, longest: int) -> Iterator[str]:
    """Entries between brackets, a key before its value."""
    yield opening
    for place, entry in enumerate(entries):
        yield ", " if place else ""
        for part, thing in enumerate(entry):
            yield ": " if part else ""
            yield from _pieces(thing, longest)
    yield closing


def _is_dataclass_with_repr(value: Any) -> bool:
    """Whether a value is a dataclass whose representation lists its fields."""
    parameters = getattr(type(value), "__dataclass_params__", None)
    return is_dataclass(value) and parameters is not None and parameters.repr


def _magnitude_text(number: int) -> str:
    """An integer too long to write out, by its magnitude."""
    size = log10(abs(number))
    return f"about {'-' if number < 0 else ''}{10 ** (size - floor(size)):.2g}e+{floor(size)}"


def _repr_text(value: Any, longest: int) -> str:
    """The representation of an object on one line; its class name if `repr` raises an error."""
    from multiloop.model.expressions import Expression
    from multiloop.model.expressions.expression_text import to_text

    try:
        text = to_text(value, longest + 1) if isinstance(value, Expression) else repr(value)
    except Exception:
        text = f"<{type(value).__name__}>"
    return printable(" ".join(text.split()))


def _escaped(sign: str) -> str:
    return sign.encode("unicode_escape").decode("ascii")


SHOWN_AS_ZERO = 1e-12
"""Numbers smaller than this, in radians or metres, are shown as zero."""


def count_text(number: int, one: str, many: str | None = None) -> str:
    """A number with its noun: 1 loop, 2 loops."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def coordinate_text(values: Iterable[float], digits: int = 6) -> str:
    """Coordinates as messages show them: one number bare, several in brackets, round-off as zero."""
    numbers = [f"{0.0 if abs(value) < SHOWN_AS_ZERO else float(value):.{digits}g}" for value in values]
    return numbers[0] if len(numbers) == 1 else "(" + ", ".join(numbers) + ")"
