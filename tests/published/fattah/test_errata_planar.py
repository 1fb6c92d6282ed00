"""[fattah], chs. 4 and 5: formulas of the planar manipulators, printed and right, against differences and dense solves.

They are listed in docs/errata.md.
"""

from __future__ import annotations

import numpy as np
import pytest

E = np.array([[0.0, -1.0], [1.0, 0.0]])


def unit(angle: float) -> np.ndarray:
    return np.array([np.cos(angle), np.sin(angle)])


def test_the_inverse_of_equation_4_32() -> None:
    """The second row is +a₄₆ᵀ/Δ; thus θ̇₅ of (4.33), and n₂, N₃ of (4.35c, g), have −a₄₆ᵀ N_I/Δ."""
    a46, a56 = np.random.default_rng(0).normal(size=(2, 2))
    matrix = np.column_stack([-E @ a46, E @ a56])
    delta = -a56 @ E @ a46
    assert np.linalg.inv(matrix) == pytest.approx(np.array([a56, a46]) / delta, rel=1e-12)
    assert np.array([a56, -a46]) / delta @ matrix == pytest.approx(np.diag([1.0, -1.0]), abs=1e-12)


class TwoArms:
    """The two cooperating arms with rigid links at given motor angles θ₁, θ₂, θ₃, closed by hand."""

    def __init__(self, motors: np.ndarray) -> None:
        third = motors[0] + motors[2]
        fork = 0.45 * unit(motors[0]) + 0.55 * unit(third)
        elbow = np.array([0.6, 0.0]) + 0.45 * unit(motors[1])
        line = fork - elbow
        d = np.linalg.norm(line)
        along = (0.55**2 - 0.4**2 + d**2) / (2 * d)
        across = np.sqrt(0.55**2 - along**2) * E @ line
        last = (along * line - across) / d  # from O₄ to O₆, right of the line to O₅
        carried = elbow + last - fork
        fourth, angle = np.arctan2(last[1], last[0]), np.arctan2(carried[1], carried[0])
        self.omegas = np.array([motors[0], motors[1], third, fourth, angle])
        """Directions of links 1 to 4 and of the object; their rates are ω₁ … ω₄, ω_c."""
        self.a13, self.a24 = 0.45 * unit(motors[0]), 0.45 * unit(motors[1])
        self.a35, self.a46, self.a56 = 0.55 * unit(third), last, carried
        self.centre = self.a13 + self.a35 + self.a56 / 2


def test_the_orthogonal_complement_of_equations_4_34_and_4_35() -> None:
    """ω₂ has the row [0 1 0] (printed [1 0 0]), and θ̇₅ enters ω_c and ṙ_c as −a₄₆ᵀN_I/Δ (printed +), by differences."""
    motors, h = np.array([1.1, 1.9, 0.4]), 1e-6
    at = TwoArms(motors)
    moved = [[TwoArms(motors + s * h * row) for s in (1, -1)] for row in np.eye(3)]
    rates = np.transpose([(one.omegas - other.omegas) / (2 * h) for one, other in moved])
    velocity = np.transpose([(one.centre - other.centre) / (2 * h) for one, other in moved])
    N_I = np.column_stack([E @ (at.a13 + at.a35 + at.a56), -E @ (at.a46 + at.a24), E @ (at.a35 + at.a56)])
    delta = -at.a56 @ E @ at.a46
    assert rates[0] == pytest.approx([1, 0, 0], abs=1e-8)
    assert rates[1] == pytest.approx([0, 1, 0], abs=1e-8)
    assert rates[3] == pytest.approx([0, 1, 0] - at.a56 @ N_I / delta, abs=1e-7)  # (4.35b), as printed
    own, fixed = np.array([1, 0, 1]), [at.a13 + at.a35 + at.a56 / 2, np.zeros(2), at.a35 + at.a56 / 2]
    fixed = E @ np.transpose(fixed)
    passive = at.a46 @ N_I / delta
    assert rates[4] == pytest.approx(own - passive, abs=1e-7)
    assert velocity == pytest.approx(fixed - np.outer(E @ at.a56, passive) / 2, abs=1e-7)
    assert np.abs(rates[4] - (own + passive)).max() > 0.1
    assert np.abs(velocity - (fixed + np.outer(E @ at.a56, passive) / 2)).max() > 0.02


def test_the_determinant_of_equation_5_13() -> None:
    """[E a, E b]⁻¹ = [bᵀ; −aᵀ]/Δ has Δ = +bᵀE a; printed is −."""
    a, b = np.random.default_rng(0).normal(size=(2, 2))
    rows = np.array([b, -a])
    assert np.linalg.inv(np.column_stack([E @ a, E @ b])) == pytest.approx(rows / (b @ E @ a), rel=1e-12)
    assert rows / (-b @ E @ a) @ np.column_stack([E @ a, E @ b]) == pytest.approx(-np.eye(2), abs=1e-12)


def test_the_angular_velocities_of_equation_4_39() -> None:
    """Y = [E a₁₃, E a₃₅]⁻¹ X, as (5.9); printed without the inverse. (4.40), (4.42c, e) mean Y(1), not X(i).

    A rigid arm of two links with the end at c + ½ a₅₆, by differences.
    """
    lengths, angles, rates = (0.45, 0.55), np.array([0.4, 1.3, -0.2]), np.array([1.1, -0.7, 0.5])

    def centre(x: np.ndarray) -> np.ndarray:
        return lengths[0] * unit(x[0]) + lengths[1] * unit(x[1]) + 0.2 * unit(x[2])

    h = 1e-6
    c_rate = (centre(angles + h * rates) - centre(angles - h * rates)) / (2 * h)
    a13, a35 = lengths[0] * unit(angles[0]), lengths[1] * unit(angles[1])
    half = 0.2 * unit(angles[2])
    columns, X = np.column_stack([E @ a13, E @ a35]), np.column_stack([-E @ half, np.eye(2)])
    speeds = np.concatenate([rates[2:], c_rate])
    assert np.linalg.solve(columns, X) @ speeds == pytest.approx(rates[:2], abs=1e-8)  # differences
    assert np.abs(columns @ X @ speeds - rates[:2]).max() > 0.1
    elbow = E @ a13 * rates[0]
    assert E @ a13 * (np.linalg.solve(columns, X)[0] @ speeds) == pytest.approx(elbow, abs=1e-8)
    assert np.abs(E @ a13 * (X[0] @ speeds) - elbow).max() > 0.1


def passive_rates(vectors: np.ndarray, h1: np.ndarray, h2: np.ndarray) -> tuple[np.ndarray, list[np.ndarray]]:
    """θ̇₄ … θ̇₇ from (5.24) by a dense solve, and by (5.29)–(5.31): as printed, and with the right Δ₁ and signs."""
    a47, a78, a58, a69, a79 = vectors
    zero = np.zeros(2)
    first = np.column_stack([E @ (a47 + a78), -E @ a58, zero, E @ a78])
    second = np.column_stack([E @ (a47 + a79), zero, -E @ a69, E @ a79])
    dense = -np.linalg.solve(np.vstack([first, second]), np.concatenate([h1, h2]))
    m1, m2, m3 = a58 @ E @ a78, a69 @ E @ (a47 + a79), (a47 + a78) @ E @ a78
    m4, m5, m6 = a79 @ E @ (a47 + a79), a47 @ E @ a58, a69 @ E @ a79
    d = m5 - m1
    d1 = d * m1 * m2 - d**2 * m6
    printed = [
        ((d * d1 + m1 * m2) * a58 @ h1 - d * m1 * a69 @ h2) / (d**2 * d1),
        ((d * d1 * (a47 + a78) + m3 * m2 * a58) @ h1 - d * m3 * a69 @ h2) / (d**2 * d1),
        (m4 * a58 @ h1 - (d * a79 - m1 * (a47 + a79)) @ h2) / (d * d1),
        (m2 * a58 @ h1 - d * a69 @ h2) / (d * d1),
    ]
    theta7 = -(m2 * a58 @ h1 + d * a69 @ h2) / (m1 * m2 + d * m6)
    right = [(a58 @ h1 + m1 * theta7) / d, ((a47 + a78) @ h1 + m3 * theta7) / d]
    theta6 = (m4 * theta7 - (a47 + a79) @ h2) / m2
    return dense, [np.array(printed), np.array([*right, theta6, theta7])]


@pytest.mark.parametrize("seed", range(3))
def test_equations_5_29_do_not_solve_5_24(seed: int) -> None:
    """(5.29)–(5.30) as scanned, also dimensionally: Δ Δ₁ has the unit m⁸ where that of μ₁μ₂ + Δ μ₆, m⁴, is needed."""
    rng = np.random.default_rng(seed)
    vectors, (h1, h2) = rng.normal(size=(5, 2)), rng.normal(size=(2, 2))
    dense, (printed, right) = passive_rates(vectors, h1, h2)
    assert right == pytest.approx(dense, rel=1e-9)
    assert np.abs(printed - dense).max() > 0.1 * np.abs(dense).max()
    larger = 1000.0  # lengths and velocities in millimetres: rates must not change
    _, (changed, same) = passive_rates(larger * vectors, larger * h1, larger * h2)
    assert same == pytest.approx(dense, rel=1e-9)
    assert np.abs(changed - printed).max() > 0.1 * np.abs(printed).max()
