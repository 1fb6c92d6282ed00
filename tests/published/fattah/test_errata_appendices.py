"""[fattah], appendices A to C: derivatives of the kinetic energy by Euler parameters and elastic coordinates.

They are listed in docs/errata.md. Every formula is held, as printed and corrected, against central differences; the
entries of Euler parameters are varied independently, as in the thesis.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

STEP = 1e-6
SEEDS = pytest.mark.parametrize("seed", range(3))


def cross(a: np.ndarray) -> np.ndarray:
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def gradient(function: Callable[[np.ndarray], float], x: np.ndarray) -> np.ndarray:
    return np.array([(function(x + h) - function(x - h)) / (2 * STEP) for h in STEP * np.eye(len(x))])


def rotation(q: np.ndarray, factor: float = 2.0) -> np.ndarray:
    """R of (A.3a) from q = (r, r⁰), with `factor` (r⁰)² − 1 before the identity."""
    r, r0 = q[:3], q[3]
    return (factor * r0**2 - 1) * np.eye(3) + 2 * np.outer(r, r) + 2 * r0 * cross(r)


def given(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Euler parameters of unit length, two vectors and a matrix."""
    rng = np.random.default_rng(seed)
    q = rng.normal(size=4)
    return q / np.linalg.norm(q), rng.normal(size=3), rng.normal(size=3), rng.normal(size=(3, 3))


@SEEDS
def test_the_rotation_matrix_a_3a(seed: int) -> None:
    """2 (r⁰)² − 1, as in (B.4); printed is (2 r⁰)² − 1. Also against G Lᵀ of the same line."""
    q, *_ = given(seed)
    r, r0 = q[:3], q[3]
    G, L = (np.column_stack([sign * cross(r) + r0 * np.eye(3), -r]) for sign in (1, -1))
    right, printed = rotation(q), rotation(q, 4.0)
    assert right @ right.T == pytest.approx(np.eye(3), abs=1e-14)
    assert right == pytest.approx(G @ L.T, abs=1e-14)
    assert np.abs(printed - right).max() == pytest.approx(2 * r0**2, rel=1e-9)


@SEEDS
def test_the_derivative_b_7(seed: int) -> None:
    """∂(aᵀR b)/∂r ends with +2 r⁰ B a, since ∂(r × b)/∂r = −B; (B.5a) and (B.6) have +2 r⁰ B, (B.7) −2 r⁰ B a."""
    q, a, b, _ = given(seed)
    r, r0 = q[:3], q[3]
    found = gradient(lambda x: float(a @ rotation(x) @ b), q)
    both = 2 * b * (r @ a) + 2 * (b @ r) * a
    assert found[:3] == pytest.approx(both + 2 * r0 * cross(b) @ a, abs=1e-8)  # differences
    assert np.abs(found[:3] - (both - 2 * r0 * cross(b) @ a)).max() > 0.01
    assert found[3] == pytest.approx(4 * r0 * (b @ a) + 2 * np.cross(r, b) @ a, abs=1e-8)  # as printed


@SEEDS
def test_the_derivatives_b_11_and_b_13(seed: int) -> None:
    """∂e/∂r ends with +2 r⁰ H B (printed −), and u has −2 r⁰ B f and +2 r⁰ E a (printed + and −)."""
    q, a, b, H = given(seed)
    r, r0 = q[:3], q[3]
    e, f = H @ rotation(q).T @ b, H.T @ rotation(q).T @ a
    jacobian = np.array([gradient(lambda x, k=k: float((H @ rotation(x).T @ b)[k]), q) for k in range(3)])
    common = 2 * (b @ r) * H + 2 * np.outer(H @ r, b)
    assert jacobian[:, :3] == pytest.approx(common + 2 * r0 * H @ cross(b), abs=1e-8)
    assert np.abs(jacobian[:, :3] - (common - 2 * r0 * H @ cross(b))).max() > 0.01
    assert jacobian[:, 3] == pytest.approx(4 * r0 * H @ b - 2 * H @ np.cross(r, b), abs=1e-8)
    found = gradient(lambda x: float(a @ rotation(x) @ H @ rotation(x).T @ b), q)
    both = 2 * (b @ r) * f + 2 * (r @ f) * b + 2 * e * (r @ a) + 2 * (e @ r) * a
    odd = 2 * r0 * (cross(b) @ f - cross(e) @ a)
    assert found[:3] == pytest.approx(both - odd, abs=1e-8)
    assert np.abs(found[:3] - (both + odd)).max() > 0.01
    printed = 4 * r0 * b @ f - 2 * np.cross(r, b) @ f + 4 * r0 * e @ a + 2 * np.cross(r, e) @ a
    assert found[3] == pytest.approx(printed, abs=1e-8)


@SEEDS
def test_the_matrix_c_17(seed: int) -> None:
    """Its second column is (C₁₃³ − C₃₁³) u̇, as in (3.16d) and (3.65h); printed is the negative.

    The elastic part of V^re = ∫ d̃ L dm over five points of mass.
    """
    rng = np.random.default_rng(seed)
    masses, shapes, n = rng.uniform(0.5, 2.0, 5), rng.normal(size=(5, 3, 4)), 4
    u, u_rate, b = rng.normal(size=n), rng.normal(size=n), rng.normal(size=3)

    def energy(x: np.ndarray) -> float:
        return float(b @ sum(m * cross(L @ x) @ L for m, L in zip(masses, shapes, strict=True)) @ u_rate)

    def C(k: int, j: int) -> np.ndarray:
        """C_kj³ = ∫ l_j l_kᵀ dm, (3.11a)."""
        return np.asarray(sum(m * np.outer(L[j - 1], L[k - 1]) for m, L in zip(masses, shapes, strict=True)))

    def matrix(sign: float) -> np.ndarray:
        pairs = [C(3, 2) - C(2, 3), sign * (C(1, 3) - C(3, 1)), C(2, 1) - C(1, 2)]
        return np.column_stack([pair @ u_rate for pair in pairs])

    found = gradient(energy, u)
    assert found == pytest.approx(matrix(1) @ b, abs=1e-7)  # differences
    assert np.abs(found - matrix(-1) @ b).max() > 0.1
