"""Hypothesis draws the same examples in every run, whatever modules a worker has imported before."""

import importlib.util
import sys

from hypothesis import given, settings, strategies as st


def drawn_numbers():
    seen = []

    @settings(max_examples=300, derandomize=True, database=None)
    @given(st.floats(0.0, 50.0))
    def look(number):
        seen.append(number)

    look()
    return seen


def test_examples_do_not_depend_on_the_modules_that_are_loaded(tmp_path):
    """Hypothesis collects the constants of modules that are not installed packages, and draws them as examples."""
    before = drawn_numbers()
    path = tmp_path / "module_with_numbers.py"
    path.write_text("\n".join(f"A{k} = {17.123456 + k / 1000}" for k in range(500)), encoding="utf-8")
    spec = importlib.util.spec_from_file_location("module_with_numbers", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["module_with_numbers"] = module
    spec.loader.exec_module(module)
    try:
        assert drawn_numbers() == before
    finally:
        del sys.modules["module_with_numbers"]
