"""The content of a State, and its errors for unknown names."""

import numpy as np
import pytest
from zoo import ZOO
from zoo.plain import pinned_body

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
        (lambda s: s["a"], ("'a'", "'A'")),
        (lambda s: s["elbow"], ("'elbow'",)),
        (lambda s: s.marker("crnk.b"), ("'crnk'", "'crank'")),
        (lambda s: s.marker("crank.tip"), ("'crank.tip'",)),
    ],
)
def test_unknown_names_are_reported_with_the_nearest(state, ask, message, texts):
    with pytest.raises(ml.UnknownNameError) as caught:
        ask(state)
    assert isinstance(caught.value, KeyError)
    (fault,) = caught.value.faults
    texts(fault, "[R01]", *message)


def test_its_representation_is_one_line(state, texts):
    text = repr(state)
    texts(text, "'four-bar'", "0.1 s", "0.4712")
    assert text.endswith(".")
    assert "\n" not in text
    many = repr(ml.assemble(ZOO["scraper-C"].build()))
    assert many.endswith(", …")


# how far from the guess -------------------------------------------------------------------------------

CLOSED = {"crank": (0.0, 0.0, 0.0), "coupler": (0.3, 0.0, 1.0194786), "rocker": (1.0, 0.0, 1.8605480)}
"""The four-bar at A = 0."""


def test_a_state_reports_its_distance_from_the_guess(texts):
    """The rocker of 0.8 m is guessed 0.2 rad off, its end 2 · 0.8 sin 0.1 m from its position; the size is 0.9 m."""
    mechanism = ZOO["four-bar"].build()
    near = ml.assemble(mechanism, guess=CLOSED)
    assert near.distance == pytest.approx(0.0, abs=1e-6)  # seven digits are given
    assert near.farthest in CLOSED
    assert near.missed == ()
    assert "not reached" not in repr(near)
    off = ml.assemble(mechanism, guess=CLOSED | {"rocker": (1.0, 0.0, 1.8605480 + 0.2)})
    assert off.marker("rocker.b") == pytest.approx(near.marker("rocker.b"), abs=1e-9)
    assert off.distance == pytest.approx(2 * 0.8 * np.sin(0.1) / 0.9, abs=1e-6)
    assert off.farthest == "rocker"
    assert off.missed == ()
    assert "not reached" not in repr(off)
    wrong = ml.assemble(mechanism, guess=CLOSED | {"rocker": (1.0, 0.0, 1.8605480 + 0.6)})
    assert wrong.marker("rocker.b") == pytest.approx(near.marker("rocker.b"), abs=1e-9)
    (miss,) = wrong.missed
    assert (miss.name, miss.unit, miss.amount) == ("rocker", "rad", pytest.approx(0.6, abs=1e-6))
    texts(repr(wrong), "'rocker'", "0.6 rad")


def test_what_is_held_is_not_guessed():
    mechanism = ZOO["chain-10"].build()
    state = ml.assemble(mechanism, {name: value[0] + 1.0 for name, value in mechanism.guess})
    assert (state.distance, state.farthest) == (0.0, "")


def test_the_point_of_a_marker_counts_by_its_largest_component():
    """The end of the coupler lies at (0.7714, 0.7667), 0.0286 and 0.0667 m from its guess; the size is 0.9 m."""
    state = ml.assemble(ZOO["four-bar"].build(), guess={"coupler.b": (0.8, 0.7)})
    x, y = state.marker("coupler.b")
    assert state.distance == pytest.approx(max(0.8 - x, y - 0.7) / 0.9, abs=1e-12)
    assert state.farthest == "coupler"


def test_a_result_reports_a_start_far_from_its_guess(texts):
    mechanism = ZOO["four-bar"].build()
    off = CLOSED | {"rocker": (1.0, 0.0, 1.8605480 + 0.6)}
    said = ml.inverse(mechanism, t=[0.0], guess=off).status
    texts(said, "'rocker'", "0.6 rad")
    assert ml.inverse(mechanism, t=[0.0], guess=CLOSED).status == "ok"
    for rough in (
        {"coupler.b": (0.8, 0.7)},
        CLOSED | {"rocker": (1.0, 0.0, 1.8605480 + 0.4)},
        CLOSED | {"rocker": (1.08, 0.0, 1.8605480)},
    ):  # within 0.5 rad and a tenth of 0.9 m
        assert ml.inverse(mechanism, t=[0.0], guess=rough).status == "ok"
    astray = {"coupler.b": (0.8, 0.6)}
    texts.warnings(ml.inverse(mechanism, t=[0.0], guess=astray), ("W30", "coupler.b", "0.17 m"))
    free = mechanism.without_drives()
    assert ml.forward(free, {"A": 0.0}, guess=off).status == said
    run = ml.simulate(free, start={"A": 0.0}, guess=off, until=0.01, samples=2, target="interpreter")
    assert run.status == said


def test_the_end_of_a_short_run_is_its_end(texts):
    """Half a nanosecond is not added to a run of a nanosecond."""
    swing = pinned_body(ml.rod("arm", length=1.0, mass=1.0), name="swing", gravity=(0, -9.81))
    run = ml.simulate(swing, until=1e-9, start={"A": 0.3}, samples=3)
    assert run.at(1e-9).time == run.time[-1]
    with pytest.raises(ml.MultiloopError) as caught:
        run.at(1.5e-9)
    texts.fault(caught.value, "R02")
