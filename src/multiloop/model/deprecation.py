"""Names and arguments of version 0.1 that have changed: they are accepted with a DeprecationWarning for one version.

Every warning is a `MultiloopDeprecationWarning` that states the present name, and refers to the line of user code that
used the earlier one. The test runs of multiloop itself turn these warnings into errors.
"""

from __future__ import annotations

import inspect
import sys
import warnings
from collections.abc import Callable, Mapping
from functools import wraps
from types import FrameType
from typing import Any, ParamSpec, TypeVar

Given = ParamSpec("Given")
Returned = TypeVar("Returned")
Kind = TypeVar("Kind")

ADVICE = "The next version rejects the earlier form."

WRAPPING_MODULES = ("multiloop", __name__, "multiloop.model.public_functions", "multiloop.model.synonyms")
"""Modules whose stack frames lie between a public function and the user code that calls it; warnings skip them."""


class MultiloopDeprecationWarning(DeprecationWarning):
    """Warning that a name or argument of multiloop has changed; its text states the present name."""


def warn_changed(what: str, advice: str = ADVICE) -> None:
    """Warn of a changed name or argument, at the line that called the public function.

    `what` states the change, and `advice` what to do.
    """
    frame: FrameType | None = sys._getframe(1)
    level = 2
    while frame is not None and frame.f_globals.get("__name__") in WRAPPING_MODULES:
        frame, level = frame.f_back, level + 1
    warnings.warn(f"{what} {advice}", MultiloopDeprecationWarning, stacklevel=level)


def accept_earlier_arguments(
    *positional: str, **renamed: str
) -> Callable[[Callable[Given, Returned]], Callable[Given, Returned]]:
    """Decorate a function to accept arguments by their earlier names, and keyword-only arguments by position.

    `renamed` maps earlier names to present ones; `positional` are the keyword-only arguments that were accepted by
    position, in their order. The decorated function has `renamed` as its attribute `earlier_arguments`.
    """

    def decorate(function: Callable[Given, Returned]) -> Callable[Given, Returned]:
        name = function.__name__
        parameters = inspect.signature(function).parameters.values()
        places = sum(one.kind is one.POSITIONAL_OR_KEYWORD for one in parameters)

        @wraps(function)
        def called(*arguments: Any, **options: Any) -> Returned:
            for earlier in [one for one in options if one in renamed]:
                present = renamed[earlier]
                if present in options:
                    raise TypeError(f"{name}() got both '{present}' and its earlier name '{earlier}'.")
                warn_changed(f"{name}(): the argument '{earlier}' is called '{present}' now.")
                options[present] = options.pop(earlier)
            extra = dict(zip(positional, arguments[places:], strict=False))
            if extra and len(arguments) <= places + len(positional) and not extra.keys() & options.keys():
                listed = ", ".join(f"{one}=" for one in extra)
                warn_changed(f"{name}(): give {listed} as keyword{'s' if len(extra) > 1 else ''}.")
                arguments, options = arguments[:places], {**options, **extra}
            return function(*arguments, **options)

        called.__dict__["earlier_arguments"] = renamed
        return called

    return decorate


def accept_earlier_fields(**renamed: str) -> Callable[[type[Kind]], type[Kind]]:
    """Decorate a dataclass to accept arguments by the earlier names of its fields; `renamed` maps earlier names to
    present ones."""

    def decorate(kind: type[Kind]) -> type[Kind]:
        own: Any = vars(kind)["__init__"]
        own.__name__ = kind.__name__  # the name that the warning states
        setattr(kind, "__init__", accept_earlier_arguments(**renamed)(own))  # noqa: B010  # mypy refuses `kind.__init__`
        return kind

    return decorate


def earlier_attribute(earlier: str, present: str) -> property:
    """A property that returns the attribute `present` under its earlier name, with a deprecation warning."""

    def read(thing: Any) -> Any:
        warn_changed(f"{type(thing).__name__}: '{earlier}' is called '{present}' now.")
        return getattr(thing, present)

    return property(read, doc=f"Earlier name of `{present}`.")


def accept_earlier_names(kind: type, renamed: Mapping[str, str]) -> None:
    """For a class `kind` of a user, copy attributes that it defines under an earlier name to the present name, with a
    warning.

    Base classes call this function in `__init_subclass__`; `renamed` maps earlier names to present ones.
    """
    for earlier, present in renamed.items():
        if earlier in vars(kind) and present not in vars(kind):
            warnings.warn(
                f"{kind.__name__}: '{earlier}' is called '{present}' now. {ADVICE}",
                MultiloopDeprecationWarning,
                stacklevel=3,
            )
            setattr(kind, present, vars(kind)[earlier])
