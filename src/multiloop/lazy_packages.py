"""Packages that import a public name from its module at the first use of the name.

An analysis then imports only the modules that it needs. The `__init__` of such a package lists its names and their
modules once for Python, by `import_at_first_use`, and once for type checkers, under TYPE_CHECKING.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib import import_module
from types import ModuleType
from typing import Any


class LazyPackage(ModuleType):
    """The type of a package whose public names are imported at their first use."""

    _places: dict[str, tuple[str, str]]
    """For every public name, the module that defines it, relative to the package, and its name there."""

    def __getattr__(self, name: str) -> Any:
        if name not in self._places:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        module, inner = self._places[name]
        value = getattr(import_module(f"{self.__name__}.{module}"), inner)
        setattr(self, name, value)
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        """Assign an attribute; a function takes the place of the module of the same name that defines it.

        After importing the module `multiloop.analyses.inverse`, Python assigns it to the attribute `inverse` of the
        package, which is to be the function `inverse` always.
        """
        if isinstance(value, ModuleType) and self._places.get(name) == (name, name):
            value = getattr(value, name)
        super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._places})


def import_at_first_use(package: str, names: Mapping[str, str]) -> None:
    """Let a package import its public names at their first use.

    `package` is the `__name__` of the package, `names` the public names by module, separated by spaces; "public=inner"
    stands for a name that is called `inner` in its module.
    """
    places = {}
    for module, listed in names.items():
        for entry in listed.split():
            public, _, inner = entry.partition("=")
            places[public] = (module, inner or public)
    loaded = sys.modules[package]
    loaded.__dict__["_places"] = places
    loaded.__class__ = LazyPackage
