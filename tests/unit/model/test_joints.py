"""Laws of every joint: motion subspace, constraint wrenches, closure rows, and coordinates from poses."""

from dataclasses import FrozenInstanceError

import casadi as ca
import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays
from laws.printed_formulas import axis_angle
from numpy.testing import assert_allclose, assert_array_equal

from multiloop import Fixed, Free, Helical, Pin, Planar, Prismatic, Revolute, Universal
from multiloop.model import IN_PLANE, JOINTS
from multiloop.spatial import Pose, Rx, Rz, numeric, skew

CASES = [(kind, False) for kind in JOINTS] + [(kind, True) for kind in JOINTS if kind.planar_too]
CUTTABLE = [(kind, planar) for kind, planar in CASES if not kind.must_stay]
every_case = pytest.mark.parametrize(
    ("kind", "planar"), CASES, ids=lambda value: getattr(value, "__name__", value)
)
every_cut = pytest.mark.parametrize(
    ("kind", "planar"), CUTTABLE, ids=lambda value: getattr(value, "__name__", value)
)

STEP = 1e-5
DIFFERENCE = (
    1e-7  # a central difference errs by STEP² times a third derivative (below 100) plus 1e-11 round-off
)
ROUND_OFF = 1e-12
PITCH = 0.037

numbers = st.floats(-2.0, 2.0)
angles = st.floats(-20.0, 20.0)
quaternions = (
    arrays(float, 4, elements=numbers)
    .filter(lambda e: np.linalg.norm(e) > 0.1)
    .map(lambda e: e / np.linalg.norm(e))
)


def made(kind):
    return Helical("J", "f.m", "s.m", pitch=PITCH) if kind is Helical else kind("J", "f.m", "s.m")


@st.composite
def coordinates(draw, kind, planar):
    """q of a joint anywhere: angles over several turns, quaternions of unit length."""
    joint = made(kind)
    if joint.positions(planar) == joint.degrees_of_freedom(planar):
        return np.array([draw(angles if turns else numbers) for turns in joint.turning(planar)])
    return np.array([*draw(arrays(float, joint.positions(planar) - 4, elements=numbers)), *draw(quaternions)])


def moved(pose, t, step):
    """A pose after the twist t = [ω; v] in F has acted for a short time."""
    angle = step * np.linalg.norm(t[:3])
    turn = axis_angle(t[:3] / np.linalg.norm(t[:3]), angle) if angle else np.eye(3)
    return Pose(ca.DM(turn) @ pose.R, pose.p + step * ca.DM(t[3:]))


def difference(function, forth, back):
    return (numeric(function(forth)) - numeric(function(back))) / (2 * STEP)


@every_case
@given(data=st.data())
def test_what_it_holds_and_what_it_leaves_free_make_up_the_whole(kind, planar, data):
    joint = made(kind)
    pose = joint.pose(ca.DM(data.draw(coordinates(kind, planar))), planar)
    P, W = joint.motion_subspace(pose, planar).full(), joint.wrenches(pose, planar).full()
    assert_allclose(W.T @ P, 0.0, atol=ROUND_OFF)
    rows = list(IN_PLANE) if planar else list(range(6))
    both = np.hstack([P, W])[rows]
    assert both.shape == (len(rows), len(rows))
    assert np.linalg.svd(both, compute_uv=False).min() > 0.5  # well apart, at every position
    assert not np.delete(np.hstack([P, W]), rows, axis=0).any()


@every_case
@given(data=st.data())
def test_the_pose_moves_with_the_twist_p_v(kind, planar, data):
    """dR/dt = ω̃ R and dp/dt = v in F, along q̇ = E v."""
    joint = made(kind)
    q = data.draw(coordinates(kind, planar))
    v = data.draw(arrays(float, joint.degrees_of_freedom(planar), elements=numbers))
    q_rate = numeric(joint.rate_map(ca.DM(q), planar) @ ca.DM(v)) if len(v) else np.zeros(0)
    pose = joint.pose(ca.DM(q), planar)
    t = joint.motion_subspace(pose, planar) @ ca.DM(v)
    forth, back = (joint.pose(ca.DM(q + h * q_rate), planar) for h in (STEP, -STEP))
    assert_allclose(difference(lambda X: X.R, forth, back), numeric(skew(t[:3]) @ pose.R), atol=DIFFERENCE)
    assert_allclose(difference(lambda X: X.p, forth, back), numeric(t[3:]), atol=DIFFERENCE)


@every_case
@given(data=st.data())
def test_rates_of_freedom_and_wrenches_are_their_derivatives(kind, planar, data):
    joint = made(kind)
    q = data.draw(coordinates(kind, planar))
    v = data.draw(arrays(float, joint.degrees_of_freedom(planar), elements=numbers))
    pose = joint.pose(ca.DM(q), planar)
    t = numeric(joint.motion_subspace(pose, planar) @ ca.DM(v)) if len(v) else np.zeros(6)
    forth, back = (moved(pose, t, h) for h in (STEP, -STEP))
    for matrix, rate in (
        (joint.motion_subspace, joint.motion_subspace_rate(pose, ca.DM(t[:3]), planar)),
        (joint.wrenches, joint.wrenches_rate(pose, ca.DM(t), planar)),
    ):
        change = (matrix(forth, planar).full() - matrix(back, planar).full()) / (2 * STEP)
        assert_allclose(rate.full(), change, atol=DIFFERENCE)


@every_cut
@given(data=st.data())
def test_closure_rows_vanish_wherever_the_joint_is_closed(kind, planar, data):
    joint = made(kind)
    pose = joint.pose(ca.DM(data.draw(coordinates(kind, planar))), planar)
    rows = joint.closure(pose, planar)
    assert rows.shape == (joint.wrenches(pose, planar).shape[1], 1)
    assert len(joint.wrench_names(planar)) == rows.shape[0]
    assert_allclose(rows.full(), 0.0, atol=ROUND_OFF)
    assert not joint.is_inverted(pose)


@every_cut
@given(data=st.data())
def test_closure_rows_change_by_the_twist_along_what_is_held(kind, planar, data):
    """d/dt Φ = Wᵀ t for every twist t of S relative to F, sign and order included."""
    joint = made(kind)
    pose = joint.pose(ca.DM(data.draw(coordinates(kind, planar))), planar)
    t = data.draw(arrays(float, 6, elements=numbers))
    if planar:
        t[[0, 1, 5]] = 0.0
    forth, back = (moved(pose, t, h) for h in (STEP, -STEP))
    change = (joint.closure(forth, planar).full() - joint.closure(back, planar).full()) / (2 * STEP)
    assert_allclose(change[:, 0], joint.wrenches(pose, planar).full().T @ t, atol=DIFFERENCE)


@every_case
@given(data=st.data())
def test_a_pose_is_read_back_on_the_turn_asked_for(kind, planar, data):
    joint = made(kind)
    q = data.draw(coordinates(kind, planar))
    near = q + data.draw(
        arrays(float, len(q), elements=st.floats(-0.4, 0.4))
    )  # remains in the half-space of q
    assert_allclose(joint.read(joint.pose(ca.DM(q), planar), near, planar), q, atol=1e-11)


@pytest.mark.parametrize(
    "kind", [kind for kind in JOINTS if made(kind).positions(False) > made(kind).degrees_of_freedom(False)]
)
@given(data=st.data())
def test_a_quaternion_is_read_with_the_sign_asked_for(kind, data):
    joint = made(kind)
    q = data.draw(coordinates(kind, False))
    other = np.concatenate([q[:-4], -q[-4:]])
    pose = joint.pose(ca.DM(q), False)
    assert_allclose(joint.read(pose, other, False), other, atol=ROUND_OFF)
    assert_allclose(joint.read(pose, q, False), q, atol=ROUND_OFF)


@given(angles, st.floats(-100.0, 100.0))
def test_a_screw_counts_its_turns_by_its_advance(angle, near):
    joint = made(Helical)
    assert_allclose(
        joint.read(joint.pose(ca.DM([angle]), False), np.array([near]), False), [angle], atol=1e-11
    )


@pytest.mark.parametrize("pitch", [0.0, ca.SX.sym("pitch")])
def test_a_screw_of_no_or_of_unknown_pitch_asks_where_it_was(pitch):
    pose = made(Helical).pose(ca.DM([7.0]), False)
    read = Helical("H", "f.m", "s.m", pitch=pitch).read(pose, np.array([13.0]), False)
    assert_allclose(read, [7.0 + 2 * np.pi], atol=ROUND_OFF)


def half_turns(kind, planar):
    """Half turns of S after which the closure rows still vanish though the joint is not closed."""
    if kind in (Fixed, Prismatic):
        axes = [(0, 0, 1)] if planar else [(1, 0, 0), (0, 0, 1), (0.6, 0, 0.8)]
    else:
        axes = [(1, 0, 0), (0, 1, 0), (0.6, 0.8, 0)]
    return [ca.DM(axis_angle(np.array(axis), np.pi)) for axis in axes]


CAN_FLIP = [
    (kind, planar)
    for kind, planar in CUTTABLE
    if kind in (Fixed, Prismatic) or (kind.__name__ in ("Revolute", "Cylindrical", "Planar") and not planar)
]


@pytest.mark.parametrize(("kind", "planar"), CAN_FLIP)
@given(data=st.data())
def test_the_upside_down_solution_is_found_out(kind, planar, data):
    joint = made(kind)
    pose = joint.pose(ca.DM(data.draw(coordinates(kind, planar))), planar)
    for turn in half_turns(kind, planar):
        flipped = Pose(pose.R @ turn, pose.p)
        assert_allclose(joint.closure(flipped, planar).full(), 0.0, atol=ROUND_OFF)
        assert joint.is_inverted(flipped)


@given(angles, angles)
def test_a_universal_has_no_upside_down_solution(first, second):
    """Where its rows vanish it is closed: with x reversed too, two angles give that very pose."""
    joint = made(Universal)
    pose = joint.pose(ca.DM([first, second]), False)
    for turn in (Rz(np.pi), Rx(np.pi)):
        other = Pose(pose.R @ turn, pose.p)
        q = joint.read(other, np.zeros(2), False)
        assert not joint.is_inverted(other)
        assert_allclose(numeric(joint.pose(ca.DM(q), False).R), numeric(other.R), atol=ROUND_OFF)


@given(data=st.data())
def test_free_in_the_plane_is_planar(data):
    free, planar = made(Free), made(Planar)
    q = data.draw(coordinates(Planar, True))
    pose, same = free.pose(ca.DM(q), True), planar.pose(ca.DM(q), True)
    assert_array_equal(pose.R.full(), same.R.full())
    assert_array_equal(pose.p.full(), same.p.full())
    assert_array_equal(free.motion_subspace(pose, True).full(), planar.motion_subspace(pose, True).full())
    assert_array_equal(free.read(pose, q, True), planar.read(pose, q, True))
    for about in ("components", "turning", "positions", "degrees_of_freedom", "wrench_names"):
        assert getattr(free, about)(True) == getattr(planar, about)(True)
    assert_array_equal(free.neutral(True), planar.neutral(True))
    assert_array_equal(free.rate_map(ca.DM(q), True).full(), planar.rate_map(ca.DM(q), True).full())
    assert free.closure(pose, True).shape == planar.closure(pose, True).shape == (0, 1)


@every_case
def test_the_counts_agree(kind, planar):
    joint = made(kind)
    neutral = joint.neutral(planar)
    assert len(neutral) == joint.positions(planar) == len(joint.turning(planar))
    assert joint.rate_map(ca.DM(neutral), planar).shape == (
        joint.positions(planar),
        joint.degrees_of_freedom(planar),
    )
    pose = joint.pose(ca.DM(neutral), planar)
    assert_array_equal(numeric(pose.R), np.eye(3))
    assert_array_equal(numeric(pose.p), np.zeros(3))
    assert len(joint.wrench_names(planar)) == (3 if planar else 6) - joint.degrees_of_freedom(planar)
    assert joint.wrenches_rate(pose, ca.DM(6, 1), planar).shape == joint.wrenches(pose, planar).shape


@every_case
def test_symbols_and_numbers_go_through_the_same_text(kind, planar):
    joint = made(kind)
    random = np.random.default_rng(5)
    value = joint.neutral(planar) + 0.3 * random.normal(size=joint.positions(planar))
    q, twist = ca.SX.sym("q", joint.positions(planar)), ca.DM([0.3, -0.2, 0.5, 0.1, 0.4, -0.6])

    def everything(at):
        pose = joint.pose(at, planar)
        found = [
            pose.R,
            pose.p,
            joint.motion_subspace(pose, planar),
            joint.motion_subspace_rate(pose, twist[:3], planar),
        ]
        found += [
            joint.wrenches(pose, planar),
            joint.wrenches_rate(pose, twist, planar),
            joint.rate_map(at, planar),
        ]
        return found if kind.must_stay else [*found, joint.closure(pose, planar)]

    traced = ca.Function("traced", [q], [ca.densify(ca.SX(each)) for each in everything(q)])
    results = traced.call([ca.DM(value)])
    for symbolic, plain in zip(results, everything(ca.DM(value)), strict=True):
        assert_allclose(symbolic.full(), ca.DM(plain).full(), atol=ROUND_OFF)


def test_a_screw_that_is_cut_is_refused(texts):
    with pytest.raises(TypeError) as caught:
        made(Helical).closure(Pose(ca.DM.eye(3), ca.DM(3, 1)), False)
    texts(caught.value, "'J'")


def test_a_screw_is_not_back_after_a_turn_but_a_bearing_is():
    assert made(Helical).turning(False) == (False,)
    assert made(Revolute).turning(False) == (True,)


def test_a_prismatic_slides_along_x_in_the_plane_and_along_z_in_space():
    slide = made(Prismatic)
    assert_array_equal(numeric(slide.pose(ca.DM([0.5]), True).p), [0.5, 0, 0])
    assert_array_equal(numeric(slide.pose(ca.DM([0.5]), False).p), [0, 0, 0.5])


def test_the_axes_of_a_universal():
    """The first axis is the first marker's z, the second the second marker's x."""
    joint, q = made(Universal), np.array([0.7, -1.1])
    pose = joint.pose(ca.DM(q), False)
    P = joint.motion_subspace(pose, False).full()
    assert_array_equal(P[:3, 0], [0, 0, 1])
    assert_array_equal(P[:3, 1], numeric(pose.R)[:, 0])


def test_a_pin_is_one_revolute_for_each_other_link():
    pin = Pin("P", "crank.b", ["coupler.a", "rod.a"])
    assert pin.revolutes() == (
        Revolute("P/coupler", "crank.b", "coupler.a"),
        Revolute("P/rod", "crank.b", "rod.a"),
    )


def test_joints_are_frozen_and_compared_by_value():
    joint = Revolute("A", "ground.A", "crank.a")
    with pytest.raises(FrozenInstanceError):
        joint.name = "B"
    assert joint == Revolute("A", "ground.A", "crank.a")
    assert joint != Fixed("A", "ground.A", "crank.a")
    assert Helical("H", "a.b", "c.d", pitch=1) == Helical("H", "a.b", "c.d", pitch=np.float32(1.0))
