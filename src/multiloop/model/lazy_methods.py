"""Doors: methods of described things whose work is done in a room further down the house.

`mechanism.draw()` reads well, but `model` must not import `view`. A door names the room and the function
and opens it when it is called; this file is the only place where a room reaches below itself.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable
from typing import Any

from multiloop.model.keywords import unknown_keyword


def opens(room: str, function: str, doc: str = "") -> Any:
    """A method that calls `function` of `room` with the object as first argument.

    The method has the name of the attribute it is assigned to; `doc` is what `help` shows of it: one
    sentence, then its keywords.
    """
    return _Door(room, function, doc)


class _Door:
    """Stands in a class body until the class knows the attribute's name, then becomes a plain method."""

    def __init__(self, room: str, function: str, doc: str) -> None:
        self.room, self.function, self.doc = room, function, doc

    def __set_name__(self, owner: type, name: str) -> None:
        room, function = self.room, self.function

        def method(self: Any, *arguments: Any, **options: Any) -> Any:
            behind = getattr(importlib.import_module(room), function)
            _check(f"{owner.__name__}.{name}()", behind, (self, *arguments), options)
            return behind(self, *arguments, **options)

        see = f"See `{room}.{function}`."
        method.__doc__ = f"{inspect.cleandoc(self.doc)}\n\n{see}" if self.doc else see
        method.__name__, method.__qualname__ = name, f"{owner.__qualname__}.{name}"
        method.__module__, method.__annotations__ = owner.__module__, {}
        setattr(owner, name, method)


def _check(
    door: str, behind: Callable[..., Any], arguments: tuple[Any, ...], options: dict[str, Any]
) -> None:
    """Refuse a call that the function behind the door cannot take, in words about the door."""
    signature = inspect.signature(behind)
    known = list(signature.parameters)[1:]
    try:
        signature.bind(*arguments, **options)
    except TypeError as error:
        unknown = [name for name in options if name not in known]
        if unknown:
            raise unknown_keyword(door.removesuffix("()"), unknown[0], known) from None
        raise TypeError(f"{door}: {error}. It takes, by keyword: {', '.join(known)}.") from None
