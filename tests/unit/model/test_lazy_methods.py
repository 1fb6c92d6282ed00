"""A lazy method has the signature and docstring of its declaration, and calls the function that implements it."""

import importlib
import inspect
import pkgutil

import pytest

import multiloop
from multiloop.model.lazy_methods import LAZY_METHODS, implemented_in


class House:
    """A class with lazy methods."""

    @implemented_in("multiloop.model.faults", "count_text")
    def count(self: int, one: str, many: str | None = None) -> str:
        """A number with its noun."""
        raise NotImplementedError


def public_packages():
    """Import all packages whose classes may have lazy methods."""
    for found in pkgutil.walk_packages(multiloop.__path__, "multiloop."):
        if found.name.split(".")[1] in ("model", "plan", "analyses"):
            importlib.import_module(found.name)


def test_all_lazy_methods_have_the_signature_of_their_function():
    public_packages()
    found = {name: entry for name, entry in LAZY_METHODS.items() if name.startswith("multiloop.")}
    assert len(found) >= 24
    for name, (method, module, function) in found.items():
        behind = inspect.signature(getattr(importlib.import_module(module), function))
        declared = inspect.signature(method)
        own, theirs = list(declared.parameters.values()), list(behind.parameters.values())
        assert own[0].name in ("self", "cls"), name
        assert own[1:] == theirs[1:], name
        assert declared.return_annotation == behind.return_annotation, name
        assert method.__doc__, name


def test_declared_method_shows_its_signature_and_docstring():
    assert str(inspect.signature(House.count)) == "(self: int, one: str, many: str | None = None) -> str"
    assert inspect.getdoc(House.count) == "A number with its noun."
    assert House.count.__qualname__ == "House.count"


def test_declared_method_calls_its_function():
    assert House.count(3, "joint") == "3 joints"
    assert House.count(2, "axis", many="axes") == "2 axes"


def test_declared_method_rejects_unknown_keywords(texts):
    with pytest.raises(TypeError) as caught:
        House.count(3, "axis", mayn="axes")
    texts(caught.value, "House.count()", "'mayn'", "'many'")


def test_declared_method_rejects_superfluous_arguments(texts):
    with pytest.raises(TypeError) as caught:
        House.count(3, "axis", "axes", 3)
    texts(caught.value, "House.count()", "at most 2", "3")
