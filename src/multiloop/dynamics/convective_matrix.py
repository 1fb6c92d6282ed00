"""Convective matrix C of the spanning tree: the inertia forces that are quadratic in the rates, as a product C v.

    Nᵀ (M ṫ + B t) = I v̇ + C v,      I = Nᵀ M N,      C = Nᵀ (M Ṅ + B N),      (B t: of every body)

t = N v are the twists of all bodies, N is the natural orthogonal complement of the tree, M the block-diagonal mass
matrix, and B t the part of the inertia wrench that does not depend on the twist rate ṫ. For a rigid body at its mass
centre B = W M with W = diag(ω̃, 0). C is not unique, since B may be changed by every matrix with the product zero with
t; the product C v is. The matrices B chosen here make Ṁ − 2 B skew-symmetric, and with it İ − 2 C.

Source: [saha], eqs. (5), (10), (11); [koul], eqs. (6), (7).
Differs: the sign is that of [koul], I v̇ + C v = τ; [saha] writes I θ̈ = C θ̇ + τ. B of a rigid body is W M of [saha] at
the mass centre, transformed to the origin of the body. Ω M E of [koul] and [chaudhary] at the origin has the same
product with t, but İ − 2 C is not skew-symmetric with it in space; in the plane both give the same C.
Theory: docs/theory/04-orthogonal-complement.md, eqs. (4.8), (4.25)–(4.27).
"""

from __future__ import annotations

import casadi as ca

from multiloop.dynamics.inertia_matrix import body_inertias, twist_columns
from multiloop.kinematics import Snapshot
from multiloop.spatial import Matrix, skew


def complement_rates(at: Snapshot) -> list[Matrix]:
    """Time derivatives Ṅ of the rows of the natural orthogonal complement of every body, (6+e) × rates.

    The coordinates of `at` must be symbols, since the columns are differentiated along q̇ = E v.
    """
    return [ca.jtimes(ca.SX(N), at.q, at.q_rate) for N in twist_columns(at)]


def convective_matrix(at: Snapshot) -> Matrix:
    """Convective matrix C of the tree, n×n, with structural zeros between subsystems; the coordinates of `at` must be
    symbols."""
    count = at.skeleton.rates
    total = ca.SX(count, count)
    bodies = zip(twist_columns(at), complement_rates(at), body_inertias(at), strict=True)
    for k, (N, N_rate, inertia) in enumerate(bodies):
        total += N.T @ (inertia.matrix @ N_rate + body_convective_matrix(at, k) @ N)
    return total


def body_convective_matrix(at: Snapshot, k: int) -> Matrix:
    """Matrix B of body k, (6+e)×(6+e), at its origin in inertial axes: its inertia wrench is M ṫ + B t."""
    if at.skeleton.links[k].reduced.elastic:
        return _elastic_convective_matrix(at, k)
    return _rigid_convective_matrix(at, k)


def _rigid_convective_matrix(at: Snapshot, k: int) -> Matrix:
    """Matrix B of a rigid body.

        B = Aᵀ (W M_C A + M_C Ȧ) = [ω̃ I_C − m d̃ (ω × d)~ , 0; −m (ω × d)~ , 0],   M_C = diag(I_C, m 1)

    A = [1 0; −d̃ 1] transforms the twist from the origin to the mass centre C, d is the vector between them, m the mass,
    I_C the inertia tensor about C, and W = diag(ω̃, 0).

    Source: [saha], eqs. (3)–(5), (11).
    """
    body, R, omega = at.skeleton.links[k].reduced, at.placements[k].pose.R, at.body_twists[k].omega
    d = R @ body.com
    D, swept = skew(d), skew(ca.cross(omega, d))
    I_com = R @ body.inertia @ R.T + body.mass * (D @ D)
    upper, lower = skew(omega) @ I_com - body.mass * (D @ swept), -body.mass * swept
    return ca.horzcat(ca.vertcat(upper, lower), ca.DM(6, 3))


def _elastic_convective_matrix(at: Snapshot, k: int) -> Matrix:
    """Matrix B of a flexible body, from its mass matrix M(η) alone.

        B = ½ (Ṁ + G − Gᵀ) − [h̃ l̃ 0; l̃ 0 0; 0 0 0] − M diag(ω̃, ω̃, 0),      G = [0 ∂(M x)/∂η],   M x = [h; l; g]

    in the axes of the body, with x = [ω; v; η̇] and the angular momentum h, momentum l and modal momenta g of the body.
    The first part are the Christoffel symbols of the elastic coordinates, the second and the third follow from the
    rotation of the axes (Lagrange's equations in quasi-coordinates). Stiffness and damping are not included.

    Source: derived here.
    """
    body, R = at.skeleton.links[k].reduced, at.placements[k].pose.R
    e = body.elastic
    eta, x = ca.SX.sym("eta", e), ca.SX.sym("x", 6 + e)
    M = ca.SX(body.inertia_at(eta).matrix)
    momenta = M @ x
    G = ca.horzcat(ca.SX(6 + e, 6), ca.jacobian(momenta, eta))
    H, L, turn = skew(momenta[:3]), skew(momenta[3:6]), skew(x[:3])
    gyric = ca.blockcat([[H, L, ca.SX(3, e)], [L, ca.SX(3, 3 + e)], [ca.SX(e, 6 + e)]])
    B = (ca.jtimes(M, eta, x[6:]) + G - G.T) / 2 - gyric - M @ ca.diagcat(turn, turn, ca.SX(e, e))
    of_body = ca.Function("B", [eta, x, at.skeleton.parameter_symbols], [B])
    T = ca.diagcat(R, R, ca.DM.eye(e))
    rates = ca.vertcat(at.body_twists[k].column, at.v[at.skeleton.links[k].eta_rate])
    found: Matrix = T @ of_body(at.placements[k].eta, T.T @ rates, at.skeleton.parameter_symbols) @ T.T
    return found
