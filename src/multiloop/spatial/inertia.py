"""How hard a body is to move: the extended mass matrix and the wrench that its motion needs."""

from __future__ import annotations

import casadi as ca

from multiloop.spatial.matrix import Matrix
from multiloop.spatial.rotation import skew


def inertia_about(I_com: Matrix, m: Matrix, d: Matrix) -> Matrix:
    """Inertia tensor about a point from which the mass centre lies at d (parallel-axis theorem).

    I_O = I_C − m d̃ d̃
    """
    S = skew(d)
    return I_com - m * (S @ S)


def extended_mass(m: Matrix, d: Matrix, I_origin: Matrix) -> Matrix:
    """The 6×6 mass matrix of a body about its origin.

        M = [I m d̃; −m d̃ m 1]

    Source: [chaudhary], eq. (3); [koul], eq. (3).
    """
    S = m * skew(d)
    return ca.vertcat(ca.horzcat(I_origin, S), ca.horzcat(-S, m * ca.DM.eye(3)))


def inertia_wrench(m: Matrix, d: Matrix, I_origin: Matrix, t: Matrix, dt: Matrix) -> Matrix:
    """The wrench w* at the origin that a body's motion needs.

        w* = M ṫ + W M E t:   f* = m (v̇ + ω̇ × d + ω × (ω × d)),   n* = I ω̇ + ω × I ω + m d × v̇

    All in the inertial frame; d from the origin to the mass centre, I about the origin.

    Source: [chaudhary], eqs. (2)–(5); the product W M E t is written out.
    """
    omega, alpha, acc = t[:3], dt[:3], dt[3:]
    f = m * (acc + ca.cross(alpha, d) + ca.cross(omega, ca.cross(omega, d)))
    n = I_origin @ alpha + ca.cross(omega, I_origin @ omega) + m * ca.cross(d, acc)
    return ca.vertcat(n, f)
