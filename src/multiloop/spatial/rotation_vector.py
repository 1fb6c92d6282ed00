"""Rotation vectors: rotation matrices, angular velocities and their inverses, on symbols and on arrays.

    R = exp θ̃ = 1 + a θ̃ + b θ̃²,      ω = T θ̇,   T = 1 + b θ̃ + c θ̃²

R is the rotation matrix of the rotation vector θ with the cross-product matrix θ̃, ω the angular velocity and T the
tangent operator; a = sin|θ|/|θ|, b = (1 − cos|θ|)/|θ|² and c = (|θ| − sin|θ|)/|θ|³ are entire functions of x = θ·θ. On
symbols they are summed as power series, without roots, divisions or branches, and are exact to round-off up to half a
turn. Functions on NumPy arrays evaluate many rotations at once.

Source: Rodrigues' formula; T follows from it by d/dt exp θ̃ = ω̃ exp θ̃ (tests/unit/spatial/test_rotation_vector.py).
Theory: docs/theory/01-notation.md, eqs. (1.6), (1.7).
"""

from __future__ import annotations

from math import factorial

import casadi as ca
import numpy as np

from multiloop.spatial.rotation import Matrix, Rz, quaternion_from_matrix, skew, unskew

TERMS = 14
"""Terms of each power series in |θ|²; the first omitted term is below round-off at |θ| = π, π²⁸/29! = 1e-17."""


ARCSINE_TERMS = 22
ARCSINE_COEFFICIENTS = [
    factorial(2 * k) / (4**k * factorial(k) ** 2 * (2 * k + 1)) for k in range(ARCSINE_TERMS)
]
"""Coefficients of the power series of arcsin(√x)/√x in x."""


def rotation_from_vector(theta: Matrix) -> Matrix:
    """The rotation matrix exp θ̃ of a rotation vector θ with the cross-product matrix θ̃. If θ is along z, it is
    computed from cos θ_z and sin θ_z."""
    if _about_z(theta):
        return Rz(theta[2])
    x, S = ca.dot(theta, theta), skew(theta)
    return ca.DM.eye(3) + _series(x, 1) * S + _series(x, 2) * (S @ S)


def tangent(theta: Matrix) -> Matrix:
    """The tangent operator T (3×3) of ω = T θ̇ for a rotation vector θ; the angular velocity ω and θ have components in
    the same axes."""
    if _about_z(theta):
        return ca.DM.eye(3)
    x, S = ca.dot(theta, theta), skew(theta)
    return ca.DM.eye(3) + _series(x, 2) * S + _series(x, 3) * (S @ S)


def tangent_drift(theta: Matrix, rate: Matrix) -> Matrix:
    """The vector Ṫ θ̇ of a rotation vector θ with the rate θ̇: the angular acceleration if θ̈ = 0. T is the tangent
    operator of ω = T θ̇.

    Ṫ θ̇ = (ḃ + ċ θ̃) (θ × θ̇) + c θ̇ × (θ × θ̇),   b = (1 − cos|θ|)/|θ|²,   c = (|θ| − sin|θ|)/|θ|³

    θ̃ is the cross-product matrix of θ.
    """
    if _about_z(theta):
        return ca.DM(3, 1)
    x, across = ca.dot(theta, theta), ca.cross(theta, rate)
    x_rate = 2 * ca.dot(theta, rate)
    turning = _series_derivative(x, 2) * x_rate * across + _series_derivative(x, 3) * x_rate * ca.cross(
        theta, across
    )
    return turning + _series(x, 3) * ca.cross(rate, across)


def rotation_vector(R: Matrix) -> Matrix:
    """The rotation vector θ of a rotation matrix R by an angle |θ| below half a turn.

    s = n sin(|θ|/8),   θ = 8 n arcsin|s|,   n: unit vector along θ

    s follows from the trace and the skew-symmetric part of R by half-angle formulas.
    """
    cosine = ca.sqrt((1 + ca.trace(R)) / 4)  # cos(|θ|/2)
    s = unskew(R) / (2 * cosine)
    for _ in range(2):
        s = s / ca.sqrt(2 * (1 + cosine))
        cosine = ca.sqrt((1 + cosine) / 2)
    x, total = ca.dot(s, s), 0.0
    for k in reversed(range(ARCSINE_TERMS)):
        total = ARCSINE_COEFFICIENTS[k] + x * total
    return 8 * total * s


def _about_z(theta: Matrix) -> bool:
    """Whether θ is along z according to its sparsity pattern."""
    return not ca.sparsify(theta[:2]).nnz()


def _series(x: Matrix, first: int) -> Matrix:
    """The power series Σ (−x)ᵏ / (2k + first)!: with x = θ² it is sin θ/θ for first = 1, (1 − cos θ)/θ² for first = 2,
    and (θ − sin θ)/θ³ for first = 3."""
    total = 1 / factorial(2 * TERMS + first)
    for k in reversed(range(TERMS)):
        total = 1 / factorial(2 * k + first) - x * total
    return total


def _series_derivative(x: Matrix, first: int) -> Matrix:
    """The derivative with respect to x of the power series Σ (−x)ᵏ / (2k + first)! (`_series`): −Σ k (−x)ᵏ⁻¹ / (2k +
    first)!."""
    total = TERMS / factorial(2 * TERMS + first)
    for k in reversed(range(1, TERMS)):
        total = k / factorial(2 * k + first) - x * total
    return -total


HALF_TURN = -0.99
"""Cosine of the rotation angle below which the skew-symmetric part of a rotation matrix no longer determines the axis
accurately."""


def cross_matrices(a: np.ndarray) -> np.ndarray:
    """The cross-product matrices ã of vectors, ã x = a × x: (…, 3) → (…, 3, 3)."""
    found = np.zeros((*np.shape(a), 3))
    found[..., 2, 1], found[..., 0, 2], found[..., 1, 0] = np.moveaxis(a, -1, 0)
    return found - found.swapaxes(-1, -2)


def transform_points(poses: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Inertial positions R r + p, (m, n, 3), of n points r of a body, (m, n, 3) in body axes, for its m poses [R | p]
    (m, 3, 4)."""
    found: np.ndarray = np.einsum("tij,tnj->tni", poses[:, :, :3], points) + poses[:, None, :, 3]
    return found


def rotations_from_vectors(a: np.ndarray) -> np.ndarray:
    """The rotation matrices of rotation vectors: (…, 3) → (…, 3, 3).

    R = 1 + (sin θ / θ) ã + ½ (sin ½θ / ½θ)² ã²,   θ = |a|,   ã: cross-product matrix of a
    """
    angle, A = np.linalg.norm(a, axis=-1)[..., None, None], cross_matrices(a)
    half = np.sinc(angle / (2 * np.pi))
    found: np.ndarray = np.eye(3) + np.sinc(angle / np.pi) * A + 0.5 * half**2 * (A @ A)
    return found


def rotation_vectors(R: np.ndarray) -> np.ndarray:
    """The rotation vectors a, of norm θ at most π, of rotation matrices R: (m, 3, 3) → (m, 3).

    a = θ s / |s|,   s = ½ (R₃₂ − R₂₃, R₁₃ − R₃₁, R₂₁ − R₁₂) = sin θ a/θ,   cos θ = ½ (tr R − 1)
    """
    s = 0.5 * np.stack([R[:, 2, 1] - R[:, 1, 2], R[:, 0, 2] - R[:, 2, 0], R[:, 1, 0] - R[:, 0, 1]], axis=1)
    sine, cosine = np.linalg.norm(s, axis=1), 0.5 * (np.trace(R, axis1=1, axis2=2) - 1)
    angle = np.arctan2(sine, cosine)
    found: np.ndarray = s * np.where(sine > 1e-12, angle / np.maximum(sine, 1e-12), 1.0)[:, None]
    for k in np.flatnonzero(cosine < HALF_TURN):
        e = quaternion_from_matrix(R[k])
        found[k] = 2 * np.arctan2(np.linalg.norm(e[1:]), e[0]) * e[1:] / np.linalg.norm(e[1:])
    return found
