"""Flexible links: every formulation gives the same, forward and inverse, wherever the loop is cut."""

import numpy as np
import pytest
from laws.elastic_loops import BENT, MOVING, SPATIAL_RATES, SPATIAL_START, WHERE, four_bar, spatial_loop

import multiloop as ml
from multiloop.analyses.assemble import assemble_with_rates
from multiloop.dynamics.forward import METHODS
from multiloop.dynamics.inverse import InverseFunctions, effort_columns
from multiloop.kinematics import equations_of
from multiloop.plan import plan_at
from multiloop.topology import tree_of

AGREE = 1e-9
"""Of accelerations and forces, relative to the largest: six ways of solving the same stiff equations."""

BY_PENALTIES = 5e-8
"""Of forces by the augmented method: its penalties of 3e6 multiply the round-off of accelerations of 2e4 rad/s²."""


def agree(mechanism, cuts, start, rates, guess):
    """Accelerations of all joints, elastic ones and all reactions, by every method and for every tree."""
    found = {
        (method, cut): ml.forward(mechanism, start, rates=rates, guess=guess, method=method, cuts=[cut])
        for method in METHODS
        for cut in cuts
    }
    first = next(iter(found.values()))
    load = max(joint.load.max() for joint in first.joints.values())
    largest = max(np.abs(joint.acceleration).max() for joint in first.joints.values())
    for key, other in found.items():
        forces = AGREE if key[0] != "augmented" else BY_PENALTIES
        for name in first:
            one, two = first[name], other[name]
            assert two.acceleration == pytest.approx(one.acceleration, abs=AGREE * largest), (key, name)
            assert two.force == pytest.approx(one.force, abs=forces * load), (key, name)
            assert two.moment == pytest.approx(one.moment, abs=forces * load), (key, name)  # arms of a metre
        for name, link in first.links.items():
            size = np.abs(link.eta_acceleration).max()
            assert other.link(name).eta_acceleration == pytest.approx(
                link.eta_acceleration, abs=AGREE * size
            ), key


@pytest.mark.parametrize("frame", ["a", pytest.param("chord", marks=pytest.mark.slow)])
def test_all_formulations_agree_wherever_the_loop_is_cut(frame):
    """In the frame of the chord the inboard markers depend on the coordinates: bodies are placed from them backward."""
    agree(four_bar(frame), "ABCD", BENT, MOVING, WHERE)


@pytest.mark.slow
@pytest.mark.parametrize("frame", ["a", "chord"])
def test_all_formulations_agree_in_space(frame):
    start = SPATIAL_START | {"U": (0.3, -0.4), "S": (0.9, 0.1, 0.3, -0.2)}
    agree(spatial_loop(frame), "ABC", start, SPATIAL_RATES, {"rocker.b": (0.8, 0.1, 0.7)})


def state_with_forces(mechanism, cut):
    """A consistent motion under a known torque at A: q, v, a and reactions along one tree."""
    assembly, rates = assemble_with_rates(mechanism, BENT, WHERE, MOVING, 0.0)
    equations = equations_of(mechanism, tree_of(mechanism, [cut]))
    result = ml.forward(mechanism, BENT, rates=MOVING, guess=WHERE, cuts=[cut], efforts={"A": 3.7})
    v, a = np.zeros(equations.skeleton.rates), np.zeros(equations.skeleton.rates)
    for link in equations.skeleton.links:
        v[link.v], v[link.eta_rate] = rates[link.joint.name], rates[f"{link.body}.eta"]
        a[link.v] = np.atleast_1d(result[link.joint.name].acceleration[0])
        a[link.eta_rate] = result.link(link.body).eta_acceleration[0]
    return equations, assembly.coordinates_on(equations), v, a, result


@pytest.mark.parametrize("cut", ["C", "D"])
def test_all_inverse_formulations_give_back_the_torque_and_the_reactions(cut):
    mechanism = four_bar()
    equations, q, v, a, result = state_with_forces(mechanism, cut)
    B = effort_columns(equations, (("A", "angle"),))
    driven = mechanism.replace(actuators=[ml.Actuator("A")])
    blocks = plan_at(assemble_with_rates(driven, BENT, WHERE, MOVING, 0.0)[0], [cut]).determinacy.blocks
    functions, n = InverseFunctions(equations), equations.skeleton.rates
    known = {"q": q, "v": v, "a": a, "known": np.zeros(n)}
    choice = np.linalg.svd(equations.geometric_jacobian(q, np.zeros(0)))[2][
        equations.loop_constraints.count :
    ]
    for method in ("subsystem", "system", "virtual_work"):
        given = known | ({"choice": choice} if method == "virtual_work" else {})
        lam, tau = functions.traced_solution(method, B, None, blocks)(**given)
        assert tau == pytest.approx(3.7, abs=AGREE * 3.7), method
        assert np.abs(lam) == pytest.approx(np.abs(result[cut].force[0]), rel=AGREE), method
    wrenches, tau = functions.traced_traditional(B, None)(**known)
    assert tau == pytest.approx(3.7, abs=AGREE * 3.7)
    for k, joint in enumerate(mechanism.connections):
        found = wrenches.reshape(6, -1)[3:5, k]
        assert found == pytest.approx(result[joint.name].force[0], abs=AGREE * np.abs(wrenches).max()), (
            joint.name
        )
