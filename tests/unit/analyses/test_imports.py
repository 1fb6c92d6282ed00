"""The cost of importing: heavy libraries are imported only by the functions that need them."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    ("module", "heavy"),
    [
        ("multiloop", ("numpy", "casadi", "scipy", "matplotlib", "xarray", "pydantic")),
        ("multiloop.analyses", ("scipy.signal", "matplotlib", "xarray")),
    ],
)
def test_importing_leaves_heavy_libraries_alone(module, heavy):
    code = f"import sys, {module}; print([name for name in {heavy!r} if name in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert found.strip() == "[]"
