"""Traced outputs agree with the quantities of results, which are computed from histories of joints and loads."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from zoo import ZOO
from zoo.flexible import BENDING

import multiloop as ml
from multiloop.dynamics.outputs import outputs_of_mechanism

CLOSE = 1e-7
"""Largest difference, relative to the largest magnitude of a quantity or to one SI unit: the multipliers are recovered
from reactions by a pseudo-inverse, which loses digits in badly conditioned mechanisms."""

QUICK = {
    "four-bar",
    "slider-crank-worn",
    "RSSR",
    "planetary",
    "cam-flat",
    "geared-arm",
    "bevel",
    "screw-jack",
}
MODELS = ZOO | BENDING


def known_quantities(result: ml.Result) -> Iterator[tuple[str, np.ndarray]]:
    """Quantities of a result by the names of the outputs; forces that equilibrium does not determine are left out."""
    for name, joint in result.joints.items():
        words = ["rate", "acceleration", "effort", "power"]
        forces = ("force", "moment", "load", "normal", "tangential")
        words += [word for word in forces if joint.determined]
        words += ["position", "contact", "motor_effort", "motor_rate", "pressure", "flow"]
        for word in words:
            if f"{name}.{word}" in outputs_of(result):
                yield f"{name}.{word}", getattr(joint, word)
    for name, load in result.loads.items():
        for word, values in load.values.items():
            yield f"{name}.{word}", values
        yield f"{name}.loss", load.loss
    for name, coupling in result.couplings.items():
        if coupling.determined:
            yield f"{name}.effort", coupling.effort
            yield f"{name}.power", coupling.power
            for joint, values in coupling.efforts.items():
                yield f"{name}.effort_{joint}", values
            for word, values in coupling.values.items():
                yield f"{name}.{word}", values
    for name, link in result.links.items():
        for word in ("eta", "eta_rate", "eta_acceleration"):
            yield f"{name}.{word}", getattr(link, word)
    dimensions = 2 if result.mechanism.planar else 3
    for body in result.poses:
        if body != "ground":
            yield f"{body}.position", result.poses[body][:, :dimensions, 3]
            yield f"{body}.velocity", result.velocity(f"{body}.origin")
            yield f"{body}.acceleration", result.acceleration(f"{body}.origin")
            yield f"{body}.angular_velocity", result.angular_velocity(body)
            marker = result.mechanism.body(body).marker_names[-1]
            yield f"{body}.{marker}.position", result.marker(f"{body}.{marker}")
    for word in ("power", "losses", "kinetic_energy", "potential_energy", "shaking_force", "shaking_moment"):
        yield f"mechanism.{word}", getattr(result, word)


def outputs_of(result: ml.Result):
    assert result.recorded is not None
    return outputs_of_mechanism(result.recorded.equations)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name not in QUICK)) for name in MODELS]
)
def test_outputs_are_the_quantities_of_results(name):
    mechanism = MODELS[name].build()
    if name in BENDING or not mechanism.drives:
        start = {} if mechanism.drives else ml.analyse(mechanism).assembly.coordinates()
        known = {joint: x for joint, x in start.items() if len(x)}
        result = ml.simulate(mechanism, until=0.01, samples=3, start=known)
    else:
        try:
            result = ml.inverse(mechanism, t=[0.0, 0.03, 0.05])
        except ml.SolveError:
            pytest.skip("no inverse dynamics: the mechanism has fewer drives than degrees of freedom")
    for output, expected in known_quantities(result):
        scale = max(1.0, float(np.abs(expected).max(initial=0.0)))
        np.testing.assert_allclose(
            result.output(output), expected, rtol=0, atol=CLOSE * scale, err_msg=output
        )
