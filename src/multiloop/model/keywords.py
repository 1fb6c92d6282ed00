"""Which keyword was meant? A misspelt one is told with the nearest that there is."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from typing import ParamSpec, TypeVar

from multiloop.model.faults import suggestion

Given = ParamSpec("Given")
Found = TypeVar("Found")


def unknown_keyword(called: str, name: str, known: Iterable[str]) -> TypeError:
    """The error of a call with a keyword that is none."""
    return TypeError(f"{called}() takes no '{name}'. {suggestion(name, known)}")


def suggests_keywords(function: Callable[Given, Found]) -> Callable[Given, Found]:
    """The function, with the nearest keyword in the error of one that is none."""
    known = list(inspect.signature(function).parameters)

    @wraps(function)
    def called(*arguments: Given.args, **options: Given.kwargs) -> Found:
        for name in options:
            if name not in known:
                raise unknown_keyword(function.__name__, name, known)
        return function(*arguments, **options)

    return called
