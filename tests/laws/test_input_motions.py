"""Outputs per unit rate of the inputs agree with motions, energies and singular values computed without them."""

from __future__ import annotations

from contextlib import suppress

import numpy as np
import pytest
from zoo import ZOO

import multiloop as ml
from multiloop.dynamics.outputs import outputs_of_mechanism
from multiloop.dynamics.outputs.input_motions import input_motions_of
from multiloop.kinematics import equations_of
from multiloop.kinematics.conditioning import linearise_rows
from multiloop.kinematics.constraints import drive_targets

QUICK = {
    "four-bar",
    "four-bar-space",
    "slider-crank",
    "RSSR",
    "delta",
    "five-bar",
    "planetary",
    "6-UPS",
    "bennett",
}
"""Among them mechanisms with redundant constraints, with idle spins, with a gear, and with several inputs."""

CLOSE = 1e-9
"""Largest difference relative to the largest magnitude of a quantity, or to one SI unit: rates of the driven motion are
solved with a singular value decomposition, those of the outputs by reflections."""


def defined(name):
    """Whether the inputs determine the motion, and no constraint or prescribed motion of a marker moves on its own."""
    mechanism = ZOO[name].build()
    tree = ml.analyse(mechanism).tree
    equations = equations_of(mechanism, tree)
    plain = not any(motion.on_marker for motion in mechanism.drives)
    return plain and not equations.time_count and not input_motions_of(equations).refusal


def driven(name):
    if not defined(name):
        pytest.skip("the inputs do not determine the motion")
    try:
        return ml.inverse(ZOO[name].build(), t=[0.0, 0.03, 0.05])
    except ml.SolveError:
        pytest.skip("no inverse dynamics: the mechanism has fewer drives than degrees of freedom")


def rates_of_inputs(result):
    inputs = input_motions_of(result.recorded.equations).inputs
    planar, columns = result.mechanism.planar, []
    for one in inputs:
        rate = np.atleast_2d(result[one.joint].rate.T)
        columns.append(rate[result.mechanism.connection(one.joint).components(planar).index(one.component)])
    return np.column_stack(columns)


def close(found, expected, name):
    scale = max(1.0, float(np.abs(expected).max(initial=0.0)))
    np.testing.assert_allclose(found, expected, rtol=0, atol=CLOSE * scale, err_msg=name)


def zoo(quick):
    return [pytest.param(name, marks=[pytest.mark.slow] * (name not in quick)) for name in ZOO]


@pytest.mark.parametrize("name", zoo(QUICK))
def test_rates_are_the_sum_of_ratios_and_input_rates(name):
    """q̇ = Σ rᵢ θ̇ᵢ, v = J θ̇ and ω = J_ω θ̇ along a driven motion."""
    result = driven(name)
    rates, known = rates_of_inputs(result), outputs_of_mechanism(result.recorded.equations)
    for joint in result.joints:
        if f"{joint}.velocity_ratio" in known:
            ratio = result.output(f"{joint}.velocity_ratio").reshape(len(rates), -1)
            close((ratio * rates).sum(axis=1), result[joint].rate, joint)
    for body in result.mechanism.moving:
        marker = f"{body.name}.{body.marker_names[-1]}"
        for word, velocity in (("jacobian", "velocity"), ("angular_jacobian", "angular_velocity")):
            J = result.output(f"{marker}.{word}").reshape(len(rates), -1, rates.shape[1])
            expected = result.output(f"{marker}.{velocity}").reshape(len(rates), -1)
            close(np.einsum("trk,tk->tr", J, rates), expected, f"{marker}.{word}")
            if word == "jacobian":
                sigma = np.linalg.svd(J, compute_uv=False)
                with suppress(ml.SolveError):  # angles and lengths as inputs
                    found = result.output(f"{marker}.manipulability")  # the root of a determinant
                    close(found**2, sigma.prod(axis=1) ** 2, f"{marker}.manipulability")


@pytest.mark.parametrize("name", zoo({"four-bar", "four-bar-space", "slider-crank", "planetary", "bennett"}))
def test_reflected_inertia_is_that_of_the_kinetic_energy(name):
    """T = ½ I θ̇² in mechanisms with one input."""
    result = driven(name)
    rates = rates_of_inputs(result)
    if rates.shape[1] > 1:
        pytest.skip("several inputs")
    joint = input_motions_of(result.recorded.equations).inputs[0].joint
    inertia = result.output(f"{joint}.reflected_inertia")
    close(inertia * rates[:, 0] ** 2 / 2, result.kinetic_energy, name)


@pytest.mark.parametrize("name", zoo({"four-bar", "slider-crank", "five-bar", "delta"}))
def test_type_2_distance_is_that_of_the_driven_motion(name):
    """The distance (8.1) of loops and drives together, as `inverse` computes it at a position of the motion."""
    result = driven(name)
    motion, mechanism = result.recorded, result.mechanism
    if mechanism.actuators or result.plan.idle:
        pytest.skip("the inputs are not the drives, or idle spins have rows of their own")
    equations = equations_of(mechanism, motion.plan.tree, drive_targets(mechanism))
    found = result.output("mechanism.type_2_singularity_distance")
    for k, t in enumerate(result.time):
        s = np.concatenate([equations.time_values(float(t)), np.zeros(equations.drives.value_count)])
        expected = linearise_rows(equations, motion.arrays["q"][k], s, motion.p).singularity_distance
        assert found[k] == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("name", zoo({"four-bar", "four-bar-space", "slider-crank", "RSSR", "watt"}))
def test_transmission_angle_is_that_of_positions_and_velocities(name):
    """sin μ = |e · u| with positions of markers and the velocity of the joint from the motion."""
    result = driven(name)
    known = outputs_of_mechanism(result.recorded.equations)
    joints = [joint for joint in result.joints if f"{joint}.transmission_angle" in known]
    if not joints:
        pytest.skip("no coupler drives an output link")
    mechanism = result.mechanism
    for joint in joints:
        here, bodies = mechanism.connection(joint), {}
        for one in mechanism.connections:
            for end in (one.first, one.second):
                bodies.setdefault(end.partition(".")[0], []).append((one, end))
        for coupler in (here.first, here.second):
            body = coupler.partition(".")[0]
            others = [end for one, end in bodies[body] if one.name != joint]
            grounded = [one for one, _ in bodies[body] if "ground." in one.first + one.second]
            if len(others) == 1 and not grounded:
                e = result.marker(others[0]) - result.marker(coupler)
                u = result.velocity(coupler)
                sine = np.abs(np.einsum("ti,ti->t", e, u))
                sine = sine / np.linalg.norm(e, axis=1) / np.linalg.norm(u, axis=1)
                angle = result.output(f"{joint}.transmission_angle")
                if np.abs(np.sin(angle) - sine).max() < CLOSE:
                    break
        else:
            pytest.fail(f"{joint}: no coupler has this transmission angle")


# closed forms -----------------------------------------------------------------------------------------


def crank_rocker(angle, end):
    """The four-bar with its crank driven from an angle; `end` is a guess of the end of the coupler."""
    return ml.Mechanism(
        "crank-rocker",
        planar=True,
        gravity=(0, 0),
        bodies=[
            ml.ground(A=(0, 0), D=(0.4, 0)),
            ml.rod("crank", length=0.1, mass=1.0),
            ml.rod("coupler", length=0.35, mass=1.0),
            ml.rod("rocker", length=0.25, mass=1.0),
        ],
        joints=[
            ml.Revolute("A", "ground.A", "crank.a"),
            ml.Revolute("B", "crank.b", "coupler.a"),
            ml.Revolute("C", "coupler.b", "rocker.b"),
            ml.Revolute("D", "ground.D", "rocker.a"),
        ],
        drives=[ml.Motion("A", ml.motion_laws.constant_speed(1.0, start=float(angle)))],
        guess={"coupler.b": end},
    )


@pytest.fixture(scope="module")
def turned():
    """One turn of a four-bar with a = 0.1, b = 0.35, c = 0.25 and d = 0.4 m."""
    mechanism = crank_rocker(0.0, (0.35, 0.25))
    return ml.inverse(mechanism, t=np.linspace(0, 2 * np.pi, 73))


def test_transmission_angle_of_a_four_bar_by_the_law_of_cosines(turned):
    a, b, c, d = 0.1, 0.35, 0.25, 0.4
    diagonal = a**2 + d**2 - 2 * a * d * np.cos(turned["A"].position)
    cosine = (b**2 + c**2 - diagonal) / (2 * b * c)
    assert turned.output("C.transmission_angle") == pytest.approx(np.arccos(np.abs(cosine)), abs=1e-12)


def test_mechanical_advantage_is_the_ratio_of_efforts_without_inertia(turned):
    """The torque of the crank that balances a torque of 1 N m on the rocker, in a mechanism without mass effects."""
    rest = ml.inverse(
        turned.mechanism.replace(
            drives=[ml.Motion("A", ml.motion_laws.constant_speed(1e-6, start=0.7))],
            loads=[ml.Torque("load", "rocker", -1.0)],
        ),
        t=[0.0],
    )
    assert rest.output("D.mechanical_advantage") == pytest.approx(1 / rest["A"].effort, rel=1e-9)


def test_distances_vanish_where_the_links_are_in_line():
    """Type I at the turning points of the rocker, where crank and coupler are in line; type II is far."""
    a, b, c, d = 0.1, 0.35, 0.25, 0.4
    for reach in (b + a, b - a):  # distance from A to C
        angle = np.arccos((reach**2 + d**2 - c**2) / (2 * reach * d))
        crank = angle if reach > b else angle + np.pi
        mechanism = crank_rocker(crank, (reach * np.cos(angle), reach * np.sin(angle)))
        result = ml.forward(mechanism)
        assert result.output("D.type_1_singularity_distance") == pytest.approx(0.0, abs=1e-7)
        assert result.output("D.velocity_ratio") == pytest.approx(0.0, abs=1e-7)
        assert result.output("mechanism.type_2_singularity_distance")[0] > 0.1


def test_type_2_distance_vanishes_if_the_rocker_drives_and_crank_and_coupler_are_in_line():
    """The crank can then move although the rocker is locked."""
    a, b, c, d = 0.1, 0.35, 0.25, 0.4
    angle = np.arccos(((a + b) ** 2 + d**2 - c**2) / (2 * (a + b) * d))
    for offset, bound in ((0.0, 1e-7), (0.3, None)):
        mechanism = crank_rocker(angle + offset, (0.4 * np.cos(angle), 0.4 * np.sin(angle)))
        state = ml.forward(mechanism).initial
        led = mechanism.replace(drives=[], actuators=[ml.Actuator("D")])
        found = ml.forward(led, state).output("mechanism.type_2_singularity_distance")[0]
        assert found < bound if bound else found > 0.02
