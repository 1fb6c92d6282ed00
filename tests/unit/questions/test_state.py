"""What does a State tell, and how does it answer wrong names?"""

import numpy as np
import pytest
from zoo import ZOO

import multiloop as ml


@pytest.fixture(scope="module")
def state():
    return ml.assemble(ZOO["four-bar"].build(), t=0.1)


def test_joints_are_addressed_by_name(state):
    assert list(state) == ["A", "B", "C", "D"]
    assert isinstance(state["A"].position, float)
    assert state["A"].position == state.positions["A"][0]
    assert state["A"].rate == state.rates["A"][0]


def test_a_joint_of_several_coordinates_gives_arrays():
    state = ml.assemble(ZOO["RSSR"].build())
    assert state["B"].position.shape == (4,)
    assert state["B"].rate.shape == (3,)
    assert np.linalg.norm(state["B"].position) == pytest.approx(1.0, abs=1e-14)


def test_markers_are_where_the_angles_put_them(state):
    a = state["A"].position
    assert state.marker("crank.b") == pytest.approx(0.3 * np.array([np.cos(a), np.sin(a)]), abs=1e-15)
    assert state.marker("ground.D") == pytest.approx([1.0, 0.0])
    assert state.marker("crank.origin") == pytest.approx([0.0, 0.0], abs=1e-15)
    assert state.marker("coupler.b") == pytest.approx(state.marker("rocker.b"), abs=1e-13)


def test_markers_in_space_have_three_coordinates():
    state = ml.assemble(ZOO["RSSR"].build())
    assert state.marker("coupler.b").shape == (3,)
    assert state.marker("coupler.b") == pytest.approx(state.marker("rocker.b"), abs=1e-13)


def test_poses_are_of_the_bodies_own_frames(state):
    assert set(state.poses) == {"ground", "crank", "coupler", "rocker"}
    assert state.poses["ground"] == pytest.approx(np.eye(3, 4))
    for X in state.poses.values():
        assert X.shape == (3, 4)
        assert X[:, :3] @ X[:, :3].T == pytest.approx(np.eye(3), abs=1e-14)
    angle = state["D"].position
    assert state.poses["rocker"][:2, 0] == pytest.approx([np.cos(angle), np.sin(angle)], abs=1e-14)
    assert state.poses["rocker"][:2, 3] == pytest.approx([1.0, 0.0], abs=1e-13)


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda s: s["a"], "joint 'a': is not there. Did you mean 'A'?"),
        (lambda s: s["elbow"], "joint 'elbow': is not there. Known are: A, B, C, D."),
        (lambda s: s.marker("crnk.b"), "body 'crnk': is not there. Did you mean 'crank'?"),
        (lambda s: s.marker("crank.tip"), "marker 'crank.tip': is not there. Known are: a, b, com, origin."),
    ],
)
def test_wrong_names_are_answered_with_the_nearest(state, ask, message):
    with pytest.raises(ml.UnknownNameError) as caught:
        ask(state)
    assert isinstance(caught.value, KeyError)
    (fault,) = caught.value.faults
    assert f"{fault.where}: {fault.what} {fault.remedy}" == message


def test_it_says_itself_in_one_line(state):
    text = repr(state)
    assert text.startswith("State of 'four-bar' at t = 0.1 s: A 0.4712, B ")
    assert text.endswith(".")
    assert "\n" not in text
    many = repr(ml.assemble(ZOO["scraper-C"].build()))
    assert many.endswith(", ….")
