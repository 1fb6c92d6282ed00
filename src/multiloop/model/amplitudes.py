"""Amplitudes of the mode shapes of a flexible body: its elastic coordinates and quadratic forms of them.

    r = r₀ + Ψ ζ,      ζ = (η_1 … η_e, ½ ηᵀ G_1 η, …),      ζ̇ = A η̇,   A = ∂ζ/∂η,      ζ̈ = A η̈ + Ȧ η̇

The quadratic forms describe foreshortening: the end of a straight beam that keeps its length while it bends by w is
displaced by −½ ∫ w'² dx. Every point remains linear in ζ, so that one set of mass integrals covers both kinds.

Source: foreshortening, [kane_ryan_banerjee]; quadratic forms as amplitudes of further shapes, [jain_tiso].
"""

from __future__ import annotations

import casadi as ca

from multiloop.spatial import Matrix

Forms = tuple[Matrix, ...]
"""A symmetric matrix G of numbers, e×e, for each shape with a quadratic amplitude."""


def amplitudes(eta: Matrix, forms: Forms) -> Matrix:
    """The amplitudes ζ, s×1."""
    return ca.vertcat(eta, *[ca.dot(eta, G @ eta) / 2 for G in forms]) if forms else eta


def gradient(eta: Matrix, forms: Forms) -> Matrix:
    """A = ∂ζ/∂η, s×e."""
    return ca.vertcat(ca.DM.eye(eta.shape[0]), *[(G @ eta).T for G in forms])


def drift(rate: Matrix, forms: Forms) -> Matrix:
    """Ȧ η̇, s×1. Each product of two rates is computed once and shared by all forms."""
    return ca.vertcat(ca.DM(rate.shape[0], 1), *[_form(G, rate) for G in forms])


def _form(G: Matrix, x: Matrix) -> Matrix:
    """xᵀ G x from the upper triangle of G."""
    rows, columns = ca.triu(ca.sparsify(ca.DM(G))).sparsity().get_triplet()
    found = ca.SX(0)
    for i, j in zip(rows, columns, strict=True):
        found += float(G[i, j]) * (1 if i == j else 2) * (x[i] * x[j])
    return found
