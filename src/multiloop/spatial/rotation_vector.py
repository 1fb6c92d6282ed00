"""Rotation vectors θ: rotation matrix, angular velocity and inverse, smooth at θ = 0, on numbers and symbols.

    R = exp θ̃ = 1 + a θ̃ + b θ̃²,      ω = T θ̇,   T = 1 + b θ̃ + c θ̃²

a = sin|θ|/|θ|, b = (1 − cos|θ|)/|θ|² and c = (|θ| − sin|θ|)/|θ|³ are entire functions of x = θ·θ. They are summed
as power series, without roots, divisions or branches, exact to round-off up to half a turn.

Source: Rodrigues' formula; T follows from it by d/dt exp θ̃ = ω̃ exp θ̃ (tests/unit/spatial/test_rotation_vector.py).
"""

from __future__ import annotations

from math import factorial

import casadi as ca

from multiloop.spatial.matrix import Matrix
from multiloop.spatial.rotation import Rz, skew, unskew

TERMS = 14
"""Number of terms of each series; the first omitted term is below round-off at |θ| = π: π²⁸/29! = 1e-17."""


ARC_TERMS = 22
ARC = [factorial(2 * k) / (4**k * factorial(k) ** 2 * (2 * k + 1)) for k in range(ARC_TERMS)]
"""Coefficients of the power series of arcsin(√x)/√x in x."""


def rotation_by(theta: Matrix) -> Matrix:
    """The rotation matrix exp θ̃; if θ is along z, by one cosine and one sine."""
    if _about_z(theta):
        return Rz(theta[2])
    x, S = ca.dot(theta, theta), skew(theta)
    return ca.DM.eye(3) + _series(x, 1) * S + _series(x, 2) * (S @ S)


def tangent(theta: Matrix) -> Matrix:
    """The tangent operator T of ω = T θ̇, with ω in the axes of θ."""
    if _about_z(theta):
        return ca.DM.eye(3)
    x, S = ca.dot(theta, theta), skew(theta)
    return ca.DM.eye(3) + _series(x, 2) * S + _series(x, 3) * (S @ S)


def tangent_drift(theta: Matrix, rate: Matrix) -> Matrix:
    """Ṫ θ̇, the angular acceleration when θ̈ = 0.

    Ṫ θ̇ = (ḃ + ċ θ̃) (θ × θ̇) + c θ̇ × (θ × θ̇),   ẋ = 2 θ·θ̇
    """
    if _about_z(theta):
        return ca.DM(3, 1)
    x, across = ca.dot(theta, theta), ca.cross(theta, rate)
    x_rate = 2 * ca.dot(theta, rate)
    turning = _slope(x, 2) * x_rate * across + _slope(x, 3) * x_rate * ca.cross(theta, across)
    return turning + _series(x, 3) * ca.cross(rate, across)


def rotation_vector(R: Matrix) -> Matrix:
    """The rotation vector θ of R = exp θ̃, for angles below half a turn.

    s = n sin(|θ|/8)  by half-angle formulas from the trace and the skew part of R,   θ = 8 n arcsin|s|
    """
    cosine = ca.sqrt((1 + ca.trace(R)) / 4)  # cos(|θ|/2)
    s = unskew(R) / (2 * cosine)
    for _ in range(2):
        s = s / ca.sqrt(2 * (1 + cosine))
        cosine = ca.sqrt((1 + cosine) / 2)
    x, total = ca.dot(s, s), 0.0
    for k in reversed(range(ARC_TERMS)):
        total = ARC[k] + x * total
    return 8 * total * s


def _about_z(theta: Matrix) -> bool:
    """Whether θ is along z by its sparsity."""
    return not ca.sparsify(theta[:2]).nnz()


def _series(x: Matrix, first: int) -> Matrix:
    """Σ (−x)ᵏ / (2k + first)!: the functions a, b and c for first = 1, 2, 3."""
    total = 1 / factorial(2 * TERMS + first)
    for k in reversed(range(TERMS)):
        total = 1 / factorial(2 * k + first) - x * total
    return total


def _slope(x: Matrix, first: int) -> Matrix:
    """The derivative of `_series` with respect to x, −Σ k (−x)ᵏ⁻¹ / (2k + first)!."""
    total = TERMS / factorial(2 * TERMS + first)
    for k in reversed(range(1, TERMS)):
        total = k / factorial(2 * k + first) - x * total
    return -total
