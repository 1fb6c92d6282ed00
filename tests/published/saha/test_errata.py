"""[saha]: signs and terms of the planar examples, printed and right, against differences of positions and energies.

They are listed in docs/errata.md. Nothing here uses the library: mechanisms are closed by hand, and torques follow from
kinetic and potential energy.
"""

from dataclasses import dataclass

import numpy as np
import pytest
from scipy.optimize import brentq

E = np.array([[0.0, -1.0], [1.0, 0.0]])
I, J = np.array([1.0, 0.0]), np.array([0.0, 1.0])
G = np.array([0.0, -9.81])
STEP = 1e-5

PSIS = pytest.mark.parametrize("psi", [0.4, 1.9, 3.3, 5.2])


def unit(angle):
    return np.array([np.cos(angle), np.sin(angle)])


def along(angle, vector):
    return unit(angle) * vector[0] + E @ unit(angle) * vector[1]


def slope(function, x, h=STEP):
    return (function(x + h) - function(x - h)) / (2 * h)


def meet(first, one, second, other):
    """Where two circles meet, to the left of the line from the first to the second centre."""
    d = np.linalg.norm(second - first)
    e = (second - first) / d
    x = (d**2 + one**2 - other**2) / (2 * d)
    return first + x * e + np.sqrt(one**2 - x**2) * E @ e


@dataclass
class FourBar:
    """The four-bar with mass centres off its lines, at the crank angle ψ; a₁ + a₂ + a₃ + a₀ = 0."""

    psi: float
    masses = (1.0, 2.0, 1.5)
    inertias = (0.0015, 0.018, 0.011)

    def __post_init__(self):
        base = 0.30 * I
        self.a1 = 0.10 * unit(self.psi)
        tip = meet(self.a1, 0.28, base, 0.24)
        self.a2, self.a3 = tip - self.a1, base - tip
        self.theta = float(np.arctan2(*self.a2[::-1]))
        self.phi = float(np.arctan2(*(-self.a3)[::-1]))
        self.r1, self.r2 = along(self.psi, (0.04, 0.01)), along(self.theta, (0.13, 0.03))
        self.b3 = -along(self.phi, (0.11, -0.02))  # from the mass centre of the rocker to its pivot
        self.centres = np.array([self.r1, self.a1 + self.r2, base - self.b3])

    def ratios(self, h):
        """[r_θ, r_φ] = −J_D⁻¹ h of (31)."""
        return -np.linalg.solve(np.column_stack([E @ self.a2, E @ self.a3]), h)

    @property
    def weight(self):
        """Torque of gravity, −dV/dψ."""
        return slope(
            lambda x: sum(m * G @ c for m, c in zip(self.masses, FourBar(x).centres, strict=True)), self.psi
        )


@dataclass
class SliderCrank:
    """r = 0.05, l = 0.20; the pin of the slider on the line y = 0."""

    psi: float
    masses = (0.6, 0.9, 0.5)

    def __post_init__(self):
        self.a1 = 0.05 * unit(self.psi)
        self.s = self.a1[0] + np.sqrt(0.20**2 - self.a1[1] ** 2)
        self.a2 = self.s * I - self.a1
        self.theta = float(np.arctan2(*self.a2[::-1]))
        self.r1, self.r2, self.r3 = 0.4 * self.a1, 0.35 * self.a2, np.array([0.012, 0.004])
        self.centres = np.array([self.r1, self.a1 + self.r2, self.s * I + self.r3])

    def ratios(self, h):
        return -np.linalg.solve(np.column_stack([E @ self.a2, -I]), h)

    @property
    def weight(self):
        return slope(
            lambda x: sum(m * G @ c for m, c in zip(self.masses, SliderCrank(x).centres, strict=True)),
            self.psi,
        )


def test_the_matrix_e_turns_counter_clockwise():
    """§4.1: "rotates 2-dimensional vectors clockwise through 90°"; it takes i to j."""
    assert pytest.approx(J) == E @ I
    turned = slope(unit, 0.7)  # a positive rate about k
    assert turned == pytest.approx(E @ unit(0.7), abs=1e-9)  # differences


@PSIS
@pytest.mark.parametrize("kind", [FourBar, SliderCrank])
def test_h_of_equations_30_and_42_is_plus_e_a1(kind, psi):
    """Rates from differences of the closed position; h = −E a₁, as printed, turns both signs."""
    at = kind(psi)
    second = (lambda x: kind(x).phi) if kind is FourBar else (lambda x: kind(x).s)
    known = np.array([slope(lambda x: kind(x).theta, psi), slope(second, psi)])
    assert at.ratios(E @ at.a1) == pytest.approx(known, abs=1e-8)  # differences
    assert at.ratios(-E @ at.a1) == pytest.approx(-known, abs=1e-8)


@PSIS
def test_twist_of_the_rocker_in_equation_28(psi):
    """ċ₃ = −φ̇ E b₃, as in u and with A u = 0; (28) prints +."""
    at = FourBar(psi)
    velocity, rate = slope(lambda x: FourBar(x).centres[2], psi), slope(lambda x: FourBar(x).phi, psi)
    assert velocity == pytest.approx(-rate * E @ at.b3, abs=1e-9)
    assert velocity != pytest.approx(rate * E @ at.b3, abs=1e-3)


@PSIS
def test_twist_of_the_slider(psi):
    """ċ₃ = +ṡ i, as in u; t₃ of §4.2 prints −ṡ i."""
    velocity, rate = slope(lambda x: SliderCrank(x).centres[2], psi), slope(lambda x: SliderCrank(x).s, psi)
    assert velocity == pytest.approx(rate * I, abs=1e-9)
    assert velocity != pytest.approx(-rate * I, abs=1e-3)


@PSIS
def test_gravity_in_equation_34(psi):
    """τ contains +gᵀE[…]; printed is −, although g acts along −j."""
    at = FourBar(psi)
    rt, rp = at.ratios(E @ at.a1)
    m1, m2, m3 = at.masses
    bracket = G @ E @ (m1 * at.r1 + m2 * (at.a1 + rt * at.r2) - m3 * rp * at.b3)
    assert at.weight == pytest.approx(bracket, abs=1e-8)
    assert abs(at.weight + bracket) > 0.1


@PSIS
def test_gravity_in_equation_45(psi):
    at = SliderCrank(psi)
    rt, _ = at.ratios(E @ at.a1)
    m1, m2, _ = at.masses
    bracket = G @ E @ (m1 * at.r1 + m2 * (at.a1 + rt * at.r2))
    assert at.weight == pytest.approx(bracket, abs=1e-8)
    assert abs(at.weight + bracket) > 0.01


@PSIS
def test_convective_term_of_equation_11(psi):
    """C = −Tᵀ(W M T + M Ṫ) is −½ dI/dt for one coordinate; with Ṁ T, as scanned, it would vanish: M is constant."""
    rate = 3.0

    def complement(x):
        at = FourBar(x)
        rt, rp = at.ratios(E @ at.a1)
        velocities = (E @ at.r1, E @ (at.a1 + rt * at.r2), -rp * E @ at.b3)
        return np.concatenate([[w, *v] for w, v in zip((1.0, rt, rp), velocities, strict=True)])

    M = np.diag([x for i, m in zip(FourBar.inertias, FourBar.masses, strict=True) for x in (i, m, m)])
    found = -complement(psi) @ M @ slope(complement, psi) * rate
    inertia_rate = slope(lambda x: complement(x) @ M @ complement(x), psi) * rate
    assert found == pytest.approx(-inertia_rate / 2, abs=1e-8)
    assert abs(found) > 1e-3


def test_the_guide_moment_in_equation_38_counts_once():
    """n₃ + r₃ᵀE f₂₃ − n₃₀ = 0, as (50): with n₀₃ = −n₃₀ in the place of n₃ the couple would count twice.

    A slider at rest under its weight, on a pin that carries it alone: the couple balances its moment about the pin.
    """
    mass, r3 = 0.5, np.array([0.012, 0.004])
    pin = -mass * G  # f₂₃, on the slider
    about_pin = mass * (r3[0] * G[1] - r3[1] * G[0])
    n03 = -about_pin  # of the guide on the slider, so that moments about the pin vanish
    n30 = -n03
    assert 0.0 + r3 @ E @ pin - n30 == pytest.approx(0.0, abs=1e-15)
    assert n03 + r3 @ E @ pin - n30 == pytest.approx(n03, rel=1e-12)
    assert abs(n03) > 0.05


CAM_R, CAM_E, CAM_RATE = 0.03, 0.01, 30.0
MASS, CENTRE, INERTIA, FOLLOWER = 0.8, 0.006, 4e-4, 0.3


def face(psi):
    """a₁, from the axis of the cam to its contact with the flat face."""
    return CAM_E * unit(psi) + CAM_R * J


@PSIS
def test_convective_term_of_the_flat_face(psi):
    """C = −m₂ (i·a₁)(i·a₁)′ ψ̇ with (i·a₁)′ = ρ − j·a₁; printed are −m₂ (i·a₁)(j·a₁) ψ̇ and a term m₁ ‖r₁‖² ψ̇."""

    def inertia(x):
        return INERTIA + MASS * CENTRE**2 + FOLLOWER * slope(lambda y: face(y)[1], x) ** 2

    known = -slope(inertia, psi, 1e-3) / 2 * CAM_RATE
    across, above = face(psi)
    printed = CAM_RATE * (MASS * CENTRE**2 - FOLLOWER * across * above)
    # differences of differences
    assert -FOLLOWER * across * (CAM_R - above) * CAM_RATE == pytest.approx(known, abs=1e-8)
    assert abs(printed - known) > 1e-4


@PSIS
def test_gravity_on_cam_and_flat_face(psi):
    """τ contains −m₁ r₁ᵀE g + (i·a₁) m₂ j·g; printed are the opposite signs, that of the spring is right."""

    def work(x, stiffness=0.0):
        """Of gravity and of a force −k s on the follower along j."""
        s = face(x)[1]
        return MASS * CENTRE * G @ unit(x) + FOLLOWER * G[1] * s - stiffness * s**2 / 2

    r1, across, k = CENTRE * unit(psi), face(psi)[0], 100.0
    printed = MASS * r1 @ E @ G - across * FOLLOWER * G[1]
    assert slope(work, psi) == pytest.approx(-printed, abs=1e-9)
    force = k * face(psi)[1]  # f_s = −j·f₂
    assert slope(lambda x: work(x, k) - work(x), psi) == pytest.approx(-across * force, abs=1e-9)


ROLLER = 0.012


def roller(psi):
    """Centre of the roller on the line x = 0, and its angle, found by rolling on the circle: arcs of equal length."""
    middle = CAM_E * unit(psi)
    reach = CAM_R + ROLLER
    y = brentq(
        lambda y: np.hypot(middle[0], y - middle[1]) - reach, middle[1], middle[1] + 2 * reach, xtol=1e-15
    )
    normal = (np.array([0, y]) - middle) / reach
    beta = float(np.arctan2(normal[1], normal[0]))
    # no slip: the arcs R (β − ψ) on the cam and r (θ − β) on the roller are equal
    theta = beta + CAM_R / ROLLER * (beta - psi)
    return np.array([0, y]), theta, normal


@PSIS
def test_rolling_of_the_roller(psi):
    """ṡ j − θ̇ E r₂ = ψ̇ E a₁ with r₂ from the contact Q to the middle of the roller, as in (54) and (55); printed is +.

    The signs of (54) and (55) fix r₂: A has −E r₂ for ċ₂ − θ̇ E r₂ = ċ₁ + ψ̇ E b₁, thus r₂ = c₂ − q.
    """
    centre, _, normal = roller(psi)
    rate, turning = slope(lambda x: roller(x)[0][1], psi), slope(lambda x: roller(x)[1], psi)
    contact = centre - ROLLER * normal
    r2, a1 = centre - contact, contact
    assert rate * J - turning * E @ r2 == pytest.approx(E @ a1, abs=1e-8)  # differences
    assert np.abs(rate * J + turning * E @ r2 - E @ a1).max() > 0.01


@PSIS
def test_gravity_on_the_roller_follower(psi):
    """τ contains +r_s (m₂ + m₃) j·g, and −m₁ r₁ᵀE g; printed with the opposite signs."""
    mass, r1 = 0.5, CENTRE * unit(psi)

    def work(x):
        return MASS * CENTRE * G @ unit(x) + mass * G[1] * roller(x)[0][1]

    rate = slope(lambda x: roller(x)[0][1], psi)
    printed = MASS * r1 @ E @ G - rate * mass * G[1]
    assert slope(work, psi) == pytest.approx(-printed, abs=1e-8)
    assert abs(printed) > 1e-3
