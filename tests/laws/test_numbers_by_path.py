"""Numbers that become parameters by their path give the results of a mechanism described with other numbers.

Twenty numbers of each model are moved at once, by 1 % or, if they are zero, by 1e-3. Two independent ways: the numbers
are inputs of kernels compiled once for the described values, or the moved numbers are constants of new equations, which
the interpreter evaluates.
"""

from __future__ import annotations

from math import sin

import numpy as np
import pytest
from zoo import ZOO
from zoo.flexible import bending_four_bar

import multiloop as ml

MODELS = (
    *("four-bar", "slider-crank-worn", "3-RRR", "RSSR", "scotch-yoke", "watt", "five-bar-geared"),
    *("planetary", "cam-rocker", "RCCC", "geared-arm", "differential"),
)

COUNT = {"cam-rocker": 18}
"""Numbers that are moved if a model has fewer than twenty whose change leaves a valid description."""

ROUND_OFF = 1e-12
"""Largest difference, relative to the largest entry: both ways evaluate the same formulas in another order."""

BENDING_ROUND_OFF = 1e-11
"""The same for flexible beams, whose mass and stiffness matrices have entries of very different magnitude; measured:
3e-13."""

TIMES = (0.0, 0.05, 0.1)


def moved_numbers(mechanism: ml.Mechanism, count: int) -> dict[str, float]:
    """New values of numbers in a fixed random order, without those that alone contradict the description."""
    table = mechanism.numbers().variable
    paths = list(table)
    found: dict[str, float] = {}
    for k, place in enumerate(np.random.default_rng(1).permutation(len(paths)).tolist()):
        value = table[paths[place]].value
        new = {paths[place]: value * (1 + 0.01 * sin(k + 1)) if value else 1e-3 * sin(k + 1)}
        try:
            mechanism.with_numbers(new)
        except ml.ModelError:  # for instance a gear that no longer meshes, or a negative loss
            continue
        found |= new
        if len(found) == count:
            break
    return found


def largest_error(found, expected) -> float:
    size = max(float(np.abs(expected).max(initial=0.0)), 1e-300)
    return float(np.abs(np.asarray(found) - np.asarray(expected)).max(initial=0.0)) / size


@pytest.mark.parametrize("name", MODELS)
def test_kernels_of_parameters_agree_with_a_new_description(name):
    mechanism = ZOO[name].build()
    values = moved_numbers(mechanism, 20)
    assert len(values) == COUNT.get(name, 20)
    kernels = ml.compile(mechanism.parametrise(list(values)))
    described = mechanism.with_numbers(values)
    others = ml.compile(described, cuts=kernels.plan.cuts or None, target="interpreter")
    assert kernels.joints == others.joints
    v, a, tau = np.random.default_rng(2).standard_normal((3, kernels.equations.skeleton.rates))
    p = np.array([values[path] for path in kernels.mechanism.parameters])
    state = {"q": others.q, "v": v, "a": a, "tau": tau, "t": 0.1, "p": p}
    for one, other in ((kernels.forward, others.forward), (kernels.inverse, others.inverse)):
        found = one(**{array.name: state[array.name] for array in one.inputs if array.name in state})
        expected = other(
            **{array.name: state[array.name] for array in other.inputs if array.name in state and array.size}
        )
        pairs = zip(found, expected, strict=True) if isinstance(found, tuple) else [(found, expected)]
        for mine, theirs in pairs:
            assert largest_error(mine, theirs) < ROUND_OFF
        given = {array.name: state[array.name] for array in one.inputs if array.name in state}
        other_numbers = one(**given | {"p": 1.1 * p})
        assert np.abs(np.ravel(other_numbers[0]) - np.ravel(found[0])).max() > 0


@pytest.mark.parametrize("name", MODELS)
def test_inverse_of_parameters_agrees_with_a_new_description(name):
    mechanism = ZOO[name].build()
    values = moved_numbers(mechanism, 20)
    found = ml.inverse(mechanism.parametrise(list(values)), t=TIMES, parameters=values)
    expected = ml.inverse(mechanism.with_numbers(values), t=TIMES)
    for joint in expected.joints:
        assert largest_error(found[joint].load, expected[joint].load) < ROUND_OFF
    assert found.status == expected.status


@pytest.mark.parametrize("name", [name for name in MODELS if name != "RSSR"])
def test_batch_of_parameters_agrees_with_a_new_description(name):
    """Idle rotations, of the coupler of RSSR, are not computed by `batch`."""
    mechanism = ZOO[name].build()
    values = moved_numbers(mechanism, 20)
    nominal = {path: number.value for path, number in mechanism.numbers().items()}
    both = {path: np.array([nominal[path], value]) for path, value in values.items()}
    designs = ml.batch(mechanism.parametrise(list(values)), both, t=TIMES, keep="all")
    for k, described in enumerate((mechanism, mechanism.with_numbers(values))):
        expected = ml.inverse(described, t=TIMES)
        for joint, load in designs.load.items():
            assert largest_error(load[k], expected[joint].load) < ROUND_OFF
        for effort, course in designs.effort.items():
            assert largest_error(course[k], expected.effort_along(effort)) < ROUND_OFF


def bending_accelerations(mechanism, changes):
    """Accelerations by kernels of parameters, and by those of a new description."""
    kernels = ml.compile(mechanism.parametrise(list(changes)))
    others = ml.compile(mechanism.with_numbers(changes), cuts=kernels.plan.cuts)
    v, tau = np.random.default_rng(3).standard_normal((2, kernels.equations.skeleton.rates))
    p = np.array([changes[path] for path in kernels.mechanism.parameters])
    return kernels.forward(others.q, 0.1 * v, tau, p=p), others.forward(others.q, 0.1 * v, tau)


def test_all_numbers_of_a_uniform_beam_are_inputs():
    mechanism = bending_four_bar().without_drives()
    table = mechanism.numbers().matching("coupler").variable
    changes = {path: 1.02 * number.value for path, number in table.items() if number.value}
    names = ("length", "E", "density", "section.width", "section.height", "damping", "p.x")
    assert set(changes) == {f"coupler.{name}" for name in names}
    found, expected = bending_accelerations(mechanism, changes)
    assert largest_error(found, expected) < BENDING_ROUND_OFF


def test_mode_shapes_of_a_tapered_beam_are_held_fixed():
    """E and density scale the modes of a tapered beam, which stay exact; another height at one end changes them."""
    ends = (ml.rectangle(0.02, 0.01), ml.rectangle(0.02, 0.006))
    beam = ml.beam("coupler", length=0.9, E=70e9, density=2700, section=ends, markers={"p": 0.45})
    mechanism = ml.examples.four_bar().with_body(beam).without_drives()
    assert largest_error(*bending_accelerations(mechanism, {"coupler.E": 8e10})) < BENDING_ROUND_OFF
    error = largest_error(*bending_accelerations(mechanism, {"coupler.section.height": 0.011}))
    assert 1e-6 < error < 0.1
    with pytest.raises(ml.SolveError) as caught:
        ml.compile(mechanism.parametrise(["coupler.p.x"]))
    assert [fault.code for fault in caught.value.faults] == ["S10"]
    assert "'coupler.p.x'" in str(caught.value)
