"""Lazy methods: methods implemented in a package that imports this one; `view` implements `Mechanism.draw`, for
example.

A lazy method declares its signature and docstring, and names the module and the function that implement it. The module
is imported when the method is called. Only lazy methods call functions of a package that depends on their own package.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable
from functools import partial, wraps
from typing import Any, ParamSpec, TypeVar

from multiloop.model.synonyms import ArgumentList, suggest_argument

Given = ParamSpec("Given")
Returned = TypeVar("Returned")

LAZY_METHODS: dict[str, tuple[Callable[..., Any], str, str]] = {}
"""All methods decorated with `implemented_in`. The key is "module.qualified name" of the method; the values are the
method, and the names of the module and the function that implement it."""


def implemented_in(
    module: str, function: str
) -> Callable[[Callable[Given, Returned]], Callable[Given, Returned]]:
    """Decorate a method that is implemented by `function` of the module `module`, with the object as first argument.

    The method declares the signature and the docstring of the function. The body of the method is not executed.
    """

    def decorate(method: Callable[Given, Returned]) -> Callable[Given, Returned]:
        name = method.__qualname__
        known = ArgumentList(tuple(inspect.signature(method).parameters.values())[1:])

        @wraps(method)
        def called(*arguments: Given.args, **options: Given.kwargs) -> Returned:
            if not known.accepts(arguments[1:], options):
                raise known.error(f"{name}()", arguments[1:], options, partial(suggest_argument, name))
            returned: Returned = getattr(importlib.import_module(module), function)(*arguments, **options)
            return returned

        LAZY_METHODS[f"{method.__module__}.{name}"] = (called, module, function)
        return called

    return decorate
