"""Every variable of the dataset of every test model and example is what it was when it was recorded."""

from __future__ import annotations

import numpy as np
import pytest

from golden.datasets import Variables, cases, read

CASES, RECORDED = cases(), read()
QUICK = {
    "inverse four-bar",
    "inverse RSSR",
    "inverse planetary",
    "inverse cam-flat",
    "simulate four-bar",
    "simulate RSSR",
    "simulate bending four-bar",
    "ask slider_crank",
    "ask belt_drive",
    "ask over_centre_clamp",
}
"""Cases of every kind that take less than a second; the others are compared in `make test-slow`."""

RELATIVE = 1e-9
"""Difference that counts as round-off, relative to the largest magnitude among all variables of the same unit. Without
fused operations (`CC="gcc -mno-fma"`) the variables of all cases but the `SENSITIVE` ones differ by less than 2e-10."""

LEAST = 1e-3
"""Smallest magnitude, in SI units, to which differences are related."""

SENSITIVE = {
    "simulate bending rod on a planet": 3e-8,
    "ask over_centre_clamp": 3e-8,
    "ask governor": 3e-8,
    "ask spatial_manipulator": 1e-7,
    "ask bell_crank": 1e-5,
}
"""Ten times the difference without fused operations, where it exceeds `RELATIVE`: stiff flexible links and springs turn
round-off of positions into accelerations; the bell crank is at rest but for these."""


@pytest.mark.parametrize(
    "case", [pytest.param(name, marks=[pytest.mark.slow] * (name not in QUICK)) for name in RECORDED]
)
def test_every_variable_is_the_same(case: str) -> None:
    found, recorded = CASES[case](), RECORDED[case]
    assert found.keys() == recorded.keys()
    sizes = _sizes(recorded)
    for name, values in recorded.items():
        if values.dtype.kind == "U":
            assert found[name].tolist() == values.tolist(), name
        else:
            scale = sizes.get(_unit(recorded, name), 0.0)
            np.testing.assert_allclose(
                found[name], values, rtol=RELATIVE, atol=RELATIVE * scale, err_msg=name
            )


def _unit(variables: Variables, name: str) -> str:
    return str(variables.get(f"{name} | dims", [""])[-1])


def _sizes(variables: Variables) -> dict[str, float]:
    """The largest magnitude among all variables of the same unit."""
    sizes: dict[str, float] = {}
    for name, values in variables.items():
        if values.dtype.kind != "U":
            size = float(np.abs(values[np.isfinite(values)]).max(initial=0.0))
            sizes[_unit(variables, name)] = max(sizes.get(_unit(variables, name), 0.0), size)
    return sizes
