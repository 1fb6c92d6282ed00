"""Every module of the benchmarks can be imported, also after changes of the package."""

import importlib
import pkgutil
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]

PEERS = ("mujoco", "pinocchio", "exudyn", "cupy")
"""Optional libraries; a module that needs one of them is skipped if it is not installed."""


def modules():
    """Names of all modules except `__main__`, which runs them."""
    walked = pkgutil.walk_packages([str(ROOT / "benchmarks")], "benchmarks.")
    return sorted(found.name for found in walked if not found.name.endswith("__main__"))


@pytest.fixture(autouse=True)
def _beside_the_package(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT))


def test_there_are_benchmarks():
    assert len(modules()) > 30


@pytest.mark.parametrize("name", modules())
def test_it_can_be_imported(name):
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing not in PEERS:
            raise
        pytest.skip(f"{name} needs {missing}, which is not installed")
    assert name in sys.modules
