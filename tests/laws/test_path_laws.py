"""Does a driven motion stay closed, is it independent of the cuts, and does it count turns?"""

import numpy as np
import pytest
from laws.closed_positions import DRIVEN, TURNING, built, duration, followed, idle_joints, trees

import multiloop as ml
from multiloop.kinematics import joint_coordinates

CLOSED = 1e-12
"""Largest open row, relative to the mechanism's size: Newton's method converges to round-off."""


def open_rows(equations, path, p):
    """The largest row of all loops at every instant, relative to the mechanism's size."""
    rows = equations.loop_constraints.count
    s = np.zeros(equations.s.shape[0])
    scaled = [(equations.row_scale * equations.position_residual(instant.q, s, p))[:rows] for instant in path]
    return np.abs(scaled).max(axis=1, initial=0.0)


def readings(equations, path, p):
    """Coordinates of all joints at every instant, with continuous angles."""
    near, found = None, []
    for instant in path:
        near = joint_coordinates(equations, instant.q, p, near)
        found.append(near)
    return {joint: np.array([q[joint] for q in found]) for joint in found[0]}


@pytest.mark.parametrize("name", TURNING)
def test_all_loops_stay_closed_over_a_full_turn(name):
    times = np.linspace(0.0, duration(name), 181)
    equations, path = followed(name, trees(name)[0], times)
    assert [instant.t for instant in path] == list(times)
    assert open_rows(equations, path, equations.skeleton.parameter_values).max() <= CLOSED


@pytest.mark.parametrize("name", [name for name in DRIVEN if name not in TURNING])
def test_all_loops_stay_closed_to_and_fro(name):
    times = np.linspace(0.0, duration(name), 31)
    equations, path = followed(name, trees(name)[0], times)
    assert open_rows(equations, path, equations.skeleton.parameter_values).max() <= CLOSED


def unwound(joint, values, planar):
    """Angles shifted to an initial value within ±π, quaternions with the sign that is positive initially."""
    values = np.array(values)
    if joint.positions(planar) != len(joint.components(planar)):
        first = values[0, -4:]
        sign = np.sign(first[np.argmax(np.abs(first))])
        values[:, -4:] *= sign
    for column, turns in enumerate(joint.turning(planar)):
        if turns:
            values[:, column] -= 2 * np.pi * np.round(values[0, column] / (2 * np.pi))
    return values


@pytest.mark.parametrize("name", [name for name in DRIVEN if name != "ladder-20"])
def test_every_joint_goes_the_same_way_whatever_is_cut(name):
    mechanism, planar = built(name), built(name).planar
    times = np.linspace(0.0, duration(name), 25)
    still = idle_joints(name)
    seen = []
    for tree in trees(name):
        equations, path = followed(name, tree, times)
        read = readings(equations, path, equations.skeleton.parameter_values)
        seen.append(
            {j: unwound(mechanism.connection(j), q, planar) for j, q in read.items() if j not in still}
        )
    for tree, other in zip(trees(name)[1:], seen[1:], strict=True):
        for joint, q in other.items():
            # Loops closed to 1e-15 and joints that move up to 1e3 times as much near singular positions.
            assert q == pytest.approx(seen[0][joint], abs=1e-11), (joint, tree.cuts)


@pytest.mark.parametrize("name", TURNING)
def test_angles_run_on_over_three_turns_and_advance_by_whole_turns(name):
    mechanism, planar = built(name), built(name).planar
    times = np.linspace(0.0, 3 * duration(name), 3 * 72 + 1)
    turning = {
        joint.name: joint.turning(planar).index(True)
        for joint in mechanism.connections
        if any(joint.turning(planar)) and joint.name not in idle_joints(name)
    }
    for tree in trees(name, 2):
        equations, path = followed(name, tree, times)
        read = readings(equations, path, equations.skeleton.parameter_values)
        drive = mechanism.drives[0].of
        advance = read[drive][-1, 0] - read[drive][0, 0]
        assert abs(advance) == pytest.approx(6 * np.pi, abs=1e-12)
        for joint, column in turning.items():
            angle = read[joint][:, column]
            # 5° of the drive per step; no joint of the test models is 25 times as fast, and a lost turn is 360°.
            assert np.abs(np.diff(angle)).max() < 2.2, joint
            turns = (angle[-1] - angle[0]) / (2 * np.pi)
            assert turns == pytest.approx(round(turns), abs=1e-11), joint
            # The same in every turn: three times what one turn gives.
            third = (angle[72] - angle[0]) / (2 * np.pi)
            assert turns == pytest.approx(3 * third, abs=1e-11), joint


def test_the_public_result_counts_turns_too():
    """Four-bar: the crank makes three turns, the coupler turns back relative to it, the rocker oscillates."""
    mechanism = built("four-bar")
    result = ml.inverse(mechanism, t=np.linspace(0.0, 3 * duration("four-bar"), 109))
    turns = {
        joint: (result[joint].position[-1] - result[joint].position[0]) / (2 * np.pi) for joint in "ABCD"
    }
    assert turns == pytest.approx({"A": 3.0, "B": -3.0, "C": 0.0, "D": 0.0}, abs=1e-12)
    assert result.constraint_violation.max() <= CLOSED


@pytest.mark.parametrize("name", ["four-bar", "RSUR", "cardan-shaft"])
def test_going_back_leads_where_it_came_from(name):
    end = duration(name)
    there_and_back = np.concatenate([np.linspace(0, end / 3, 20), [end / 9, 0.0]])
    _, path = followed(name, trees(name)[0], there_and_back)
    # There is no hysteresis: the position is a function of time.
    assert path[-1].q == pytest.approx(path[0].q, abs=1e-12)
    assert path[-1].v == pytest.approx(path[0].v, abs=1e-10)


@pytest.mark.parametrize("part", [0.31, 0.47, 1.0])
@pytest.mark.parametrize("name", ["scraper-C", "four-bar", "watt", "RSUR", "bennett"])
def test_a_long_step_is_cut_into_short_ones_that_stay_in_the_assembly_mode(name, part):
    """Steps of up to a whole turn give the same position as eighty steps."""
    end = part * duration(name)
    _, short = followed(name, trees(name)[0], np.linspace(0, end, 81))
    _, long = followed(name, trees(name)[0], np.array([0, end]))
    assert long[-1].q == pytest.approx(short[-1].q, abs=1e-11)
    assert long[-1].v == pytest.approx(short[-1].v, abs=1e-9)
