"""Rotations: orthonormal, composed correctly, and recovered from their matrices."""

import casadi as ca
import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays
from laws.printed_formulas import axis_angle
from numpy.testing import assert_allclose, assert_array_equal

from multiloop.spatial import (
    Rx,
    Ry,
    Rz,
    frame_of_axes,
    numeric,
    quaternion_from_matrix,
    quaternion_matrix,
    quaternion_rate_map,
    skew,
    snap_rotation,
    unskew,
)

ROUND_OFF = 1e-14
angles = st.floats(-20.0, 20.0)
vectors = arrays(float, 3, elements=st.floats(-10.0, 10.0))
directions = vectors.filter(lambda a: np.linalg.norm(a) > 1e-3)
quaternions = arrays(float, 4, elements=st.floats(-3.0, 3.0)).filter(lambda e: np.linalg.norm(e) > 1e-2)
ELEMENTARY = [(Rx, 0), (Ry, 1), (Rz, 2)]


def assert_rotation(R, tolerance=ROUND_OFF):
    assert_allclose(R @ R.T, np.eye(3), atol=tolerance)
    assert np.linalg.det(R) == pytest.approx(1.0, abs=tolerance)


def test_skew_is_the_cross_product():
    a, x = ca.DM([1, 2, 3]), ca.DM([-4, 5, 0.5])
    assert_array_equal(numeric(skew(a) @ x), np.cross([1, 2, 3], [-4, 5, 0.5]))
    assert_array_equal(numeric(skew(a)).T, -numeric(skew(a)))


@given(vectors)
def test_unskew_undoes_skew(a):
    assert_array_equal(numeric(unskew(skew(ca.DM(a)))), a)


@given(vectors)
def test_unskew_of_a_small_rotation_is_its_rotation_vector(a):
    turn = 1e-4 * a / 10
    angle = np.linalg.norm(turn)
    R = axis_angle(turn / angle, angle) if angle else np.eye(3)
    assert_allclose(numeric(unskew(ca.DM(R))), turn, atol=1e-11)  # third order in 1.7e-4


@pytest.mark.parametrize(("elementary", "axis"), ELEMENTARY)
@given(one=angles, other=angles)
def test_elementary_rotations_add_their_angles(elementary, axis, one, other):
    R = numeric(elementary(one))
    assert_rotation(R)
    assert_allclose(R @ numeric(elementary(other)), numeric(elementary(one + other)), atol=ROUND_OFF)
    assert_allclose(R, axis_angle(np.eye(3)[axis], one), atol=ROUND_OFF)


@pytest.mark.parametrize(("elementary", "axis"), ELEMENTARY)
def test_a_quarter_turn_takes_each_axis_to_the_next_one(elementary, axis):
    """Right-handed: about x, y goes to z; about y, z to x; about z, x to y."""
    R = snap_rotation(numeric(elementary(np.pi / 2)))
    assert_array_equal(R[:, (axis + 1) % 3], np.eye(3)[(axis + 2) % 3])


@given(directions, angles)
def test_axis_angle_keeps_its_axis_and_turns_by_its_angle(axis, angle):
    axis = axis / np.linalg.norm(axis)
    R = axis_angle(axis, angle)
    assert_rotation(R)
    assert_allclose(R @ axis, axis, atol=ROUND_OFF)
    assert np.trace(R) == pytest.approx(1 + 2 * np.cos(angle), abs=ROUND_OFF)


@given(directions, angles)
def test_a_quaternion_is_half_the_angle_about_the_axis(axis, angle):
    axis = axis / np.linalg.norm(axis)
    e = np.array([np.cos(angle / 2), *(np.sin(angle / 2) * axis)])
    assert_allclose(numeric(quaternion_matrix(ca.DM(e))), axis_angle(axis, angle), atol=ROUND_OFF)


@given(quaternions, st.floats(0.1, 10.0))
def test_the_length_of_a_quaternion_does_not_matter(e, factor):
    R = numeric(quaternion_matrix(ca.DM(e)))
    assert_rotation(R)
    assert_allclose(numeric(quaternion_matrix(ca.DM(-factor * e))), R, atol=ROUND_OFF)


@given(quaternions)
def test_a_quaternion_is_read_back_from_its_matrix(e):
    unit = e / np.linalg.norm(e)
    found = quaternion_from_matrix(numeric(quaternion_matrix(ca.DM(e))))
    assert found[0] >= 0
    assert np.linalg.norm(found) == pytest.approx(1.0, abs=ROUND_OFF)
    assert_allclose(found if found @ unit > 0 else -found, unit, atol=ROUND_OFF)


@pytest.mark.parametrize("axis", np.eye(3).tolist())
def test_half_turns_are_read_back_without_loss(axis):
    """Where e₀ = 0 a formula that divides by it would fail."""
    found = quaternion_from_matrix(axis_angle(np.array(axis), np.pi))
    assert_allclose(np.abs(found), [0.0, *axis], atol=ROUND_OFF)


@given(quaternions, vectors)
def test_the_rate_map_turns_the_fixed_frame(e, omega):
    """dR/dt = ω̃ R for ė = E(e) ω, with ω in the fixed frame; also off the unit sphere."""
    e_sym = ca.SX.sym("e", 4)
    e_rate = quaternion_rate_map(ca.DM(e)) @ ca.DM(omega)
    moving = ca.jtimes(ca.vec(quaternion_matrix(e_sym)), e_sym, e_rate)
    R_rate = ca.reshape(ca.Function("R_rate", [e_sym], [moving])(e), 3, 3)
    assert_allclose(
        numeric(R_rate), numeric(skew(ca.DM(omega)) @ quaternion_matrix(ca.DM(e))), atol=1e-12 * 30
    )


@given(quaternions)
def test_the_rate_map_keeps_the_length_and_is_half_orthogonal(e):
    E = numeric(quaternion_rate_map(ca.DM(e)))
    assert_allclose(e @ E, 0.0, atol=1e-13)
    assert_allclose(4 * E.T @ E, (e @ e) * np.eye(3), atol=1e-12)


def test_snapping_makes_exact_what_was_meant_to_be():
    R = numeric(Rz(np.pi / 2))
    assert R[0, 0] != 0.0
    assert_array_equal(snap_rotation(R), [[0, -1, 0], [1, 0, 0], [0, 0, 1]])
    assert not np.signbit(snap_rotation(np.array([-0.0, -1e-17]))).any()


@given(directions, angles)
def test_snapping_moves_nothing_else(axis, angle):
    R = axis_angle(axis / np.linalg.norm(axis), angle)
    assert_allclose(snap_rotation(R), R, atol=4e-16, rtol=0)


@given(directions, directions)
def test_a_frame_has_z_along_z_and_x_as_near_to_x_as_can_be(z, x):
    across = np.cross(z, x)
    if np.linalg.norm(across) < 1e-6 * np.linalg.norm(z) * np.linalg.norm(x):
        return
    R = frame_of_axes(z, x)
    assert_rotation(R)
    assert_allclose(R[:, 2], z / np.linalg.norm(z), atol=ROUND_OFF)
    assert_allclose(R[:, 1], across / np.linalg.norm(across), atol=1e-9)  # round-off over the least sine
    assert R[:, 0] @ x > 0


@given(directions)
def test_with_z_alone_x_is_the_first_axis_far_from_it(z):
    R = frame_of_axes(z)
    assert_rotation(R)
    unit = z / np.linalg.norm(z)
    chosen = np.eye(3)[0 if abs(unit[0]) < np.cos(np.pi / 6) else 1]
    assert_allclose(R[:, 2], unit, atol=ROUND_OFF)
    assert_allclose(R[:, 0], (p := chosen - (chosen @ unit) * unit) / np.linalg.norm(p), atol=ROUND_OFF)


@pytest.mark.parametrize(
    ("z", "x"),
    [((0, 0, 1), (1, 0, 0)), ((0, 1, 0), (1, 0, 0)), ((1, 0, 0), (0, 1, 0)), ((-1, 0, 0), (0, 1, 0))],
)
def test_the_rule_for_the_usual_axes(z, x):
    assert_array_equal(frame_of_axes(np.array(z))[:, 0], x)


@pytest.mark.parametrize("size", [1e-300, 1e-9, 1.0, 1e200])
def test_the_length_of_a_direction_does_not_matter(size):
    R = frame_of_axes(size * np.array([1.0, 2.0, 2.0]), np.array([0.0, 0.0, size]))
    assert_allclose(R, frame_of_axes(np.array([1.0, 2.0, 2.0]), np.array([0.0, 0.0, 1.0])), atol=ROUND_OFF)


@given(directions, st.sampled_from([-3.0, 0.2, 1.0, 1e6]))
def test_parallel_directions_are_refused(z, factor):
    with pytest.raises(ValueError, match=r"x direction .*z direction"):
        frame_of_axes(z, factor * z)


def test_directions_a_millionth_of_a_radian_apart_still_make_a_frame():
    """Projected once, x would keep a part of 1e-10 along z."""
    z, across = np.array([1.0, 2.0, -3.0]), np.array([3.0, 0.0, 1.0])
    R = frame_of_axes(z, z + 1e-6 * across)
    assert_rotation(R)
    assert_allclose(R[:, 0], across / np.linalg.norm(across), atol=1e-9)  # round-off over the sine


def test_directions_of_no_length_are_refused_by_name(texts):
    with pytest.raises(ValueError) as caught:
        frame_of_axes(np.zeros(3), np.array([1.0, 0, 0]))
    texts(caught.value)
    with pytest.raises(ValueError) as caught:
        frame_of_axes(np.array([0, 0, 1.0]), np.zeros(3))
    texts(caught.value)
