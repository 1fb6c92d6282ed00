"""Errors for unknown keyword arguments, with the nearest known keyword as a suggestion."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from typing import ParamSpec, TypeVar

from multiloop.model.faults import suggestion

Given = ParamSpec("Given")
Found = TypeVar("Found")


def unknown_keyword(called: str, name: str, known: Iterable[str]) -> TypeError:
    """The error for an unknown keyword argument."""
    return TypeError(f"{called}() takes no '{name}'. {suggestion(name, known)}")


def suggests_keywords(function: Callable[Given, Found]) -> Callable[Given, Found]:
    """The function with an error for unknown keywords that suggests the nearest known one."""
    known = list(inspect.signature(function).parameters)

    @wraps(function)
    def called(*arguments: Given.args, **options: Given.kwargs) -> Found:
        for name in options:
            if name not in known:
                raise unknown_keyword(function.__name__, name, known)
        return function(*arguments, **options)

    return called
