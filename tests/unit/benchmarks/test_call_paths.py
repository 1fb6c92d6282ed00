"""A short script imports few modules, and a repeated call passes few files."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from multiloop.kernels import compiler_available

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def names() -> dict[str, list[str]]:
    """The modules and files that the benchmark `call_paths` counts, by its rows."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT))
        return {
            row["count of"]: row["names"]
            for row in importlib.import_module("benchmarks.call_paths").measure()
        }


def test_load_and_inverse_import_at_most_300_modules(names: dict[str, list[str]]) -> None:
    imported = names["modules imported by load and inverse"]
    assert {"multiloop", "multiloop.io.files", "multiloop.analyses.inverse"} <= set(imported)
    assert len(imported) <= 300
    others = ("analyses.simulate", "analyses.batch", "analyses.steady_states", "kernels.codegen", "view")
    assert not [name for name in imported if name.startswith(tuple(f"multiloop.{one}" for one in others))]


def test_a_warm_inverse_passes_fewer_than_60_files(names: dict[str, list[str]]) -> None:
    passed = names["files passed by a warm inverse"]
    assert {"analyses/inverse.py", "analyses/results/recorder.py", "symbols/traced.py"} <= set(passed)
    assert len(passed) < 60


@pytest.mark.skipif(not compiler_available(), reason="an interpreted run passes other files")
def test_a_warm_driven_simulate_passes_fewer_than_60_files(names: dict[str, list[str]]) -> None:
    passed = names["files passed by a warm simulate"]
    assert {"analyses/simulate.py", "kernels/runtime/time_loop.py", "symbols/traced.py"} <= set(passed)
    assert len(passed) < 60
