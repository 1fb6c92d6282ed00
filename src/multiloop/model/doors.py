"""Doors: methods of described things whose work is done in a room further down the house.

`mechanism.draw()` reads well, but `model` must not import `view`. A door names the room and the function
and opens it when it is called; this file is the only place where a room reaches below itself.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any


def opens(room: str, function: str) -> Callable[..., Any]:
    """A method that calls `function` of `room` with the object as first argument."""

    def method(self: Any, *arguments: Any, **options: Any) -> Any:
        return getattr(importlib.import_module(room), function)(self, *arguments, **options)

    method.__name__ = function
    method.__doc__ = f"See `{room}.{function}`."
    return method
