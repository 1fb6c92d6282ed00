"""Methods whose implementation is in a package that must not be imported here, such as `Mechanism.draw` in `view`.

A lazy method is declared with its signature and docstring, and names the module and the function that implement it;
they are imported when it is called. This is the only place where a package calls one that depends on it.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from multiloop.model.faults import unknown_keyword_error

Given = ParamSpec("Given")
Returned = TypeVar("Returned")

LAZY_METHODS: dict[str, tuple[Callable[..., Any], str, str]] = {}
"""All methods decorated with `implemented_in`, by module and qualified name, each with the module and the function that
implement it."""


def implemented_in(
    module: str, function: str
) -> Callable[[Callable[Given, Returned]], Callable[Given, Returned]]:
    """Decorate a method that is implemented by `function` of the module `module`, with the object as first argument.

    The method declares the signature of the function, and its docstring; its body is not executed.
    """

    def decorate(method: Callable[Given, Returned]) -> Callable[Given, Returned]:
        name = method.__qualname__

        @wraps(method)
        def called(*arguments: Given.args, **options: Given.kwargs) -> Returned:
            _check_call(f"{name}()", method, arguments, options)
            returned: Returned = getattr(importlib.import_module(module), function)(*arguments, **options)
            return returned

        LAZY_METHODS[f"{method.__module__}.{name}"] = (called, module, function)
        return called

    return decorate


def _check_call(
    name: str, behind: Callable[..., Any], arguments: tuple[Any, ...], options: dict[str, Any]
) -> None:
    """Raise a TypeError that names the method if the function cannot be called with these arguments."""
    signature = inspect.signature(behind)
    known = list(signature.parameters)[1:]
    try:
        signature.bind(*arguments, **options)
    except TypeError as error:
        unknown = [option for option in options if option not in known]
        if unknown:
            raise unknown_keyword_error(name.removesuffix("()"), unknown[0], known) from None
        raise TypeError(f"{name}: {error}. Its keyword arguments are: {', '.join(known)}.") from None
