"""[saha] §§4.1–4.2: four-bar and slider-crank as one equation, I ψ̈ = C ψ̇ + τ, from the orthogonal complement.

The data are chosen (mass centres off the links' lines). The scalar equation is evaluated here as printed and
held against inverse dynamics of the library.

Errata: E turns counter-clockwise; h = +E a₁; the gravity terms of (34) and (45) have the wrong sign for g along
−j; t₃ of (28) is φ̇ [1; −E b₃]. In (33) and (44) r_θ² stands where r_θ′ is meant.
"""

import numpy as np
import pytest
from published.saha.linkages import E, FourBar, SliderCrank, ratios, turned, unit
from zoo import four_bars, sliders

import multiloop as ml

G = np.array([0.0, -9.81])


def four_bar_torque(psi, theta, phi, rate, acceleration):
    """τ₁ of eqs. (32)–(35); angles of crank, coupler and rocker (from D to B)."""
    known, (m1, m2, m3) = FourBar(psi, theta, phi), FourBar.m
    moved = known.a1 + known.rt * known.r2
    weight = G @ E @ (m1 * known.r1 + m2 * moved - m3 * known.rp * known.b3)
    torque = known.inertia * acceleration - known.convective(rate) * rate - weight
    return torque, (known.rt, known.rp)


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
    m1, m2, _ = SliderCrank.m
    for k in range(len(result.time)):
        psi = result["A"].position[k]
        known = SliderCrank(psi, psi + result["B"].position[k])
        weight = G @ E @ (m1 * known.r1 + m2 * (known.a1 + known.rt * known.r2))
        assert result["A"].effort[k] == pytest.approx(-known.convective(20) * 20 - weight, abs=1e-11)
        assert result["guide"].rate[k] == pytest.approx(20 * known.rs, abs=1e-12)


def test_slider_crank_equation_43():
    """The inertia alone: the torque of one more unit of ψ̈."""
    steady = ml.inverse(sliders.slider_crank(), t=[0.0])["A"].effort[0]
    hurried = sliders.slider_crank().replace(drives=[ml.Motion("A", 0.5 + 20 * ml.time + 0.5 * ml.time**2)])
    result = ml.inverse(hurried, t=[0.0])
    inertia = SliderCrank(0.5, 0.5 + result["B"].position[0]).inertia
    assert result["A"].effort[0] - steady == pytest.approx(inertia, abs=1e-12)
