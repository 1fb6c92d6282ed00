"""Poses, twists, wrenches and inertia: the identities of mechanics, in numbers."""

import casadi as ca
import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays
from laws.printed_formulas import inertia_wrench, transport_twist, wrench_matrix
from numpy.testing import assert_allclose

from multiloop.spatial import (
    IDENTITY,
    Inertia,
    Pose,
    inertia_about,
    numeric,
    quaternion_matrix,
    skew,
    transport_wrench,
    twist_matrix,
)

TIGHT = 1e-11  # round-off of products of three numbers up to 10
numbers = st.floats(-10.0, 10.0)
vectors = arrays(float, 3, elements=numbers).map(ca.DM)
sixes = arrays(float, 6, elements=numbers).map(ca.DM)
masses = st.floats(0.0, 10.0)
rotations = (
    arrays(float, 4, elements=st.floats(-1.0, 1.0))
    .filter(lambda e: np.linalg.norm(e) > 0.1)
    .map(lambda e: quaternion_matrix(ca.DM(e)))
)
poses = st.builds(Pose, rotations, vectors)
tensors = st.builds(
    lambda R, halves: R @ ca.diag(sum(halves) - halves) @ R.T,  # any R diag(b+c, c+a, a+b) Rᵀ is a body's
    rotations,
    arrays(float, 3, elements=st.floats(0.01, 3.0)),
)


def same(one, other, atol=TIGHT):
    assert_allclose(numeric(one), numeric(other), atol=atol)


@given(poses, poses, vectors)
def test_poses_are_chained_and_inverted(X_AB, X_BC, x_C):
    same((X_AB @ X_BC).point(x_C), X_AB.point(X_BC.point(x_C)))
    back = X_AB.inverse() @ X_AB
    same(back.R, IDENTITY.R)
    same(back.p, IDENTITY.p)


@given(poses)
def test_the_identity_changes_nothing(X):
    same((X @ IDENTITY).R, X.R)
    same((IDENTITY @ X).p, X.p)


@given(sixes, vectors, vectors)
def test_twists_travel_along_a_body(t, r, s):
    same(twist_matrix(r) @ t, transport_twist(t, r))
    same(transport_twist(transport_twist(t, r), s), transport_twist(t, r + s))


@given(sixes, vectors)
def test_wrenches_travel_back(w, r):
    same(wrench_matrix(r) @ w, transport_wrench(w, r))
    same(wrench_matrix(r), twist_matrix(r).T)


@given(sixes, sixes, vectors)
def test_power_is_the_same_at_every_point(t, w, r):
    """wᵀt at O + r equals that at O: the one matrix is the other's transpose."""
    same(ca.dot(w, transport_twist(t, r)), ca.dot(transport_wrench(w, r), t), atol=1e-9)


@given(tensors, masses, vectors)
def test_parallel_axes(I_com, m, d):
    """Steiner: I about O is I about C plus m (|d|² 1 − d dᵀ); going back takes −m."""
    I_origin = inertia_about(I_com, m, d)
    expected = numeric(I_com) + m * (numeric(d) @ numeric(d) * np.eye(3) - np.outer(numeric(d), numeric(d)))
    assert_allclose(numeric(I_origin), expected, atol=1e-9)
    same(inertia_about(I_origin, -m, d), I_com, atol=1e-9)


@given(tensors, masses, vectors)
def test_the_extended_mass_is_symmetric_and_not_negative(I_com, m, d):
    M = numeric(Inertia(m, m * d, inertia_about(I_com, m, d)).matrix)
    assert_allclose(M, M.T, atol=TIGHT)
    assert np.linalg.eigvalsh(M).min() > -1e-9 * np.abs(M).max(initial=1.0)


@given(tensors, masses, vectors, sixes)
def test_kinetic_energy_is_that_of_the_mass_centre_and_the_spin(I_com, m, d, t):
    M = Inertia(m, m * d, inertia_about(I_com, m, d)).matrix
    v_com = transport_twist(t, d)[3:]
    expected = m * ca.sumsqr(v_com) + ca.bilin(I_com, t[:3], t[:3])
    assert float(ca.bilin(M, t, t)) == pytest.approx(float(expected), rel=1e-11, abs=1e-9)


@given(tensors, masses, vectors, sixes, sixes)
def test_the_inertia_wrench_is_the_newton_euler_equation(I_com, m, d, t, dt):
    """w* = M ṫ + W M E t with W = diag(ω̃, ω̃), E = diag(1, 0). Source: [chaudhary], eqs. (2)–(3)."""
    I_origin = inertia_about(I_com, m, d)
    M, omega = Inertia(m, m * d, I_origin).matrix, skew(t[:3])
    W = ca.diagcat(omega, omega)
    E = ca.diagcat(ca.DM.eye(3), ca.DM(3, 3))
    same(inertia_wrench(m, d, I_origin, t, dt), M @ dt + W @ M @ E @ t, atol=1e-8)


@given(tensors, masses, vectors, sixes, sixes)
def test_the_inertia_wrench_is_newton_and_euler_at_the_mass_centre(I_com, m, d, t, dt):
    omega, alpha = t[:3], dt[:3]
    a_com = dt[3:] + ca.cross(alpha, d) + ca.cross(omega, ca.cross(omega, d))
    f = m * a_com
    n = I_com @ alpha + ca.cross(omega, I_com @ omega) + ca.cross(d, f)
    same(inertia_wrench(m, d, inertia_about(I_com, m, d), t, dt), ca.vertcat(n, f), atol=1e-8)


FUNCTIONS = {
    "skew": (skew, (3,)),
    "quaternion_matrix": (quaternion_matrix, (4,)),
    "twist_matrix": (twist_matrix, (3,)),
    "transport_twist": (transport_twist, (6, 3)),
    "transport_wrench": (transport_wrench, (6, 3)),
    "inertia_about": (lambda tensor, m, d: inertia_about(ca.reshape(tensor, 3, 3), m, d), (9, 1, 3)),
    "inertia": (lambda tensor, m, d: Inertia(m, m * d, ca.reshape(tensor, 3, 3)).matrix, (9, 1, 3)),
    "inertia_wrench": (
        lambda tensor, m, d, t, dt: inertia_wrench(m, d, ca.reshape(tensor, 3, 3), t, dt),
        (9, 1, 3, 6, 6),
    ),
    "pose": (
        lambda e, p, x: (Pose(quaternion_matrix(e), p).inverse() @ Pose(skew(x), p)).point(x),
        (4, 3, 3),
    ),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_symbols_and_numbers_go_through_the_same_text(name):
    function, sizes = FUNCTIONS[name]
    random = np.random.default_rng(1)
    symbols = [ca.SX.sym(f"s{k}", size) for k, size in enumerate(sizes)]
    values = [ca.DM(random.normal(size=size)) for size in sizes]
    traced = function(*symbols)
    plain = function(*values)
    assert isinstance(traced, ca.SX)
    assert isinstance(plain, ca.DM)
    assert traced.shape == plain.shape
    same(ca.Function("traced", symbols, [traced])(*values), plain)
