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


def lazy_method(module: str, function: str, doc: str = "") -> Any:
    """A method that calls `function` of the module `module` with the object as first argument.

    The method has the name of the attribute to which it is assigned; `doc` is its docstring: one sentence, then its
    keywords.
    """
    return _LazyMethod(module, function, doc)


class _LazyMethod:
    """Placeholder in a class body; replaces itself with a method when the class assigns the attribute's name."""

    def __init__(self, module: str, function: str, doc: str) -> None:
        self.module, self.function, self.doc = module, function, doc

    def __set_name__(self, owner: type, name: str) -> None:
        module, function = self.module, self.function

        def method(self: Any, *arguments: Any, **options: Any) -> Any:
            behind = getattr(importlib.import_module(module), function)
            _check_call(f"{owner.__name__}.{name}()", behind, (self, *arguments), options)
            return behind(self, *arguments, **options)

        see = f"See `{module}.{function}`."
        method.__doc__ = f"{inspect.cleandoc(self.doc)}\n\n{see}" if self.doc else see
        method.__name__, method.__qualname__ = name, f"{owner.__qualname__}.{name}"
        method.__module__, method.__annotations__ = owner.__module__, {}
        setattr(owner, name, method)


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
