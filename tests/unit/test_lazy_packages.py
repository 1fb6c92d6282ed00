"""Packages that import their public names at first use: every name, in every order of imports."""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType

import pytest

import multiloop as ml

SRC = Path(ml.__file__).parents[1]
PACKAGES = [
    ".".join(path.parent.relative_to(SRC).parts)
    for path in sorted(SRC.rglob("__init__.py"))
    if "import_at_first_use" in path.read_text()
]
SHARED = [
    name
    for name in import_module("multiloop.analyses").__all__
    if (SRC / f"multiloop/analyses/{name}.py").exists()
]
"""Functions of `multiloop.analyses` whose modules have the same name."""


def static_imports(package: str) -> dict[str, tuple[str, str]]:
    """For every name that the `__init__` imports for type checkers, its module and its name there."""
    tree = ast.parse((SRC / package.replace(".", "/") / "__init__.py").read_text())
    guarded = [node for node in tree.body if isinstance(node, ast.If)]
    return {
        entry.asname or entry.name: ((statement.module or "").removeprefix(f"{package}."), entry.name)
        for node in guarded
        for statement in node.body
        if isinstance(statement, ast.ImportFrom)
        for entry in statement.names
    }


@pytest.mark.parametrize("package", PACKAGES)
def test_both_lists_of_a_package_agree(package: str) -> None:
    loaded = import_module(package)
    assert static_imports(package) == loaded._places
    assert set(loaded._places) <= set(loaded.__all__) <= set(dir(loaded))


@pytest.mark.parametrize("package", PACKAGES)
def test_every_public_name_is_what_its_module_defines(package: str) -> None:
    loaded = import_module(package)
    for name, (module, inner) in static_imports(package).items():
        assert getattr(loaded, name) is getattr(import_module(f"{package}.{module}"), inner), name


def test_there_are_functions_with_the_names_of_their_modules() -> None:
    assert len(SHARED) > 8
    assert {"inverse", "simulate", "batch"} <= set(SHARED)


@pytest.mark.parametrize("name", SHARED)
def test_a_function_takes_the_place_of_its_module(name: str) -> None:
    analyses, module = import_module("multiloop.analyses"), import_module(f"multiloop.analyses.{name}")
    kept = getattr(analyses, name)
    try:
        setattr(analyses, name, module)  # as Python does after importing the module
        assert isinstance(module, ModuleType)
        assert isinstance(getattr(analyses, name), FunctionType)
        assert getattr(analyses, name) is kept is getattr(ml, name)
    finally:
        setattr(analyses, name, kept)


@pytest.mark.parametrize(
    "first",
    [
        "import multiloop.analyses.inverse",
        "from multiloop.analyses.inverse import inverse",
        "import multiloop.analyses.simulate, multiloop.analyses.batch",
        "import multiloop as ml; ml.simulate; ml.batch",
    ],
)
def test_functions_are_imported_after_their_modules(first: str) -> None:
    """In a new process, where no other test has imported the names."""
    then = "from multiloop.analyses import batch, inverse, simulate"
    kinds = "print(*(type(one).__name__ for one in (batch, inverse, simulate)))"
    script = "\n".join([first, then, kinds])
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["function"] * 3


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match=r"module 'multiloop\.analyses' has no attribute 'invers'"):
        import_module("multiloop.analyses").invers  # noqa: B018
    with pytest.raises(ImportError, match="cannot import name 'invers'"):
        exec("from multiloop.analyses import invers")
