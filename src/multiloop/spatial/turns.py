"""Rotations, rotation vectors and cross-product matrices on NumPy arrays of many instances."""

from __future__ import annotations

import numpy as np

from multiloop.spatial.rotation import quaternion_of

HALF_TURN = -0.99
"""Cosine below which the skew part of a rotation no longer determines its axis accurately."""


def cross_matrices(a: np.ndarray) -> np.ndarray:
    """The cross-product matrices ã of vectors, ã x = a × x: (…, 3) → (…, 3, 3)."""
    found = np.zeros((*np.shape(a), 3))
    found[..., 2, 1], found[..., 0, 2], found[..., 1, 0] = np.moveaxis(a, -1, 0)
    return found - found.swapaxes(-1, -2)


def moved_points(poses: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Points of a body (m, n, 3) in inertial axes, by its poses [R | p] (m, 3, 4): R r + p."""
    found: np.ndarray = np.einsum("tij,tnj->tni", poses[:, :, :3], points) + poses[:, None, :, 3]
    return found


def rotations_by(a: np.ndarray) -> np.ndarray:
    """The rotation matrices of rotation vectors: (…, 3) → (…, 3, 3).

    R = 1 + (sin θ / θ) ã + ½ (sin ½θ / ½θ)² ã²,   θ = |a|
    """
    angle, A = np.linalg.norm(a, axis=-1)[..., None, None], cross_matrices(a)
    half = np.sinc(angle / (2 * np.pi))
    found: np.ndarray = np.eye(3) + np.sinc(angle / np.pi) * A + 0.5 * half**2 * (A @ A)
    return found


def rotation_vectors(R: np.ndarray) -> np.ndarray:
    """The rotation vectors, of norm at most π, of rotation matrices: (m, 3, 3) → (m, 3).

    a = θ s / |s|,   s = ½ (R₃₂ − R₂₃, R₁₃ − R₃₁, R₂₁ − R₁₂) = sin θ a/θ,   cos θ = ½ (tr R − 1)
    """
    s = 0.5 * np.stack([R[:, 2, 1] - R[:, 1, 2], R[:, 0, 2] - R[:, 2, 0], R[:, 1, 0] - R[:, 0, 1]], axis=1)
    sine, cosine = np.linalg.norm(s, axis=1), 0.5 * (np.trace(R, axis1=1, axis2=2) - 1)
    angle = np.arctan2(sine, cosine)
    found: np.ndarray = s * np.where(sine > 1e-12, angle / np.maximum(sine, 1e-12), 1.0)[:, None]
    for k in np.flatnonzero(cosine < HALF_TURN):
        e = quaternion_of(R[k])
        found[k] = 2 * np.arctan2(np.linalg.norm(e[1:]), e[0]) * e[1:] / np.linalg.norm(e[1:])
    return found
