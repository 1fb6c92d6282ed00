"""[saha] §§4.1–4.2: four-bar and slider-crank as one equation, I ψ̈ = C ψ̇ + τ, from the orthogonal complement.

The data are chosen (mass centres off the links' lines). The scalar equation is evaluated here as printed and
held against inverse dynamics of the library.

Errata: E turns counter-clockwise; h = +E a₁; the gravity terms of (34) and (45) have the wrong sign for g along
−j; t₃ of (28) is φ̇ [1; −E b₃]. In (33) and (44) r_θ² stands where r_θ′ is meant.
"""

import numpy as np
import pytest
from zoo import four_bars, sliders

import multiloop as ml

E = np.array([[0.0, -1.0], [1.0, 0.0]])
G = np.array([0.0, -9.81])


def unit(angle):
    return np.array([np.cos(angle), np.sin(angle)])


def turned(angle, vector):
    return unit(angle) * vector[0] + E @ unit(angle) * vector[1]


def ratios(a1, columns, others):
    """r from J_D r = −h, and r′ from J_D r′ = a₁ + Σ r² a: eqs. (30), (31) and their derivative."""
    J_D = np.column_stack(columns)
    r = -np.linalg.solve(J_D, E @ a1)
    r_prime = np.linalg.solve(J_D, a1 + sum(ratio**2 * a for ratio, a in zip(r, others, strict=True)))
    return r, r_prime


def four_bar_torque(psi, theta, phi, rate, acceleration):
    """τ₁ of eqs. (32)–(35); angles of crank, coupler and rocker (from D to B)."""
    (m1, I1), (m2, I2), (m3, I3) = (1.0, 0.0015), (2.0, 0.018), (1.5, 0.011)
    a1, a2, a3 = 0.10 * unit(psi), 0.28 * unit(theta), -0.24 * unit(phi)  # a₃ runs from B to D
    r1, r2 = turned(psi, (0.04, 0.01)), turned(theta, (0.13, 0.03))
    b3 = -turned(phi, (0.11, -0.02))  # from the rocker's mass centre to D
    (rt, rp), (rt_, rp_) = ratios(a1, (E @ a2, E @ a3), (a2, a3))
    inertia = I1 + rt**2 * I2 + rp**2 * I3 + m1 * r1 @ r1
    inertia += m2 * (a1 + rt * r2) @ (a1 + rt * r2) + m3 * rp**2 * b3 @ b3
    convective = -rate * (
        rt * rt_ * (I2 + m2 * r2 @ r2)
        + m2 * rt_ * a1 @ r2
        + m2 * rt * (rt - 1) * a1 @ E @ r2
        + rp * rp_ * (I3 + m3 * b3 @ b3)
    )
    weight = G @ E @ (m1 * r1 + m2 * (a1 + rt * r2) - m3 * rp * b3)
    return inertia * acceleration - convective * rate - weight, (rt, rp)


def test_four_bar_equation_35():
    """ψ̇ = 10 and ψ̈ = 5 at the start, half a second long: more than one turn."""
    mechanism = four_bars.four_bar_with_offsets().replace(
        drives=[ml.Motion("A", 10 * ml.time + 2.5 * ml.time**2)]
    )
    result = ml.inverse(mechanism, t=np.linspace(0.0, 0.6, 61))
    for k, t in enumerate(result.time):
        psi = result["A"].position[k]
        theta, phi = psi + result["B"].position[k], result["D"].position[k]
        expected, (rt, rp) = four_bar_torque(psi, theta, phi, 10 + 5 * t, 5.0)
        # Closed forms on one side, a 3×3 solve on the other.
        assert result["A"].effort[k] == pytest.approx(expected, abs=1e-11)
        assert result["D"].rate[k] == pytest.approx(rp * (10 + 5 * t), abs=1e-11)
        assert result["B"].rate[k] == pytest.approx((rt - 1) * (10 + 5 * t), abs=1e-11)


def test_four_bar_equation_34_as_printed_has_the_wrong_sign_of_gravity():
    result = ml.inverse(four_bars.four_bar_with_offsets(), t=[0.0, 0.1])
    still = ml.inverse(four_bars.four_bar_with_offsets().replace(gravity=(0, 0)), t=[0.0, 0.1])
    weight = result["A"].effort - still["A"].effort
    r1, a1 = turned(1.0, (0.04, 0.01)), 0.10 * unit(1.0)
    theta = 1.0 + result["B"].position[1]
    phi = result["D"].position[1]
    r2, b3 = turned(theta, (0.13, 0.03)), -turned(phi, (0.11, -0.02))
    (rt, rp), _ = ratios(a1, (0.28 * E @ unit(theta), -0.24 * E @ unit(phi)), (a1, a1))
    printed = G @ E @ (1.0 * r1 + 2.0 * (a1 + rt * r2) - 1.5 * rp * b3)
    assert weight[1] == pytest.approx(-printed, abs=1e-12)


def test_slider_crank_equations_44_and_45():
    """ψ̇ = 20; without gas force."""
    result = ml.inverse(sliders.slider_crank(), cycle=73)
    m1, (m2, I2), m3 = 0.6, (0.9, 4e-3), 0.5
    i = np.array([1.0, 0.0])
    for k in range(len(result.time)):
        psi = result["A"].position[k]
        theta = psi + result["B"].position[k]
        a1, a2 = 0.05 * unit(psi), 0.20 * unit(theta)
        r1, r2 = 0.02 * unit(psi), 0.07 * unit(theta)
        (rt, rs), (rt_, rs_) = ratios(a1, (E @ a2, -i), (a2, np.zeros(2)))
        convective = -20 * (
            I2 * rt * rt_ + m2 * (rt_ * (a1 + rt * r2) @ r2 + rt * (rt - 1) * a1 @ E @ r2) + m3 * rs * rs_
        )
        weight = G @ E @ (m1 * r1 + m2 * (a1 + rt * r2))
        assert result["A"].effort[k] == pytest.approx(-convective * 20 - weight, abs=1e-11)
        assert result["guide"].rate[k] == pytest.approx(20 * rs, abs=1e-12)


def test_slider_crank_equation_43():
    """The inertia alone: the torque of one more unit of ψ̈."""
    steady = ml.inverse(sliders.slider_crank(), t=[0.0])["A"].effort[0]
    hurried = sliders.slider_crank().replace(drives=[ml.Motion("A", 0.5 + 20 * ml.time + 0.5 * ml.time**2)])
    result = ml.inverse(hurried, t=[0.0])
    psi = 0.5
    theta = psi + result["B"].position[0]
    a1, a2, r1, r2 = 0.05 * unit(psi), 0.20 * unit(theta), 0.02 * unit(psi), 0.07 * unit(theta)
    (rt, rs), _ = ratios(a1, (E @ a2, np.array([-1.0, 0.0])), (a2, np.zeros(2)))
    inertia = 6e-4 + 0.6 * r1 @ r1 + rt**2 * 4e-3 + 0.9 * (a1 + rt * r2) @ (a1 + rt * r2) + 0.5 * rs**2
    assert result["A"].effort[0] - steady == pytest.approx(inertia, abs=1e-12)
