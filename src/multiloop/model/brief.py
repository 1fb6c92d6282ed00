"""Short text of any value for a message, on one line, without building the full text of a large value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from math import floor, log10
from typing import Any

LONGEST = 60
"""Maximal length of a value in a message."""

LONGEST_NAME = 200
"""Maximal length of a name in a message."""

BRACKETS: dict[type, tuple[str, str]] = {
    list: ("[", "]"),
    tuple: ("(", ")"),
    set: ("{", "}"),
    frozenset: ("frozenset({", "})"),
}

HUGE = 10**LONGEST
"""Integers beyond this are shown by their magnitude: Python raises an error for those of 4,300 digits."""


def brief(value: Any, longest: int = LONGEST) -> str:
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


def called(name: Any) -> str:
    """The text of a name: a string unchanged unless it is very long, anything else as a short representation."""
    return (
        name
        if isinstance(name, str) and len(name) <= LONGEST_NAME
        else brief(name, LONGEST_NAME).strip("'\"")
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
    elif kind is int and abs(value) > HUGE:
        yield _by_size(value)
    elif _is_described(value):
        yield f"{kind.__qualname__}("
        named = [entry.name for entry in fields(value) if entry.repr]
        for place, name in enumerate(named):
            yield f"{', ' if place else ''}{name}="
            yield from _pieces(getattr(value, name), longest)
        yield ")"
    else:
        yield _own(value, longest)


def _listed(opening: str, entries: Iterable[tuple[Any, ...]], closing: str, longest: int) -> Iterator[str]:
    """Entries between brackets, a key before its value."""
    yield opening
    for place, entry in enumerate(entries):
        yield ", " if place else ""
        for part, thing in enumerate(entry):
            yield ": " if part else ""
            yield from _pieces(thing, longest)
    yield closing


def _is_described(value: Any) -> bool:
    """Whether a value is a dataclass whose representation lists its fields."""
    parameters = getattr(type(value), "__dataclass_params__", None)
    return is_dataclass(value) and parameters is not None and parameters.repr


def _by_size(number: int) -> str:
    """An integer too long to write out, by its magnitude."""
    size = log10(abs(number))
    return f"about {'-' if number < 0 else ''}{10 ** (size - floor(size)):.2g}e+{floor(size)}"


def _own(value: Any, longest: int) -> str:
    """The representation of an object on one line; its class name if `repr` raises an error."""
    from multiloop.model.expressions import Expression
    from multiloop.model.expressions.text import written

    try:
        text = written(value, longest + 1) if isinstance(value, Expression) else repr(value)
    except Exception:
        text = f"<{type(value).__name__}>"
    return printable(" ".join(text.split()))


def _escaped(sign: str) -> str:
    return sign.encode("unicode_escape").decode("ascii")
