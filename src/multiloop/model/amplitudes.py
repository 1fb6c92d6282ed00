"""How much of each of its shapes a body shows: its elastic coordinates, and quadratic forms of them.

    r = r₀ + Ψ ζ,      ζ = (η_1 … η_e, ½ ηᵀ G_1 η, …),      ζ̇ = A η̇,   A = ∂ζ/∂η,      ζ̈ = A η̈ + Ȧ η̇

A straight beam that keeps its length along its own line draws its far end in by ½ ∫ w'² dx: shapes that grow with
squares and products of coordinates say so. Every point is still linear in ζ, and one set of integrals serves all.

Source: foreshortening, [kane_ryan_banerjee]; quadratic forms as amplitudes of further shapes, [jain_tiso].
"""

from __future__ import annotations

import casadi as ca

from multiloop.spatial import Matrix

Forms = tuple[Matrix, ...]
"""A symmetric matrix of numbers, e×e, for each further shape."""


def amplitudes(eta: Matrix, forms: Forms) -> Matrix:
    """ζ."""
    return ca.vertcat(eta, *[ca.dot(eta, G @ eta) / 2 for G in forms]) if forms else eta


def gradient(eta: Matrix, forms: Forms) -> Matrix:
    """A = ∂ζ/∂η, s×e."""
    return ca.vertcat(ca.DM.eye(eta.shape[0]), *[(G @ eta).T for G in forms])


def drift(rate: Matrix, forms: Forms) -> Matrix:
    """Ȧ η̇, s×1."""
    return ca.vertcat(ca.DM(rate.shape[0], 1), *[ca.dot(rate, G @ rate) for G in forms])
