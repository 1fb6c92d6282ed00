"""Methods whose implementation is in a package that must not be imported here, such as `Mechanism.draw` in `view`.

A lazy method names the module and the function and imports them when it is called. This is the only place where a
package calls one that depends on it.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable
from typing import Any

from multiloop.model.faults import unknown_keyword_error


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
