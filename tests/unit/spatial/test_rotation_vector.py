"""Rotations by a rotation vector: orthogonal, smooth at zero, and with the angular velocity that goes with them."""

import casadi as ca
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from multiloop.spatial import numeric, rotation_from_vector, tangent, tangent_drift

ROUND_OFF = 1e-14
VECTORS = [(0.0, 0.0, 0.0), (1e-9, -2e-9, 1e-9), (0.3, -0.2, 0.1), (1.2, -1.7, 2.0), (0.0, 0.0, 0.7)]
H = 1e-6


def vee(S):
    return np.array([S[2, 1], S[0, 2], S[1, 0]])


@pytest.mark.parametrize("theta", VECTORS)
def test_it_is_the_rotation_about_its_axis(theta):
    found = numeric(rotation_from_vector(ca.DM(theta)))
    assert found == pytest.approx(Rotation.from_rotvec(theta).as_matrix(), abs=ROUND_OFF)


@pytest.mark.parametrize("theta", VECTORS)
def test_the_tangent_gives_the_angular_velocity(theta):
    """ω~ = Ṙ Rᵀ, by central differences: good to h² and round-off over h."""
    theta, rate = np.array(theta), np.array([0.4, 1.1, -0.7]) if any(theta[:2]) else np.array([0.0, 0.0, 1.3])
    R = [numeric(rotation_from_vector(ca.DM(theta + s * H * rate))) for s in (-1, 0, 1)]
    omega = vee((R[2] - R[0]) / (2 * H) @ R[1].T)
    assert numeric(tangent(ca.DM(theta)) @ ca.DM(rate)) == pytest.approx(omega, abs=1e-9)


@pytest.mark.parametrize("theta", VECTORS)
def test_the_drift_is_the_angular_acceleration_at_constant_rate(theta):
    theta, rate = np.array(theta), np.array([0.4, 1.1, -0.7]) if any(theta[:2]) else np.array([0.0, 0.0, 1.3])
    omega = [numeric(tangent(ca.DM(theta + s * H * rate)) @ ca.DM(rate)) for s in (-1, 1)]
    found = numeric(tangent_drift(ca.DM(theta), ca.DM(rate)))
    assert found == pytest.approx((omega[1] - omega[0]) / (2 * H), abs=1e-9)


def test_it_can_be_derived_at_zero():
    """No root and no division stands in it: the slope at θ = 0 is that of 1 + θ~."""
    theta = ca.SX.sym("theta", 3)
    slope = ca.Function("slope", [theta], [ca.jacobian(ca.vec(rotation_from_vector(theta)), theta)])(0).full()
    assert np.isfinite(slope).all()
    assert slope[5, 0] == pytest.approx(1.0)
    assert slope[7, 0] == pytest.approx(-1.0)


def test_about_z_it_is_a_cosine_and_a_sine():
    angle = ca.SX.sym("angle")
    R = rotation_from_vector(ca.vertcat(ca.SX(2, 1), angle))
    assert str(R[0, 0]) == "cos(angle)"
    assert tangent(ca.vertcat(ca.SX(2, 1), angle)).is_constant()
