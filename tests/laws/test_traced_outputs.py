"""Outputs of results agree with formulas of other quantities of the same result, evaluated with NumPy.

Powers, magnitudes, forces on the frame, contact forces, motor quantities and velocities of markers are computed here
from forces, rates, poses and contact geometry; the traces of the outputs do not share these formulas.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from laws.recorded_results import short_result
from zoo import ZOO
from zoo.flexible import BENDING

import multiloop as ml
from multiloop.dynamics.outputs import outputs_of_mechanism
from multiloop.model import value_of
from multiloop.model.motors import motor_ratios

CLOSE = 1e-10
"""Largest difference, relative to the largest magnitude of a quantity or to one SI unit: shaking forces are sums of
forces of opposite signs."""

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


def expected_quantities(result: ml.Result) -> Iterator[tuple[str, np.ndarray]]:
    """Quantities by the names of the outputs, computed from other quantities."""
    yield from of_joints(result)
    yield from of_contacts(result)
    yield from of_bodies(result)
    yield from of_the_mechanism(result)


def of_joints(result: ml.Result) -> Iterator[tuple[str, np.ndarray]]:
    ratios = motor_ratios(result.mechanism, result.mechanism.parameters)
    for name, joint in result.joints.items():
        yield f"{name}.load", np.sqrt((joint.force**2).sum(axis=1))
        moment = np.reshape(joint.moment, (len(result.time), -1))
        yield f"{name}.moment_size", np.sqrt((moment**2).sum(axis=1))
        if joint.effort.size:
            yield f"{name}.power", (np.atleast_2d(joint.effort.T) * np.atleast_2d(joint.rate.T)).sum(axis=0)
        if name in ratios and joint.effort.ndim == 1:
            yield f"{name}.motor_effort", joint.effort / ratios[name]
            yield f"{name}.motor_rate", joint.rate * ratios[name]


def of_contacts(result: ml.Result) -> Iterator[tuple[str, np.ndarray]]:
    """Normal and tangential forces; the pressure angle is that of the normal and the velocity of the driven point."""
    for name, joint in result.joints.items():
        if "normal" not in joint.values:
            continue
        n, v = result.output(f"{name}.contact_normal"), result.output(f"{name}.driven_velocity")
        yield f"{name}.contact_normal", n / np.linalg.norm(n, axis=1)[:, None]
        normal = (joint.force * n).sum(axis=1)
        rest = joint.force - normal[:, None] * n
        turned = np.column_stack([-n[:, 1], n[:, 0]])
        across = (rest * turned).sum(axis=1) if n.shape[1] == 2 else np.linalg.norm(rest, axis=1)
        yield f"{name}.normal", normal
        yield f"{name}.tangential", across
        moves, along = np.linalg.norm(v, axis=1) > 1e-6, (n * v).sum(axis=1)
        across = np.linalg.norm(v - along[:, None] * n, axis=1)
        angle = result.output(f"{name}.pressure_angle")
        yield f"{name}.pressure_angle", np.where(moves, np.arctan2(across, np.abs(along)), angle)


def of_bodies(result: ml.Result) -> Iterator[tuple[str, np.ndarray]]:
    """Rigid-body kinematics: v_b = v_a + ω × (b − a) for every marker of a rigid body."""
    d = 2 if result.mechanism.planar else 3
    for body, X in result.poses.items():
        if body == "ground" or result.mechanism.body(body).elastic:
            continue
        yield f"{body}.position", X[:, :d, 3]
        marker = result.mechanism.body(body).marker_names[-1]
        lever = result.marker(f"{body}.{marker}") - X[:, :d, 3]
        omega = result.angular_velocity(body)
        turned = np.column_stack([-lever[:, 1], lever[:, 0]])
        swept = omega[:, None] * turned if d == 2 else np.cross(omega, lever)
        yield f"{body}.{marker}.velocity", result.output(f"{body}.velocity") + swept


def of_the_mechanism(result: ml.Result) -> Iterator[tuple[str, np.ndarray]]:
    count = len(result.time)
    parts = [*result.joints.values(), *result.loads.values(), *result.couplings.values()]
    yield "mechanism.power", np.zeros(count) + sum(one.power for one in parts)
    lossy = [*result.loads.values(), *result.links.values()]
    yield "mechanism.losses", np.zeros(count) + sum(one.loss for one in lossy)
    yield "mechanism.energy", result.kinetic_energy + result.potential_energy
    force, moment = forces_on_the_frame(result)
    yield "mechanism.shaking_force", force
    yield "mechanism.shaking_moment", moment


def forces_on_the_frame(result: ml.Result) -> tuple[np.ndarray, np.ndarray]:
    """Force and moment about the inertial origin: of loads and couplings, and minus those that the ground exerts at its
    joints."""
    planar, count = result.mechanism.planar, len(result.time)
    total = np.zeros((count, 6)) if result.on_frame is None else result.on_frame.copy()
    for joint in result.joints.values():
        bodies = (joint.first.partition(".")[0], joint.second.partition(".")[0])
        if "ground" not in bodies:
            continue
        sign = -1.0 if bodies[0] == "ground" else 1.0
        f = spatial(joint.force + joint.effort_force, planar, force=True)
        n = spatial(joint.moment + joint.effort_moment, planar, force=False)
        r = spatial(result.marker(joint.second), planar, force=True)
        total += sign * np.column_stack([n + np.cross(r, f), f])
    return (total[:, 3:5], total[:, 2]) if planar else (total[:, 3:], total[:, :3])


def spatial(values: np.ndarray, planar: bool, *, force: bool) -> np.ndarray:
    """Vectors in space, instants × 3, from planar forces (x, y) or moments (about z)."""
    if not planar:
        return values
    zero = np.zeros(len(values))
    return np.column_stack([values, zero] if force else [zero, zero, values])


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name not in QUICK)) for name in MODELS]
)
def test_outputs_agree_with_formulas_of_other_quantities(name):
    result = short_result(MODELS[name].build())
    for output, expected in expected_quantities(result):
        scale = max(1.0, float(np.abs(expected).max(initial=0.0)))
        np.testing.assert_allclose(
            result.output(output), expected, rtol=0, atol=CLOSE * scale, err_msg=output
        )


@pytest.mark.parametrize("name", ["bending bell crank", "bending four-bar"])
def test_velocities_are_derivatives_of_positions(name):
    """Frames of flexible bodies and their markers, by central differences; a frame is no marker of its body."""
    mechanism = MODELS[name].build()
    times = np.linspace(0.0, 0.01, 201)
    start = {} if mechanism.drives else short_result(mechanism).initial
    run = ml.simulate(mechanism, until=0.01, samples=times, start=start)
    for body in mechanism.moving:
        for reference in (body.name, *(f"{body.name}.{marker}" for marker in body.marker_names)):
            slope = np.gradient(run.output(f"{reference}.position"), times, axis=0)[2:-2]
            found = run.output(f"{reference}.velocity")[2:-2]
            assert np.abs(slope - found).max() < 1e-3 * max(1.0, np.abs(found).max()), reference


@pytest.mark.parametrize("name", ["four-bar", "RSSR", "bending four-bar"])
def test_the_momentum_is_that_of_the_mass_centre(name):
    """Linear momentum = Σ m × the rate of the mass centre, by central differences."""
    mechanism = MODELS[name].build()
    times = np.linspace(0.0, 0.01, 201)
    start = {} if mechanism.drives else short_result(mechanism).initial
    run = ml.simulate(mechanism, until=0.01, samples=times, start=start)
    mass = sum(value_of(body.mass) for body in mechanism.moving)
    rate = np.gradient(run.output("mechanism.mass_centre"), times, axis=0)[2:-2]
    momentum = run.output("mechanism.momentum")[2:-2]
    assert np.abs(mass * rate - momentum).max() < 1e-3 * np.abs(momentum).max()


def test_the_quick_models_exist():
    assert set(MODELS) >= QUICK


def test_every_recorded_output_has_values():
    result = short_result(ZOO["slider-crank-worn"].build())
    for name, output in outputs_of_mechanism(result.recorded.equations).items():
        values = result.output(name)
        assert values.shape == ((3, output.size) if output.components else (3,)), name
