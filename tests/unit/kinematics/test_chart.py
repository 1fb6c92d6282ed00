"""Do coordinates move in their tangent space correctly, quaternions and lengths included?"""

import casadi as ca
import numpy as np
import pytest
from zoo import ZOO

from multiloop.kinematics.tree import rotate_quaternion
from multiloop.kinematics.tree.chart import Chart
from multiloop.kinematics.tree.skeleton import build_skeleton
from multiloop.topology import tree_of


def chart_of(name):
    mechanism = ZOO[name].build()
    return Chart(build_skeleton(mechanism, tree_of(mechanism)))


def rotation(axis, angle):
    return np.concatenate([[np.cos(angle / 2)], np.sin(angle / 2) * np.array(axis, float)])


def test_a_turn_about_an_axis_is_the_quaternion_of_that_turn():
    e = rotate_quaternion(np.array([1.0, 0, 0, 0]), np.array([0, 0, 0.7]))
    assert e == pytest.approx(rotation((0, 0, 1), 0.7), abs=1e-15)


def test_turns_are_taken_in_the_fixed_frame():
    """First about x, then about the fixed z: R_z R_x."""
    e = rotate_quaternion(
        rotate_quaternion(np.array([1.0, 0, 0, 0]), np.array([0.4, 0, 0])), np.array([0, 0, 0.7])
    )
    c, s = np.cos(0.35), np.sin(0.35)
    cx, sx = np.cos(0.2), np.sin(0.2)
    assert e == pytest.approx([c * cx, c * sx, s * sx, s * cx], abs=1e-15)


@pytest.mark.parametrize("step", [0.0, 1e-12, 1e-3, 2.0, 7.0])
def test_a_quaternion_keeps_its_length(step):
    e = rotate_quaternion(rotation((0.6, 0.0, 0.8), 1.1), step * np.array([0.3, -0.5, 0.8]))
    assert np.linalg.norm(e) == pytest.approx(1.0, abs=1e-15)


@pytest.mark.parametrize("name", ["RSSR", "floating-base", "spatial-chain-6", "excavator"])
def test_a_small_step_follows_the_rate_map(name):
    """q(h) = q + h E(q) v + O(h²)."""
    chart = chart_of(name)
    rng = np.random.default_rng(5)
    q = chart.apply_step(chart.skeleton.neutral_position, rng.normal(size=chart.skeleton.rates))
    v, h = rng.normal(size=chart.skeleton.rates), 1e-6
    E = np.array(chart.rate_map(ca.DM(q)))
    # Central differences: h² of the third derivative and round-off over h.
    found = (chart.apply_step(q, h * v) - chart.apply_step(q, -h * v)) / (2 * h)
    assert found == pytest.approx(E @ v, abs=1e-9)


def test_distance_counts_lengths_in_characteristic_lengths_and_turns_in_radians():
    chart = chart_of("floating-base")
    q, L = chart.skeleton.neutral_position, chart.skeleton.characteristic_length
    step = np.zeros(chart.skeleton.rates)
    link = chart.skeleton.link_of_joint["floats"]
    step[link.v.start] = 0.3 * L
    assert chart.distance(q, chart.apply_step(q, step)) == pytest.approx(0.3)
    step = np.zeros(chart.skeleton.rates)
    step[link.v.stop - 1] = 1e-3
    # 1 − cos(θ/2) from doubles leaves 1e-16 / θ² of error.
    assert chart.distance(q, chart.apply_step(q, step)) == pytest.approx(1e-3, rel=1e-6)
    assert chart.distance(q, q) == 0.0


def test_a_quaternion_and_its_negative_are_the_same_place():
    chart = chart_of("floating-base")
    q = chart.skeleton.neutral_position.copy()
    link = chart.skeleton.link_of_joint["floats"]
    other = q.copy()
    other[link.q.stop - 4 : link.q.stop] *= -1
    assert chart.distance(q, other) == pytest.approx(0.0, abs=1e-12)


def test_slides_are_scaled_and_angles_are_not():
    chart = chart_of("slider-crank")
    length = chart.skeleton.characteristic_length
    assert length == pytest.approx(0.2)
    scales = {name: chart.rate_units[link.v.start] for name, link in chart.skeleton.link_of_joint.items()}
    assert scales == {name: length if name == "guide" else 1.0 for name in scales}
    assert "guide" in scales


@pytest.mark.parametrize("name", ["RSSR", "slider-crank", "6-UPS"])
def test_a_step_between_two_positions_is_the_step_that_was_taken(name):
    chart = chart_of(name)
    q = chart.apply_step(chart.skeleton.neutral_position, 0.3 * np.sin(1.0 + np.arange(chart.skeleton.rates)))
    step = 1e-3 * np.cos(np.arange(chart.skeleton.rates))
    moved = chart.apply_step(q, step)
    assert chart.step_between(q, moved) == pytest.approx(step, abs=1e-9)
    half = chart.midpoint(q, moved)
    assert chart.step_between(q, half) == pytest.approx(step / 2, abs=1e-9)
    for place, _ in chart.quaternions:
        moved[place] *= -1
    assert chart.step_between(q, moved) == pytest.approx(step, abs=1e-9)
    assert chart.midpoint(q, moved) == pytest.approx(half, abs=1e-15)
