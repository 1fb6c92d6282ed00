"""[dado]: equations and a table against differences, dimensions and energies, in the printed and in the right form.

They are listed in docs/errata.md. What (B-2) with r₂ and the planetary terms do to the motion is in
`test_mixed_loop_robot`.
"""

import numpy as np
import pytest
from published.dado import by_hand

from multiloop.examples.mechanisms import dado_robot as robot

PSI, T = np.array([0.3, -0.7]), 0.4
RATE, SECOND = np.array([1.1, -0.6]), np.array([0.2, 0.9])


def relation(psi, t):
    """A rheonomic F(Ψ, t) that is not a sum of a function of Ψ and one of t."""
    return np.array([np.sin(psi[0]) * t**2 + psi[1], np.exp(t) * psi[0] * psi[1]])


def derivatives():
    """C, ∂C/∂t, ∂²F/∂t² and Ċ of `relation`, by hand."""
    (a, b), t, e = PSI, T, np.exp(T)
    C = np.array([[np.cos(a) * t**2, 1], [e * b, e * a]])
    C_t = np.array([[2 * t * np.cos(a), 0], [e * b, e * a]])
    F_tt = np.array([2 * np.sin(a), e * a * b])
    C_rate = C_t + np.array([[-np.sin(a) * t**2 * RATE[0], 0], [e * RATE[1], e * RATE[0]]])
    return C, C_t, F_tt, C_rate


def test_equation_4_lacks_the_mixed_derivative():
    """Q̈ = C Ψ̈ + Ċ Ψ̇ + (∂²F/∂Ψ∂t) Ψ̇ + ∂²F/∂t², Ċ the total derivative; (4) and (32) print no third term."""
    h = 1e-4

    def along(s):
        return relation(PSI + RATE * s + SECOND * s**2 / 2, T + s)

    differences = (along(h) - 2 * along(0.0) + along(-h)) / h**2
    C, C_t, F_tt, C_rate = derivatives()
    printed = C @ SECOND + C_rate @ RATE + F_tt
    # Second differences: h² of truncation, and 1e-16/h² of round-off
    assert printed + C_t @ RATE == pytest.approx(differences, abs=1e-7)
    assert np.abs(printed - differences).max() > 0.1


def matrices(psi, rate):
    """Inertia matrix of the robot, and DM of (25), (31): −Cᵀ Σ (m Dᵀ D + Oᵀ I O) C."""
    c0, C = by_hand.constraint_map()
    M, _ = by_hand.equations(c0 + C @ psi, C @ rate, C)
    return M, -M


def test_dm_is_negative_definite_and_the_law_33_needs_its_negative():
    """(30) with τ of (33): +M Ψ̈_d yields the desired acceleration, DM of (31) its opposite."""
    M, DM = matrices(np.array([1.0, -2.0, 0.5]), np.array([0.3, 0.2, -0.4]))
    assert np.linalg.eigvalsh(M).min() > 0
    assert np.linalg.eigvalsh(DM).max() < 0
    desired = np.array([2.0, -1.0, 3.0])
    # (30): DM Ψ̈ + FE + τ = 0 with FE = −h; the velocity and gravity terms are left to the feedback in (33)
    right, printed = (np.linalg.solve(-DM, feed) for feed in (M @ desired, DM @ desired))
    assert right == pytest.approx(desired, rel=1e-12)
    assert printed == pytest.approx(-desired, rel=1e-12)


def test_the_kinetic_energy_has_the_sign_of_the_inertia_and_not_of_dm():
    """½ Ψ̇ᵀ M Ψ̇ against the sum over the bodies, with velocities from differences of the D-H matrices."""
    c0, C = by_hand.constraint_map()
    psi, rate, h = np.array([1.0, -2.0, 0.5]), np.array([0.3, 0.2, -0.4]), 1e-6

    def poses(s):
        q, found = c0 + C @ (psi + s * rate), []
        for body, *_ in by_hand.MASSES:
            T = np.eye(4)
            for j in by_hand.CHAINS[body]:
                T = T @ by_hand.dh(q[j], *by_hand.SHAPES[j])
            found.append(T)
        return np.array(found)

    now, slope = poses(0.0), (poses(h) - poses(-h)) / (2 * h)
    energy = 0.0
    for (_, mass, com, inertia), T, T_rate in zip(by_hand.MASSES, now, slope, strict=True):
        v = T_rate[:3, :3] @ com + T_rate[:3, 3]
        W = T[:3, :3].T @ T_rate[:3, :3]
        omega = np.array([W[2, 1], W[0, 2], W[1, 0]])
        energy += mass * v @ v / 2 + omega @ (np.array(inertia) * omega) / 2
    M, DM = matrices(psi, rate)
    assert rate @ M @ rate / 2 == pytest.approx(energy, rel=1e-8)  # differences
    assert rate @ DM @ rate / 2 == pytest.approx(-energy, rel=1e-8)


def test_the_row_of_equation_32_must_be_transposed():
    """Cᵀ (n × m) times the row [AD], 1 × m, does not exist; with {AD} of (26) it is n × 1 as τ."""
    _, C = by_hand.constraint_map()
    row = np.ones((1, 6))
    with pytest.raises(ValueError, match="mismatch"):
        C.T @ row
    assert (C.T @ row.T).shape == (3, 1)


def test_r3_of_appendix_b_is_used_nowhere_but_in_b_2():
    """(B-2) and (B-3) have one form: bevel or spur ratio, then worm ratio.

    Printed, (B-2) has r₂ in both places, and r₃ = 8 of the worm G₇, G₈ has no effect.
    """
    (_, right), (_, printed) = by_hand.constraint_map(robot.R3), by_hand.constraint_map(robot.R2)
    assert right[1, 1] == -1 / (robot.R2 * robot.R3)
    assert right[2, 2] == -1 / (robot.R4 * robot.R5)
    assert (
        right[1, 1] == right[2, 2]
    )  # r₂ = r₄ = 2 and r₃ = r₅ = 8: arms 2 and 4 of the pantograph are driven alike
    assert printed[1] == pytest.approx(robot.R3 / robot.R2 * right[1], rel=1e-15)
    # Then turning the base alone, ψ₂ and ψ₃ held, would fold the pantograph: q₂ − q₃ depends on ψ₁.
    assert (right[1] - right[2])[0] == 0
    assert (printed[1] - printed[2])[0] == pytest.approx(1.5 / 8 * (1 / 2 - 1 / 8), rel=1e-15)


def test_planetary_terms_are_relative_to_the_base_or_to_the_carrier():
    """A planet of ratio r that rolls on a wheel fixed to the base, at the angle ψ₁/r₁ of its carrier, by arc lengths.

    Its angle in space is (1 + 1/r) times that of the carrier, as in (B-2) and (B-3); relative to the carrier, in which
    the next worm is mounted, it is 1/r of it. q₂ and q₃ are joint angles of link 1, the carrier.
    """
    r, wheel, carrier = 2.0, 0.08, 0.37
    planet = wheel * r  # r = N₄/N₃
    arc = wheel * carrier  # rolled on the wheel, which is at rest
    relative = arc / planet
    assert relative == pytest.approx(carrier / r, rel=1e-15)
    assert relative + carrier == pytest.approx((1 + 1 / r) * carrier, rel=1e-15)
    absolute, own = (by_hand.constraint_map(planet=one)[1][1, 0] for one in (1.0, 0.0))
    assert (absolute, own) == pytest.approx((1.5 / 64, 0.5 / 64), rel=1e-15)


@pytest.mark.parametrize("body", [1, 2])
def test_inertias_of_table_b_2_are_about_mass_centres(body):
    """About the origin of its link, the inertia of body 1 or 2 would be less than m d², d the distance between both."""
    mass, com, inertia = by_hand.BODIES[body]
    x, y, z = com
    shift = mass * np.array([y * y + z * z, x * x + z * z, x * x + y * y])
    assert (np.array(inertia) - shift).min() < 0


def test_radii_of_gyration_of_links_3_to_6_are_doubtful():
    """Table B-2: 0.26 to 0.32 m for links of 0.15 to 0.30 m.

    A link that reaches from its mass centre no farther than its farther joint has a smaller radius of gyration than
    this distance.
    """
    lengths = {3: 0.30, 4: 0.15, 5: 0.26, 6: 0.15}
    for body, length in lengths.items():
        mass, com, inertia = by_hand.BODIES[body]
        farther = max(abs(com[0]), abs(length + com[0]))
        assert np.sqrt(max(inertia) / mass) > 1.2 * farther, body
    for body, span in {1: 0.30, 2: 0.30}.items():
        mass, _, inertia = by_hand.BODIES[body]
        assert np.sqrt(max(inertia) / mass) < 0.6 * span, body
