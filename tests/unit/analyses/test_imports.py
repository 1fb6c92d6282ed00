"""The cost of importing: heavy libraries are imported only by the functions that need them."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    ("statement", "heavy"),
    [
        ("import multiloop", ("numpy", "casadi", "scipy", "matplotlib", "xarray", "pydantic")),
        ("from multiloop.analyses import *", ("scipy.signal", "matplotlib", "xarray")),
    ],
)
def test_importing_leaves_heavy_libraries_alone(statement, heavy):
    code = f"import sys; {statement}; print([name for name in {heavy!r} if name in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert found.strip() == "[]"
