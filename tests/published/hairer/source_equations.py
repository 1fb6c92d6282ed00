"""Andrews' squeezer in the source's own seven angles, written by hand: no body, joint or loop of the package is used.

    M(q) q̈ = f(q, q̇) − Gᵀ λ,      G q̈ = −d/dt(G) q̇

Source: [hairer], eqs. (7.10)–(7.13) of §VII.7.
"""

import numpy as np
from scipy.integrate import solve_ivp

D, DA, E, EA, ZF, FA, RR, RA = 28e-3, 115e-4, 2e-2, 1421e-5, 2e-2, 1421e-5, 7e-3, 92e-5
SS, SA, SB, SC, SD, TA, TB = 35e-3, 1874e-5, 1043e-5, 18e-3, 2e-2, 2308e-5, 916e-5
U, UA, UB, ZT = 4e-2, 1228e-5, 449e-5, 4e-2
MASS = (0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498)
INERTIA = (2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5)
B, C, STIFFNESS, LENGTH, MOTOR = (-0.03635, 0.03273), (0.014, 0.072), 4530.0, 0.07785, 0.033


def inertia(q):
    """M, eq. (7.11)."""
    _, m2, m3, m4, m5, m6, m7 = MASS
    i1, i2, i3, i4, i5, i6, i7 = INERTIA
    _, th, _, ph, _, om, _ = q
    M = np.zeros((7, 7))
    M[0, 0] = MASS[0] * RA**2 + m2 * (RR**2 - 2 * DA * RR * np.cos(th) + DA**2) + i1 + i2
    M[0, 1] = M[1, 0] = m2 * (DA**2 - DA * RR * np.cos(th)) + i2
    M[1, 1] = m2 * DA**2 + i2
    M[2, 2] = m3 * (SA**2 + SB**2) + i3
    M[3, 3] = m4 * (E - EA) ** 2 + i4
    M[3, 4] = M[4, 3] = m4 * ((E - EA) ** 2 + ZT * (E - EA) * np.sin(ph)) + i4
    M[4, 4] = m4 * (ZT**2 + 2 * ZT * (E - EA) * np.sin(ph) + (E - EA) ** 2) + m5 * (TA**2 + TB**2) + i4 + i5
    M[5, 5] = m6 * (ZF - FA) ** 2 + i6
    M[5, 6] = M[6, 5] = m6 * ((ZF - FA) ** 2 - U * (ZF - FA) * np.sin(om)) + i6
    M[6, 6] = m6 * ((ZF - FA) ** 2 - 2 * U * (ZF - FA) * np.sin(om) + U**2) + m7 * (UA**2 + UB**2) + i6 + i7
    return M


def forces(q, v):
    """f, eq. (7.12): applied forces and velocity terms."""
    _, m2, _, m4, _, m6, _ = MASS
    _, th, ga, ph, _, om, _ = q
    be_, th_, _, ph_, de_, om_, ep_ = v
    away = np.array([SD * np.cos(ga) + SC * np.sin(ga), SD * np.sin(ga) - SC * np.cos(ga)]) + B - C
    length = np.hypot(*away)
    F = -STIFFNESS * (length - LENGTH) / length * away
    return np.array(
        [
            MOTOR - m2 * DA * RR * th_ * (th_ + 2 * be_) * np.sin(th),
            m2 * DA * RR * be_**2 * np.sin(th),
            F @ [SC * np.cos(ga) - SD * np.sin(ga), SD * np.cos(ga) + SC * np.sin(ga)],
            m4 * ZT * (E - EA) * de_**2 * np.cos(ph),
            -m4 * ZT * (E - EA) * ph_ * (ph_ + 2 * de_) * np.cos(ph),
            -m6 * U * (ZF - FA) * ep_**2 * np.cos(om),
            m6 * U * (ZF - FA) * om_ * (om_ + 2 * ep_) * np.cos(om),
        ]
    )


def rows(q, v):
    """G of the loops, eq. (7.13), and dG/dt q̇: unit vectors rotate with their angles."""
    be, th, ga, ph, de, om, ep = q
    be_, th_, ga_, ph_, de_, om_, ep_ = v

    def along(angle):
        return np.array([np.cos(angle), np.sin(angle)])

    def across(angle):
        return np.array([-np.sin(angle), np.cos(angle)])

    G, bias = np.zeros((6, 7)), np.zeros(6)
    for k in (0, 2, 4):  # the point P over crank and K2
        G[k : k + 2, 0] = RR * across(be) - D * across(be + th)
        G[k : k + 2, 1] = -D * across(be + th)
        bias[k : k + 2] = -RR * along(be) * be_**2 + D * along(be + th) * (be_ + th_) ** 2
    G[0:2, 2] = -SS * along(ga)  # … over K3
    bias[0:2] += -SS * across(ga) * ga_**2
    G[2:4, 3] = -E * along(ph + de)  # … over K5 and K4
    G[2:4, 4] = -E * along(ph + de) - ZT * across(de)
    bias[2:4] += -E * across(ph + de) * (ph_ + de_) ** 2 + ZT * along(de) * de_**2
    G[4:6, 5] = -ZF * across(om + ep)  # … over K7 and K6
    G[4:6, 6] = -ZF * across(om + ep) - U * along(ep)
    bias[4:6] += ZF * along(om + ep) * (om_ + ep_) ** 2 - U * across(ep) * ep_**2
    return G, bias


def angles_at(until, start, rtol):
    """The seven angles, from rest."""

    def rate(_, y):
        q, v = y[:7], y[7:]
        G, bias = rows(q, v)
        system = np.block([[inertia(q), G.T], [G, np.zeros((6, 6))]])
        return np.concatenate([v, np.linalg.solve(system, np.concatenate([forces(q, v), -bias]))[:7]])

    run = solve_ivp(rate, (0.0, until), [*start, *[0.0] * 7], method="DOP853", rtol=rtol, atol=rtol)
    return run.y[:7, -1]
