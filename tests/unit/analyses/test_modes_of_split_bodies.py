"""Are positions the same with friction in every joint, so that a body is split to open each loop?"""

import numpy as np
import pytest
from zoo.linkages import watt
from zoo.rssr import rssr_of_revolutes
from zoo.twisted_loops import rccc

import multiloop as ml
from multiloop.model.marker_poses import marker_pose, nominal_value
from multiloop.spatial import Pose, numeric


def rough(mechanism):
    """The mechanism with friction along the first coordinate of every joint, so that no joint may be cut."""
    loads = [
        ml.Friction(
            f"friction of {joint.name}", joint.name, joint.components(mechanism.planar)[0], effort=0.1
        )
        for joint in mechanism.binary_joints
    ]
    return mechanism.replace(loads=[*mechanism.loads, *loads])


CASES = {
    "four-bar": (ml.examples.four_bar, {"A": 1.0}),
    "six-bar": (watt, {"A": 0.7}),
    "slider-crank": (ml.examples.slider_crank, {"O": 0.6}),
    "RSSR of revolutes": (rssr_of_revolutes, {"A": 0.4}),
    "3-RRR": (ml.examples.three_rrr, {"A1": 1.04, "A2": 4.1883, "A3": 5.7637}),
    "RCCC": (rccc, {"B": 0.5}),
    "scissor lift": (ml.examples.scissor_lift, {"cylinder": 0.6}),
}


def relative_pose(state, joint):
    """Pose of the second marker of a joint in the first, from the poses of the bodies alone."""
    mechanism, ends = state.mechanism, []
    for reference in (joint.first, joint.second):
        X = state.poses[reference.partition(".")[0]]
        local = marker_pose(mechanism.marker(reference), nominal_value, mechanism.planar)
        ends.append(Pose(X[:, :3], X[:, 3]) @ local)
    return ends[0].inverse() @ ends[1]


def largest_opening(state):
    """Largest difference between the pose of a joint's markers and that of its coordinates."""
    worst = 0.0
    for joint in state.mechanism.binary_joints:
        found = relative_pose(state, joint)
        due = joint.pose(np.array(state.positions[joint.name]), state.mechanism.planar)
        apart = [numeric(found.R) - numeric(due.R), numeric(found.p) - numeric(due.p)]
        worst = max(worst, *(float(np.abs(part).max()) for part in apart))
    return worst


def fingerprints(states):
    """Angles (as points of a circle) and lengths of all joints without quaternions, one row for each state."""
    rows = []
    for state in states:
        planar, row = state.mechanism.planar, []
        for joint in state.mechanism.binary_joints:
            q = state.positions[joint.name]
            if len(q) == joint.degrees_of_freedom(planar):
                for value, turns in zip(q, joint.turning(planar), strict=True):
                    row += [np.cos(value), np.sin(value)] if turns else [value]
        rows.append(np.round(row, 6) + 0.0)
    return sorted(map(tuple, rows))


@pytest.fixture(scope="module", params=CASES)
def pair(request):
    build, start = CASES[request.param]
    mechanism = build().without_drives()
    return mechanism, rough(mechanism), start


def test_bodies_are_split(pair):
    _, with_friction, _ = pair
    assert any("'=" in cut for cut in ml.analyse(with_friction, start=pair[2]).cuts)


def test_assembly_modes_are_those_without_friction(pair):
    plain, with_friction, start = pair
    few, same = ml.branches(plain, start), ml.branches(with_friction, start)
    assert len(same) == len(few)
    assert np.array(fingerprints(same)) == pytest.approx(np.array(fingerprints(few)), abs=1e-5)
    assert max(largest_opening(state) for state in (*few, *same)) < 1e-9


def test_the_guess_selects_the_mode_that_it_selects_without_friction(pair):
    plain, with_friction, start = pair
    states = [ml.assemble(mechanism, start) for mechanism in (plain, with_friction)]
    assert np.array(fingerprints(states[1:])) == pytest.approx(np.array(fingerprints(states[:1])), abs=1e-5)
    assert max(map(largest_opening, states)) < 1e-9


def test_a_weld_that_is_closed_only_by_a_half_turn_cannot_be_assembled():
    """The rows of the weld vanish at the half turn; the error names it and states the angle."""
    mechanism = ml.Mechanism(
        "bar between two welds",
        planar=True,
        bodies=[
            ml.ground(A=(0, 0), B=ml.marker((1, 0), angle=np.pi)),
            ml.rod("bar", length=1.0, mass=1.0),
            ml.rod("arm", length=0.5, mass=1.0),
        ],
        joints=[
            ml.Fixed("A", "ground.A", "bar.a"),
            ml.Fixed("B", "ground.B", "bar.b"),
            ml.Revolute("C", "bar.b", "arm.a"),
        ],
    )
    with pytest.raises(ml.AssemblyError) as error:
        ml.assemble(mechanism, {"C": 0.1})
    (fault,) = error.value.faults
    assert (fault.code, fault.where) == ("K01", "joint 'B'")
    assert error.value.gap == pytest.approx(np.pi)
