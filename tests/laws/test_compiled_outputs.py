"""Compiled outputs, in C for one state and in vector C for many, agree with the outputs of results.

Results evaluate outputs with the interpreter of CasADi; `ml.compile(...).outputs` generates C from the same traces.
"""

from __future__ import annotations

import numpy as np
import pytest
from laws.recorded_results import short_result
from zoo import ZOO
from zoo.flexible import BENDING

import multiloop as ml
from multiloop.dynamics.outputs import Output, outputs_of_mechanism

ROUND_OFF = 1e-12
"""Largest difference, relative to the largest magnitude of the output or to one SI unit: sums are ordered
differently, and vector C has its own sine and cosine."""

QUICK = {"four-bar", "RSSR", "cam-flat", "geared-arm", "slider-crank-worn", "bevel"}
MODELS = ZOO | BENDING


def compiled_outputs(result: ml.Result) -> list[Output]:
    """All outputs that can be traced; flags are left out, since a difference of round-off may change them."""
    known = outputs_of_mechanism(result.recorded.equations).values()
    return [one for one in known if one.trace is not None and one.unit != "yes or no"]


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name not in QUICK)) for name in MODELS]
)
def test_c_and_vector_c_agree_with_results(name):
    result = short_result(MODELS[name].build())
    listed = compiled_outputs(result)
    plan = result.plan
    kernel = ml.Kernels(plan, "sslm", "c").outputs([one.name for one in listed])
    columns = {array.name: result.recorded.columns[array.name] for array in kernel.inputs}
    many = kernel.batch(**columns)
    alone = kernel(**{key: part if key == "p" else part[:, -1] for key, part in columns.items()})
    scales = largest_by_unit(result, listed)
    for k, one in enumerate(listed):
        expected = comparable(one, result.output(one.name).reshape(len(result.time), -1))
        together = comparable(one, np.broadcast_to(np.reshape(many[k], (one.size, -1)).T, expected.shape))
        scale = np.array([scales.get(unit, 1.0) for unit in one.units])
        np.testing.assert_allclose(together / scale, expected / scale, atol=ROUND_OFF, err_msg=one.name)
        last = comparable(one, np.ravel(alone[k]))
        np.testing.assert_allclose(last / scale, expected[-1] / scale, atol=ROUND_OFF, err_msg=one.name)


def comparable(output: Output, values: np.ndarray) -> np.ndarray:
    """The values, or the reciprocals of a mechanical advantage, which is infinite where the joint is at rest."""
    return 1 / values if output.quantity == "mechanical_advantage" else values


def largest_by_unit(result: ml.Result, outputs: list[Output]) -> dict[str, float]:
    """The largest magnitude of all outputs by unit, at least 1: moments may be round-off of forces times lengths."""
    found: dict[str, float] = {}
    for one in outputs:
        values = np.abs(comparable(one, result.output(one.name).reshape(len(result.time), -1)))
        for unit, most in zip(one.units, values.max(axis=0), strict=True):
            found[unit] = max(found.get(unit, 1.0), float(most))
    found["N m"] = max(found.get("N m", 1.0), found.get("N", 1.0) * result.plan.length)
    return found
