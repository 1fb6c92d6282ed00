"""Pairs: consistent rows and wrenches, and descriptions that are refused."""

import casadi as ca
import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays

import multiloop as ml
from multiloop.model import PAIRS
from multiloop.spatial import Pose, quaternion_matrix

STEP = 1e-6
numbers = st.floats(-2.0, 2.0).map(lambda x: round(x, 3))


def moved(pose, twist, h):
    """The pose after a time h of moving with [ω; v] in F, at the origin of S."""
    turn = ca.vertcat(1, h / 2 * twist[:3])
    return Pose(quaternion_matrix(turn) @ pose.R, pose.p + h * twist[3:])


BETWEEN_MARKERS = (
    ml.Distance("rod", "a.x", "b.y", length=0.7),
    ml.Rolling("wheel", "a.x", "b.y", radius=0.3),
    ml.Cam("cam", "a.x", "b.y", profile=ml.Circle(0.4, (0.1, -2.5)), roller=0.05),
    ml.PointOnCurve("slot", "a.x", "b.y", curve=ml.Circle(0.4, (0.1, -4.5))),
    ml.Rolling("tyre", "a.x", "b.y", radius=0.3, crown=0.1),
    ml.Rolling("omni wheel", "a.x", "b.y", radius=0.3, sideways=True),
    ml.RollingBall("ball", "a.x", "b.y", radius=0.3),
    ml.RollingBall("soft ball", "a.x", "b.y", radius=0.3, pivots=False),
    ml.Skate("edge", "a.x", "b.y"),
)


def test_every_pair_between_markers_is_among_those_of_these_tests():
    assert {type(pair) for pair in BETWEEN_MARKERS} == {kind for kind in PAIRS if issubclass(kind, ml.Pair)}


@pytest.mark.parametrize("planar", [True, False])
@pytest.mark.parametrize("pair", BETWEEN_MARKERS, ids=lambda pair: type(pair).__name__)
@given(
    p=arrays(float, 3, elements=numbers),
    t=arrays(float, 6, elements=numbers),
    angle=st.floats(0.4, 2.7).map(lambda x: round(x, 3)),
)
def test_the_rows_change_as_the_wrenches_say_and_these_as_their_rates(pair, planar, p, t, angle):
    """By central differences, whose error is some hundred times the square of the step; a wheel is never flat."""
    e = ca.DM(
        [np.cos(angle / 2), 0, 0, np.sin(angle / 2)]
        if planar
        else [np.cos(angle / 2), np.sin(angle / 2), 0, 0]
    )
    if planar:
        p[2] = t[0] = t[1] = t[5] = 0.0
    pose, twist = Pose(quaternion_matrix(e), ca.DM(p)), ca.DM(t)
    forth, back = (moved(pose, twist, h) for h in (STEP, -STEP))
    change = (pair.closure(forth, planar) - pair.closure(back, planar)).full() / (2 * STEP)
    W = pair.wrenches(pose, planar)
    assert (W[:, : pair.position_rows(planar)].T @ twist).full() == pytest.approx(change, abs=1e-8)
    change = (pair.wrenches(forth, planar) - pair.wrenches(back, planar)).full() / (2 * STEP)
    assert ca.DM(pair.wrenches_rate(pose, twist, planar)).full() == pytest.approx(change, abs=1e-8)


@pytest.mark.parametrize("planar", [True, False])
@pytest.mark.parametrize("pair", BETWEEN_MARKERS, ids=lambda pair: type(pair).__name__)
def test_the_counts_agree(pair, planar):
    R = ca.DM.eye(3) if planar else quaternion_matrix(ca.DM([1, 1, 0, 0]))
    W = pair.wrenches(Pose(R, ca.DM([0.7, 0, 0])), planar)
    assert pair.rows(planar) == W.shape[1] == len(pair.wrench_names(planar))
    assert pair.closure(Pose(R, ca.DM([0.7, 0, 0])), planar).shape == (pair.position_rows(planar), 1)
    assert pair.rows(planar) + pair.degrees_of_freedom(planar) == (3 if planar else 6)
    assert pair.components(planar) == ()
    assert pair.positions(planar) == 0


def swing(**changes):
    """A ball on a string, which may spin but has no moment to do so."""
    given = {
        "planar": True,
        "bodies": [ml.ground(O=(0, 0)), ml.Body("ball", mass=2.0, inertia=0.1)],
        "joints": [ml.Free("floating", "ground.origin", "ball.origin")],
        "pairs": [ml.Distance("string", "ground.O", "ball.com", length=0.5)],
    }
    return ml.Mechanism("swing", **(given | changes))


def test_a_ball_on_a_string_is_a_pendulum_and_pulls_as_one():
    start = {"floating": (0.5 * np.sin(1.0), -0.5 * np.cos(1.0), 0.3)}
    run = ml.simulate(swing(), start=start, until=1.5, samples=31)
    x, y, angle = run["floating"].position.T
    at = np.arctan2(x, -y)
    speed2 = 2 * 9.81 * 0.5 * (np.cos(at) - np.cos(1.0))  # energy
    pull = 2.0 * (9.81 * np.cos(at) + speed2 / 0.5)
    assert run["string"].load == pytest.approx(pull, rel=1e-8)
    toward = run["string"].force @ np.array([1.0, 0.0]) * x + run["string"].force @ np.array([0.0, 1.0]) * y
    assert toward == pytest.approx(-0.5 * pull, rel=1e-8)  # on the ball, toward the ground
    assert angle == pytest.approx(0.3, abs=1e-9)
    assert run.energy_drift < 1e-9


def test_pairs_go_to_text_and_back(texts):
    mechanism = swing(pairs=[ml.Distance("string", "ground.O", "ball.com", length=ml.Parameter("l", 0.5))])
    assert ml.from_text(ml.to_text(mechanism)) == mechanism
    assert mechanism.parameters == {"l": 0.5}
    assert mechanism != swing()
    texts(repr(mechanism), "'swing'", "1")


def test_pairs_may_be_named_among_the_cuts_and_need_not_be(texts):
    for cuts in ([], ["string"]):
        plan = ml.analyse(swing(), cuts=cuts)
        assert (plan.cuts, plan.mobility) == (("string",), 2)
    texts(ml.analyse(swing()).explain())


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"pairs": [ml.Distance("string", "ground.O", "ball.com", length=0.0)]}, ("[M13]", "'string'", "0")),
        (
            {"pairs": [ml.Distance("string", "ground.O", "ball.com", length=float("nan"))]},
            ("[M05]", "'string'"),
        ),
        (
            {"pairs": [ml.Distance("string", "ground.P", "ball.com", length=1.0)]},
            ("[T03]", "'string'", "'P'"),
        ),
        (
            {"pairs": [ml.Distance("string", "ball.origin", "ball.com", length=1.0)]},
            ("[T01]", "'string'", "'ball'"),
        ),
        ({"pairs": [ml.Distance("floating", "ground.O", "ball.com", length=1.0)]}, ("[M01]", "'floating'")),
        ({"pairs": [ml.Revolute("R", "ground.O", "ball.com")]}, ("[M12]", "1")),
        (
            {
                "joints": [],
                "pairs": [],
                "bodies": [ml.ground(O=(0, 0)), ml.Body("ball", mass=2.0, inertia=0.1)],
            },
            ("[T04]", "'ball'"),
        ),
        ({"actuators": [ml.Actuator("string")]}, ("[D05]",)),
    ],
)
def test_invalid_descriptions_are_refused(changes, words, texts):
    with pytest.raises(ml.ModelError) as caught:
        swing(**changes)
    texts(caught.value, *words)


def test_a_distance_that_cannot_be_reached_is_named(texts):
    far = swing(pairs=[ml.Distance("string", "ground.O", "ball.com", length=0.5)])
    with pytest.raises(ml.AssemblyError) as caught:
        ml.assemble(far, {"floating": (3.0, 0.0, 0.0)})
    texts.fault(caught.value, "K01", "'string'")
